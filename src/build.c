// SPDX-License-Identifier: GPL-2.0-or-later
//
// Start reading here: the attempts at the lump of a map, and the decision
// between them.
//
// The first attempt is the one that the options ask for.  If its lump misses a
// limit, a plan of other attempts follows.  Each aims at one limit; its lump is
// taken only if it meets it.  Then the map gets a classic or an XBM1 lump, an
// empty one, or its present one, or the build fails.
//
// attempt.c makes one lump of a map.

#include "build.h"

#include "attempt.h"
#include "check/judge.h"
#include "lump/reach.h"

#include <stdio.h>
#include <string.h>

// Whether the lump so far meets a limit, as XBM1 always does.
static bool build_meets(const struct build *build, enum lump_limit limit)
{
    return build->result->form == LUMP_XBM1 ||
           lump_meets(&build->result->measure, limit);
}

// Whether a lump on a grid can meet a limit, at best with one empty list for
// all blocks.
static bool build_may_meet(const struct build *build, enum lump_limit limit,
                           const struct grid *grid)
{
    const uint64_t lists_begin = LUMP_HEADER_WORDS + grid_block_count(grid);
    const struct lump_measure least = {lists_begin + 2, lists_begin,
                                       build->lists.linedef_end};
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
            "lists were nested: otherwise the lump, with %llu words and "
            "%llu as the largest offset, would miss the %s limit that "
            "the present one meets",
            (unsigned long long)last->word_count,
            (unsigned long long)last->largest_offset,
            attempt->limit == LIMIT_VANILLA ? "vanilla" : "extended");
    else if (build->trial.merge_count == 0)
        build->result->unmerged_words = measure->word_count;
    lists_free(build->context, &build->lists);
    build->lists = build->trial;
    build->trial = (struct lists){0};
    build->result->measure = *measure;
}

// Makes an attempt if the lump so far misses the attempt's limit, and a lump on
// this grid could meet it.
static nbstage_status build_try(struct build *build,
                                const struct attempt *attempt)
{
    if (build_meets(build, attempt->limit) ||
        !build_may_meet(build, attempt->limit, &build->result->grid))
        return NBSTAGE_OK;
    NEED(attempt_make(build, attempt, &build->trial));
    const struct lump_measure measure = lump_measure(&build->trial);
    if (attempt->merges)
        build->lists.is_early = build->trial.is_early;
    if (lump_meets(&measure, attempt->limit))
        build_take_trial(build, attempt, &measure);
    lists_free(build->context, &build->trial);
    return NBSTAGE_OK;
}

static nbstage_status build_try_all(struct build *build, struct share *left)
{
    const enum lump_limit limit = build->needs.limit,
                          present = build->present.limit;
    const bool are_nested = build->request->pack == PACK_NEST;
    struct attempt plan[3];
    size_t count = 0;
    // Sharing can meet the vanilla limit where nesting does not: a tail that
    // many lists share may come late in its chain.
    if (build->may_merge && are_nested)
        plan[count++] = (struct attempt){limit, PACK_SHARE, false};
    if (build->may_merge)
        plan[count++] = (struct attempt){limit, PACK_NEST, true};
    if (present != LIMIT_NONE && !are_nested &&
        (limit != LIMIT_VANILLA || present == LIMIT_VANILLA))
        plan[count++] = (struct attempt){present, PACK_NEST, false};
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

// Suggests an option that may bring the lump under a limit.  None helps a map
// with too many linedefs or blocks.
static const char *build_advise(const struct build *build,
                                enum lump_limit limit)
{
    if (!build_may_meet(build, limit, &build->least_grid))
        return "split the map";
    if (!build_may_meet(build, limit, &build->result->grid))
        return "try grid=fit";
    if (limit == LIMIT_VANILLA && !build->request->tries_all)
        return "try preset=vanilla";
    // Merging aims only at the limit of the ports in `for`.
    if (limit != build->needs.limit)
        return "try for=any,doom19";
    return build->result->unmerged_words > 0
               ? "merging lists was not enough, so split the map"
               : "try overflow=merge";
}

// Reports how far the lump exceeds the limit of the ports, which left it empty
// or failed the build.
static nbstage_status build_tell_of_none(const struct build *build)
{
    const unsigned long long lines = build->result->measure.linedef_end;
    const unsigned long long words = build->result->measure.word_count;
    const unsigned long long offset = build->result->measure.largest_offset;
    const bool is_classic = lines <= LUMP_CLASSIC_LINES;
    const bool is_vanilla = is_classic && build->needs.limit == LIMIT_VANILLA;
    const size_t most = is_vanilla ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    const char *where = is_classic ? "BLOCKMAP" : "LINEDEFS";
    const char *advice = build_advise(build, build->needs.limit);
    char excess[CONTEXT_MESSAGE_SIZE], loss[CONTEXT_MESSAGE_SIZE] = "";
    if (lines > most)
        snprintf(excess, sizeof excess,
                 "%llu linedefs are %llu more than the %zu that %s can number",
                 lines, lines - most, most,
                 is_vanilla ? "vanilla" : "a classic lump");
    else if (is_vanilla && offset > LUMP_VANILLA_OFFSET)
        snprintf(excess, sizeof excess,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 offset, offset - LUMP_VANILLA_OFFSET, LUMP_VANILLA_OFFSET);
    else
        snprintf(excess, sizeof excess,
                 "the lump has %llu words, %llu over the extended limit of %d",
                 words, words - LUMP_EXTENDED_WORDS, LUMP_EXTENDED_WORDS);
    if (build->overflow != BUILD_OVERFLOW_EMPTY)
        return context_fail(build->context, NBSTAGE_OVER_LIMIT, where, "%s; %s",
                            excess, advice);
    if (build->result->lost_limit == LIMIT_VANILLA)
        snprintf(loss, sizeof loss,
                 ", which Doom 1.9 and Chocolate Doom cannot play; the largest "
                 "offset was %llu",
                 (unsigned long long)build->present.measure.largest_offset);
    context_log(build->context, NBSTAGE_LOG_WARNING, where,
                "%s; the lump was left empty%s; %s", excess, loss, advice);
    return NBSTAGE_OK;
}

// Warns about lines that are too far from the grid's origin.  Only a grid that
// was kept or given is further away than the lowest coordinates.
static void build_tell_reach(const struct build *build)
{
    const engine_set engines = build->request->engines;
    const int32_t distance = build->result->distance;
    const struct reach reach = reach_find(engines, distance);
    char text[REACH_TEXT];
    reach_describe(&reach, distance, text);
    if (*text)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP", "%s; %s",
                    text,
                    reach_advise(&reach, engines, build->least_distance));
}

// Warns about solid entries that the present lump lacks, a limit that is newly
// exceeded, and a lump that was not written.
static nbstage_status build_tell(const struct build *build)
{
    const char *ending = "so it was built anew";
    const char *advice = "";
    if (build->request->lists == BUILD_LISTS_LUMP) {
        ending = "which lists=lump does not add; try lists=exact";
    } else if (build->result->is_kept) {
        ending =
            "but is kept, because a new one would miss a limit that it meets; ";
        advice = build_advise(build,
                              lump_meets(&build->result->measure, LIMIT_VANILLA)
                                  ? LIMIT_VANILLA
                                  : LIMIT_EXTENDED);
    }
    if (build->result->missing_count > 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the present lump lacks solid entries (%zu), %s%s",
                    build->result->missing_count, ending, advice);
    if (!build->result->bytes)
        return build_tell_of_none(build);
    build_tell_reach(build);
    if (build->result->lost_limit != LIMIT_NONE)
        context_log(
            build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "the largest offset is %llu and was %llu; %s; %s",
            (unsigned long long)build->result->measure.largest_offset,
            (unsigned long long)build->present.measure.largest_offset,
            build->result->form == LUMP_XBM1
                ? "the lump is XBM1 now, which no released port reads"
                : "offsets over 32767 crash Doom 1.9 and Chocolate Doom",
            build_advise(build, build->result->lost_limit));
    else if (build->request->engines == 0 &&
             build->result->form == LUMP_CLASSIC && !build->result->is_kept &&
             !lump_meets(&build->result->measure, LIMIT_VANILLA))
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "Doom 1.9 and Chocolate Doom crash on this map; %s",
                    build_may_meet(build, LIMIT_VANILLA, &build->least_grid)
                        ? "try for=any,doom19 or preset=vanilla"
                        : "for them, split it");
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The decision, and the build

// Whether the map keeps its present lump: if the options allow it, and the new
// one is larger, empty, or misses a limit that the present one meets.  A lump
// that lacks solid entries is not kept for its size.
static bool build_keeps_present(const struct build *build)
{
    const struct present *present = &build->present;
    const bool is_sound = build->result->missing_count == 0 ||
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
    return build->request->keeps_smaller && present->is_readable && is_better &&
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

// Decides what the map gets: the new lump, an empty one, or its present one.
static nbstage_status build_decide(struct build *build)
{
    struct build_result *result = build->result;
    const struct blockmap *present = &build->present.blockmap;
    if (build->request->keeps_smaller)
        NEED(judge_missing_solid(build->context, build->map,
                                 build->pruning.fates, build->request->games,
                                 &result->missing_count));
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
    result->distance =
        build->least_distance < 0
            ? -1
            : grid_distance(&result->grid, build->highest_x, build->highest_y);
    result->is_moved =
        present->has_grid && (present->grid.origin_x != result->grid.origin_x ||
                              present->grid.origin_y != result->grid.origin_y);
    return build_tell(build);
}

// Makes the attempts, and leaves the lists of the best one.  The search for a
// grid takes most of the time, else the first attempt.
static nbstage_status build_make_lists(struct build *build, struct share *left)
{
    const struct attempt asked = {LIMIT_NONE, build->request->pack, false};
    struct build_result *result = build->result;
    const bool searches = build->request->placement == GRID_SEARCH;
    context_begin_step(build->context, left, searches ? 7 : 2, 8);
    NEED(attempt_begin(build));
    context_begin_step(build->context, left, 1, 2);
    NEED(attempt_make(build, &asked, &build->lists));
    result->measure = lump_measure(&build->lists);
    if (build->may_merge &&
        build_may_meet(build, build->needs.limit, &result->grid))
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
    // Reading the map may have taken some of the progress.
    struct share left = {build->context->reported, PROGRESS_WHOLE};
    build->needs = engines_need(request->engines);
    build->result->form =
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
    context_begin_step(build->context, &left, 1, 1);
    NEED(build_decide(build));
    return context_progress(build->context, 1, 1);
}

static void build_free(struct build *build)
{
    struct context *context = build->context;
    nodes_free(context, &build->nodes);
    lines_free(context, &build->lines);
    prune_free(context, &build->pruning);
    entries_free(context, &build->entries);
    lists_free(context, &build->lists);
    lists_free(context, &build->trial);
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_request *request,
                          struct build_result *result)
{
    struct build build = {.context = context,
                          .map = map,
                          .request = request,
                          .result = result,
                          .least_distance = -1};
    *result = (struct build_result){0};
    nbstage_status status = build_run(&build);
    build_free(&build);
    if (status == NBSTAGE_OK)
        return NBSTAGE_OK;
    context_release(context, result->bytes);
    result->bytes = NULL;
    return status;
}
