// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds the blocklists against the node builder's own work.

#ifndef CHECK_NODES_H
#define CHECK_NODES_H

#include "lists/lists.h"

// For every seg of a linedef that is not left out (`left_out`, one for each
// linedef, is 0 or the array NULL), the blocks of its two ends have to list the
// linedef.  Builders round the vertices where they split lines, so a block
// within one map unit of the end will do.
// *checked is how many segs there were to check, which have a linedef.
// NBSTAGE_BAD_MAP: one does not; the sentence names seg, linedef and block.
// Also if the map has no segs to check against.
nbstage_status check_nodes(struct context *context, const struct map *map,
                           const struct nodes *nodes, const struct grid *grid,
                           const struct lists *lists, const uint8_t *left_out,
                           size_t *checked);

#endif
