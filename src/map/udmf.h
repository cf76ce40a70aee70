// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses TEXTMAP: the Universal Doom Map Format 1.1, plus the deviations that
// ZDBSP accepts.

#ifndef UDMF_H
#define UDMF_H

#include "base/context.h"
#include "map/arrays.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>

// The records of each kind, as array_layouts describes them.
struct udmf_text {
    struct udmf_records {
        void *records; // NULL if there are none
        size_t size;   // of one, in bytes
        size_t count, capacity;
    } of[ARRAY_KIND_COUNT];
    enum map_specials specials; // by the namespace
};

// Reads `size` bytes of text, every namespace alike; free with udmf_free, even
// on failure.  The records have the layouts of ARRAY_TEXT, or ARRAY_TEXT_ENDS
// without attributes.  Coordinates are truncated toward zero.  Warns about the
// first malformed required number or missing coordinate, and about an
// unterminated comment or string.
// NBSTAGE_BAD_MAP: not even ZDBSP can read the text, a coordinate is beyond
// 16.16, a linedef lacks a vertex; with line and column.
nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read);

void udmf_free(struct context *context, struct udmf_text *read);

#endif
