// SPDX-License-Identifier: GPL-2.0-or-later
//
// The whole corridor, from a map to its lump.

#ifndef STAGE_H
#define STAGE_H

#include "lump.h"

enum stage_limit {
    STAGE_LIMIT_EXTENDED, // the whole lump below 65,536 words
    STAGE_LIMIT_VANILLA,  // and every offset at most 32,767
};

// What becomes of a lump over the limit.
enum stage_overflow {
    STAGE_OVERFLOW_EMPTY, // an empty lump and a warning
    STAGE_OVERFLOW_ERROR, // STATUS_OVER_LIMIT
};

struct stage_options {
    struct grid_request grid;
    enum pack_mode pack;
    enum stage_limit limit;
    enum stage_overflow overflow;
};

struct stage_output {
    unsigned char *bytes; // NULL if the lump was left empty
    size_t size;          // bytes
    bool over_limit;      // and therefore empty

    size_t line_count;
    struct grid grid;
    enum grid_placement placement;

    // Zero if the lines were too many to number.
    uint64_t touch_count; // times that a line touches a block
    size_t list_count;    // lists stored
    struct lump_measure measure;
};

// Builds the lump of a map.  output->bytes is allocated by the context and
// the caller's to release.
// STATUS_BAD_MAP, STATUS_OVER_LIMIT, STATUS_OUT_OF_MEMORY, STATUS_CANCELLED.
enum status stage_build(struct context *context, const struct map *map,
                        const struct stage_options *options,
                        struct stage_output *output);

#endif
