// SPDX-License-Identifier: GPL-2.0-or-later
//
// MBF's lists, which Crispy Doom makes, too.
//
// A line is followed from block to block, from its first end to the block of
// its second.  A difference tells which way the next step goes: west or east
// below 0, else south or north.  It begins with the distances to the edges
// where the line leaves the first block, each times the length of the other
// way, where the eastern and northern edges are the last unit of the block.
//
// Blocks are counted as one row, so a line to a vertex east of the grid enters
// it again a row further on, maybe a block that it was in; then the list has it
// twice.  A line that passes by its last block ends where it leaves the grid,
// if it ever does.

#include "lists/builders.h"

#include <stdlib.h>

// Steps for each block of the grid, after which a line would never end.
enum { MOST_STEPS = 4 };

// The distance to the edge where the line leaves the block.
static int64_t distance(int32_t from, int32_t delta)
{
    const int32_t inside = from & (BLOCK_SIZE - 1);
    return delta < 0 ? inside : BLOCK_SIZE - 1 - inside;
}

static void walk_line(struct walk *walk, const struct walked_line *line)
{
    const int64_t columns = walk->grid->columns;
    const int64_t block_count = (int64_t)grid_block_count(walk->grid);
    const int64_t width = labs(line->dx), height = labs(line->dy);
    const int64_t step_x = line->dx < 0 ? -1 : 1;
    const int64_t step_y = line->dy < 0 ? -columns : columns;
    const int64_t last =
        (line->y2 >> BLOCK_SHIFT) * columns + (line->x2 >> BLOCK_SHIFT);
    int64_t block =
        (line->y1 >> BLOCK_SHIFT) * columns + (line->x1 >> BLOCK_SHIFT);
    int64_t difference = distance(line->x1, line->dx) * height -
                         distance(line->y1, line->dy) * width;
    if (width == 0)
        difference = 1;
    else if (height == 0)
        difference = -1;
    for (int64_t steps = 0; steps < MOST_STEPS * block_count; steps++) {
        if (block < 0 || block >= block_count)
            return;
        walk_put(walk, (size_t)block);
        if (block == last)
            return;
        if (difference < 0) {
            difference += height * BLOCK_SIZE;
            block += step_x;
        } else {
            difference -= width * BLOCK_SIZE;
            block += step_y;
        }
    }
    walk->is_endless = true;
}

const struct builder builder_mbf = {
    .lay_grid = builder_lay_engine_grid,
    .walk_line = walk_line,
    .repeats = true,
};
