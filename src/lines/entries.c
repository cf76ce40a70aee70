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
//
// With several threads, each finds the entries of a part of the groups, in a
// part of the memory.  If they are too many for that, everything is found again
// with one thread.

#include "lines/entries.h"

#include "base/threads.h"
#include "base/vector.h"

enum {
    AT_ONCE = 4,         // blocks written, whether the line has as many or not
    CROSSES_BOTH = 4096, // added to the span of a line across both edges
    COUNT_MASK = CROSSES_BOTH - 1,
    PROGRESS_ENTRIES = 1 << 20, // between two reports of progress
};

_Static_assert(2 * GRID_MAX_SIDE <= COUNT_MASK, "a span fits below the flag");

// ---------------------------------------------------------------------------
// Room

static nbstage_status allocate(struct context *context, size_t line_count,
                               size_t capacity, struct entries *entries)
{
    entries->line_count = line_count;
    entries->group_count = (line_count + ENTRY_GROUP - 1) / ENTRY_GROUP;
    entries->capacity = capacity;
    nbstage_status status =
        context_allocate(context, entries->group_count, sizeof *entries->groups,
                         &entries->groups);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, capacity, sizeof *entries->entry,
                                  &entries->entry);
    return status;
}

// Makes room for `more` entries, and for what is written beyond them; without a
// context it fails instead.
static inline nbstage_status reserve(struct context *context,
                                     struct entries *entries, size_t more)
{
    size_t needed = entries->count + more + AT_ONCE;
    if (needed <= entries->capacity)
        return NBSTAGE_OK;
    if (!context)
        return NBSTAGE_OUT_OF_MEMORY;
    entries->capacity = needed + needed / 4;
    return context_grow(context, entries->count, entries->capacity,
                        sizeof *entries->entry, &entries->entry);
}

// ---------------------------------------------------------------------------
// By runs

static uint32_t *put_runs(const struct lines *lines, size_t line,
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

static nbstage_status put_group_by_runs(struct context *context,
                                        const struct lines *lines, size_t begin,
                                        size_t end, const struct grid *grid,
                                        struct entries *entries)
{
    for (size_t i = begin; i < end; i++) {
        nbstage_status status =
            reserve(context, entries, (size_t)grid->columns + grid->rows);
        if (status != NBSTAGE_OK)
            return status;
        uint32_t tag = (uint32_t)(i - begin) << ENTRY_BLOCK_BITS;
        uint32_t *entry = entries->entry + entries->count;
        entries->count +=
            (size_t)(put_runs(lines, i, grid, tag, entry) - entry);
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// By groups of whole lines

struct group {
    uint32_t first[ENTRY_GROUP]; // entry in the block that the line begins in
    uint32_t step[ENTRY_GROUP];  // to the next entry, unless it crosses both
    uint32_t count[ENTRY_GROUP]; // of entries at most, and CROSSES_BOTH
};

VECTOR_BODY void measure_group_body(const struct whole_lines *whole,
                                    size_t begin, size_t count,
                                    const struct grid *grid,
                                    struct group *group)
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
        uint32_t both = over != 0 && up != 0 ? CROSSES_BOTH : 0;
        group->first[i] = row * columns + column + tag;
        group->step[i] = north + east;
        group->count[i] = 1 + (uint32_t)(over < 0 ? -over : over) +
                          (uint32_t)(up < 0 ? -up : up) + both;
    }
}

VECTOR_FUNCTION(measure_group,
                (const struct whole_lines *whole, size_t begin, size_t count,
                 const struct grid *grid, struct group *group),
                (whole, begin, count, grid, group))

// A line from a block to one diagonally next to it.  It passes one of the two
// blocks between them.  If it meets the corner and rises to the east, it passes
// neither; if it rises to the west, it is in the block north-east of the
// corner, to which the corner belongs.
static uint32_t *put_corner(struct whole_line line, const struct grid *grid,
                            uint32_t first, uint32_t *entry)
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

static nbstage_status put_group(struct context *context,
                                const struct lines *lines, size_t begin,
                                size_t end, const struct grid *grid,
                                struct entries *entries)
{
    struct group group;
    size_t count = end - begin;
    uint32_t most = 0; // entries
    measure_group(&lines->whole, begin, count, grid, &group);
    for (size_t i = 0; i < count; i++)
        most += group.count[i] & COUNT_MASK;
    nbstage_status status = reserve(context, entries, most);
    if (status != NBSTAGE_OK)
        return status;
    uint32_t *entry = entries->entry + entries->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t first = group.first[i];
        uint32_t step = group.step[i];
        if (group.count[i] <= AT_ONCE) {
            entry[0] = first;
            entry[1] = first + step;
            entry[2] = first + 2 * step;
            entry[3] = first + 3 * step;
            entry += group.count[i];
        } else if (group.count[i] == CROSSES_BOTH + 3) {
            entry = put_corner(whole_line_at(&lines->whole, begin + i), grid,
                               first, entry);
        } else {
            uint32_t tag = (uint32_t)i << ENTRY_BLOCK_BITS;
            entry = put_runs(lines, begin + i, grid, tag, entry);
        }
    }
    entries->count = (size_t)(entry - entries->entry);
    return NBSTAGE_OK;
}

nbstage_status entries_check_limit(struct context *context, uint64_t count,
                                   size_t line_count)
{
    uint64_t most = context->limits.entries;
    if (most == 0 || count <= most)
        return NBSTAGE_OK;
    context->work += count; // though no lump is made
    return context_fail(context, NBSTAGE_OVER_LIMIT, NULL,
                        "the first %zu lines have at least %llu entries; "
                        "max-entries allows for %llu",
                        line_count, (unsigned long long)count,
                        (unsigned long long)most);
}

// ---------------------------------------------------------------------------
// All groups

struct finding {
    const struct lines *lines;
    const struct grid *grid;
    struct entries *entries;
    size_t part_count;
    size_t counts[THREADS_PARTS_MOST]; // of entries; SIZE_MAX: no room
};

// Appends the entries of a part of the groups, in more memory if need be unless
// `memory` is NULL.  Reports progress unless `context` is NULL.
static nbstage_status find_groups(struct context *memory,
                                  struct context *context,
                                  const struct finding *finding, size_t part,
                                  struct entries *entries)
{
    const struct lines *lines = finding->lines;
    const size_t parts = finding->part_count;
    const size_t first = threads_part_begin(part, parts, entries->group_count);
    const size_t last =
        threads_part_begin(part + 1, parts, entries->group_count);
    nbstage_status status = NBSTAGE_OK;
    size_t reported = entries->count;
    for (size_t g = first; g < last && status == NBSTAGE_OK; g++) {
        size_t begin = g * ENTRY_GROUP;
        size_t end = entry_group_end(g, lines->count);
        entries->groups[g].begin = entries->count;
        status = lines->is_whole ? put_group(memory, lines, begin, end,
                                             finding->grid, entries)
                                 : put_group_by_runs(memory, lines, begin, end,
                                                     finding->grid, entries);
        entries->groups[g].end = entries->count;
        if (status == NBSTAGE_OK && memory)
            status = entries_check_limit(memory, entries->count, end);
        if (status == NBSTAGE_OK && context && g + 1 < last &&
            entries->count - reported >= PROGRESS_ENTRIES) {
            size_t done =
                entry_group_end((g + 1 - first) * parts - 1, lines->count);
            status = context_progress(context, done, lines->count);
            reported = entries->count;
        }
    }
    return status;
}

static nbstage_status find_part(void *user, size_t part,
                                struct context *context)
{
    struct finding *finding = user;
    const size_t room = finding->entries->capacity / finding->part_count;
    struct entries own = *finding->entries;
    own.count = room * part;
    own.capacity = room * (part + 1);
    nbstage_status status = find_groups(NULL, context, finding, part, &own);
    finding->counts[part] = own.count - room * part;
    if (status != NBSTAGE_OUT_OF_MEMORY)
        return status;
    finding->counts[part] = SIZE_MAX;
    return NBSTAGE_OK;
}

// Whether all parts had room, and are within the limit together.
static bool add_up_parts(const struct context *context,
                         const struct finding *finding)
{
    struct entries *entries = finding->entries;
    const uint64_t most = context->limits.entries;
    for (size_t p = 0; p < finding->part_count; p++) {
        if (finding->counts[p] == SIZE_MAX)
            return false;
        entries->count += finding->counts[p];
    }
    return most == 0 || entries->count <= most;
}

nbstage_status entries_find(struct context *context, const struct lines *lines,
                            const struct grid *grid, struct entries *entries)
{
    const size_t count = lines->count;
    struct finding finding = {
        .lines = lines,
        .grid = grid,
        .entries = entries,
        .part_count = threads_part_count(context, count / ENTRY_GROUP),
    };
    *entries = (struct entries){.number = lines->number};
    nbstage_status status =
        allocate(context, count,
                 (finding.part_count > 1 ? 2 * count : count + count / 4 * 3) +
                     ENTRY_GROUP * AT_ONCE * finding.part_count,
                 entries);
    bool is_done = false;
    if (status == NBSTAGE_OK && finding.part_count > 1) {
        status =
            threads_run_parts(context, finding.part_count, find_part, &finding);
        is_done = status == NBSTAGE_OK && add_up_parts(context, &finding);
    }
    if (status == NBSTAGE_OK && !is_done) {
        finding.part_count = 1;
        entries->count = 0;
        status = find_groups(context, context, &finding, 0, entries);
    }
    if (status == NBSTAGE_OK && count > 0)
        status = context_progress(context, count, count);
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
    return allocate(context, line_count, entries->count, entries);
}

void entries_end(struct entries *entries, const size_t *next)
{
    uint32_t *entry = entries->entry;
    size_t kept = 0;
    size_t e = 0;
    for (size_t i = 0; i < entries->line_count; i++) {
        struct entry_range *group = &entries->groups[i / ENTRY_GROUP];
        size_t begin = e;
        if (i % ENTRY_GROUP == 0)
            group->begin = kept;
        for (; e < next[i]; e++)
            if (e == begin || entry[e] != entry[kept - 1])
                entry[kept++] = entry[e];
        group->end = kept;
    }
    entries->count = kept;
}

void entries_free(struct context *context, struct entries *entries)
{
    context_release(context, entries->entry);
    context_release(context, entries->groups);
    *entries = (struct entries){0};
}
