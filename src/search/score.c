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

#include "lump/lump.h"

#include <string.h>

enum {
    // Runs between two calls of the pause: few, as each may be the first to
    // read memory in more than one place.
    PAUSE_RUNS = 64,

    // Steps for all grids with the same origin_y.  Most are for the ends of
    // runs, each of which changes the list of a block once.
    WORK_FOR_RUN = 64,
    WORK_FOR_ENTRY = 1,
    WORK_FOR_BLOCK = 4,
};

struct score_run {
    uint32_t line;
    struct run run;
};

struct event {
    uint32_t line;
    uint32_t block; // and LEAVES, if the line leaves it
};

static const uint32_t LEAVES = UINT32_C(1) << 31;

struct table {
    uint64_t *digests; // 0: a free slot
    uint32_t *counts;  // blocks that have the list
    struct digest_table form;
};

struct scorer {
    const struct score_lines *shared;
    struct grid grid; // that is scored now
    int32_t offset_x; // of its origin, west of the lines' lowest x

    // Of the lump on that grid.
    uint64_t entry_count;
    uint64_t occupied_count;  // blocks with lines
    uint64_t list_word_count; // of lists with lines, equal ones once

    struct score_run *runs;
    size_t run_count;
    struct event *events;                  // by offset
    size_t event_begin[SCORE_OFFSETS + 1]; // where those of an offset begin

    uint64_t *digests;  // of each block's list
    uint32_t row_size;  // blocks from a row to the next in it
    size_t block_count; // room in it
    struct table table;
};

// ---------------------------------------------------------------------------
// The table

// The slot that a digest has, or would get.
static inline size_t table_find(const struct table *table, uint64_t digest)
{
    size_t slot = digest_slot(table->form, digest);
    while (table->digests[slot] != digest && table->digests[slot] != 0)
        slot = digest_next_slot(table->form, slot);
    return slot;
}

// Frees a slot, after moving lists into it that could not be found otherwise.
static void table_remove(struct table *table, size_t slot)
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

static inline uint32_t list_words(const struct scorer *scorer, uint64_t digest)
{
    return digest_length(scorer->shared->form, digest) + LIST_EXTRA_WORDS;
}

static inline void add_list(struct scorer *scorer, uint64_t digest)
{
    struct table *table = &scorer->table;
    size_t slot = table_find(table, digest);
    if (table->digests[slot] == 0) {
        table->digests[slot] = digest;
        table->counts[slot] = 0;
        scorer->list_word_count += list_words(scorer, digest);
    }
    table->counts[slot]++;
}

static inline void remove_list(struct scorer *scorer, uint64_t digest)
{
    size_t slot = table_find(&scorer->table, digest);
    if (--scorer->table.counts[slot] == 0) {
        scorer->list_word_count -= list_words(scorer, digest);
        table_remove(&scorer->table, slot);
    }
}

// ---------------------------------------------------------------------------
// Memory

// Edges of columns or rows that can be between two places, wherever the grid
// begins; there may be one less.
static uint32_t count_edges(int32_t from, int32_t to)
{
    uint32_t distance = (uint32_t)(from < to ? to - from : from - to);
    return (distance + BLOCK_SIZE - 1) >> BLOCK_SHIFT;
}

// Finds how many runs and entries there can be at most, wherever blocks begin;
// *least_entries is how many entries there are at least.
static void measure_lines(struct score_lines *score_lines,
                          uint64_t *least_entries)
{
    const struct lines *lines = score_lines->lines;
    uint64_t runs = 0;
    *least_entries = 0;
    for (size_t i = 0; i < lines->count; i++) {
        struct fixed_line line = lines_fixed_at(lines, i);
        uint32_t columns = count_edges(line.x1 >> 16, line.x2 >> 16);
        uint32_t rows = count_edges(line.y1 >> 16, line.y2 >> 16);
        runs += rows + 1;
        score_lines->most_entries += columns + rows + 1;
        *least_entries += columns > rows ? columns : rows;
    }
    // One more, so that no array is empty.
    score_lines->run_room = context_count(runs + 1);
}

nbstage_status score_lines_make(struct context *context,
                                const struct lines *lines,
                                struct score_lines *score_lines)
{
    uint64_t least_entries;
    *score_lines = (struct score_lines){
        .lines = lines,
        .form = digest_form(lines->count, 0),
    };
    measure_lines(score_lines, &least_entries);
    nbstage_status status =
        entries_check_limit(context, least_entries, lines->count);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lines->count,
                                  sizeof *score_lines->digests,
                                  &score_lines->digests);
    if (status == NBSTAGE_OK)
        digest_lines(score_lines->form, 0, lines->count, score_lines->digests);
    return status;
}

uint64_t score_work(const struct score_lines *score_lines)
{
    const struct lines *lines = score_lines->lines;
    struct grid least = grid_from(lines->min_x, lines->min_y, lines);
    return WORK_FOR_RUN * (uint64_t)score_lines->run_room +
           WORK_FOR_ENTRY * score_lines->most_entries +
           WORK_FOR_BLOCK * (uint64_t)grid_block_count(&least);
}

// Sets what the scorer has room for, and returns the bytes that it takes with
// its arrays.
static uint64_t measure_scorer(struct scorer *scorer)
{
    const struct lines *lines = scorer->shared->lines;
    // From an origin 127 units off, there may be a column and a row more.
    struct grid least = grid_from(lines->min_x, lines->min_y, lines);
    scorer->row_size = least.columns + 1;
    scorer->block_count = scorer->row_size * ((size_t)least.rows + 1);
    scorer->table.form = digest_table(scorer->block_count);
    uint64_t of_slot = sizeof(uint64_t) + sizeof(uint32_t);
    uint64_t of_run = sizeof(struct score_run) + 2 * sizeof(struct event);
    return sizeof *scorer + sizeof(uint64_t) * (uint64_t)scorer->block_count +
           of_slot * scorer->table.form.slot_count +
           of_run * scorer->shared->run_room;
}

size_t scorer_size(const struct score_lines *score_lines)
{
    struct scorer scorer = {.shared = score_lines};
    return context_count(measure_scorer(&scorer));
}

nbstage_status scorer_make(struct context *context,
                           const struct score_lines *score_lines,
                           struct scorer **made)
{
    struct scorer scorer = {.shared = score_lines};
    uint64_t size = measure_scorer(&scorer);
    nbstage_status status =
        context_allocate(context, context_count(size), 1, made);
    if (status != NBSTAGE_OK)
        return status;
    scorer.digests = (uint64_t *)(*made + 1);
    scorer.table.digests = scorer.digests + scorer.block_count;
    scorer.table.counts =
        (uint32_t *)(scorer.table.digests + scorer.table.form.slot_count);
    scorer.events =
        (struct event *)(scorer.table.counts + scorer.table.form.slot_count);
    scorer.runs =
        (struct score_run *)(scorer.events + 2 * score_lines->run_room);
    **made = scorer;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The first grid

static bool is_over(const struct score_pause *pause)
{
    return pause && pause->is_over(pause->user);
}

// The distance of a map unit from the western edge of its column at offset 0,
// and the offset at which it moves into the next column: SCORE_OFFSETS if it
// does not.
static inline uint32_t distance_of(const struct scorer *scorer, int32_t x)
{
    return (uint32_t)(x - scorer->grid.origin_x);
}

static inline uint32_t offset_of_event(uint32_t distance)
{
    return BLOCK_SIZE - distance % BLOCK_SIZE;
}

// Finds the runs of all lines, and counts their events in event_begin.
static bool find_runs(struct scorer *scorer, const struct score_pause *pause)
{
    const struct lines *lines = scorer->shared->lines;
    struct score_run *next = scorer->runs;
    size_t since = 0; // the last call of the pause
    memset(scorer->event_begin, 0, sizeof scorer->event_begin);
    for (size_t i = 0; i < lines->count; i++) {
        struct run runs[SWEEP_MAX_RUNS];
        size_t count = sweep_line(lines, i, scorer->grid.origin_y, runs);
        for (size_t r = 0; r < count; r++) {
            uint32_t first = distance_of(scorer, runs[r].first_x);
            uint32_t last = distance_of(scorer, runs[r].last_x);
            scorer->event_begin[offset_of_event(first)]++;
            scorer->event_begin[offset_of_event(last)]++;
            *next++ = (struct score_run){(uint32_t)i, runs[r]};
        }
        since += count;
        if (since >= PAUSE_RUNS && is_over(pause))
            return false;
        since = since < PAUSE_RUNS ? since : 0;
    }
    scorer->run_count = (size_t)(next - scorer->runs);
    return true;
}

// Sorts the events by their offset, and adds the digest of each line to the
// blocks that it is in.
static bool place_runs(struct scorer *scorer, const struct score_pause *pause)
{
    size_t next[SCORE_OFFSETS + 1];
    size_t begin = 0;
    for (size_t offset = 0; offset <= SCORE_OFFSETS; offset++) {
        size_t count = scorer->event_begin[offset];
        scorer->event_begin[offset] = next[offset] = begin;
        begin += count;
    }
    memset(scorer->digests, 0, scorer->block_count * sizeof *scorer->digests);
    scorer->entry_count = 0;
    for (size_t i = 0; i < scorer->run_count; i++) {
        const struct score_run *at = &scorer->runs[i];
        uint32_t first = distance_of(scorer, at->run.first_x);
        uint32_t last = distance_of(scorer, at->run.last_x);
        uint32_t row = at->run.row * scorer->row_size;
        uint32_t first_block = row + (first >> BLOCK_SHIFT);
        uint32_t last_block = row + (last >> BLOCK_SHIFT);
        scorer->events[next[offset_of_event(first)]++] =
            (struct event){at->line, first_block | LEAVES};
        scorer->events[next[offset_of_event(last)]++] =
            (struct event){at->line, last_block + 1};
        for (uint32_t block = first_block; block <= last_block; block++)
            scorer->digests[block] += scorer->shared->digests[at->line];
        scorer->entry_count += last_block - first_block + 1;
        if (i % PAUSE_RUNS == 0 && is_over(pause))
            return false;
    }
    return true;
}

static void count_lists(struct scorer *scorer)
{
    const struct table *table = &scorer->table;
    memset(table->digests, 0, table->form.slot_count * sizeof *table->digests);
    scorer->occupied_count = 0;
    scorer->list_word_count = 0;
    for (size_t b = 0; b < scorer->block_count; b++) {
        if (scorer->digests[b] == 0)
            continue;
        scorer->occupied_count++;
        add_list(scorer, scorer->digests[b]);
    }
}

bool scorer_start(struct scorer *scorer, int32_t offset_y,
                  const struct score_pause *pause)
{
    const struct lines *lines = scorer->shared->lines;
    scorer->offset_x = 0;
    scorer->grid = grid_from(lines->min_x, lines->min_y - offset_y, lines);
    if (!find_runs(scorer, pause) || !place_runs(scorer, pause))
        return false;
    count_lists(scorer);
    return true;
}

// ---------------------------------------------------------------------------
// The next grid

// Changes the list of a block.
static inline void change_list(struct scorer *scorer, uint32_t block,
                               uint64_t difference)
{
    uint64_t before = scorer->digests[block];
    uint64_t after = before + difference;
    scorer->digests[block] = after;
    if (before != 0)
        remove_list(scorer, before);
    else
        scorer->occupied_count++;
    if (after != 0)
        add_list(scorer, after);
    else
        scorer->occupied_count--;
}

void scorer_move(struct scorer *scorer)
{
    scorer->offset_x++;
    scorer->grid = grid_from(scorer->grid.origin_x - 1, scorer->grid.origin_y,
                             scorer->shared->lines);
    const struct event *event =
        scorer->events + scorer->event_begin[scorer->offset_x];
    const struct event *end =
        scorer->events + scorer->event_begin[scorer->offset_x + 1];
    for (; event < end; event++) {
        uint64_t digest = scorer->shared->digests[event->line];
        bool leaves = event->block & LEAVES;
        change_list(scorer, event->block & ~LEAVES, leaves ? -digest : digest);
        scorer->entry_count += leaves ? UINT64_MAX : 1;
    }
}

// ---------------------------------------------------------------------------
// The lump

uint64_t scorer_entries(const struct scorer *scorer)
{
    return scorer->entry_count;
}

static uint64_t empty_count(const struct scorer *scorer)
{
    return grid_block_count(&scorer->grid) - scorer->occupied_count;
}

uint64_t scorer_words(const struct scorer *scorer, enum pack_mode mode)
{
    uint64_t blocks = grid_block_count(&scorer->grid);
    uint64_t lists_begin = LUMP_HEADER_WORDS + blocks;
    if (mode == PACK_NONE)
        return lists_begin + scorer->entry_count + LIST_EXTRA_WORDS * blocks;
    return lists_begin + scorer->list_word_count +
           (empty_count(scorer) > 0 ? LIST_EXTRA_WORDS : 0);
}

// The place of a block, by its number in the grid, in `digests`.
static inline size_t digest_place(const struct scorer *scorer, size_t block)
{
    return block / scorer->grid.columns * scorer->row_size +
           block % scorer->grid.columns;
}

// The number of the last block that is the first to have its list: the blocks
// after it have lists that are stored before.  Going backward, blocks are
// taken off the table until a count is 0; then they are put back.
static size_t find_last_stored(struct scorer *scorer)
{
    size_t block_count = grid_block_count(&scorer->grid);
    uint64_t empty_left = empty_count(scorer);
    uint32_t *counts = scorer->table.counts;
    size_t block = block_count;
    for (bool found = false; !found;) {
        uint64_t digest = scorer->digests[digest_place(scorer, --block)];
        found = digest == 0 ? --empty_left == 0
                            : --counts[table_find(&scorer->table, digest)] == 0;
    }
    for (size_t b = block; b < block_count; b++) {
        uint64_t digest = scorer->digests[digest_place(scorer, b)];
        if (digest != 0)
            counts[table_find(&scorer->table, digest)]++;
    }
    return block;
}

uint64_t scorer_largest_offset(struct scorer *scorer, enum pack_mode mode)
{
    size_t block = mode == PACK_NONE ? grid_block_count(&scorer->grid) - 1
                                     : find_last_stored(scorer);
    uint64_t digest = scorer->digests[digest_place(scorer, block)];
    return scorer_words(scorer, mode) - list_words(scorer, digest);
}
