// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM what test-search and test-pack
// prove on others:
//
// - scores are those of lumps, at placements with all offsets in x and in y;
// - the nesting is as good as the slow reference;
// - grid=search never costs, changes nothing but the grid, and does not depend
//   on threads; on some maps lumps are built on all grids: where scores only
//   rank, none may be better by more than 0.1 percent;
// - four threads, each with an instance of its own, get the bytes of one.
//
// With LONG in the environment, as in `make check-long`, more placements and
// maps are tried.
// Without the files of Freedoom in FREEDOOM_DIR the test is skipped.

#include "config.h"
#include "pack/pack.h"

#include "blocklists.h"
#include "context-for-tests.h"
#include "freedoom.h"
#include "nest-reference.h"
#include "placements.h"

#include <check.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Coprime to the 128 offsets: 269 placements of a map, or 2,341.
    SCORE_STRIDE = SLOWNESS == 1 ? 61 : 61 * SLOWNESS + 1,
    MORE_SCORES_STRIDE = 7, // with LONG, as the next two
    MORE_EXACT_STRIDE = 4,
    MORE_PACKED_STRIDE = 18,
    KNOWN_FILE = 1, // for which totals are promised
};

static bool tries_more; // LONG

// ---------------------------------------------------------------------------
// Scores and nestings

static struct lines gather_lines(const struct doom_map *doom)
{
    struct nbstage_line *lines = doom_map_to_lines(doom);
    struct nbstage_map map =
        plugin_map_from_arrays(doom->name, doom->vertices, doom->vertex_count,
                               lines, doom->linedef_count);
    struct lines gathered = placements_lines(&test_context, &map, false);
    free(lines);
    return gathered;
}

// Returns how many placements were built.
static size_t scores_are_those_of_lumps(const struct freedoom_map *map)
{
    struct lines lines = gather_lines(&map->map);
    size_t count = placements_check_scores(
        &test_context, &lines, tries_more ? MORE_SCORES_STRIDE : SCORE_STRIDE,
        map->map.name);
    lines_free(&test_context, &lines);
    return count;
}

static struct lists make_lists(const struct doom_map *map)
{
    struct context *context = &test_context;
    struct lines lines = gather_lines(map);
    struct grid grid = grid_from(lines.min_x, lines.min_y, &lines);
    struct entries entries;
    struct lists lists;
    ck_assert_int_eq(entries_find(context, &lines, &grid, &entries),
                     NBSTAGE_OK);
    ck_assert_int_eq(lists_build(context, &grid, &entries, &lists), NBSTAGE_OK);
    entries_free(context, &entries);
    lines_free(context, &lines);
    return lists;
}

// Returns how many lists are nested.
static size_t nestings_are_the_best(const struct freedoom_map *map)
{
    struct lists lists = make_lists(&map->map);
    struct nesting nesting;
    ck_assert_int_eq(nest_lists(&test_context, &lists, true, &nesting),
                     NBSTAGE_OK);
    ck_assert(nesting.is_complete);
    nest_reference_check(&lists, &nesting);
    struct nest_gain best = nest_reference_best(&lists);
    ck_assert_uint_eq(nesting.nested_count, best.count);
    ck_assert_uint_eq(nest_gain(&lists, &nesting).words, best.words);
    nesting_free(&test_context, &nesting);
    lists_free(&test_context, &lists);
    return best.count;
}

static const struct freedoom_check checks[] = {
    {"scores are those of lumps", scores_are_those_of_lumps},
    {"nestings are the best", nestings_are_the_best},
};

LOOP_TEST(steps_are_as_promised, COUNT(checks) * FREEDOOM_FILES)
{
    freedoom_run_check(&checks[_i / FREEDOOM_FILES],
                       (size_t)_i % FREEDOOM_FILES, 1);
}

// ---------------------------------------------------------------------------
// Searches

static const struct packing {
    const char *options;
    struct pack_form form;
    // Scores measure lumps, so that the best grid is found.  Those of the
    // others only rank.
    bool is_exact;
    size_t stride;         // maps between those that are searched
    size_t plain_stride;   // maps between those that are searched plainly
    size_t promised_bytes; // in all for the known file
} packings[] = {
    {"pack=share", {PACK_SHARE, HEADER_ZERO}, true, 1, 16, 410668},
    {"pack=nest header=zero", {PACK_NEST, HEADER_ZERO}, false, 1, 36, 394864},
    {"pack=nest header=none", {PACK_NEST, HEADER_NONE}, false, 8, 36, 357472},
    {"pack=cover header=none", {PACK_COVER, HEADER_NONE}, false, 8, 36, 357168},
};

static struct plugin_lump build_packed(const struct freedoom_map *map,
                                       const struct packing *packing,
                                       const char *more)
{
    char options[96];
    snprintf(options, sizeof options, "%s %s", packing->options, more);
    return lump_set_build(&map->set, options);
}

// That the facts tell what is in the lump.
static void check_facts(const struct freedoom_map *map,
                        const struct plugin_lump *lump)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    const struct plugin_fact expected[] = {
        {"origin_x", lists.grid.origin_x},
        {"origin_y", lists.grid.origin_y},
        {"columns", lists.grid.columns},
        {"rows", lists.grid.rows},
        {"words", (int64_t)lists.word_count},
        {"largest_offset", (int64_t)lists.largest_offset},
        {"placements", 16384},
    };
    plugin_check_facts(map->map.name, lump, expected, COUNT(expected));
    ck_assert_str_eq(plugin_find_fact(&lump->result, "grid")->text, "search");
    blocklists_free(&lists);
}

static void check_not_larger(const struct freedoom_map *map,
                             const struct packing *packing,
                             const struct plugin_lump *lump, const char *grid)
{
    struct plugin_lump other = build_packed(map, packing, grid);
    ck_assert_msg(lump->size <= other.size, "%s, %s: %zu bytes; %s has %zu",
                  map->map.name, packing->options, lump->size, grid,
                  other.size);
    plugin_free(&other);
}

static void check_threads(const struct freedoom_map *map,
                          const struct packing *packing,
                          const struct plugin_lump *lump)
{
    static const char *const options[] = {
        "grid=search threads=1",
        "grid=search threads=2",
        "grid=search threads=3",
        "grid=search threads=8",
    };
    size_t number = (size_t)(map - freedoom_maps) / SLOWNESS % COUNT(options);
    struct plugin_lump other = build_packed(map, packing, options[number]);
    ck_assert_msg(lump->size == other.size &&
                      memcmp(lump->bytes, other.bytes, lump->size) == 0,
                  "%s, %s: %s gives other bytes", map->map.name,
                  packing->options, options[number]);
    plugin_free(&other);
}

// Holds a lump against those built on all grids.
static void check_plainly(const struct freedoom_map *map,
                          const struct packing *packing,
                          const struct plugin_lump *lump)
{
    struct lines lines = gather_lines(&map->map);
    struct placement best =
        placements_search(&test_context, &lines, LIMIT_NONE, packing->form);
    uint64_t words = (uint64_t)plugin_number(lump, "words");
    uint64_t most = packing->is_exact ? best.measure.word_count
                                      : best.measure.word_count * 1001 / 1000;
    lines_free(&test_context, &lines);
    printf("%s, %s: %" PRIu64 " words; the best of all grids has %" PRIu64 "\n",
           map->map.name, packing->options, words, best.measure.word_count);
    ck_assert_uint_ge(words, best.measure.word_count);
    ck_assert_uint_le(words, most);
    if (packing->is_exact) {
        ck_assert_int_eq(plugin_number(lump, "origin_x"), best.grid.origin_x);
        ck_assert_int_eq(plugin_number(lump, "origin_y"), best.grid.origin_y);
    }
}

static bool is_plain(const struct packing *packing, size_t number)
{
    size_t stride = packing->plain_stride;
    if (tries_more)
        stride = packing->is_exact ? MORE_EXACT_STRIDE : MORE_PACKED_STRIDE;
    else if (SLOWNESS > 1)
        return packing->is_exact && number == 0;
    return number % stride == 0;
}

// Packings that scores only rank are searched in one file.
static bool is_searched(const struct packing *packing, size_t file,
                        size_t number)
{
    size_t stride = tries_more ? 1 : packing->stride;
    if (!packing->is_exact && file != KNOWN_FILE)
        return is_plain(packing, number);
    return number % (stride * SLOWNESS) == 0;
}

// Returns the size of the lump.
static size_t check_search(const struct freedoom_map *map,
                           const struct packing *packing, size_t number)
{
    struct plugin_lump lump = build_packed(map, packing, "grid=search");
    size_t size = lump.size;
    ck_assert_uint_gt(size, 0);
    check_facts(map, &lump);
    check_not_larger(map, packing, &lump, "grid=fit");
    check_not_larger(map, packing, &lump, "");
    if (packing->is_exact)
        oracle_check_lump(map->map.name, lump.bytes, size, map->lines,
                          map->map.linedef_count, NULL);
    if (packing->is_exact || number % 8 == 0)
        check_threads(map, packing, &lump);
    if (is_plain(packing, number))
        check_plainly(map, packing, &lump);
    plugin_free(&lump);
    return size;
}

LOOP_TEST(searches_are_as_promised, COUNT(packings) * FREEDOOM_FILES)
{
    size_t file = (size_t)_i % FREEDOOM_FILES;
    const struct packing *packing = &packings[(size_t)_i / FREEDOOM_FILES];
    size_t number = 0; // of the map in its file
    size_t total = 0;
    for (size_t m = 0; m < FREEDOOM_MAPS; m++) {
        if (freedoom_maps[m].file != file)
            continue;
        if (is_searched(packing, file, number))
            total += check_search(&freedoom_maps[m], packing, number);
        number++;
    }
    printf("%s, %s: %zu bytes\n", freedoom_name(file), packing->options, total);
    if (SLOWNESS == 1 && file == KNOWN_FILE &&
        (tries_more || packing->stride == 1) && freedoom_is_known(file))
        ck_assert_uint_le(total, packing->promised_bytes);
}

// ---------------------------------------------------------------------------
// A host of four threads

// A thread takes every `step`-th map, round and round, until it has had all of
// them: the steps have no divisor in common with 100.
static const size_t steps[] = {1, 99, 37, 3};

struct worker {
    pthread_t thread;
    size_t step;
    const struct plugin_lump *expected;
    struct nbstage_instance *instance;
    const char *failed; // the map that has other bytes
};

static bool builds(const struct worker *worker, size_t number)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    const struct plugin_lump *expected = &worker->expected[number];
    struct nbstage_map map = lump_set_map(&freedoom_maps[number].set);
    struct nbstage_result result = {.size = sizeof result};
    nbstage_status status = stage->build(worker->instance, &map, &result);
    bool is_same =
        status == NBSTAGE_OK && result.lumps->data_size == expected->size &&
        memcmp(result.lumps->data, expected->bytes, expected->size) == 0;
    stage->free_result(worker->instance, &result);
    return is_same;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    for (size_t i = 0; i < FREEDOOM_MAPS && !worker->failed; i++) {
        size_t number = i * worker->step % FREEDOOM_MAPS;
        if (!builds(worker, number))
            worker->failed = freedoom_maps[number].map.name;
    }
    return NULL;
}

static void build_with_threads(const struct plugin_lump *expected,
                               const char *options)
{
    struct worker workers[COUNT(steps)];
    for (size_t i = 0; i < COUNT(steps); i++) {
        workers[i] = (struct worker){.step = steps[i],
                                     .expected = expected,
                                     .instance = plugin_create(options)};
        ck_assert_int_eq(
            pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < COUNT(steps); i++) {
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
        ck_assert_msg(!workers[i].failed,
                      "thread %zu, %s: one thread makes other bytes; %s", i,
                      workers[i].failed,
                      plugin_stage()->last_error(workers[i].instance));
        plugin_stage()->destroy(workers[i].instance);
    }
}

static const char *const thread_options[] = {
    "", "grid=id pack=nest header=any prune=inert", "pack=cover header=none"};

LOOP_TEST(four_threads_make_the_bytes_of_one, COUNT(thread_options))
{
    struct plugin_lump expected[FREEDOOM_MAPS];
    for (size_t m = 0; m < FREEDOOM_MAPS; m++)
        expected[m] = lump_set_build(&freedoom_maps[m].set, thread_options[_i]);
    build_with_threads(expected, thread_options[_i]);
    for (size_t m = 0; m < FREEDOOM_MAPS; m++)
        plugin_free(&expected[m]);
}

// ---------------------------------------------------------------------------

int main(void)
{
    tries_more = getenv("LONG") != NULL;
    return freedoom_main();
}
