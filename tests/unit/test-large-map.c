// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map of 1,000,000 lines that fills all the space there is comes
// out as an XBM1 lump, the same from text and from arrays, with the lists that
// the oracle finds; and that threads change no large map, nor what is said of
// one.
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
    UNIT = 1 << 16, // a map unit in 16.16
    LINES = 1000000,
    VERTICES = 2 * LINES,
    EIGHTH = UNIT / 8, // which coordinates are multiples of
    ANYWHERE = 1000,   // every so many lines, one that is not short
};

// A coordinate made twice as large and moved to the ends of the space: near
// that, at an edge of its block, or an eighth of a map unit beside the edge.
static int32_t random_coordinate(struct random_stream *stream, int32_t half)
{
    const int32_t place = (int32_t)(2 * (int64_t)half + INT32_MIN);
    const int32_t edge = place & -(128 * UNIT);
    switch (random_below(stream, 4)) {
    case 0:
        return edge;
    case 1:
        return edge > INT32_MIN ? edge - EIGHTH : edge;
    default:
        return place + (int32_t)random_below(stream, 16) * EIGHTH;
    }
}

// Short lines in all of the space, with some that go anywhere, and one from
// one end to the other.
static struct random_map make_large_map(uint64_t seed)
{
    const struct scatter scatter = {seed, LINES, 32767, 50};
    struct random_stream stream = {seed};
    struct random_map map = scattered_map_make(&scatter);
    for (size_t v = 0; v < VERTICES; v++) {
        struct nbstage_vertex *vertex = &map.vertices[v];
        vertex->x = random_coordinate(&stream, vertex->x);
        vertex->y = random_coordinate(&stream, vertex->y);
    }
    for (size_t i = 0; i < LINES; i += ANYWHERE)
        map.lines[i].v2 = random_below(&stream, VERTICES);
    map.vertices[0] = (struct nbstage_vertex){INT32_MIN, INT32_MIN};
    map.vertices[1] =
        (struct nbstage_vertex){INT32_MAX - EIGHTH + 1, INT32_MAX - EIGHTH + 1};
    map.lines[0].v2 = 1;
    return map;
}

// Three decimals are exact.
static struct buffer make_text(const struct random_map *map)
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
static void check_lists(const struct nbstage_map *map,
                        const struct plugin_lump *lump)
{
    static const struct oracle_grid whole = {INT16_MIN, INT16_MIN, 512, 512};
    struct oracle_line *lines = plugin_oracle_lines(map);
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

TEST(a_million_lines_come_out_exact)
{
    struct random_map large = make_large_map(choose_seed());
    struct buffer text = make_text(&large);
    struct nbstage_lump lump = {.size = sizeof lump,
                                .name = "TEXTMAP",
                                .data = text.bytes,
                                .data_size = text.size};
    struct nbstage_map map = nbstage_map_from_lumps("LARGE", &lump, 1);
    struct nbstage_map arrays = random_map_arrays(&large, "LARGE");
    struct plugin_lump built = plugin_build(&map, "format=xbm1");
    struct plugin_lump again = plugin_build(&arrays, "overflow=xbm1");
    plugin_check_same("text and arrays", &again, &built);
    plugin_free(&again);
    check_lists(&arrays, &built);
    plugin_free(&built);
    buffer_free(&text);
    random_map_free(&large);
}

static const struct {
    uint32_t length; // of lines, map units
    int32_t fraction;
    bool is_damaged;
    const char *options;
} variations[] = {
    {100, 0, false, "format=xbm1"},
    {100, EIGHTH, false, "format=xbm1"},
    {5000, 0, false, "format=xbm1"}, // with many entries
    {100, 0, false, "format=xbm1 max-entries=300000"},
    {100, 0, true, "format=xbm1"}, // in more than one part
};

// Builds with threads and compares that with a build with one.
static void check_threads(const struct nbstage_map *map, const char *options,
                          const char *threads)
{
    char more[128], expected_sentence[512];
    const char *sentence;
    snprintf(more, sizeof more, "%s %s", options, threads);
    nbstage_status expected = plugin_try(map, options, &sentence);
    snprintf(expected_sentence, sizeof expected_sentence, "%s", sentence);
    ck_assert_int_eq(plugin_try(map, more, &sentence), expected);
    ck_assert_str_eq(sentence, expected_sentence);
    if (expected != NBSTAGE_OK)
        return;
    struct plugin_lump one = plugin_build(map, options);
    struct plugin_lump several = plugin_build(map, more);
    ck_assert_uint_gt(one.size, 0);
    plugin_check_same(more, &several, &one);
    plugin_free(&one);
    plugin_free(&several);
}

// At each report of progress until there is none.
static void check_cancelled(const struct nbstage_map *map)
{
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, "format=xbm1 threads=3");
    struct nbstage_result result = {.size = sizeof result};
    for (size_t n = 1;; n++) {
        test_host.progress_count = 0;
        test_host.cancelled_report = n;
        if (plugin_stage()->build(instance, map, &result) == NBSTAGE_OK)
            break;
        ck_assert_uint_eq(test_host.progress_count, n);
        ck_assert_str_eq(plugin_stage()->last_error(instance),
                         "LARGE: cancelled by the host");
    }
    ck_assert_uint_ge(test_host.progress_count, 3);
    plugin_stage()->destroy(instance);
}

LOOP_TEST(threads_change_nothing, COUNT(variations))
{
    const struct scatter scatter = {choose_seed(), 200000, 20000,
                                    variations[_i].length};
    struct random_map random = scattered_map_make(&scatter);
    struct nbstage_map map = random_map_arrays(&random, "LARGE");
    random.vertices[1].x += variations[_i].fraction;
    if (variations[_i].is_damaged)
        random.lines[150000].v1 = random.lines[60000].v2 = UINT32_MAX;
    check_threads(&map, variations[_i].options, "threads=2");
    check_threads(&map, variations[_i].options, "threads=3");
    check_threads(&map, variations[_i].options, "threads=128");
    if (_i == 0)
        check_cancelled(&map);
    random_map_free(&random);
}

int main(void)
{
    return run_tests(all_tests());
}
