// SPDX-License-Identifier: GPL-2.0-or-later
//
// Before any list is merged, shared lists are nested, or nested ones shared. If
// that is not enough, lists are merged until as many words are saved as the
// lump is over the limit, and packed.  Only packing shows what this really
// saves, so it is repeated until the limit is met.  Then bisection between the
// last two numbers of steps finds the least that is enough.
//
// Which lists are merged depends on the words that a list needs besides its
// linedefs, and the choice for a header that takes fewer words can turn out to
// be the dearer one.  So the choices for stronger headers are tried as well.

#include "merge/fit.h"

#include "merge/merge.h"
#include "pack/nest.h"

#include <string.h>

struct fitting {
    struct context *context;
    const struct lists *lists; // as they were
    struct pack_form form;     // of what is merged
    enum lump_limit limit;
    struct merger *merger;
};

// ---------------------------------------------------------------------------
// Limits

bool fit_is_hopeless(uint64_t block_count, enum lump_limit limit)
{
    uint64_t lists_begin = LUMP_HEADER_WORDS + block_count;
    return (limit == LIMIT_VANILLA && lists_begin > LUMP_VANILLA_OFFSET) ||
           (limit == LIMIT_EXTENDED &&
            lists_begin + LIST_EXTRA_WORDS > LUMP_EXTENDED_WORDS);
}

// The words that a lump is over the limit.
static uint64_t words_over(const struct list_area *area, enum lump_limit limit)
{
    struct lump_measure measure = lump_measure(area);
    uint64_t over = 0;
    if (measure.word_count > LUMP_EXTENDED_WORDS)
        over = measure.word_count - LUMP_EXTENDED_WORDS;
    if (limit == LIMIT_VANILLA &&
        measure.largest_offset > LUMP_VANILLA_OFFSET + over)
        over = measure.largest_offset - LUMP_VANILLA_OFFSET;
    return over;
}

// ---------------------------------------------------------------------------
// Lists

// Copies words unless there has been a failure.
static uint32_t *copy_words(struct context *context, const uint32_t *words,
                            size_t count, nbstage_status *status)
{
    uint32_t *copy = NULL;
    if (*status == NBSTAGE_OK)
        *status = context_allocate(context, count, sizeof *copy, &copy);
    if (copy)
        memcpy(copy, words, count * sizeof *copy);
    return copy;
}

static nbstage_status copy_lists(struct context *context,
                                 const struct lists *lists, struct lists *copy)
{
    const size_t room = LISTS_ROOM(lists->block_count);
    nbstage_status status = NBSTAGE_OK;
    *copy = *lists;
    copy->memory = copy_words(context, lists->memory,
                              room + lists->start[lists->list_count], &status);
    copy->words = copy->memory ? copy->memory + room : NULL;
    copy->start =
        copy_words(context, lists->start, lists->list_count + 1, &status);
    copy->place =
        copy_words(context, lists->place, lists->block_count, &status);
    if (lists->exact_length)
        copy->exact_length = copy_words(context, lists->exact_length,
                                        lists->block_count, &status);
    if (status != NBSTAGE_OK)
        lists_free(context, copy);
    return status;
}

// ---------------------------------------------------------------------------
// Merging

// Packs the lists as they are after a number of steps.
static nbstage_status pack_after(struct fitting *fitting, size_t step_count,
                                 struct list_area *area)
{
    struct lists merged;
    nbstage_status status = merger_lists(fitting->merger, step_count, &merged);
    if (status == NBSTAGE_OK)
        status = pack_lists(fitting->context, &merged, fitting->form, area);
    return status;
}

// Keeps one of two areas in *area and frees the other.
static void keep(struct fitting *fitting, struct list_area *area,
                 struct list_area trial, bool is_better)
{
    list_area_free(fitting->context, is_better ? area : &trial);
    if (is_better)
        *area = trial;
}

// Reduces *enough, the number of steps of the area, to the least that meets the
// limit, as far as there is work left.  `too_few` steps do not meet it.
static nbstage_status pack_with_fewest(struct fitting *fitting, size_t too_few,
                                       size_t *enough, struct list_area *area)
{
    while (too_few + 1 < *enough && context_work_left(fitting->context) > 0) {
        size_t middle = too_few + (*enough - too_few) / 2;
        struct list_area trial;
        nbstage_status status = pack_after(fitting, middle, &trial);
        if (status != NBSTAGE_OK)
            return status;
        bool is_met = words_over(&trial, fitting->limit) == 0;
        if (is_met)
            *enough = middle;
        else
            too_few = middle;
        keep(fitting, area, trial, is_met);
    }
    return NBSTAGE_OK;
}

// Merges until the limit is met, beginning with `over` words to be saved.
// *merge_count stays 0 if it cannot be met.
static nbstage_status merge_to_limit(struct fitting *fitting, uint64_t over,
                                     struct list_area *area,
                                     size_t *merge_count)
{
    size_t too_few = 0;
    for (;;) {
        struct list_area trial;
        nbstage_status status = merger_merge(fitting->merger, over);
        size_t step_count = merger_result(fitting->merger).step_count;
        if (status != NBSTAGE_OK || step_count == too_few)
            return status;
        status = pack_after(fitting, step_count, &trial);
        if (status != NBSTAGE_OK)
            return status;
        over = words_over(&trial, fitting->limit);
        if (over == 0) {
            *area = trial;
            *merge_count = step_count;
            return pack_with_fewest(fitting, too_few, merge_count, area);
        }
        list_area_free(fitting->context, &trial);
        too_few = step_count;
    }
}

// ---------------------------------------------------------------------------
// Ways to merge

// Whether chains of nested lists are merged, the header that words are counted
// for, and how the outcome is packed.
struct way {
    bool chains;
    enum pack_header header;
    enum pack_mode mode;
};

// Merges in one way.  If that does not meet the limit, *merge_count is 0 and
// the area is empty.
static nbstage_status merge_in_way(struct fitting *fitting, struct way way,
                                   uint64_t over, struct list_area *area,
                                   size_t *merge_count)
{
    const bool has_zeros = way.chains && way.header == HEADER_ZERO;
    struct context *context = fitting->context;
    struct nesting nesting = {0};
    struct merge_request request = {
        .nests = way.chains,
        .words_around = way.header == HEADER_NONE || has_zeros ? 1 : 2,
        .words_inside = has_zeros ? 1 : 0,
    };
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){0};
    *merge_count = 0;
    fitting->form.mode = way.mode;
    fitting->merger = NULL;
    if (way.chains)
        status = nest_lists(context, fitting->lists, way.header == HEADER_ZERO,
                            &nesting);
    request.inner = nesting.inner;
    if (status == NBSTAGE_OK)
        status =
            merger_make(context, fitting->lists, &request, &fitting->merger);
    if (status == NBSTAGE_OK)
        status = merge_to_limit(fitting, over, area, merge_count);
    if (status == NBSTAGE_OK)
        area->is_early |= merger_result(fitting->merger).is_early;
    merger_free(fitting->merger);
    nesting_free(context, &nesting);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}

// Keeps the outcome of a way if it is the best so far: the one with the fewest
// extra entries, the first of equal ones.
static void judge(struct fitting *fitting, struct list_area *area,
                  struct list_area trial, size_t trial_count, struct fit *fit)
{
    bool is_too_dear = trial.price.extra_count > fitting->lists->entry_count;
    bool is_better = trial_count > 0 && !is_too_dear &&
                     (fit->merge_count == 0 ||
                      trial.price.extra_count < area->price.extra_count);
    fit->is_too_dear |= is_too_dear;
    if (is_better)
        fit->merge_count = trial_count;
    keep(fitting, area, trial, is_better);
}

// The ways of stronger headers come first, so that a work limit leaves those.
// Merged lists are stored unnested only if nesting them does not meet the
// limit, as the end of a chain can be too large an offset.
static nbstage_status merge(struct fitting *fitting, struct list_area *area,
                            struct fit *fit)
{
    static const struct way nested[] = {
        {true, HEADER_ZERO, PACK_NEST},  {false, HEADER_ANY, PACK_NEST},
        {true, HEADER_ANY, PACK_NEST},   {true, HEADER_NONE, PACK_NEST},
        {false, HEADER_NONE, PACK_NEST}, {false, HEADER_ANY, PACK_SHARE}};
    static const struct way covered[] = {{false, HEADER_ANY, PACK_COVER},
                                         {false, HEADER_NONE, PACK_COVER}};
    const bool covers = fitting->form.mode == PACK_COVER;
    const struct way *ways = covers ? covered : nested;
    const size_t count = covers ? 2 : 6;
    const uint64_t over = words_over(area, fitting->limit);
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < count && status == NBSTAGE_OK &&
                       context_work_left(fitting->context) > 0;
         i++) {
        struct list_area trial;
        size_t trial_count;
        bool is_weaker = ways[i].header > fitting->form.header &&
                         (ways[i].chains || ways[i].header == HEADER_NONE);
        if (is_weaker || (ways[i].mode == PACK_SHARE && fit->merge_count > 0))
            continue;
        status = merge_in_way(fitting, ways[i], over, &trial, &trial_count);
        if (status == NBSTAGE_OK)
            judge(fitting, area, trial, trial_count, fit);
    }
    fit->is_too_dear = fit->is_too_dear && fit->merge_count == 0;
    return status;
}

// ---------------------------------------------------------------------------
// Without loss

// Packs as asked for.  If that does not meet the limit, nests shared lists, or
// shares nested ones, if this does.
static nbstage_status pack_unmerged(struct fitting *fitting,
                                    struct list_area *area)
{
    const enum pack_mode mode = fitting->form.mode;
    const enum pack_mode modes[] = {mode, mode == PACK_SHARE ? PACK_NEST
                                                             : PACK_SHARE};
    const size_t count = mode == PACK_COVER ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        const struct pack_form form = {modes[i], fitting->form.header};
        struct lists copy;
        struct list_area trial;
        nbstage_status status =
            copy_lists(fitting->context, fitting->lists, &copy);
        if (status == NBSTAGE_OK)
            status = pack_lists(fitting->context, &copy, form, &trial);
        if (status != NBSTAGE_OK)
            return status;
        bool is_met = words_over(&trial, fitting->limit) == 0;
        keep(fitting, area, trial, i == 0 || is_met);
        if (is_met)
            break;
    }
    return NBSTAGE_OK;
}

nbstage_status fit_pack(struct context *context, struct lists *lists,
                        struct pack_form form, enum lump_limit limit,
                        struct list_area *area, struct fit *fit)
{
    *area = (struct list_area){0};
    *fit = (struct fit){0};
    if (limit == LIMIT_NONE || form.mode == PACK_NONE ||
        fit_is_hopeless(lists->block_count, limit))
        return pack_lists(context, lists, form, area);
    struct fitting fitting = {
        .context = context,
        .lists = lists,
        .form = form,
        .limit = limit,
    };
    nbstage_status status = NBSTAGE_OK;
    bool is_complete = true;
    if (form.mode == PACK_COVER) // so that these are merged
        status = cover_lists(context, lists, &is_complete);
    if (status == NBSTAGE_OK)
        status = pack_unmerged(&fitting, area);
    if (status == NBSTAGE_OK)
        fit->unmerged_words = lump_measure(area).word_count;
    if (status == NBSTAGE_OK && words_over(area, limit) > 0)
        status = merge(&fitting, area, fit);
    lists_free(context, lists);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    area->is_early |= !is_complete || context_work_left(context) == 0;
    return status;
}
