// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map: where its vertices and lines are and how to read them.
//
// A map is a view as far as it can be.  It points into the lumps or arrays
// that the host handed over, which must outlive it; only what had to be
// inflated or read from text is memory of its own.

#ifndef MAP_H
#define MAP_H

#include "map/inflate.h"

enum map_format {
    MAP_DETECT, // by the lumps present
    MAP_DOOM,   // also Heretic and Strife
    MAP_HEXEN,  // also ZDoom in Hexen format
    MAP_DOOM64,
    MAP_UDMF,
    MAP_ARRAYS, // decoded by the host
};

// A raw lump, as it is stored.
struct map_lump {
    const char *name;
    const void *data;
    size_t size; // bytes
    enum compression compression;
};

// The lumps of a map, in any order, and how to read them.
struct map_lumps {
    const struct map_lump *lumps;
    size_t count;
    enum map_format format; // MAP_DETECT, or what the host says it is
    size_t inflate_limit;   // bytes that a compressed lump may grow to
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
    // For attributes.h: struct nbstage_line, or as much of it as a line's
    // stride holds, struct nbstage_sector likewise, and the format whose rules
    // they follow; MAP_DETECT stands for MAP_DOOM.  Sectors may be NULL.
    enum map_format rules;
    const void *sectors;
    size_t sector_count;
    size_t sector_stride;
};

enum map_vertex_form {
    MAP_VERTEX_INT16,  // little-endian int16_t x, y in map units
    MAP_VERTEX_INT32,  // little-endian int32_t x, y in 16.16
    MAP_VERTEX_NATIVE, // the machine's int32_t x, y in 16.16
};

enum map_line_form {
    MAP_LINE_UINT16, // little-endian uint16_t v1, v2
    MAP_LINE_NATIVE, // the machine's uint32_t v1, v2
};

// Bytes of a lump, inflated if need be.
struct map_bytes {
    const unsigned char *bytes;
    size_t size;
};

// The lumps that nodes are looked for in.
enum map_node_lump { MAP_ZNODES, MAP_NODES, MAP_SSECTORS, MAP_SEGS };

// The lumps that attributes are looked for in.  Beside arrays all but the
// first two serve, THINGS only by the rules of a binary format.
enum map_attribute_lump {
    MAP_SIDEDEFS,
    MAP_SECTORS,
    MAP_THINGS,
    MAP_BEHAVIOR,
    MAP_SCRIPTS,
    MAP_DIALOGUE,
};

enum {
    MAP_NODE_LUMPS = 4,
    MAP_ATTRIBUTE_LUMPS = 6,
    // LINEDEFS and VERTEXES, or TEXTMAP and its two arrays; BLOCKMAP; nodes;
    // attributes.
    MAP_OWNED_MAX = 3 + 1 + MAP_NODE_LUMPS + MAP_ATTRIBUTE_LUMPS,
};

struct map {
    enum map_format format;

    enum map_vertex_form vertex_form;
    const unsigned char *vertices;
    size_t vertex_count;
    size_t vertex_stride; // bytes

    enum map_line_form line_form;
    const unsigned char *lines;
    size_t line_count;
    size_t line_stride; // bytes

    // The BLOCKMAP lump that the map has now; NULL and 0 if it has none.
    struct map_bytes blockmap;

    // NULL where the map has no such lump.
    const struct map_lump *node_lumps[MAP_NODE_LUMPS];
    // Of attributes, those that have not been opened; the others are bytes.
    const struct map_lump *attribute_lumps[MAP_ATTRIBUTE_LUMPS];
    struct map_bytes attribute_bytes[MAP_ATTRIBUTE_LUMPS];
    size_t inflate_limit; // bytes

    // What attributes are read by: the format whose rules the lines follow,
    // which is never MAP_ARRAYS; the text of MAP_UDMF; the host's sectors.
    enum map_format rules;
    struct map_bytes text;
    const void *sectors;
    size_t sector_count;
    size_t sector_stride; // bytes

    // Memory of the map's own, to be released.
    void *owned[MAP_OWNED_MAX];
    size_t owned_count;
};

// Reads a map from its raw lumps.
// NBSTAGE_BAD_MAP: a lump is missing, or damaged, or its size is not a whole
// number of records.
nbstage_status map_from_lumps(struct context *context,
                              const struct map_lumps *lumps, struct map *map);

// Reads a map from arrays; of the lumps BLOCKMAP, nodes, things and scripts are
// used.
// NBSTAGE_BAD_MAP: a NULL array, a stride that is too small or not aligned.
nbstage_status map_from_arrays(struct context *context,
                               const struct map_arrays *arrays,
                               const struct map_lumps *lumps, struct map *map);

// The bytes of one of the node lumps; size 0 if the map has no such lump.  To
// be called once for each.
nbstage_status map_node_bytes(struct context *context, struct map *map,
                              enum map_node_lump lump, struct map_bytes *bytes);

// The same for the lumps of attributes.
nbstage_status map_attribute_bytes(struct context *context, struct map *map,
                                   enum map_attribute_lump lump,
                                   struct map_bytes *bytes);

void map_free(struct context *context, struct map *map);

#endif
