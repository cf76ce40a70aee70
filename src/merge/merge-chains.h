// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chains of blocklists while they are merged.  A chain is one or more lists
// that are stored as one: each contains the next.

#ifndef MERGE_CHAINS_H
#define MERGE_CHAINS_H

#include "lists/lists.h"

// A list of a chain, and whose it has become.
struct chain_level {
    uint64_t block_count;
    uint32_t length;                // linedefs
    uint32_t first_list, last_list; // linked by next_list
};

// A linedef of a chain's first list.
struct chain_line {
    uint32_t linedef;
    uint32_t level; // the last that has it
};

struct chain {
    struct chain_level *levels; // each contains the next; owns the memory
    size_t level_count;         // 0: there is no chain of this number any more
    struct chain_line *lines;   // ascending
    size_t line_count;
    uint64_t block_count; // of all levels
};

// All chains.  A chain has the lowest number of those that became part of it;
// at first, that of its first list.
struct chain_set {
    struct context *context;
    const struct lists *lists;
    bool nests; // whether chains may have more levels than one
    struct chain *chains;
    size_t line_count; // of the map, as far as lists have them

    uint32_t *next_list; // of the same level, or LIST_NUMBER_NONE

    // 1 + the level of each line in the chain that is marked, or 0.
    uint32_t *mark;

    // Tables of the two chains that are compared.
    size_t cell_count;
    uint32_t *common;
    uint64_t *extra;
};

// Makes chains of lists, which must outlive them.  `inner` tells for each list
// which one is nested directly in it, or LIST_NUMBER_NONE; if it is NULL, every
// list is a chain.
nbstage_status chain_set_make(struct context *context,
                              const struct lists *lists, bool nests,
                              const uint32_t *inner, struct chain_set *set);

// Marks a chain, to be compared with others, and takes the marks away.
void chain_set_mark(struct chain_set *set, uint32_t chain);
void chain_set_unmark(struct chain_set *set, uint32_t chain);

// What it would cost to make one chain of the marked one and another: the lines
// that blocks would list more.  *common is how many lines the first lists of
// both have.  False if the chains are too long to be compared.
bool chain_set_compare(struct chain_set *set, uint32_t marked, uint32_t other,
                       uint64_t *extra, uint32_t *common);

// Makes one chain of two, `low` of the lower number.  On failure nothing has
// changed.
nbstage_status chain_set_join(struct chain_set *set, uint32_t low,
                              uint32_t high);

// Finds where the list of a level becomes equal to the one before it at the
// lowest cost, the first of several.  Returns the level, or 0 if there is only
// one.
size_t chain_set_find_level(const struct chain_set *set, uint32_t chain,
                            uint64_t *extra);

// Makes these two levels one.
void chain_set_join_levels(struct chain_set *set, uint32_t chain);

void chain_set_free(struct chain_set *set);

#endif
