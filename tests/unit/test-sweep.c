// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the stretch of a row that a line covers is exact where that is
// hardest: through the corners of blocks and the smallest step beside them,
// along edges, in all directions, to the ends of the coordinates.  These
// answers were worked out by hand.  Then it holds random lines, in both of
// their forms, against an oracle that tries blocks one by one.

#include "context-for-tests.h"
#include "lines/sweep.h"
#include "oracle.h"
#include "random-map.h"

enum { ROWS = 3, UNIT = 1 << 16 };

// The stretch of a row in which a line does not reach it.
#define NOTHING \
    { \
        0, -1 \
    }

struct sweep_case {
    struct whole_line line;

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

// ---------------------------------------------------------------------------
// One line at a time

static size_t sweep_fixed(struct fixed_line line, int32_t origin_y,
                          struct run *runs)
{
    const struct lines lines = {.count = 1, .fixed = &line};
    return sweep_line(&lines, 0, origin_y, runs);
}

static size_t sweep_whole(struct whole_line line, int32_t origin_y,
                          struct run *runs)
{
    uint32_t start = (uint16_t)line.x1 | (uint32_t)(uint16_t)line.y1 << 16;
    uint32_t end = (uint16_t)line.x2 | (uint32_t)(uint16_t)line.y2 << 16;
    const struct lines lines = {
        .count = 1, .is_whole = true, .whole = {&start, &end}};
    return sweep_line(&lines, 0, origin_y, runs);
}

static struct fixed_line reversed_fixed(struct fixed_line line)
{
    return (struct fixed_line){line.x2, line.y2, line.x1, line.y1};
}

static struct whole_line reversed_whole(struct whole_line line)
{
    return (struct whole_line){line.x2, line.y2, line.x1, line.y1};
}

// ---------------------------------------------------------------------------
// By hand

// The runs must be those of the case.
static void assert_case(const struct sweep_case *expected,
                        const struct run *runs, size_t count)
{
    size_t next = 0;
    for (size_t row = 0; row < ROWS; row++) {
        int16_t first_x = expected->rows[row].first_x;
        int16_t last_x = expected->rows[row].last_x;
        if (first_x > last_x)
            continue;
        ck_assert_uint_lt(next, count);
        const struct run *run = &runs[next++];
        ck_assert_uint_eq(run->row, row);
        ck_assert_msg(run->first_x == first_x && run->last_x == last_x,
                      "row %zu: %d to %d, not %d to %d", row, run->first_x,
                      run->last_x, first_x, last_x);
    }
    ck_assert_uint_eq(next, count);
}

// Either end may come first.
static void assert_fixed(const struct sweep_case *expected,
                         struct fixed_line line, int32_t origin_y)
{
    struct run runs[SWEEP_MAX_RUNS];
    assert_case(expected, runs, sweep_fixed(line, origin_y, runs));
    line = reversed_fixed(line);
    assert_case(expected, runs, sweep_fixed(line, origin_y, runs));
}

static void assert_whole(const struct sweep_case *expected,
                         struct whole_line line, int32_t origin_y)
{
    struct run runs[SWEEP_MAX_RUNS];
    assert_case(expected, runs, sweep_whole(line, origin_y, runs));
    line = reversed_whole(line);
    assert_case(expected, runs, sweep_whole(line, origin_y, runs));
}

// In 16.16, and if the case allows it as whole numbers, moved by map units.
static void assert_both_forms(const struct sweep_case *one, int32_t x,
                              int32_t y, int32_t origin_y)
{
    struct whole_line line = {
        (int16_t)(one->line.x1 + x), (int16_t)(one->line.y1 + y),
        (int16_t)(one->line.x2 + x), (int16_t)(one->line.y2 + y)};
    assert_fixed(one,
                 (struct fixed_line){
                     line.x1 * UNIT + one->east, line.y1 * UNIT + one->north,
                     line.x2 * UNIT + one->east, line.y2 * UNIT + one->north},
                 origin_y);
    if (one->east == 0 && one->north == 0)
        assert_whole(one, line, origin_y);
}

START_TEST(hard_lines_are_exact)
{
    assert_both_forms(&cases[_i], 0, 0, 0);
}
END_TEST

START_TEST(rows_begin_at_the_origin)
{
    static const int32_t origins[] = {-32768, -128, -8, 77, 32000};
    for (size_t i = 0; i < COUNT(origins); i++)
        assert_both_forms(&cases[_i], 0, origins[i], origins[i]);
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
    assert_both_forms(&moved, WEST, 0, 0);
}
END_TEST

// The diagonals of all there is, in which x grows or shrinks as y grows.
static void assert_diagonals(const struct run *east, size_t east_count,
                             const struct run *west, size_t west_count)
{
    ck_assert_uint_eq(east_count, GRID_MAX_SIDE);
    ck_assert_uint_eq(west_count, GRID_MAX_SIDE);
    for (int32_t row = 0; row < GRID_MAX_SIDE; row++) {
        ck_assert_int_eq(east[row].row, row);
        ck_assert_int_eq(east[row].first_x, -32768 + 128 * row);
        ck_assert_int_eq(east[row].last_x, -32768 + 128 * row + 127);
        ck_assert_int_eq(west[row].row, row);
        // On the row's northern edge, but for the last row.
        int32_t first_x = 32767 - 128 * (row + 1);
        ck_assert_int_eq(west[row].first_x,
                         first_x < -32768 ? -32768 : first_x);
        ck_assert_int_eq(west[row].last_x, 32767 - 128 * row);
    }
}

START_TEST(the_longest_lines_are_exact)
{
    struct run east[SWEEP_MAX_RUNS], west[SWEEP_MAX_RUNS];
    size_t east_count, west_count;
    east_count = sweep_whole((struct whole_line){-32768, -32768, 32767, 32767},
                             INT16_MIN, east);
    west_count = sweep_whole((struct whole_line){32767, -32768, -32768, 32767},
                             INT16_MIN, west);
    assert_diagonals(east, east_count, west, west_count);
    east_count = sweep_fixed(
        (struct fixed_line){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX},
        INT16_MIN, east);
    west_count = sweep_fixed(
        (struct fixed_line){INT32_MAX, INT32_MIN, INT32_MIN, INT32_MAX},
        INT16_MIN, west);
    assert_diagonals(east, east_count, west, west_count);
}
END_TEST

// ---------------------------------------------------------------------------
// At random

// Whether a line touches, in a row, any of the 128 map units from `x` on.
static bool entries(const struct fixed_line *line, int32_t x, int32_t origin_y,
                    uint32_t row)
{
    const struct oracle_line one = {line->x1, line->y1, line->x2, line->y2};
    const struct oracle_grid grid = {x, origin_y, 1, row + 1};
    return oracle_is_in_block(&one, &grid, 0, row);
}

// The first map unit is one more than 128 that the line does not touch, and
// one of 128 that it does touch; the last one is the same from the east.
static bool is_exact(const struct fixed_line *line, const struct run *run,
                     int32_t origin_y)
{
    int32_t first_x = run->first_x;
    int32_t last_x = run->last_x;
    return entries(line, first_x - 127, origin_y, run->row) &&
           !entries(line, first_x - 128, origin_y, run->row) &&
           entries(line, last_x, origin_y, run->row) &&
           !entries(line, last_x + 1, origin_y, run->row);
}

// The row of a height that is not below the origin.
static uint32_t row_of(int32_t y, int32_t origin_y)
{
    return (uint32_t)(((int64_t)y - (int64_t)origin_y * UNIT) / (128 * UNIT));
}

static void assert_exact(const struct fixed_line *line, int32_t origin_y)
{
    struct run runs[SWEEP_MAX_RUNS];
    size_t count = sweep_fixed(*line, origin_y, runs);
    int32_t south = line->y1 < line->y2 ? line->y1 : line->y2;
    int32_t north = line->y1 < line->y2 ? line->y2 : line->y1;
    uint32_t row = row_of(south, origin_y);
    bool exact = count == row_of(north, origin_y) - row + 1;
    for (size_t r = 0; r < count; r++)
        exact = exact && runs[r].row == row + r &&
                is_exact(line, &runs[r], origin_y);
    ck_assert_msg(exact, "%d,%d to %d,%d in 16.16, on rows from %d", line->x1,
                  line->y1, line->x2, line->y2, origin_y);
}

static void assert_equal_forms(const struct fixed_line *line, int32_t origin_y)
{
    struct whole_line whole = {
        (int16_t)(line->x1 / UNIT), (int16_t)(line->y1 / UNIT),
        (int16_t)(line->x2 / UNIT), (int16_t)(line->y2 / UNIT)};
    struct run fixed_runs[SWEEP_MAX_RUNS], whole_runs[SWEEP_MAX_RUNS];
    size_t fixed_count = sweep_fixed(*line, origin_y, fixed_runs);
    size_t whole_count = sweep_whole(whole, origin_y, whole_runs);
    bool equal = fixed_count == whole_count;
    for (size_t r = 0; r < fixed_count && equal; r++)
        equal = fixed_runs[r].row == whole_runs[r].row &&
                fixed_runs[r].first_x == whole_runs[r].first_x &&
                fixed_runs[r].last_x == whole_runs[r].last_x;
    ck_assert_msg(equal, "%d,%d to %d,%d, on rows from %d", whole.x1, whole.y1,
                  whole.x2, whole.y2, origin_y);
}

static const struct random_shape shapes[] = {
    {"small", 3, 3, 60},
    {"low", 512, 2, 60},
    {"tall", 2, 512, 40},
    {"vast", 512, 512, 40},
};

START_TEST(random_lines_are_exact_in_both_forms)
{
    enum { MAPS = 400 };
    struct random_stream stream = {(uint64_t)_i};
    size_t whole_lines = 0;
    for (int m = 0; m < MAPS; m++) {
        struct random_map map = random_map_make(&shapes[_i], &stream);
        for (size_t i = 0; i < map.line_count; i++) {
            struct nbstage_vertex start = map.vertices[map.lines[i].v1];
            struct nbstage_vertex end = map.vertices[map.lines[i].v2];
            struct fixed_line line = {start.x, start.y, end.x, end.y};
            assert_exact(&line, map.origin_y);
            if ((line.x1 | line.y1 | line.x2 | line.y2) & (UNIT - 1))
                continue;
            assert_equal_forms(&line, map.origin_y);
            whole_lines++;
        }
        random_map_free(&map);
    }
    ck_assert_uint_gt(whole_lines, 1000);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sweep");
    tcase_add_loop_test(tests, hard_lines_are_exact, 0, COUNT(cases));
    tcase_add_loop_test(tests, rows_begin_at_the_origin, 0, COUNT(cases));
    tcase_add_loop_test(tests, coordinates_below_0_are_rounded_down, 0,
                        COUNT(cases));
    tcase_add_test(tests, the_longest_lines_are_exact);
    tcase_add_loop_test(tests, random_lines_are_exact_in_both_forms, 0,
                        COUNT(shapes));
    return run_tests(tests);
}
