// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the node builder made: the vertices that it added, and segs.

#ifndef NODES_H
#define NODES_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A seg whose linedef is this belongs to none.
#define NODES_NO_LINEDEF UINT32_MAX

struct nodes_seg {
    uint32_t v1, v2;  // as linedefs number vertices; added ones come after
    uint32_t linedef; // or NODES_NO_LINEDEF
};

struct nodes {
    // Where the segs are from, for messages: "NODES", "SEGS", ...
    const char *lump_name;

    struct nodes_seg *segs;
    size_t seg_count;
};

// What to read of the nodes.
enum nodes_need {
    NODES_VERTICES, // the added vertices, which only extended nodes have
    NODES_SEGS,     // and the segs, which may be in a lump of their own
};

// Reads the nodes of a map: XNOD, ZNOD, XGLN, ZGLN, XGL2, ZGL2, XGL3 or ZGL3
// in ZNODES, NODES or SSECTORS; or else the segs of DeePBSPV4 or vanilla in
// SEGS.  A map without any of these has no added vertices and no segs.  Added
// vertices are the map's from then on.
// NBSTAGE_BAD_MAP: a count or number is impossible, or a lump is cut off.
nbstage_status nodes_read(struct context *context, struct map *map,
                          enum nodes_need need, struct nodes *nodes);

void nodes_free(struct context *context, struct nodes *nodes);

#endif
