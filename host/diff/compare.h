// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two blockmaps of a map held against each other: which linedefs only one of
// them lists, and where.

#ifndef COMPARE_H
#define COMPARE_H

#include "blockmap/blockmap.h"

// How two grids lie to each other.
enum compare_grids {
    GRIDS_NONE,    // at least one lump has no lists
    GRIDS_EQUAL,   // with the same origin, columns and rows
    GRIDS_ALIGNED, // with origins that are whole blocks apart
    GRIDS_OTHER,   // with blocks that lie across those of the other one
};

// A block that differs.  Where blocks lie across each other it is one of the
// lump that has more.
struct compare_block {
    int64_t x; // south-west corner, 16.16
    int64_t y;
    enum list_fault old_fault; // LIST_READABLE outside of a grid, too
    enum list_fault new_fault;
    size_t first;    // index of its linedefs: those only in the old lump
    size_t only_old; // how many these are
    size_t only_new; // how many only the new lump has, which are behind them
};

struct comparison {
    enum compare_grids grids;
    size_t block_count;     // that at least one of the grids has
    size_t reordered_count; // the same linedefs in another order or number
    size_t only_old;        // linedefs in blocks, over all that differ
    size_t only_new;

    // Those of the old grid come before those that only the new one has.
    struct compare_block *blocks;
    size_t differing_count;
    uint32_t *linedefs; // not NULL if any block differs
    size_t linedef_count;

    bool is_too_long; // all lists together, so it was given up
};

// Where blocks correspond, they are compared one by one, and one that only a
// single grid has is held against an empty one.  Otherwise each block is held
// against all blocks of the other grid that it lies across: a linedef differs
// if none of them lists it.  Blocks with a list that cannot be read differ.
//
// The comparison is for compare_free either way.  False if memory runs out.
bool compare_blockmaps(const struct blockmap *old, const struct blockmap *new,
                       struct comparison *comparison);

void compare_free(struct comparison *comparison);

// "none", "equal", "aligned" or "other".
const char *compare_grids_name(enum compare_grids grids);

#endif
