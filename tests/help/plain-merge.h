// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging by a plain search through all pairs: what the fast one is held
// against.

#ifndef PLAIN_MERGE_H
#define PLAIN_MERGE_H

#include "merge/merge.h"

enum {
    MOST_BLOCKS = 64, // a mask of blocks has 64 bits, and one of lines has
    MOST_LINES = 64,
};

// The lines of each block.
struct blocks {
    uint64_t lines[MOST_BLOCKS];
    size_t count;
};

static inline uint32_t count_bits(uint64_t mask)
{
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

struct plain_level {
    uint64_t lines;
    uint64_t blocks;
};

struct plain_chain {
    struct plain_level levels[MOST_BLOCKS];
    size_t count; // 0: it is part of another one
};

struct plain {
    const struct merge_request *request;
    struct plain_chain chains[MOST_BLOCKS];
    size_t count;
};

// The lists of blocks, none of them nested.
struct plain plain_make(const struct merge_request *request,
                        const struct lists *lists, const struct blocks *blocks);

// Takes the cheapest step.  Returns the words it saves, or 0 if there is none.
uint64_t plain_step(struct plain *plain);

// The lists that blocks have come to.
struct blocks plain_blocks(const struct plain *plain, size_t count);

#endif
