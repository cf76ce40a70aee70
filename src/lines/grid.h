// SPDX-License-Identifier: GPL-2.0-or-later
//
// The grid of blocks: where it begins and how many blocks it has.

#ifndef GRID_H
#define GRID_H

#include "base/context.h"
#include "lines/lines.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK_SIZE = 128, // map units
    BLOCK_SHIFT = 7,  // BLOCK_SIZE is 1 << BLOCK_SHIFT

    // Columns, and rows, that coordinates of 16 bits can fill.
    GRID_MAX_SIDE = 512,
};

struct grid {
    // The south-west corner of block 0, whole map units.
    int32_t origin_x, origin_y;
    uint32_t columns, rows; // blocks, each 1 to GRID_MAX_SIDE
};

enum grid_placement {
    GRID_AUTO,   // the default: keep if the present grid fits the map, else fit
    GRID_KEEP,   // the grid of the lump that the map has now
    GRID_FIT,    // origin at the lowest coordinates
    GRID_ID,     // 8 units south-west of what the lines span, as DoomBSP; see
                 // lines_span_vertices
    GRID_SEARCH, // the origin that the search finds, see search.h
    GRID_AT,     // origin at a given place
};

// The column or row of a coordinate in 16.16 that is not before the origin.
static inline uint32_t grid_index(int32_t at, int32_t origin)
{
    return ((uint32_t)at - ((uint32_t)origin << 16)) >> (16 + BLOCK_SHIFT);
}

static inline size_t grid_block_count(const struct grid *grid)
{
    return (size_t)grid->columns * grid->rows;
}

// The grid from x, y to the lines' highest coordinates.  x and y must not be
// above the lowest ones.
struct grid grid_from(int32_t x, int32_t y, const struct lines *lines);

// The grid from the lines' lowest coordinates.  None that encloses the lines
// has fewer blocks.
struct grid grid_fit(const struct lines *lines);

// NBSTAGE_OVER_LIMIT: the grid has more blocks than the context's limit.
// `where` is passed to context_fail.
nbstage_status grid_check_limit(struct context *context, const char *where,
                                const struct grid *grid);

// Chooses the grid.  For GRID_AT it has the origin, whole map units in 16 bits.
// GRID_SEARCH is the same as GRID_FIT here; see search.h.  `present` is the
// grid of the map's own lump, or NULL if no lump can be read.  *placement
// becomes the choice: GRID_KEEP, GRID_FIT, GRID_ID or GRID_AT. NBSTAGE_BAD_MAP:
// GRID_AT leaves a line outside, or has too many blocks. NBSTAGE_OVER_LIMIT: as
// in grid_check_limit.
nbstage_status grid_choose(struct context *context, const struct lines *lines,
                           const struct grid *present,
                           enum grid_placement *placement, struct grid *grid);

#endif
