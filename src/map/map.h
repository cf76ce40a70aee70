// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map: where its vertices and lines are and how to read them.
//
// A map points into the host's lumps or arrays, which must outlive it.  It owns
// only what it had to inflate or to read from text.

#ifndef MAP_H
#define MAP_H

#include "base/bytes.h"
#include "base/context.h"
#include "map/text.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// How vertices and the ends of lines are stored.
enum map_form {
    MAP_LUMP16,   // little-endian: int16_t x, y in map units; uint16_t v1, v2
    MAP_LUMP32,   // little-endian: int32_t x, y in 16.16; uint16_t v1, v2
    MAP_ARRAYS16, // struct nbstage_vertex16; struct nbstage_line16
    MAP_ARRAYS32, // struct nbstage_vertex; struct nbstage_line
};

// The numbers of a line's vertices.
struct map_ends {
    uint32_t v1, v2;
};

// Bytes of a lump, inflated if need be.
struct map_bytes {
    const unsigned char *bytes;
    size_t size;
};

// Records of a lump, all of one size.
struct map_records {
    const unsigned char *bytes;
    size_t count;
    size_t size; // bytes of one
};

// The lumps that are read: nodes, attributes, geometry.  A map from arrays
// does not need SIDEDEFS and SECTORS, and THINGS only in a binary format.
enum map_lump {
    MAP_ZNODES,
    MAP_NODES,
    MAP_SSECTORS,
    MAP_SEGS,
    MAP_SIDEDEFS,
    MAP_SECTORS,
    MAP_THINGS,
    MAP_BEHAVIOR,
    MAP_SCRIPTS,
    MAP_DIALOGUE,
    MAP_LINEDEFS,
    MAP_VERTEXES,
    MAP_TEXTMAP,
    MAP_BLOCKMAP,
    MAP_LUMP_COUNT,
};

// The lumps; the two arrays of a text, and what else was read of it.
enum { MAP_OWNED_MAX = MAP_LUMP_COUNT + 3 + UDMF_BLOCK_COUNT };

struct map {
    uint32_t format;  // NBSTAGE_FORMAT_DOOM, ...: whose rules the lines follow
    bool from_arrays; // of the host

    enum map_form vertex_form;
    const unsigned char *vertices;
    size_t vertex_count;
    size_t vertex_stride; // bytes
    enum map_form line_form;
    const unsigned char *lines;
    size_t line_count;
    size_t line_stride;  // bytes
    size_t line_size;    // from arrays: what is known of a struct nbstage_line
    bool flags_complete; // from arrays: as in struct nbstage_map

    // As in struct nbstage_map; NULL or as many as lines.
    const unsigned char *left_out;

    // The BLOCKMAP lump that the map has now; NULL and 0 if it has none.
    struct map_bytes blockmap;

    // Without a name if the map has no such lump.
    struct nbstage_lump lumps[MAP_LUMP_COUNT];
    size_t inflated_bytes; // of those that were opened

    // TEXTMAP, of a UDMF map that is not from arrays, and if they are wanted,
    // its attributes.
    struct map_bytes text;
    struct text_attributes *text_attributes;

    // From arrays: as in struct nbstage_map.  May be NULL.
    const void *sectors;
    size_t sector_count;
    size_t sector_stride; // bytes
    size_t sector_size;   // how much of each sector is known

    // Memory that map_free releases.
    void *owned[MAP_OWNED_MAX];
    size_t owned_count;
};

// Reads a map from the host's arrays, or from its lumps if it has no arrays; of
// a text the attributes, too, if they are wanted, as it is read only once.
// `given` and its lumps are of this version or later.
// NBSTAGE_BAD_MAP: a lump is missing or damaged, or its size is not a multiple
// of the record size; an array is NULL, or its stride or size impossible.
// NBSTAGE_UNSUPPORTED: a format or compression that is not known.
nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map);

// Whether the stage looks for a lump of this name.  It does so for the lines
// and the format; for attributes and segs only if they are wanted.
bool map_reads(const char *lump, bool attributes, bool segs);

// The bytes of a lump; size 0 if the map has no such lump.
nbstage_status map_open_lump(struct context *context, struct map *map,
                             enum map_lump lump, struct map_bytes *bytes);

// The records of a lump, which must have some of that size.
nbstage_status map_open_records(struct context *context, struct map *map,
                                enum map_lump lump, size_t size,
                                struct map_records *records);

// Checks an array of the host's, whose elements begin with two numbers of the
// form.  NBSTAGE_BAD_MAP: it is empty, or its size or stride is impossible.
// NBSTAGE_UNSUPPORTED: the form is not known.
nbstage_status map_check_array(struct context *context, const char *where,
                               const void *elements, size_t count,
                               uint32_t form, size_t size, size_t stride);

void map_free(struct context *context, struct map *map);

// The vertex at an address.
static inline struct nbstage_vertex map_get_vertex(enum map_form form,
                                                   const unsigned char *at)
{
    struct nbstage_vertex vertex;
    struct nbstage_vertex16 narrow;
    uint32_t both;
    switch (form) {
    case MAP_LUMP16: // by one word, because that is faster
        both = bytes_get_u32(at);
        return (struct nbstage_vertex){(int32_t)(both << 16),
                                       (int32_t)(both & 0xFFFF0000)};
    case MAP_LUMP32:
        return (struct nbstage_vertex){(int32_t)bytes_get_u32(at),
                                       (int32_t)bytes_get_u32(at + 4)};
    case MAP_ARRAYS16:
        memcpy(&narrow, at, sizeof narrow);
        return (struct nbstage_vertex){narrow.x * 65536, narrow.y * 65536};
    case MAP_ARRAYS32:
        break;
    }
    memcpy(&vertex, at, sizeof vertex);
    return vertex;
}

// The vertices of the line at an address.
static inline struct map_ends map_get_ends(enum map_form form,
                                           const unsigned char *at)
{
    struct map_ends ends;
    uint16_t narrow[2];
    if (form == MAP_ARRAYS32) {
        memcpy(&ends, at, sizeof ends);
        return ends;
    }
    if (form != MAP_ARRAYS16)
        return (struct map_ends){bytes_get_u16(at), bytes_get_u16(at + 2)};
    memcpy(narrow, at, sizeof narrow);
    return (struct map_ends){narrow[0], narrow[1]};
}

#endif
