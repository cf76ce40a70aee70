// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: adds linedefs to lists, so that more of them are tails of others.

#ifndef MERGE_H
#define MERGE_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/lump.h"
#include "nbstage.h"

// Merging stops at so many extra entries for each entry, so that games stay
// fast.  Some maps would fit with more.
enum { MERGE_MOST_EXTRA = 4 };

// Nests the lists of a grid's blocks, and merges them until they meet a limit.
// If merging is not enough, they stay over the limit, and is_bounded and
// is_early say why.  *lists is replaced; free it with lists_free, even on
// failure.
nbstage_status merge_lists(struct context *context, const struct grid *grid,
                           enum list_header header, enum lump_limit limit,
                           struct lists *lists);

#endif
