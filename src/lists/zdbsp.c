// SPDX-License-Identifier: GPL-2.0-or-later
//
// ZDBSP's lists, and those that GZDoom makes by itself.
//
// The grid begins at the lowest coordinates of all vertices, used or not.  A
// line is followed along the axis on which it is longer, in each row of the
// other axis to where it crosses the far edge.  The far edge of a row that is
// crossed southward, or of a column westward, is the unit after it.  Of lines
// at 45 degrees those that meet the edge of a row first are followed along y.
//
// Crossings are computed with a slope in double precision, as the compilers of
// distributions do it: along x the length is multiplied by the reciprocal of
// the height, along y the height is divided by the length.  A crossing that is
// a whole number may come out as the unit before it.
//
// ZDBSP removes lines of no length from the map, so they are in no block.

#include "lists/builders.h"

#include <stdlib.h>

static nbstage_status lay_grid(struct context *context, const struct map *map,
                               struct lines *lines, struct grid *grid)
{
    (void)context;
    lines_span_vertices(map, lines);
    *grid = grid_from(lines->min_x, lines->min_y, lines);
    return NBSTAGE_OK;
}

// An end of a line, on the axis that is followed and on the other one.
struct place {
    int32_t along, across;
};

static void put(struct walk *walk, bool is_steep, int32_t along, int32_t across)
{
    if (is_steep)
        walk_put_at(walk, across, along);
    else
        walk_put_at(walk, along, across);
}

// Units from a coordinate to the edge of its block in a direction, where both
// ends of the block are edges.
static int32_t units_to_edge(int32_t coordinate, int32_t direction)
{
    const int32_t inside = coordinate & (BLOCK_SIZE - 1);
    return direction < 0 ? inside : BLOCK_SIZE - inside;
}

// Whether a line is followed along y.
static bool is_steep(const struct walked_line *line)
{
    const int32_t dx = line->x2 - line->x1, dy = line->y2 - line->y1;
    if (abs(dx) != abs(dy))
        return abs(dx) < abs(dy);
    return units_to_edge(line->x1, dx) > units_to_edge(line->y1, dy);
}

static void walk_line(struct walk *walk, const struct walked_line *line)
{
    const bool steep = is_steep(line);
    struct place start = {line->x1, line->y1}, end = {line->x2, line->y2};
    if (steep) {
        start = (struct place){line->y1, line->x1};
        end = (struct place){line->y2, line->x2};
    }
    const int32_t along = end.along - start.along;
    const int32_t across = end.across - start.across;
    const double slope = across == 0 ? 0
                         : steep     ? (double)along / across
                                     : along * (1.0 / across);
    const int32_t step = along < 0 ? -1 : 1;
    const int32_t row_step = across < 0 ? -1 : 1;
    const int32_t last_row = end.across >> BLOCK_SHIFT;
    int32_t row = start.across >> BLOCK_SHIFT;
    int32_t column = start.along >> BLOCK_SHIFT;
    for (;; row += row_step) {
        int32_t stop = end.along;
        if (row != last_row) {
            const int32_t edge =
                row * BLOCK_SIZE + (across < 0 ? -1 : BLOCK_SIZE);
            stop = start.along + (int32_t)((edge - start.across) * slope);
        }
        for (stop >>= BLOCK_SHIFT; column != stop; column += step)
            put(walk, steep, column, row);
        put(walk, steep, column, row);
        if (row == last_row)
            return;
    }
}

const struct builder builder_zdbsp = {
    .lay_grid = lay_grid,
    .walk_line = walk_line,
    .omits_points = true,
};
