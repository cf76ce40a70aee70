// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packs the lists of a map: each for itself, or nested as chains.

#ifndef PACK_H
#define PACK_H

#include "lists/lists.h"

enum pack_mode {
    PACK_SHARE, // equal lists are stored once
    PACK_NEST,  // and as many as possible as the tails of others
};

struct pack_form {
    enum pack_mode mode;
    enum list_header header;
};

// Packs lists where they are.
nbstage_status pack_lists(struct context *context, struct pack_form form,
                          struct lists *lists);

// The lists that have a linedef, from short to long.
struct list_group {
    struct list_link **first;
    size_t count;
};

// A list in a chain of lists, each of which contains the next.
struct list_link {
    struct list_link *inner, *outer; // its tail, and the list whose tail it is
    uint32_t *linedefs;              // ascending, and LIST_END
    uint32_t length, extra;          // how many, and how many merging added

    // For pack.c; what searches read most comes first.
    struct list_link *seen_for; // where the last search began that saw it
    struct list_link *from;     // the list before it on a path
    struct list_group holders;  // lists that may contain it
    struct list_link **next;    // of these, for a search
    struct list_link *before;   // another list that is as long

    uint64_t block_count; // for merge.c
};

// Makes a link for each list, for context_release also on failure, and writes
// lists' numbers over their headers.  With PACK_NEST it makes the chains that
// save the most words, without the empty list, unless lists->is_early.
nbstage_status pack_link_lists(struct context *context, struct lists *lists,
                               enum pack_mode mode, struct list_link **links);

#endif
