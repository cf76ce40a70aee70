// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: adds linedefs to lists, so that more of them are tails of others.

#ifndef MERGE_H
#define MERGE_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

// Nests the lists of a grid's blocks, and merges them until they meet a limit.
// The area is over the limit if no merging is enough.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED, NBSTAGE_OVER_LIMIT as lists_build.
nbstage_status merge_lists(struct context *context, const struct grid *grid,
                           const struct lists *lists, enum list_header header,
                           enum lump_limit limit, struct list_area *area);

#endif
