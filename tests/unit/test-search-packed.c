// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a search whose packing scores only rank gives a lump that is
// built like any other on its grid, never larger than without a search, the
// same for all numbers of threads; that where it can build on all grids its
// answer is that of a plain loop; and that it takes too little memory, a work
// limit and the wish to stop as it should.

#include "base/threads.h"
#include "context-for-tests.h"
#include "placements.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <stdatomic.h>
#include <time.h>

static uint64_t seed;

static const struct {
    const char *options;
    struct pack_form pack;
} packings[] = {
    {"pack=nest header=zero", {PACK_NEST, HEADER_ZERO}},
    {"pack=nest header=any", {PACK_NEST, HEADER_ANY}},
    {"pack=nest header=none", {PACK_NEST, HEADER_NONE}},
    {"pack=cover header=zero", {PACK_COVER, HEADER_ZERO}},
    {"pack=cover header=none", {PACK_COVER, HEADER_NONE}},
    {"pack=share header=any", {PACK_SHARE, HEADER_ANY}},
    {"pack=share header=none", {PACK_SHARE, HEADER_NONE}},
    {"pack=none header=none", {PACK_NONE, HEADER_NONE}},
};

static struct plugin_lump build(const struct random_map *map,
                                const char *packing, const char *more)
{
    struct nbstage_map lines = random_map_arrays(map, "MAP01");
    char options[160];
    snprintf(options, sizeof options, "overflow=xbm1 %s %s", packing, more);
    return plugin_build(&lines, options);
}

// ---------------------------------------------------------------------------
// Any map

LOOP_TEST(lump_is_that_of_its_grid_and_not_larger_than_fit, COUNT(packings))
{
    char grid[64];
    const char *const same[] = {
        grid,
        "grid=search threads=1",
        "grid=search threads=3",
        "grid=search threads=128",
    };
    struct scatter scatter = {seed, 300, 2500, 400};
    struct random_map map = scattered_map_make(&scatter);
    const char *packing = packings[_i].options;
    struct plugin_lump lump = build(&map, packing, "grid=search");
    struct plugin_lump fit = build(&map, packing, "grid=fit");
    ck_assert_uint_le(lump.size, fit.size);
    ck_assert_int_eq(plugin_number(&lump, "placements"), 16384);
    ck_assert_int_eq(plugin_number(&lump, "placements_built"), 256);
    snprintf(grid, sizeof grid, "grid=%d,%d",
             (int)plugin_number(&lump, "origin_x"),
             (int)plugin_number(&lump, "origin_y"));
    for (size_t i = 0; i < COUNT(same); i++) {
        struct plugin_lump other = build(&map, packing, same[i]);
        plugin_check_same(same[i], &other, &lump);
        plugin_free(&other);
    }
    plugin_free(&fit);
    plugin_free(&lump);
    random_map_free(&map);
}

enum { PARTS = 4 };

struct meeting {
    atomic_size_t begun, met; // parts
};

// Each part waits until all have begun, for ten seconds at most.
static nbstage_status meet(void *user, size_t part, struct context *context)
{
    const struct timespec millisecond = {0, 1000000};
    struct meeting *meeting = user;
    atomic_fetch_add(&meeting->begun, 1);
    for (int i = 0; i < 10000 && atomic_load(&meeting->begun) < PARTS; i++)
        nanosleep(&millisecond, NULL);
    atomic_fetch_add(&meeting->met, atomic_load(&meeting->begun) == PARTS);
    (void)part;
    return context ? NBSTAGE_BAD_MAP : NBSTAGE_OK;
}

TEST(parts_run_side_by_side)
{
    struct meeting meeting = {0, 0};
    ck_assert_int_eq(threads_run_parts(&test_context, PARTS, meet, &meeting),
                     NBSTAGE_BAD_MAP); // as the caller's part has failed
    ck_assert_uint_eq(atomic_load(&meeting.met), PARTS);
}

TEST(pieces_of_memory_do_not_overlap)
{
    unsigned char block[1000];
    struct threads_memory memory = {block, sizeof block, 0};
    ck_assert_ptr_eq(threads_memory_allocate(&memory, 1), block);
    ck_assert_ptr_eq(threads_memory_allocate(&memory, 500), block + 64);
    ck_assert_ptr_null(threads_memory_allocate(&memory, 500));
    ck_assert_ptr_eq(threads_memory_allocate(&memory, 400), block + 64 + 512);
    ck_assert_ptr_null(threads_memory_allocate(&memory, 100));
    ck_assert_uint_le(memory.used, sizeof block);
}

// ---------------------------------------------------------------------------
// The wish to stop

enum { LUMPS = 256 }; // to build in its last step

// Stops the search when its last step has begun.
static int32_t stop_late(void *context, uint32_t done, uint32_t total)
{
    (void)done;
    bool *is_stopped = context;
    if (total == LUMPS)
        *is_stopped = true;
    return *is_stopped;
}

TEST(search_can_be_cancelled_while_lumps_are_built)
{
    struct scatter scatter = {seed, 6000 / SLOWNESS, 8000, 500};
    struct random_map map = scattered_map_make(&scatter);
    bool is_stopped = false;
    const struct nbstage_host host = {
        .size = sizeof host, .context = &is_stopped, .progress = stop_late};
    struct nbstage_map lines = random_map_arrays(&map, "MAP01");
    plugin_check_failure(&host, &lines, "grid=search pack=nest",
                         NBSTAGE_CANCELLED, "cancelled");
    ck_assert(is_stopped);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// Maps at the edge of the coordinates have so few origins that the lumps of
// all of them are built.

enum { ALONG = 16, ORIGINS = ALONG * ALONG };

static struct random_map map;
static struct lines lines;

static void open_edge_map(struct scatter scatter)
{
    int32_t edge = (INT16_MIN + ALONG - 1) * 65536;
    map = scattered_map_make(&scatter);
    random_map_move(&map, edge, edge);
    struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
    lines = placements_lines(&test_context, &arrays, false);
}

static void close_edge_map(void)
{
    lines_free(&test_context, &lines);
    random_map_free(&map);
}

// Searches, and compares with the answer of a plain loop.
static void check_search(const struct search_request *request,
                         const struct placement *expected, size_t built_count)
{
    struct search_answer answer;
    ck_assert_int_eq(search_grid(&test_context, &lines, request, &answer),
                     NBSTAGE_OK);
    ck_assert_int_eq(answer.grid.origin_x, expected->grid.origin_x);
    ck_assert_int_eq(answer.grid.origin_y, expected->grid.origin_y);
    ck_assert_uint_eq(answer.scored_count, ORIGINS);
    ck_assert_uint_eq(answer.built_count, built_count);
}

LOOP_TEST(answer_is_the_best_of_all_that_are_built, COUNT(packings))
{
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    for (enum lump_limit limit = LIMIT_NONE; limit <= LIMIT_EXTENDED; limit++) {
        const struct search_request request = {.limit = limit,
                                               .pack = packings[_i].pack};
        struct placement expected =
            placements_search(&test_context, &lines, limit, packings[_i].pack);
        check_search(&request, &expected, ORIGINS);
    }
    close_edge_map();
}

static bool same_origin(const struct grid *a, const struct grid *b)
{
    return a->origin_x == b->origin_x && a->origin_y == b->origin_y;
}

// Maps with 500 points north-east of all, and one a few units further east.
// Where both are in one block, its list is the last and long, so the lump meets
// the vanilla limit although it has more words.
static const struct {
    struct pack_form pack;
    uint32_t lines;
    bool is_met, is_built;
} limited[] = {
    {{PACK_SHARE, HEADER_ZERO}, 4450, true, false},
    {{PACK_SHARE, HEADER_ZERO}, 4500, false, false},
    {{PACK_NEST, HEADER_ZERO}, 4750, true, true},
};

LOOP_TEST(limit_comes_before_size, COUNT(limited))
{
    enum { POINTS = 500, EDGE = INT16_MIN + ALONG - 1, FAR = EDGE + 72 * 128 };
    const struct search_request request = {.limit = LIMIT_VANILLA,
                                           .pack = limited[_i].pack};
    open_edge_map((struct scatter){7, limited[_i].lines, 8000, 800});
    lines_free(&test_context, &lines);
    map.vertices[0] = (struct nbstage_vertex){(FAR - 4) * 65536, FAR * 65536};
    map.vertices[1] = (struct nbstage_vertex){FAR * 65536, FAR * 65536};
    map.lines[0].v1 = map.lines[0].v2 = 1;
    for (uint32_t i = 1; i <= POINTS; i++)
        map.lines[map.line_count - i].v1 = map.lines[map.line_count - i].v2 = 0;
    struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
    lines = placements_lines(&test_context, &arrays, false);
    struct placement smallest =
        placements_search(&test_context, &lines, LIMIT_NONE, request.pack);
    struct placement expected =
        placements_search(&test_context, &lines, LIMIT_VANILLA, request.pack);
    ck_assert(!smallest.measure.meets_vanilla);
    ck_assert(expected.measure.meets_vanilla == limited[_i].is_met);
    check_search(&request, &expected, limited[_i].is_built ? ORIGINS : 0);
    close_edge_map();
}

// With too little memory for threads, the caller's does what they could not.
TEST(trials_without_memory_are_made_up_for)
{
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    static const size_t sizes[] = {1, 5000, 20000, 50000};
    struct placement expected =
        placements_search(&test_context, &lines, LIMIT_NONE, packings[0].pack);
    uint64_t steps = 0;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct search_request request = {.pack = packings[0].pack,
                                               .thread_count = 3,
                                               .worker_memory = sizes[i]};
        check_search(&request, &expected, ORIGINS);
        steps = i == 0 ? test_context.work : steps;
        ck_assert_uint_eq(test_context.work, steps);
    }
    close_edge_map();
}

// ---------------------------------------------------------------------------
// Work

// Searches with a work limit and several numbers of threads, which must not
// matter, nor to the steps that are counted.
static struct search_answer search_with_limit(struct pack_form pack,
                                              uint64_t limit)
{
    static const size_t thread_counts[] = {1, 3, 8};
    struct search_answer answers[COUNT(thread_counts)];
    uint64_t steps = 0;
    test_context.limits.work = limit;
    for (size_t i = 0; i < COUNT(thread_counts); i++) {
        const struct search_request request = {
            .pack = pack, .thread_count = thread_counts[i]};
        ck_assert_int_eq(
            search_grid(&test_context, &lines, &request, &answers[i]),
            NBSTAGE_OK);
        steps = i == 0 ? test_context.work : steps;
        ck_assert_uint_eq(test_context.work, steps);
        ck_assert(same_origin(&answers[i].grid, &answers[0].grid));
        ck_assert_uint_eq(answers[i].scored_count, answers[0].scored_count);
        ck_assert_uint_eq(answers[i].built_count, answers[0].built_count);
        ck_assert(answers[i].is_early == answers[0].is_early);
    }
    return answers[0];
}

// From hardly any to enough: the more there may be the more origins are tried,
// and only with all of them it is not early.
LOOP_TEST(work_limit_ends_searches_alike, COUNT(packings))
{
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    struct pack_form pack = packings[_i].pack;
    struct search_answer best = search_with_limit(pack, 0);
    size_t tried_before = 0;
    size_t early_count = 0;
    ck_assert(!best.is_early);
    for (unsigned bits = 1; bits <= 30; bits += 2) {
        struct search_answer answer =
            search_with_limit(pack, UINT64_C(1) << bits);
        size_t tried = answer.scored_count + answer.built_count;
        ck_assert_uint_ge(answer.scored_count, ALONG);
        ck_assert_uint_ge(answer.built_count, 1);
        ck_assert_uint_ge(tried, tried_before);
        ck_assert(answer.is_early || tried == 2 * ORIGINS);
        tried_before = tried;
        early_count += answer.is_early;
        if (!answer.is_early)
            ck_assert(same_origin(&answer.grid, &best.grid));
    }
    ck_assert_uint_eq(tried_before, 2 * ORIGINS);
    ck_assert_uint_ge(early_count, 8);
    close_edge_map();
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
