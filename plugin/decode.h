// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map as arrays for the host.

#ifndef DECODE_H
#define DECODE_H

#include "build.h"
#include "nbstage.h"

struct decoded {
    struct decoded *next; // for an instance that keeps several
    uint32_t format;      // NBSTAGE_FORMAT_DOOM, ...
    struct nbstage_vertex *vertices;
    size_t vertex_count;
    struct nbstage_line *lines;
    size_t line_count;
    struct nbstage_sector *sectors;
    size_t sector_count;
    uint8_t *left_out; // NBSTAGE_LISTED, ...; NULL where all are listed
};

// Decodes a map, at *decoded, for decode_free.  Lines are left out by the
// option prune.  A message says which attributes cannot be read.
// NBSTAGE_BAD_MAP, NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status decode_map(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct decoded **decoded);

// The structure of the interface for it, which points into `decoded`.
struct nbstage_decoded decode_describe(const struct decoded *decoded);

void decode_free(struct context *context, struct decoded *decoded);

#endif
