// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map in Doom format as players meet it: walls, sectors, things, nodes.

#ifndef LEVEL_H
#define LEVEL_H

#include "wadfile.h"

#include <stdint.h>

enum {
    LEVEL_NONE = 0xFFFF, // in place of a sector
    LEVEL_UNIT = 65536,  // a map unit in 16.16
};

// Bits of a linedef's flags.
enum { LEVEL_BLOCKING = 1 };

// What a thing is.
enum { LEVEL_PLAYER_1 = 1, LEVEL_TELEPORT_DESTINATION = 14 };

struct level_point {
    int32_t x, y; // 16.16
};

struct level_linedef {
    struct level_point v1, v2;
    uint16_t flags, special, tag;
    uint16_t front, back; // sectors
};

struct level_thing {
    struct level_point place;
    uint16_t type;
};

// A line that divides; children with LEVEL_SUBSECTOR are subsectors.
struct level_node {
    struct level_point place;
    int32_t dx, dy; // map units
    uint16_t children[2];
};

enum { LEVEL_SUBSECTOR = 0x8000 };

struct level {
    struct level_linedef *linedefs;
    size_t linedef_count;
    struct level_thing *things;
    size_t thing_count;
    uint16_t *sector_tags;
    size_t sector_count;
    struct level_node *nodes;
    size_t node_count;
    uint16_t *subsectors; // the sector of each
    size_t subsector_count;
};

// Prints a sentence and ends the program with 2.
_Noreturn void level_fail(const char *format, ...);

// Zeroed memory for so many elements, for free.
void *level_allocate(size_t count, size_t size);

// Decodes a map, for level_free.  The sector of every subsector is there, and
// those of linedefs are, or LEVEL_NONE.
struct level level_decode(const struct wadfile_map *map);

void level_free(struct level *level);

// The sector that a point is in, as its nodes tell.
uint16_t level_find_sector(const struct level *level,
                           const struct level_point *point);

// Where player 1 starts; he must be there.  The last one counts.
struct level_point level_find_start(const struct level *level);

#endif
