// SPDX-License-Identifier: GPL-2.0-or-later
//
// In real maps nine lines of ten are in one block, or in two next to each
// other.  With so little to do for each line, the time goes into mispredicted
// branches, not into arithmetic.  So each group of lines is handled in two
// steps.
//
// First, vector code finds for each line of the group: the block that it begins
// in, how many blocks it is in, and the step from one to the next if it stays
// in its row or its column.
//
// Then, line by line, we always store four entries and advance by the real
// count.  A line that crosses both columns and rows is swept: sweep.c alone
// decides which blocks at a corner it is in.

#include "lines/lines.h"

#include "base/vector.h"

#include <stdlib.h>

enum { ENTRIES_AT_ONCE = 4 };
static const uint32_t ENTRIES_SWEPT = UINT32_MAX; // not a count: sweep the line

// ---------------------------------------------------------------------------
// A group of lines

struct entry_group {
    uint32_t first[LINES_GROUP]; // entry in the block that the line begins in
    uint32_t step[LINES_GROUP];  // to the next entry
    uint32_t count[LINES_GROUP]; // of entries, or ENTRIES_SWEPT
    uint32_t most;               // upper bound of the group's entries
};

VECTOR_FUNCTION
static void entries_measure_group(const struct lines *lines, size_t begin,
                                  size_t count, const struct grid *grid,
                                  struct entry_group *group)
{
    const int32_t west = grid->origin_x, south = grid->origin_y;
    const uint32_t columns = grid->columns;
    uint32_t tag = 0, most = 0;
    for (size_t i = 0; i < count; i++, tag += 1U << ENTRY_BLOCK_BITS) {
        const uint32_t column = grid_index(lines->start[begin + i].x, west);
        const uint32_t row = grid_index(lines->start[begin + i].y, south);
        const int32_t over =
            (int32_t)(grid_index(lines->end[begin + i].x, west) - column);
        const int32_t up =
            (int32_t)(grid_index(lines->end[begin + i].y, south) - row);
        const uint32_t blocks = 1 + (uint32_t)abs(over) + (uint32_t)abs(up);
        const uint32_t east = (uint32_t)(over > 0) - (uint32_t)(over < 0);
        const uint32_t north = (up > 0 ? columns : 0) - (up < 0 ? columns : 0);
        group->first[i] = row * columns + column + tag;
        group->step[i] = north + east;
        group->count[i] = over != 0 && up != 0 ? ENTRIES_SWEPT : blocks;
        most += blocks;
    }
    group->most = most;
}

// Stores four entries from `first` on.  Returns entry + count.
VECTOR_BODY uint32_t *entries_put_four(uint32_t *entry, uint32_t first,
                                       uint32_t step, uint32_t count)
{
    entry[0] = first;
    entry[1] = first + step;
    entry[2] = first + 2 * step;
    entry[3] = first + 3 * step;
    return entry + count;
}

// Stores `count` entries, and up to four beyond.  Returns entry + count.
static uint32_t *entries_put(uint32_t *entry, uint32_t first, uint32_t step,
                             uint32_t count)
{
    for (; count > ENTRIES_AT_ONCE; count -= ENTRIES_AT_ONCE) {
        entry = entries_put_four(entry, first, step, ENTRIES_AT_ONCE);
        first += ENTRIES_AT_ONCE * step;
    }
    return entries_put_four(entry, first, step, count);
}

static uint32_t *entries_sweep(const struct lines *lines, size_t line,
                               const struct grid *grid, uint32_t *entry)
{
    const uint32_t tag = (uint32_t)line << ENTRY_BLOCK_BITS; // in its group
    struct run runs[SWEEP_MAX_RUNS];
    const size_t run_count =
        sweep_line(lines_fixed_at(lines, line), grid->origin_y, runs);
    for (const struct run *run = runs; run < runs + run_count; run++) {
        const uint32_t column =
            (uint32_t)(run->first_x - grid->origin_x) >> BLOCK_SHIFT;
        const uint32_t last =
            (uint32_t)(run->last_x - grid->origin_x) >> BLOCK_SHIFT;
        entry = entries_put(entry, tag + run->row * grid->columns + column, 1,
                            last - column + 1);
    }
    return entry;
}

// Makes room for a group's entries.
static nbstage_status entries_make_room(struct context *context, uint32_t most,
                                        struct entries *entries)
{
    // Slack for the unconditional stores.
    const size_t needed = entries->count + most + ENTRIES_AT_ONCE;
    if (needed <= entries->capacity)
        return NBSTAGE_OK;
    entries->capacity = needed + needed / 4;
    return context_grow(context, entries->count, entries->capacity,
                        sizeof *entries->entry, &entries->entry);
}

static nbstage_status entries_put_group(struct context *context,
                                        const struct lines *lines, size_t g,
                                        const struct grid *grid,
                                        struct entries *entries)
{
    const size_t begin = g * LINES_GROUP;
    const size_t end = lines_group_end(lines->count, g), count = end - begin;
    struct entry_group group;
    entries_measure_group(lines, begin, count, grid, &group);
    if (lines->left_out)
        for (size_t i = 0; i < count; i++)
            group.count[i] = lines->left_out[begin + i] ? 0 : group.count[i];
    NEED(entries_make_room(context, group.most, entries));
    uint32_t *entry = entries->entry + entries->count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = group.first[i], step = group.step[i];
        if (group.count[i] <= ENTRIES_AT_ONCE)
            entry = entries_put_four(entry, first, step, group.count[i]);
        else if (group.count[i] != ENTRIES_SWEPT)
            entry = entries_put(entry, first, step, group.count[i]);
        else
            entry = entries_sweep(lines, begin + i, grid, entry);
    }
    entries->count = (size_t)(entry - entries->entry);
    entries->group_ends[g] = entries->count;
    return context_check_count(context, NULL, entries->count, "entries",
                               BYTES_OF_ENTRY);
}

// ---------------------------------------------------------------------------
// All groups

static nbstage_status entries_allocate(struct context *context,
                                       size_t line_count, size_t capacity,
                                       struct entries *entries)
{
    entries->group_count = lines_group_count(line_count);
    entries->capacity = capacity;
    NEED(context_allocate(context, entries->group_count,
                          sizeof *entries->group_ends, &entries->group_ends));
    return context_allocate(context, capacity, sizeof *entries->entry,
                            &entries->entry);
}

nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries)
{
    *entries = (struct entries){.linedef_end = lines_linedef_end(lines)};
    const size_t expected = lines->count + lines->count / 4 * 3;
    NEED(entries_allocate(context, lines->count,
                          expected + LINES_GROUP * ENTRIES_AT_ONCE, entries));
    for (size_t g = 0; g < entries->group_count; g++)
        NEED(entries_put_group(context, lines, g, grid, entries));
    return context_progress(context, 1, 1);
}

// ---------------------------------------------------------------------------
// Other orders

// Counting sort of pairs: next[i] becomes the number of entries of linedef i,
// then the index of its next entry.
static void entries_sort_pairs(const uint64_t *pairs, size_t *next,
                               struct entries *entries)
{
    size_t end = 0;
    for (size_t p = 0; p < entries->count; p++)
        next[pairs[p] >> 32]++;
    for (size_t i = 0; i < entries->linedef_end; i++) {
        end += next[i];
        next[i] = end - next[i];
        entries->group_ends[i / LINES_GROUP] = end;
    }
    for (size_t p = 0; p < entries->count; p++)
        entries->entry[next[pairs[p] >> 32]++] =
            (uint32_t)(pairs[p] >> 32 << ENTRY_BLOCK_BITS | pairs[p]);
}

nbstage_status entries_of_pairs(struct context *context, const uint64_t *pairs,
                                size_t count, size_t linedef_end,
                                struct entries *entries)
{
    size_t *next; // an index for each linedef
    *entries = (struct entries){.count = count, .linedef_end = linedef_end};
    NEED(entries_allocate(context, linedef_end, count, entries));
    NEED(context_allocate_zeroed(context, linedef_end, sizeof *next, &next));
    entries_sort_pairs(pairs, next, entries);
    context_release(context, next);
    return NBSTAGE_OK;
}

// Counting sort: starts[b + 2] counts the entries of block b; after prefix sums
// starts[b + 1] is where the next entry of b goes.  At the end it is the start
// of block b + 1.
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
                (uint32_t)(g * LINES_GROUP) +
                entry_line_in_group(entries->entry[e]);
}

void entries_free(struct context *context, struct entries *entries)
{
    context_release(context, entries->entry);
    context_release(context, entries->group_ends);
    *entries = (struct entries){0};
}
