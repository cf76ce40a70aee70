// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packing: writes the lists of all blocks as one stream of words, and finds
// each block's place in it.

#ifndef PACK_H
#define PACK_H

#include "lists/lists.h"

enum pack_mode {
    PACK_NONE,  // a list for every block, in block order
    PACK_SHARE, // equal lists are stored once
    PACK_NEST,  // and as many as possible as the tails of others
    PACK_COVER, // a block gets a larger list that contains its own
};

// The word before the linedefs of a list.
enum pack_header {
    HEADER_ZERO, // a 0
    HEADER_ANY,  // any word
    HEADER_NONE, // no word
    HEADER_AUTO, // only to ask for: what the engines need
};

struct pack_form {
    enum pack_mode mode;
    enum pack_header header;
};

struct list_area {
    // Lists: a header, linedef numbers, LIST_END.  In the middle of a list, its
    // tail has nothing but its header.
    uint32_t *words;
    size_t word_count;

    // The memory of the words, with LISTS_ROOM before them.
    uint32_t *memory;

    // Where each block's list begins, in words from the start of the area.
    uint32_t *offset;
    size_t block_count;

    enum pack_header header; // that of the form, or one that is safer

    uint32_t largest_offset;
    size_t linedef_end; // one more than the highest linedef there may be

    size_t stored_count; // lists, tails included
    size_t nested_count; // lists that are tails
    struct lists_price price;
    bool is_early; // a work limit stopped packing; the area may be larger
};

// Packs lists and frees them, also on failure.  Lists of PACK_NONE and
// PACK_SHARE are in ascending order.
// NBSTAGE_OVER_LIMIT: the area would have 2^32 words or more.
nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area);

// The same, but for lump_measure alone: where lists are nested or have no
// header 0 they are only counted, so the area has neither words nor offsets.
nbstage_status pack_measure(struct context *context, struct lists *lists,
                            struct pack_form form, struct list_area *area);

// Reverses the linedefs of every list.  No list may be the tail of another.
void list_area_reverse(struct list_area *area);

void list_area_free(struct context *context, struct list_area *area);

// Leaves only lists that no other list contains; see cover.c.  Blocks whose
// list is contained in another get the smallest such list, the first of equally
// small ones.  The empty list stays.  *is_complete is false if the work limit
// stopped it.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status cover_lists(struct context *context, struct lists *lists,
                           bool *is_complete);

#endif
