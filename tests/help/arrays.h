// SPDX-License-Identifier: GPL-2.0-or-later
//
// Arrays of structures of the tests' own, and maps that describe them.  What
// the macros make lives as long as the block that they are in.

#ifndef ARRAYS_H
#define ARRAYS_H

#include "nbstage.h"

struct plain_vertex {
    int32_t x, y; // 16.16
};

struct plain_line {
    uint32_t v1, v2;
    uint32_t flags, special, tag;
    int32_t args[5];
    uint32_t front_sector, back_sector;
};

struct plain_sector {
    int32_t floor, ceiling; // 16.16
    uint32_t special, tag;
    char floor_flat[8], ceiling_flat[8];
};

#define PLAIN_ARRAY(description, structure, elements, number) \
    { \
        sizeof(struct description), elements, number, sizeof(structure), \
            NBSTAGE_ELEMENTS, 0 \
    }

#define PLAIN_MEMBER(number, structure, field) \
    { \
        number, offsetof(structure, field) \
    }

#define PLAIN_VERTICES(elements, number) \
    (&(const struct nbstage_vertices){ \
        PLAIN_ARRAY(nbstage_vertices, struct plain_vertex, elements, number), \
        PLAIN_MEMBER(NBSTAGE_FIXED, struct plain_vertex, x), \
        PLAIN_MEMBER(NBSTAGE_FIXED, struct plain_vertex, y)})

#define PLAIN_NUMBER(field) \
    .field = PLAIN_MEMBER(NBSTAGE_U32, struct plain_line, field)

// Of lines that begin like struct plain_line, all but their sectors.
#define PLAIN_LINES_OF(structure, elements, number, ...) \
    (&(const struct nbstage_lines){ \
        PLAIN_ARRAY(nbstage_lines, structure, elements, number), \
        PLAIN_NUMBER(v1), PLAIN_NUMBER(v2), PLAIN_NUMBER(flags), \
        PLAIN_NUMBER(special), PLAIN_NUMBER(tag), PLAIN_NUMBER(args[0]), \
        PLAIN_NUMBER(args[1]), PLAIN_NUMBER(args[2]), PLAIN_NUMBER(args[3]), \
        PLAIN_NUMBER(args[4]), __VA_ARGS__})

#define PLAIN_LINES(elements, number) \
    PLAIN_LINES_OF(struct plain_line, elements, number, \
                   PLAIN_NUMBER(front_sector), PLAIN_NUMBER(back_sector))

// Pairs of numbers of vertices, of which no more is known.
#define PLAIN_ENDS(elements, number) \
    (&(const struct nbstage_lines){ \
        PLAIN_ARRAY(nbstage_lines, uint32_t[2], elements, number), \
        .v1 = {NBSTAGE_U32, 0}, .v2 = {NBSTAGE_U32, 4}})

#define PLAIN_SECTORS(elements, number) \
    (&(const struct nbstage_sectors){ \
        PLAIN_ARRAY(nbstage_sectors, struct plain_sector, elements, number), \
        .floor = PLAIN_MEMBER(NBSTAGE_FIXED, struct plain_sector, floor), \
        .ceiling = PLAIN_MEMBER(NBSTAGE_FIXED, struct plain_sector, ceiling), \
        .floor_flat = \
            PLAIN_MEMBER(NBSTAGE_NAME, struct plain_sector, floor_flat), \
        .ceiling_flat = \
            PLAIN_MEMBER(NBSTAGE_NAME, struct plain_sector, ceiling_flat), \
        .special = PLAIN_MEMBER(NBSTAGE_U32, struct plain_sector, special), \
        .tag = PLAIN_MEMBER(NBSTAGE_U32, struct plain_sector, tag)})

// A map of lumps alone.
static inline struct nbstage_map
map_of_lumps(const char *name, const struct nbstage_lump *lumps, size_t count)
{
    return (struct nbstage_map){.size = sizeof(struct nbstage_map),
                                .name = name,
                                .lumps = lumps,
                                .lump_count = count};
}

// What a map has of arrays, for longer than its block.
struct kept_arrays {
    struct nbstage_vertices vertices;
    struct nbstage_lines lines;
};

static inline void arrays_keep(struct nbstage_map *map,
                               struct kept_arrays *kept)
{
    kept->vertices = *map->vertices;
    kept->lines = *map->lines;
    map->vertices = &kept->vertices;
    map->lines = &kept->lines;
}

#define NO_THINGS \
    (&(const struct nbstage_things){.array.size = \
                                        sizeof(struct nbstage_things)})

#define PLAIN_MAP(map_name, vertex_array, vertex_number, line_array, \
                  line_number) \
    ((struct nbstage_map){.size = sizeof(struct nbstage_map), \
                          .name = map_name, \
                          .vertices = \
                              PLAIN_VERTICES(vertex_array, vertex_number), \
                          .lines = PLAIN_LINES(line_array, line_number)})

#endif
