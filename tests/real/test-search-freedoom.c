// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom that grid=search pays, never costs, and
// changes nothing but the grid: lists stay exact, and the number of threads
// does not matter.  On every sixteenth map, or on all of them with --all, its
// answer is held against lumps built on all 16,384 grids.  For packings that
// are not measured exactly, it is so on a map of each file, or on every ninth
// with --all: no grid may be better by more than 0.1 percent.

#include "counted-memory.h"
#include "doom-map.h"
#include "freedoom.h"
#include "oracle.h"
#include "placements.h"
#include "run-suite.h"
#include "slowness.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EACH = 16 * SLOWNESS, // one of so many maps is searched plainly
    EACH_PACKED = 36,     // and with packings that scores only rank
    EACH_PACKED_OF_ALL = 9,

    // Of the release of freedoom2.wad for which a total is promised.
    KNOWN_FILE = 1,
    KNOWN_SIZE = 28544136, // bytes
    PROMISED_BYTES = 410668,
};

// Packings that scores only rank, and what the search promises for them on the
// known file.
static const struct {
    const char *options;
    struct pack_form pack;
    size_t promised_bytes;
} packings[] = {
    {"pack=nest header=zero", {PACK_NEST, HEADER_ZERO}, 394862},
    {"pack=nest header=none", {PACK_NEST, HEADER_NONE}, 357472},
    {"pack=cover header=none", {PACK_COVER, HEADER_NONE}, 357168},
};

static size_t each = EACH;
static size_t each_packed = EACH_PACKED;

static const char *const thread_options[] = {
    "grid=search threads=1",
    "grid=search threads=2",
    "grid=search threads=3",
    "grid=search threads=8",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct plugin_lump build(const struct lump_set *set, const char *options)
{
    struct nbstage_map map = lump_set_map(set);
    return plugin_build(&map, options);
}

// ---------------------------------------------------------------------------
// The lump

// The largest of the offsets that stand in a classic lump.
static int64_t read_largest_offset(const struct plugin_lump *lump,
                                   const struct oracle_grid *grid)
{
    const unsigned char *word = lump->bytes + 8;
    int64_t largest = 0;
    for (uint32_t b = 0; b < grid->columns * grid->rows; b++, word += 2) {
        int64_t offset = word[0] + 256 * word[1];
        largest = offset > largest ? offset : largest;
    }
    return largest;
}

// That the facts tell what is in the lump.
static void check_entries(const char *name, const struct plugin_lump *lump)
{
    struct oracle_grid grid;
    ck_assert(oracle_read_grid(lump->bytes, lump->size, &grid));
    const struct {
        const char *fact;
        int64_t value;
    } expected[] = {
        {"origin_x", grid.origin_x},
        {"origin_y", grid.origin_y},
        {"columns", grid.columns},
        {"rows", grid.rows},
        {"words", (int64_t)lump->size / 2},
        {"largest_offset", read_largest_offset(lump, &grid)},
        {"placements", 16384},
    };
    for (size_t i = 0; i < COUNT(expected); i++)
        ck_assert_msg(plugin_number(lump, expected[i].fact) ==
                          expected[i].value,
                      "%s: told of %s %" PRId64 "; it is %" PRId64, name,
                      expected[i].fact, plugin_number(lump, expected[i].fact),
                      expected[i].value);
    const struct nbstage_fact *placement =
        plugin_find_fact(&lump->result, "grid");
    ck_assert_str_eq(placement->text, "search");
}

static struct oracle_line *make_segments(const struct doom_map *map)
{
    struct oracle_line *segments = calloc(map->linedef_count, sizeof *segments);
    ck_assert_ptr_nonnull(segments);
    for (size_t i = 0; i < map->linedef_count; i++) {
        struct nbstage_vertex start = map->vertices[map->linedefs[i].v1];
        struct nbstage_vertex end = map->vertices[map->linedefs[i].v2];
        segments[i] = (struct oracle_line){start.x, start.y, end.x, end.y};
    }
    return segments;
}

// That each block has the lines that touch it.
static void check_lists(const struct doom_map *map,
                        const struct plugin_lump *lump)
{
    struct oracle_line *segments = make_segments(map);
    struct oracle_report report = {.file = stderr, .map = map->name};
    struct oracle_grid grid;
    ck_assert(oracle_read_grid(lump->bytes, lump->size, &grid));
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, segments, map->linedef_count);
    struct oracle_entry_list found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    oracle_compare(&grid, &truth, &found, &report);
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    free(segments);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above",
                  map->name, report.fault_count);
}

START_TEST(lumps_are_exact_and_their_facts_right)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m += SLOWNESS) {
        struct doom_map map = doom_map_decode(&wad.maps[m]);
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct plugin_lump lump = build(&set, "grid=search");
        check_entries(map.name, &lump);
        check_lists(&map, &lump);
        plugin_free(&lump);
        lump_set_free(&set);
        doom_map_free(&map);
    }
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Its size

static size_t size_with(const struct lump_set *set, const char *options)
{
    struct plugin_lump lump = build(set, options);
    size_t size = lump.size;
    plugin_free(&lump);
    return size;
}

START_TEST(lumps_are_never_larger_than_without_a_search)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t total = 0;
    for (size_t m = 0; m < wad.map_count; m += SLOWNESS) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        size_t size = size_with(&set, "grid=search");
        ck_assert_uint_gt(size, 0);
        ck_assert_uint_le(size, size_with(&set, ""));
        ck_assert_uint_le(size, size_with(&set, "grid=fit"));
        total += size;
        lump_set_free(&set);
    }
    printf("%s: %zu bytes\n", freedoom_name((size_t)_i), total);
    if (SLOWNESS == 1 && _i == KNOWN_FILE && wad.size == KNOWN_SIZE)
        ck_assert_uint_le(total, PROMISED_BYTES);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Threads

START_TEST(lumps_are_the_same_bytes_for_all_numbers_of_threads)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m += SLOWNESS) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct plugin_lump lump = build(&set, "grid=search");
        for (size_t t = 0; t < COUNT(thread_options); t++) {
            struct plugin_lump other = build(&set, thread_options[t]);
            ck_assert_msg(lump.size == other.size &&
                              memcmp(lump.bytes, other.bytes, lump.size) == 0,
                          "%s: %s gives other bytes", set.map_name,
                          thread_options[t]);
            plugin_free(&other);
        }
        plugin_free(&lump);
        lump_set_free(&set);
    }
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// The plain way

static struct placement search_plainly(const struct doom_map *doom,
                                       struct pack_form pack)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct nbstage_line *map_lines = doom_map_to_lines(doom);
    struct nbstage_map map =
        plugin_map_from_arrays(doom->name, doom->vertices, doom->vertex_count,
                               map_lines, doom->linedef_count);
    struct lines lines = placements_lines(&context, &map, false);
    struct placement found =
        placements_search(&context, &lines, LIMIT_NONE, pack);
    lines_free(&context, &lines);
    free(map_lines);
    return found;
}

START_TEST(answers_are_those_of_building_on_all_grids)
{
    const struct pack_form share = {PACK_SHARE, HEADER_ZERO};
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t map_count = 0;
    for (size_t m = 0; m < wad.map_count; m += each, map_count++) {
        struct doom_map map = doom_map_decode(&wad.maps[m]);
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct placement expected = search_plainly(&map, share);
        struct plugin_lump lump = build(&set, "grid=search");
        ck_assert_int_eq(plugin_number(&lump, "origin_x"),
                         expected.grid.origin_x);
        ck_assert_int_eq(plugin_number(&lump, "origin_y"),
                         expected.grid.origin_y);
        ck_assert_int_eq(plugin_number(&lump, "words"),
                         (int64_t)expected.measure.word_count);
        plugin_free(&lump);
        lump_set_free(&set);
        doom_map_free(&map);
    }
    printf("%s: %zu of %zu maps built on all grids\n",
           freedoom_name((size_t)_i), map_count, wad.map_count);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Packings that scores only rank

static struct plugin_lump search_packed(const struct lump_set *set, int packing,
                                        const char *threads)
{
    char options[96];
    snprintf(options, sizeof options, "grid=search %s %s",
             packings[packing].options, threads);
    return build(set, options);
}

START_TEST(packed_lumps_are_as_small_as_promised)
{
    struct wadfile wad = freedoom_read(KNOWN_FILE);
    size_t total = 0;
    for (size_t m = 0; m < wad.map_count; m += SLOWNESS) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct plugin_lump lump = search_packed(&set, _i, "threads=0");
        if (m % 8 == 0) {
            struct plugin_lump other = search_packed(&set, _i, "threads=1");
            ck_assert_uint_eq(lump.size, other.size);
            ck_assert_mem_eq(lump.bytes, other.bytes, lump.size);
            plugin_free(&other);
        }
        total += lump.size;
        plugin_free(&lump);
        lump_set_free(&set);
    }
    printf("%s, %s: %zu bytes\n", freedoom_name(KNOWN_FILE),
           packings[_i].options, total);
    if (SLOWNESS == 1 && wad.size == KNOWN_SIZE)
        ck_assert_uint_le(total, packings[_i].promised_bytes);
    wadfile_free(&wad);
}
END_TEST

static void check_packed(const struct wadfile_map *map, int packing)
{
    struct doom_map doom = doom_map_decode(map);
    struct lump_set set = lump_set_from_wad(map);
    struct placement best = search_plainly(&doom, packings[packing].pack);
    struct plugin_lump lump = search_packed(&set, packing, "");
    uint64_t words = (uint64_t)plugin_number(&lump, "words");
    ck_assert_uint_ge(words, best.measure.word_count);
    ck_assert_msg(words * 1000 <= best.measure.word_count * 1001,
                  "%s, %s: %" PRIu64 " words; the best grid has %" PRIu64,
                  doom.name, packings[packing].options, words,
                  best.measure.word_count);
    printf("%s, %s: %" PRIu64 " words more than the best of %" PRIu64 "\n",
           doom.name, packings[packing].options,
           words - best.measure.word_count, best.measure.word_count);
    plugin_free(&lump);
    lump_set_free(&set);
    doom_map_free(&doom);
}

START_TEST(no_grid_is_better_by_a_thousandth)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count && SLOWNESS == 1; m += each_packed)
        for (int packing = 0; packing < (int)COUNT(packings); packing++)
            check_packed(&wad.maps[m], packing);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("search");
    TCase *maps = tcase_create("Freedoom");
    tcase_set_timeout(maps, 1800);
    tcase_add_loop_test(maps, lumps_are_exact_and_their_facts_right, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps, lumps_are_never_larger_than_without_a_search, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps,
                        lumps_are_the_same_bytes_for_all_numbers_of_threads, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps, answers_are_those_of_building_on_all_grids, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps, packed_lumps_are_as_small_as_promised, 0,
                        COUNT(packings));
    tcase_add_loop_test(maps, no_grid_is_better_by_a_thousandth, 0,
                        FREEDOOM_FILES);
    suite_add_tcase(suite, maps);
    return suite;
}

int main(int argument_count, char **arguments)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    if (argument_count > 1 && strcmp(arguments[1], "--all") == 0) {
        each = 1;
        each_packed = EACH_PACKED_OF_ALL;
    }
    return run_suite(make_suite());
}
