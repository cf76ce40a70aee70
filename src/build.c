// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first page to read: which attempts are made at the lump of a map, and
// what becomes of them.
//
// The options come to a plan, which is a list of steps.  Each step is an
// attempt and the limit that it is for.  A step is skipped if the lump so far
// is within its limit.  Otherwise the attempt is made, and its lump taken if
// that is within the limit.  Then one decision is left: the lump is written, as
// XBM1 or classic, or left empty, or the map keeps its present one, or the
// build fails.
//
// attempt.c has the way from the map to a lump.

#include "build.h"

#include "lump/blockmap.h"

#include <string.h>

// What is known of the map's own lump.
enum present_state {
    PRESENT_UNKNOWN,
    PRESENT_MEASURED, // its header and its offsets can be read
    PRESENT_SOUND,    // and all its lists
    PRESENT_DAMAGED,  // or there is none
};

struct build {
    const struct build_options *options;
    struct build_output *output;
    struct attempt_base *base; // the output's

    enum lump_limit limit;        // that the games need
    enum pack_header header;      // that they read right
    bool may_merge;               // lists of a lump over that limit
    enum build_overflow overflow; // what else becomes of it

    enum present_state present_state;
    struct blockmap present;
    struct grid present_grid;
    struct lump_measure present_measure;
};

// ---------------------------------------------------------------------------
// The map's own lump

// Measures it by its size and its offsets.
static void build_measure_present(struct build *build)
{
    const struct map *map = build->base->map;
    struct blockmap *present = &build->present;
    struct lump_measure measure = {0};
    struct context trial = *build->base->context; // for the sentence
    if (build->present_state != PRESENT_UNKNOWN)
        return;
    build->present_state = PRESENT_DAMAGED;
    if (!map->blockmap.bytes ||
        lump_open(&trial, map->blockmap.bytes, map->blockmap.size, present,
                  &build->present_grid) != NBSTAGE_OK)
        return;
    for (size_t b = 0; b < present->block_count; b++) {
        const uint32_t offset =
            words_get(&present->words, LUMP_HEADER_WORDS + b);
        if (offset >= present->words.count)
            return;
        if (offset > measure.largest_offset)
            measure.largest_offset = offset;
    }
    measure.word_count = present->words.count;
    measure.meets_extended = present->form == LUMP_CLASSIC &&
                             measure.word_count <= LUMP_EXTENDED_WORDS;
    measure.meets_vanilla = measure.meets_extended &&
                            measure.largest_offset <= LUMP_VANILLA_OFFSET &&
                            map->line_count <= LUMP_VANILLA_LINES;
    build->present_measure = measure;
    build->present_state = PRESENT_MEASURED;
}

// The limit that it seems to meet.
static enum lump_limit build_present_limit(struct build *build)
{
    build_measure_present(build);
    return build->present_measure.meets_vanilla    ? LIMIT_VANILLA
           : build->present_measure.meets_extended ? LIMIT_EXTENDED
                                                   : LIMIT_NONE;
}

// Finds out whether all its lists can be read.
static nbstage_status build_read_present(struct build *build)
{
    const struct map *map = build->base->map;
    struct context *context = build->base->context;
    struct context trial = *context; // no failure if it is damaged
    build_measure_present(build);
    if (build->present_state != PRESENT_MEASURED)
        return NBSTAGE_OK;
    nbstage_status status = lump_check(&trial, map->blockmap.bytes,
                                       map->blockmap.size, map->line_count);
    context->work = trial.work;
    build->present_state =
        status == NBSTAGE_OK ? PRESENT_SOUND : PRESENT_DAMAGED;
    if (status == NBSTAGE_BAD_MAP || status == NBSTAGE_OVER_LIMIT)
        return NBSTAGE_OK;
    if (status != NBSTAGE_OK)
        *context = trial;
    return status;
}

// Finds the limit that it meets and the lump so far does not.
static nbstage_status build_find_lost(struct build *build,
                                      enum lump_limit *lost)
{
    const struct lump_measure *measure = &build->output->made.measure;
    *lost = LIMIT_NONE;
    if (build->output->form == LUMP_XBM1 || measure->meets_vanilla)
        return NBSTAGE_OK;
    const enum lump_limit limit = build_present_limit(build);
    if (limit == LIMIT_NONE || lump_meets(measure, limit))
        return NBSTAGE_OK;
    nbstage_status status = build_read_present(build);
    if (build->present_state == PRESENT_SOUND)
        *lost = limit;
    return status;
}

// ---------------------------------------------------------------------------
// The plan

enum build_goal {
    GOAL_GAMES,   // the limit that the games need
    GOAL_PRESENT, // the limit that the map's own lump meets, if that is
                  // stricter
};

struct build_step {
    enum build_goal goal;
    struct attempt attempt;
};

enum { BUILD_MOST_STEPS = 3 };

// Returns the count of steps.
static size_t build_plan(const struct build *build,
                         struct build_step plan[BUILD_MOST_STEPS])
{
    const struct build_options *options = build->options;
    const struct attempt asked = {
        .lists = options->lists,
        .prune = options->prune,
        .pack = {options->pack, build->header},
        .merge = LIMIT_NONE,
        .form = options->format == BUILD_FORMAT_XBM1 ? LUMP_XBM1 : LUMP_CLASSIC,
    };
    struct attempt merged = asked, nested = asked;
    size_t count = 0;
    merged.merge = build->limit;
    nested.pack.mode = PACK_NEST;
    plan[count++] = (struct build_step){GOAL_GAMES, asked};
    if (build->may_merge)
        plan[count++] = (struct build_step){GOAL_GAMES, merged};
    if (asked.form == LUMP_CLASSIC && asked.pack.mode == PACK_SHARE)
        plan[count++] = (struct build_step){GOAL_PRESENT, nested};
    return count;
}

// Finds the limit that a step is for if the lump so far misses it, and could
// meet it; otherwise LIMIT_NONE.
static nbstage_status build_find_missed(struct build *build,
                                        enum build_goal goal,
                                        enum lump_limit *missed)
{
    const struct made *made = &build->output->made;
    nbstage_status status = NBSTAGE_OK;
    *missed = build->limit;
    if (goal == GOAL_PRESENT)
        status = build_find_lost(build, missed);
    if (lump_meets(&made->measure, *missed) ||
        made->area.linedef_end > lump_most_lines(*missed) ||
        (build->limit == LIMIT_VANILLA && *missed != LIMIT_VANILLA))
        *missed = LIMIT_NONE;
    return status;
}

static void build_warn_of_nesting(const struct build *build,
                                  enum lump_limit limit)
{
    const struct lump_measure *measure = &build->output->made.measure;
    context_log(build->base->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "lists are nested, as the lump would else have %llu words with "
                "%llu as the largest offset, and miss the %s limit that the "
                "present one meets",
                (unsigned long long)measure->word_count,
                (unsigned long long)measure->largest_offset,
                limit == LIMIT_VANILLA ? "vanilla" : "extended");
}

static nbstage_status build_make_step(struct build *build,
                                      const struct build_step *step)
{
    struct build_output *output = build->output;
    struct made *so_far = &output->made;
    enum lump_limit missed;
    struct made made;
    nbstage_status status = build_find_missed(build, step->goal, &missed);
    if (status != NBSTAGE_OK || missed == LIMIT_NONE)
        return status;
    status = attempt_make(build->base, &step->attempt, &made);
    if (status != NBSTAGE_OK)
        return status;
    const bool is_better =
        so_far->measure.word_count == 0 || lump_meets(&made.measure, missed);
    if (is_better && step->goal == GOAL_PRESENT)
        build_warn_of_nesting(build, missed);
    if (is_better || step->goal == GOAL_GAMES)
        output->is_early = made.area.is_early;
    list_area_free(build->base->context,
                   is_better ? &so_far->area : &made.area);
    if (is_better)
        *so_far = made;
    if (step->goal == GOAL_GAMES && build->may_merge &&
        so_far->area.linedef_end <= lump_most_lines(build->limit))
        output->unmerged_words = so_far->area.merge_count > 0
                                     ? so_far->area.unmerged_words
                                     : so_far->measure.word_count;
    return NBSTAGE_OK;
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

// Takes the map's own lump where that is asked for, all of it can be read, and
// the new one is larger, empty, or misses a limit.
static nbstage_status build_keep_present(struct build *build, bool is_empty)
{
    const struct map_bytes *present = &build->base->map->blockmap;
    struct context *context = build->base->context;
    struct build_output *output = build->output;
    const bool is_better = output->lost_limit != LIMIT_NONE || is_empty ||
                           output->size > present->size;
    if (!build->options->keeps_smaller || !is_better)
        return NBSTAGE_OK;
    nbstage_status status = build_read_present(build);
    if (build->present_state != PRESENT_SOUND ||
        (output->over_limit && build->present.form == LUMP_CLASSIC &&
         !lump_meets(&build->present_measure, build->limit)))
        return status;
    context_release(context, output->bytes);
    status = context_allocate(context, present->size, 1, &output->bytes);
    if (status != NBSTAGE_OK)
        return status;
    memcpy(output->bytes, present->bytes, present->size);
    output->size = present->size;
    output->form = build->present.form;
    output->is_kept = true;
    output->over_limit = false;
    output->lost_limit = LIMIT_NONE;
    output->base.grid = build->present_grid;
    output->made.measure = build->present_measure;
    return NBSTAGE_OK;
}

static nbstage_status build_decide(struct build *build)
{
    const struct build_options *options = build->options;
    struct build_output *output = build->output;
    nbstage_status status = build_find_lost(build, &output->lost_limit);
    output->lost_offset = build->present_measure.largest_offset;
    output->over_limit = output->form == LUMP_CLASSIC &&
                         !lump_meets(&output->made.measure, build->limit);
    if (output->over_limit && build->overflow == BUILD_OVERFLOW_XBM1)
        output->form = LUMP_XBM1;
    const bool is_over = output->over_limit && output->form == LUMP_CLASSIC;
    const bool is_empty = is_over && build->overflow == BUILD_OVERFLOW_EMPTY;
    if (status == NBSTAGE_OK && !is_over)
        status =
            lump_write(build->base->context, output->form, &output->base.grid,
                       &output->made.area, &output->bytes, &output->size);
    if (status == NBSTAGE_OK)
        status = build_keep_present(build, is_empty);
    return status == NBSTAGE_OK ? overflow_tell(options, output, is_empty)
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
    struct build_step plan[BUILD_MOST_STEPS];
    struct build build = {
        .options = options,
        .output = output,
        .base = &output->base,
        .limit = needs.limit,
        .header = needs.header,
    };
    *output = (struct build_output){
        .base = {.context = context,
                 .map = map,
                 .grid_request = options->grid,
                 .check_nodes = options->check_nodes},
    };
    build_decide_overflow(&build, &needs);
    if (options->grid.placement == GRID_SEARCH &&
        options->format != BUILD_FORMAT_XBM1)
        output->base.search_limit = needs.limit == LIMIT_VANILLA
                                        ? LIMIT_VANILLA
                                        : build_present_limit(&build);
    if (options->lists == ATTEMPT_LISTS_LUMP && map->left_out)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "lines that the host leaves out may stay in the lists, "
                    "because lists=lump keeps these as they are");
    const size_t count = build_plan(&build, plan);
    nbstage_status status = NBSTAGE_OK;
    output->form = plan->attempt.form;
    for (size_t i = 0; i < count && status == NBSTAGE_OK; i++)
        status = build_make_step(&build, &plan[i]);
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
