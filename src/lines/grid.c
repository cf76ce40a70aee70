// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chooses origin and size of the grid.
//
// Moving the origin changes which things share a block, and so desyncs recorded
// demos.  The default, `auto`, therefore keeps the grid that the map has,
// unless the map has outgrown it or shrunk.  DoomBSP left a margin of 8 units
// around the map, which can add an empty column and an empty row; so one of
// each does not count as shrinkage.

#include "lines/lines.h"

enum { GRID_ID_MARGIN = 8 }; // DoomBSP's, map units

struct grid grid_from(int32_t x, int32_t y, const struct lines *lines,
                      int32_t margin)
{
    return (struct grid){
        x, y, (uint32_t)((lines->max_x + margin - x) >> BLOCK_SHIFT) + 1,
        (uint32_t)((lines->max_y + margin - y) >> BLOCK_SHIFT) + 1};
}

struct grid grid_fit(const struct lines *lines)
{
    return grid_from(lines->min_x, lines->min_y, lines, 0);
}

// DoomBSP's grid.  A margin that ends on a block's edge adds no block.  The
// grid is clamped to 16-bit coordinates.
static struct grid grid_id(const struct lines *lines)
{
    const int32_t x = lines->min_x - GRID_ID_MARGIN;
    const int32_t y = lines->min_y - GRID_ID_MARGIN;
    struct grid grid =
        grid_from(x < INT16_MIN ? INT16_MIN : x, y < INT16_MIN ? INT16_MIN : y,
                  lines, GRID_ID_MARGIN - 1);
    grid.columns -= grid.columns > GRID_MAX_SIDE; // by 1 at most
    grid.rows -= grid.rows > GRID_MAX_SIDE;
    return grid;
}

static bool grid_encloses(const struct grid *grid, const struct lines *lines)
{
    const int32_t x = grid->origin_x, y = grid->origin_y;
    const struct grid least = grid_from(x, y, lines, 0);
    return x <= lines->min_x && y <= lines->min_y &&
           grid->columns <= GRID_MAX_SIDE && grid->rows <= GRID_MAX_SIDE &&
           grid->columns >= least.columns && grid->rows >= least.rows;
}

// Whether a grid has no more columns and rows than the lines and DoomBSP's
// margin need.
static bool grid_is_snug(const struct grid *grid, const struct lines *lines)
{
    const struct grid most =
        grid_from(grid->origin_x, grid->origin_y, lines, GRID_ID_MARGIN);
    return grid->columns <= most.columns && grid->rows <= most.rows;
}

// Whether the present grid is kept; `present` is NULL if there is none.
static bool grid_is_kept(const struct grid *present, const struct lines *lines,
                         enum grid_placement placement)
{
    if (!present || !grid_encloses(present, lines))
        return false;
    return placement == GRID_KEEP ||
           (placement == GRID_AUTO && grid_is_snug(present, lines));
}

// Extends a grid from its origin to the lines' highest coordinates.
static nbstage_status grid_place(struct context *context,
                                 const struct lines *lines, struct grid *grid)
{
    const int32_t x = grid->origin_x, y = grid->origin_y;
    if (x > lines->min_x || y > lines->min_y)
        return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                            "a grid with its origin at %ld,%ld leaves out "
                            "lines that reach %ld,%ld; the origin has to "
                            "be there or to the south-west",
                            (long)x, (long)y, (long)lines->min_x,
                            (long)lines->min_y);
    *grid = grid_from(x, y, lines, 0);
    return NBSTAGE_OK;
}

nbstage_status grid_choose(struct context *context, const struct lines *lines,
                           const struct grid *present,
                           enum grid_placement *placement, struct grid *grid)
{
    const enum grid_placement asked = *placement;
    if (asked == GRID_AT) {
        NEED(grid_place(context, lines, grid));
    } else if (asked == GRID_ID) {
        *grid = grid_id(lines);
    } else if (grid_is_kept(present, lines, asked)) {
        *placement = GRID_KEEP;
        *grid = *present;
    } else {
        *placement = GRID_FIT;
        *grid = grid_fit(lines);
    }
    if (asked == GRID_KEEP && *placement == GRID_FIT)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    present ? "the present grid does not enclose the map; "
                              "the grid was fit to the lines instead of kept"
                            : "there is no grid to keep; the grid was fit to "
                              "the lines");
    return context_check_count(context, NULL, grid_block_count(grid), "blocks",
                               BYTES_OF_BLOCK);
}
