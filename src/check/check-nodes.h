// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the blocklists against the segs of a node builder.

#ifndef CHECK_NODES_H
#define CHECK_NODES_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The result of the check.
struct nodes_check {
    size_t seg_count; // segs checked
    bool has_failed;

    // The first seg that failed, the block at its end, and its linedef, which
    // that block does not list.
    size_t seg, block;
    uint32_t linedef;
};

// Both ends of every seg must be in blocks that list its linedef.  Builders
// round the vertices where they split lines, so a block within one map unit of
// the end is enough.  Segs without a linedef are not checked, nor are segs of
// linedefs with nonzero `left_out`, which may be NULL.  The lists are not
// packed yet, and *check is zero.
// NBSTAGE_BAD_MAP: a seg fails, or the map has no segs.
nbstage_status check_nodes(struct context *context, const struct map *map,
                           const struct nodes *nodes, const struct grid *grid,
                           const struct lists *lists, const uint8_t *left_out,
                           struct nodes_check *check);

#endif
