// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares two blockmaps of a map: which linedefs only one of them lists, and
// where.

#ifndef COMPARE_H
#define COMPARE_H

#include "blockmap/blockmap.h"

// How two grids lie to each other.
enum compare_grids {
    GRIDS_NONE,    // at least one lump has no lists
    GRIDS_EQUAL,   // with the same origin, columns and rows
    GRIDS_ALIGNED, // with origins that are whole blocks apart
    GRIDS_OTHER,   // with blocks that overlap several of the other grid
};

// A block that differs.  If blocks overlap several others, it is of the lump
// that lists more.
struct compare_block {
    int64_t x; // south-west corner, 16.16
    int64_t y;
    enum list_fault old_fault; // LIST_READABLE outside of a grid, too
    enum list_fault new_fault;
    size_t first;    // index of the linedefs that only the old lump lists
    size_t only_old; // how many these are
    size_t only_new; // how many only the new lump lists; they come after them
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

// Compares two blockmaps, for compare_free.
void compare_blockmaps(const struct blockmap *old, const struct blockmap *new,
                       struct comparison *comparison);

void compare_free(struct comparison *comparison);

#endif
