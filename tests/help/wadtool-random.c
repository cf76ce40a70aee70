// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random maps that engines load and builders build: one sector, and nodes of a
// single seg.

#include "wadtool.h"

#include "random-map.h"

#include <stdio.h>
#include <string.h>

enum { MOST_MAPS = 32, PLAYER_START = 1, TWO_SIDED = 4, UNITS = 16 };

// Blocks at most, and lines: crowded, medium, long lines, as wide as can be.
static const struct random_shape shapes[] = {
    {"small", 4, 4, 30},
    {"medium", 20, 20, 60},
    {"vast", 220, 150, 20},
    {"long", 400, 2, 30},
};

static void put_vertex(struct buffer *bytes, const struct nbstage_vertex *at)
{
    buffer_put_u16(bytes, (uint32_t)at->x >> UNITS);
    buffer_put_u16(bytes, (uint32_t)at->y >> UNITS);
}

static void put_words(struct buffer *bytes, const int32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_put_u16(bytes, (uint16_t)(words[i] & 0xFFFF));
}

static void put_lump(struct wadwriter *output, const char *name,
                     struct buffer *bytes)
{
    wadwriter_put(output, name, bytes->bytes, bytes->size);
    buffer_free(bytes);
    *bytes = (struct buffer){0};
}

static bool same_place(const struct nbstage_vertex *a,
                       const struct nbstage_vertex *b)
{
    return a->x >> UNITS == b->x >> UNITS && a->y >> UNITS == b->y >> UNITS;
}

// Appends linedefs, their sides and vertices; returns how many.  With points
// each line has two vertices of its own; without, lines of no length are left
// out, and some vertices are not used.
static size_t put_linedefs(const struct random_map *map, bool has_points,
                           struct buffer *linedefs, struct buffer *sidedefs,
                           struct buffer *vertices)
{
    const char side[30] = "\0\0\0\0-\0\0\0\0\0\0\0-\0\0\0\0\0\0\0STARTAN2\0";
    size_t count = 0;
    for (size_t i = 0; i < map->line_count; i++) {
        const struct nbstage_line *line = &map->lines[i];
        if (!has_points &&
            same_place(&map->vertices[line->v1], &map->vertices[line->v2]))
            continue;
        const int32_t right = (int32_t)(2 * count++);
        const int32_t v1 = has_points ? right : (int32_t)line->v1;
        const int32_t v2 = has_points ? right + 1 : (int32_t)line->v2;
        put_words(linedefs,
                  (int32_t[]){v1, v2, TWO_SIDED, 0, 0, right, right + 1}, 7);
        if (has_points) {
            put_vertex(vertices, &map->vertices[line->v1]);
            put_vertex(vertices, &map->vertices[line->v2]);
        }
        buffer_put(sidedefs, side, sizeof side);
        buffer_put(sidedefs, side, sizeof side);
    }
    // The last vertex is far away.
    for (size_t i = 0; !has_points && i + 1 < map->vertex_count; i++)
        put_vertex(vertices, &map->vertices[i]);
    return count;
}

static bool put_map(struct wadwriter *output, const struct random_map *map,
                    size_t number, bool has_points)
{
    const char sector[26] = "\0\0\200\0FLOOR0_1FLOOR0_1\240\0\0\0\0";
    struct buffer bytes = {0}, linedefs = {0}, sidedefs = {0}, vertices = {0};
    const struct nbstage_vertex *start = &map->vertices[map->lines[0].v1];
    char name[9];
    if (put_linedefs(map, has_points, &linedefs, &sidedefs, &vertices) == 0) {
        buffer_free(&vertices);
        return false;
    }
    const int32_t seg[] = {
        wad_u16(linedefs.bytes), wad_u16(linedefs.bytes + 2), 0, 0, 0, 0};
    snprintf(name, sizeof name, "MAP%02u", (unsigned)number % 100);
    wadwriter_put(output, name, NULL, 0);
    put_words(
        &bytes,
        (int32_t[]){start->x >> UNITS, start->y >> UNITS, 0, PLAYER_START, 7},
        5);
    put_lump(output, "THINGS", &bytes);
    put_lump(output, "LINEDEFS", &linedefs);
    put_lump(output, "SIDEDEFS", &sidedefs);
    put_lump(output, "VERTEXES", &vertices);
    put_words(&bytes, seg, 6);
    put_lump(output, "SEGS", &bytes);
    put_words(&bytes, (int32_t[]){1, 0}, 2);
    put_lump(output, "SSECTORS", &bytes);
    wadwriter_put(output, "NODES", NULL, 0);
    wadwriter_put(output, "SECTORS", sector, sizeof sector);
    wadwriter_put(output, "REJECT", "", 1);
    wadwriter_put(output, "BLOCKMAP", NULL, 0);
    return true;
}

void wadtool_random(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    struct random_stream stream = {parse_number(arguments[1], 0, UINT32_MAX)};
    const size_t count = parse_number(arguments[0], 1, MOST_MAPS);
    const bool has_points = strcmp(arguments[2], "points") == 0;
    size_t number = 1;
    (void)wad;
    for (size_t i = 0; number <= count; i++) {
        struct random_map map = random_map_make(&shapes[i % 4], &stream);
        number += put_map(&output, &map, number, has_points);
        random_map_free(&map);
    }
    wadwriter_write(&output, arguments[3]);
}
