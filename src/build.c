// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first page to read: which attempts are made at the lump of a map, and
// what becomes of them.
//
// The first attempt is the one that the options ask for.  The plan has what is
// tried if its lump misses a limit: each step is a limit and an attempt to meet
// it, whose lump is taken if it does.  Then one decision is left: the lump is
// written, as XBM1 or classic, or left empty, or the map keeps its present one,
// or the build fails.
//
// attempt.c has the way from the map to a lump.

#include "build.h"

#include "lump/blockmap.h"
#include "lump/judge.h"

#include <string.h>

// The lump that the map has now.  Without bytes: none that can be read.
struct build_present {
    struct map_bytes lump;
    enum lump_form form;
    struct grid grid;
    struct lump_measure measure;
};

struct build {
    const struct build_options *options;
    struct build_output *output;
    struct attempt_base *base; // the output's

    enum lump_limit limit;        // that the games need
    struct attempt asked;         // with the header that they read right
    bool may_merge;               // lists of a lump over that limit
    enum build_overflow overflow; // what else becomes of it

    struct build_present present; // if it matters
};

// ---------------------------------------------------------------------------
// The map's own lump

// Measures it by its size and its offsets.
static struct build_present build_measure_present(const struct map *map)
{
    struct blockmap blockmap;
    struct build_present present;
    const struct words *words = &blockmap.words;
    const struct build_present none = {.measure = {0}};
    uint32_t largest = 0;
    blockmap_open(map->blockmap.bytes, map->blockmap.size, &blockmap);
    if (!blockmap_get_grid(&blockmap, &present.grid) ||
        !blockmap_has_table(&blockmap) || blockmap.odd_bytes > 0)
        return none;
    for (size_t b = 0; b < blockmap.block_count; b++) {
        const uint32_t offset = words_get(words, LUMP_HEADER_WORDS + b);
        if (offset >= words->count)
            return none;
        largest = offset > largest ? offset : largest;
    }
    // No list of a classic lump has more lines than such lumps can number.
    const size_t linedef_end = map->line_count < LUMP_CLASSIC_LINES
                                   ? map->line_count
                                   : LUMP_CLASSIC_LINES;
    present.lump = map->blockmap;
    present.form = blockmap.form;
    present.measure = (struct lump_measure){words->count, largest, linedef_end};
    return present;
}

// The strictest limit that it meets.
static enum lump_limit build_present_limit(const struct build_present *present)
{
    const bool is_classic =
        present->lump.bytes && present->form == LUMP_CLASSIC;
    return !is_classic || !lump_meets(&present->measure, LIMIT_EXTENDED)
               ? LIMIT_NONE
           : lump_meets(&present->measure, LIMIT_VANILLA) ? LIMIT_VANILLA
                                                          : LIMIT_EXTENDED;
}

// The limit that it meets and the lump so far does not.
static enum lump_limit build_find_lost(const struct build *build,
                                       const struct build_present *present)
{
    const enum lump_limit limit = build_present_limit(present);
    return build->output->form == LUMP_XBM1 ||
                   lump_meets(&build->output->made.measure, limit)
               ? LIMIT_NONE
               : limit;
}

static bool build_is_over(const struct build *build)
{
    const struct build_output *output = build->output;
    return output->form == LUMP_CLASSIC &&
           !lump_meets(&output->made.measure, build->limit);
}

// Finds out whether all its lists can be read, unless the lump that was asked
// for is as good.
static nbstage_status build_read_present(struct build *build)
{
    const struct build_output *output = build->output;
    const struct lump_measure *measure = &output->made.measure;
    const struct map *map = build->base->map;
    const struct map_bytes *lump = &map->blockmap;
    const bool may_keep =
        build->options->keeps_smaller &&
        (build_is_over(build) ||
         lump_size(output->form, measure->word_count) > lump->size);
    if (!may_keep && lump_meets(measure, LIMIT_VANILLA))
        return NBSTAGE_OK;
    const struct build_present present = build_measure_present(map);
    if (!present.lump.bytes ||
        (!may_keep && build_find_lost(build, &present) == LIMIT_NONE))
        return NBSTAGE_OK;
    struct context trial = *build->base->context; // no failure if it is damaged
    struct grid grid;
    nbstage_status status = lump_read_entries(&trial, lump->bytes, lump->size,
                                              map->line_count, &grid, NULL);
    if (status == NBSTAGE_OK)
        build->present = present;
    if (status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP ||
        status == NBSTAGE_OVER_LIMIT)
        return NBSTAGE_OK;
    *build->base->context = trial;
    return status;
}

// ---------------------------------------------------------------------------
// The plan

struct build_step {
    enum lump_limit limit;
    struct attempt attempt;
};

enum { BUILD_MOST_STEPS = 3 };

// Returns the count of steps.
static size_t build_plan(const struct build *build,
                         struct build_step plan[BUILD_MOST_STEPS])
{
    const enum lump_limit present = build_present_limit(&build->present);
    struct attempt merged = build->asked, nested = build->asked,
                   shared = build->asked;
    size_t count = 0;
    merged.merge = build->limit;
    nested.pack.mode = PACK_NEST;
    shared.pack.mode = PACK_SHARE;
    // A list that many others have as their tail may be far back in a chain.
    if (build->may_merge && build->asked.pack.mode == PACK_NEST)
        plan[count++] = (struct build_step){build->limit, shared};
    if (build->may_merge)
        plan[count++] = (struct build_step){build->limit, merged};
    if (present != LIMIT_NONE && build->output->form == LUMP_CLASSIC &&
        build->asked.pack.mode == PACK_SHARE &&
        (build->limit != LIMIT_VANILLA || present == LIMIT_VANILLA))
        plan[count++] = (struct build_step){present, nested};
    return count;
}

// Takes the lump of a step if it meets the limit.
static void build_take(const struct build *build, const struct build_step *step,
                       struct made *made)
{
    struct build_output *output = build->output;
    const bool is_better = lump_meets(&made->measure, step->limit);
    const bool is_merged = step->attempt.merge != LIMIT_NONE;
    const bool is_nested = !is_merged && step->attempt.pack.mode == PACK_NEST;
    if (is_better && is_nested)
        context_log(build->base->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "lists are nested, as the lump would else have %llu words "
                    "with %llu as the largest offset, and miss the %s limit "
                    "that the present one meets",
                    (unsigned long long)output->made.measure.word_count,
                    (unsigned long long)output->made.measure.largest_offset,
                    step->limit == LIMIT_VANILLA ? "vanilla" : "extended");
    if (is_better || is_merged)
        output->is_early = made->area.is_early;
    if (is_better && !is_nested && made->area.merge_count == 0)
        output->unmerged_words = made->measure.word_count;
    list_area_free(build->base->context,
                   is_better ? &output->made.area : &made->area);
    if (is_better)
        output->made = *made;
}

// Makes the steps whose limit the lump so far misses, and could meet.
static nbstage_status build_make_steps(struct build *build)
{
    struct build_step plan[BUILD_MOST_STEPS];
    const struct made *so_far = &build->output->made;
    const size_t count = build_plan(build, plan);
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < count && status == NBSTAGE_OK; i++) {
        const enum lump_limit limit = plan[i].limit;
        struct made made;
        if (lump_meets(&so_far->measure, limit) ||
            so_far->area.linedef_end > lump_most[limit].linedef_end ||
            so_far->area.block_count >= LUMP_EXTENDED_WORDS - LUMP_HEADER_WORDS)
            continue;
        status = attempt_make(build->base, &plan[i].attempt, &made);
        if (status == NBSTAGE_OK)
            build_take(build, &plan[i], &made);
    }
    return status;
}

// Tells what packing came to.
static void build_tell_packing(const struct build *build)
{
    const struct build_output *output = build->output;
    const struct made *made = &output->made;
    const struct list_area *area = &made->area;
    struct context *context = build->base->context;
    if (output->is_early && area->merge_count == 0)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing stopped at its work limit; nothing is lost, but "
                    "the lump could be smaller");
    else if (output->is_early)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing and merging stopped at their work limit; the "
                    "limit could be met with fewer extra entries");
    if (area->merge_count > 0)
        context_log(
            context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "lists were merged %zu times to meet the %s limit: before, the "
            "lump had %llu bytes and %llu entries, now %llu and %llu, with at "
            "most %lu extra in one block",
            area->merge_count,
            build->limit == LIMIT_VANILLA ? "vanilla" : "extended",
            2 * (unsigned long long)output->unmerged_words,
            (unsigned long long)made->entry_count,
            2 * (unsigned long long)made->measure.word_count,
            (unsigned long long)(made->entry_count + area->price.extra_count),
            (unsigned long)area->price.extra_at_worst);
}

// ---------------------------------------------------------------------------
// The decision

// Whether the map keeps its own lump: where that is asked for, and a new lump
// of so many bytes is larger, empty, or misses a limit that this one meets. One
// that lacks solid entries is not kept for its size.
static bool build_keeps_present(const struct build *build, uint64_t size,
                                bool is_empty)
{
    const struct build_output *output = build->output;
    const struct build_present *present = &build->present;
    const bool is_smaller = size > present->lump.size &&
                            (output->missing_count == 0 ||
                             build->options->lists == ATTEMPT_LISTS_LUMP);
    const bool is_better =
        output->lost_limit != LIMIT_NONE || is_empty || is_smaller;
    const bool is_over = present->form == LUMP_CLASSIC &&
                         !lump_meets(&present->measure, build->limit);
    return build->options->keeps_smaller && present->lump.bytes && is_better &&
           !(output->over_limit && is_over);
}

static nbstage_status build_keep_present(const struct build *build)
{
    const struct build_present *present = &build->present;
    struct build_output *output = build->output;
    nbstage_status status = context_allocate(
        build->base->context, present->lump.size, 1, &output->bytes);
    if (status != NBSTAGE_OK)
        return status;
    memcpy(output->bytes, present->lump.bytes, present->lump.size);
    output->size = present->lump.size;
    output->form = present->form;
    output->is_kept = true;
    output->over_limit = false;
    output->lost_limit = LIMIT_NONE;
    output->base.grid = present->grid;
    output->made.measure = present->measure;
    output->is_moved = false;
    return NBSTAGE_OK;
}

static nbstage_status build_decide(const struct build *build)
{
    struct build_output *output = build->output;
    struct map *map = build->base->map;
    struct blockmap blockmap;
    struct grid present;
    nbstage_status status = NBSTAGE_OK;
    blockmap_open(map->blockmap.bytes, map->blockmap.size, &blockmap);
    output->is_moved = blockmap_get_grid(&blockmap, &present) &&
                       (present.origin_x != output->base.grid.origin_x ||
                        present.origin_y != output->base.grid.origin_y);
    if (build->options->keeps_smaller)
        status = judge_missing_solid(build->base->context, map,
                                     output->base.pruning.fates,
                                     &output->missing_count);
    if (status != NBSTAGE_OK)
        return status;
    output->lost_limit = build_find_lost(build, &build->present);
    output->lost_offset = build->present.measure.largest_offset;
    output->over_limit = build_is_over(build);
    if (output->over_limit && build->overflow == BUILD_OVERFLOW_XBM1)
        output->form = LUMP_XBM1;
    const bool is_over = output->over_limit && output->form == LUMP_CLASSIC;
    const bool is_empty = is_over && build->overflow == BUILD_OVERFLOW_EMPTY;
    const uint64_t size =
        is_over ? 0 : lump_size(output->form, output->made.measure.word_count);
    if (build_keeps_present(build, size, is_empty))
        status = build_keep_present(build);
    else if (!is_over)
        status =
            lump_write(build->base->context, output->form, &output->base.grid,
                       &output->made.area, &output->bytes, &output->size);
    return status == NBSTAGE_OK
               ? overflow_tell(build->options, output, is_empty)
               : status;
}

// ---------------------------------------------------------------------------
// The build

// Decides whether lists are merged to meet the limit, and what a lump becomes
// that is still over it: the first other choice that can be.
static void build_decide_overflow(struct build *build,
                                  const struct engines_needs *needs)
{
    const choice_list choices = build->options->overflow;
    const bool is_classic = build->options->format == BUILD_FORMAT_DOOM;
    build->overflow = BUILD_OVERFLOW_ERROR;
    for (size_t i = 0; choice_at(choices, i) >= 0; i++) {
        enum build_overflow choice = (enum build_overflow)choice_at(choices, i);
        if (choice == BUILD_OVERFLOW_AUTO)
            choice = needs->read_xbm1 && !is_classic ? BUILD_OVERFLOW_XBM1
                     : needs->build_their_own        ? BUILD_OVERFLOW_EMPTY
                                                     : BUILD_OVERFLOW_ERROR;
        if (choice == BUILD_OVERFLOW_MERGE) {
            build->may_merge = build->options->format != BUILD_FORMAT_XBM1;
        } else if (choice != BUILD_OVERFLOW_XBM1 || !is_classic) {
            build->overflow = choice;
            break;
        }
    }
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output)
{
    const struct engines_needs needs = engines_need(options->engines);
    struct build build = {
        .options = options,
        .output = output,
        .base = &output->base,
        .limit = needs.limit,
        .asked = {{options->pack, needs.header}, LIMIT_NONE},
    };
    *output = (struct build_output){
        .form = options->format == BUILD_FORMAT_XBM1 ? LUMP_XBM1 : LUMP_CLASSIC,
        .base = {.context = context,
                 .map = map,
                 .lists = options->lists,
                 .prune = options->prune,
                 .grid_request = options->grid,
                 .check_nodes = options->check_nodes},
    };
    build_decide_overflow(&build, &needs);
    if (options->grid.placement == GRID_SEARCH &&
        output->form == LUMP_CLASSIC) {
        const struct build_present present = build_measure_present(map);
        output->base.search_limit = needs.limit == LIMIT_VANILLA
                                        ? LIMIT_VANILLA
                                        : build_present_limit(&present);
    }
    if (options->lists == ATTEMPT_LISTS_LUMP && map->left_out)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines that the host leaves out may stay in the lists, "
                    "because lists=lump keeps these as they are");
    struct made *made = &output->made;
    nbstage_status status = attempt_begin(build.base, build.asked.pack);
    if (status == NBSTAGE_OK)
        status = attempt_make(build.base, &build.asked, made);
    output->is_early = made->area.is_early;
    if (build.may_merge &&
        made->area.linedef_end <= lump_most[needs.limit].linedef_end)
        output->unmerged_words = made->measure.word_count;
    if (status == NBSTAGE_OK)
        status = build_read_present(&build);
    if (status == NBSTAGE_OK)
        status = build_make_steps(&build);
    attempt_end(build.base);
    if (status != NBSTAGE_OK)
        return status;
    build_tell_packing(&build);
    status = build_decide(&build);
    if (options->lists == ATTEMPT_LISTS_LUMP)
        prune_free(context, &output->base.pruning); // only for the check
    return status;
}

void build_output_free(struct build_output *output)
{
    struct context *context = output->base.context;
    context_release(context, output->bytes);
    output->bytes = NULL;
    list_area_free(context, &output->made.area);
    attempt_base_free(&output->base);
}
