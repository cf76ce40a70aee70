// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sweep follows a line from its southern end, row by row northward.  In
// each row it covers the map units from first_x, the western end, to last_x,
// the eastern one, whichever way it rises:
//
//              last_x           first_x
//     ___________/_____ edge     ___\_____________ edge, part of the next row
//               /                    \    this row
//     _________/_______ edge     _____\___________ edge, part of this row
//         first_x                   last_x
//
// Rows are half-open: the northern edge belongs to the next row.  If the line
// rises to the east, its last_x is the largest x *below* the crossing with the
// northern edge.  If it rises to the west, its first_x is the floor of the
// crossing, because its x is above the crossing everywhere in the row.  On the
// southern edge the crossing itself is in the row.
//
// So through the corner at 128,128 of a grid from 0,0, the line from 0,0 to
// 255,255 is in two blocks, column and row 0,0 and 1,1.  The line from 255,1 to
// 1,255 is in three: 1,0, then 1,1 for the corner itself, then 0,1.
//
// The crossing at height k above the southern end is dx * k / dy away from it.
// Division and remainder make this exact: the quotient is the whole part, and
// the remainder tells whether anything is left over.  From edge to edge both
// advance by a constant step.  So a line costs at most two divisions, however
// many rows it has, and none if it stays in one row.
//
// Lines are in 16.16, runs in whole map units.  Distances are unsigned and
// below 2^32, so that their products fit 64 bits.

#include "lines/sweep.h"

#include "base/vector.h"

#include <stdbool.h>

// The row of a height in whole map units.
static inline uint32_t sweep_row(int32_t y, int32_t origin_y)
{
    return (uint32_t)(y - origin_y) >> BLOCK_SHIFT;
}

// A line from its southern end up that crosses edges.  `row` is the first of
// its rows.
VECTOR_BODY size_t sweep_climb(struct fixed_line line, bool eastward,
                               uint32_t row, uint32_t last_row,
                               int32_t origin_y, struct run *runs)
{
    const uint64_t edge_step = (uint64_t)BLOCK_SIZE << 16;
    const uint64_t width = eastward ? (uint32_t)line.x2 - (uint32_t)line.x1
                                    : (uint32_t)line.x1 - (uint32_t)line.x2;
    const uint64_t height = (uint32_t)line.y2 - (uint32_t)line.y1;
    const uint64_t first_edge =
        edge_step -
        (((uint32_t)line.y1 - ((uint32_t)origin_y << 16)) & (edge_step - 1));
    uint64_t whole = width * first_edge / height;
    uint64_t remainder = width * first_edge % height;
    uint64_t whole_step = 0, remainder_step = 0;
    struct run *next = runs;
    int64_t near = line.x1;
    if (last_row - row > 1) {
        whole_step = width * edge_step / height;
        remainder_step = width * edge_step % height;
    }
    for (; row < last_row; row++, next++) {
        const int64_t down = (int64_t)whole;
        const int64_t up = down + (remainder != 0); // rounded up
        const int64_t at = eastward ? line.x1 + down : line.x1 - up;
        next->row = (uint16_t)row;
        next->first_x = (int16_t)((eastward ? near : at) >> 16);
        next->last_x = (int16_t)((eastward ? line.x1 + up - 1 : near) >> 16);
        near = at;
        whole += whole_step;
        remainder += remainder_step;
        if (remainder >= height) {
            remainder -= height;
            whole++;
        }
    }
    next->row = (uint16_t)row;
    next->first_x = (int16_t)((eastward ? near : line.x2) >> 16);
    next->last_x = (int16_t)((eastward ? line.x2 : near) >> 16);
    return (size_t)(next - runs) + 1;
}

size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS])
{
    if (line.y1 > line.y2)
        line = (struct fixed_line){line.x2, line.y2, line.x1, line.y1};
    const uint32_t row = sweep_row(line.y1 >> 16, origin_y);
    const uint32_t last_row = sweep_row(line.y2 >> 16, origin_y);
    if (row == last_row) {
        const bool eastward = line.x1 < line.x2;
        *runs = (struct run){(uint16_t)row,
                             (int16_t)((eastward ? line.x1 : line.x2) >> 16),
                             (int16_t)((eastward ? line.x2 : line.x1) >> 16)};
        return 1;
    }
    return line.x1 < line.x2
               ? sweep_climb(line, true, row, last_row, origin_y, runs)
               : sweep_climb(line, false, row, last_row, origin_y, runs);
}
