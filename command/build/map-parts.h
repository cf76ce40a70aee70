// SPDX-License-Identifier: GPL-2.0-or-later
//
// The linedefs of a map, each with all that it leads to: the coordinates of its
// ends, its sides, and the sectors there.  So lumps that a builder has
// renumbered can be compared.  Numbers of what does not exist count as they
// stand.

#ifndef MAP_PARTS_H
#define MAP_PARTS_H

#include "build/textmap.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parts_lump {
    const unsigned char *bytes;
    size_t size;
};

struct map_parts {
    size_t line_count;

    // Private.
    struct parts_lump linedefs, sidedefs, vertexes, sectors;
    const struct parts_format *format; // of a binary map
    bool is_udmf;
    struct textmap text;
};

// What is compared of a linedef, in the order in which differences are named.
enum part_aspect {
    PART_ENDS,
    PART_FLAGS,
    PART_SPECIAL,
    PART_TAG, // or the arguments
    PART_FRONT,
    PART_FRONT_SECTOR,
    PART_BACK,
    PART_BACK_SECTOR,
    PART_FIELDS, // all others of a UDMF linedef
    PART_ASPECTS,
};

// "flags", ...
extern const char *const part_aspect_names[PART_ASPECTS];

#define PART_NO_SECTOR UINT32_MAX

struct part_line {
    bool has_ends;                  // both vertices exist
    int64_t x1, y1, x2, y2;         // 16.16
    uint64_t aspects[PART_ASPECTS]; // digests
    uint64_t digest;                // of all aspects
    uint16_t special, tag;          // in Doom format
    uint32_t sectors[2]; // numbers; PART_NO_SECTOR if there is no such sector
};

// Returns a map's lump of this name, cut at the end of the file; empty if the
// map has none.  All of the file must be in memory.
struct parts_lump map_parts_lump(const struct wad *wad,
                                 const struct map_place *map, const char *name);

// Opens a map.  Returns false if memory runs out.  A text that is malformed has
// no linedefs.  Call map_parts_close in any case.
bool map_parts_open(const struct wad *wad, const struct map_place *map,
                    struct map_parts *parts);

void map_parts_get_line(const struct map_parts *parts, size_t index,
                        struct part_line *line);

// Whether both ends are at one place, so that builders may drop the line.
bool part_line_is_empty(const struct part_line *line);

size_t map_parts_count_sectors(const struct map_parts *parts);

void map_parts_close(struct map_parts *parts);

#endif
