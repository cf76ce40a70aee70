// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first page to read: from a map to its BLOCKMAP lump.
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// make_lists has the steps up to the lists, build_any_lump the others.  The
// lists may also be those of the map's own lump, a lump over the limit may be
// left empty, and the map's own may stay.

#include "build.h"

#include "build-lists.h"

// ---------------------------------------------------------------------------
// The grid

static nbstage_status search_for_grid(struct build *build)
{
    const struct build_options *options = &build->options;
    struct build_output *output = build->output;
    own_lump_want_limit(build);
    struct search_request request = {
        .pack = options->pack,
        .limit = build->limit == LIMIT_VANILLA ? build->limit : build->wanted,
        .thread_count = options->threads,
    };
    if (options->format == BUILD_FORMAT_XBM1)
        request.limit = LIMIT_NONE;
    struct search_answer answer;
    // No grid of the search has fewer blocks.
    const struct grid least =
        grid_from(build->lines.min_x, build->lines.min_y, &build->lines);
    nbstage_status status = grid_check_limit(build->context, NULL, &least);
    if (status == NBSTAGE_OK)
        status = search_grid(build->context, &build->lines, &request, &answer);
    if (status != NBSTAGE_OK)
        return status;
    output->placement = GRID_SEARCH;
    output->grid = answer.grid;
    output->scored_count = answer.scored_count;
    output->built_count = answer.built_count;
    if (answer.is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search stopped at its work limit; raise max-entries "
                    "to search on");
    return NBSTAGE_OK;
}

static nbstage_status choose_grid(struct build *build)
{
    const struct map_bytes *lump = &build->map->blockmap;
    struct grid own;
    if (build->options.grid.placement == GRID_SEARCH)
        return search_for_grid(build);
    bool has_own = lump_read_grid(lump->bytes, lump->size, &own);
    return grid_choose(build->context, &build->options.grid, &build->lines,
                       has_own ? &own : NULL, &build->output->grid,
                       &build->output->placement);
}

// ---------------------------------------------------------------------------
// The lists

static nbstage_status take_own_lists(struct build *build, struct lists *lists)
{
    // The check of the nodes needs to know which lines are pruned.
    nbstage_status status = NBSTAGE_OK;
    if (build->options.check_nodes)
        status = build_lines(build);
    lines_free(build->context, &build->lines);
    return status == NBSTAGE_OK ? build_own_lists(build, lists) : status;
}

static nbstage_status make_lists(struct build *build, struct lists *lists)
{
    if (build->options.lists == BUILD_LISTS_LUMP)
        return take_own_lists(build, lists);
    if (build_imitates(build->options.lists))
        return build_imitated_lists(
            build, build->options.pack.mode <= PACK_SHARE && !build->may_merge,
            lists);
    nbstage_status status = build_lines(build);
    if (status == NBSTAGE_OK)
        status = choose_grid(build);
    if (status == NBSTAGE_OK)
        status = build_lists(build, &build->output->grid, lists);
    return status;
}

static nbstage_status check_lists(struct build *build,
                                  const struct lists *lists)
{
    struct build_output *output = build->output;
    nbstage_status status =
        check_nodes(build->context, build->map, &build->nodes, &output->grid,
                    lists, output->pruning.fates, &output->check);
    if (build->options.lists == BUILD_LISTS_LUMP)
        prune_free(build->context, &output->pruning); // only for the check
    return status;
}

// ---------------------------------------------------------------------------
// Packing

// Merging does not help with more linedefs than the limit allows.
static bool may_merge(const struct build *build)
{
    return build->may_merge && build->options.format != BUILD_FORMAT_XBM1 &&
           lines_number_end(&build->lines) <= lump_most_lines(build->limit);
}

static void warn_of_packing(struct build *build, const struct fit *fit)
{
    const struct build_output *output = build->output;
    if (output->is_early && output->merge_count == 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing stopped at its work limit; nothing is lost, but "
                    "the lump could be smaller");
    else if (output->is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing and merging stopped at their work limit; the "
                    "limit could be met with fewer extra entries");
    if (output->merge_count > 0)
        context_log(
            build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "lists were merged %zu times to meet the %s limit: before, the "
            "lump had %llu bytes and %llu entries, now %llu and %llu, with at "
            "most %lu extra in one block",
            output->merge_count,
            build->limit == LIMIT_VANILLA ? "vanilla" : "extended",
            2 * (unsigned long long)fit->unmerged_words,
            (unsigned long long)output->entry_count,
            2 * (unsigned long long)output->measure.word_count,
            (unsigned long long)(output->entry_count +
                                 output->price.extra_count),
            (unsigned long)output->price.extra_at_worst);
}

void build_take_area(struct build *build, const struct list_area *area)
{
    struct build_output *output = build->output;
    output->header = area->header;
    output->list_count = area->stored_count;
    output->nested_count = area->nested_count;
    output->price = area->price;
    output->is_early = area->is_early;
    output->measure = lump_measure(area);
}

// Whether each list is still the ascending one of its blocks, and their builder
// has them descend.
static bool reverses_lists(const struct build *build)
{
    const struct build_options *options = &build->options;
    return build_imitates(options->lists) &&
           builder_descends(
               (enum builder_name)(options->lists - BUILD_LISTS_BUILDER)) &&
           options->pack.mode <= PACK_SHARE &&
           build->output->nested_count == 0 && build->output->merge_count == 0;
}

static nbstage_status pack(struct build *build, struct lists *lists,
                           struct list_area *area)
{
    struct build_output *output = build->output;
    struct fit fit;
    output->entry_count = lists->entry_count;
    context_begin_work(build->context, build->context->limits.work / 2);
    nbstage_status status =
        fit_pack(build->context, lists, build->options.pack,
                 may_merge(build) ? build->limit : LIMIT_NONE, area, &fit);
    if (status != NBSTAGE_OK)
        return status;
    build_take_area(build, area);
    output->merge_count = fit.merge_count;
    output->unmerged_words = fit.unmerged_words;
    if (reverses_lists(build))
        list_area_reverse(area);
    output->merge_too_dear = fit.is_too_dear;
    warn_of_packing(build, &fit);
    return NBSTAGE_OK;
}

static nbstage_status make_area(struct build *build, struct list_area *area)
{
    struct lists lists;
    nbstage_status status = make_lists(build, &lists);
    if (status != NBSTAGE_OK)
        return status;
    if (build->options.check_nodes)
        status = check_lists(build, &lists);
    if (status == NBSTAGE_OK)
        return pack(build, &lists, area);
    lists_free(build->context, &lists);
    return status;
}

// ---------------------------------------------------------------------------
// Pruning to meet the limit

// The next choice of `overflow` that can be.
static int next_choice(struct build *build)
{
    const struct build_options *options = &build->options;
    if (options->format == BUILD_FORMAT_DOOM &&
        choice_at(options->overflow, build->tried) == BUILD_OVERFLOW_XBM1)
        build->tried++;
    return choice_at(options->overflow, build->tried);
}

static void take_merging(struct build *build)
{
    for (; next_choice(build) == BUILD_OVERFLOW_MERGE; build->tried++)
        build->may_merge = true;
}

// Takes the next choices that may help; false if there are none.
static bool take_choices(struct build *build)
{
    const enum prune_policy before = build->options.prune;
    for (; next_choice(build) == BUILD_OVERFLOW_INERT ||
           next_choice(build) == BUILD_OVERFLOW_UNREACHABLE;
         build->tried++) {
        const enum prune_policy policy =
            next_choice(build) == BUILD_OVERFLOW_INERT ? PRUNE_INERT
                                                       : PRUNE_UNREACHABLE;
        if (build->options.lists == BUILD_LISTS_LUMP ||
            build->options.prune >= policy)
            continue;
        build->options.prune = policy;
        build->tried++;
        break;
    }
    const bool could_merge = build->may_merge;
    take_merging(build);
    return build->options.prune != before || build->may_merge != could_merge;
}

static nbstage_status make_area_again(struct build *build,
                                      enum prune_policy policy,
                                      struct list_area *area)
{
    list_area_free(build->context, area);
    build->pruned = false;
    build->options.prune = policy;
    return make_area(build, area);
}

// Leaves out more lines while the lump is over the limit, as far as `overflow`
// says so.
static nbstage_status prune_to_limit(struct build *build,
                                     struct list_area *area)
{
    const struct build_output *output = build->output;
    const struct lump_measure measure = output->measure;
    const enum prune_policy asked = build->options.prune;
    nbstage_status status = NBSTAGE_OK;
    if (build->options.format == BUILD_FORMAT_XBM1)
        return NBSTAGE_OK;
    while (status == NBSTAGE_OK &&
           !lump_meets(&output->measure, build->limit) && take_choices(build))
        status = make_area_again(build, build->options.prune, area);
    if (status != NBSTAGE_OK || build->options.prune == asked)
        return status;
    if (!lump_meets(&output->measure, build->limit)) {
        if (build->over_limit != BUILD_OVERFLOW_XBM1)
            return NBSTAGE_OK;
        prune_free(build->context, &build->output->pruning);
        build->is_repeat = true;
        return make_area_again(build, asked, area);
    }
    const size_t *counts = output->pruning.counts;
    size_t unreachable = 0;
    for (size_t i = PRUNE_FIRST_RULE; i < PRUNE_FATES; i++)
        unreachable += counts[i];
    context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "%zu inert and %zu unreachable linedefs are left out, as the "
                "lump would otherwise have %llu words with %llu as the "
                "largest offset, and miss the %s limit",
                counts[NBSTAGE_LEFT_OUT_INERT], unreachable,
                (unsigned long long)measure.word_count,
                (unsigned long long)measure.largest_offset,
                build->limit == LIMIT_VANILLA ? "vanilla" : "extended");
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The lump

static void choose_form(struct build *build)
{
    struct build_output *output = build->output;
    bool extended = build->options.format == BUILD_FORMAT_XBM1;
    output->over_limit =
        !extended && !lump_meets(&output->measure, build->limit);
    if (extended ||
        (output->over_limit && build->over_limit == BUILD_OVERFLOW_XBM1))
        output->form = LUMP_XBM1;
}

static nbstage_status write_lump(struct build *build, struct list_area *area)
{
    struct build_output *output = build->output;
    if (output->over_limit && output->form != LUMP_XBM1)
        return over_limit_fail_or_warn(build);
    nbstage_status status =
        lump_write(build->context, output->form, &output->grid, area,
                   &output->bytes, &output->size);
    return status == NBSTAGE_OK && output->lost_limit
               ? over_limit_warn_of_loss(build)
               : status;
}

static nbstage_status build_any_lump(struct build *build)
{
    struct list_area area;
    nbstage_status status = make_area(build, &area);
    if (status == NBSTAGE_OK)
        status = prune_to_limit(build, &area);
    if (status == NBSTAGE_OK)
        status = own_lump_keep_limit(build, &area);
    if (status != NBSTAGE_OK)
        return status;
    choose_form(build);
    status = own_lump_keep(build);
    if (status == NBSTAGE_OK && !build->output->is_kept)
        status = write_lump(build, &area);
    list_area_free(build->context, &area);
    return status;
}

// Decides what a lump over the limit becomes if neither pruning nor merging
// helps: the first other choice that can be.
static void decide_overflow(struct build *build,
                            const struct engines_needs *needs)
{
    const struct build_options *options = &build->options;
    const bool is_classic = options->format == BUILD_FORMAT_DOOM;
    build->over_limit = BUILD_OVERFLOW_ERROR;
    for (size_t i = 0; choice_at(options->overflow, i) >= 0; i++) {
        enum build_overflow choice =
            (enum build_overflow)choice_at(options->overflow, i);
        if (choice == BUILD_OVERFLOW_AUTO)
            choice = needs->read_xbm1 && !is_classic ? BUILD_OVERFLOW_XBM1
                     : needs->build_their_own        ? BUILD_OVERFLOW_EMPTY
                                                     : BUILD_OVERFLOW_ERROR;
        if (choice > BUILD_OVERFLOW_MERGE &&
            (choice != BUILD_OVERFLOW_XBM1 || !is_classic)) {
            build->over_limit = choice;
            break;
        }
    }
    take_merging(build);
}

// Decides what is left to the engines.
static void decide_options(struct build *build)
{
    const struct build_options *asked = build->asked;
    const struct engines_needs needs = engines_need(engines_of(asked->engines));
    build->options = *asked;
    if (asked->pack.header == HEADER_AUTO)
        build->options.pack.header =
            build_imitates(asked->lists) ? HEADER_ZERO : needs.header;
    build->options.keeps_smaller &= !build_imitates(asked->lists);
    build->limit = asked->limit == BUILD_LIMIT_AUTO      ? needs.limit
                   : asked->limit == BUILD_LIMIT_VANILLA ? LIMIT_VANILLA
                                                         : LIMIT_EXTENDED;
    decide_overflow(build, &needs);
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output)
{
    struct build build = {
        .context = context, .map = map, .asked = options, .output = output};
    *output = (struct build_output){.line_count = map->line_count};
    decide_options(&build);
    nbstage_status status = build_any_lump(&build);
    build_free(&build);
    if (status != NBSTAGE_OK) {
        context_release(context, output->bytes);
        prune_free(context, &output->pruning);
    }
    return status;
}
