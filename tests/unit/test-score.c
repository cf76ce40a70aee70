// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on random maps that the scorer, which only moves lines from block to
// block, always tells the size and the largest offset of the lump that is
// built on the grid it has come to.
//
// SEED in the environment repeats the maps of a run.

#include "context-for-tests.h"
#include "placements.h"
#include "plugin.h"
#include "run-suite.h"
#include "scattered-map.h"
#include "slowness.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;

static const struct {
    struct random_shape shape;
    uint32_t map_count;
    int32_t stride;      // of the placements that are built
    bool spans_vertices; // one of them is anywhere
} shapes[] = {
    {{"one block", 1, 1, 6}, 10, 1, false}, // columns, rows, lines
    {{"a single line", 12, 12, 1}, 10, 1, false},
    {{"small", 6, 6, 16}, 10, 1, false},
    {{"medium", 30, 30, 120}, 12, 11, false},
    {{"wide", 512, 40, 12}, 12, 101, false},
    {{"tall", 40, 512, 12}, 12, 101, false},
    {{"large", 512, 512, 40}, 10, 1021, false},
    {{"far vertex", 8, 8, 12}, 10, 1021, true},
};

// Each map has a stream of its own, so that it does not depend on the maps
// before it.
static struct random_map make_map(size_t shape, uint32_t number)
{
    struct random_stream stream = {seed};
    stream.state = random_next(&stream) + shape;
    stream.state = random_next(&stream) + number;
    return random_map_make(&shapes[shape].shape, &stream);
}

START_TEST(scores_are_those_of_lumps_that_are_built)
{
    size_t placement_count = 0;
    size_t whole_count = 0;
    uint32_t map_count = (shapes[_i].map_count + SLOWNESS - 1) / SLOWNESS;
    for (uint32_t i = 0; i < map_count; i++) {
        struct random_map map = make_map((size_t)_i, i);
        struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
        struct lines lines =
            placements_lines(&test_context, &arrays, shapes[_i].spans_vertices);
        char name[64];
        snprintf(name, sizeof name, "SEED=%" PRIu64 " %s %" PRIu32, seed,
                 shapes[_i].shape.name, i);
        placement_count += placements_check_scores(&test_context, &lines,
                                                   shapes[_i].stride, name);
        whole_count += lines.is_whole;
        lines_free(&test_context, &lines);
        random_map_free(&map);
    }
    printf("%s: %" PRIu32 " maps, %zu of them in whole numbers; %zu "
           "placements\n",
           shapes[_i].shape.name, map_count, whole_count, placement_count);
}
END_TEST

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
START_TEST(start_that_was_ended_can_be_made_again)
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
END_TEST

// ---------------------------------------------------------------------------

int main(void)
{
    seed = choose_seed();
    TCase *tests = tcase_create("score");
    tcase_add_loop_test(tests, scores_are_those_of_lumps_that_are_built, 0,
                        COUNT(shapes));
    tcase_add_test(tests, start_that_was_ended_can_be_made_again);
    return run_tests(tests);
}
