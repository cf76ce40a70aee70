// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packing: the blocklists as one stream of words, and each block's place in
// it.

#ifndef PACK_H
#define PACK_H

#include "lists/lists.h"

enum pack_mode {
    PACK_NONE,  // a list for every block, in block order
    PACK_SHARE, // equal lists are stored once
    PACK_NEST,  // and contained ones as tails, as many as can be
    PACK_COVER, // contained ones are not stored; blocks get the larger lists
};

// What stands before the linedefs of a list.
enum pack_header {
    HEADER_ZERO, // a 0
    HEADER_ANY,  // any word
    HEADER_NONE, // nothing
};

struct pack_form {
    enum pack_mode mode;
    enum pack_header header;
};

struct list_area {
    // Lists: a header, linedef numbers, LIST_END.  Of a list that is the tail
    // of another only the header stands in the middle of that.
    uint32_t *words;
    size_t word_count;

    // The memory of the words, with LISTS_ROOM before them.
    uint32_t *memory;

    // Where each block's list begins, in words from the start of the area.
    uint32_t *offset;
    size_t block_count;

    uint32_t largest_offset;
    size_t linedef_end; // one more than the highest linedef there may be

    size_t stored_count; // lists, tails included
    size_t nested_count; // lists that are tails
    struct lists_price price;
    bool is_early; // the work limit ended packing before it was the best
};

// Packs lists.  They are used up: whatever the outcome, `lists` is empty after
// the call.  Lists of PACK_NONE and PACK_SHARE are in ascending order.
// NBSTAGE_OVER_LIMIT: the area would have 2^32 words or more.
nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area);

void list_area_free(struct context *context, struct list_area *area);

#endif
