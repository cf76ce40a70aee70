// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two lumps of a map: which linedefs only one of them lists, and where.

#ifndef COMPARE_H
#define COMPARE_H

#include "inspect/inspect.h"
#include "lump/blockmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How two grids lie to each other.
enum compare_grids {
    GRIDS_NONE,    // at least one lump has no lists
    GRIDS_ALIGNED, // with origins that are whole blocks apart
    GRIDS_OTHER,   // with blocks that overlap several of the other grid
};

// What one lump has in a block that differs.
struct compare_list {
    enum list_fault fault;    // LIST_READABLE outside of its grid, too
    const uint32_t *linedefs; // that only this one lists, in ascending order
    size_t count;
};

// A block that differs.
struct compare_block {
    struct lump_place place;
    struct compare_list old;
    struct compare_list new;
};

// Looks at a block, whose linedefs are valid during the call.
typedef void compare_visit(void *context, const struct compare_block *block);

// All is 0 unless the grids are aligned.
struct comparison {
    enum compare_grids grids;
    size_t block_count;     // that at least one of the grids has
    size_t differing_count; // of these, blocks that differ
    size_t reordered_count; // the same linedefs in another order or number
    size_t only_old;        // linedefs in blocks, over all that differ
    size_t only_new;
    uint64_t words_read; // of all lists
    bool is_too_long;    // these are too many, so it was given up
};

// Compares the blocks at each place of the map.  Calls `visit`, unless it is
// NULL, for each block that differs: those of the old grid, then those that
// only the new one has.  The blocks are not kept, as they may have far more
// linedefs than the lumps words; to see them twice, compare twice.
struct comparison compare_blockmaps(const struct blockmap *old,
                                    const struct blockmap *new,
                                    compare_visit *visit, void *context);

#endif
