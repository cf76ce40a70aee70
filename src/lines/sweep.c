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
// Lines are in 16.16, runs in whole map units.  Distances are below 2^32 and
// the step is 2^23, so that their products fit 64 bits.

#include "lines/lines.h"

static inline struct run sweep_run(uint32_t row, int64_t from, int64_t to)
{
    const int64_t west = from < to ? from : to, east = from < to ? to : from;
    return (struct run){(uint16_t)row, (int16_t)(west >> 16),
                        (int16_t)(east >> 16)};
}

size_t sweep_line(struct fixed_line line, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS])
{
    if (line.y1 > line.y2)
        line = (struct fixed_line){line.x2, line.y2, line.x1, line.y1};
    const bool is_eastward = line.x1 < line.x2;
    const uint32_t step = BLOCK_SIZE << 16; // from edge to edge
    const uint64_t width = is_eastward ? (uint32_t)line.x2 - (uint32_t)line.x1
                                       : (uint32_t)line.x1 - (uint32_t)line.x2;
    const uint32_t height = (uint32_t)line.y2 - (uint32_t)line.y1;
    const uint32_t south = (uint32_t)line.y1 - ((uint32_t)origin_y << 16);
    const uint32_t last_row = (south + height) / step;
    uint32_t row = south / step;
    uint64_t whole = 0, whole_step = 0, remainder = 0, remainder_step = 0;
    struct run *run = runs;
    int64_t near = line.x1;
    if (row < last_row) {
        const uint32_t first_edge = step - south % step;
        whole = width * first_edge / height;
        remainder = width * first_edge % height;
    }
    if (row + 1 < last_row) {
        whole_step = width * step / height;
        remainder_step = width * step % height;
    }
    for (; row < last_row; row++) {
        const int64_t down = (int64_t)whole;
        const int64_t far =
            line.x1 + (is_eastward ? down : -down - (remainder > 0));
        *run++ = sweep_run(row, near, far - (is_eastward && remainder == 0));
        near = far;
        whole += whole_step;
        remainder += remainder_step;
        if (remainder >= height) {
            remainder -= height;
            whole++;
        }
    }
    *run++ = sweep_run(row, near, line.x2);
    return (size_t)(run - runs);
}
