// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the BLOCKMAP lump of a map.

#ifndef BUILD_H
#define BUILD_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"
#include "request.h"

// Builds the lump of a map.  Release result->bytes with context_release; after
// a failure it is NULL.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_request *request,
                          struct build_result *result);

#endif
