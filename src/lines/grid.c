// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chooses origin and size of the grid.
//
// Moving the origin changes which things share a block, and so desyncs recorded
// demos.  The default, `auto`, therefore keeps the grid that the map has,
// unless the map has outgrown it or shrunk.  DoomBSP left a margin of 8 units
// around the map, which can add an empty column and an empty row; so one of
// each does not count as shrinkage.
//
// A grid that begins further away loses walls that are far from its origin.  So
// a margin is cut where it would lose what the lowest coordinates do not.

#include "lines/lines.h"

#include "base/macros.h"

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

// ---------------------------------------------------------------------------
// Reach

int32_t grid_loss_begins(enum grid_loss loss, uint32_t reach)
{
    enum { PLAYER_RADIUS = 16, SHOT_RANGE = 2048 }; // map units
    return (int32_t)reach * BLOCK_SIZE -
           (loss == GRID_MAY_PASS_ALL ? PLAYER_RADIUS : SHOT_RANGE);
}

enum grid_loss grid_find_loss(int32_t distance, uint32_t reach)
{
    enum grid_loss loss = reach > 0 ? GRID_MAY_PASS_ALL : GRID_HOLDS;
    while (loss > GRID_HOLDS && distance <= grid_loss_begins(loss, reach))
        loss--;
    return loss;
}

int32_t grid_lowest_origin(int32_t lowest, int32_t highest)
{
    static const uint32_t reaches[] = {GRID_REACH, GRID_LONG_REACH};
    int32_t origin = INT16_MIN;
    for (size_t i = 0; i < COUNT(reaches); i++)
        for (enum grid_loss loss = GRID_MAY_PASS_SHOTS; loss < GRID_LOSS_COUNT;
             loss++) {
            const int32_t most = grid_loss_begins(loss, reaches[i]);
            if (highest - lowest <= most && highest - most > origin)
                origin = highest - most;
        }
    return origin;
}

int32_t grid_distance(const struct grid *grid, int32_t highest_x,
                      int32_t highest_y)
{
    const int32_t x = highest_x - grid->origin_x;
    const int32_t y = highest_y - grid->origin_y;
    return x > y ? x : y;
}

// ---------------------------------------------------------------------------
// Placements

// The origin of DoomBSP's grid on an axis, as far as the margin may go.
static int32_t grid_id_origin(int32_t lowest, int32_t highest)
{
    const int32_t origin = lowest - GRID_ID_MARGIN;
    const int32_t least = grid_lowest_origin(lowest, highest);
    return origin < least ? least : origin;
}

// DoomBSP's grid.  A margin that ends on a block's edge adds no block.  The
// grid is clamped to 16-bit coordinates.
static struct grid grid_id(const struct lines *lines)
{
    struct grid grid = grid_from(grid_id_origin(lines->min_x, lines->max_x),
                                 grid_id_origin(lines->min_y, lines->max_y),
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
