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
#include "search/score.h"

#include <stdint.h>
#include <string.h>

enum {
    SEARCH_ORIGINS = SCORE_OFFSETS * SCORE_OFFSETS,
    SEARCH_LUMPS = 64,             // to build
    SEARCH_CHANGES_PER_REPORT = 8, // of the score, until progress is reported
};

struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    bool scores_are_exact; // they are the sizes of lumps

    // Offsets along each axis.  Origin x, y has number y * SCORE_OFFSETS + x.
    int32_t offsets_x, offsets_y;

    // Words of the lump with each origin, by its score and as built.
    // UINT64_MAX where it was not scored or built.
    uint64_t scores[SEARCH_ORIGINS];
    uint64_t built[SEARCH_ORIGINS];
    bool meets[SEARCH_ORIGINS]; // whether the lump meets the limit
    uint64_t most_entries;      // of an origin

    // Origins to build, and the steps that each may take.
    uint32_t origins[SEARCH_LUMPS];
    size_t origin_count;
    uint64_t build_work;
    struct context trial; // to build lumps with
    size_t built_count;

    bool is_early;
};

static size_t search_origin_at(int32_t x, int32_t y)
{
    return (size_t)y * SCORE_OFFSETS + (size_t)x;
}

static struct grid search_grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - (int32_t)(origin % SCORE_OFFSETS),
                     search->lines->min_y - (int32_t)(origin / SCORE_OFFSETS),
                     search->lines);
}

// ---------------------------------------------------------------------------
// Scoring

// Whether the grid that is scored meets the limit.
static bool search_scored_meets(const struct search *search,
                                struct scorer *scorer, uint64_t word_count)
{
    const enum lump_limit limit = search->request->limit;
    size_t linedef_end =
        lines_number_end(search->lines->number, search->lines->count);
    if (limit == LIMIT_NONE || word_count > LUMP_EXTENDED_WORDS ||
        linedef_end > lump_most_lines(limit))
        return false;
    if (limit == LIMIT_EXTENDED)
        return true;
    // The last list is that far from the end at most.
    return word_count <= LUMP_VANILLA_OFFSET + linedef_end + LIST_EXTRA_WORDS &&
           scorer_largest_offset(scorer) <= LUMP_VANILLA_OFFSET;
}

// Scores the origins of one offset_y.
static nbstage_status search_score_offset(struct search *search,
                                          struct scorer *scorer, int32_t y)
{
    nbstage_status status = scorer_start(search->context, scorer, y);
    uint64_t words = 0;
    bool meets = false;
    uint32_t changes = 0;
    for (int32_t x = 0; x < search->offsets_x && status == NBSTAGE_OK; x++) {
        const size_t origin = search_origin_at(x, y);
        if (x == 0 || scorer_move(scorer)) {
            const uint64_t entries = scorer_entries(scorer);
            words = scorer_words(scorer);
            if (entries > search->most_entries)
                search->most_entries = entries;
            if (search->scores_are_exact)
                meets = search_scored_meets(search, scorer, words);
            if (changes++ % SEARCH_CHANGES_PER_REPORT == 0)
                status = scorer_report(search->context, y);
        }
        search->scores[origin] = words;
        search->meets[origin] = meets;
    }
    return status;
}

// Leaves out offsets_y that are too much work, and half of all work for lumps.
static void search_limit_offsets(struct search *search, uint64_t each)
{
    uint64_t affordable = context_work_left(search->context) / 2 / each;
    if (affordable < (uint64_t)search->offsets_y) {
        search->offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->is_early = true;
    }
    search->context->work += each * (uint64_t)search->offsets_y;
}

static nbstage_status search_score_all(struct search *search)
{
    struct scorer *scorer;
    nbstage_status status = scorer_make(search->context, search->lines,
                                        search->request->pack.header, &scorer);
    if (status != NBSTAGE_OK)
        return status;
    search_limit_offsets(search, scorer_work(scorer));
    for (int32_t y = 0; y < search->offsets_y && status == NBSTAGE_OK; y++)
        status = search_score_offset(search, scorer, y);
    context_release(search->context, scorer);
    return status;
}

// ---------------------------------------------------------------------------
// Building lumps

// Lists the `most` origins with the best scores, of equal ones the first, but
// for origin 0, whose lump is built before.
static void search_list_best(struct search *search, size_t most)
{
    const uint64_t *scores = search->scores;
    size_t count = 0;
    for (uint32_t origin = 1; origin < SEARCH_ORIGINS && most > 0; origin++) {
        uint64_t score = scores[origin];
        if (score == UINT64_MAX ||
            (count == most && score >= scores[search->origins[count - 1]]))
            continue;
        size_t at = count < most ? count++ : count - 1;
        for (; at > 0 && scores[search->origins[at - 1]] > score; at--)
            search->origins[at] = search->origins[at - 1];
        search->origins[at] = origin;
    }
    search->origin_count = count;
}

static int32_t search_report_lumps(void *user, uint32_t done, uint32_t total)
{
    const struct search *search = user;
    (void)done;
    (void)total;
    return context_progress(search->context, search->built_count,
                            search->origin_count + 1) != NBSTAGE_OK;
}

// The limits are for the answer.
static void search_begin_trials(struct search *search)
{
    search->trial = *search->context;
    search->trial.host = search;
    search->trial.progress = search_report_lumps;
    search->trial.log = NULL;
    search->trial.work = search->trial.earlier_work = 0;
    search->trial.limits = (struct limits){0};
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
        status =
            pack_lists(context, &lists, search->request->pack, true, &area);
    if (status != NBSTAGE_OK) {
        memcpy(search->context->message, context->message,
               sizeof context->message);
        return status;
    }
    const struct lump_measure measure = lump_measure(&area);
    list_area_free(context, &area);
    search->is_early |= context_work_left(context) == 0;
    search->built[origin] = measure.word_count;
    search->meets[origin] = lump_meets(&measure, search->request->limit);
    search->built_count++;
    return NBSTAGE_OK;
}

// After the first lump is built.  As others may take twice as much work,
// returns how many of `wanted` further ones there can be.
static size_t search_count_affordable(struct search *search, size_t wanted)
{
    struct grid largest = search_grid_at(
        search, search_origin_at(search->offsets_x - 1, search->offsets_y - 1));
    uint64_t each =
        lists_work(search->most_entries, grid_block_count(&largest));
    if (each < search->trial.work)
        each = search->trial.work;
    search->context->work += search->trial.work;
    search->trial.work = 0;
    uint64_t left = context_work_left(search->context);
    uint64_t most = left / (2 * each);
    size_t affordable = most < wanted ? (size_t)most : wanted;
    search->build_work = left / (affordable + 1) + 1;
    search->is_early |= affordable < wanted;
    return affordable;
}

static nbstage_status search_build_lumps(struct search *search)
{
    size_t origins = (size_t)(search->offsets_x * search->offsets_y);
    size_t wanted = (origins < SEARCH_LUMPS ? origins : SEARCH_LUMPS) - 1;
    search_begin_trials(search);
    search->origin_count = wanted; // for reports
    search->build_work = context_work_left(search->context) / 2 + 1;
    nbstage_status status = search_build_origin(search, 0);
    if (status != NBSTAGE_OK)
        return status;
    search_list_best(search, search_count_affordable(search, wanted));
    for (size_t i = 0; i < search->origin_count && status == NBSTAGE_OK; i++)
        status = search_build_origin(search, search->origins[i]);
    search->context->work += search->trial.earlier_work + search->trial.work;
    return status;
}

// ---------------------------------------------------------------------------
// The answer

static size_t search_find_best(const struct search *search,
                               const uint64_t *words)
{
    const bool *meets = search->meets;
    size_t best = 0;
    for (size_t i = 0; i < SEARCH_ORIGINS; i++)
        if (words[i] != UINT64_MAX &&
            (meets[i] != meets[best] ? meets[i] : words[i] < words[best]))
            best = i;
    return best;
}

static struct search_answer search_read_answer(const struct search *search)
{
    bool is_exact = search->scores_are_exact;
    size_t best =
        search_find_best(search, is_exact ? search->scores : search->built);
    return (struct search_answer){
        .grid = search_grid_at(search, best),
        .scored_count = (size_t)(search->offsets_y * search->offsets_x),
        .built_count = search->built_count,
        .is_early = search->is_early,
    };
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
    struct search *search;
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof *search, &search);
    if (status != NBSTAGE_OK)
        return status;
    search->context = context;
    search->lines = lines;
    search->request = request;
    search->scores_are_exact =
        request->pack.header == HEADER_ZERO && request->pack.mode == PACK_SHARE;
    search->offsets_x = search_count_offsets(lines->min_x);
    search->offsets_y = search_count_offsets(lines->min_y);
    memset(search->scores, 0xFF, sizeof search->scores);
    memset(search->built, 0xFF, sizeof search->built);
    context_begin_work(context, context->limits.work);
    status = search_score_all(search);
    if (status == NBSTAGE_OK && !search->scores_are_exact)
        status = search_build_lumps(search);
    if (status == NBSTAGE_OK)
        *answer = search_read_answer(search);
    context_release(context, search);
    return status;
}
