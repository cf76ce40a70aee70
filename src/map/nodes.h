// SPDX-License-Identifier: GPL-2.0-or-later
//
// The nodes of a map: the vertices that the node builder added, and segs.

#ifndef NODES_H
#define NODES_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The linedef of minisegs.
#define NODES_NO_LINEDEF UINT32_MAX

struct nodes_seg {
    uint32_t v1, v2;  // the map's own vertices, then the added ones
    uint32_t linedef; // or NODES_NO_LINEDEF
};

struct nodes {
    // The lump that the segs are in, for messages: "NODES", "SEGS", ...
    const char *lump_name;

    struct nodes_seg *segs;
    size_t seg_count;
};

// Reads the nodes of a map; free them with nodes_free, even on failure.  Reads
// XNOD, ZNOD, XGLN, ZGLN, XGL2, ZGL2, XGL3 or ZGL3 in ZNODES, NODES or
// SSECTORS; or else the segs of DeePBSPV4 or vanilla in SEGS.  Whole vanilla
// nodes that spell a signature are vanilla.  A map without any of these has no
// added vertices and no segs.  The map gets the added vertices.
// NBSTAGE_BAD_MAP: a count or number is impossible, or a lump is cut off.
nbstage_status nodes_read(struct context *context, struct map *map,
                          struct nodes *nodes);

// Gives the map the added vertices, which only extended nodes have.  Does not
// read SEGS.
nbstage_status nodes_read_vertices(struct context *context, struct map *map);

void nodes_free(struct context *context, struct nodes *nodes);

#endif
