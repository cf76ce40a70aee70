// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packing: writes the lists of all blocks as one stream of words.

#ifndef PACK_H
#define PACK_H

#include "base/context.h"
#include "lists/lists.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pack_mode {
    PACK_SHARE, // equal lists are stored once
    PACK_NEST,  // and as many as possible as the tails of others
};

// The word before the linedefs of all lists; of the first three, those that
// more engines read right come first.
enum list_header {
    HEADER_ZERO,  // a 0
    HEADER_ANY,   // any word
    HEADER_NONE,  // no word
    HEADER_MIXED, // in a lump that is read: some lists begin with a 0
};

struct pack_form {
    enum pack_mode mode;
    enum list_header header;
};

struct list_area {
    // Chains of lists, as pack.c draws them.
    uint32_t *words;
    size_t word_count;

    // Where each block's list begins, in words from the start of the area.
    uint32_t *offset;
    size_t block_count;
    uint32_t largest_offset;

    enum list_header header; // that of the form, or one that is safer
    size_t linedef_end;      // one more than the highest linedef there may be
    size_t stored_count;     // lists, tails included
    size_t nested_count;     // lists that are tails, without the empty one
    bool is_early; // a work limit stopped packing; the area may be larger

    size_t merge_count;      // times that two lists or chains became one
    uint64_t extra_count;    // entries of merged lists, over all blocks
    uint32_t extra_at_worst; // in the block that has most of them
};

// Packs lists and frees them, also on failure.  Lists of PACK_SHARE are in
// ascending order.
nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area);

void list_area_free(struct context *context, struct list_area *area);

// A list in a chain of lists, each of which contains the next.
struct list_link {
    struct list_link *inner, *outer; // its tail, and the list whose tail it is
    uint32_t *linedefs;              // ascending, and LIST_END
    uint32_t length;
    uint64_t block_count; // for merge.c

    // For nest.c: where the lists that may contain it are, and on the path of
    // a search, where that began, and the list that would become its tail.
    uint32_t begin, end, next;
    struct list_link *seen_for, *seen_from;
};

// Makes an array of links, one for each list, to be released by the caller,
// also on failure.  With PACK_NEST the chains save the most words, without the
// empty list, unless *is_early: a work limit stopped it; with PACK_SHARE there
// are none.  NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status nest_lists(struct context *context, const struct lists *lists,
                          enum pack_mode mode, struct list_link **links,
                          bool *is_early);

#endif
