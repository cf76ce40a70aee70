// SPDX-License-Identifier: GPL-2.0-or-later
//
// A drawing, the geometry of a map, is written as lumps of Doom's format or as
// arrays.

#include "check.h"

#include <string.h>

uint32_t map_random(uint64_t *state, uint32_t end)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * end >> 32);
}

enum { MOST_VERTICES = 40, MOST_LINES = 60, MOST_BETWEEN = 13 };

// Elements of arrays.
struct map_vertex {
    int32_t x, y; // 16.16
};
struct map_line {
    uint32_t v1, v2;
    uint16_t flags;
    int16_t special, tag;
};

// In map units.
struct drawing {
    size_t vertex_count, line_count;
    struct {
        int16_t x, y;
    } vertices[MOST_VERTICES];
    struct {
        uint16_t v1, v2;
    } lines[MOST_LINES];
};

static const struct drawing rooms = {
    6,
    7,
    {{0, 0}, {0, 256}, {500, 256}, {1000, 256}, {1000, 0}, {500, 0}},
    {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {2, 5}}};

// Lines anywhere; some have no length.
static struct drawing map_scatter(uint64_t state, uint32_t size)
{
    struct drawing made = {.vertex_count = MOST_VERTICES,
                           .line_count = MOST_LINES};
    for (size_t i = 0; i < MOST_VERTICES; i++) {
        made.vertices[i].x = (int16_t)(map_random(&state, size) - size / 2);
        made.vertices[i].y = (int16_t)(map_random(&state, size) - size / 2);
    }
    for (size_t i = 0; i < MOST_LINES; i++) {
        made.lines[i].v1 = (uint16_t)map_random(&state, MOST_VERTICES);
        made.lines[i].v2 = (uint16_t)map_random(&state, MOST_VERTICES);
    }
    return made;
}

enum { LINEDEF_SIZE = 14, VERTEX_SIZE = 4 };

// Little-endian numbers of 16 bits.
static void map_put(unsigned char **next, unsigned number)
{
    *(*next)++ = (unsigned char)number;
    *(*next)++ = (unsigned char)(number >> 8);
}

static struct nbstage_lump map_lump(const char *name,
                                    const unsigned char *bytes, size_t size)
{
    return (struct nbstage_lump){.size = sizeof(struct nbstage_lump),
                                 .name = guarded_copy(name, strlen(name) + 1),
                                 .data = guarded_copy(bytes, size),
                                 .data_size = size};
}

static void map_add_lumps(struct nbstage_map *map,
                          const struct drawing *drawing)
{
    unsigned char linedefs[MOST_LINES * LINEDEF_SIZE] = {0};
    unsigned char vertexes[MOST_VERTICES * VERTEX_SIZE];
    unsigned char *next = vertexes;
    for (size_t i = 0; i < drawing->vertex_count; i++) {
        map_put(&next, (uint16_t)drawing->vertices[i].x);
        map_put(&next, (uint16_t)drawing->vertices[i].y);
    }
    for (size_t i = 0; i < drawing->line_count; i++) {
        next = linedefs + i * LINEDEF_SIZE;
        map_put(&next, drawing->lines[i].v1);
        map_put(&next, drawing->lines[i].v2);
        map_put(&next, 1); // flags; special, tag and the front side are 0
        next = linedefs + (i + 1) * LINEDEF_SIZE - 2;
        map_put(&next, 0xFFFF);
    }
    const struct nbstage_lump lumps[] = {
        map_lump("LINEDEFS", linedefs, drawing->line_count * LINEDEF_SIZE),
        map_lump("VERTEXES", vertexes, drawing->vertex_count * VERTEX_SIZE)};
    map->lumps = guarded_copy(lumps, sizeof lumps);
    map->lump_count = COUNT(lumps);
}

// Elements with some bytes of garbage between them; the last one ends where
// memory ends.
static const void *map_spread(const void *elements, size_t count, size_t size,
                              size_t between)
{
    char bytes[MOST_LINES * (sizeof(struct map_line) + MOST_BETWEEN)];
    memset(bytes, 0xA5, sizeof bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + i * (size + between), (const char *)elements + i * size,
               size);
    return guarded_copy(bytes, count * (size + between) - between);
}

static void map_add_arrays(struct nbstage_map *map,
                           const struct drawing *drawing, size_t between)
{
    struct map_vertex vertices[MOST_VERTICES];
    struct map_line lines[MOST_LINES] = {0};
    struct nbstage_vertices points = {.array.size = sizeof points};
    struct nbstage_lines walls = {.array.size = sizeof walls};
    for (size_t i = 0; i < drawing->vertex_count; i++)
        vertices[i] = (struct map_vertex){drawing->vertices[i].x * 65536,
                                          drawing->vertices[i].y * 65536};
    for (size_t i = 0; i < drawing->line_count; i++)
        lines[i] = (struct map_line){
            .v1 = drawing->lines[i].v1, .v2 = drawing->lines[i].v2, .flags = 1};
    points.array.data =
        map_spread(vertices, drawing->vertex_count, sizeof *vertices, between);
    points.array.count = drawing->vertex_count;
    points.array.stride = sizeof *vertices + between;
    NBSTAGE_SET(points.x, NBSTAGE_FIXED, struct map_vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_FIXED, struct map_vertex, y);
    walls.array.data =
        map_spread(lines, drawing->line_count, sizeof *lines, between);
    walls.array.count = drawing->line_count;
    walls.array.stride = sizeof *lines + between;
    NBSTAGE_SET(walls.v1, NBSTAGE_U32, struct map_line, v1);
    NBSTAGE_SET(walls.v2, NBSTAGE_U32, struct map_line, v2);
    NBSTAGE_SET(walls.flags, NBSTAGE_U16, struct map_line, flags);
    NBSTAGE_SET(walls.special, NBSTAGE_I16, struct map_line, special);
    NBSTAGE_SET(walls.tag, NBSTAGE_I16, struct map_line, tag);
    map->vertices = guarded_copy(&points, sizeof points);
    map->lines = guarded_copy(&walls, sizeof walls);
}

struct nbstage_map map_make(size_t index)
{
    static const char *const names[FORMS] = {
        "as lumps", "as arrays", "as spread arrays", "as arrays and lumps"};
    const struct drawing drawing =
        index < FORMS
            ? rooms
            : map_scatter(settings.seed, index < 2 * FORMS ? 2000 : 20000);
    const enum form form = index % FORMS;
    char name[48];
    snprintf(name, sizeof name, "map %zu %s", index / FORMS, names[form]);
    struct nbstage_map map = {.size = sizeof map,
                              .name = guarded_copy(name, strlen(name) + 1),
                              .format = NBSTAGE_FORMAT_DOOM};
    if (form == FORM_LUMPS || form == FORM_BOTH)
        map_add_lumps(&map, &drawing);
    if (form == FORM_LUMPS)
        return map;
    // Nothing need be aligned.
    map_add_arrays(&map, &drawing, form == FORM_SPREAD ? MOST_BETWEEN : 0);
    return map;
}
