// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the text of a UDMF map says of its vertices, lines, sides, sectors and
// things, by the Universal Doom Map Format Specification 1.1, and whatever else
// ZDBSP reads.

#ifndef UDMF_H
#define UDMF_H

#include "base/context.h"
#include "map/arrays.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The blocks that are read.
enum udmf_block {
    UDMF_LINEDEF,
    UDMF_VERTEX,
    UDMF_SIDEDEF,
    UDMF_SECTOR,
    UDMF_THING,
    UDMF_BLOCK_COUNT,
};

struct udmf_line {
    struct map_ends ends;
    struct map_line line; // with sides in place of sectors
};

// Records of one kind.
struct udmf_records {
    void *records; // NULL if there are none
    size_t size;   // of one, in bytes
    size_t count, capacity;
};

struct udmf_text {
    // Of each block: struct udmf_line; struct map_vertex, truncated toward
    // zero; the uint32_t of a side's sector; struct map_sector; struct
    // map_thing.  Without attributes there are vertices and struct map_ends.
    struct udmf_records of[UDMF_BLOCK_COUNT];

    enum map_specials specials; // by the namespace
    const char *name_space;     // NULL until it is known
    bool has_vertex_slopes;

    // What is wrong with a block, whose attributes and those of later ones are
    // not known then; "" if nothing is.
    char flaw[CONTEXT_MESSAGE_SIZE];
};

// Reads `size` bytes of text, every namespace alike, for udmf_free, also after
// a failure.  Warns of the first value that should be a number and is not, and
// of the first coordinate that is missing.
// NBSTAGE_BAD_MAP: not even ZDBSP can read the text, a coordinate is beyond
// 16.16, a linedef lacks a vertex; with line and column.
nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read);

void udmf_free(struct context *context, struct udmf_text *read);

#endif
