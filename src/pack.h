// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packing: the blocklists as one stream of words, and each block's place in
// it.

#ifndef PACK_H
#define PACK_H

#include "lists.h"

enum pack_mode {
    PACK_NONE,  // a list for every block, in block order
    PACK_SHARE, // equal lists are stored once
};

struct list_area {
    // Lists: LIST_HEADER, linedef numbers ascending, LIST_END.
    uint32_t *words;
    size_t word_count;

    // The memory of the words, with LISTS_ROOM before them.
    uint32_t *memory;

    // Where each block's list begins, in words from the start of the area.
    uint32_t *offset;
    size_t block_count;

    // How many lists are stored, and where the last one begins.
    size_t stored_count;
    uint32_t largest_offset;
};

// Packs lists.  They are used up: whatever the outcome, `lists` is empty after
// the call.
// STATUS_OVER_LIMIT: the area would have 2^32 words or more.
enum status pack_lists(struct context *context, struct lists *lists,
                       enum pack_mode mode, struct list_area *area);

void list_area_free(struct context *context, struct list_area *area);

#endif
