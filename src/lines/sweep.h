// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sweep: which part of each row of blocks a line covers.

#ifndef SWEEP_H
#define SWEEP_H

#include "lines/grid.h"
#include "lines/lines.h"

#include <stddef.h>
#include <stdint.h>

// A line covers one contiguous part of a row, from its western end in the map
// unit first_x to its eastern end in last_x.  So it is in the columns
// (first_x - origin_x) / BLOCK_SIZE to (last_x - origin_x) / BLOCK_SIZE.  Runs
// depend on where rows begin, not on where columns do.
struct run {
    uint16_t row;
    int16_t first_x, last_x;
};

enum { SWEEP_MAX_RUNS = GRID_MAX_SIDE }; // of one line

// Finds the runs of a line, row by row northward.  The first row of the grid
// begins at origin_y, which must not be above the line.  Returns how many runs
// there are, 1 to SWEEP_MAX_RUNS.
size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS]);

#endif
