// SPDX-License-Identifier: GPL-2.0-or-later
//
// The expected lists of a map: every linedef in every block that it touches.

#ifndef EXPECTED_H
#define EXPECTED_H

#include "base/context.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "nbstage.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Blocks are aligned with the lump's, but the grid encloses the lines; it may
// be larger or smaller than the lump's.  Block 0,0 of the lump is block
// west,south of this one.
struct expected {
    struct grid grid;
    size_t block_count;

    // Block b should list linedefs[starts[b]] to linedefs[starts[b + 1] - 1],
    // in ascending order.  Block block_count is an empty dummy.
    size_t *starts;
    uint32_t *linedefs;
    bool *are_missing; // the result of the last judge_lump

    uint32_t west, south;
    uint32_t columns; // of the lump's grid

    // Nonzero: the linedef may be missing; NULL: none may.
    const uint8_t *left_out;

    // The verdict on each linedef; NULL: all count as solid.
    const struct line_verdict *verdicts;
};

// Finds the expected lists of a map with these lines, for expected_free.  If
// the lump has no table of offsets, the grid is fitted to the lines.
// NBSTAGE_UNSUPPORTED: lines cannot be placed on the grid of the lump.
// NBSTAGE_OVER_LIMIT: more blocks or entries than the context allows.
nbstage_status expected_find(struct context *context, const struct lines *lines,
                             const struct blockmap *blockmap,
                             struct expected *expected);

void expected_free(struct context *context, struct expected *expected);

// The block of the expected grid at the place of a block of the lump;
// block_count if it is outside.
static inline size_t expected_block(const struct expected *expected,
                                    size_t block)
{
    const struct grid *grid = &expected->grid;
    const size_t column = block % expected->columns + expected->west;
    const size_t row = block / expected->columns + expected->south;
    return column < grid->columns && row < grid->rows
               ? row * grid->columns + column
               : expected->block_count;
}

// Whether a block is outside a grid of this size at the lump's origin.
bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows);

static inline bool expected_leaves_out(const struct expected *expected,
                                       uint32_t linedef)
{
    return expected->left_out && expected->left_out[linedef];
}

static inline bool expected_is_solid(const struct expected *expected,
                                     uint32_t linedef)
{
    return !expected->verdicts ||
           expected->verdicts[linedef].reason != LINE_FREE;
}

#endif
