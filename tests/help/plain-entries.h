// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plain reference for entries_find: every line by sweep_line alone, counted
// first and written then.

#ifndef PLAIN_ENTRIES_H
#define PLAIN_ENTRIES_H

#include "lines/entries.h"

// Counts the entries of a line, and writes them unless `entry` is NULL.
static size_t plain_entries_of_line(const struct lines *lines, size_t line,
                                    const struct grid *grid, uint32_t *entry)
{
    struct run runs[SWEEP_MAX_RUNS];
    size_t run_count = sweep_line(lines, line, grid->origin_y, runs);
    size_t count = 0;
    for (size_t r = 0; r < run_count; r++) {
        int32_t column = (runs[r].first_x - grid->origin_x) / BLOCK_SIZE;
        int32_t last = (runs[r].last_x - grid->origin_x) / BLOCK_SIZE;
        for (; column <= last; column++, count++)
            if (entry)
                entry[count] = (uint32_t)(line % ENTRY_GROUP)
                                   << ENTRY_BLOCK_BITS |
                               (runs[r].row * grid->columns + (uint32_t)column);
    }
    return count;
}

static nbstage_status plain_entries_find(struct context *context,
                                         const struct lines *lines,
                                         const struct grid *grid,
                                         struct entries *entries)
{
    *entries = (struct entries){
        .group_count = (lines->count + ENTRY_GROUP - 1) / ENTRY_GROUP,
        .line_count = lines->count,
        .number = lines->number,
    };
    for (size_t i = 0; i < lines->count; i++)
        entries->capacity += plain_entries_of_line(lines, i, grid, NULL);
    nbstage_status status = context_allocate(
        context, entries->capacity, sizeof *entries->entry, &entries->entry);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, entries->group_count,
                             sizeof *entries->group_end, &entries->group_end);
    for (size_t i = 0; i < lines->count && status == NBSTAGE_OK; i++) {
        entries->count += plain_entries_of_line(
            lines, i, grid, entries->entry + entries->count);
        entries->group_end[i / ENTRY_GROUP] = entries->count;
    }
    if (status != NBSTAGE_OK)
        entries_free(context, entries);
    return status;
}

#endif
