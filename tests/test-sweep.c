// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the stretch of a row that a line covers is exact where that is
// hardest: through the corners of blocks and the smallest step beside them,
// along edges, in all directions, to the ends of the coordinates.  Every
// answer was worked out by hand.

#include "context-for-tests.h"
#include "sweep.h"

enum { ROWS = 3, UNIT = 1 << 16 };

// The stretch of a row in which a line does not reach it.
#define NOTHING \
    { \
        0, -1 \
    }

struct sweep_case {
    struct line line; // whole units

    // How far both ends are moved off whole units, in 1/65536.
    int32_t east, north;

    // Where the line begins and ends in each row; rows are 128 units high,
    // from 0 up.
    struct {
        int16_t first_x, last_x;
    } rows[ROWS];
};

static const struct sweep_case cases[] = {
    // Points: inside, on an edge, on a corner, beside it.
    {{5, 5, 5, 5}, 0, 0, {{5, 5}, NOTHING, NOTHING}},
    {{5, 128, 5, 128}, 0, 0, {NOTHING, {5, 5}, NOTHING}},
    {{128, 256, 128, 256}, 0, 0, {NOTHING, NOTHING, {128, 128}}},
    {{128, 256, 128, 256}, -1, -1, {NOTHING, {127, 127}, NOTHING}},

    // Level: inside, along an edge, beside it.
    {{3, 9, 300, 9}, 0, 0, {{3, 300}, NOTHING, NOTHING}},
    {{0, 128, 300, 128}, 0, 0, {NOTHING, {0, 300}, NOTHING}},
    {{0, 128, 300, 128}, 0, -1, {{0, 300}, NOTHING, NOTHING}},

    // Upright: along an edge, beside it, up to an edge and not quite.
    {{128, 10, 128, 300}, 0, 0, {{128, 128}, {128, 128}, {128, 128}}},
    {{128, 10, 128, 300}, -1, 0, {{127, 127}, {127, 127}, {127, 127}}},
    {{7, 10, 7, 128}, 0, 0, {{7, 7}, {7, 7}, NOTHING}},
    {{7, 10, 7, 128}, 0, -1, {{7, 7}, NOTHING, NOTHING}},

    // Rising east through a corner, and on either side of it.
    {{28, 28, 228, 228}, 0, 0, {{28, 127}, {128, 228}, NOTHING}},
    {{28, 28, 228, 228}, -1, 0, {{27, 127}, {127, 227}, NOTHING}},
    {{28, 28, 228, 228}, 1, 0, {{28, 128}, {128, 228}, NOTHING}},

    // Rising west through a corner, and on either side of it.
    {{228, 28, 28, 228}, 0, 0, {{128, 228}, {28, 128}, NOTHING}},
    {{228, 28, 28, 228}, -1, 0, {{127, 227}, {27, 127}, NOTHING}},
    {{228, 28, 28, 228}, 1, 0, {{128, 228}, {28, 128}, NOTHING}},

    // Across edges at fractions: 42 2/3 and 85 1/3 from the start.
    {{0, 0, 100, 300}, 0, 0, {{0, 42}, {42, 85}, {85, 100}}},
    {{100, 0, 0, 300}, 0, 0, {{57, 100}, {14, 57}, {0, 14}}},

    // Steep: across edges at 1/2 and 1.
    {{0, 0, 1, 256}, 0, 0, {{0, 0}, {0, 0}, {1, 1}}},
    {{1, 0, 0, 256}, 0, 0, {{0, 1}, {0, 0}, {0, 0}}},

    // Shallow: up to an edge, and over it.
    {{0, 127, 300, 128}, 0, 0, {{0, 299}, {300, 300}, NOTHING}},
    {{300, 127, 0, 128}, 0, 0, {{0, 300}, {0, 0}, NOTHING}},
    {{0, 127, 300, 129}, 0, 0, {{0, 149}, {150, 300}, NOTHING}},
    {{300, 127, 0, 129}, 0, 0, {{150, 300}, {0, 150}, NOTHING}},

    // From an edge up.
    {{10, 128, 50, 200}, 0, 0, {NOTHING, {10, 50}, NOTHING}},
    {{50, 128, 10, 200}, 0, 0, {NOTHING, {10, 50}, NOTHING}},

    // Halves throughout: across the edge at 100 1/2.
    {{99, 127, 101, 128}, UNIT / 2, UNIT / 2, {{99, 100}, {100, 101}, NOTHING}},
    {{101, 127, 99, 128}, UNIT / 2, UNIT / 2, {{100, 101}, {99, 100}, NOTHING}},
};

// Sweeps lines over a number of rows that begin at origin_y.
static struct sweep sweep_lines(struct line *line, size_t count,
                                unsigned unit_shift, int32_t origin_y,
                                uint32_t rows)
{
    const struct lines lines = {
        .line = line, .count = count, .unit_shift = unit_shift};
    const struct grid grid = {0, origin_y, 3, rows};
    struct sweep sweep;
    ck_assert_int_eq(sweep_rows(&test_context, &lines, &grid, &sweep),
                     STATUS_OK);
    ck_assert_uint_eq(sweep.row_count, rows);
    ck_assert_uint_eq(sweep.row_start[0], 0);
    return sweep;
}

static struct line reversed(struct line line)
{
    return (struct line){line.x2, line.y2, line.x1, line.y1};
}

// A line swept alone must have the runs of the case.
static void assert_case(const struct sweep_case *expected, struct line line,
                        unsigned unit_shift, int32_t origin_y)
{
    struct sweep sweep = sweep_lines(&line, 1, unit_shift, origin_y, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        int16_t first_x = expected->rows[row].first_x;
        int16_t last_x = expected->rows[row].last_x;
        size_t count = sweep.row_start[row + 1] - sweep.row_start[row];
        ck_assert_uint_eq(count, first_x <= last_x ? 1 : 0);
        if (count == 0)
            continue;
        const struct run *run = &sweep.runs[sweep.row_start[row]];
        ck_assert_msg(run->first_x == first_x && run->last_x == last_x,
                      "row %zu: %d to %d, not %d to %d", row, run->first_x,
                      run->last_x, first_x, last_x);
        ck_assert_uint_eq(run->line, 0);
    }
    sweep_free(&test_context, &sweep);
}

// Either end may come first.
static void assert_both_ways(const struct sweep_case *expected,
                             struct line line, unsigned unit_shift,
                             int32_t origin_y)
{
    assert_case(expected, line, unit_shift, origin_y);
    assert_case(expected, reversed(line), unit_shift, origin_y);
}

// The line of a case in 16.16, moved by whole units.
static struct line fixed_line(const struct sweep_case *one, int32_t x,
                              int32_t y)
{
    return (struct line){(one->line.x1 + x) * UNIT + one->east,
                         (one->line.y1 + y) * UNIT + one->north,
                         (one->line.x2 + x) * UNIT + one->east,
                         (one->line.y2 + y) * UNIT + one->north};
}

START_TEST(fixed_point_is_exact)
{
    assert_both_ways(&cases[_i], fixed_line(&cases[_i], 0, 0), 16, 0);
}
END_TEST

START_TEST(whole_units_are_exact)
{
    if (cases[_i].east == 0 && cases[_i].north == 0)
        assert_both_ways(&cases[_i], cases[_i].line, 0, 0);
}
END_TEST

START_TEST(rows_begin_at_the_origin)
{
    static const int32_t origins[] = {-32768, -128, -8, 77, 32000};
    for (size_t i = 0; i < COUNT(origins); i++)
        assert_both_ways(&cases[_i], fixed_line(&cases[_i], 0, origins[i]), 16,
                         origins[i]);
}
END_TEST

// West of 0, rounding down and rounding to 0 differ.
START_TEST(coordinates_below_0_are_rounded_down)
{
    enum { WEST = -1024 };
    struct sweep_case moved = cases[_i];
    for (size_t row = 0; row < ROWS; row++) {
        moved.rows[row].first_x = (int16_t)(moved.rows[row].first_x + WEST);
        moved.rows[row].last_x = (int16_t)(moved.rows[row].last_x + WEST);
    }
    assert_both_ways(&moved, fixed_line(&moved, WEST, 0), 16, 0);
}
END_TEST

// The diagonals of all there is, in which x grows or shrinks as y grows.
static void assert_diagonals(struct line line[2], unsigned unit_shift)
{
    struct sweep sweep =
        sweep_lines(line, 2, unit_shift, INT16_MIN, GRID_MAX_SIDE);
    for (int32_t row = 0; row < GRID_MAX_SIDE; row++) {
        ck_assert_uint_eq(sweep.row_start[row], 2 * (size_t)row);
        const struct run *east = &sweep.runs[2 * row];
        ck_assert_uint_eq(east->line, 0);
        ck_assert_int_eq(east->first_x, -32768 + 128 * row);
        ck_assert_int_eq(east->last_x, -32768 + 128 * row + 127);
        const struct run *west = &sweep.runs[2 * row + 1];
        ck_assert_uint_eq(west->line, 1);
        // On the row's northern edge, but for the last row.
        int32_t first_x = 32767 - 128 * (row + 1);
        ck_assert_int_eq(west->first_x, first_x < -32768 ? -32768 : first_x);
        ck_assert_int_eq(west->last_x, 32767 - 128 * row);
    }
    ck_assert_uint_eq(sweep.row_start[GRID_MAX_SIDE], 2 * GRID_MAX_SIDE);
    sweep_free(&test_context, &sweep);
}

START_TEST(the_longest_lines_are_exact)
{
    struct line whole[] = {{-32768, -32768, 32767, 32767},
                           {32767, -32768, -32768, 32767}};
    assert_diagonals(whole, 0);
    struct line fixed[] = {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX},
                           {INT32_MAX, INT32_MIN, INT32_MIN, INT32_MAX}};
    assert_diagonals(fixed, 16);
}
END_TEST

START_TEST(runs_of_a_row_are_in_linedef_order)
{
    struct line line[] = {
        {0, 300, 9, 300}, {5, 400, 5, 0}, {1, 0, 1, 0}, {2, 300, 2, 200}};
    struct sweep sweep = sweep_lines(line, COUNT(line), 0, 0, 4);
    static const size_t starts[] = {0, 2, 4, 7, 8};
    static const struct run runs[] = {
        {1, 5, 5}, {2, 1, 1},            // row 0
        {1, 5, 5}, {3, 2, 2},            // row 1
        {0, 0, 9}, {1, 5, 5}, {3, 2, 2}, // row 2
        {1, 5, 5},                       // row 3
    };
    ck_assert_mem_eq(sweep.row_start, starts, sizeof starts);
    for (size_t i = 0; i < COUNT(runs); i++) {
        ck_assert_uint_eq(sweep.runs[i].line, runs[i].line);
        ck_assert_int_eq(sweep.runs[i].first_x, runs[i].first_x);
        ck_assert_int_eq(sweep.runs[i].last_x, runs[i].last_x);
    }
    sweep_free(&test_context, &sweep);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sweep");
    tcase_add_loop_test(tests, fixed_point_is_exact, 0, COUNT(cases));
    tcase_add_loop_test(tests, whole_units_are_exact, 0, COUNT(cases));
    tcase_add_loop_test(tests, rows_begin_at_the_origin, 0, COUNT(cases));
    tcase_add_loop_test(tests, coordinates_below_0_are_rounded_down, 0,
                        COUNT(cases));
    tcase_add_test(tests, the_longest_lines_are_exact);
    tcase_add_test(tests, runs_of_a_row_are_in_linedef_order);
    return run_tests(tests);
}
