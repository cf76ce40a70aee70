// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocklists: the linedefs in each block, with equal lists stored once,
// then packed as the words of a lump.

#ifndef LISTS_H
#define LISTS_H

#include "base/context.h"
#include "lines/lines.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LIST_HEADER = 0,      // the word before a list's linedefs
    LIST_EXTRA_WORDS = 2, // header and terminator of each list
};

// Ends a list.  It is all ones in a lump, whatever the width of its words.
#define LIST_END UINT32_MAX

// The word before each list's linedefs, most compatible first.
enum list_header {
    HEADER_ZERO, // a 0
    HEADER_ANY,  // any word
    HEADER_NONE, // no word
};

struct lists {
    // As built, the distinct lists in order of first use: LIST_HEADER, linedefs
    // ascending, LIST_END.  One may be empty.  Packed, chains of lists, as
    // pack.c draws them.
    uint32_t *words;
    size_t word_count;

    // The index in `words` of each block's list; blocks go east first, then
    // north.
    uint32_t *place;
    size_t block_count;
    uint32_t largest_place;

    // As built, list l is words[start[l]] to words[start[l + 1] - 1].
    uint32_t *start; // in the same memory as `place`
    size_t list_count;

    uint64_t entry_count; // in the lists of all blocks
    size_t linedef_end;   // exclusive upper bound of linedefs

    // Of packed lists.
    enum list_header header; // the requested one, or a more compatible one
    size_t nested_count;     // lists that are tails
    bool is_early;           // packing stopped at its work limit

    size_t merge_count;      // merges of two lists or chains
    bool is_bounded;         // merging stopped at its bound of extra entries
    uint64_t extra_count;    // extra entries, over all blocks
    uint32_t extra_at_worst; // at most so many in one block
};

// Steps to build a lump, excluding nesting and merging.
static inline uint64_t lists_work(uint64_t entry_count, uint64_t block_count)
{
    return 32 * entry_count + 8 * block_count;
}

// Builds the lists of the grid's blocks; free them with lists_free, even on
// failure.
// NBSTAGE_OVER_LIMIT: there are more entries than 32-bit indices or the memory
// limit allow.
nbstage_status lists_build(struct context *context, const struct grid *grid,
                           const struct entries *entries, struct lists *lists);

void lists_free(struct context *context, struct lists *lists);

#endif
