// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that entries are found exactly, in linedef order, whatever the number
// of lines: of random lines around the corners of blocks, and of long ones to
// the ends of the coordinates, an oracle that tries blocks one by one finds the
// same.  test-geometry does so for maps, and with fractions.

#include "context-for-tests.h"
#include "lines/entries.h"
#include "oracle.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdlib.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

// ---------------------------------------------------------------------------
// Lines

static void allocate(size_t count, size_t size, void *array)
{
    ck_assert_int_eq(context_allocate(&test_context, count, size, array),
                     NBSTAGE_OK);
}

// Lines in memory of the test's context; what they span is not told.
static struct lines make_lines(const struct oracle_line *line, size_t count,
                               bool is_whole)
{
    struct lines lines = {.count = count, .is_whole = is_whole};
    if (!is_whole) {
        allocate(count, sizeof *lines.fixed, &lines.fixed);
        for (size_t i = 0; i < count; i++)
            lines.fixed[i] = (struct fixed_line){line[i].x1, line[i].y1,
                                                 line[i].x2, line[i].y2};
        return lines;
    }
    allocate(2 * count, sizeof *lines.whole.start, &lines.whole.start);
    lines.whole.end = lines.whole.start + count;
    for (size_t i = 0; i < count; i++) {
        lines.whole.start[i] =
            (uint32_t)line[i].x1 >> 16 | ((uint32_t)line[i].y1 & 0xFFFF0000);
        lines.whole.end[i] =
            (uint32_t)line[i].x2 >> 16 | ((uint32_t)line[i].y2 & 0xFFFF0000);
    }
    return lines;
}

static struct oracle_line line_between(int32_t x1, int32_t y1, int32_t x2,
                                       int32_t y2)
{
    return (struct oracle_line){x1 * UNIT, y1 * UNIT, x2 * UNIT, y2 * UNIT};
}

static struct oracle_line *allocate_lines(size_t count)
{
    struct oracle_line *line = calloc(count, sizeof *line);
    ck_assert_ptr_nonnull(line);
    return line;
}

// ---------------------------------------------------------------------------
// Entries

static struct entries find(const struct lines *lines, const struct grid *grid)
{
    struct entries entries;
    ck_assert_int_eq(entries_find(&test_context, lines, grid, &entries),
                     NBSTAGE_OK);
    return entries;
}

// Checks that entries are in linedef order and groups are where they belong.
static void assert_order(const struct entries *entries, size_t line_count)
{
    ck_assert_uint_eq(entries->line_count, line_count);
    ck_assert_uint_eq(entries->group_count, (line_count + 255) / 256);
    size_t begin = 0;
    for (size_t g = 0; g < entries->group_count; g++) {
        size_t end = entries->group_end[g];
        bool in_order = begin <= end && end <= entries->count;
        for (size_t t = begin + 1; t < end && in_order; t++)
            in_order = entry_line_in_group(entries->entry[t - 1]) <=
                       entry_line_in_group(entries->entry[t]);
        ck_assert_msg(in_order, "group %zu is not in linedef order", g);
        begin = end;
    }
    ck_assert_uint_eq(begin, entries->count);
}

static struct oracle_entry_list list_entries(const struct entries *entries)
{
    struct oracle_entry_list list = {0};
    uint32_t group = 0;
    for (size_t t = 0; t < entries->count; t++) {
        uint32_t entry = entries->entry[t];
        while (t == entries->group_end[group])
            group++;
        oracle_add_entry(&list, entry_block(entry),
                         group * 256 + entry_line_in_group(entry));
    }
    oracle_sort_entries(&list);
    return list;
}

// Holds what is found of lines, in both of their forms, against the oracle;
// `map` is for messages.  Returns how many entries there are.
static size_t assert_truth(const struct oracle_line *line, size_t count,
                           const struct grid *grid, const char *map)
{
    const struct oracle_grid blocks = {grid->origin_x, grid->origin_y,
                                       grid->columns, grid->rows};
    struct oracle_entry_list truth = oracle_find_entries(&blocks, line, count);
    const size_t truth_count = truth.count;
    for (int is_whole = 0; is_whole <= 1; is_whole++) {
        struct lines lines = make_lines(line, count, is_whole);
        struct entries entries = find(&lines, grid);
        assert_order(&entries, count);
        struct oracle_entry_list found = list_entries(&entries);
        oracle_compare(map, &truth, &found);
        oracle_free_entries(&found);
        entries_free(&test_context, &entries);
        lines_free(&test_context, &lines);
    }
    oracle_free_entries(&truth);
    return truth_count;
}

// ---------------------------------------------------------------------------
// At random

static const struct grid grids[] = {
    {0, 0, 8, 8},          {-77, 13, 512, 200},    {-32768, -32768, 512, 512},
    {-32768, 100, 1, 250}, {-500, -32768, 512, 1}, {32700, 32512, 1, 2},
};

static int32_t held_to(int64_t value, int32_t origin, uint32_t blocks)
{
    int64_t high = origin + (int64_t)blocks * BLOCK_SIZE - 1;
    high = high < INT16_MAX ? high : INT16_MAX;
    return (int32_t)(value < origin ? origin : value > high ? high : value);
}

// A random number from -most to most.
static int32_t random_around_0(struct random_stream *stream, int32_t most)
{
    return (int32_t)random_below(stream, 2 * (uint32_t)most + 1) - most;
}

// A line from one side of a block's corner to the other, exactly through it
// or up to a unit beside it at either end; held to what is in the grid.
static struct oracle_line line_around_corner(struct random_stream *stream,
                                             const struct grid *grid)
{
    uint32_t column = random_below(stream, grid->columns + 1);
    uint32_t row = random_below(stream, grid->rows + 1);
    int32_t most = random_below(stream, 2) ? 5 : 20;
    int32_t x = random_around_0(stream, most);
    int32_t y = random_around_0(stream, most);
    int32_t before = (int32_t)random_below(stream, 6);
    int32_t behind = (int32_t)random_below(stream, 6);
    int64_t corner[4] = {
        grid->origin_x + (int64_t)column * BLOCK_SIZE - before * x,
        grid->origin_y + (int64_t)row * BLOCK_SIZE - before * y,
        grid->origin_x + (int64_t)column * BLOCK_SIZE + behind * x,
        grid->origin_y + (int64_t)row * BLOCK_SIZE + behind * y,
    };
    bool beside = random_below(stream, 2);
    for (size_t i = 0; i < COUNT(corner) && beside; i++)
        corner[i] += random_around_0(stream, 1);
    return line_between(held_to(corner[0], grid->origin_x, grid->columns),
                        held_to(corner[1], grid->origin_y, grid->rows),
                        held_to(corner[2], grid->origin_x, grid->columns),
                        held_to(corner[3], grid->origin_y, grid->rows));
}

START_TEST(lines_around_corners_are_exact)
{
    // Groups are full or not.
    static const size_t counts[] = {1, 2, 255, 256, 257, 511, 512, 513, 70000};
    struct random_stream stream = {(uint64_t)_i};
    for (size_t c = 0; c < COUNT(counts); c++) {
        struct oracle_line *line = allocate_lines(counts[c]);
        for (size_t i = 0; i < counts[c]; i++)
            line[i] = line_around_corner(&stream, &grids[_i]);
        assert_truth(line, counts[c], &grids[_i], "corners");
        free(line);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Room

static const struct grid vast = {-32768, -32768, 512, 512};

static int32_t random_coordinate(struct random_stream *stream)
{
    return (int32_t)random_below(stream, 65536) - 32768;
}

// Lines from anywhere to anywhere, most of which touch hundreds of blocks.
static struct oracle_line *make_long_lines(size_t count)
{
    struct random_stream stream = {count};
    struct oracle_line *line = allocate_lines(count);
    for (size_t i = 0; i < count; i++) {
        int32_t end[4];
        for (size_t j = 0; j < COUNT(end); j++)
            end[j] = random_coordinate(&stream);
        line[i] = line_between(end[0], end[1], end[2], end[3]);
    }
    return line;
}

START_TEST(long_lines_get_the_room_they_need)
{
    enum { LINES = 1000 };
    struct oracle_line *line = make_long_lines(LINES);
    ck_assert_uint_gt(assert_truth(line, LINES, &vast, "long lines"),
                      100 * LINES);
    free(line);
}
END_TEST

// A group whose entries end around where room for a group does; tools that
// watch memory notice what is written beyond.
START_TEST(room_ends_at_every_place)
{
    enum { LINES = 256, ROOM = LINES + LINES / 2 + LINES * 4, AROUND = 12 };
    for (int32_t count = ROOM - AROUND; count <= ROOM + AROUND; count++) {
        struct oracle_line line[LINES];
        int32_t others = 4 * (LINES - 2) + 1;
        int32_t longest = (count - others) * BLOCK_SIZE - 1;
        line[0] = line_between(-32768, 0, -32768 + longest, 0);
        for (size_t i = 1; i < LINES - 1; i++)
            line[i] = line_between(0, 0, 4 * BLOCK_SIZE - 1, 0);
        line[LINES - 1] = line_between(0, 0, 0, 0);
        for (int is_whole = 0; is_whole <= 1; is_whole++) {
            struct lines lines = make_lines(line, LINES, is_whole);
            struct entries entries = find(&lines, &vast);
            ck_assert_uint_eq(entries.count, (size_t)count);
            entries_free(&test_context, &entries);
            lines_free(&test_context, &lines);
        }
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Progress

// Of 2,200,000 entries, twice 2^20 and the end are reported.
START_TEST(progress_is_reported_and_can_cancel)
{
    enum { LINES = 2200000, EACH = 1 << 20, REPORTS = 3 };
    struct oracle_line *line = allocate_lines(LINES); // all of them at 0,0
    const struct grid grid = {0, 0, 1, 1};
    struct lines lines = make_lines(line, LINES, _i);
    struct entries entries = find(&lines, &grid);
    entries_free(&test_context, &entries);
    ck_assert_uint_eq(test_host.progress_count, REPORTS);
    ck_assert_uint_eq(test_host.done, LINES);
    ck_assert_uint_eq(test_host.total, LINES);
    for (size_t n = 1; n <= REPORTS; n++) {
        test_host.progress_count = 0;
        test_host.cancelled_report = n;
        ck_assert_int_eq(entries_find(&test_context, &lines, &grid, &entries),
                         NBSTAGE_CANCELLED);
        ck_assert_uint_eq(test_host.progress_count, n);
        ck_assert_uint_eq(test_host.done, n < REPORTS ? n * EACH : LINES);
    }
    lines_free(&test_context, &lines);
    free(line);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("entries");
    tcase_add_loop_test(tests, lines_around_corners_are_exact, 0, COUNT(grids));
    tcase_add_test(tests, long_lines_get_the_room_they_need);
    tcase_add_test(tests, room_ends_at_every_place);
    tcase_add_loop_test(tests, progress_is_reported_and_can_cancel, 0, 2);
    return run_tests(tests);
}
