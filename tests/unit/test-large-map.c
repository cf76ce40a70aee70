// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map of 1,000,000 lines that fills all the space there is comes
// out as an XBM1 lump, the same from text and from arrays, with the lists that
// the oracle finds.
//
// The seed is printed; SEED=number in the environment repeats a run.

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,  // a map unit in 16.16
    LOWEST = -32768, // coordinates, map units
    HIGHEST = 32767,
};

// ---------------------------------------------------------------------------
// The map: a walk of short lines, with some that go anywhere

enum {
    LINES = 1000000,
    VERTICES = LINES + 1,
    EIGHTH = UNIT / 8, // which coordinates are multiples of
    STEP = 100,        // of the walk, map units
    ANYWHERE = 1000,   // every so many lines
};

struct large_map {
    struct nbstage_vertex *vertices;
    struct nbstage_line *lines;
};

// A coordinate near another or anywhere: in a block, on its edge, or an eighth
// of a map unit beside that.
static int32_t random_coordinate(struct random_stream *stream, int32_t near,
                                 bool anywhere)
{
    const int64_t low = (int64_t)LOWEST * UNIT;
    const int64_t high = (int64_t)HIGHEST * UNIT + 7 * EIGHTH;
    int64_t place = (int64_t)random_below(stream, 65536 * 8) * EIGHTH + low;
    if (!anywhere)
        place = near + (place - low) % (2 * STEP * UNIT) - STEP * UNIT;
    place = place < low ? low : place > high ? high : place;
    uint32_t kind = random_below(stream, 4);
    if (kind < 2)
        place -= (place - low) % (128 * UNIT);
    return (int32_t)(kind == 1 && place > low ? place - EIGHTH : place);
}

static struct large_map make_large_map(uint64_t seed)
{
    struct random_stream stream = {seed};
    struct large_map map = {calloc(VERTICES, sizeof *map.vertices),
                            calloc(LINES, sizeof *map.lines)};
    ck_assert(map.vertices && map.lines);
    struct nbstage_vertex last = {LOWEST * UNIT, LOWEST * UNIT};
    map.vertices[0] = last;
    map.vertices[1] = (struct nbstage_vertex){HIGHEST * UNIT + 7 * EIGHTH,
                                              HIGHEST * UNIT + 7 * EIGHTH};
    for (uint32_t i = 2; i < VERTICES; i++) {
        bool anywhere = i % ANYWHERE == 0;
        last.x = random_coordinate(&stream, last.x, anywhere);
        last.y = random_coordinate(&stream, last.y, anywhere);
        map.vertices[i] = last;
    }
    for (uint32_t i = 0; i < LINES; i++)
        map.lines[i] = (struct nbstage_line){.v1 = i,
                                             .v2 = i + 1,
                                             .front_sector = NBSTAGE_NONE,
                                             .back_sector = NBSTAGE_NONE};
    // Numbers have no order in space.
    for (uint32_t i = LINES; i > 1; i--) {
        uint32_t other = random_below(&stream, i);
        struct nbstage_line line = map.lines[i - 1];
        map.lines[i - 1] = map.lines[other];
        map.lines[other] = line;
    }
    return map;
}

// Three decimals are exact.
static struct buffer make_text(const struct large_map *map)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"zdoom\";\n");
    for (size_t i = 0; i < VERTICES; i++)
        buffer_print(&text, "vertex // %zu\n{\nx = %.3f;\ny = %.3f;\n}\n\n", i,
                     map->vertices[i].x / (double)UNIT,
                     map->vertices[i].y / (double)UNIT);
    for (size_t i = 0; i < LINES; i++)
        buffer_print(&text,
                     "linedef // %zu\n{\nv1 = %" PRIu32 ";\nv2 = %" PRIu32
                     ";\nsidefront = %zu;\nblocking = true;\n}\n\n",
                     i, map->lines[i].v1, map->lines[i].v2, i);
    return text;
}

// ---------------------------------------------------------------------------
// The lump

// Lists have linedefs in ascending order after their header.
static void check_order(const struct blocklists *lists)
{
    for (size_t w = lists->first_word + 1; w < lists->word_count; w++)
        if (!lists->begins[w] && !lists->begins[w - 1])
            ck_assert_uint_lt(lists->words[w - 1], lists->words[w]);
}

// Compares every list with the oracle's, on the largest grid there is.
static void check_lists(const struct large_map *map,
                        const struct plugin_lump *lump)
{
    static const struct oracle_grid whole = {LOWEST, LOWEST, 512, 512};
    const struct nbstage_map arrays = plugin_map_from_arrays(
        "large", map->vertices, VERTICES, map->lines, LINES);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    ck_assert_mem_eq(lump->bytes, "XBM1\0\0\0\0", 8);
    ck_assert_mem_eq(&lists.grid, &whole, sizeof whole);
    blocklists_check(&lists, LISTS_ZERO);
    check_order(&lists);
    struct oracle_entry_list truth = oracle_find_entries(&whole, lines, LINES);
    struct oracle_entry_list found = blocklists_entries(&lists, LISTS_ZERO);
    oracle_compare("large", &truth, &found);
    printf("%d linedefs, %zu entries, %zu bytes of XBM1\n", LINES, truth.count,
           lump->size);
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    blocklists_free(&lists);
    free(lines);
}

START_TEST(a_million_lines_come_out_exact)
{
    struct large_map large = make_large_map(choose_seed());
    struct buffer text = make_text(&large);
    struct nbstage_lump lump = {.size = sizeof lump,
                                .name = "TEXTMAP",
                                .data = text.bytes,
                                .data_size = text.size};
    struct nbstage_map map = nbstage_map_from_lumps("LARGE", &lump, 1);
    struct nbstage_map arrays = plugin_map_from_arrays(
        "LARGE", large.vertices, VERTICES, large.lines, LINES);
    struct plugin_lump built = plugin_build(&map, "format=xbm1");
    struct plugin_lump again = plugin_build(&arrays, "overflow=xbm1");
    ck_assert_uint_eq(again.size, built.size);
    ck_assert_mem_eq(again.bytes, built.bytes, built.size);
    plugin_free(&again);
    check_lists(&large, &built);
    plugin_free(&built);
    buffer_free(&text);
    free(large.vertices);
    free(large.lines);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("large map");
    tcase_add_test(tests, a_million_lines_come_out_exact);
    return run_tests(tests);
}
