// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the stretch of a row that a line covers is exact where that is
// hardest: through the corners of blocks and the smallest step beside them,
// along edges, in all directions, to the ends of the coordinates; then on
// random lines.  An oracle that tries blocks one by one has the answers, for
// both forms of lines and either end first.

#include "context-for-tests.h"
#include "lines/sweep.h"
#include "oracle.h"
#include "random-map.h"

enum { UNIT = 1 << 16 };

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

// Whether a line touches, in a row, any of the 128 map units from `x` on.
static bool is_touched(const struct fixed_line *line, int32_t x,
                       int32_t origin_y, uint32_t row)
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
    return is_touched(line, first_x - 127, origin_y, run->row) &&
           !is_touched(line, first_x - 128, origin_y, run->row) &&
           is_touched(line, last_x, origin_y, run->row) &&
           !is_touched(line, last_x + 1, origin_y, run->row);
}

// The row of a height that is not below the origin.
static uint32_t row_of(int32_t y, int32_t origin_y)
{
    return (uint32_t)(((int64_t)y - (int64_t)origin_y * UNIT) / (128 * UNIT));
}

static void assert_runs(const struct fixed_line *line, int32_t origin_y,
                        const struct run *runs, size_t count)
{
    int32_t south = line->y1 < line->y2 ? line->y1 : line->y2;
    int32_t north = line->y1 < line->y2 ? line->y2 : line->y1;
    uint32_t row = row_of(south, origin_y);
    bool exact = count == row_of(north, origin_y) - row + 1;
    for (size_t r = 0; r < count; r++)
        exact = exact && runs[r].row == row + r &&
                is_exact(line, &runs[r], origin_y);
    ck_assert_msg(exact,
                  "%d,%d to %d,%d in 16.16, on rows from %d: %zu runs, the "
                  "first in row %u from %d to %d",
                  line->x1, line->y1, line->x2, line->y2, origin_y, count,
                  runs->row, runs->first_x, runs->last_x);
}

// In 16.16, and if that can be in whole numbers.  Returns whether it can.
static bool assert_both_forms(const struct fixed_line *line, int32_t origin_y)
{
    struct run runs[SWEEP_MAX_RUNS];
    assert_runs(line, origin_y, runs, sweep_fixed(*line, origin_y, runs));
    if ((line->x1 | line->y1 | line->x2 | line->y2) & (UNIT - 1))
        return false;
    const struct whole_line whole = {
        (int16_t)(line->x1 / UNIT), (int16_t)(line->y1 / UNIT),
        (int16_t)(line->x2 / UNIT), (int16_t)(line->y2 / UNIT)};
    assert_runs(line, origin_y, runs, sweep_whole(whole, origin_y, runs));
    return true;
}

// ---------------------------------------------------------------------------
// Hard lines

// On rows that begin at 0.
static const struct whole_line hard_lines[] = {
    // Points: inside, on an edge, on a corner.
    {5, 5, 5, 5},
    {5, 128, 5, 128},
    {128, 256, 128, 256},
    // Level: inside, along an edge.
    {3, 9, 300, 9},
    {0, 128, 300, 128},
    // Upright: along an edge, up to an edge.
    {128, 10, 128, 300},
    {7, 10, 7, 128},
    // Rising east and west through a corner.
    {28, 28, 228, 228},
    {228, 28, 28, 228},
    // Across edges at fractions.
    {0, 0, 100, 300},
    {100, 0, 0, 300},
    // Steep: across edges at 1/2 and 1.
    {0, 0, 1, 256},
    {1, 0, 0, 256},
    // Shallow: up to an edge, and over it.
    {0, 127, 300, 128},
    {300, 127, 0, 128},
    {0, 127, 300, 129},
    {300, 127, 0, 129},
    {99, 127, 101, 128},
    {101, 127, 99, 128},
    // From an edge up.
    {10, 128, 50, 200},
    {50, 128, 10, 200},
};

// Where lines and rows are moved to, in map units; west of 0, rounding down
// and rounding to 0 differ.
static const struct {
    int32_t x, y;
} places[] = {{0, 0},  {-1024, 0}, {0, -32640}, {0, -128},
              {0, -8}, {0, 77},    {0, 32000}};

// Off whole units, in 1/65536.
static const int32_t steps[] = {0, 1, -1, UNIT / 2};

START_TEST(hard_lines_are_exact)
{
    const struct whole_line *line = &hard_lines[_i];
    for (size_t p = 0; p < COUNT(places); p++)
        for (size_t s = 0; s < COUNT(steps) * COUNT(steps); s++) {
            int32_t x = places[p].x * UNIT + steps[s % COUNT(steps)];
            int32_t y = places[p].y * UNIT + steps[s / COUNT(steps)];
            int32_t origin_y = places[p].y - 128;
            struct fixed_line moved = {line->x1 * UNIT + x, line->y1 * UNIT + y,
                                       line->x2 * UNIT + x,
                                       line->y2 * UNIT + y};
            struct fixed_line reversed = {moved.x2, moved.y2, moved.x1,
                                          moved.y1};
            assert_both_forms(&moved, origin_y);
            assert_both_forms(&reversed, origin_y);
        }
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
            whole_lines += assert_both_forms(&line, map.origin_y);
        }
        random_map_free(&map);
    }
    ck_assert_uint_gt(whole_lines, 1000);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sweep");
    tcase_add_loop_test(tests, hard_lines_are_exact, 0, COUNT(hard_lines));
    tcase_add_test(tests, the_longest_lines_are_exact);
    tcase_add_loop_test(tests, random_lines_are_exact_in_both_forms, 0,
                        COUNT(shapes));
    return run_tests(tests);
}
