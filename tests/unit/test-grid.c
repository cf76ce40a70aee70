// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that each placement gives the grid that it promises, and that auto
// and keep tell a grid that is still the map's own from one that is not.

#include "context-for-tests.h"
#include "lines/lines.h"

// Of lines, only what they span matters here.
static struct lines spanning(int32_t min_x, int32_t min_y, int32_t max_x,
                             int32_t max_y)
{
    return (struct lines){
        .min_x = min_x, .min_y = min_y, .max_x = max_x, .max_y = max_y};
}

static void assert_grid(const struct grid *grid, struct grid expected)
{
    ck_assert_int_eq(grid->origin_x, expected.origin_x);
    ck_assert_int_eq(grid->origin_y, expected.origin_y);
    ck_assert_uint_eq(grid->columns, expected.columns);
    ck_assert_uint_eq(grid->rows, expected.rows);
}

// Chooses a grid that must come to `expected`.
static struct grid choose(enum grid_placement placement,
                          const struct lines *lines, const struct grid *present,
                          enum grid_placement expected)
{
    struct grid grid;
    ck_assert_int_eq(
        grid_choose(&test_context, lines, present, &placement, &grid),
        NBSTAGE_OK);
    ck_assert_int_eq(placement, expected);
    return grid;
}

// --- fit ---

static const struct {
    struct lines lines;
    struct grid grid;
} fitted[] = {
    {{.min_x = 0, .min_y = 0, .max_x = 0, .max_y = 0}, {0, 0, 1, 1}},
    {{.min_x = 0, .min_y = 0, .max_x = 127, .max_y = 128}, {0, 0, 1, 2}},
    {{.min_x = -5, .min_y = 7, .max_x = 123, .max_y = 134}, {-5, 7, 2, 1}},
    {{.min_x = -32768, .min_y = -32768, .max_x = 32767, .max_y = 32767},
     {-32768, -32768, 512, 512}},
};

LOOP_TEST(fit_begins_at_the_lowest_coordinates, COUNT(fitted))
{
    static const struct grid present = {-32768, -32768, 512, 512};
    struct grid grid = choose(GRID_FIT, &fitted[_i].lines, &present, GRID_FIT);
    assert_grid(&grid, fitted[_i].grid);
}

// --- id ---

// Its columns are those that the lines and 8 units on both sides fill.
static const struct {
    int32_t lowest, highest;
    int32_t origin;
    uint32_t blocks;
} id_sides[] = {
    {0, 0, -8, 1},
    {0, 112, -8, 1}, // 8 + 112 + 8 units are one block exactly
    {0, 113, -8, 2},
    {0, 240, -8, 2},
    {0, 241, -8, 3},
    {-32760, -32760, -32768, 1},
    {-32761, -32761, -32768, 1}, // the origin has to be a 16-bit number
    {-32768, -32648, -32768, 1}, // 120 + 8 units
    {-32768, -32647, -32768, 2},
    {32767, 32767, 32759, 1},
    {-32768, 32760, -32768, 512},
    {-32768, 32761, -32768, 512}, // the margin would need one more
    {-32760, 32767, -32768, 512},
};

LOOP_TEST(id_begins_8_units_further_south_west, COUNT(id_sides))
{
    struct lines wide =
        spanning(id_sides[_i].lowest, 1, id_sides[_i].highest, 1);
    struct grid grid = choose(GRID_ID, &wide, NULL, GRID_ID);
    assert_grid(&grid,
                (struct grid){id_sides[_i].origin, -7, id_sides[_i].blocks, 1});
    struct lines tall =
        spanning(1, id_sides[_i].lowest, 1, id_sides[_i].highest);
    grid = choose(GRID_ID, &tall, NULL, GRID_ID);
    assert_grid(&grid,
                (struct grid){-7, id_sides[_i].origin, 1, id_sides[_i].blocks});
}

// The margin is cut where it would lose what the lowest coordinates do not.
static const struct {
    int32_t lowest, highest;
    int32_t origin;
} far_sides[] = {
    // Shots, of engines that find 256 columns.
    {0, 30712, -8},
    {0, 30715, -5},
    {0, 30720, 0},
    {0, 30721, -8}, // they are lost anyway
    // Walls.
    {0, 32744, -8},
    {0, 32745, -7},
    {-100, 32652, -100},
    {-100, 32653, -108},
    // The same of 512 columns.
    {-32000, 31480, -32008},
    {-32000, 31488, -32000},
    {-32000, 31489, -32008},
    {-32750, 32767, -32753},
    {-32753, 32767, -32753},
    {-32754, 32767, -32762},
};

LOOP_TEST(id_margin_loses_no_line, COUNT(far_sides))
{
    struct lines wide =
        spanning(far_sides[_i].lowest, 1, far_sides[_i].highest, 1);
    struct grid grid = choose(GRID_ID, &wide, NULL, GRID_ID);
    ck_assert_int_eq(grid.origin_x, far_sides[_i].origin);
    ck_assert_int_eq(grid.origin_y, -7);
    struct lines tall =
        spanning(1, far_sides[_i].lowest, 1, far_sides[_i].highest);
    grid = choose(GRID_ID, &tall, NULL, GRID_ID);
    ck_assert_int_eq(grid.origin_x, -7);
    ck_assert_int_eq(grid.origin_y, far_sides[_i].origin);
}

// --- Reach ---

static const struct {
    int32_t distance;
    uint32_t reach;
    enum grid_loss loss;
} losses[] = {
    {0, 256, GRID_HOLDS},
    {30720, 256, GRID_HOLDS},
    {30721, 256, GRID_MAY_PASS_SHOTS},
    {32752, 256, GRID_MAY_PASS_SHOTS},
    {32753, 256, GRID_MAY_PASS_ALL},
    {65535, 256, GRID_MAY_PASS_ALL},
    {63488, 512, GRID_HOLDS},
    {63489, 512, GRID_MAY_PASS_SHOTS},
    {65520, 512, GRID_MAY_PASS_SHOTS},
    {65521, 512, GRID_MAY_PASS_ALL},
    {65535, 0, GRID_HOLDS},
};

LOOP_TEST(lines_hold_up_to_a_distance, COUNT(losses))
{
    ck_assert_int_eq(grid_find_loss(losses[_i].distance, losses[_i].reach),
                     losses[_i].loss);
}

TEST(distance_is_that_on_the_longer_axis)
{
    static const struct grid grid = {-20, 30, 1, 1};
    ck_assert_int_eq(grid_distance(&grid, 100, 149), 120);
    ck_assert_int_eq(grid_distance(&grid, 100, 151), 121);
}

// --- keep and auto ---

// What a present grid is to lines that span 0,1000 to 247,1247: their fit grid
// is 2 x 2 blocks, and 8 units more are still within it.
static const struct {
    struct grid present;
    bool encloses;
    bool has_spare;
} presents[] = {
    {{0, 1000, 2, 2}, true, false},
    {{-8, 992, 2, 2}, true, false},     // 255 + 8 units are the 2 blocks
    {{-9, 991, 3, 3}, true, false},     // 256 + 8 units need a third
    {{-1000, 500, 10, 6}, true, false}, // to spare on the near sides only
    {{0, 1000, 3, 2}, true, true},
    {{0, 1000, 2, 3}, true, true},
    {{-1000, 500, 11, 6}, true, true},
    {{0, 0, 512, 512}, true, true},
    {{1, 1000, 2, 2}, false, false},
    {{0, 1001, 2, 2}, false, false},
    {{0, 1000, 1, 2}, false, false},
    {{0, 1000, 2, 1}, false, false},
    {{-9, 1000, 2, 2}, false, false},
    {{0, 1000, 513, 2}, false, false}, // no 16-bit coordinates fill it
    {{0, 1000, 2, 513}, false, false},
    {{0, 0, 65535, 65535}, false, false},
    {{0, 0, 0, 0}, false, false}, // there is none
};

static const struct lines presents_lines = {
    .min_x = 0, .min_y = 1000, .max_x = 247, .max_y = 1247};

// Chooses for these lines, and counts messages anew.
static void assert_kept(enum grid_placement placement,
                        const struct grid *present, bool kept,
                        size_t message_count)
{
    test_host.message_count = 0;
    struct grid grid = choose(placement, &presents_lines, present,
                              kept ? GRID_KEEP : GRID_FIT);
    assert_grid(&grid, kept ? *present : (struct grid){0, 1000, 2, 2});
    ck_assert_uint_eq(test_host.message_count, message_count);
    if (message_count > 0) {
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
        assert_tells(test_host.message, "MAP01", "BLOCKMAP");
    }
}

LOOP_TEST(grids_are_kept_that_enclose, COUNT(presents))
{
    const struct grid *present =
        presents[_i].present.columns ? &presents[_i].present : NULL;
    bool encloses = presents[_i].encloses;
    assert_kept(GRID_AUTO, present, encloses && !presents[_i].has_spare, 0);
    assert_kept(GRID_KEEP, present, encloses, encloses ? 0 : 1);
}

// A margin of 8 units may call for one column and one row that no line
// reaches.
TEST(auto_keeps_the_column_of_a_margin)
{
    static const struct {
        int32_t max_x, max_y;
        struct grid present;
        enum grid_placement expected;
    } margins[] = {{248, 248, {0, 0, 3, 3}, GRID_KEEP},
                   {247, 248, {0, 0, 3, 3}, GRID_FIT},
                   {248, 247, {0, 0, 3, 3}, GRID_FIT},
                   {248, 248, {0, 0, 4, 3}, GRID_FIT},
                   {248, 248, {0, 0, 3, 4}, GRID_FIT}};
    for (size_t m = 0; m < COUNT(margins); m++) {
        struct lines lines = spanning(0, 0, margins[m].max_x, margins[m].max_y);
        choose(GRID_AUTO, &lines, &margins[m].present, margins[m].expected);
    }
}

// --- at ---

// Lines that span -20,30 to 235,100, and the widest and tallest ones.
static const struct lines usual = {
    .min_x = -20, .min_y = 30, .max_x = 235, .max_y = 100};
static const struct lines wide = {.max_x = 32767};
static const struct lines tall = {.max_y = 32767};

static const struct {
    const struct lines *lines;
    int32_t x, y;
    uint32_t columns, rows; // 0: it is refused
    const char *facts[4];   // with these
} placed[] = {
    {&usual, -20, 30, 2, 1, {NULL}},
    {&usual, -21, -29, 3, 2, {NULL}},
    {&usual, -32768, -32768, 258, 257, {NULL}},
    {&wide, -32768, 0, 512, 1, {NULL}},
    {&tall, 0, -32768, 1, 512, {NULL}},
    // Lines would be outside.
    {&usual, -19, 30, 0, 0, {"-19,30", "-20,30"}},
    {&usual, -20, 31, 0, 0, {"-20,31", "-20,30"}},
};

LOOP_TEST(at_begins_where_it_is_told_or_refuses, COUNT(placed))
{
    static const struct grid present = {-32768, -32768, 512, 512};
    struct grid grid = {placed[_i].x, placed[_i].y, 0, 0};
    enum grid_placement taken = GRID_AT;
    nbstage_status status =
        grid_choose(&test_context, placed[_i].lines, &present, &taken, &grid);
    if (placed[_i].columns > 0) {
        ck_assert_int_eq(status, NBSTAGE_OK);
        ck_assert_int_eq(taken, GRID_AT);
        assert_grid(&grid, (struct grid){placed[_i].x, placed[_i].y,
                                         placed[_i].columns, placed[_i].rows});
    } else {
        ck_assert_int_eq(status, NBSTAGE_BAD_MAP);
        assert_tells(test_context.message, "MAP01");
        assert_tells_all(test_context.message, placed[_i].facts);
    }
}
