// SPDX-License-Identifier: GPL-2.0-or-later
//
// The size of a lump depends on how many lines each block has and which blocks
// have the same ones.  Digests give both, so no list is ever built.  Lists with
// equal digests count as equal.  A table counts how many blocks have each list.
//
// From one grid to the next, one map unit to the west, little changes.  The
// runs of lines depend on origin_y alone.  A run's first column changes only
// at the one offset where the map unit that it begins in moves into another
// column; then it leaves a block.  At one offset its last column changes; then
// it enters a block.  These events are listed by offset once for an origin_y.
// To move the grid is to apply the events of an offset: one run in 64 changes
// one block.
//
// Scores are exact for lists that are shared and begin with a 0.  For others
// they only rank origins: the lumps of the SEARCH_LUMPS best are built, and
// that of the first origin always, so that a search is never worse than none.
//
// The work to do is chosen before it begins, from the work limit, the size of
// the map and the first lump.

#include "search/search.h"

#include "base/digest.h"
#include "lines/entries.h"
#include "lines/sweep.h"
#include "lists/lists.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    // Origins along each axis, 0 to SCORE_OFFSETS - 1 map units away from the
    // lines' lowest coordinate.  Farther away a grid is one of these with an
    // empty column or row more.
    SCORE_OFFSETS = BLOCK_SIZE,

    // Steps for all grids with the same origin_y.  Most are for the ends of
    // runs, each of which changes the list of a block once.
    SCORE_WORK_FOR_RUN = 64,
    SCORE_WORK_FOR_ENTRY = 1,
    SCORE_WORK_FOR_BLOCK = 4,

    SEARCH_LUMPS = 64,             // to build
    SEARCH_CHANGES_PER_REPORT = 8, // of the score, until progress is reported
};

// ---------------------------------------------------------------------------
// The score: how large the lump would be on a grid, without building it

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

// Scores lumps whose lists are shared, on grids with the same origin_y, from
// the lines' lowest x westward.
struct scorer {
    const struct lines *lines;
    uint32_t extra_words; // that a list has beside its linedefs
    uint64_t length_mask; // of digests
    uint64_t *line_digests;
    uint64_t run_room;     // for runs of all lines, wherever rows begin
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
        if (lines_leave_out(lines, i))
            continue;
        struct fixed_line line = lines_fixed_at(lines, i);
        uint32_t columns = score_count_edges(line.x1 >> 16, line.x2 >> 16);
        uint32_t rows = score_count_edges(line.y1 >> 16, line.y2 >> 16);
        runs += rows + 1;
        scorer->most_entries += columns + rows + 1;
        *least_entries += columns > rows ? columns : rows;
    }
    // One more, so that no array is empty.
    scorer->run_room = runs + 1;
}

// Afterwards line_digests is to be released.
// NBSTAGE_OVER_LIMIT: wherever blocks begin, there are more entries than the
// context's limit.
static nbstage_status scorer_make(struct context *context,
                                  const struct lines *lines,
                                  enum list_header header,
                                  struct scorer *scorer)
{
    // From an origin 127 units off, there may be a column and a row more.
    const struct grid least = grid_fit(lines);
    const size_t block_count = (least.columns + 1) * ((size_t)least.rows + 1);
    *scorer = (struct scorer){
        .lines = lines,
        .extra_words = LIST_EXTRA_WORDS - (header == HEADER_NONE),
        .length_mask = digest_length_mask(lines->count),
        .row_size = least.columns + 1,
        .block_count = block_count,
        .table.form = digest_table(block_count),
    };
    const size_t slot_count = scorer->table.form.slot_count;
    uint64_t least_entries;
    score_measure_lines(scorer, &least_entries);
    const struct context_array arrays[] = {
        {&scorer->line_digests, lines->count, sizeof(uint64_t)},
        {&scorer->digests, block_count, sizeof(uint64_t)},
        {&scorer->table.digests, slot_count, sizeof(uint64_t)},
        {&scorer->table.counts, slot_count, sizeof(uint32_t)},
        {&scorer->table.seen, slot_count, sizeof(uint32_t)},
        {&scorer->events, scorer->run_room, 2 * sizeof(struct score_event)},
    };
    nbstage_status status =
        entries_check_limit(context, least_entries, lines->count);
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < lines->count; i++)
        scorer->line_digests[i] = digest_make(i, scorer->length_mask);
    return NBSTAGE_OK;
}

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

// Begins with the origin at the lines' lowest x, `offset_y` units south of
// their lowest y: adds the digest of each line to the blocks that it is in.
static void scorer_start(struct scorer *scorer, int32_t offset_y)
{
    const struct lines *lines = scorer->lines;
    const struct grid grid =
        grid_from(lines->min_x, lines->min_y - offset_y, lines);
    scorer->grid = grid;
    memset(scorer->digests, 0, scorer->block_count * sizeof *scorer->digests);
    memset(scorer->first, 0, sizeof scorer->first);
    memset(scorer->table.digests, 0,
           scorer->table.form.slot_count * sizeof *scorer->table.digests);
    scorer->event_count = 0;
    scorer->entry_count = 0;
    scorer->occupied_count = 0;
    scorer->list_word_count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (lines_leave_out(lines, i))
            continue;
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
    }
    for (size_t b = 0; b < scorer->block_count; b++) {
        if (scorer->digests[b] == 0)
            continue;
        scorer->occupied_count++;
        score_add_block(scorer, scorer->digests[b]);
    }
}

// Moves the origin one map unit west; at most SCORE_OFFSETS - 1 times.  Returns
// whether this changes the lump at all.
static bool scorer_move(struct scorer *scorer)
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

// Words of the lump.
static uint64_t scorer_words(const struct scorer *scorer)
{
    const uint64_t block_count = grid_block_count(&scorer->grid);
    const bool has_empty = scorer->occupied_count < block_count;
    return LUMP_HEADER_WORDS + block_count + scorer->list_word_count +
           (has_empty ? scorer->extra_words : 0);
}

// The largest offset in the lump, in words: that of the list of the last block
// whose list no block before it has.  A free slot stands for the empty list.
static uint64_t scorer_largest_offset(struct scorer *scorer)
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

// ---------------------------------------------------------------------------
// The search

// An origin and the words of its lump.  Origin x, y, which are offsets along
// each axis, has number y * SCORE_OFFSETS + x.
struct search_origin {
    size_t number;
    uint64_t words;
    bool meets; // the limit
};

struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    struct search_answer *answer;
    bool scores_are_exact; // they are the sizes of lumps
    int32_t offsets_x, offsets_y;
    uint64_t most_entries; // of an origin

    struct search_origin best; // so far

    // Origins to build, the best by score, and the steps that each may take.
    struct search_origin origins[SEARCH_LUMPS - 1];
    size_t origin_count;
    uint64_t build_work;
    struct context trial; // to build lumps with
};

static struct grid search_grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - (int32_t)(origin % SCORE_OFFSETS),
                     search->lines->min_y - (int32_t)(origin / SCORE_OFFSETS),
                     search->lines);
}

// Of equally good origins the first is better.
static bool search_is_better(struct search_origin a, struct search_origin b)
{
    return a.meets != b.meets   ? a.meets
           : a.words != b.words ? a.words < b.words
                                : a.number < b.number;
}

// Takes an origin to be built if its score is one of the best.  Origin 0 is
// built anyway.
static void search_rank(struct search *search, struct search_origin origin)
{
    struct search_origin *origins = search->origins;
    size_t at = search->origin_count;
    if (origin.number == 0)
        return;
    if (at < SEARCH_LUMPS - 1)
        search->origin_count++;
    else if (!search_is_better(origin, origins[--at]))
        return;
    for (; at > 0 && search_is_better(origin, origins[at - 1]); at--)
        origins[at] = origins[at - 1];
    origins[at] = origin;
}

// Whether the grid that is scored meets the limit.  The last list is at most as
// long as all lines, and only if that decides does the largest offset matter.
static bool search_scored_meets(const struct search *search,
                                struct scorer *scorer, uint64_t word_count)
{
    const size_t linedef_end = lines_end(search->lines);
    const bool is_near =
        search->request->limit == LIMIT_VANILLA &&
        word_count > LUMP_VANILLA_OFFSET &&
        word_count <= LUMP_VANILLA_OFFSET + linedef_end + LIST_EXTRA_WORDS;
    const struct lump_measure measure = {
        word_count, is_near ? scorer_largest_offset(scorer) : word_count,
        linedef_end};
    return lump_meets(&measure, search->request->limit);
}

// Scores the origins of one offset_y.
static nbstage_status search_score_offset(struct search *search,
                                          struct scorer *scorer, int32_t y)
{
    nbstage_status status = NBSTAGE_OK;
    struct search_origin origin = {.meets = false};
    uint32_t changes = 0;
    scorer_start(scorer, y);
    for (int32_t x = 0; x < search->offsets_x && status == NBSTAGE_OK; x++) {
        origin.number = (size_t)y * SCORE_OFFSETS + (size_t)x;
        if (x == 0 || scorer_move(scorer)) {
            origin.words = scorer_words(scorer);
            if (scorer->entry_count > search->most_entries)
                search->most_entries = scorer->entry_count;
            if (search->scores_are_exact)
                origin.meets =
                    search_scored_meets(search, scorer, origin.words);
            if (changes++ % SEARCH_CHANGES_PER_REPORT == 0)
                status =
                    context_progress(search->context, (size_t)y, SCORE_OFFSETS);
        }
        if (!search->scores_are_exact)
            search_rank(search, origin);
        else if (search_is_better(origin, search->best))
            search->best = origin;
    }
    return status;
}

// Leaves out offsets_y that are too much work, and half of all work for lumps.
static nbstage_status search_score_all(struct search *search)
{
    struct context *context = search->context;
    const struct grid least = grid_fit(search->lines);
    struct scorer scorer;
    nbstage_status status = scorer_make(context, search->lines,
                                        search->request->pack.header, &scorer);
    if (status != NBSTAGE_OK)
        return status;
    const uint64_t each =
        SCORE_WORK_FOR_RUN * scorer.run_room +
        SCORE_WORK_FOR_ENTRY * scorer.most_entries +
        SCORE_WORK_FOR_BLOCK * (uint64_t)grid_block_count(&least);
    const uint64_t affordable = context_work_left(context) / 2 / each;
    if (affordable < (uint64_t)search->offsets_y) {
        search->offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->answer->is_early = true;
    }
    context->work += each * (uint64_t)search->offsets_y;
    for (int32_t y = 0; y < search->offsets_y && status == NBSTAGE_OK; y++)
        status = search_score_offset(search, &scorer, y);
    context_release(context, scorer.line_digests);
    return status;
}

// ---------------------------------------------------------------------------
// Building lumps

static int32_t search_report_lumps(void *user, uint32_t done, uint32_t total)
{
    const struct search *search = user;
    (void)done;
    (void)total;
    return context_progress(search->context, search->answer->built_count,
                            search->origin_count + 1) != NBSTAGE_OK;
}

// Builds the lump on a grid only to measure it.
static nbstage_status search_build_origin(struct search *search, size_t origin)
{
    struct context *context = &search->trial;
    const struct grid grid = search_grid_at(search, origin);
    struct entries entries;
    struct lists lists;
    struct list_area area;
    context_begin_work(context, search->build_work);
    nbstage_status status =
        entries_find(context, search->lines, &grid, &entries);
    if (status == NBSTAGE_OK) {
        status = lists_build(context, &grid, &entries, &lists);
        entries_free(context, &entries);
    }
    if (status == NBSTAGE_OK)
        status = pack_lists(context, &lists, search->request->pack, &area);
    if (status != NBSTAGE_OK) {
        memcpy(search->context->message, context->message,
               sizeof context->message);
        return status;
    }
    const struct lump_measure measure = lump_measure(&area);
    list_area_free(context, &area);
    search->answer->is_early |= context_work_left(context) == 0;
    const struct search_origin built = {
        origin, measure.word_count,
        lump_meets(&measure, search->request->limit)};
    if (search_is_better(built, search->best))
        search->best = built;
    search->answer->built_count++;
    return NBSTAGE_OK;
}

// After the first lump is built.  As others may take twice as much work, leaves
// out those that are too much.
static void search_limit_lumps(struct search *search)
{
    const struct grid largest =
        search_grid_at(search, (size_t)(search->offsets_y - 1) * SCORE_OFFSETS +
                                   (size_t)search->offsets_x - 1);
    uint64_t each =
        lists_work(search->most_entries, grid_block_count(&largest));
    if (each < search->trial.work)
        each = search->trial.work;
    search->context->work += search->trial.work;
    search->trial.work = 0;
    const uint64_t left = context_work_left(search->context);
    const uint64_t most = left / (2 * each);
    if (most < search->origin_count) {
        search->origin_count = (size_t)most;
        search->answer->is_early = true;
    }
    search->build_work = left / (search->origin_count + 1) + 1;
}

static nbstage_status search_build_lumps(struct search *search)
{
    // The limits are for the answer.
    search->trial = *search->context;
    search->trial.host = search;
    search->trial.progress = search_report_lumps;
    search->trial.log = NULL;
    search->trial.work = 0;
    search->trial.limits = (struct limits){0};
    search->build_work = context_work_left(search->context) / 2 + 1;
    nbstage_status status = search_build_origin(search, 0);
    if (status == NBSTAGE_OK)
        search_limit_lumps(search);
    for (size_t i = 0; i < search->origin_count && status == NBSTAGE_OK; i++)
        status = search_build_origin(search, search->origins[i].number);
    search->context->work += search->trial.work;
    return status;
}

// How many origins there are from the lowest coordinate on.
static int32_t search_count_offsets(int32_t lowest)
{
    int32_t room = lowest - INT16_MIN + 1;
    return room < SCORE_OFFSETS ? room : SCORE_OFFSETS;
}

nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_answer *answer)
{
    struct search search = {
        .context = context,
        .lines = lines,
        .request = request,
        .answer = answer,
        .scores_are_exact = request->pack.header == HEADER_ZERO &&
                            request->pack.mode == PACK_SHARE,
        .offsets_x = search_count_offsets(lines->min_x),
        .offsets_y = search_count_offsets(lines->min_y),
        .best.words = UINT64_MAX,
    };
    *answer = (struct search_answer){0};
    context_begin_work(context, context->limits.work);
    nbstage_status status = search_score_all(&search);
    if (status == NBSTAGE_OK && !search.scores_are_exact)
        status = search_build_lumps(&search);
    answer->grid = search_grid_at(&search, search.best.number);
    answer->words = search.best.words;
    answer->scored_count = (size_t)(search.offsets_y * search.offsets_x);
    return status;
}
