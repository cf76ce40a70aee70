// SPDX-License-Identifier: GPL-2.0-or-later
//
// The size of a lump depends on how many lines each block has and which blocks
// have the same ones.  Digests give both, so no list is ever built.  Lists with
// equal digests count as equal.
//
// From one grid to the next, one map unit to the west, little changes.  The
// runs of lines depend on origin_y alone.  A run's first column changes only
// at the one offset where the map unit that it begins in moves into another
// column; then it leaves a block.  At one offset its last column changes; then
// it enters a block.  These events are sorted by offset once for an origin_y.
// To move the grid is to apply the events of an offset: one run in 64 changes
// one block.
//
// A table counts how many blocks have each list.

#include "search/score.h"

#include "base/digest.h"
#include "lines/entries.h"
#include "lines/sweep.h"
#include "lists/lists.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <string.h>

enum {
    SCORE_RUNS_PER_REPORT = 1 << 16, // between two reports of progress

    // Steps for all grids with the same origin_y.  Most are for the ends of
    // runs, each of which changes the list of a block once.
    SCORE_WORK_FOR_RUN = 64,
    SCORE_WORK_FOR_ENTRY = 1,
    SCORE_WORK_FOR_BLOCK = 4,
};

struct score_run {
    uint32_t line;
    struct run run;
};

struct score_event {
    uint32_t line;
    uint32_t block; // and SCORE_LEAVES, if the line leaves it
};

static const uint32_t SCORE_LEAVES = UINT32_C(1) << 31;

struct score_table {
    uint64_t *digests; // 0: a free slot
    uint32_t *counts;  // blocks that have the list
    struct digest_table form;
};

struct scorer {
    const struct lines *lines;
    uint32_t extra_words; // that a list has beside its linedefs
    struct digest_form form;
    uint64_t *line_digests;
    size_t run_room;       // for runs of all lines, wherever rows begin
    uint64_t most_entries; // that they can have, wherever blocks begin

    struct grid grid; // that is scored now
    int32_t offset_x; // of its origin, west of the lines' lowest x

    // Of the lump on that grid.
    uint64_t entry_count;
    uint64_t occupied_count;  // blocks with lines
    uint64_t list_word_count; // of lists with lines, equal ones once

    struct score_run *runs;
    size_t run_count;
    struct score_event *events;            // by offset
    size_t event_begin[SCORE_OFFSETS + 1]; // where those of an offset begin

    uint64_t *digests;  // of each block's list
    uint32_t row_size;  // blocks from a row to the next in it
    size_t block_count; // room in it
    struct score_table table;
};

// ---------------------------------------------------------------------------
// The table

// The slot that a digest has, or would get.
static inline size_t score_table_find(const struct score_table *table,
                                      uint64_t digest)
{
    size_t slot = digest_slot(table->form, digest);
    while (table->digests[slot] != digest && table->digests[slot] != 0)
        slot = digest_next_slot(table->form, slot);
    return slot;
}

// Frees a slot, after moving lists into it that could not be found otherwise.
static void score_table_remove(struct score_table *table, size_t slot)
{
    const size_t mask = table->form.slot_count - 1;
    size_t next = digest_next_slot(table->form, slot);
    for (; table->digests[next] != 0;
         next = digest_next_slot(table->form, next)) {
        size_t home = digest_slot(table->form, table->digests[next]);
        if (((next - home) & mask) < ((next - slot) & mask))
            continue;
        table->digests[slot] = table->digests[next];
        table->counts[slot] = table->counts[next];
        slot = next;
    }
    table->digests[slot] = 0;
}

static inline uint32_t score_list_words(const struct scorer *scorer,
                                        uint64_t digest)
{
    return digest_length(scorer->form, digest) + scorer->extra_words;
}

static inline void score_add_list(struct scorer *scorer, uint64_t digest)
{
    struct score_table *table = &scorer->table;
    size_t slot = score_table_find(table, digest);
    if (table->digests[slot] == 0) {
        table->digests[slot] = digest;
        table->counts[slot] = 0;
        scorer->list_word_count += score_list_words(scorer, digest);
    }
    table->counts[slot]++;
}

static inline void score_remove_list(struct scorer *scorer, uint64_t digest)
{
    size_t slot = score_table_find(&scorer->table, digest);
    if (--scorer->table.counts[slot] == 0) {
        scorer->list_word_count -= score_list_words(scorer, digest);
        score_table_remove(&scorer->table, slot);
    }
}

// ---------------------------------------------------------------------------
// Memory

// Edges of columns or rows that can be between two places, wherever the grid
// begins; there may be one less.
static uint32_t score_count_edges(int32_t from, int32_t to)
{
    uint32_t distance = (uint32_t)(from < to ? to - from : from - to);
    return (distance + BLOCK_SIZE - 1) >> BLOCK_SHIFT;
}

// Finds how many runs and entries there can be at most, wherever blocks begin;
// *least_entries is how many entries there are at least.
static void score_measure_lines(struct scorer *scorer, uint64_t *least_entries)
{
    const struct lines *lines = scorer->lines;
    uint64_t runs = 0;
    *least_entries = 0;
    for (size_t i = 0; i < lines->count; i++) {
        struct fixed_line line = lines_fixed_at(lines, i);
        uint32_t columns = score_count_edges(line.x1 >> 16, line.x2 >> 16);
        uint32_t rows = score_count_edges(line.y1 >> 16, line.y2 >> 16);
        runs += rows + 1;
        scorer->most_entries += columns + rows + 1;
        *least_entries += columns > rows ? columns : rows;
    }
    // One more, so that no array is empty.
    scorer->run_room = context_count(runs + 1);
}

nbstage_status scorer_make(struct context *context, const struct lines *lines,
                           enum list_header header, struct scorer **made)
{
    // From an origin 127 units off, there may be a column and a row more.
    const struct grid least = grid_fit(lines);
    const size_t block_count = (least.columns + 1) * ((size_t)least.rows + 1);
    struct scorer scorer = {
        .lines = lines,
        .extra_words = LIST_EXTRA_WORDS - (header == HEADER_NONE),
        .form = digest_form(lines->count, 0),
        .row_size = least.columns + 1,
        .block_count = block_count,
        .table.form = digest_table(block_count),
    };
    const size_t slot_count = scorer.table.form.slot_count;
    uint64_t least_entries;
    score_measure_lines(&scorer, &least_entries);
    const struct context_array arrays[] = {
        {made, 1, sizeof scorer},
        {&scorer.line_digests, lines->count, sizeof(uint64_t)},
        {&scorer.digests, block_count, sizeof(uint64_t)},
        {&scorer.table.digests, slot_count, sizeof(uint64_t)},
        {&scorer.table.counts, slot_count, sizeof(uint32_t)},
        {&scorer.events, scorer.run_room, 2 * sizeof(struct score_event)},
        {&scorer.runs, scorer.run_room, sizeof(struct score_run)},
    };
    nbstage_status status =
        entries_check_limit(context, least_entries, lines->count);
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    digest_lines(scorer.form, 0, lines->count, scorer.line_digests);
    **made = scorer;
    return NBSTAGE_OK;
}

uint64_t scorer_work(const struct scorer *scorer)
{
    struct grid least = grid_fit(scorer->lines);
    return SCORE_WORK_FOR_RUN * (uint64_t)scorer->run_room +
           SCORE_WORK_FOR_ENTRY * scorer->most_entries +
           SCORE_WORK_FOR_BLOCK * (uint64_t)grid_block_count(&least);
}

// ---------------------------------------------------------------------------
// The first grid

// The distance of a map unit from the western edge of its column at offset 0,
// and the offset at which it moves into the next column: SCORE_OFFSETS if it
// does not.
static inline uint32_t score_distance(const struct scorer *scorer, int32_t x)
{
    return (uint32_t)(x - scorer->grid.origin_x);
}

static inline uint32_t score_event_offset(uint32_t distance)
{
    return BLOCK_SIZE - distance % BLOCK_SIZE;
}

// Finds the runs of all lines, and counts their events in event_begin.
static nbstage_status score_find_runs(struct context *context,
                                      struct scorer *scorer, int32_t offset_y)
{
    const struct lines *lines = scorer->lines;
    struct score_run *next = scorer->runs;
    size_t unreported = 0;
    nbstage_status status = NBSTAGE_OK;
    memset(scorer->event_begin, 0, sizeof scorer->event_begin);
    for (size_t i = 0; i < lines->count && status == NBSTAGE_OK; i++) {
        struct run runs[SWEEP_MAX_RUNS];
        size_t count = sweep_line(lines, i, scorer->grid.origin_y, runs);
        for (size_t r = 0; r < count; r++) {
            uint32_t first = score_distance(scorer, runs[r].first_x);
            uint32_t last = score_distance(scorer, runs[r].last_x);
            scorer->event_begin[score_event_offset(first)]++;
            scorer->event_begin[score_event_offset(last)]++;
            *next++ = (struct score_run){(uint32_t)i, runs[r]};
        }
        unreported += count;
        if (unreported >= SCORE_RUNS_PER_REPORT) {
            status = scorer_report(context, offset_y);
            unreported = 0;
        }
    }
    scorer->run_count = (size_t)(next - scorer->runs);
    return status;
}

// Sorts the events by their offset, and adds the digest of each line to the
// blocks that it is in.
static nbstage_status score_place_runs(struct context *context,
                                       struct scorer *scorer, int32_t offset_y)
{
    nbstage_status status = NBSTAGE_OK;
    size_t next[SCORE_OFFSETS + 1];
    size_t begin = 0;
    for (size_t offset = 0; offset <= SCORE_OFFSETS; offset++) {
        size_t count = scorer->event_begin[offset];
        scorer->event_begin[offset] = next[offset] = begin;
        begin += count;
    }
    memset(scorer->digests, 0, scorer->block_count * sizeof *scorer->digests);
    scorer->entry_count = 0;
    for (size_t i = 0; i < scorer->run_count && status == NBSTAGE_OK; i++) {
        const struct score_run *at = &scorer->runs[i];
        uint32_t first = score_distance(scorer, at->run.first_x);
        uint32_t last = score_distance(scorer, at->run.last_x);
        uint32_t row = at->run.row * scorer->row_size;
        uint32_t first_block = row + (first >> BLOCK_SHIFT);
        uint32_t last_block = row + (last >> BLOCK_SHIFT);
        scorer->events[next[score_event_offset(first)]++] =
            (struct score_event){at->line, first_block | SCORE_LEAVES};
        scorer->events[next[score_event_offset(last)]++] =
            (struct score_event){at->line, last_block + 1};
        for (uint32_t block = first_block; block <= last_block; block++)
            scorer->digests[block] += scorer->line_digests[at->line];
        scorer->entry_count += last_block - first_block + 1;
        if (i % SCORE_RUNS_PER_REPORT == SCORE_RUNS_PER_REPORT - 1)
            status = scorer_report(context, offset_y);
    }
    return status;
}

static void score_count_lists(struct scorer *scorer)
{
    const struct score_table *table = &scorer->table;
    memset(table->digests, 0, table->form.slot_count * sizeof *table->digests);
    scorer->occupied_count = 0;
    scorer->list_word_count = 0;
    for (size_t b = 0; b < scorer->block_count; b++) {
        if (scorer->digests[b] == 0)
            continue;
        scorer->occupied_count++;
        score_add_list(scorer, scorer->digests[b]);
    }
}

nbstage_status scorer_start(struct context *context, struct scorer *scorer,
                            int32_t offset_y)
{
    const struct lines *lines = scorer->lines;
    scorer->offset_x = 0;
    scorer->grid = grid_from(lines->min_x, lines->min_y - offset_y, lines);
    nbstage_status status = score_find_runs(context, scorer, offset_y);
    if (status == NBSTAGE_OK)
        status = score_place_runs(context, scorer, offset_y);
    if (status == NBSTAGE_OK)
        score_count_lists(scorer);
    return status;
}

// ---------------------------------------------------------------------------
// The next grid

// Changes the list of a block.
static inline void score_change_list(struct scorer *scorer, uint32_t block,
                                     uint64_t difference)
{
    uint64_t before = scorer->digests[block];
    uint64_t after = before + difference;
    scorer->digests[block] = after;
    if (before != 0)
        score_remove_list(scorer, before);
    else
        scorer->occupied_count++;
    if (after != 0)
        score_add_list(scorer, after);
    else
        scorer->occupied_count--;
}

bool scorer_move(struct scorer *scorer)
{
    const uint32_t columns = scorer->grid.columns;
    scorer->offset_x++;
    scorer->grid = grid_from(scorer->grid.origin_x - 1, scorer->grid.origin_y,
                             scorer->lines);
    const struct score_event *event =
        scorer->events + scorer->event_begin[scorer->offset_x];
    const struct score_event *end =
        scorer->events + scorer->event_begin[scorer->offset_x + 1];
    const bool changes = event < end || scorer->grid.columns != columns;
    for (; event < end; event++) {
        uint64_t digest = scorer->line_digests[event->line];
        bool leaves = event->block & SCORE_LEAVES;
        score_change_list(scorer, event->block & ~SCORE_LEAVES,
                          leaves ? -digest : digest);
        scorer->entry_count += leaves ? UINT64_MAX : 1;
    }
    return changes;
}

// ---------------------------------------------------------------------------
// The lump

uint64_t scorer_entries(const struct scorer *scorer)
{
    return scorer->entry_count;
}

static uint64_t score_empty_count(const struct scorer *scorer)
{
    return grid_block_count(&scorer->grid) - scorer->occupied_count;
}

uint64_t scorer_words(const struct scorer *scorer)
{
    return LUMP_HEADER_WORDS + (uint64_t)grid_block_count(&scorer->grid) +
           scorer->list_word_count +
           (score_empty_count(scorer) > 0 ? scorer->extra_words : 0);
}

// The place of a block, by its number in the grid, in `digests`.
static inline size_t score_digest_place(const struct scorer *scorer,
                                        size_t block)
{
    return block / scorer->grid.columns * scorer->row_size +
           block % scorer->grid.columns;
}

// The number of the last block that is the first to have its list: the blocks
// after it have lists that are stored before.  Going backward, blocks are
// taken off the table until a count is 0; then they are put back.
static size_t score_find_last_stored(struct scorer *scorer)
{
    size_t block_count = grid_block_count(&scorer->grid);
    uint64_t empty_left = score_empty_count(scorer);
    uint32_t *counts = scorer->table.counts;
    size_t block = block_count;
    for (bool found = false; !found;) {
        uint64_t digest = scorer->digests[score_digest_place(scorer, --block)];
        found = digest == 0
                    ? --empty_left == 0
                    : --counts[score_table_find(&scorer->table, digest)] == 0;
    }
    for (size_t b = block; b < block_count; b++) {
        uint64_t digest = scorer->digests[score_digest_place(scorer, b)];
        if (digest != 0)
            counts[score_table_find(&scorer->table, digest)]++;
    }
    return block;
}

uint64_t scorer_largest_offset(struct scorer *scorer)
{
    const size_t block = score_find_last_stored(scorer);
    uint64_t digest = scorer->digests[score_digest_place(scorer, block)];
    return scorer_words(scorer) - score_list_words(scorer, digest);
}
