// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chains of blocklists while they are merged.  A chain is one or more lists
// that are stored as one: each contains the next.

#ifndef CHAIN_SET_H
#define CHAIN_SET_H

#include "lists/lists.h"

// A list of a chain, and the lists that have become this list.
struct chain_level {
    uint64_t block_count;
    uint32_t length;                // linedefs
    uint32_t first_list, last_list; // linked by next_list
    uint32_t number;                // only for chain_set_lists
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

// All chains.  At first, a chain has the number of its first list.  A joined
// chain has the lower number.
struct chain_set {
    struct context *context;
    const struct lists *lists;
    bool nests; // whether chains may have more than one level
    struct chain *chains;

    uint32_t *next_list; // of the same level, or LIST_NUMBER_NONE

    // 1 + the level of each line in the marked chain, or 0.
    uint32_t *mark;

    // Tables for comparing two chains.
    size_t cell_count;
    uint32_t *common;
    uint64_t *extra;
};

// Makes chains of lists, which must outlive them; `inner` as in merge.h.
nbstage_status chain_set_make(struct context *context,
                              const struct lists *lists, bool nests,
                              const uint32_t *inner, struct chain_set *set);

// Marks a chain, to be compared with others, and takes the marks away.
void chain_set_mark(struct chain_set *set, uint32_t chain);
void chain_set_unmark(struct chain_set *set, uint32_t chain);

// Finds how many extra entries blocks would get if the marked chain were joined
// with another.  *common is the number of lines in the first lists of both.
// False if the chains are too long to be compared.
bool chain_set_compare(struct chain_set *set, uint32_t marked, uint32_t other,
                       uint64_t *extra, uint32_t *common);

// Joins two chains, `low` of the lower number.  On failure nothing has changed.
nbstage_status chain_set_join(struct chain_set *set, uint32_t low,
                              uint32_t high);

// Finds the level that can become equal to the one before it with the fewest
// extra entries, the first of several.  Returns 0 if there is only one level.
size_t chain_set_find_level(const struct chain_set *set, uint32_t chain,
                            uint64_t *extra);

// Joins these two levels.
void chain_set_join_levels(struct chain_set *set, uint32_t chain);

// Makes lists in which every block has the list that its own has become, for
// lists_free.
nbstage_status chain_set_lists(const struct chain_set *set,
                               struct lists *merged);

void chain_set_free(struct chain_set *set);

#endif
