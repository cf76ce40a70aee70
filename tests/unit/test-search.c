// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that grid=search finds what trying one origin after the other finds,
// to the origin, whatever the number of threads: the smallest lump,
// the first of several that are as small; and that it tries no
// origin that a lump cannot hold.  And that the scorer, which only
// moves lines from block to block, always tells the size and the largest offset
// of the lump that is built on the grid it has come to.
//
// SEED in the environment repeats the random maps of a run.

#include "context-for-tests.h"
#include "placements.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static uint64_t seed;

static const int thread_counts[] = {1, 2, 3, 128, 0};

static const struct {
    const char *option;
    enum pack_mode mode;
} packs[] = {
    {"pack=share", PACK_SHARE},
    {"pack=none", PACK_NONE},
};

// A map and what is searched for.
struct trial {
    const char *name;
    const struct random_map *map;
    bool spans_vertices;
    size_t pack; // in packs
};

// The answer to a trial.
struct answer {
    struct placement placement;
    int32_t offset_x, offset_y; // of its origin, from the lowest coordinates
    int32_t tried_count;        // origins
};

// Finds the answer the plain way.
static struct answer find_plainly(const struct trial *trial)
{
    struct nbstage_map map = random_map_arrays(trial->map, trial->name);
    struct lines lines =
        placements_lines(&test_context, &map, trial->spans_vertices);
    struct answer answer;
    answer.placement = placements_search(
        &test_context, &lines, LIMIT_NONE,
        (struct pack_form){packs[trial->pack].mode, HEADER_ZERO});
    answer.offset_x = lines.min_x - answer.placement.grid.origin_x;
    answer.offset_y = lines.min_y - answer.placement.grid.origin_y;
    answer.tried_count =
        placements_along(lines.min_y) * placements_along(lines.min_x);
    lines_free(&test_context, &lines);
    return answer;
}

// Builds with the grid that an option tells.  Lumps that are too large for the
// classic form are XBM1.
static struct plugin_lump build_on(const struct trial *trial, const char *grid)
{
    struct nbstage_map map = random_map_arrays(trial->map, trial->name);
    char options[160];
    snprintf(options, sizeof options, "overflow=xbm1 %s %s %s",
             packs[trial->pack].option,
             trial->spans_vertices ? "bounds=vertices" : "bounds=lines", grid);
    return plugin_build(&map, options);
}

static void check_facts(const struct trial *trial,
                        const struct plugin_lump *lump,
                        const struct answer *answer, int threads)
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
    char where[160];
    snprintf(where, sizeof where, "%s, %s, threads=%d", trial->name,
             packs[trial->pack].option, threads);
    plugin_check_facts(where, lump, facts, COUNT(facts));
}

// Searches with each number of threads and compares with the answer.
static void check_answer(const struct trial *trial, const struct answer *answer)
{
    char option[64];
    snprintf(option, sizeof option, "grid=%d,%d",
             (int)answer->placement.grid.origin_x,
             (int)answer->placement.grid.origin_y);
    struct plugin_lump expected = build_on(trial, option);
    for (size_t i = 0; i < COUNT(thread_counts); i++) {
        snprintf(option, sizeof option, "grid=search threads=%d",
                 thread_counts[i]);
        struct plugin_lump lump = build_on(trial, option);
        check_facts(trial, &lump, answer, thread_counts[i]);
        plugin_check_same(trial->name, &lump, &expected);
        plugin_free(&lump);
    }
    plugin_free(&expected);
}

// ---------------------------------------------------------------------------
// Random maps

static const struct {
    struct random_shape shape;
    uint32_t search_count; // maps that are searched
    uint32_t score_count;  // maps that are scored
    int32_t stride;        // of the placements that are then built
    bool spans_vertices;   // one of them is anywhere
} shapes[] = {
    {{"one block", 1, 1, 6}, 12, 10, 1, false}, // columns, rows, lines
    {{"a single line", 12, 12, 1}, 12, 10, 1, false},
    {{"small", 6, 6, 16}, 24, 10, 1, false},
    {{"medium", 30, 30, 120}, 0, 12, 11, false},
    {{"wide", 512, 40, 12}, 0, 12, 101, false},
    {{"tall", 40, 512, 12}, 0, 12, 101, false},
    {{"large", 512, 512, 40}, 0, 10, 1021, false},
    {{"far vertex", 8, 8, 12}, 0, 10, 1021, true},
};

enum { SEARCHED_SHAPES = 3 };

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
LOOP_TEST(smallest_is_the_first_of_the_smallest, SEARCHED_SHAPES)
{
    for (uint32_t i = 0; i < shapes[_i].search_count / SLOWNESS; i++) {
        char name[64];
        struct random_map map = make_map(_i, i, name);
        struct trial trial = {.name = name, .map = &map, .pack = i % 2};
        struct answer answer = find_plainly(&trial);
        check_answer(&trial, &answer);
        random_map_free(&map);
    }
}

LOOP_TEST(scores_are_those_of_lumps_that_are_built, COUNT(shapes))
{
    uint32_t count = (shapes[_i].score_count + SLOWNESS - 1) / SLOWNESS;
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        struct random_map map = make_map(_i, i, name);
        struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
        struct lines lines =
            placements_lines(&test_context, &arrays, shapes[_i].spans_vertices);
        placements_check_scores(&test_context, &lines, shapes[_i].stride, name);
        lines_free(&test_context, &lines);
        random_map_free(&map);
    }
}

// ---------------------------------------------------------------------------
// A few lines

enum { DRAWN_LINES = 3 }; // at most

// Where lines move, the long one is in three blocks, and the short ones make
// the first and the second of them different.  118 units further they are both
// in the second alone, and 8 offsets along this axis, 128 along the other one,
// are as good.  The last map is as large as maps can be.
static const struct {
    const char *name;
    uint32_t line_count;
    int32_t offset_x, offset_y; // that are to be found
    uint32_t columns, rows;
    int32_t ends[2 * DRAWN_LINES][2]; // map units
} drawn[] = {
    {"a point", 1, 0, 0, 1, 1, {{5, 7}, {5, 7}}},
    {"west",
     3,
     118,
     0,
     4,
     1,
     {{0, 0}, {300, 0}, {10, 0}, {10, 0}, {118, 0}, {130, 0}}},
    {"south",
     3,
     0,
     118,
     1,
     4,
     {{0, 0}, {0, 300}, {0, 10}, {0, 10}, {0, 118}, {0, 130}}},
    {"largest",
     3,
     0,
     0,
     512,
     512,
     {{-32768, -32768},
      {32767, 32767},
      {-32768, 32767},
      {32767, -32768},
      {0, -32768},
      {0, 32767}}},
};

LOOP_TEST(ties_go_to_the_smaller_offset, COUNT(drawn))
{
    const struct scatter any = {1, drawn[_i].line_count, 2, 1};
    struct random_map map = scattered_map_make(&any);
    for (size_t v = 0; v < map.vertex_count; v++)
        map.vertices[v] = (struct nbstage_vertex){drawn[_i].ends[v][0] * UNIT,
                                                  drawn[_i].ends[v][1] * UNIT};
    struct trial trial = {.name = drawn[_i].name, .map = &map};
    struct answer answer = find_plainly(&trial);
    ck_assert_int_eq(answer.offset_x, drawn[_i].offset_x);
    ck_assert_int_eq(answer.offset_y, drawn[_i].offset_y);
    ck_assert_uint_eq(answer.placement.grid.columns, drawn[_i].columns);
    ck_assert_uint_eq(answer.placement.grid.rows, drawn[_i].rows);
    check_answer(&trial, &answer);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// Origins

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

TEST(origins_begin_at_the_lowest_vertex_if_asked_to)
{
    struct random_map map = scattered_map_make(&small);
    map.line_count--; // the vertices of the last line are left over
    map.vertices[map.vertex_count - 2] =
        (struct nbstage_vertex){-300 * UNIT, -77 * UNIT};
    map.vertices[map.vertex_count - 1] =
        (struct nbstage_vertex){1500 * UNIT, 1200 * UNIT};
    struct trial trial = {.name = "small", .map = &map, .spans_vertices = true};
    struct answer answer = find_plainly(&trial);
    ck_assert_int_le(answer.placement.grid.origin_x, -300);
    ck_assert_int_le(answer.placement.grid.origin_y, -77);
    check_answer(&trial, &answer);
    random_map_free(&map);
}

// ---------------------------------------------------------------------------
// Pauses

// Ends the work at one of its looks.
struct patience {
    size_t look_count;
    size_t last_look; // the one that ends it, from 1; 0 is none
};

static bool is_over(void *user)
{
    struct patience *patience = user;
    return ++patience->look_count == patience->last_look;
}

// Many lines are started with many looks at the pause.  Whichever of them ends
// the start, the scorer is as good as new afterwards.
TEST(start_that_was_ended_can_be_made_again)
{
    const struct scatter scatter = {3, 10000, 3000, 2000};
    struct random_map map = scattered_map_make(&scatter);
    struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
    struct lines lines = placements_lines(&test_context, &arrays, false);
    struct score_lines score_lines;
    struct scorer *scorer;
    ck_assert_int_eq(score_lines_make(&test_context, &lines, &score_lines),
                     NBSTAGE_OK);
    ck_assert_int_eq(scorer_make(&test_context, &score_lines, &scorer),
                     NBSTAGE_OK);
    struct patience patience = {0};
    struct score_pause pause = {is_over, &patience};
    ck_assert(scorer_start(scorer, 5, &pause));
    uint64_t words = scorer_words(scorer, PACK_SHARE);
    size_t look_count = patience.look_count;
    ck_assert_uint_gt(look_count, 8);
    for (size_t last = 1; last <= look_count; last++) {
        patience = (struct patience){.last_look = last};
        ck_assert(!scorer_start(scorer, 6, &pause));
        ck_assert_uint_eq(patience.look_count, last);
        ck_assert(scorer_start(scorer, 5, NULL));
        ck_assert_uint_eq(scorer_words(scorer, PACK_SHARE), words);
    }
    context_release(&test_context, scorer);
    context_release(&test_context, score_lines.digests);
    lines_free(&test_context, &lines);
    random_map_free(&map);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
