// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which chains have lines in common.

#ifndef MERGE_INDEX_H
#define MERGE_INDEX_H

#include "merge/merge-chains.h"

// The chains whose first list has each line: those of line l are having[begin
// [l]] to having[end[l] - 1].  There are none of lines that were in too many
// lists.
struct chain_index {
    uint32_t *having;
    size_t *begin, *end;

    // Chains that were met, and how many indexed lines each of them shares.
    uint32_t *met;
    size_t met_count;
    uint32_t *met_lines; // by chain; 0 for those not met

    size_t unindexed; // lines of the chain that met them
    uint64_t work;    // entries looked at since the index was made
};

// Makes the index of all chains of a set.
nbstage_status chain_index_make(const struct chain_set *set,
                                struct chain_index *index);

// Finds the chains that have indexed lines in common with one.
void chain_index_meet(struct chain_index *index, const struct chain_set *set,
                      uint32_t number);

// Forgets them.
void chain_index_part(struct chain_index *index);

// Names the lower chain for all lines of both.  To be called before they are
// joined.
void chain_index_join(struct chain_index *index, struct chain_set *set,
                      uint32_t low, uint32_t high);

void chain_index_free(struct context *context, struct chain_index *index);

#endif
