// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map: where its vertices and lines are and how to read them.
//
// A map is a view.  It points into the lumps or arrays that the host handed
// over, which must outlive it; nothing is copied and nothing needs freeing.

#ifndef MAP_H
#define MAP_H

#include "context.h"

// A raw lump, not compressed.
struct map_lump {
    const char *name;
    const void *data;
    size_t size; // bytes
};

// Decoded arrays.  Elements are `..._stride` bytes apart and aligned for
// int32_t.  A vertex begins with int32_t x, y in 16.16; a line begins with
// uint32_t v1, v2.
struct map_arrays {
    const void *vertices;
    size_t vertex_count;
    size_t vertex_stride;
    const void *lines;
    size_t line_count;
    size_t line_stride;
};

enum map_form {
    MAP_DOOM,   // little-endian lumps: int16_t x, y; uint16_t v1, v2
    MAP_ARRAYS, // native: int32_t x, y in 16.16; uint32_t v1, v2
};

struct map {
    enum map_form form;
    const unsigned char *vertices;
    size_t vertex_count;
    size_t vertex_stride; // bytes
    const unsigned char *lines;
    size_t line_count;
    size_t line_stride; // bytes

    // The BLOCKMAP lump that the map has now; NULL and 0 if it has none.
    const unsigned char *blockmap;
    size_t blockmap_size; // bytes
};

// Reads a map from its raw lumps, given in any order.
// STATUS_BAD_MAP: a lump is missing or its size is not a whole number of
// records.  STATUS_UNSUPPORTED: the map is not in Doom format.
enum status map_from_lumps(struct context *context,
                           const struct map_lump *lumps, size_t lump_count,
                           struct map *map);

// Reads a map from arrays; of the lumps only the present BLOCKMAP is used.
// STATUS_BAD_MAP: a NULL array, a stride that is too small or not aligned.
enum status map_from_arrays(struct context *context,
                            const struct map_arrays *arrays,
                            const struct map_lump *lumps, size_t lump_count,
                            struct map *map);

#endif
