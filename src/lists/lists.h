// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocklists: the linedefs in each block, with equal lists stored once.

#ifndef LISTS_H
#define LISTS_H

#include "base/context.h"
#include "lines/lines.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

enum {
    LIST_HEADER = 0,      // the word before a list's linedefs
    LIST_EXTRA_WORDS = 2, // in a list besides its linedefs: header and end
};

// Ends a list.  It is all ones in a lump, whatever the width of its words.
#define LIST_END UINT32_MAX

struct lists {
    // The distinct lists as they are in a lump, in the order in which blocks
    // first have them: LIST_HEADER, linedefs ascending, LIST_END.  List l is
    // words[start[l]] to words[start[l + 1] - 1].  One list may be empty.
    uint32_t *words;
    uint32_t *start;
    size_t list_count;

    // Where in `words` each block's list begins; blocks go east first, then
    // north.
    uint32_t *place;
    size_t block_count;

    // Entries in the lists of all blocks.
    uint64_t entry_count;

    // One more than the highest linedef number that there may be.
    size_t linedef_end;
};

// How many linedefs a list has.
static inline uint32_t list_length(const struct lists *lists, size_t list)
{
    return lists->start[list + 1] - lists->start[list] - LIST_EXTRA_WORDS;
}

// Builds the lists of the grid's blocks.
// NBSTAGE_OVER_LIMIT: unshared, they would make a lump of 2^32 words or more.
nbstage_status lists_build(struct context *context, const struct grid *grid,
                           const struct entries *entries, struct lists *lists);

// The same with only some bits of the digests that find equal lists, so that
// tests see different lists with equal digests.
nbstage_status lists_build_with(struct context *context,
                                const struct grid *grid,
                                const struct entries *entries,
                                uint64_t digest_bits, struct lists *lists);

// Steps from so many entries of so many blocks to a lump, without those of
// nesting and merging.
uint64_t lists_work(uint64_t entry_count, uint64_t block_count);

// The number of the list that begins at a place.
size_t lists_number(const struct lists *lists, uint32_t place);

void lists_free(struct context *context, struct lists *lists);

#endif
