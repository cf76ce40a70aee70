// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lists are stored as the tails of which.

#ifndef NEST_H
#define NEST_H

#include "lists/lists.h"

// Chains of lists, each of which contains the next.  Where a list has none on
// one side, that is LIST_NUMBER_NONE.
struct nesting {
    uint32_t *inner;       // of each list, the one that is its tail
    uint32_t *outer;       // of each list, the one whose tail it is
    size_t nested_count;   // lists that are tails
    uint64_t nested_words; // linedefs in them
    bool is_complete;      // false: the work limit ended it early
};

// Finds the nesting that saves the most words.  The empty list is left out.
// `zero_serves` says that a 0 stands before every list, and that of a tail can
// be linedef 0 of the list whose tail it is.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status nest_lists(struct context *context, const struct lists *lists,
                          bool zero_serves, struct nesting *nesting);

// The nesting in which no list is a tail.
nbstage_status nest_nothing(struct context *context, const struct lists *lists,
                            struct nesting *nesting);

void nesting_free(struct context *context, struct nesting *nesting);

#endif
