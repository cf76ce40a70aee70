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
// it enters a block.  These events are listed by offset once for an origin_y.
// To move the grid is to apply the events of an offset: one run in 64 changes
// one block.
//
// A table counts how many blocks have each list.

#include "search/search.h"

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

// What happens to a line when the origin comes to an offset.
struct score_event {
    struct score_event *next; // at that offset
    uint32_t line;
    uint32_t block; // and SCORE_LEAVES, if the line leaves it
};

static const uint32_t SCORE_LEAVES = UINT32_C(1) << 31;

// The lists of all blocks, by their digests.
struct score_table {
    struct digest_table form;
    uint64_t *digests; // 0: a free slot
    uint32_t *counts;  // of blocks that have the list
    uint32_t *seen;    // in the last pass over the blocks that came to it
};

struct scorer {
    const struct lines *lines;
    uint32_t extra_words; // that a list has beside its linedefs
    uint64_t length_mask; // of digests
    uint64_t *line_digests;
    size_t run_room;       // for runs of all lines, wherever rows begin
    uint64_t most_entries; // that they can have, wherever blocks begin

    struct grid grid; // that is scored now

    // Of the lump on that grid.
    uint64_t entry_count;
    uint64_t occupied_count;  // blocks with lines
    uint64_t list_word_count; // of lists with lines, equal ones once

    struct score_event *events;
    size_t event_count;
    struct score_event *first[SCORE_OFFSETS + 1]; // by offset

    uint64_t *digests;  // of each block's list
    uint32_t row_size;  // blocks from a row to the next in it
    size_t block_count; // room in it

    struct score_table table;
    uint32_t pass_count; // over the blocks
};

// ---------------------------------------------------------------------------
// The table

// The slot that a digest has, or would get.
static inline size_t score_find_list(const struct score_table *table,
                                     uint64_t digest)
{
    size_t slot = digest_slot(table->form, digest);
    while (table->digests[slot] != digest && table->digests[slot] != 0)
        slot = digest_next_slot(table->form, slot);
    return slot;
}

// Frees a slot, after moving lists into it that could not be found otherwise.
static void score_free_slot(struct score_table *table, size_t slot)
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
    return (uint32_t)(digest & scorer->length_mask) + scorer->extra_words;
}

// Adds a block that has a list.
static inline void score_add_block(struct scorer *scorer, uint64_t digest)
{
    struct score_table *table = &scorer->table;
    const size_t slot = score_find_list(table, digest);
    if (table->digests[slot] == 0) {
        table->digests[slot] = digest;
        table->counts[slot] = 0;
        scorer->list_word_count += score_list_words(scorer, digest);
    }
    table->counts[slot]++;
}

static inline void score_remove_block(struct scorer *scorer, uint64_t digest)
{
    const size_t slot = score_find_list(&scorer->table, digest);
    if (--scorer->table.counts[slot] == 0) {
        scorer->list_word_count -= score_list_words(scorer, digest);
        score_free_slot(&scorer->table, slot);
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
        .length_mask = digest_length_mask(lines->count),
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
        {&scorer.table.seen, slot_count, sizeof(uint32_t)},
        {&scorer.events, scorer.run_room, 2 * sizeof *scorer.events},
    };
    nbstage_status status =
        entries_check_limit(context, least_entries, lines->count);
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < lines->count; i++)
        scorer.line_digests[i] = digest_make(i, scorer.length_mask);
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

// Adds what happens at the offset at which a map unit, so far from the western
// edge of its column at offset 0, moves into the next column.  At SCORE_OFFSETS
// it never does.
static inline void score_add_event(struct scorer *scorer, size_t line,
                                   uint32_t distance, uint32_t block)
{
    struct score_event *event = &scorer->events[scorer->event_count++];
    struct score_event **first =
        &scorer->first[BLOCK_SIZE - distance % BLOCK_SIZE];
    *event = (struct score_event){*first, (uint32_t)line, block};
    *first = event;
}

// Adds the digest of each line to the blocks that it is in.
static nbstage_status score_place_lines(struct context *context,
                                        struct scorer *scorer, int32_t offset_y)
{
    const struct lines *lines = scorer->lines;
    const struct grid grid = scorer->grid;
    nbstage_status status = NBSTAGE_OK;
    size_t unreported = 0;
    memset(scorer->digests, 0, scorer->block_count * sizeof *scorer->digests);
    memset(scorer->first, 0, sizeof scorer->first);
    scorer->event_count = 0;
    scorer->entry_count = 0;
    for (size_t i = 0; i < lines->count && status == NBSTAGE_OK; i++) {
        struct run runs[SWEEP_MAX_RUNS];
        const size_t count =
            sweep_line(lines_fixed_at(lines, i), grid.origin_y, runs);
        for (size_t r = 0; r < count; r++) {
            const uint32_t first = (uint32_t)(runs[r].first_x - grid.origin_x);
            const uint32_t last = (uint32_t)(runs[r].last_x - grid.origin_x);
            const uint32_t row = runs[r].row * scorer->row_size;
            const uint32_t begin = row + (first >> BLOCK_SHIFT);
            const uint32_t end = row + (last >> BLOCK_SHIFT) + 1;
            score_add_event(scorer, i, first, begin | SCORE_LEAVES);
            score_add_event(scorer, i, last, end);
            for (uint32_t block = begin; block < end; block++)
                scorer->digests[block] += scorer->line_digests[i];
            scorer->entry_count += end - begin;
        }
        unreported += count;
        if (unreported >= SCORE_RUNS_PER_REPORT) {
            status = scorer_report(context, offset_y);
            unreported = 0;
        }
    }
    return status;
}

nbstage_status scorer_start(struct context *context, struct scorer *scorer,
                            int32_t offset_y)
{
    const struct lines *lines = scorer->lines;
    scorer->grid = grid_from(lines->min_x, lines->min_y - offset_y, lines);
    nbstage_status status = score_place_lines(context, scorer, offset_y);
    memset(scorer->table.digests, 0,
           scorer->table.form.slot_count * sizeof *scorer->table.digests);
    scorer->occupied_count = 0;
    scorer->list_word_count = 0;
    for (size_t b = 0; b < scorer->block_count && status == NBSTAGE_OK; b++) {
        if (scorer->digests[b] == 0)
            continue;
        scorer->occupied_count++;
        score_add_block(scorer, scorer->digests[b]);
    }
    return status;
}

// ---------------------------------------------------------------------------
// The next grid

bool scorer_move(struct scorer *scorer)
{
    const struct lines *lines = scorer->lines;
    const uint32_t columns = scorer->grid.columns;
    scorer->grid =
        grid_from(scorer->grid.origin_x - 1, scorer->grid.origin_y, lines);
    const struct score_event *first =
        scorer->first[lines->min_x - scorer->grid.origin_x];
    for (const struct score_event *event = first; event; event = event->next) {
        const bool leaves = event->block & SCORE_LEAVES;
        const uint64_t digest = scorer->line_digests[event->line];
        uint64_t *list = &scorer->digests[event->block & ~SCORE_LEAVES];
        if (*list != 0)
            score_remove_block(scorer, *list);
        else
            scorer->occupied_count++;
        *list += leaves ? -digest : digest;
        if (*list != 0)
            score_add_block(scorer, *list);
        else
            scorer->occupied_count--;
        scorer->entry_count += leaves ? UINT64_MAX : 1;
    }
    return first || scorer->grid.columns != columns;
}

// ---------------------------------------------------------------------------
// The lump

uint64_t scorer_entries(const struct scorer *scorer)
{
    return scorer->entry_count;
}

uint64_t scorer_words(const struct scorer *scorer)
{
    const uint64_t block_count = grid_block_count(&scorer->grid);
    const bool has_empty = scorer->occupied_count < block_count;
    return LUMP_HEADER_WORDS + block_count + scorer->list_word_count +
           (has_empty ? scorer->extra_words : 0);
}

// The last list that is stored is that of the last block whose list no block
// before it has.  A free slot stands for the empty list.
uint64_t scorer_largest_offset(struct scorer *scorer)
{
    const uint32_t pass = ++scorer->pass_count;
    uint64_t last = 0;
    for (uint32_t row = 0; row < scorer->grid.rows; row++)
        for (uint32_t column = 0; column < scorer->grid.columns; column++) {
            const uint64_t digest =
                scorer->digests[row * scorer->row_size + column];
            uint32_t *seen =
                &scorer->table.seen[score_find_list(&scorer->table, digest)];
            last = *seen != pass ? digest : last;
            *seen = pass;
        }
    return scorer_words(scorer) - score_list_words(scorer, last);
}
