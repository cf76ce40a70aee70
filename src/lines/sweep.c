// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sweep follows a line from its southern end, row by row northward.  Its
// place in a row begins and ends where it crosses the row's edges:
//
//            | last_x                    first_x |
//     _______|/_________ edge     ________\______|__ edge, part of the next
//           //|                            \\    |   row
//     _____//_|_________ edge     __________\\___|__ edge, part of this row
//         /                                   \  |
//       first_x                              last_x
//
// Rows are half-open: the northern edge belongs to the next row.  So a line
// that rises to the east ends, in this row, at the largest x *below* the
// crossing with the northern edge.  A line that rises to the west begins at the
// floor of the crossing, because its x is above the crossing everywhere in the
// row.  On the southern edge the crossing itself is in the row.
//
// The crossing at height k above the southern end is dx * k / dy away from it.
// Division and remainder make this exact: the quotient is the whole part, and
// the remainder tells whether anything is left over.  From edge to edge both
// advance by a constant step.  So a line costs two divisions, however many rows
// it has, and none if it stays in one row.
//
// All is in 16.16.  Distances are unsigned and below 2^32, so that their
// products fit 64 bits.

#include "lines/sweep.h"

#include <stdbool.h>

// The row of a height in whole map units.
static inline uint32_t sweep_row(int32_t y, int32_t origin_y)
{
    return (uint32_t)(y - origin_y) >> BLOCK_SHIFT;
}

static inline struct run sweep_run(uint32_t row, int32_t a, int32_t b)
{
    return (struct run){(uint16_t)row, (int16_t)(a < b ? a : b),
                        (int16_t)(a < b ? b : a)};
}

// A line from its southern end up that crosses edges.  `row` is the first of
// its rows.
static size_t sweep_climb(struct fixed_line line, uint32_t row,
                          uint32_t last_row, int32_t origin_y, struct run *runs)
{
    const uint64_t edge_step = (uint64_t)BLOCK_SIZE << 16;
    bool eastward = line.x1 < line.x2;
    uint64_t width = eastward ? (uint32_t)line.x2 - (uint32_t)line.x1
                              : (uint32_t)line.x1 - (uint32_t)line.x2;
    uint64_t height = (uint32_t)line.y2 - (uint32_t)line.y1;
    int64_t edge = (int64_t)origin_y + ((int64_t)(row + 1) << BLOCK_SHIFT);
    uint64_t first_edge = (uint64_t)(edge * 65536 - line.y1);
    uint64_t whole = width * first_edge / height;
    uint64_t remainder = width * first_edge % height;
    const uint64_t whole_step = width * edge_step / height;
    const uint64_t remainder_step = width * edge_step % height;
    struct run *next = runs;
    int64_t near = line.x1;
    for (; row < last_row; row++) {
        int64_t down = (int64_t)whole;
        int64_t up = down + (remainder != 0); // rounded up
        int64_t at = eastward ? line.x1 + down : line.x1 - up;
        int64_t far = eastward ? line.x1 + up - 1 : at;
        *next++ = sweep_run(row, (int32_t)(near >> 16), (int32_t)(far >> 16));
        near = at;
        whole += whole_step;
        remainder += remainder_step;
        if (remainder >= height) {
            remainder -= height;
            whole++;
        }
    }
    *next++ = sweep_run(row, (int32_t)(near >> 16), line.x2 >> 16);
    return (size_t)(next - runs);
}

size_t sweep_line(const struct lines *lines, size_t number, int32_t origin_y,
                  struct run runs[SWEEP_MAX_RUNS])
{
    struct fixed_line line = lines_fixed_at(lines, number);
    if (line.y1 > line.y2)
        line = (struct fixed_line){line.x2, line.y2, line.x1, line.y1};
    uint32_t row = sweep_row(line.y1 >> 16, origin_y);
    uint32_t last_row = sweep_row(line.y2 >> 16, origin_y);
    if (row < last_row)
        return sweep_climb(line, row, last_row, origin_y, runs);
    runs[0] = sweep_run(row, line.x1 >> 16, line.x2 >> 16);
    return 1;
}
