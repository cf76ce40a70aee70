// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a map's blocks should list, and what its lump lacks and has too much.

#ifndef JUDGE_H
#define JUDGE_H

#include "base/context.h"
#include "lines/lines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The lists that the blocks of a map should have: every linedef in every block
// that it is in.
//
// Blocks are placed as in the lump's grid, but the grid encloses the lines: it
// can be larger than the lump's, and smaller.  Block 0,0 of the lump is block
// west,south of this one.
struct expected {
    struct grid grid;
    size_t block_count;

    // Block b should list linedefs[starts[b]] to linedefs[starts[b + 1] - 1],
    // in ascending order.  Block block_count is one without any.
    size_t *starts;
    uint32_t *linedefs;
    bool *are_missing; // what judge_lump found last

    uint32_t west, south;
    uint32_t columns; // of the lump

    // For each linedef not 0 if it may be missing; NULL if that is so of none.
    const uint8_t *left_out;

    // For each linedef whether it is solid, and why; NULL if all count as such.
    const struct line_verdict *verdicts;
};

// Finds what a map with these lines should list, for expected_free.  If the
// lump has no table of offsets, the grid is fitted to the lines.
// NBSTAGE_UNSUPPORTED: the grid of the lump is none that lines can be put on.
// NBSTAGE_OVER_LIMIT: more blocks or entries than the context allows.
nbstage_status expected_find(struct context *context, const struct lines *lines,
                             const struct blockmap *blockmap,
                             struct expected *expected);

void expected_free(struct context *context, struct expected *expected);

// The block of the expected grid where a block of the lump is; its block_count
// if there is none.
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

// Whether a block is outside a grid that begins where the lump's does and has
// so many columns and rows.
bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows);

// Whether a block lacks a solid linedef; NULL is a block without a list.
bool expected_misses_solid(const struct expected *expected, size_t block,
                           const struct linedef_set *list);

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

// Entries that are listed; missing ones, and of these the solid ones.
struct judge_count {
    size_t listed, missing, solid;
};

struct lump_judgement {
    size_t entry_count;         // expected, without those left out
    struct judge_count inside;  // in blocks with a list that can be read
    struct judge_count outside; // in blocks that the grid does not have
    size_t extra_count;         // linedefs in the wrong lists
};

// Finds what the lists of a lump with blocks lack, and have too much.
struct lump_judgement judge_lump(const struct expected *expected,
                                 const struct blockmap *blockmap);

// Finds out what the lists of a lump begin with, if that is not what it seems
// to be.  A list may begin with any word as its header, as with some builders,
// or with its first linedef.  Only the expected lists can decide.
void judge_headers(const struct expected *expected, struct blockmap *blockmap);

// Counts the solid entries that the present lump of a map lacks.  Linedefs with
// a fate that is not 0 may be missing; NULL is for none.  *count is 0 if there
// is no lump, it may take too much memory, or lines cannot be put on its grid.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT, NBSTAGE_BAD_MAP.
nbstage_status judge_missing_solid(struct context *context, struct map *map,
                                   const uint8_t *fates, size_t *count);

#endif
