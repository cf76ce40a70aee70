// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first page to read: from a map to its BLOCKMAP lump.
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// make_lists has the steps up to the lists, build_any_lump the others.  The
// lists may also be those of the map's own lump, and a lump over the limit may
// be left empty.

#include "build.h"

#include "build-lists.h"

// ---------------------------------------------------------------------------
// The grid

static nbstage_status search_for_grid(struct build *build)
{
    const struct build_options *options = build->options;
    struct build_output *output = build->output;
    const struct search_request request = {
        .goal = options->goal,
        .pack = options->pack,
        .limit = build_limit(options),
        .thread_count = options->threads,
    };
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
    if (build->options->grid.placement == GRID_SEARCH)
        return search_for_grid(build);
    bool has_own = lump_read_grid(lump->bytes, lump->size, &own);
    return grid_choose(build->context, &build->options->grid, &build->lines,
                       has_own ? &own : NULL, &build->output->grid,
                       &build->output->placement);
}

// ---------------------------------------------------------------------------
// The lists

static nbstage_status take_own_lists(struct build *build, struct lists *lists)
{
    enum grid_placement placement = build->options->grid.placement;
    if (placement != GRID_AUTO && placement != GRID_KEEP)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the grid of the lump; the option grid "
                    "is not used");
    if (build->options->prune == PRUNE_INERT)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the lists of the lump; prune=inert is "
                    "not used");
    // The check of the nodes needs to know which lines are pruned.
    nbstage_status status = NBSTAGE_OK;
    if (build->options->check_nodes)
        status = build_lines(build);
    lines_free(build->context, &build->lines);
    return status == NBSTAGE_OK ? build_own_lists(build, lists) : status;
}

static nbstage_status make_lists(struct build *build, struct lists *lists)
{
    if (build->options->source == BUILD_SOURCE_LUMP)
        return take_own_lists(build, lists);
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
    if (build->options->source == BUILD_SOURCE_LUMP)
        prune_free(build->context, &output->pruning); // only for the check
    return status;
}

// ---------------------------------------------------------------------------
// Packing

// The limit that lists are merged for.  Merging does not help with more
// linedefs than the limit allows.
static enum lump_limit choose_fit(const struct build *build)
{
    const enum lump_limit fit = build->options->fit;
    if (build->options->format == BUILD_FORMAT_XBM1 ||
        lines_number_end(&build->lines) > lump_most_lines(fit))
        return LIMIT_NONE;
    return fit;
}

static void warn_of_packing(struct build *build)
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
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "lists were merged %zu times to meet the %s limit; there "
                    "are %llu extra entries beside %llu, at most %lu in one "
                    "block",
                    output->merge_count,
                    build->options->fit == LIMIT_VANILLA ? "vanilla"
                                                         : "extended",
                    (unsigned long long)output->price.extra_count,
                    (unsigned long long)output->entry_count,
                    (unsigned long)output->price.extra_at_worst);
}

static nbstage_status pack(struct build *build, struct lists *lists,
                           struct list_area *area)
{
    struct build_output *output = build->output;
    output->entry_count = lists->entry_count;
    context_begin_work(build->context, build->context->limits.work / 2);
    nbstage_status status =
        fit_pack(build->context, lists, build->options->pack, choose_fit(build),
                 area, &output->merge_count);
    if (status != NBSTAGE_OK)
        return status;
    output->list_count = area->stored_count;
    output->nested_count = area->nested_count;
    output->price = area->price;
    output->is_early = area->is_early;
    output->measure = lump_measure(area);
    warn_of_packing(build);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The lump

static nbstage_status write_lump(struct build *build, struct list_area *area)
{
    const struct build_options *options = build->options;
    struct build_output *output = build->output;
    output->over_limit = options->format != BUILD_FORMAT_XBM1 &&
                         !lump_meets(&output->measure, build_limit(options));
    bool extended =
        options->format == BUILD_FORMAT_XBM1 ||
        (output->over_limit && options->format == BUILD_FORMAT_AUTO &&
         options->overflow == BUILD_OVERFLOW_XBM1);
    if (output->over_limit && !extended)
        return over_limit_fail_or_warn(build);
    output->form = extended ? LUMP_XBM1 : LUMP_CLASSIC;
    return lump_write(build->context, output->form, &output->grid, area,
                      &output->bytes, &output->size);
}

static nbstage_status build_any_lump(struct build *build)
{
    struct lists lists;
    struct list_area area;
    nbstage_status status = make_lists(build, &lists);
    if (status != NBSTAGE_OK)
        return status;
    if (build->options->check_nodes)
        status = check_lists(build, &lists);
    if (status != NBSTAGE_OK) {
        lists_free(build->context, &lists);
        return status;
    }
    status = pack(build, &lists, &area);
    if (status != NBSTAGE_OK)
        return status;
    status = write_lump(build, &area);
    list_area_free(build->context, &area);
    return status;
}

nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output)
{
    struct build build = {
        .context = context, .map = map, .options = options, .output = output};
    *output = (struct build_output){.line_count = map->line_count};
    nbstage_status status = build_any_lump(&build);
    build_free(&build);
    if (status != NBSTAGE_OK)
        prune_free(context, &output->pruning);
    return status;
}
