// SPDX-License-Identifier: GPL-2.0-or-later
//
// The faces that lines divide the plane into, found from the lines alone: what
// sectors claim has no part in it.

#ifndef FACES_H
#define FACES_H

#include "prune/line-of-sight.h"

#define FACES_NONE UINT32_MAX

// Sides are numbered as by attributes_sector.  The side after the last one is
// the outside.  Lines without length have no sides.
struct faces {
    struct sight *sight;
    // The spokes at vertices: the first one in each list of a table, and for
    // each the next one in its list; see faces.c.
    uint32_t *first_spoke, *next_spoke;
    // For each side the next one around its face, or FACES_NONE as long as
    // nobody has asked; and the side that surrounds the island that begins
    // there, or FACES_NONE.
    uint32_t *next, *around;
    // Once they are found, the islands that a side surrounds, or the outside:
    // a side of the first one, and for each of these that of the next one, or
    // FACES_NONE.
    uint32_t *first_island, *next_island;
};

// Prepares to find faces of whole lines, for context_release of `first_spoke`.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status faces_prepare(struct context *context, struct sight *sight,
                             struct faces *faces);

// Finds what is next to a side, and around its island.  Where lines meet other
// than at an end of both, and if sight->work_left is 0, this may be wrong.
void faces_find_next(struct faces *faces, uint32_t side);

// Finds the islands.
void faces_find_islands(struct faces *faces);

#endif
