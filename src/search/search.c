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
// they only rank origins: the SEARCH_LUMPS best lumps are built, and always
// that of the first origin, so that a search is never worse than none.

#include "search/search.h"

#include "base/digest.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Origins along each axis, 0 to SCORE_OFFSETS - 1 map units away from the
    // lines' lowest coordinate.  Origins farther away only add empty columns
    // and rows.
    SCORE_OFFSETS = BLOCK_SIZE,

    SEARCH_CHANGES_PER_REPORT = 8, // changes of the score for each report
};

// ---------------------------------------------------------------------------
// The score: the size of the lump on a grid, without building it

// A line enters or leaves a block when the origin comes to an offset.
struct score_event {
    struct score_event *next; // at that offset
    uint64_t change;          // of the digest of the block's list
    uint32_t block;
};

// Scores lumps whose lists are shared, on grids with the same origin_y, from
// the lines' lowest x westward.
struct scorer {
    const struct lines *lines;
    size_t linedef_end;
    uint64_t length_mask; // of digests
    struct grid grid;     // being scored

    // The lump on that grid.
    uint64_t entry_count;
    uint64_t list_word_count; // equal lists count once
    uint64_t list_count;

    struct score_event *events;
    size_t event_count;
    struct score_event *first[SCORE_OFFSETS + 1]; // by offset

    uint64_t *blocks;   // the digest of each block's list
    uint32_t row_size;  // row stride of `blocks`
    size_t block_count; // capacity of `blocks`

    // A hash table of the lists of all blocks.
    unsigned slot_bits;
    uint64_t secret;  // as in digest.h
    uint64_t *lists;  // digests; 0: a free slot
    uint32_t *counts; // of blocks that have the list
};

// Upper bounds over all offsets; the least entries are a lower bound.
struct score_bounds {
    uint64_t runs;
    uint64_t most_entries, least_entries;
};

static inline size_t score_next_slot(const struct scorer *scorer, size_t slot)
{
    return (slot + 1) & (((size_t)1 << scorer->slot_bits) - 1);
}

// Finds the slot of a list, or the free slot for it.
static inline size_t score_find_list(const struct scorer *scorer,
                                     uint64_t digest)
{
    size_t slot = digest_slot(digest * scorer->secret, scorer->slot_bits);
    while (scorer->lists[slot] != digest && scorer->lists[slot] != 0)
        slot = score_next_slot(scorer, slot);
    return slot;
}

static inline uint64_t score_list_words(const struct scorer *scorer,
                                        uint64_t digest)
{
    return (digest & scorer->length_mask) + LIST_EXTRA_WORDS;
}

// Counts more blocks with a list.
static inline void score_add_blocks(struct scorer *scorer, uint64_t digest,
                                    uint32_t count)
{
    const size_t slot = score_find_list(scorer, digest);
    if (scorer->lists[slot] == 0) {
        scorer->lists[slot] = digest;
        scorer->counts[slot] = 0;
        scorer->list_word_count += score_list_words(scorer, digest);
        scorer->list_count++;
    }
    scorer->counts[slot] += count;
    scorer->entry_count += count * (digest & scorer->length_mask);
}

// Frees a slot, and rehashes the rest of its probe run.
static void score_free_slot(struct scorer *scorer, size_t slot)
{
    scorer->lists[slot] = 0;
    for (size_t next = score_next_slot(scorer, slot); scorer->lists[next] != 0;
         next = score_next_slot(scorer, next)) {
        const uint64_t digest = scorer->lists[next];
        scorer->lists[next] = 0;
        slot = score_find_list(scorer, digest);
        scorer->lists[slot] = digest;
        scorer->counts[slot] = scorer->counts[next];
    }
}

static inline void score_remove_block(struct scorer *scorer, uint64_t digest)
{
    const size_t slot = score_find_list(scorer, digest);
    scorer->entry_count -= digest & scorer->length_mask;
    if (--scorer->counts[slot] == 0) {
        scorer->list_word_count -= score_list_words(scorer, digest);
        scorer->list_count--;
        score_free_slot(scorer, slot);
    }
}

// Adds an event at the offset where a map unit crosses into the next column.
// At offset 0 it is `distance` away from the western edge of column 0.  Events
// at SCORE_OFFSETS are never applied.
static inline void score_add_event(struct scorer *scorer, uint32_t distance,
                                   uint64_t change, uint32_t block)
{
    struct score_event *event = &scorer->events[scorer->event_count++];
    struct score_event **first =
        &scorer->first[BLOCK_SIZE - distance % BLOCK_SIZE];
    *event = (struct score_event){*first, change, block};
    *first = event;
}

// Begins with the origin at the lines' lowest x: adds the digest of each line
// to the blocks that it is in.
static void score_start(struct scorer *scorer, int32_t origin_y)
{
    const struct lines *lines = scorer->lines;
    memset(scorer->first, 0, sizeof scorer->first);
    memset(scorer->lists, 0,
           ((size_t)1 << scorer->slot_bits) * sizeof *scorer->lists);
    for (size_t b = 0; b < scorer->block_count; b++)
        scorer->blocks[b] = ~scorer->length_mask; // nonzero, with length 0
    scorer->grid = (struct grid){0};
    scorer->event_count = 0;
    scorer->entry_count = 0;
    scorer->list_word_count = 0;
    scorer->list_count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (lines_leave_out(lines, i))
            continue;
        struct run runs[SWEEP_MAX_RUNS];
        const size_t count =
            sweep_line(lines_fixed_at(lines, i), origin_y, runs);
        const uint64_t digest = digest_make(i, scorer->length_mask);
        for (size_t r = 0; r < count; r++) {
            const uint32_t first = (uint32_t)(runs[r].first_x - lines->min_x);
            const uint32_t last = (uint32_t)(runs[r].last_x - lines->min_x);
            const uint32_t row = runs[r].row * scorer->row_size;
            const uint32_t begin = row + (first >> BLOCK_SHIFT);
            const uint32_t end = row + (last >> BLOCK_SHIFT) + 1;
            score_add_event(scorer, first, -digest, begin);
            score_add_event(scorer, last, digest, end);
            for (uint32_t block = begin; block < end; block++)
                scorer->blocks[block] += digest;
        }
    }
}

// Moves the origin to the grid's: one map unit further west, except for the
// first grid after score_start.  Returns whether the lump changes at all.
static bool score_move(struct scorer *scorer, const struct grid *grid)
{
    const struct score_event *first =
        scorer->first[scorer->lines->min_x - grid->origin_x];
    const uint32_t columns = scorer->grid.columns;
    scorer->grid = *grid;
    for (uint32_t row = 0; row < grid->rows; row++) {
        const uint64_t *blocks = scorer->blocks + row * scorer->row_size;
        for (uint32_t c = columns, next; c < grid->columns; c = next) {
            next = c + 1; // many blocks side by side are empty
            while (next < grid->columns && blocks[next] == blocks[c])
                next++;
            score_add_blocks(scorer, blocks[c], next - c);
        }
    }
    for (const struct score_event *event = first; event; event = event->next) {
        uint64_t *block = &scorer->blocks[event->block];
        score_remove_block(scorer, *block);
        *block += event->change;
        score_add_blocks(scorer, *block, 1);
    }
    return first || grid->columns != columns;
}

// Whether the lump, of `words` words, meets a limit.  The largest offset is the
// start of the last distinct list.  To find it, this scans back from the last
// block, counting blocks down until a list has none left, then restores the
// counts.  The scan is skipped unless the length of that list can matter, at
// most the number of lines.
static bool score_meets(struct scorer *scorer, uint64_t words,
                        enum lump_limit limit)
{
    const size_t end = (size_t)scorer->grid.rows * scorer->row_size;
    struct lump_measure measure = {words, words, scorer->linedef_end};
    size_t last = end;
    const bool is_near =
        limit == LIMIT_VANILLA && words > LUMP_VANILLA_OFFSET &&
        words - LUMP_VANILLA_OFFSET <= scorer->linedef_end + LIST_EXTRA_WORDS;
    for (uint32_t left = is_near; left > 0;) {
        const uint64_t digest = scorer->blocks[--last];
        if (last % scorer->row_size < scorer->grid.columns)
            left = --scorer->counts[score_find_list(scorer, digest)];
        measure.largest_offset = words - score_list_words(scorer, digest);
    }
    for (; last < end; last++)
        if (last % scorer->row_size < scorer->grid.columns)
            scorer->counts[score_find_list(scorer, scorer->blocks[last])]++;
    return lump_meets(&measure, limit);
}

// The most edges of columns, or of rows, between two coordinates.  At some
// offsets there is one fewer.
static uint32_t score_most_edges(int32_t from, int32_t to)
{
    return (uint32_t)(abs((from >> 16) - (to >> 16)) + BLOCK_SIZE - 1) /
           BLOCK_SIZE;
}

static struct score_bounds score_find_bounds(const struct lines *lines)
{
    struct score_bounds bounds = {.runs = 1}; // so that no array is empty
    for (size_t i = 0; i < lines->count; i++) {
        if (lines_leave_out(lines, i))
            continue;
        const struct fixed_line line = lines_fixed_at(lines, i);
        const uint32_t columns = score_most_edges(line.x1, line.x2);
        const uint32_t rows = score_most_edges(line.y1, line.y2);
        bounds.runs += rows + 1;
        bounds.most_entries += columns + rows + 1;
        bounds.least_entries += columns > rows ? columns : rows;
    }
    return bounds;
}

// Allocates the arrays; release scorer->blocks to free them all.
static nbstage_status score_allocate(struct context *context, uint64_t runs,
                                     struct scorer *scorer)
{
    const size_t slots = (size_t)1 << scorer->slot_bits;
    const struct context_array arrays[] = {
        {&scorer->blocks, scorer->block_count, sizeof(uint64_t)},
        {&scorer->lists, slots, sizeof(uint64_t)},
        {&scorer->counts, slots, sizeof(uint32_t)},
        {&scorer->events, runs, 2 * sizeof *scorer->events},
    };
    return context_allocate_arrays(context, arrays, COUNT(arrays));
}

// ---------------------------------------------------------------------------
// The search

// The origin at offsets x, y has number y * SCORE_OFFSETS + x.
struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    struct search_answer *answer;
    bool scores_are_exact; // scores are the sizes of lumps
    struct search_ranking *ranking;
    struct search_best best; // of the ranking, while lumps are built
};

static struct grid search_grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - (int32_t)(origin % SCORE_OFFSETS),
                     search->lines->min_y - (int32_t)(origin / SCORE_OFFSETS),
                     search->lines, 0);
}

// Of equally good origins the first is better.
static bool search_is_better(struct search_origin a, struct search_origin b)
{
    return a.meets != b.meets   ? a.meets
           : a.words != b.words ? a.words < b.words
                                : a.number < b.number;
}

// Takes an origin if its score is one of the best `most`.
static void search_rank(struct search_best *best, size_t most,
                        struct search_origin origin)
{
    struct search_origin *origins = best->origins;
    size_t at = best->count;
    if (at < most)
        best->count++;
    else if (!search_is_better(origin, origins[--at]))
        return;
    for (; at > 0 && search_is_better(origin, origins[at - 1]); at--)
        origins[at] = origins[at - 1];
    origins[at] = origin;
}

// Ranks an origin for each header, but keeps the first one first if lumps are
// built.
static void search_rank_origin(struct search *search,
                               const struct scorer *scorer,
                               struct search_origin origin)
{
    struct search_ranking *ranking = search->ranking;
    if (search->scores_are_exact) {
        search_rank(&ranking->with_headers, 1, origin);
    } else if (origin.number > 0) {
        search_rank(&ranking->with_headers, SEARCH_LUMPS, origin);
        origin.words -= scorer->list_count;
        search_rank(&ranking->without_headers, SEARCH_LUMPS, origin);
    }
}

// Scores the origins of one offset_y.
static nbstage_status search_score_offset(struct search *search,
                                          struct scorer *scorer, int32_t y)
{
    struct search_origin origin = {.number = (size_t)y * SCORE_OFFSETS};
    uint32_t changes = 0;
    score_start(scorer, search->lines->min_y - y);
    for (int32_t x = 0; x < search->ranking->offsets_x; x++, origin.number++) {
        const struct grid grid = search_grid_at(search, origin.number);
        if (score_move(scorer, &grid)) {
            origin.words = LUMP_HEADER_WORDS + grid_block_count(&grid) +
                           scorer->list_word_count;
            if (scorer->entry_count > search->ranking->most_entries)
                search->ranking->most_entries = scorer->entry_count;
            if (search->scores_are_exact)
                origin.meets =
                    score_meets(scorer, origin.words, search->request->limit);
            if (changes++ % SEARCH_CHANGES_PER_REPORT == 0)
                NEED(context_progress(search->context, (uint64_t)y,
                                      (uint64_t)search->ranking->offsets_y));
        }
        search_rank_origin(search, scorer, origin);
    }
    return NBSTAGE_OK;
}

// Skips offsets_y beyond half of the work limit; the rest is for building
// lumps.  Scoring all grids with the same origin_y takes `each` steps.
static void search_skip_offsets(struct search *search, uint64_t each)
{
    struct context *context = search->context;
    const uint64_t affordable = context_work_left(context) / 2 / each;
    if (affordable < (uint64_t)search->ranking->offsets_y) {
        search->ranking->offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->ranking->is_early = true;
    }
    search->ranking->work = each * (uint64_t)search->ranking->offsets_y;
}

static nbstage_status search_score_offsets(struct search *search,
                                           struct scorer *scorer)
{
    for (int32_t y = 0; y < search->ranking->offsets_y; y++)
        NEED(search_score_offset(search, scorer, y));
    return NBSTAGE_OK;
}

// Ranks the origins by their scores.
// NBSTAGE_OVER_LIMIT: on every grid there are more entries than the context's
// limit.
static nbstage_status search_score_all(struct search *search)
{
    struct context *context = search->context;
    const struct lines *lines = search->lines;
    const struct score_bounds bounds = score_find_bounds(lines);
    const struct grid least = grid_fit(lines);
    // From an origin 127 units off, there may be a column and a row more.
    const size_t block_count = (least.columns + 1) * ((size_t)least.rows + 1);
    struct scorer scorer = {
        .lines = lines,
        .linedef_end = lines_linedef_end(lines),
        .length_mask = digest_length_mask(lines->count),
        .row_size = least.columns + 1,
        .block_count = block_count,
        .slot_bits = digest_slot_bits(block_count),
        .secret = digest_make((uintptr_t)search, 1),
    };
    NEED(context_check_count(context, NULL, bounds.least_entries, "entries",
                             BYTES_OF_ENTRY));
    NEED(score_allocate(context, bounds.runs, &scorer));
    // Most steps are for the ends of runs, each of which changes the list of a
    // block once.
    search_skip_offsets(search, 64 * bounds.runs + bounds.most_entries +
                                    4 * (uint64_t)grid_block_count(&least));
    nbstage_status status = search_score_offsets(search, &scorer);
    context_release(context, scorer.blocks);
    return status;
}

// ---------------------------------------------------------------------------
// Building lumps

static nbstage_status search_make_lists(const struct search *search,
                                        struct context *context,
                                        const struct grid *grid,
                                        struct entries *entries,
                                        struct lists *lists)
{
    NEED(entries_find(context, search->lines, grid, entries));
    NEED(lists_build(context, grid, entries, lists));
    entries_free(context, entries); // room for packing
    return pack_lists(context, search->request->pack, lists);
}

// Builds the lists of an origin only to measure the lump.
static nbstage_status search_build_lump(struct search *search,
                                        struct context *context,
                                        struct search_origin *origin)
{
    const struct grid grid = search_grid_at(search, origin->number);
    struct entries entries = {0};
    struct lists lists = {0};
    nbstage_status status =
        search_make_lists(search, context, &grid, &entries, &lists);
    const struct lump_measure measure = lump_measure(&lists);
    entries_free(context, &entries);
    lists_free(context, &lists);
    search->answer->is_early |= context_work_left(context) == 0;
    search->answer->built_count++;
    origin->words = measure.word_count;
    origin->meets = lump_meets(&measure, search->request->limit);
    return status;
}

// The upper bound of steps to build a lump, excluding nesting.
static uint64_t search_most_steps(const struct search *search)
{
    const size_t last =
        (size_t)(search->ranking->offsets_y - 1) * SCORE_OFFSETS +
        (size_t)search->ranking->offsets_x - 1;
    const struct grid largest = search_grid_at(search, last);
    return lists_work(search->ranking->most_entries,
                      grid_block_count(&largest));
}

// Skips lumps that do not fit `left` steps.  The first lump took `steps`; each
// of the others may take twice as many.
static void search_skip_lumps(struct search *search, uint64_t left,
                              uint64_t steps)
{
    const uint64_t most = search_most_steps(search);
    const uint64_t each = most < steps ? steps : most;
    const uint64_t affordable = left / (2 * each) + 1;
    if (affordable < search->best.count) {
        search->best.count = (size_t)affordable;
        search->answer->is_early = true;
    }
}

// Builds the first lump with half of the work that is left, and the others with
// equal shares of the rest.  Puts the best origin first.
static nbstage_status search_build_all(struct search *search,
                                       struct context *context)
{
    struct search_origin *origins = search->best.origins;
    struct share share = context->share;
    const uint64_t work = context->work;
    uint64_t left = context_work_left(context);
    context_begin_work(context, left / 2 + 1);
    context_begin_step(context, &share, 1, SEARCH_LUMPS);
    NEED(search_build_lump(search, context, &origins[0]));
    const uint64_t steps = context->work - work;
    left -= steps < left ? steps : left;
    search_skip_lumps(search, left, steps);
    for (size_t i = 1; i < search->best.count; i++) {
        context_begin_work(context, left / search->best.count + 1);
        context_begin_step(context, &share, 1,
                           (uint32_t)(search->best.count - i));
        NEED(search_build_lump(search, context, &origins[i]));
        if (search_is_better(origins[i], origins[0]))
            origins[0] = origins[i];
    }
    return NBSTAGE_OK;
}

static nbstage_status search_build_lumps(struct search *search)
{
    struct context trial = *search->context;
    trial.log = NULL;
    trial.limits = (struct limits){0}; // they apply to the final lump only
    nbstage_status status = search_build_all(search, &trial);
    if (status != NBSTAGE_OK)
        memcpy(search->context->message, trial.message, sizeof trial.message);
    search->context->work = trial.work;
    search->context->reported = trial.reported;
    return status;
}

// How many origins there are along an axis.
static int32_t search_count_offsets(int32_t min, int32_t max)
{
    const int32_t count = min - grid_lowest_origin(min, max) + 1;
    return count < SCORE_OFFSETS ? count : SCORE_OFFSETS;
}

// Ranks the origins, or finds the ranking in `memory`.  It takes the same work
// then, so that the answer is the same.
static nbstage_status search_rank_all(struct search *search,
                                      struct search_memory *memory)
{
    const struct lines *lines = search->lines;
    struct search_ranking *ranking = search->ranking;
    if (memory->is_ranked && !search->scores_are_exact) {
        *ranking = memory->ranking;
    } else {
        // The first origin counts as one that meets, so that it stays first.
        const struct search_best none = {0};
        const struct search_best first = {{{.meets = true}}, 1};
        *ranking = (struct search_ranking){
            .with_headers = search->scores_are_exact ? none : first,
            .without_headers = first,
            .offsets_x = search_count_offsets(lines->min_x, lines->max_x),
            .offsets_y = search_count_offsets(lines->min_y, lines->max_y),
        };
        NEED(search_score_all(search));
    }
    search->context->work += ranking->work;
    search->answer->is_early = ranking->is_early;
    search->answer->scored_count =
        (size_t)(ranking->offsets_y * ranking->offsets_x);
    if (!search->scores_are_exact) {
        memory->ranking = *ranking;
        memory->is_ranked = true;
    }
    search->best = search->request->pack.header == HEADER_NONE
                       ? ranking->without_headers
                       : ranking->with_headers;
    return NBSTAGE_OK;
}

static nbstage_status search_run(struct context *context,
                                 const struct lines *lines,
                                 const struct search_request *request,
                                 struct search_memory *memory)
{
    const bool is_exact =
        request->pack.header == HEADER_ZERO && request->pack.mode == PACK_SHARE;
    struct search_answer *answer = &memory->answer;
    struct search_ranking ranking;
    struct search search = {.context = context,
                            .lines = lines,
                            .request = request,
                            .answer = answer,
                            .scores_are_exact = is_exact,
                            .ranking = &ranking};
    *answer = (struct search_answer){0};
    struct share left = context->share;
    context_begin_work(context, context->limits.work);
    context_begin_step(context, &left, is_exact ? 4 : 3, 4);
    NEED(search_rank_all(&search, memory));
    context_begin_step(context, &left, 1, 1);
    if (!is_exact)
        NEED(search_build_lumps(&search));
    answer->grid = search_grid_at(&search, search.best.origins[0].number);
    answer->words = search.best.origins[0].words;
    return NBSTAGE_OK;
}

nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_memory *memory,
                           struct search_answer *answer)
{
    struct search_memory none = {0};
    if (!memory)
        memory = &none;
    if (!memory->is_known || memory->request.limit != request->limit ||
        memory->request.pack.mode != request->pack.mode ||
        memory->request.pack.header != request->pack.header) {
        memory->is_known = false;
        NEED(search_run(context, lines, request, memory));
        memory->request = *request;
        memory->is_known = true;
    }
    *answer = memory->answer;
    return NBSTAGE_OK;
}
