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

// Ends a list.  Whatever the width of words in the lump, it is all ones.
#define LIST_END UINT32_MAX

struct list_area {
    // Lists: a 0, linedef numbers ascending, LIST_END.
    uint32_t *words;
    size_t word_count;

    // Where each block's list begins, in words from the start of the area.
    size_t *offset;
    size_t block_count;

    // How many lists are stored.
    size_t stored_count;
};

enum status pack_lists(struct context *context, const struct lists *lists,
                       enum pack_mode mode, struct list_area *area);

void list_area_free(struct context *context, struct list_area *area);

#endif
