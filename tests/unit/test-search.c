// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that grid=search finds what trying one origin after the other finds,
// to the origin: the smallest lump, the first of several that are as small; and
// that it tries no origin that a lump cannot hold.  Where scores only rank,
// that the answer is that of a plain loop over the best of them; and that a
// search takes a work limit and the wish to stop as it should.
//
// SEED in the environment repeats the random maps of a run.

#include "context-for-tests.h"
#include "lump/lump.h"
#include "plugin.h"
#include "random-map.h"
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static uint64_t seed;

// --- Plainly ---

// A grid and the lump on it.
struct placement {
    struct grid grid;
    struct lump_measure measure;
};

enum {
    OFFSETS = 128, // of an origin along an axis, at most
    BUILT = 64,    // lumps, where scores only rank
};

static void expect_ok(nbstage_status status)
{
    if (status != NBSTAGE_OK) // Check notes assertions, which takes long
        ck_abort_msg("%s", test_context.message);
}

static struct lines placements_lines(const struct nbstage_map *given)
{
    struct map map;
    struct lines lines;
    expect_ok(map_read(&test_context, given, false, &map));
    expect_ok(lines_gather(&test_context, &map, NULL, &lines));
    map_free(&test_context, &map);
    return lines;
}

// Whether engines lose something at this distance that they do not at that of
// the lines' lowest coordinate.
static bool loses_more(int32_t distance, int32_t least)
{
    // Shots and walls of engines that find 256 columns, and 512.
    static const int32_t losses[] = {30720, 32752, 63488, 65520};
    for (size_t i = 0; i < COUNT(losses); i++)
        if (distance > losses[i] && least <= losses[i])
            return true;
    return false;
}

// How many origins there are along an axis, from the lines' lowest coordinate
// on: 128, or as far as 16-bit numbers go and no line is lost.
static int32_t placements_along(int32_t lowest, int32_t highest)
{
    int32_t count = 0;
    while (count < OFFSETS && lowest - count >= INT16_MIN &&
           !loses_more(highest - lowest + count, highest - lowest))
        count++;
    return count;
}

// Returns how many lists are stored.
static size_t build(const struct lines *lines, const struct grid *grid,
                    struct pack_form pack, struct lump_measure *measure)
{
    struct entries entries;
    struct lists lists;
    expect_ok(entries_find(&test_context, lines, grid, &entries));
    expect_ok(lists_build(&test_context, grid, &entries, &lists));
    expect_ok(pack_lists(&test_context, pack, &lists));
    size_t count = lists.list_count;
    *measure = lump_measure(&lists);
    entries_free(&test_context, &entries);
    lists_free(&test_context, &lists);
    return count;
}

static struct grid grid_at(const struct lines *lines, int32_t x, int32_t y)
{
    return grid_from(lines->min_x - x, lines->min_y - y, lines, 0);
}

static bool is_better(const struct lump_measure *measure,
                      const struct lump_measure *best, enum lump_limit limit)
{
    bool meets = lump_meets(measure, limit);
    bool best_meets = lump_meets(best, limit);
    return meets != best_meets ? meets : measure->word_count < best->word_count;
}

struct ranked {
    struct grid grid;
    size_t number;
    uint64_t words; // of its lists shared
};

static int compare_words(const void *first, const void *second)
{
    const struct ranked *a = first, *b = second;
    if (a->words != b->words)
        return a->words < b->words ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static int compare_numbers(const void *first, const void *second)
{
    const struct ranked *a = first, *b = second;
    return a->number < b->number ? -1 : 1;
}

// Leaves the first grid and those of the fewest words, in their order; returns
// how many.
static size_t leave_the_best(const struct lines *lines, enum list_header header,
                             struct ranked *ranked, size_t count)
{
    const struct pack_form shared = {PACK_SHARE, HEADER_ZERO};
    for (size_t i = 1; i < count; i++) {
        struct lump_measure measure;
        size_t lists = build(lines, &ranked[i].grid, shared, &measure);
        ranked[i].words =
            measure.word_count - (header == HEADER_NONE ? lists : 0);
    }
    qsort(ranked, count, sizeof *ranked, compare_words);
    count = count < BUILT ? count : BUILT;
    qsort(ranked, count, sizeof *ranked, compare_numbers);
    return count;
}

// Builds the lumps on all grids, south row by row, west in it; or where scores
// only rank, that of the first and of the 63 others whose lists, shared and
// with their headers, take the fewest words, of equal ones the first.  The
// first of the smallest that meet the limit or, if none does, of all.
static struct placement placements_search(const struct lines *lines,
                                          enum lump_limit limit,
                                          struct pack_form pack)
{
    int32_t along_x = placements_along(lines->min_x, lines->max_x);
    int32_t along_y = placements_along(lines->min_y, lines->max_y);
    static struct ranked ranked[OFFSETS * OFFSETS];
    size_t count = 0;
    for (int32_t y = 0; y < along_y; y++)
        for (int32_t x = 0; x < along_x; x++, count++)
            ranked[count] =
                (struct ranked){.grid = grid_at(lines, x, y), .number = count};
    if (pack.mode > PACK_SHARE || pack.header != HEADER_ZERO)
        count = leave_the_best(lines, pack.header, ranked, count);
    struct placement best = {.measure.word_count = UINT64_MAX};
    for (size_t i = 0; i < count; i++) {
        struct placement next = {.grid = ranked[i].grid};
        build(lines, &next.grid, pack, &next.measure);
        if (is_better(&next.measure, &best.measure, limit))
            best = next;
    }
    return best;
}

// --- A search against that ---

// A map and what is searched for.
struct trial {
    const char *name;
    const struct random_map *map;
};

// The answer to a trial.
struct answer {
    struct placement placement;
    int32_t tried_count; // origins
};

// Finds the answer the plain way.
static struct answer find_plainly(const struct trial *trial)
{
    struct nbstage_map map = RANDOM_MAP(trial->map, trial->name);
    struct lines lines = placements_lines(&map);
    struct answer answer;
    answer.placement = placements_search(
        &lines, LIMIT_NONE, (struct pack_form){PACK_SHARE, HEADER_ZERO});
    answer.tried_count = placements_along(lines.min_y, lines.max_y) *
                         placements_along(lines.min_x, lines.max_x);
    lines_free(&test_context, &lines);
    return answer;
}

// Builds with the grid that an option tells.  Lumps that are too large for the
// classic form are XBM1.
static struct plugin_lump build_on(const struct trial *trial, const char *grid)
{
    struct nbstage_map map = RANDOM_MAP(trial->map, trial->name);
    char options[160];
    snprintf(options, sizeof options, "overflow=xbm1 %s", grid);
    return plugin_build(&map, options);
}

static void check_facts(const struct trial *trial,
                        const struct plugin_lump *lump,
                        const struct answer *answer)
{
    const struct placement *placement = &answer->placement;
    const struct plugin_fact facts[] = {
        {"origin_x", placement->grid.origin_x},
        {"origin_y", placement->grid.origin_y},
        {"columns", placement->grid.columns},
        {"rows", placement->grid.rows},
        {"words", (int64_t)placement->measure.word_count},
        {"largest_offset", (int64_t)placement->measure.largest_offset},
        {"placements", answer->tried_count},
    };
    plugin_check_facts(trial->name, lump, facts, COUNT(facts));
}

// Searches, and compares with the answer.
static void check_answer(const struct trial *trial, const struct answer *answer)
{
    char option[64];
    snprintf(option, sizeof option, "grid=%d,%d",
             (int)answer->placement.grid.origin_x,
             (int)answer->placement.grid.origin_y);
    struct plugin_lump expected = build_on(trial, option);
    struct plugin_lump lump = build_on(trial, "grid=search");
    check_facts(trial, &lump, answer);
    plugin_check_same(trial->name, &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
}

// --- Random maps ---

static const struct {
    struct random_shape shape;
    uint32_t search_count;
} shapes[] = {
    {{"one block", 1, 1, 6}, 12}, // columns, rows, lines
    {{"a single line", 12, 12, 1}, 12},
    {{"small", 6, 6, 16}, 24},
    {{"medium", 12, 12, 60}, 3},
};

// Each map has a stream of its own, so that it does not depend on the maps
// before it.
static struct random_map make_map(int shape, uint32_t number, char name[64])
{
    struct random_stream stream = {seed};
    stream.state = random_next(&stream) + (uint64_t)shape;
    stream.state = random_next(&stream) + number;
    snprintf(name, 64, "SEED=%" PRIu64 " %s %" PRIu32, seed,
             shapes[shape].shape.name, number);
    return random_map_make(&shapes[shape].shape, &stream);
}

// Small maps have many placements that are as good as each other.
LOOP_TEST(smallest_is_the_first_of_the_smallest, COUNT(shapes))
{
    for (uint32_t i = 0; i < shapes[_i].search_count / SLOWNESS; i++) {
        char name[64];
        struct random_map map = make_map(_i, i, name);
        struct trial trial = {.name = name, .map = &map};
        struct answer answer = find_plainly(&trial);
        check_answer(&trial, &answer);
        random_map_free(&map);
    }
}

// --- Origins ---

static const struct scatter small = {3, 30, 900, 250};

// The lowest coordinates of a map, in 16.16, and how many origins there are.
static const struct {
    int32_t lowest_x, lowest_y;
    int32_t origin_count;
} lowest[] = {
    {0, 0, 16384},
    {-32768 * UNIT, 0, 128},
    {0, -32768 * UNIT, 128},
    {-32768 * UNIT, -32768 * UNIT, 1},
    {-32768 * UNIT + 65535, -32767 * UNIT, 2}, // rounded down
    {-32767 * UNIT, -32767 * UNIT, 4},
    {-32700 * UNIT, -100, 69 * 128},
    {100, -32700 * UNIT + 1, 128 * 69},
    {-32642 * UNIT, -32641 * UNIT, 127 * 128},
    {-32641 * UNIT, -32642 * UNIT, 128 * 127},
};

LOOP_TEST(origins_that_16_bits_do_not_hold_are_left_out, COUNT(lowest))
{
    struct random_map map = scattered_map_make(&small);
    random_map_move(&map, lowest[_i].lowest_x, lowest[_i].lowest_y);
    struct trial trial = {.name = "small", .map = &map};
    struct answer answer = find_plainly(&trial);
    ck_assert_int_eq(answer.tried_count, lowest[_i].origin_count);
    ck_assert_int_ge(answer.placement.grid.origin_x, INT16_MIN);
    ck_assert_int_ge(answer.placement.grid.origin_y, INT16_MIN);
    check_answer(&trial, &answer);
    random_map_free(&map);
}

// --- Distances ---

// How far from its lowest coordinates a map reaches, and how many origins there
// are.
static const struct {
    int32_t east, north;
    int32_t origin_count;
} distances[] = {
    {30700, 300, 21 * 128}, // beyond 30,720 shots may pass
    {300, 30720, 1 * 128},   {300, 30721, 128 * 128}, // they may anyway
    {32690, 300, 63 * 128}, // beyond 32,752 walls may not block
    {300, 32752, 128 * 1},   {32753, 300, 128 * 128},
    {63480, 300, 9 * 128}, // the same where engines find twice as much
    {300, 65400, 128 * 121},
};

LOOP_TEST(origins_that_lose_lines_are_left_out, COUNT(distances))
{
    enum { LOW = -32640 }; // 128 numbers of 16 bits are not above it
    const int32_t ends[][2] = {{0, 0},
                               {97, 211},
                               {130, 7},
                               {250, 300},
                               {distances[_i].east, distances[_i].north},
                               {distances[_i].east, distances[_i].north}};
    const struct search_request request = {LIMIT_NONE,
                                           {PACK_SHARE, HEADER_ZERO}};
    struct random_map map;
    struct search_answer answer;
    random_map_allocate_pairs(&map, COUNT(ends) / 2);
    for (size_t i = 0; i < COUNT(ends); i++)
        map.vertices[i] = (struct plain_vertex){(LOW + ends[i][0]) * UNIT,
                                                (LOW + ends[i][1]) * UNIT};
    struct nbstage_map arrays = RANDOM_MAP(&map, "MAP01");
    struct lines lines = placements_lines(&arrays);
    expect_ok(search_grid(&test_context, &lines, &request, NULL, &answer));
    ck_assert_int_eq((int)answer.scored_count, distances[_i].origin_count);
    const struct placement expected =
        placements_search(&lines, request.limit, request.pack);
    ck_assert_int_eq(answer.grid.origin_x, expected.grid.origin_x);
    ck_assert_int_eq(answer.grid.origin_y, expected.grid.origin_y);
    lines_free(&test_context, &lines);
    random_map_free(&map);
}

// --- The wish to stop ---

enum { LUMPS = 64 }; // that it builds in its last step

// Stops the search in its last step, for which 3/4 of the build are done.
static int32_t stop_late(void *context, uint32_t done, uint32_t total)
{
    bool *is_stopped = context;
    if (done >= total / 4 * 3)
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
    struct nbstage_map lines = RANDOM_MAP(&map, "MAP01");
    plugin_check_failure(&host, &lines, "grid=search pack=nest",
                         NBSTAGE_CANCELLED, "cancelled");
    ck_assert(is_stopped);
    random_map_free(&map);
}

static int32_t count_report(void *context, uint32_t done, uint32_t total)
{
    (void)done;
    (void)total;
    ++*(size_t *)context;
    return 0;
}

// Of a small map few origins change the lump; only these are worth a report.
TEST(small_maps_are_seldom_reported)
{
    enum { REPORTS = 3 * 128 };
    struct scatter scatter = {seed, 2, 100, 50};
    struct random_map map = scattered_map_make(&scatter);
    size_t count = 0;
    const struct nbstage_host host = {
        .size = sizeof host, .context = &count, .progress = count_report};
    struct nbstage_map lines = RANDOM_MAP(&map, "MAP01");
    struct plugin_lump built = plugin_build_for(&host, &lines, "grid=search");
    ck_assert_uint_ge(count, 128);
    ck_assert_uint_le(count, REPORTS);
    plugin_free(&built);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// Maps at the edge of the coordinates have so few origins that a plain loop
// over them takes no time.

enum { ALONG = 16, ORIGINS = ALONG * ALONG };

static struct random_map map;
static struct lines lines;

static void open_edge_map(struct scatter scatter)
{
    int32_t edge = (INT16_MIN + ALONG - 1) * UNIT;
    map = scattered_map_make(&scatter);
    random_map_move(&map, edge, edge);
    struct nbstage_map arrays = RANDOM_MAP(&map, "MAP01");
    lines = placements_lines(&arrays);
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
    ck_assert_int_eq(search_grid(&test_context, &lines, request, NULL, &answer),
                     NBSTAGE_OK);
    ck_assert_int_eq(answer.grid.origin_x, expected->grid.origin_x);
    ck_assert_int_eq(answer.grid.origin_y, expected->grid.origin_y);
    ck_assert_uint_eq(answer.words, expected->measure.word_count);
    ck_assert_uint_eq(answer.scored_count, ORIGINS);
    ck_assert_uint_eq(answer.built_count, built_count);
}

// Scores of these packings only rank.
static const struct pack_form packings[] = {
    {PACK_NEST, HEADER_ZERO},  {PACK_NEST, HEADER_ANY},
    {PACK_NEST, HEADER_NONE},  {PACK_SHARE, HEADER_ANY},
    {PACK_SHARE, HEADER_NONE},
};

// And those of shared lists, of which none is built.
LOOP_TEST(answer_is_that_of_a_plain_loop, COUNT(packings) + 1)
{
    const bool ranks = _i < (int)COUNT(packings);
    const struct pack_form pack = packings[ranks ? _i : 0];
    const struct pack_form shared = {PACK_SHARE, HEADER_ZERO};
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    for (enum lump_limit limit = LIMIT_NONE; limit <= LIMIT_EXTENDED; limit++) {
        const struct search_request request = {.limit = limit,
                                               .pack = ranks ? pack : shared};
        struct placement expected =
            placements_search(&lines, limit, request.pack);
        check_search(&request, &expected, ranks ? LUMPS : 0);
    }
    close_edge_map();
}

// Maps with 500 points north-east of all, and one a few units further east.
// Where both are in one block, its list is the last and long, so the lump meets
// the vanilla limit although it has more words.  The blocks after it have the
// list of a block before.
static const struct {
    struct pack_form pack;
    uint32_t lines;
    bool is_met, is_built;
} limited[] = {
    {{PACK_SHARE, HEADER_ZERO}, 4450, true, false},
    {{PACK_SHARE, HEADER_ZERO}, 4500, false, false},
    {{PACK_NEST, HEADER_ZERO}, 4780, false, true},
};

LOOP_TEST(limit_comes_before_size, COUNT(limited))
{
    enum { POINTS = 500, EDGE = INT16_MIN + ALONG - 1, FAR = EDGE + 72 * 128 };
    const struct search_request request = {.limit = LIMIT_VANILLA,
                                           .pack = limited[_i].pack};
    open_edge_map((struct scatter){7, limited[_i].lines, 8000, 800});
    lines_free(&test_context, &lines);
    map.vertices[0] = (struct plain_vertex){(FAR - 4) * UNIT, FAR * UNIT};
    map.vertices[1] = (struct plain_vertex){FAR * UNIT, FAR * UNIT};
    map.lines[0].v1 = map.lines[0].v2 = 1;
    map.vertices[2] =
        (struct plain_vertex){(FAR + 128) * UNIT, (FAR - 1000) * UNIT};
    map.vertices[3] =
        (struct plain_vertex){(FAR + 128) * UNIT, (FAR + 64) * UNIT};
    for (uint32_t i = 1; i <= POINTS; i++)
        map.lines[map.line_count - i].v1 = map.lines[map.line_count - i].v2 = 0;
    struct nbstage_map arrays = RANDOM_MAP(&map, "MAP01");
    lines = placements_lines(&arrays);
    struct placement smallest =
        placements_search(&lines, LIMIT_NONE, request.pack);
    struct placement expected =
        placements_search(&lines, LIMIT_VANILLA, request.pack);
    ck_assert(!lump_meets(&smallest.measure, LIMIT_VANILLA));
    ck_assert(lump_meets(&expected.measure, LIMIT_VANILLA) ==
              limited[_i].is_met);
    check_search(&request, &expected, limited[_i].is_built ? LUMPS : 0);
    close_edge_map();
}

// --- Work ---

static struct search_answer search_with_limit(struct pack_form pack,
                                              uint64_t limit)
{
    const struct search_request request = {.pack = pack};
    struct search_answer answer;
    test_context.limits.work = limit;
    ck_assert_int_eq(
        search_grid(&test_context, &lines, &request, NULL, &answer),
        NBSTAGE_OK);
    return answer;
}

// From hardly any to enough: the more there may be the more origins are tried,
// and only with all of them it is not early.
LOOP_TEST(work_limit_ends_searches_alike, COUNT(packings))
{
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    struct pack_form pack = packings[_i];
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
        ck_assert(answer.is_early || tried == ORIGINS + LUMPS);
        tried_before = tried;
        early_count += answer.is_early;
        if (!answer.is_early)
            ck_assert(answer.grid.origin_x == best.grid.origin_x &&
                      answer.grid.origin_y == best.grid.origin_y);
    }
    ck_assert_uint_eq(tried_before, ORIGINS + LUMPS);
    ck_assert_uint_ge(early_count, 8);
    close_edge_map();
}

// Up to what it takes to build all lumps.  The least is to score the origins of
// a line and to build one lump, whatever the limit is.
LOOP_TEST(searches_take_no_more_than_their_work, COUNT(packings))
{
    open_edge_map((struct scatter){seed, 150, 1500, 300});
    search_with_limit(packings[_i], 1);
    const uint64_t least = test_context.work;
    ck_assert_uint_gt(least, 32);
    size_t early_count = 0;
    bool is_early = true;
    for (uint64_t limit = least; is_early; limit += limit / 32) {
        const uint64_t before = test_context.work;
        const struct search_answer answer =
            search_with_limit(packings[_i], limit);
        ck_assert_uint_le(test_context.work - before, limit);
        ck_assert_int_eq(answer.is_early,
                         answer.scored_count + answer.built_count <
                             ORIGINS + LUMPS);
        is_early = answer.is_early;
        early_count += is_early;
    }
    ck_assert_uint_gt(early_count, 32);
    close_edge_map();
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
