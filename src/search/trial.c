// SPDX-License-Identifier: GPL-2.0-or-later
//
// The corridor from lines to a measure.

#include "search/trial.h"

nbstage_status trial_build(struct context *context, const struct lines *lines,
                           const struct grid *grid, struct pack_form pack,
                           struct lump_measure *measure)
{
    struct entries entries;
    struct lists lists;
    struct list_area area;
    nbstage_status status = entries_find(context, lines, grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    status = lists_build(context, grid, &entries, &lists);
    entries_free(context, &entries);
    if (status == NBSTAGE_OK)
        status = pack_lists(context, &lists, pack, &area);
    if (status != NBSTAGE_OK)
        return status;
    *measure = lump_measure(&area);
    list_area_free(context, &area);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Memory

enum { ALIGNMENT = 64 }; // bytes; a line of the processor's cache

size_t trial_memory_size(size_t line_count, uint64_t entry_count,
                         uint64_t block_count)
{
    // Touches, lists, the lists that have each line, and chains are words for
    // each touch; what is kept of a block or list is some twenty words.
    return context_count(((uint64_t)1 << 16) + 8 * (uint64_t)line_count +
                         32 * entry_count + 160 * block_count);
}

void *trial_memory_allocate(void *user, size_t bytes)
{
    struct trial_memory *memory = user;
    if (bytes > memory->size - memory->used)
        return NULL;
    void *piece = memory->block + memory->used;
    size_t left = memory->size - memory->used - bytes;
    size_t gap = (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
    memory->used += bytes + (gap < left ? gap : left);
    return piece;
}

void trial_memory_release(void *user, void *memory)
{
    (void)user;
    (void)memory;
}
