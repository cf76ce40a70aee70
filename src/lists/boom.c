// SPDX-License-Identifier: GPL-2.0-or-later
//
// Boom's lists, which PrBoom+, DSDA-Doom and Woof make, too.
//
// A line is in the blocks of its ends.  Every western edge of a column that the
// line meets, ends included, is crossed with it.  The line is in the block of
// the crossing, and if it comes from the west, in the block to the west.  Where
// the crossing is the corner of a block, the slope decides instead:
//
//   falling, or level and going west   the blocks to the south and to the west
//   rising, or level and going east    the block to the south-west
//   rising at 45 degrees               no other block
//
// as far as the line comes from there.  The same is done with the southern
// edges of rows; there, upright lines are in the block to the south.
//
// Crossings are computed in 32 bits, which wrap around for lines that are long
// both ways.  A crossing outside the grid is skipped.

#include "lists/builders.h"

// A line and a row or column of the grid, with x and y exchanged for rows.
struct side {
    int32_t from, to;           // across the edges
    int32_t other, other_delta; // along the edges: the first end, the length
    int32_t count, other_count; // blocks of the grid
    bool is_row;
};

static void put(struct walk *walk, const struct side *side, int32_t number,
                int32_t other)
{
    if (side->is_row)
        walk_put_at(walk, other, number);
    else
        walk_put_at(walk, number, other);
}

// The product of two numbers in 32 bits, as processors multiply.
static int32_t multiply(int32_t a, int32_t b)
{
    const uint32_t product = (uint32_t)a * (uint32_t)b;
    return product > INT32_MAX ? -(int32_t)(UINT32_MAX - product) - 1
                               : (int32_t)product;
}

// Puts the line into the blocks at the western edge of a column.
static void put_at_edge(struct walk *walk, const struct side *side,
                        int32_t number)
{
    const int32_t delta = side->to - side->from;
    const int32_t edge = number * BLOCK_SIZE;
    const int32_t crossing =
        side->other + multiply(side->other_delta, edge - side->from) / delta;
    const int32_t lowest =
        side->other_delta < 0 ? side->other + side->other_delta : side->other;
    const int32_t other = crossing >> BLOCK_SHIFT;
    const bool is_corner = (crossing & (BLOCK_SIZE - 1)) == 0;
    const bool comes_from_west = side->from < edge || side->to < edge;
    // The slope is judged by all bits of the deltas.
    const int32_t slope = delta ^ side->other_delta;
    if (other < 0 || other >= side->other_count)
        return;
    put(walk, side, number, other);
    if (is_corner && slope < 0 && lowest < crossing)
        put(walk, side, number, other - 1);
    if (is_corner && slope >= 0 && !(side->is_row && side->other_delta == 0)) {
        if (slope > 0 && comes_from_west)
            put(walk, side, number - 1, other - 1);
    } else if (comes_from_west) {
        put(walk, side, number - 1, other);
    }
}

static void put_at_edges(struct walk *walk, const struct side *side)
{
    const int32_t low = side->from < side->to ? side->from : side->to;
    const int32_t high = side->from < side->to ? side->to : side->from;
    for (int32_t number = (low + BLOCK_SIZE - 1) >> BLOCK_SHIFT;
         low < high && number * BLOCK_SIZE <= high && number < side->count;
         number++)
        put_at_edge(walk, side, number);
}

// Vertices may be east or north of Boom's grid; what the engine writes outside
// its memory for them is left out.
static void put_end(struct walk *walk, int32_t x, int32_t y)
{
    const struct grid *grid = walk->grid;
    const size_t block =
        (size_t)(y >> BLOCK_SHIFT) * grid->columns + (size_t)(x >> BLOCK_SHIFT);
    if (block < grid_block_count(grid))
        walk_put(walk, block);
}

static void walk_line(struct walk *walk, const struct walked_line *line)
{
    const int32_t columns = (int32_t)walk->grid->columns;
    const int32_t rows = (int32_t)walk->grid->rows;
    put_end(walk, line->x1, line->y1);
    put_end(walk, line->x2, line->y2);
    put_at_edges(walk,
                 &(struct side){line->x1, line->x2, line->y1,
                                line->y2 - line->y1, columns, rows, false});
    put_at_edges(walk,
                 &(struct side){line->y1, line->y2, line->x1,
                                line->x2 - line->x1, rows, columns, true});
}

const struct builder builder_boom = {
    .lay_grid = builder_lay_engine_grid,
    .walk_line = walk_line,
};
