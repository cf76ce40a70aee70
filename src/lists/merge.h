// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: gives several blocks one larger list, so that a limit is met.

#ifndef MERGE_H
#define MERGE_H

#include "base/context.h"
#include "lines/grid.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

// Packs the lists of a grid's blocks into a limit and frees them.  Lists that
// are to be shared are nested, and nested ones shared, if that meets the limit;
// if not, lists are merged.  The area is over the limit, and has the form asked
// for, if that does not help either.
nbstage_status merge_pack(struct context *context, const struct grid *grid,
                          struct lists *lists, struct pack_form form,
                          enum lump_limit limit, struct list_area *area);

#endif
