// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks the corridor from the map to its lists, packs them, and decides what
// happens when the lump is over a limit.

#include "build.h"

#include "build-lists.h"
#include "over-limit.h"

// ---------------------------------------------------------------------------
// Packing

// Where a lump over the limit is to be made to fit.  More linedefs than the
// limit allows cannot be helped.
static enum fit_limit wanted_fit(const struct build *build)
{
    const enum fit_limit fit = build->options->fit;
    const size_t most =
        fit == FIT_VANILLA ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    if (build->options->format == BUILD_FORMAT_XBM1 ||
        lines_number_end(&build->lines) > most)
        return FIT_NONE;
    return fit;
}

// Tells what is not as the host may have wanted it.
static void tell_price(struct build *build, const struct list_area *area)
{
    const struct build_output *output = build->output;
    if (area->is_early && output->merge_count == 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing was ended early, as this map takes too much of "
                    "it; nothing is lost, but the lump could be smaller");
    else if (area->is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "packing and merging were ended early, as this map takes "
                    "too much of it; the price could be lower");
    if (output->merge_count > 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "to meet the %s limit lists were merged %zu times; blocks "
                    "list %llu lines more than the %llu that touch them, at "
                    "most %lu in one block",
                    build->options->fit == FIT_VANILLA ? "vanilla" : "extended",
                    output->merge_count,
                    (unsigned long long)area->price.extra_count,
                    (unsigned long long)output->entry_count,
                    (unsigned long)area->price.extra_at_worst);
}

static nbstage_status pack_output(struct build *build, struct lists *lists,
                                  struct list_area *area)
{
    struct build_output *output = build->output;
    nbstage_status status = NBSTAGE_OK;
    output->entry_count = lists->entry_count;
    if (build->options->check_nodes) {
        status = check_nodes(build->context, build->map, &build->nodes,
                             &output->grid, lists, output->pruning.fates,
                             &output->check);
        if (build->options->source == BUILD_SOURCE_LUMP)
            prune_free(build->context, &output->pruning); // only for the check
    }
    if (status != NBSTAGE_OK) {
        lists_free(build->context, lists);
        return status;
    }
    context_begin_work(build->context, build->context->limits.work / 2);
    status = fit_pack(build->context, lists, build->options->pack,
                      wanted_fit(build), area, &output->merge_count);
    if (status == NBSTAGE_OK)
        tell_price(build, area);
    return status;
}

// ---------------------------------------------------------------------------
// The lump

static nbstage_status leave_empty_or_fail(struct build *build)
{
    char excess[OVER_LIMIT_TEXT_SIZE];
    char remedy[OVER_LIMIT_TEXT_SIZE];
    const char *where = over_limit_lump(build);
    nbstage_status status = over_limit_advise(build, remedy);
    if (status != NBSTAGE_OK)
        return status;
    over_limit_describe(build, excess);
    if (build->options->overflow != BUILD_OVERFLOW_EMPTY)
        return context_fail(build->context, NBSTAGE_OVER_LIMIT, where, "%s; %s",
                            excess, remedy);
    context_log(build->context, NBSTAGE_LOG_WARNING, where,
                "%s; the lump was left empty; %s", excess, remedy);
    return NBSTAGE_OK;
}

static nbstage_status write_lump(struct build *build, struct list_area *area)
{
    const struct build_options *options = build->options;
    struct build_output *output = build->output;
    output->list_count = area->stored_count;
    output->nested_count = area->nested_count;
    output->price = area->price;
    output->is_early = area->is_early;
    output->measure = lump_measure(area);
    output->over_limit =
        options->format != BUILD_FORMAT_XBM1 &&
        !over_limit_is_met(&output->measure, build_limit_of(options));
    bool extended =
        options->format == BUILD_FORMAT_XBM1 ||
        (output->over_limit && options->format == BUILD_FORMAT_AUTO &&
         options->overflow == BUILD_OVERFLOW_XBM1);
    if (output->over_limit && !extended)
        return leave_empty_or_fail(build);
    output->form = extended ? LUMP_XBM1 : LUMP_CLASSIC;
    return lump_write(build->context, output->form, &output->grid, area,
                      &output->bytes, &output->size);
}

static nbstage_status build_any_lump(struct build *build)
{
    struct lists lists;
    struct list_area area;
    nbstage_status status = build_lists(build, &lists);
    if (status == NBSTAGE_OK)
        status = pack_output(build, &lists, &area);
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
