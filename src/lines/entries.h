// SPDX-License-Identifier: GPL-2.0-or-later
//
// The entries: which lines are in which blocks.

#ifndef ENTRIES_H
#define ENTRIES_H

#include "base/context.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

// Lines are in groups, so that an entry needs only 32 bits: the line's place in
// its group of LINES_GROUP above, and the number of the block below.
enum { ENTRY_BLOCK_BITS = 24 };

_Static_assert(GRID_MAX_SIDE *GRID_MAX_SIDE <= 1 << ENTRY_BLOCK_BITS,
               "an entry can hold the number of every block");

struct entries {
    uint32_t *entry; // in linedef order
    size_t count;
    size_t capacity; // for entries_find

    size_t *group_ends; // where in `entry` each group ends
    size_t group_count;
    size_t linedef_end; // one more than the highest linedef there may be
};

static inline uint32_t entry_block(uint32_t entry)
{
    return entry & ((1U << ENTRY_BLOCK_BITS) - 1);
}

static inline uint32_t entry_line_in_group(uint32_t entry)
{
    return entry >> ENTRY_BLOCK_BITS;
}

// NBSTAGE_OVER_LIMIT: `count` entries of the first lines are more than the
// context's limit.
nbstage_status entries_check_limit(struct context *context, uint64_t count,
                                   size_t line_count);

// Finds all entries.  The grid must enclose the lines.
// NBSTAGE_OVER_LIMIT: there are more than the context's limit.
nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries);

// Entries that are not found in linedef order are counted first: next[i] is the
// count of linedef i and entries->count that of all.  entries_place allocates
// them and turns next[i] into the place of the linedef's first entry; then
// entries_add writes each of them.
nbstage_status entries_place(struct context *context, size_t *next,
                             size_t linedef_end, struct entries *entries);

static inline void entries_add(struct entries *entries, size_t *next,
                               uint32_t block, uint32_t linedef)
{
    entries->entry[next[linedef]++] =
        linedef % LINES_GROUP << ENTRY_BLOCK_BITS | block;
}

// Puts the linedefs in the order of blocks: block b has linedefs[starts[b]] to
// linedefs[starts[b + 1] - 1], ascending.  `starts` has block_count + 2 zeros,
// and `linedefs` room for all entries.
void entries_sort(const struct entries *entries, size_t block_count,
                  size_t *starts, uint32_t *linedefs);

void entries_free(struct context *context, struct entries *entries);

#endif
