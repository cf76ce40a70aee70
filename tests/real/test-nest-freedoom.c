// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom what test-nest proves on families of
// sets: the nesting is valid and as good as the slow reference, which finds
// how good any can be, and a greedy one is not.

#include "counted-memory.h"
#include "doom-map.h"
#include "freedoom.h"
#include "nest-reference.h"
#include "placements.h"
#include "plugin.h"
#include "run-suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

// How much larger the lumps are that a greedy nesting makes.
struct loss {
    size_t map_count; // on which it loses
    double worst;     // parts of the lump
};

static struct lists make_lists(struct context *context,
                               const struct wadfile_map *wad_map)
{
    struct doom_map doom = doom_map_decode(wad_map);
    struct nbstage_line *map_lines = doom_map_to_lines(&doom);
    struct nbstage_map map =
        plugin_map_from_arrays(doom.name, doom.vertices, doom.vertex_count,
                               map_lines, doom.linedef_count);
    struct lines lines = placements_lines(context, &map, false);
    struct grid grid = grid_from(lines.min_x, lines.min_y, &lines);
    struct entries entries;
    struct lists lists;
    ck_assert_int_eq(entries_find(context, &lines, &grid, &entries),
                     NBSTAGE_OK);
    ck_assert_int_eq(lists_build(context, &grid, &entries, &lists), NBSTAGE_OK);
    entries_free(context, &entries);
    lines_free(context, &lines);
    free(map_lines);
    doom_map_free(&doom);
    return lists;
}

// Words of a lump without headers: four, offsets, linedefs, and an end mark
// for each chain.
static size_t count_words(const struct lists *lists, struct nest_gain gain)
{
    size_t words = LUMP_HEADER_WORDS + lists->block_count;
    for (size_t l = 0; l < lists->list_count; l++)
        if (list_length(lists, l) > 0)
            words += list_length(lists, l) + 1;
    return words - (size_t)gain.words - gain.count;
}

static void check_map(const struct wadfile_map *wad_map, struct loss *loss)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct lists lists = make_lists(&context, wad_map);
    struct nesting nesting;
    ck_assert_int_eq(nest_lists(&context, &lists, true, &nesting), NBSTAGE_OK);
    ck_assert(nesting.is_complete);
    nest_reference_check(&lists, &nesting);
    struct nest_gain best = nest_reference_best(&lists);
    struct nest_gain greedy = nest_reference_greedy(&lists);
    ck_assert_uint_eq(nesting.nested_count, best.count);
    ck_assert_uint_eq(nest_gain(&lists, &nesting).words, best.words);
    ck_assert_uint_le(greedy.words, best.words);
    double part = (double)count_words(&lists, greedy) /
                      (double)count_words(&lists, best) -
                  1;
    loss->map_count += greedy.words < best.words;
    if (part > loss->worst)
        loss->worst = part;
    nesting_free(&context, &nesting);
    lists_free(&context, &lists);
    ck_assert_uint_eq(memory.in_use, 0);
}

START_TEST(nestings_are_the_best)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    struct loss loss = {0};
    for (size_t m = 0; m < wad.map_count; m++)
        check_map(&wad.maps[m], &loss);
    printf("%s: greedy loses on %zu of %zu maps, up to %.2f %%\n",
           freedoom_name((size_t)_i), loss.map_count, wad.map_count,
           100 * loss.worst);
    wadfile_free(&wad);
    ck_assert_uint_gt(loss.map_count, 0);
    ck_assert(loss.worst > 0.001 && loss.worst < 0.01);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("nest");
    TCase *maps = tcase_create("Freedoom");
    tcase_set_timeout(maps, 600);
    tcase_add_loop_test(maps, nestings_are_the_best, 0, FREEDOOM_FILES);
    suite_add_tcase(suite, maps);
    return suite;
}

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    return run_suite(make_suite());
}
