// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom what test-score proves on random ones:
// the scorer tells the size and the largest offset of lumps that are built.
// It is held against a sample of the 16,384 placements of each map, in which
// all offsets in x and in y occur; with --all, as `make check-long` runs it,
// against every one of them.

#include "counted-memory.h"
#include "doom-map.h"
#include "freedoom.h"
#include "placements.h"
#include "run-suite.h"
#include "slowness.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Coprime to the 128 offsets: 529 placements of a map.
enum { SAMPLE_STRIDE = SLOWNESS == 1 ? 31 : 31 * SLOWNESS + 1 };

static int32_t stride = SAMPLE_STRIDE;

static size_t check_map(const struct wadfile_map *wad_map)
{
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct doom_map doom = doom_map_decode(wad_map);
    struct nbstage_line *map_lines = doom_map_to_lines(&doom);
    struct nbstage_map map =
        plugin_map_from_arrays(doom.name, doom.vertices, doom.vertex_count,
                               map_lines, doom.linedef_count);
    struct lines lines = placements_lines(&context, &map, false);
    size_t count = placements_check_scores(&context, &lines, stride, doom.name);
    lines_free(&context, &lines);
    free(map_lines);
    doom_map_free(&doom);
    ck_assert_uint_eq(memory.in_use, 0);
    return count;
}

START_TEST(scores_are_those_of_lumps_that_are_built)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t count = 0;
    for (size_t m = 0; m < wad.map_count; m++)
        count += check_map(&wad.maps[m]);
    printf("%s: %zu maps, %zu placements\n", freedoom_name((size_t)_i),
           wad.map_count, count);
    wadfile_free(&wad);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("score");
    TCase *maps = tcase_create("Freedoom");
    tcase_set_timeout(maps, 1800);
    tcase_add_loop_test(maps, scores_are_those_of_lumps_that_are_built, 0,
                        FREEDOOM_FILES);
    suite_add_tcase(suite, maps);
    return suite;
}

int main(int argument_count, char **arguments)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    if (argument_count > 1 && strcmp(arguments[1], "--all") == 0)
        stride = 1;
    return run_suite(make_suite());
}
