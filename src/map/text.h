// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the text of a UDMF map says of lines, sides, sectors and things, apart
// from where they are.

#ifndef TEXT_H
#define TEXT_H

#include "base/context.h"
#include "map/udmf.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whose numbers specials are.
enum text_specials { TEXT_UNKNOWN, TEXT_DOOM, TEXT_HEXEN };

struct text_thing {
    uint32_t type, special, tag;
};

// Records of one kind.
struct text_records {
    void *records; // NULL if there are none
    size_t count, capacity;
};

struct text_attributes {
    struct context *context;

    // One for each block: struct map_line with sides
    // in place of sectors; of a side, the uint32_t of its sector; struct
    // map_sector; struct text_thing.  Vertices have none.
    struct text_records of[UDMF_BLOCK_COUNT];

    enum text_specials specials; // by the namespace
    const char *name_space;      // NULL until it is known
    bool has_vertex_slopes;

    // What is wrong with a block, whose fields and those of later ones are not
    // known then; "" if nothing is.
    char flaw[CONTEXT_MESSAGE_SIZE];

    // The block that fields belong to, and its record.
    enum udmf_block block;
    void *record;
};

// Begins with nothing, for udmf_geometry_read to fill through the visitor.  The
// caller releases the records, also after a failure.
struct udmf_visitor text_begin(struct context *context,
                               struct text_attributes *text);

#endif
