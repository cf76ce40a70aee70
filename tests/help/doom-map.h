// SPDX-License-Identifier: GPL-2.0-or-later
//
// The geometry of a map in Doom format, and the same map in other forms.

#ifndef DOOM_MAP_H
#define DOOM_MAP_H

#include "lump-set.h"
#include "oracle.h"

// A linedef as LINEDEFS has it.
struct doom_linedef {
    uint16_t v1, v2, flags, special, tag, right, left;
};

struct doom_map {
    const char *name;
    struct plain_vertex *vertices; // 16.16
    size_t vertex_count;
    struct doom_linedef *linedefs;
    size_t linedef_count;
    // The BLOCKMAP that goes along with every form; size 0 if there is none.
    const void *blockmap;
    size_t blockmap_size;
};

// Decodes a map, for doom_map_free; BLOCKMAP stays the file's.
struct doom_map doom_map_decode(const struct wadfile_map *map);

void doom_map_free(struct doom_map *map);

// Converts a map, for lump_set_free.  The binary forms but Doom 64 take the
// whole units of the coordinates.
struct lump_set doom_map_to_doom(const struct doom_map *map);
struct lump_set doom_map_to_hexen(const struct doom_map *map);
struct lump_set doom_map_to_doom64(const struct doom_map *map);

struct lump_set doom_map_to_udmf(const struct doom_map *map);

// Appends a coordinate in 16.16 as text, with all the digits that it needs.
void doom_map_print_exactly(struct buffer *text, int32_t coordinate);

// The lines for nbstage_map.lines and for the oracle; the caller frees.
struct plain_line *doom_map_to_lines(const struct doom_map *map);
struct oracle_line *doom_map_to_oracle(const struct doom_map *map);

#endif
