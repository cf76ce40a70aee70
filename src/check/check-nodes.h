// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the blocklists against the segs that the node builder made.

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

// What the check found: the segs of linedefs that are not left out, and the
// first that failed, and the block whose list lacks its linedef.
struct nodes_check {
    size_t seg_count;
    bool has_failed;
    size_t seg, block;
    uint32_t linedef;
};

// Both ends of every seg must be in blocks that list its linedef.  Builders
// round the vertices where they split lines, so a block within one map unit of
// the end is enough.  Segs without a linedef do not count, nor do linedefs
// whose `left_out` is not 0; the array may be NULL.  Lists are as built, not
// packed, and *check is zero.
// NBSTAGE_BAD_MAP: a seg fails, or the map has no segs.
nbstage_status check_nodes(struct context *context, const struct map *map,
                           const struct nodes *nodes, const struct grid *grid,
                           const struct lists *lists, const uint8_t *left_out,
                           struct nodes_check *check);

#endif
