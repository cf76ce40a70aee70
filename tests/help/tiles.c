// SPDX-License-Identifier: GPL-2.0-or-later

#include "tiles.h"

#include "buffer.h"

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    GAP = 40 * UNIT,
    LOWEST = INT32_MIN + 256 * UNIT, // grids may begin further south-west
};

static struct nbstage_vertex find_size(const struct doom_map *map,
                                       struct nbstage_vertex *low)
{
    *low = map->vertices[0];
    struct nbstage_vertex high = *low;
    for (size_t i = 0; i < map->vertex_count; i++) {
        struct nbstage_vertex at = map->vertices[i];
        low->x = at.x < low->x ? at.x : low->x;
        low->y = at.y < low->y ? at.y : low->y;
        high.x = at.x > high.x ? at.x : high.x;
        high.y = at.y > high.y ? at.y : high.y;
    }
    return (struct nbstage_vertex){high.x - low->x, high.y - low->y};
}

// Adds a tile that is moved by so much.
static void add_tile(const struct doom_map *map, uint32_t tile, uint32_t tiles,
                     int64_t x, int64_t y, struct random_map *tiled)
{
    uint32_t first = tile * (uint32_t)map->vertex_count;
    for (size_t i = 0; i < map->vertex_count; i++)
        tiled->vertices[first + i] =
            (struct nbstage_vertex){(int32_t)(map->vertices[i].x + x),
                                    (int32_t)(map->vertices[i].y + y)};
    for (size_t i = 0; i < map->linedef_count; i++)
        tiled->lines[i * tiles + tile] = (struct nbstage_line){
            .v1 = first + map->linedefs[i].v1,
            .v2 = first + map->linedefs[i].v2,
            .flags = map->linedefs[i].flags,
            .front_sector = NBSTAGE_NONE,
            .back_sector = NBSTAGE_NONE,
        };
}

bool tiles_make(const struct doom_map *map, uint32_t tiles,
                struct random_map *tiled)
{
    struct nbstage_vertex low;
    const struct nbstage_vertex size = find_size(map, &low);
    const int64_t width = (int64_t)size.x + GAP;
    const int64_t height = (int64_t)size.y + GAP;
    uint32_t columns = 1;
    while (columns * columns < tiles)
        columns++;
    const uint32_t rows = (tiles + columns - 1) / columns;
    if (LOWEST + columns * width > INT32_MAX ||
        LOWEST + rows * height > INT32_MAX)
        return false;
    *tiled = (struct random_map){
        .vertex_count = tiles * map->vertex_count,
        .line_count = tiles * map->linedef_count,
    };
    tiled->vertices =
        allocate_zeros(tiled->vertex_count, sizeof *tiled->vertices);
    tiled->lines = allocate_zeros(tiled->line_count, sizeof *tiled->lines);
    for (uint32_t tile = 0; tile < tiles; tile++)
        add_tile(map, tile, tiles, LOWEST + tile % columns * width - low.x,
                 LOWEST + tile / columns * height - low.y, tiled);
    return true;
}
