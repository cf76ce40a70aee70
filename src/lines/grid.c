// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chooses origin and size of the grid.
//
// Moving the origin changes which things share a block, and so the course of
// recorded demos.  The default, `auto`, therefore keeps the grid that the map
// has, unless the map has outgrown it or shrunk.  Builders since DoomBSP leave
// a margin of 8 units around the map.  This can cost a column and a row that no
// line reaches, which do not mean that the map has shrunk.

#include "lines/grid.h"

#include <stdbool.h>

enum { GRID_ID_MARGIN = 8 }; // DoomBSP's, map units

// Blocks needed from `origin` to reach `highest`.
static uint32_t grid_count_blocks(int32_t origin, int32_t highest)
{
    return (uint32_t)((highest - origin) >> BLOCK_SHIFT) + 1;
}

struct grid grid_from(int32_t x, int32_t y, const struct lines *lines)
{
    return (struct grid){x, y, grid_count_blocks(x, lines->max_x),
                         grid_count_blocks(y, lines->max_y)};
}

struct grid grid_fit(const struct lines *lines)
{
    return grid_from(lines->min_x, lines->min_y, lines);
}

// DoomBSP's origin along an axis, and how many blocks follow: with its margin,
// rounded up.  The margin shrinks at the very edge of the coordinates, as both
// must be 16-bit numbers.
static uint32_t grid_id_axis(int32_t lowest, int32_t highest, int32_t *origin)
{
    *origin = lowest - GRID_ID_MARGIN < INT16_MIN ? INT16_MIN
                                                  : lowest - GRID_ID_MARGIN;
    const uint32_t blocks =
        (uint32_t)(highest + GRID_ID_MARGIN - *origin + BLOCK_SIZE - 1) >>
        BLOCK_SHIFT;
    return blocks < GRID_MAX_SIDE ? blocks : GRID_MAX_SIDE;
}

static struct grid grid_id(const struct lines *lines)
{
    struct grid grid;
    grid.columns = grid_id_axis(lines->min_x, lines->max_x, &grid.origin_x);
    grid.rows = grid_id_axis(lines->min_y, lines->max_y, &grid.origin_y);
    return grid;
}

static bool grid_encloses(const struct grid *grid, const struct lines *lines)
{
    return grid->columns <= GRID_MAX_SIDE && grid->rows <= GRID_MAX_SIDE &&
           grid->origin_x <= lines->min_x && grid->origin_y <= lines->min_y &&
           grid_count_blocks(grid->origin_x, lines->max_x) <= grid->columns &&
           grid_count_blocks(grid->origin_y, lines->max_y) <= grid->rows;
}

// Whether there are more columns or rows than the lines and a builder's margin
// need.
static bool grid_has_spare(const struct grid *grid, const struct lines *lines)
{
    return grid->columns > grid_count_blocks(grid->origin_x,
                                             lines->max_x + GRID_ID_MARGIN) ||
           grid->rows >
               grid_count_blocks(grid->origin_y, lines->max_y + GRID_ID_MARGIN);
}

static nbstage_status grid_at(struct context *context,
                              const struct grid_request *request,
                              const struct lines *lines, struct grid *grid)
{
    if (request->x > lines->min_x || request->y > lines->min_y)
        return context_fail(context, NBSTAGE_BAD_MAP, NULL,
                            "a grid with its origin at %ld,%ld leaves out "
                            "lines that reach %ld,%ld; the origin has to be "
                            "there or to the south-west",
                            (long)request->x, (long)request->y,
                            (long)lines->min_x, (long)lines->min_y);
    *grid = grid_from(request->x, request->y, lines);
    if (grid->columns > GRID_MAX_SIDE || grid->rows > GRID_MAX_SIDE)
        return context_fail(
            context, NBSTAGE_BAD_MAP, NULL,
            "a grid with its origin at %ld,%ld has %lu x %lu "
            "blocks; at most %d x %d were expected",
            (long)request->x, (long)request->y, (unsigned long)grid->columns,
            (unsigned long)grid->rows, GRID_MAX_SIDE, GRID_MAX_SIDE);
    return NBSTAGE_OK;
}

nbstage_status grid_check_limit(struct context *context, const char *where,
                                const struct grid *grid)
{
    const uint64_t most = context_most(context, BYTES_OF_BLOCK);
    if ((uint64_t)grid->columns * grid->rows <= most)
        return NBSTAGE_OK;
    return context_fail(context, NBSTAGE_OVER_LIMIT, where,
                        "a grid of %lu x %lu blocks has more than the %llu "
                        "that max-memory allows for",
                        (unsigned long)grid->columns, (unsigned long)grid->rows,
                        (unsigned long long)most);
}

nbstage_status grid_choose(struct context *context,
                           const struct grid_request *request,
                           const struct lines *lines,
                           const struct grid *present, struct grid *grid,
                           enum grid_placement *taken)
{
    bool keepable = present && grid_encloses(present, lines);
    *taken = request->placement;
    switch (request->placement) {
    case GRID_AT:
        return grid_at(context, request, lines, grid);
    case GRID_ID:
        *grid = grid_id(lines);
        return NBSTAGE_OK;
    case GRID_KEEP:
        if (!keepable)
            context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                        present ? "the present grid does not enclose the map; "
                                  "the grid was fit to the lines instead of "
                                  "kept"
                                : "there is no grid to keep; the grid was fit "
                                  "to the lines");
        break;
    case GRID_AUTO:
        keepable = keepable && !grid_has_spare(present, lines);
        break;
    case GRID_FIT:
    case GRID_SEARCH:
        keepable = false;
        break;
    }
    *taken = keepable ? GRID_KEEP : GRID_FIT;
    *grid = keepable ? *present : grid_fit(lines);
    return NBSTAGE_OK;
}
