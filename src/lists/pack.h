// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packs the lists of a map: standalone, or nested as chains.

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

// Packs lists in place.
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
    uint32_t length, extra;          // linedefs, and those that merging added

    // For pack.c; hot members first.
    struct list_link *seen_for; // start of the last search that visited it
    struct list_link *from;     // the list before it on a path
    struct list_group holders;  // candidates that may contain it
    struct list_link **next;    // a search's cursor in `holders`
    struct list_link *before;   // linked list of lists of this length

    uint64_t block_count; // that have the list
};

// Makes a link for each list, for context_release, and writes lists' numbers
// over their headers.  On failure *links is NULL.
nbstage_status pack_link_lists(struct context *context,
                               const struct lists *lists,
                               struct list_link **links);

// Links the lists to the chains that save the most words, without the empty
// list.  Sets lists->is_early if the work limit cut that short.
nbstage_status pack_nest_lists(struct context *context, struct lists *lists,
                               struct list_link *links);

#endif
