// SPDX-License-Identifier: GPL-2.0-or-later

#include "scattered-map.h"

#include <check.h>
#include <stdlib.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static int32_t random_coordinate(struct random_stream *stream, uint32_t low,
                                 uint32_t length)
{
    return (int32_t)(low + random_below(stream, length)) * UNIT;
}

static void make_line(const struct scatter *scatter,
                      struct random_stream *stream, struct random_map *map,
                      uint32_t number)
{
    uint32_t start = 2 * number;
    uint32_t x = random_below(stream, scatter->side - scatter->length);
    uint32_t y = random_below(stream, scatter->side - scatter->length);
    for (uint32_t v = start; v < start + 2; v++) {
        map->vertices[v].x = random_coordinate(stream, x, scatter->length);
        map->vertices[v].y = random_coordinate(stream, y, scatter->length);
    }
    map->lines[number] = (struct nbstage_line){
        .v1 = start,
        .v2 = start + 1,
        .front_sector = NBSTAGE_NONE,
        .back_sector = NBSTAGE_NONE,
    };
}

struct random_map scattered_map_make(const struct scatter *scatter)
{
    struct random_stream stream = {scatter->seed};
    struct random_map map = {
        .step = UNIT,
        .line_count = scatter->lines,
        .vertex_count = 2 * (size_t)scatter->lines,
    };
    map.lines = calloc(map.line_count, sizeof *map.lines);
    map.vertices = calloc(map.vertex_count, sizeof *map.vertices);
    if (!map.lines || !map.vertices)
        ck_abort_msg("no memory for %zu lines", map.line_count);
    for (uint32_t i = 0; i < scatter->lines; i++)
        make_line(scatter, &stream, &map, i);
    return map;
}
