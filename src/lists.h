// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocklists: which lines touch each block, with equal lists told once.

#ifndef LISTS_H
#define LISTS_H

#include "sweep.h"

struct lists {
    // The number of each block's list; blocks go east first, then north.
    uint32_t *list_of_block;
    size_t block_count;

    // The distinct lists, in the order in which blocks first have them.
    // List l is linedefs[start[l]] to linedefs[start[l + 1] - 1], ascending.
    // An empty list is a list like any other.
    uint32_t *linedefs;
    size_t *start;
    size_t list_count;

    // How many times a line touches a block, over all blocks.
    uint64_t touch_count;
};

static inline size_t lists_length(const struct lists *lists, size_t list)
{
    return lists->start[list + 1] - lists->start[list];
}

// Turns the runs of each row into its blocks' lists.
enum status lists_build(struct context *context, const struct grid *grid,
                        const struct sweep *sweep, struct lists *lists);

void lists_free(struct context *context, struct lists *lists);

#endif
