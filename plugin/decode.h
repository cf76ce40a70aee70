// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map as arrays for the host.

#ifndef DECODE_H
#define DECODE_H

#include "build.h"
#include "nbstage.h"

struct decoded {
    struct decoded *next; // for an instance that keeps several
    struct nbstage_decoded map;
};

// Decodes a map, at *decoded, for decode_free.  Lines are left out by the
// option prune.  A message says which attributes cannot be read.
// NBSTAGE_BAD_MAP, NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status decode_map(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct decoded **decoded);

void decode_free(struct context *context, struct decoded *decoded);

#endif
