// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first tile begins near the south-west corner of all coordinates.  Tiles
// stand a few units apart, so that blocks fall differently on each of them.

#include "tiled-map.h"

#include <check.h>
#include <stdlib.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    GAP = 40,       // between two tiles, map units
    MARGIN = 256,   // south and west of the first one, map units
};

// Where a tile begins, and how far from one to the next; 16.16.
struct frame {
    int64_t west, south;
    int64_t width, height;
};

static struct frame find_frame(const struct doom_map *tile)
{
    struct nbstage_vertex low = {INT32_MAX, INT32_MAX};
    struct nbstage_vertex high = {INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < 2 * tile->linedef_count; i++) {
        const struct doom_linedef *linedef = &tile->linedefs[i / 2];
        struct nbstage_vertex end =
            tile->vertices[i % 2 == 0 ? linedef->v1 : linedef->v2];
        low.x = end.x < low.x ? end.x : low.x;
        low.y = end.y < low.y ? end.y : low.y;
        high.x = end.x > high.x ? end.x : high.x;
        high.y = end.y > high.y ? end.y : high.y;
    }
    return (struct frame){low.x, low.y,
                          (int64_t)high.x - low.x + (int64_t)GAP * UNIT,
                          (int64_t)high.y - low.y + (int64_t)GAP * UNIT};
}

static int32_t move(int32_t coordinate, int64_t begin, int64_t distance)
{
    int64_t moved =
        (int64_t)INT32_MIN + MARGIN * UNIT + coordinate - begin + distance;
    if (moved > INT32_MAX)
        ck_abort_msg("the tiles go beyond the range of coordinates");
    return (int32_t)moved;
}

// Adds a tile, with two vertices for each of its lines.
static void add_tile(const struct doom_map *tile, const struct frame *frame,
                     uint32_t column, uint32_t row, struct random_map *map)
{
    for (size_t i = 0; i < tile->linedef_count; i++) {
        const uint32_t ends[] = {tile->linedefs[i].v1, tile->linedefs[i].v2};
        map->lines[map->line_count++] = (struct nbstage_line){
            .v1 = (uint32_t)map->vertex_count,
            .v2 = (uint32_t)map->vertex_count + 1,
            .front_sector = NBSTAGE_NONE,
            .back_sector = NBSTAGE_NONE,
        };
        for (size_t e = 0; e < 2; e++) {
            struct nbstage_vertex end = tile->vertices[ends[e]];
            map->vertices[map->vertex_count++] = (struct nbstage_vertex){
                move(end.x, frame->west, column * frame->width),
                move(end.y, frame->south, row * frame->height)};
        }
    }
}

struct random_map tiled_map_make(const struct doom_map *tile, uint32_t columns,
                                 uint32_t rows)
{
    const size_t line_count = tile->linedef_count * columns * rows;
    struct random_map map = {.step = UNIT};
    map.lines = calloc(line_count, sizeof *map.lines);
    map.vertices = calloc(2 * line_count, sizeof *map.vertices);
    ck_assert(map.lines && map.vertices);
    struct frame frame = find_frame(tile);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            add_tile(tile, &frame, column, row, &map);
    return map;
}
