// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sweep: which stretch of every row of blocks each line covers.

#ifndef SWEEP_H
#define SWEEP_H

#include "grid.h"

// A line covers one contiguous stretch of a row.  first_x and last_x are the
// whole map units that the stretch begins and ends in, so it touches the
// columns (first_x - origin_x) / BLOCK_SIZE to (last_x - origin_x) /
// BLOCK_SIZE.  Runs depend on the grid's origin_y and rows, not on its
// columns.
struct run {
    uint32_t line; // linedef number
    int16_t first_x, last_x;
};

struct sweep {
    struct run *runs;
    // Row r has runs row_start[r] to row_start[r + 1] - 1, by linedef number.
    size_t *row_start;
    size_t row_count;
};

// Finds the runs of all lines.  The grid must enclose them.
enum status sweep_rows(struct context *context, const struct lines *lines,
                       const struct grid *grid, struct sweep *sweep);

void sweep_free(struct context *context, struct sweep *sweep);

#endif
