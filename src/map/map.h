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
#include "base/vector.h"
#include "map/arrays.h"
#include "map/udmf.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Bytes of a lump, inflated if need be.
struct map_bytes {
    const unsigned char *bytes;
    size_t size;
};

// Two numbers of each vertex or line, one behind the other.  Coordinates are
// NBSTAGE_I16 or NBSTAGE_FIXED, numbers of vertices NBSTAGE_U16 or NBSTAGE_U32.
struct map_pairs {
    const unsigned char *bytes;
    size_t stride; // bytes
    uint32_t type; // of both
};

// The lumps that are read, of nodes, attributes and geometry, and those that
// only tell the format.
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
    MAP_MARKER, // by the name of the map; FraggleScript may be in it
    MAP_LINEDEFS,
    MAP_VERTEXES,
    MAP_TEXTMAP,
    MAP_BLOCKMAP,
    MAP_LEAFS,
    MAP_LIGHTS,
    MAP_MACROS,
    MAP_LUMP_COUNT,
};

// Inflated lumps, and copied vertices, twice, and lines.
enum { MAP_OWNED_MAX = MAP_LUMP_COUNT + 3 };

struct map {
    uint32_t format; // NBSTAGE_FORMAT_DOOM, ...: whose rules the lines follow

    // The map's own vertices, then those that nodes add once nodes_read has
    // read them.
    struct map_pairs vertices;
    size_t vertex_count, added_count;
    struct map_pairs lines;
    size_t line_count;
    bool lines_are_given; // by the host

    // For all else than what the pairs have.  Lines are open; map_open_array
    // opens the others.
    struct array arrays[ARRAY_KIND_COUNT];

    // As in struct nbstage_map; NULL or as many as lines.
    const unsigned char *left_out;

    // The BLOCKMAP lump that the map has now; NULL and 0 if it has none.
    struct map_bytes blockmap;

    // Without a name if the map has no such lump.
    struct nbstage_lump lumps[MAP_LUMP_COUNT];
    size_t inflated_bytes; // of those that were opened

    // What TEXTMAP says, which is read once: attributes only if they are
    // wanted.
    struct udmf_text text;
    bool has_text, has_attributes;

    // Other memory that map_free releases.
    void *owned[MAP_OWNED_MAX];
    size_t owned_count;
};

// Reads a map from the host's arrays, and from its lumps what has no array.
// `given` and its lumps are of this version or later.
// NBSTAGE_BAD_MAP: a lump is missing or damaged, or its size is not a multiple
// of the record size; the description of an array is impossible; a coordinate
// is beyond 16.16.
// NBSTAGE_UNSUPPORTED: a format or compression that is not known.
nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map);

// Whether the stage looks for a lump of this name.  It does so for the lines
// and the format; for attributes and segs only if they are wanted.
bool map_reads(const char *lump, bool attributes, bool segs);

// Makes a lump plain if it is compressed, and reads the text in TEXTMAP, once;
// again after a failure.  A lump that the map does not have is empty.
nbstage_status map_open_lump(struct context *context, struct map *map,
                             enum map_lump lump);

// Opens an array: the host's, or of a text, or the lump of a binary format,
// which must have records then.
nbstage_status map_open_array(struct context *context, struct map *map,
                              enum array_kind kind);

void map_free(struct context *context, struct map *map);

// Reads a vertex of 16-bit numbers in little-endian order.
static inline void map_widen_vertex(const unsigned char *at,
                                    struct map_vertex *vertex)
{
    const uint32_t both = bytes_get_u32(at);
#ifdef VECTOR_SSE2 // one store in place of two
    const __m128i wide =
        _mm_unpacklo_epi16(_mm_setzero_si128(), _mm_cvtsi32_si128((int)both));
    memcpy(vertex, &wide, sizeof *vertex);
#else
    *vertex = (struct map_vertex){(int32_t)(both << 16),
                                  (int32_t)(both & 0xFFFF0000)};
#endif
}

static inline void map_get_vertex(const struct map_pairs *pairs, size_t index,
                                  struct map_vertex *vertex)
{
    const unsigned char *at = pairs->bytes + index * pairs->stride;
    int16_t narrow[2];
    switch (pairs->type) {
    case LUMP_I16:
        map_widen_vertex(at, vertex);
        break;
    case LUMP_FIXED:
        *vertex = (struct map_vertex){(int32_t)bytes_get_u32(at),
                                      (int32_t)bytes_get_u32(at + 4)};
        break;
    case NBSTAGE_I16:
        memcpy(narrow, at, sizeof narrow);
        *vertex = (struct map_vertex){narrow[0] * 65536, narrow[1] * 65536};
        break;
    default:
        memcpy(vertex, at, sizeof *vertex);
    }
}

static inline struct map_ends map_get_ends(const struct map_pairs *pairs,
                                           size_t index)
{
    const unsigned char *at = pairs->bytes + index * pairs->stride;
    struct map_ends ends;
    uint16_t narrow[2];
    switch (pairs->type) {
    case LUMP_U16:
        return (struct map_ends){bytes_get_u16(at), bytes_get_u16(at + 2)};
    case NBSTAGE_U16:
        memcpy(narrow, at, sizeof narrow);
        return (struct map_ends){narrow[0], narrow[1]};
    default:
        memcpy(&ends, at, sizeof ends);
        return ends;
    }
}

// ---------------------------------------------------------------------------
// Compressed lumps

enum {
    // The most output bytes for each byte of input, once the output is larger
    // than INFLATE_FREE_BYTES.  Deflate can reach 1,032; map data has a tenth
    // to a fiftieth of that.
    INFLATE_MAX_RATIO = 256,
    INFLATE_FREE_BYTES = 1 << 20,
};

// Inflates a compressed lump, which is plain then.  Its bytes are *inflated,
// for the caller to release.  Bytes after the end of the stream are ignored.
// NBSTAGE_BAD_MAP: the stream is damaged or cut off, or grows past the ratio.
// NBSTAGE_OVER_LIMIT: it grows past a part of the context's limit for memory.
nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated);

#endif
