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

// The records of each kind, which array_describe describes.
struct udmf_text {
    struct udmf_records {
        void *records; // NULL if there are none
        size_t size;   // of one, in bytes
        size_t count, capacity;
    } of[ARRAY_KIND_COUNT];
    enum map_specials specials; // by the namespace
};

// Reads `size` bytes of text, every namespace alike, for udmf_free, also after
// a failure.  The records are those of ARRAY_TEXT, or without attributes those
// of ARRAY_TEXT_ENDS.  Coordinates are truncated toward zero.  Warns of the
// first value that should be a number and is not, and of the first coordinate
// that is missing.
// NBSTAGE_BAD_MAP: not even ZDBSP can read the text, a coordinate is beyond
// 16.16, a linedef lacks a vertex; with line and column.
nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read);

void udmf_free(struct context *context, struct udmf_text *read);

#endif
