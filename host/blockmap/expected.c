// SPDX-License-Identifier: GPL-2.0-or-later
//
// The truth takes up to three builds, each of them short.  The first, with the
// grid fit to the lines, tells how far they reach, and whether any is left out.
// If some are, which they are follows from its lists, and a second one tells
// how far all lines reach.  The last build is that of the truth, with the
// present origin, moved by whole blocks if lines reach further.

#include "config.h"

#include "blockmap/expected.h"

#include "blockmap/list-headers.h"
#include "memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Builds lists of what the lines touch and nothing else, each by itself.
static const char *build_exactly(struct open_file *file,
                                 const struct open_map *map, const char *grid,
                                 const char *prune,
                                 struct nbstage_result *result)
{
    const struct stage_setting settings[] = {
        {"source", "geometry"}, {"grid", grid},     {"bounds", "lines"},
        {"prune", prune},       {"pack", "none"},   {"header", "zero"},
        {"fit", "none"},        {"format", "xbm1"}, {"overflow", "xbm1"},
        {"check-nodes", "no"},
    };
    return open_map_build(file, &map->map, settings,
                          sizeof settings / sizeof *settings, result);
}

// ---------------------------------------------------------------------------
// How far lines reach

static void clear_listed(struct open_map *map, const struct blockmap *blockmap,
                         const struct blockmap_list *list)
{
    for (size_t w = list->begin; w < list->end; w++) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (linedef < map->line_count)
            map->left_out[linedef] = false;
    }
}

// Marks the linedefs that no list has.
static void find_left_out(struct open_map *map,
                          const struct nbstage_result *result)
{
    struct blockmap blockmap;
    map->left_out = memory_get(map->line_count, sizeof *map->left_out);
    memset(map->left_out, true, map->line_count);
    open_map_read_result(result, map->line_count, &blockmap);
    for (size_t b = 0; b < blockmap.block_count; b++)
        clear_listed(map, &blockmap, &blockmap.lists[b]);
    blockmap_free(&blockmap);
}

void expected_find_corner(struct open_file *file, struct open_map *map,
                          struct expected_corner *corner)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    struct nbstage_result result;
    file->current = map; // one build is enough to warn
    const char *sentence =
        build_exactly(file, map, "fit", open_map_prune(file), &result);
    file->current = NULL;
    map->line_count = (size_t)open_map_number(&result, "linedefs");
    bool some_left_out = open_map_number(&result, "pruned_tagged") > 0 ||
                         open_map_number(&result, "pruned_inert") > 0;
    if (!sentence && some_left_out) {
        find_left_out(map, &result);
        stage->free_result(file->stage.instance, &result);
        sentence = build_exactly(file, map, "fit", "none", &result);
    }
    *corner = (struct expected_corner){open_map_number(&result, "origin_x"),
                                       open_map_number(&result, "origin_y")};
    if (sentence)
        open_map_fail(file, map, sentence);
    stage->free_result(file->stage.instance, &result);
}

// ---------------------------------------------------------------------------
// Lists

// How many blocks before the origin the one is that a coordinate is in.
static size_t blocks_before(int64_t origin, int64_t coordinate)
{
    return coordinate < origin
               ? (size_t)((origin - coordinate + BLOCKMAP_SIDE - 1) /
                          BLOCKMAP_SIDE)
               : 0;
}

// Whether a lump is what was asked of the stage, which may be any.
static bool is_exact(const struct blockmap *expected,
                     struct expected_corner corner)
{
    return expected->form == BLOCKMAP_XBM1 &&
           expected->fault == BLOCKMAP_SOUND &&
           expected->headers == HEADERS_ZERO &&
           expected->too_large_count == 0 && expected->unsorted_count == 0 &&
           expected->fault_count[LIST_READABLE] == expected->block_count &&
           expected->origin_x / BLOCKMAP_UNIT == corner.x &&
           expected->origin_y / BLOCKMAP_UNIT == corner.y;
}

// Aligns the blocks of the truth, which begin where lines do at the latest,
// with those of the present grid; returns where they begin.
static struct expected_corner align(struct open_map *map,
                                    struct expected_corner corner)
{
    const struct blockmap *present = &map->present;
    int64_t x = present->origin_x / BLOCKMAP_UNIT;
    int64_t y = present->origin_y / BLOCKMAP_UNIT;
    if (!blockmap_has_table(present))
        return corner;
    map->west = blocks_before(x, corner.x);
    map->south = blocks_before(y, corner.y);
    return (struct expected_corner){x - (int64_t)map->west * BLOCKMAP_SIDE,
                                    y - (int64_t)map->south * BLOCKMAP_SIDE};
}

static void build_lists(struct open_file *file, struct open_map *map,
                        struct expected_corner corner)
{
    char grid[64];
    char refusal[160];
    snprintf(grid, sizeof grid, "%lld,%lld", (long long)corner.x,
             (long long)corner.y);
    const char *sentence =
        build_exactly(file, map, grid, "none", &map->expected_result);
    if (sentence) {
        open_map_fail(file, map, sentence);
        return;
    }
    open_map_read_result(&map->expected_result, map->line_count,
                         &map->expected);
    map->has_expected = is_exact(&map->expected, corner);
    if (map->has_expected) {
        list_headers_find(map);
        return;
    }
    snprintf(refusal, sizeof refusal,
             "%s: the stage %s does not build what could be compared with",
             map->name, file->stage.descriptor->name);
    open_map_fail(file, map, refusal);
}

// Why no build can have the blocks of the present grid, which would begin at a
// corner; NULL if one can.
static const char *find_problem(const struct blockmap *present,
                                struct expected_corner corner)
{
    if (!blockmap_has_table(present))
        return NULL;
    if (present->origin_x % BLOCKMAP_UNIT != 0 ||
        present->origin_y % BLOCKMAP_UNIT != 0)
        return "is not in whole map units";
    if (corner.x < INT16_MIN || corner.y < INT16_MIN)
        return "puts lines in blocks that begin outside the coordinates";
    return NULL;
}

static void doubt_origin(struct open_map *map, const char *problem)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "%s: BLOCKMAP: the origin %.10g,%.10g %s; what the blocks should "
             "list cannot be told",
             map->name, blockmap_edge(map->present.origin_x, 0),
             blockmap_edge(map->present.origin_y, 0), problem);
    open_map_doubt(map, sentence);
}

void expected_build(struct open_file *file, struct open_map *map,
                    struct expected_corner corner)
{
    corner = align(map, corner);
    const char *problem = find_problem(&map->present, corner);
    if (problem)
        doubt_origin(map, problem);
    else
        build_lists(file, map, corner);
}

// ---------------------------------------------------------------------------
// Questions

struct blockmap_list expected_of_block(const struct open_map *map, size_t block)
{
    const struct blockmap *expected = &map->expected;
    size_t column = block % map->present.columns + map->west;
    size_t row = block / map->present.columns + map->south;
    if (column >= expected->columns || row >= expected->rows)
        return (struct blockmap_list){0};
    return expected->lists[row * expected->columns + column];
}

bool expected_leaves_out(const struct open_map *map, uint32_t linedef)
{
    return map->left_out && map->left_out[linedef];
}

bool expected_misses(const struct open_map *map,
                     const struct list_view *list_view, uint32_t linedef)
{
    return !list_has(list_view, linedef) && !expected_leaves_out(map, linedef);
}

bool expected_is_outside(const struct open_map *map, size_t expected_block,
                         uint64_t columns, uint64_t rows)
{
    size_t column = expected_block % map->expected.columns;
    size_t row = expected_block / map->expected.columns;
    return column < map->west || column - map->west >= columns ||
           row < map->south || row - map->south >= rows;
}
