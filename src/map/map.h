// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map: its lumps and arrays, and where its vertices and lines are.
//
// A map points into the host's lumps or arrays, which must outlive it.  It owns
// records parsed from text, and copies.

#ifndef MAP_H
#define MAP_H

#include "base/bytes.h"
#include "base/context.h"
#include "base/vector.h"
#include "map/arrays.h"
#include "map/udmf.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct map_bytes {
    const unsigned char *bytes;
    size_t size;
};

// Two adjacent numbers per element.  Coordinates are NBSTAGE_I16 or
// NBSTAGE_FIXED, numbers of vertices NBSTAGE_U16 or NBSTAGE_U32; in lumps
// LUMP_I16 and so on.
struct map_pairs {
    const unsigned char *bytes;
    size_t stride; // bytes
    uint32_t type; // of both
};

// The lumps that are read: nodes, attributes, geometry; then lumps that only
// tell the format.
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
    MAP_MARKER, // may hold FraggleScript
    MAP_LINEDEFS,
    MAP_VERTEXES,
    MAP_TEXTMAP,
    MAP_BLOCKMAP,
    MAP_LEAFS,
    MAP_LIGHTS,
    MAP_MACROS,
    MAP_LUMP_COUNT,
    MAP_REJECT = MAP_LUMP_COUNT, // never read
    MAP_NAME_COUNT,
};

// Vertices (copied, then extended), lines, those left out.
enum { MAP_OWNED_MAX = 4 };

struct map {
    uint32_t format; // NBSTAGE_FORMAT_DOOM, ...

    // The map's own vertices, and after nodes_read the nodes' added ones.
    struct map_pairs vertices;
    size_t vertex_count, added_count;
    struct map_pairs lines;
    size_t line_count;
    bool lines_are_given; // by the host

    // All members that the pairs do not cover.  map_read opens the lines,
    // map_open_array the others.
    struct array arrays[ARRAY_KIND_COUNT];

    // For each line whether the host leaves it out; NULL: none.
    const uint8_t *left_out;

    // The present BLOCKMAP lump; NULL and 0 if there is none.
    struct map_bytes blockmap;

    // The name is NULL if the map has no such lump.
    struct nbstage_lump lumps[MAP_LUMP_COUNT];
    bool lumps_are_unknown; // the host gave none

    // The records of TEXTMAP, parsed once; without has_attributes only
    // vertices and the ends of lines.
    struct udmf_text text;
    bool has_text, has_attributes;

    // Other memory that map_free releases.
    void *owned[MAP_OWNED_MAX];
    size_t owned_count;
};

// Reads a map from the host's arrays; the lumps stand in for absent arrays.
// `given` and its lumps are of this version or later.  After a failure there is
// nothing to free.
// NBSTAGE_BAD_MAP: a lump is missing or damaged, or its size is not a multiple
// of the record size; the description of an array is impossible; a coordinate
// is beyond 16.16.
// NBSTAGE_UNSUPPORTED: the map has an unknown format or need, or is one of
// PlayStation Doom.
nbstage_status map_read(struct context *context,
                        const struct nbstage_map *given, bool attributes,
                        struct map *map);

// Whether the stage reads a lump of this name: always for lines and the format,
// for attributes and segs only if they are wanted.
bool map_reads(const char *lump, bool attributes, bool segs);

// The place of a lump name in the canonical order of binary maps, from 1; 0 if
// they have no such lump.
int map_rank_lump(const char *name);

// Opens an array from the host, TEXTMAP or a binary lump, which must not be
// empty.
nbstage_status map_open_array(struct context *context, struct map *map,
                              enum array_kind kind);

void map_free(struct context *context, struct map *map);

_Static_assert(sizeof(struct map_vertex) == 8 &&
                   offsetof(struct map_vertex, y) == 4 &&
                   sizeof(struct map_ends) == 8 &&
                   offsetof(struct map_ends, v2) == 4,
               "vertices and ends are pairs of 32 bits in memory");

// Reads a vertex of little-endian 16-bit numbers.
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
// Compressed nodes

enum {
    // Upper bound on output bytes per input byte, once the output is larger
    // than INFLATE_FREE_BYTES.  Deflate can reach 1,032; map data reaches 20 to
    // 100.
    INFLATE_MAX_RATIO = 256,
    INFLATE_FREE_BYTES = 1 << 20,
};

// Inflates a zlib stream, and puts the result in its place in `lump`, whose
// name is for messages.  The caller releases the new bytes, *inflated.  Bytes
// after the end of the stream are ignored.
// NBSTAGE_BAD_MAP: the stream is damaged or cut off, or grows past the ratio.
// NBSTAGE_OVER_LIMIT: it grows past CONTEXT_LUMP_PART of the memory limit.
nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated);

#endif
