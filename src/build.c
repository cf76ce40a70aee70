// SPDX-License-Identifier: GPL-2.0-or-later
//
// Start reading here: the attempts at the lump of a map, and the decision
// between them.
//
// The first attempt is the one that the options ask for.  If its lump misses a
// limit, a plan of other attempts follows.  Each aims at one limit; its lump is
// taken only if it meets it.  Then the map gets a classic or an XBM1 lump, an
// empty one, its present one, or none.
//
// attempt.c makes one lump of a map.  advice.c tells of lumps over a limit.

#include "build.h"

#include "attempt.h"
#include "check/judge.h"

#include <string.h>

// Whether the lump so far meets a limit, as XBM1 always does.
static bool build_meets(const struct build *build, enum lump_limit limit)
{
    return build->result->form == LUMP_XBM1 ||
           lump_meets(&build->result->measure, limit);
}

bool build_may_meet(enum lump_limit limit, const struct grid *grid,
                    size_t linedef_end)
{
    const uint64_t lists_begin = LUMP_HEADER_WORDS + grid_block_count(grid);
    const struct lump_measure least = {lists_begin + 2, lists_begin,
                                       linedef_end};
    return lump_meets(&least, limit);
}

// ---------------------------------------------------------------------------
// The map's own lump

// Measures the present lump by its size and its offsets.  False if they are
// damaged.
static bool build_measure_present(struct build *build)
{
    struct present *present = &build->present;
    const struct blockmap *blockmap = &present->blockmap;
    const size_t lines = build->map->line_count;
    uint32_t largest = 0;
    if (blockmap->block_count == 0 || blockmap->odd_bytes > 0)
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const uint32_t offset = blockmap_word(blockmap, LUMP_HEADER_WORDS + b);
        largest = offset > largest ? offset : largest;
    }
    if (largest >= blockmap->word_count)
        return false;
    // No list of a classic lump has more lines than such lumps can number.
    present->measure = (struct lump_measure){
        blockmap->word_count, largest,
        lines < LUMP_CLASSIC_LINES ? lines : LUMP_CLASSIC_LINES};
    present->limit =
        blockmap->form == LUMP_XBM1                     ? LIMIT_NONE
        : lump_meets(&present->measure, LIMIT_VANILLA)  ? LIMIT_VANILLA
        : lump_meets(&present->measure, LIMIT_EXTENDED) ? LIMIT_EXTENDED
                                                        : LIMIT_NONE;
    return true;
}

// Whether the present lump may be kept, or meets a limit that the new one
// misses, so that its lists have to be read.
static bool build_needs_present(struct build *build)
{
    struct present *present = &build->present;
    const struct build_result *result = build->result;
    const bool may_keep = build->request->keeps_smaller &&
                          (!build_meets(build, build->needs.limit) ||
                           lump_size(result->form, result->measure.word_count) >
                               present->blockmap.bytes);
    if (!may_keep && build_meets(build, LIMIT_VANILLA))
        return false;
    if (!build_measure_present(build))
        return false;
    return may_keep || (present->limit != LIMIT_NONE &&
                        !build_meets(build, present->limit));
}

// Finds out whether all lists of the present lump can be read.
static nbstage_status build_read_present(struct build *build)
{
    struct present *present = &build->present;
    struct blockmap blockmap;
    char text[BLOCKMAP_TEXT_SIZE];
    nbstage_status status = blockmap_read(
        build->context, present->blockmap.lump, present->blockmap.bytes,
        build->map->line_count, &blockmap);
    present->is_readable =
        status == NBSTAGE_OK && !blockmap_find_flaw(&blockmap, text);
    if (!present->is_readable)
        present->limit = LIMIT_NONE;
    blockmap_free(build->context, &blockmap);
    return status;
}

// ---------------------------------------------------------------------------
// The plan

// Picks from the option overflow: whether lists are merged, and the first
// usable choice for a lump that is still over the limit.
static void build_plan_overflow(struct build *build)
{
    const choice_list choices = build->request->overflow;
    const bool is_classic = build->request->format == BUILD_FORMAT_DOOM;
    build->overflow = BUILD_OVERFLOW_ERROR;
    for (size_t i = 0; choice_at(choices, i) >= 0; i++) {
        enum build_overflow choice = (enum build_overflow)choice_at(choices, i);
        if (choice == BUILD_OVERFLOW_AUTO)
            choice = build->needs.read_xbm1 && !is_classic ? BUILD_OVERFLOW_XBM1
                     : build->needs.build_their_own ? BUILD_OVERFLOW_EMPTY
                                                    : BUILD_OVERFLOW_ERROR;
        if (choice == BUILD_OVERFLOW_MERGE) {
            build->may_merge = build->request->format != BUILD_FORMAT_XBM1;
        } else if (choice != BUILD_OVERFLOW_XBM1 || !is_classic) {
            build->overflow = choice;
            break;
        }
    }
}

// Takes the lump of an attempt that met its limit.
static void build_take_trial(struct build *build, const struct attempt *attempt,
                             const struct lump_measure *measure)
{
    const bool is_nested = !attempt->merges && attempt->mode == PACK_NEST;
    const struct lump_measure *last = &build->result->measure;
    if (is_nested)
        context_log(
            build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "lists were nested%s: otherwise the lump, with %llu words and "
            "%llu as the largest offset, would miss the %s limit%s",
            attempt->placement == GRID_SEARCH ? " on a different grid" : "",
            (unsigned long long)last->word_count,
            (unsigned long long)last->largest_offset,
            attempt->limit == LIMIT_VANILLA ? "vanilla" : "extended",
            attempt->limit == build->present.limit
                ? " that the present one meets"
                : "");
    else if (build->trial.merge_count == 0)
        build->result->unmerged_words = measure->word_count;
    lists_free(build->context, &build->lists);
    build->lists = build->trial;
    build->trial = (struct lists){0};
    build->result->measure = *measure;
}

// Notes how far the lump of an attempt is from the limit of the ports.
static void build_note_miss(struct build *build, const struct lists *lists)
{
    const struct lump_measure measure = lump_measure(lists);
    const uint64_t over = lump_words_over(&measure, build->needs.limit);
    if (over < build->result->least_over) {
        build->result->least_over = over;
        build->result->is_bounded = lists->is_bounded;
    }
}

// Makes an attempt if the lump so far misses the attempt's limit, and a lump on
// its grid could meet it.
static nbstage_status build_try(struct build *build,
                                const struct attempt *attempt)
{
    struct build_result *result = build->result;
    const bool searches = attempt->placement != result->placement;
    if (build_meets(build, attempt->limit) ||
        !build_may_meet(attempt->limit,
                        searches ? &result->least_grid : &result->grid,
                        build->lists.linedef_end))
        return NBSTAGE_OK;
    const struct build_result before = *result;
    if (searches)
        NEED(attempt_begin(build, attempt));
    NEED(attempt_make(build, attempt, &build->trial));
    const struct lump_measure measure = lump_measure(&build->trial);
    if (attempt->merges)
        build->lists.is_early = build->trial.is_early;
    const bool is_met = lump_meets(&measure, attempt->limit);
    if (searches && !is_met)
        *result = before;
    build_note_miss(build, &build->trial);
    if (is_met)
        build_take_trial(build, attempt, &measure);
    lists_free(build->context, &build->trial);
    return NBSTAGE_OK;
}

// For Doom 1.9 lists are nested before a map fails, first on its grid, then on
// the best one.  If lists may be merged, this nests them first, too.
static nbstage_status build_try_all(struct build *build, struct share *left)
{
    const struct build_request *request = build->request;
    const enum lump_limit limit = build->needs.limit,
                          present = build->present.limit;
    const enum grid_placement here = build->result->placement;
    const bool are_nested = request->pack == PACK_NEST;
    const bool is_binding = limit == LIMIT_VANILLA && !build->may_merge;
    struct attempt plan[4];
    size_t count = 0;
    // Sharing can meet the vanilla limit where nesting does not: a tail that
    // many lists share may come late in its chain.
    if (are_nested && (build->may_merge || is_binding))
        plan[count++] = (struct attempt){limit, here, PACK_SHARE, false};
    if (build->may_merge)
        plan[count++] = (struct attempt){limit, here, PACK_NEST, true};
    if (is_binding && !are_nested)
        plan[count++] = (struct attempt){limit, here, PACK_NEST, false};
    if (is_binding && request->placement == GRID_AUTO &&
        request->lists == BUILD_LISTS_EXACT)
        plan[count++] = (struct attempt){limit, GRID_SEARCH, PACK_NEST, false};
    if (present != LIMIT_NONE && !are_nested && limit != LIMIT_VANILLA)
        plan[count++] = (struct attempt){present, here, PACK_NEST, false};
    for (size_t i = 0; i < count; i++) {
        context_begin_step(build->context, left, 1, 2);
        NEED(build_try(build, &plan[i]));
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Warnings

// Warns about packing and merging.
static void build_tell_packing(const struct build *build)
{
    const struct lists *lists = &build->lists;
    if (lists->is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP", "%s",
                    lists->merge_count == 0
                        ? "packing stopped at its work limit; nothing is lost, "
                          "but the lump could be smaller"
                        : "packing and merging stopped at their work limit; "
                          "the limit could be met with fewer extra entries");
    if (lists->merge_count > 0)
        context_log(
            build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "lists were merged %zu times to meet the %s limit: before, the "
            "lump had %llu bytes and %llu entries, now %llu and %llu, with at "
            "most %lu extra in one block",
            lists->merge_count,
            build->needs.limit == LIMIT_VANILLA ? "vanilla" : "extended",
            2 * (unsigned long long)build->result->unmerged_words,
            (unsigned long long)build->result->entry_count,
            2 * (unsigned long long)build->result->measure.word_count,
            (unsigned long long)(build->result->entry_count +
                                 lists->extra_count),
            (unsigned long)lists->extra_at_worst);
}

// ---------------------------------------------------------------------------
// The decision, and the build

// Whether one of the ports skips the first linedef of each list of the present
// lump, and so misses solid entries.
static bool build_misreads_present(const struct build *build)
{
    return build->needs.skip != 0 && build->present.is_readable &&
           build->present.headers == HEADER_NONE;
}

// Whether the options allow the form of the present lump.
static bool build_allows_present(const struct build *build)
{
    const enum build_format format = build->request->format;
    return build->present.blockmap.form == LUMP_XBM1
               ? format != BUILD_FORMAT_DOOM &&
                     !(build->request->engines & build->needs.without_xbm1)
               : format != BUILD_FORMAT_XBM1;
}

// Whether the map keeps its present lump: if the options allow it, and the new
// one is larger, empty, or misses a limit that the present one meets.  A lump
// that lacks solid entries, or seems so to a port, is not kept for its size.
static bool build_keeps_present(const struct build *build)
{
    const struct present *present = &build->present;
    const bool is_sound =
        (build->result->missing_count == 0 && !build_misreads_present(build)) ||
        build->request->lists == BUILD_LISTS_LUMP;
    const bool is_better =
        build->result->lost_limit != LIMIT_NONE ||
        (build_meets(build, build->needs.limit)
             ? is_sound && lump_size(build->result->form,
                                     build->result->measure.word_count) >
                               present->blockmap.bytes
             : build->overflow == BUILD_OVERFLOW_EMPTY);
    const bool is_over = present->blockmap.form == LUMP_CLASSIC &&
                         !lump_meets(&present->measure, build->needs.limit);
    return build->request->keeps_smaller && present->is_readable &&
           build_allows_present(build) && is_better &&
           !(build->result->over_limit && is_over);
}

// Copies the present lump into the result, which then meets all limits.
static nbstage_status build_keep_present(struct build *build)
{
    const struct blockmap *present = &build->present.blockmap;
    struct build_result *result = build->result;
    result->form = present->form;
    result->grid = present->grid;
    result->measure = build->present.measure;
    result->over_limit = false;
    result->lost_limit = LIMIT_NONE;
    NEED(context_allocate(build->context, present->bytes, 1, &result->bytes));
    memcpy(result->bytes, present->lump, present->bytes);
    result->size = present->bytes;
    return NBSTAGE_OK;
}

// Warns if some of the ports misread the present lump, which has no headers.
static void build_tell_headers(const struct build *build)
{
    const bool is_asked = build->request->lists == BUILD_LISTS_LUMP;
    if (build->request->keeps_smaller && build->result->bytes &&
        build_misreads_present(build))
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the present lump has no headers, so some of the ports "
                    "miss lines; %s",
                    !build->result->is_kept ? "it was built anew"
                    : is_asked ? "lists=lump keeps it; try lists=exact"
                               : "it is kept, because a new one would miss a "
                                 "limit that it meets");
}

// Decides what the map gets: the new lump, its present one, or none.
static nbstage_status build_decide(struct build *build)
{
    struct build_result *result = build->result;
    const struct blockmap *present = &build->present.blockmap;
    if (build->request->keeps_smaller)
        NEED(judge_present(build->context, build->map, build->pruning.fates,
                           build->request->games, &build->present.headers,
                           &result->missing_count, &result->harmless_count));
    if (!build_meets(build, build->present.limit))
        result->lost_limit = build->present.limit;
    result->over_limit = !build_meets(build, build->needs.limit);
    if (result->over_limit && build->overflow == BUILD_OVERFLOW_XBM1)
        result->form = LUMP_XBM1;
    result->is_kept = build_keeps_present(build);
    if (result->is_kept)
        NEED(build_keep_present(build));
    else if (build_meets(build, build->needs.limit))
        NEED(lump_write(build->context, result->form, &result->grid,
                        &build->lists, &result->bytes, &result->size));
    build_tell_headers(build);
    result->distance =
        result->least_distance < 0
            ? -1
            : grid_distance(&result->grid, build->highest_x, build->highest_y);
    result->is_moved =
        present->has_grid && (present->grid.origin_x != result->grid.origin_x ||
                              present->grid.origin_y != result->grid.origin_y);
    return NBSTAGE_OK;
}

// Makes the attempts, and leaves the lists of the best one.  The search for a
// grid takes most of the time, else the first attempt.
static nbstage_status build_make_lists(struct build *build, struct share *left)
{
    const struct attempt asked = {LIMIT_NONE, build->request->placement,
                                  build->request->pack, false};
    struct build_result *result = build->result;
    const bool searches = build->request->placement == GRID_SEARCH;
    context_begin_step(build->context, left, searches ? 7 : 2, 8);
    NEED(attempt_begin(build, &asked));
    context_begin_step(build->context, left, 1, 2);
    NEED(attempt_make(build, &asked, &build->lists));
    result->measure = lump_measure(&build->lists);
    result->least_over = UINT64_MAX;
    build_note_miss(build, &build->lists);
    if (build->may_merge && build_may_meet(build->needs.limit, &result->grid,
                                           build->lists.linedef_end))
        result->unmerged_words = result->measure.word_count;
    if (build_needs_present(build))
        NEED(build_read_present(build));
    NEED(build_try_all(build, left));
    entries_free(build->context, &build->entries); // room for the lump
    return NBSTAGE_OK;
}

// Copies facts about the lists into the result.
static void build_note_lists(const struct build *build)
{
    const struct lists *lists = &build->lists;
    struct build_result *result = build->result;
    result->header = lists->header;
    result->list_count = lists->list_count;
    result->nested_count = lists->nested_count;
    result->merge_count = lists->merge_count;
    result->extra_count = lists->extra_count;
    result->extra_at_worst = lists->extra_at_worst;
    result->is_early = lists->is_early;
}

static nbstage_status build_run(struct build *build)
{
    const struct build_request *request = build->request;
    const struct map *map = build->map;
    struct build_result *result = build->result;
    // Reading the map may have taken some of the progress.
    struct share left = {build->context->reported, PROGRESS_WHOLE};
    build->needs = engines_need(request->engines);
    result->form =
        request->format == BUILD_FORMAT_XBM1 ? LUMP_XBM1 : LUMP_CLASSIC;
    build_plan_overflow(build);
    blockmap_open(map->blockmap.bytes, map->blockmap.size,
                  &build->present.blockmap);
    if (request->placement == GRID_SEARCH)
        build_measure_present(build);
    if (request->lists == BUILD_LISTS_LUMP && map->left_out)
        context_log(build->context, NBSTAGE_LOG_WARNING, NULL,
                    "lines that the host leaves out may stay in the lists, "
                    "because lists=lump keeps these as they are");
    NEED(build_make_lists(build, &left));
    build_note_lists(build);
    build_tell_packing(build);
    result->overflow = build->overflow;
    result->present = build->present.measure;
    context_begin_step(build->context, &left, 1, 1);
    NEED(build_decide(build));
    return context_progress(build->context, 1, 1);
}

static void build_free(struct build *build)
{
    attempt_end(build);
    lists_free(build->context, &build->lists);
    lists_free(build->context, &build->trial);
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_request *request,
                          struct search_memory *searches,
                          struct build_result *result)
{
    struct build build = {.context = context,
                          .map = map,
                          .request = request,
                          .searches = searches,
                          .result = result};
    *result = (struct build_result){.least_distance = -1};
    nbstage_status status = build_run(&build);
    build_free(&build);
    if (status == NBSTAGE_OK)
        return NBSTAGE_OK;
    context_release(context, result->bytes);
    result->bytes = NULL;
    return status;
}
