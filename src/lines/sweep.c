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

// Sweeps a line from its southern end up.
VECTOR_BODY size_t sweep_up(struct fixed_line line, bool eastward,
                            int32_t origin_y, struct run *runs)
{
    const uint64_t edge_step = (uint64_t)BLOCK_SIZE << 16;
    const uint64_t width = eastward ? (uint32_t)line.x2 - (uint32_t)line.x1
                                    : (uint32_t)line.x1 - (uint32_t)line.x2;
    const uint64_t height = (uint32_t)line.y2 - (uint32_t)line.y1;
    const uint32_t south = (uint32_t)line.y1 - ((uint32_t)origin_y << 16);
    uint32_t row = south >> (16 + BLOCK_SHIFT);
    uint32_t left = ((south + (uint32_t)height) >> (16 + BLOCK_SHIFT)) - row;
    uint64_t whole = 0, whole_step = 0, remainder = 0, remainder_step = 0;
    struct run *run = runs;
    int64_t near = line.x1;
    if (left > 0) {
        const uint64_t first_edge = edge_step - (south & (edge_step - 1));
        whole = width * first_edge / height;
        remainder = width * first_edge % height;
    }
    if (left > 1) {
        whole_step = width * edge_step / height;
        remainder_step = width * edge_step % height;
    }
    for (; left > 0; left--, row++, run++) {
        const int64_t down = (int64_t)whole;
        const int64_t up = down + (remainder != 0); // rounded up
        const int64_t at = eastward ? line.x1 + down : line.x1 - up;
        const int64_t last = eastward ? line.x1 + up - 1 : near;
        *run =
            (struct run){(uint16_t)row, (int16_t)((eastward ? near : at) >> 16),
                         (int16_t)(last >> 16)};
        near = at;
        whole += whole_step;
        remainder += remainder_step;
        if (remainder >= height) {
            remainder -= height;
            whole++;
        }
    }
    *run++ = (struct run){(uint16_t)row,
                          (int16_t)((eastward ? near : line.x2) >> 16),
                          (int16_t)((eastward ? line.x2 : near) >> 16)};
    return (size_t)(run - runs);
}

size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS])
{
    if (line.y1 > line.y2)
        line = (struct fixed_line){line.x2, line.y2, line.x1, line.y1};
    return line.x1 < line.x2 ? sweep_up(line, true, origin_y, runs)
                             : sweep_up(line, false, origin_y, runs);
}
