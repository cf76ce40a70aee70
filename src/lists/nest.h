// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decides which lists are stored as the tails of others.

#ifndef NEST_H
#define NEST_H

#include "base/context.h"
#include "lists/lists.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Chains of lists, each of which contains the next.
struct nesting {
    uint32_t *inner;     // of each list, its tail, or LIST_NUMBER_NONE
    uint32_t *outer;     // of each list, the list whose tail it is, or the same
    size_t nested_count; // lists that are tails
    bool is_complete;    // false: the work limit stopped it
};

// Finds the nesting that saves the most words, without the empty list.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status nest_lists(struct context *context, const struct lists *lists,
                          struct nesting *nesting);

// Makes the nesting in which no list is a tail.
nbstage_status nest_nothing(struct context *context, const struct lists *lists,
                            struct nesting *nesting);

void nesting_free(struct context *context, struct nesting *nesting);

#endif
