// SPDX-License-Identifier: GPL-2.0-or-later
//
// In real maps nine lines of ten are in one block, or in two next to each
// other; one in thirty crosses both a row's edge and a column's.  With so
// little to do for each line, the time goes into branches that cannot be
// predicted, not into arithmetic.  So each group of lines is handled in two
// steps.
//
// First, vector code finds for the whole group: the block that the line begins
// in, how many columns and rows it spans, and the step from block to block if
// it spans only one or the other.
//
// Then, line by line, four blocks are written, whether the line has as many or
// not, and the place for the next line's is moved on by those it has.  A line
// with more blocks than that, or with both columns and rows to cross, is swept
// for its runs.  The most frequent of these go from a block to one diagonally
// next to it.  There it is enough to know on which side of the corner the line
// passes.
//
// Lines with fractions are always swept.

#include "lines/entries.h"

#include "base/vector.h"
#include "lines/sweep.h"

#include <stdbool.h>

enum {
    ENTRIES_AT_ONCE = 4, // blocks written, whether the line has as many or not
    ENTRIES_CROSSING = 4096, // added to the span of a line across both edges
    ENTRIES_COUNT_MASK = ENTRIES_CROSSING - 1,
    ENTRIES_PER_REPORT = 1 << 20, // between two reports of progress
};

_Static_assert(2 * GRID_MAX_SIDE <= ENTRIES_COUNT_MASK,
               "a span fits below the flag");

// ---------------------------------------------------------------------------
// Room

static nbstage_status entries_allocate(struct context *context,
                                       size_t line_count, size_t capacity,
                                       struct entries *entries)
{
    entries->line_count = line_count;
    entries->group_count = (line_count + ENTRY_GROUP - 1) / ENTRY_GROUP;
    entries->capacity = capacity;
    nbstage_status status =
        context_allocate(context, entries->group_count,
                         sizeof *entries->group_ends, &entries->group_ends);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, capacity, sizeof *entries->entry,
                                  &entries->entry);
    return status;
}

// Makes room for `more` entries, and for what is written beyond them.
static inline nbstage_status
entries_reserve(struct context *context, struct entries *entries, size_t more)
{
    size_t needed = entries->count + more + ENTRIES_AT_ONCE;
    if (needed <= entries->capacity)
        return NBSTAGE_OK;
    entries->capacity = needed + needed / 4;
    return context_grow(context, entries->count, entries->capacity,
                        sizeof *entries->entry, &entries->entry);
}

// ---------------------------------------------------------------------------
// By runs

static uint32_t *entries_put_runs(const struct lines *lines, size_t line,
                                  const struct grid *grid, uint32_t tag,
                                  uint32_t *entry)
{
    struct run runs[SWEEP_MAX_RUNS];
    size_t run_count = sweep_line(lines, line, grid->origin_y, runs);
    for (size_t r = 0; r < run_count; r++) {
        uint32_t row = tag + runs[r].row * grid->columns;
        uint32_t column =
            (uint32_t)(runs[r].first_x - grid->origin_x) >> BLOCK_SHIFT;
        uint32_t last_column =
            (uint32_t)(runs[r].last_x - grid->origin_x) >> BLOCK_SHIFT;
        do
            *entry++ = row + column;
        while (column++ != last_column);
    }
    return entry;
}

static nbstage_status entries_put_group_runs(struct context *context,
                                             const struct lines *lines,
                                             size_t begin, size_t end,
                                             const struct grid *grid,
                                             struct entries *entries)
{
    for (size_t i = begin; i < end; i++) {
        nbstage_status status = entries_reserve(
            context, entries, (size_t)grid->columns + grid->rows);
        if (status != NBSTAGE_OK)
            return status;
        uint32_t tag = (uint32_t)(i - begin) << ENTRY_BLOCK_BITS;
        uint32_t *entry = entries->entry + entries->count;
        entries->count +=
            (size_t)(entries_put_runs(lines, i, grid, tag, entry) - entry);
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// By groups of whole lines

struct entry_group {
    uint32_t first[ENTRY_GROUP]; // entry in the block that the line begins in
    uint32_t step[ENTRY_GROUP];  // to the next entry, unless it crosses both
    uint32_t count[ENTRY_GROUP]; // of entries at most, and ENTRIES_CROSSING
};

VECTOR_BODY void entries_measure_group_body(const struct whole_lines *whole,
                                            size_t begin, size_t count,
                                            const struct grid *grid,
                                            struct entry_group *group)
{
    const uint32_t columns = grid->columns;
    const uint32_t origin_x = (uint32_t)grid->origin_x;
    const uint32_t origin_y = (uint32_t)grid->origin_y;
    const uint32_t *starts = whole->start + begin;
    const uint32_t *ends = whole->end + begin;
    uint32_t tag = 0;
    for (size_t i = 0; i < count; i++, tag += 1U << ENTRY_BLOCK_BITS) {
        uint32_t column = ((starts[i] - origin_x) & 0xFFFF) >> BLOCK_SHIFT;
        uint32_t row = (((starts[i] >> 16) - origin_y) & 0xFFFF) >> BLOCK_SHIFT;
        uint32_t last_column = ((ends[i] - origin_x) & 0xFFFF) >> BLOCK_SHIFT;
        uint32_t last_row =
            (((ends[i] >> 16) - origin_y) & 0xFFFF) >> BLOCK_SHIFT;
        int32_t over = (int32_t)(last_column - column);
        int32_t up = (int32_t)(last_row - row);
        uint32_t east = (uint32_t)(over > 0) - (uint32_t)(over < 0);
        uint32_t north = (up > 0 ? columns : 0) - (up < 0 ? columns : 0);
        uint32_t both = over != 0 && up != 0 ? ENTRIES_CROSSING : 0;
        group->first[i] = row * columns + column + tag;
        group->step[i] = north + east;
        group->count[i] = 1 + (uint32_t)(over < 0 ? -over : over) +
                          (uint32_t)(up < 0 ? -up : up) + both;
    }
}

VECTOR_FUNCTION(entries_measure_group,
                (const struct whole_lines *whole, size_t begin, size_t count,
                 const struct grid *grid, struct entry_group *group),
                (whole, begin, count, grid, group))

// A line from a block to one diagonally next to it.  It passes one of the two
// blocks between them.  If it meets the corner and rises to the east, it passes
// neither; if it rises to the west, it is in the block north-east of the
// corner, to which the corner belongs.
static uint32_t *entries_put_corner(struct whole_line line,
                                    const struct grid *grid, uint32_t first,
                                    uint32_t *entry)
{
    int32_t x = line.x1 - grid->origin_x;
    int32_t y = line.y1 - grid->origin_y;
    int32_t width = line.x2 - line.x1;
    int32_t height = line.y2 - line.y1;
    int32_t east = width < 0 ? -1 : 1;
    int32_t north = height < 0 ? -1 : 1;
    int32_t column_step = east;
    int32_t row_step = north * (int32_t)grid->columns;
    // The corner, from the line's start.
    int32_t corner_x = ((x >> BLOCK_SHIFT) + (east > 0)) * BLOCK_SIZE - x;
    int32_t corner_y = ((y >> BLOCK_SHIFT) + (north > 0)) * BLOCK_SIZE - y;
    // Above 0 if the line reaches the corner's x before its y.
    int32_t side = (width * corner_y - height * corner_x) * east * north;
    uint32_t last = first + (uint32_t)(column_step + row_step);
    *entry++ = first;
    if (side != 0 || east != north) {
        bool by_column = side > 0 || (side == 0 && east > 0);
        *entry++ = first + (uint32_t)(by_column ? column_step : row_step);
    }
    *entry++ = last;
    return entry;
}

static nbstage_status entries_put_group(struct context *context,
                                        const struct lines *lines, size_t begin,
                                        size_t end, const struct grid *grid,
                                        struct entries *entries)
{
    struct entry_group group;
    size_t count = end - begin;
    uint32_t most = 0; // entries
    entries_measure_group(&lines->whole, begin, count, grid, &group);
    for (size_t i = 0; i < count; i++)
        most += group.count[i] & ENTRIES_COUNT_MASK;
    nbstage_status status = entries_reserve(context, entries, most);
    if (status != NBSTAGE_OK)
        return status;
    uint32_t *entry = entries->entry + entries->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t first = group.first[i];
        uint32_t step = group.step[i];
        if (group.count[i] <= ENTRIES_AT_ONCE) {
            entry[0] = first;
            entry[1] = first + step;
            entry[2] = first + 2 * step;
            entry[3] = first + 3 * step;
            entry += group.count[i];
        } else if (group.count[i] == ENTRIES_CROSSING + 3) {
            entry = entries_put_corner(whole_line_at(&lines->whole, begin + i),
                                       grid, first, entry);
        } else {
            uint32_t tag = (uint32_t)i << ENTRY_BLOCK_BITS;
            entry = entries_put_runs(lines, begin + i, grid, tag, entry);
        }
    }
    entries->count = (size_t)(entry - entries->entry);
    return NBSTAGE_OK;
}

nbstage_status entries_check_limit(struct context *context, uint64_t count,
                                   size_t line_count)
{
    const uint64_t most = context_most(context, BYTES_OF_ENTRY);
    if (count <= most)
        return NBSTAGE_OK;
    context->work += count; // though no lump is made
    return context_fail(context, NBSTAGE_OVER_LIMIT, NULL,
                        "the first %zu lines have at least %llu entries; "
                        "max-memory allows for %llu",
                        line_count, (unsigned long long)count,
                        (unsigned long long)most);
}

// ---------------------------------------------------------------------------
// All groups

nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries)
{
    const size_t count = lines->count;
    size_t reported = 0;
    *entries = (struct entries){.number = lines->number};
    nbstage_status status = entries_allocate(
        context, count, count + count / 4 * 3 + ENTRY_GROUP * ENTRIES_AT_ONCE,
        entries);
    for (size_t g = 0; g < entries->group_count && status == NBSTAGE_OK; g++) {
        size_t begin = g * ENTRY_GROUP;
        size_t end = entry_group_end(g, count);
        status = lines->is_whole ? entries_put_group(context, lines, begin, end,
                                                     grid, entries)
                                 : entries_put_group_runs(context, lines, begin,
                                                          end, grid, entries);
        entries->group_ends[g] = entries->count;
        if (status == NBSTAGE_OK)
            status = entries_check_limit(context, entries->count, end);
        if (status == NBSTAGE_OK &&
            (entries->count - reported >= ENTRIES_PER_REPORT || end == count)) {
            status = context_progress(context, end, count);
            reported = entries->count;
        }
    }
    if (status != NBSTAGE_OK)
        entries_free(context, entries);
    return status;
}

nbstage_status entries_place(struct context *context, size_t *next,
                             size_t line_count, struct entries *entries)
{
    size_t begin = 0;
    for (size_t i = 0; i < line_count; i++) {
        size_t count = next[i];
        next[i] = begin;
        begin += count;
    }
    return entries_allocate(context, line_count, entries->count, entries);
}

void entries_end(struct entries *entries, const size_t *next)
{
    uint32_t *entry = entries->entry;
    size_t kept = 0;
    size_t e = 0;
    for (size_t i = 0; i < entries->line_count; i++) {
        size_t begin = e;
        for (; e < next[i]; e++)
            if (e == begin || entry[e] != entry[kept - 1])
                entry[kept++] = entry[e];
        entries->group_ends[i / ENTRY_GROUP] = kept;
    }
    entries->count = kept;
}

void entries_sort(const struct entries *entries, size_t block_count,
                  size_t *starts, uint32_t *linedefs)
{
    for (size_t e = 0; e < entries->count; e++)
        starts[entry_block(entries->entry[e]) + 2]++;
    for (size_t b = 1; b <= block_count + 1; b++)
        starts[b] += starts[b - 1];
    for (size_t g = 0, e = 0; g < entries->group_count; g++)
        for (; e < entries->group_ends[g]; e++)
            linedefs[starts[entry_block(entries->entry[e]) + 1]++] =
                (uint32_t)(g * ENTRY_GROUP) +
                entry_line_in_group(entries->entry[e]);
}

void entries_free(struct context *context, struct entries *entries)
{
    context_release(context, entries->entry);
    context_release(context, entries->group_ends);
    *entries = (struct entries){0};
}
