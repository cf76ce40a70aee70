// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scores are exact for lists that are shared and begin with a 0.  For others
// they only rank origins: the lumps of the SEARCH_LUMPS best are built, and
// that of the first origin always, so that a search is never worse than none.
//
// The work to do is chosen before it begins, from the work limit, the size of
// the map and the first lump.

#include "search/search.h"

#include "lines/entries.h"
#include "lists/lists.h"
#include "lump/lump.h"

#include <stdint.h>
#include <string.h>

enum {
    SEARCH_LUMPS = 64,             // to build
    SEARCH_CHANGES_PER_REPORT = 8, // of the score, until progress is reported
};

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
    bool scores_are_exact; // they are the sizes of lumps
    int32_t offsets_x, offsets_y;
    uint64_t most_entries; // of an origin

    struct search_origin best; // so far

    // Origins to build, the best by score, and the steps that each may take.
    struct search_origin origins[SEARCH_LUMPS - 1];
    size_t origin_count;
    uint64_t build_work;
    struct context trial; // to build lumps with
    size_t built_count;

    bool is_early;
};

static struct grid search_grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - (int32_t)(origin % SCORE_OFFSETS),
                     search->lines->min_y - (int32_t)(origin / SCORE_OFFSETS),
                     search->lines);
}

// ---------------------------------------------------------------------------
// Ranking

// Takes an origin for the answer if it is better than those before.
static void search_take(struct search *search, struct search_origin origin)
{
    const struct search_origin best = search->best;
    if (origin.meets != best.meets   ? origin.meets
        : origin.words != best.words ? origin.words < best.words
                                     : origin.number < best.number)
        search->best = origin;
}

// Takes an origin to be built if its score is one of the best, of equal ones
// the first.  Origin 0 is built anyway.
static void search_rank(struct search *search, struct search_origin origin)
{
    struct search_origin *origins = search->origins;
    size_t at = search->origin_count;
    if (origin.number == 0 ||
        (at == SEARCH_LUMPS - 1 && origin.words >= origins[at - 1].words))
        return;
    if (at == SEARCH_LUMPS - 1)
        at--;
    else
        search->origin_count++;
    for (; at > 0 && origins[at - 1].words > origin.words; at--)
        origins[at] = origins[at - 1];
    origins[at] = origin;
}

// ---------------------------------------------------------------------------
// Scoring

// Whether the grid that is scored meets the limit.  The last list is at most as
// long as all lines, and only if that decides does the largest offset matter.
static bool search_scored_meets(const struct search *search,
                                struct scorer *scorer, uint64_t word_count)
{
    const size_t linedef_end =
        lines_number_end(search->lines->number, search->lines->count);
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
    nbstage_status status = scorer_start(search->context, scorer, y);
    struct search_origin origin = {.meets = false};
    uint32_t changes = 0;
    for (int32_t x = 0; x < search->offsets_x && status == NBSTAGE_OK; x++) {
        origin.number = (size_t)y * SCORE_OFFSETS + (size_t)x;
        if (x == 0 || scorer_move(scorer)) {
            const uint64_t entries = scorer_entries(scorer);
            origin.words = scorer_words(scorer);
            if (entries > search->most_entries)
                search->most_entries = entries;
            if (search->scores_are_exact)
                origin.meets =
                    search_scored_meets(search, scorer, origin.words);
            if (changes++ % SEARCH_CHANGES_PER_REPORT == 0)
                status = scorer_report(search->context, y);
        }
        if (search->scores_are_exact)
            search_take(search, origin);
        else
            search_rank(search, origin);
    }
    return status;
}

// Leaves out offsets_y that are too much work, and half of all work for lumps.
static nbstage_status search_score_all(struct search *search)
{
    struct context *context = search->context;
    struct scorer *scorer;
    nbstage_status status = scorer_make(context, search->lines,
                                        search->request->pack.header, &scorer);
    if (status != NBSTAGE_OK)
        return status;
    const uint64_t each = scorer_work(scorer);
    const uint64_t affordable = context_work_left(context) / 2 / each;
    if (affordable < (uint64_t)search->offsets_y) {
        search->offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->is_early = true;
    }
    context->work += each * (uint64_t)search->offsets_y;
    for (int32_t y = 0; y < search->offsets_y && status == NBSTAGE_OK; y++)
        status = search_score_offset(search, scorer, y);
    context_release(context, scorer);
    return status;
}

// ---------------------------------------------------------------------------
// Building lumps

static int32_t search_report_lumps(void *user, uint32_t done, uint32_t total)
{
    const struct search *search = user;
    (void)done;
    (void)total;
    return context_progress(search->context, search->built_count,
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
    search->is_early |= context_work_left(context) == 0;
    search_take(search, (struct search_origin){
                            origin, measure.word_count,
                            lump_meets(&measure, search->request->limit)});
    search->built_count++;
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
        search->is_early = true;
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
    search->trial.work = search->trial.earlier_work = 0;
    search->trial.limits = (struct limits){0};
    search->build_work = context_work_left(search->context) / 2 + 1;
    nbstage_status status = search_build_origin(search, 0);
    if (status == NBSTAGE_OK)
        search_limit_lumps(search);
    for (size_t i = 0; i < search->origin_count && status == NBSTAGE_OK; i++)
        status = search_build_origin(search, search->origins[i].number);
    search->context->work += search->trial.earlier_work + search->trial.work;
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
        .scores_are_exact = request->pack.header == HEADER_ZERO &&
                            request->pack.mode == PACK_SHARE,
        .offsets_x = search_count_offsets(lines->min_x),
        .offsets_y = search_count_offsets(lines->min_y),
        .best.words = UINT64_MAX,
    };
    context_begin_work(context, context->limits.work);
    nbstage_status status = search_score_all(&search);
    if (status == NBSTAGE_OK && !search.scores_are_exact)
        status = search_build_lumps(&search);
    if (status == NBSTAGE_OK)
        *answer = (struct search_answer){
            .grid = search_grid_at(&search, search.best.number),
            .scored_count = (size_t)(search.offsets_y * search.offsets_x),
            .built_count = search.built_count,
            .is_early = search.is_early,
        };
    return status;
}
