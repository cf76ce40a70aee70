// SPDX-License-Identifier: GPL-2.0-or-later
//
// A room for the tests of pruning, in every form of a map, of thirteen lines:
//
//     +-------+-------+     Two sectors, 0 and 1, parted by line 6.  Line 7
//     |   / | |       |     goes from corner to corner of sector 0.  Lines 8 to
//     |  7  | 6       |  +-+  11 are around sector 2, which is apart, and have
//     | /   | |       |  |/|  it on both sides, too; 12 goes from corner to
//     +-------+-------+  +-+  corner of it.

#ifndef PRUNED_ROOM_H
#define PRUNED_ROOM_H

#include "lump-set.h"
#include "oracle.h"

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    LINES = 13,
    VERTICES = 10,
    SECTORS = 3,
    NO_SIDE = 0xFFFF,
    TWO_SIDED = 4,
    INERT = 1 << 6 | 1 << 7 | 1 << 12,
};

enum form {
    FORM_DOOM,
    FORM_HEXEN,
    FORM_DOOM64,
    FORM_UDMF, // namespace zdoom
    FORM_DOOM_ARRAYS,
    FORM_HEXEN_ARRAYS,
    FORM_COUNT
};

enum {
    DOOM = 1 << FORM_DOOM | 1 << FORM_DOOM_ARRAYS,
    HEXEN = 1 << FORM_HEXEN | 1 << FORM_HEXEN_ARRAYS,
    UDMF = 1 << FORM_UDMF,
    ALL = DOOM | HEXEN | UDMF,
};

struct line {
    int v1, v2, front, back; // sectors; -1: none
    unsigned flags, special, tag, id;
};

struct sector {
    int floor, ceiling;
    unsigned special, tag, flags;
    const char *floor_flat, *ceiling_flat;
};

struct room {
    const char *name;
    int vertices[VERTICES][2]; // map units
    struct line lines[LINES];
    struct sector sectors[SECTORS];
    unsigned thing_type, thing_special, thing_tag;
    const char *scripts; // the name of a lump that has some
    // In a text: its namespace, if it is not ZDoom, and fields that a block
    // begins with.
    const char *name_space;
    struct {
        const char *block;
        int index;
        const char *fields;
    } more;
};

// What the picture shows, as MAP01.
extern const struct room room_plain;

// The room as lumps; those of forms of arrays are the other lumps that it has.
struct lump_set room_make_lumps(const struct room *room, enum form form);

// Extended nodes of the room, of a form from "XNOD" to "ZGL3".  No node builder
// would make them, but whoever reads them cannot know: each line is a
// subsector, and split in its middle by a vertex that is added.  Where segs
// have to run around their subsector, one goes back.
struct buffer room_make_nodes(const struct room *room, const char *signature);

struct room_arrays {
    struct plain_vertex vertices[VERTICES];
    struct plain_line lines[LINES];
    struct plain_sector sectors[SECTORS];
    struct {
        uint16_t type, special, tag;
    } thing;
    struct nbstage_vertices all_vertices;
    struct nbstage_lines all_lines;
    struct nbstage_sectors all_sectors;
    struct nbstage_things all_things;
};

// The room as arrays, which the map then points to.
void room_make_arrays(const struct room *room, enum form form,
                      struct room_arrays *arrays, struct nbstage_map *map);

#endif
