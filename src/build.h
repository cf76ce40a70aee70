// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the BLOCKMAP lump of a map.

#ifndef BUILD_H
#define BUILD_H

#include "base/context.h"
#include "lines/lines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "request.h"
#include "search/search.h"

#include <stdbool.h>
#include <stddef.h>

// Builds the lump of a map.  Release result->bytes with context_release; it is
// NULL after a failure, and if no lump meets the limit of the ports.
// `searches`: searches in the map's lines that need not be repeated, or NULL.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_request *request,
                          struct search_memory *searches,
                          struct build_result *result);

// Whether a lump on a grid can meet a limit, at best with one empty list for
// all blocks.
bool build_may_meet(enum lump_limit limit, const struct grid *grid,
                    size_t linedef_end);

#endif
