// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chooses origin and size of the grid.
//
// Moving the origin changes which things share a block, and so the course of
// recorded demos.  The default, `auto`, therefore keeps the grid that the map
// has, unless the map has outgrown it or shrunk.  DoomBSP left a margin of 8
// units around the map.  This can cost a column and a row that no line reaches,
// which do not mean that the map has shrunk.

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

// DoomBSP's: its margin may reach, but not enter, another block.  It shrinks
// where the grid would leave the coordinates of 16 bits.
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

// Whether a grid encloses the lines, and unless it may have spare, has no more
// columns and rows than the lines and a builder's margin need.
static bool grid_suits(const struct grid *grid, const struct lines *lines,
                       bool may_have_spare)
{
    const int32_t x = grid->origin_x, y = grid->origin_y;
    const struct grid least = grid_from(x, y, lines, 0);
    const struct grid most = grid_from(x, y, lines, GRID_ID_MARGIN);
    return x <= lines->min_x && y <= lines->min_y &&
           grid->columns <= GRID_MAX_SIDE && grid->rows <= GRID_MAX_SIDE &&
           grid->columns >= least.columns && grid->rows >= least.rows &&
           (may_have_spare ||
            (grid->columns <= most.columns && grid->rows <= most.rows));
}

nbstage_status grid_choose(struct context *context, const struct lines *lines,
                           const struct grid *present,
                           enum grid_placement *placement, struct grid *grid)
{
    const bool must_keep = *placement == GRID_KEEP;
    const bool may_keep = must_keep || *placement == GRID_AUTO;
    if (*placement == GRID_AT) {
        const int32_t x = grid->origin_x, y = grid->origin_y;
        if (x > lines->min_x || y > lines->min_y)
            return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                                "a grid with its origin at %ld,%ld leaves out "
                                "lines that reach %ld,%ld; the origin has to "
                                "be there or to the south-west",
                                (long)x, (long)y, (long)lines->min_x,
                                (long)lines->min_y);
        *grid = grid_from(x, y, lines, 0);
    } else if (*placement == GRID_ID) {
        *grid = grid_id(lines);
    } else if (may_keep && present && grid_suits(present, lines, must_keep)) {
        *placement = GRID_KEEP;
        *grid = *present;
    } else {
        *placement = GRID_FIT;
        *grid = grid_fit(lines);
        if (must_keep)
            context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                        present
                            ? "the present grid does not enclose the map; "
                              "the grid was fit to the lines instead of kept"
                            : "there is no grid to keep; the grid was fit to "
                              "the lines");
    }
    return context_check_count(context, NULL, grid_block_count(grid), "blocks",
                               BYTES_OF_BLOCK);
}
