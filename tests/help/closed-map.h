// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random maps for the model of movers: a mesh of rooms, of void and of sectors
// that are closed, with what pruning has to look at: doors, tags, teleports,
// islands, sectors that refer to themselves, lines that cross others.

#ifndef CLOSED_MAP_H
#define CLOSED_MAP_H

#include "lump-set.h"
#include "random-map.h"

enum { CLOSED_NONE = -1 }; // no sector

struct closed_line {
    int v1, v2, front, back; // sectors, or CLOSED_NONE
    unsigned flags, special, tag;
};

struct closed_sector {
    int floor, ceiling;
    unsigned special, tag;
    bool has_sky;
};

struct closed_thing {
    int x, y;
    unsigned type;
};

// Whole map units.
struct closed_map {
    int (*vertices)[2];
    struct closed_line *lines;
    struct closed_sector *sectors;
    struct closed_thing *things;
    int vertex_count, line_count, sector_count, thing_count;
};

// How a map is made: cells in a row and in a column, and how wide one is.
struct closed_shape {
    int columns, rows;
    int narrowest, widest; // map units
    bool is_plain;         // no tricks and no exits, for the games
    bool has_border;       // of closed sectors below the sky
};

// The same shape and state of the stream make the same map; for
// closed_map_free.
struct closed_map closed_map_make(const struct closed_shape *shape,
                                  struct random_stream *stream);

// The map in Doom's binary format, as MAP01, for lump_set_free.
struct lump_set closed_map_lumps(const struct closed_map *map);

void closed_map_free(struct closed_map *map);

#endif
