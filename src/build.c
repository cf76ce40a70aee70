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
static enum fit_limit wanted_fit(const struct walk *walk)
{
    const enum fit_limit fit = walk->options->fit;
    const size_t most =
        fit == FIT_VANILLA ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    if (walk->options->format == STAGE_FORMAT_XBM1 ||
        lines_number_end(&walk->lines) > most)
        return FIT_NONE;
    return fit;
}

// Tells what is not as the host may have wanted it.
static void tell_price(struct walk *walk, const struct list_area *area)
{
    const struct stage_output *output = walk->output;
    if (area->is_early && output->merge_count == 0)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "packing was ended early, as this map takes too much of "
                    "it; nothing is lost, but the lump could be smaller");
    else if (area->is_early)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "packing and merging were ended early, as this map takes "
                    "too much of it; the price could be lower");
    if (output->merge_count > 0)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "to meet the %s limit lists were merged %zu times; blocks "
                    "list %llu lines more than the %llu that touch them, at "
                    "most %lu in one block",
                    walk->options->fit == FIT_VANILLA ? "vanilla" : "extended",
                    output->merge_count,
                    (unsigned long long)area->price.extra_count,
                    (unsigned long long)output->touch_count,
                    (unsigned long)area->price.extra_at_worst);
}

static enum status pack_output(struct walk *walk, struct lists *lists,
                               struct list_area *area)
{
    struct stage_output *output = walk->output;
    enum status status = STATUS_OK;
    output->touch_count = lists->touch_count;
    if (walk->options->check_nodes) {
        status =
            check_nodes(walk->context, walk->map, &walk->nodes, &output->grid,
                        lists, output->pruning.fates, &output->checked_segs);
        if (walk->options->source == STAGE_SOURCE_LUMP)
            prune_free(walk->context, &output->pruning); // only for the check
    }
    if (status != STATUS_OK) {
        lists_free(walk->context, lists);
        return status;
    }
    context_begin_work(walk->context, walk->context->limits.work / 2);
    status = fit_pack(walk->context, lists, walk->options->pack,
                      wanted_fit(walk), area, &output->merge_count);
    if (status == STATUS_OK)
        tell_price(walk, area);
    return status;
}

// ---------------------------------------------------------------------------
// The lump

static enum status leave_empty_or_fail(struct walk *walk)
{
    char excess[REMEDY_TEXT_SIZE];
    char remedy[REMEDY_TEXT_SIZE];
    const char *where = remedy_lump(walk);
    enum status status = remedy_find(walk, remedy);
    if (status != STATUS_OK)
        return status;
    remedy_describe_excess(walk, excess);
    if (walk->options->overflow != STAGE_OVERFLOW_EMPTY)
        return context_fail(walk->context, STATUS_OVER_LIMIT, where, "%s; %s",
                            excess, remedy);
    context_log(walk->context, LOG_WARNING, where,
                "%s; the lump was left empty; %s", excess, remedy);
    return STATUS_OK;
}

static enum status write_lump(struct walk *walk, struct list_area *area)
{
    const struct stage_options *options = walk->options;
    struct stage_output *output = walk->output;
    output->list_count = area->stored_count;
    output->nested_count = area->nested_count;
    output->price = area->price;
    output->is_early = area->is_early;
    output->measure = lump_measure(area);
    output->over_limit =
        options->format != STAGE_FORMAT_XBM1 &&
        !remedy_limit_is_met(&output->measure, stage_limit_of(options));
    bool extended =
        options->format == STAGE_FORMAT_XBM1 ||
        (output->over_limit && options->format == STAGE_FORMAT_AUTO &&
         options->overflow == STAGE_OVERFLOW_XBM1);
    if (output->over_limit && !extended)
        return leave_empty_or_fail(walk);
    output->form = extended ? LUMP_XBM1 : LUMP_CLASSIC;
    return lump_write(walk->context, output->form, &output->grid, area,
                      &output->bytes, &output->size);
}

static enum status build_lump(struct walk *walk)
{
    struct lists lists;
    struct list_area area;
    enum status status = walk_to_lists(walk, &lists);
    if (status == STATUS_OK)
        status = pack_output(walk, &lists, &area);
    if (status != STATUS_OK)
        return status;
    status = write_lump(walk, &area);
    list_area_free(walk->context, &area);
    return status;
}

enum status stage_build(struct context *context, struct map *map,
                        const struct stage_options *options,
                        struct stage_output *output)
{
    struct walk walk = {
        .context = context, .map = map, .options = options, .output = output};
    *output = (struct stage_output){.line_count = map->line_count};
    enum status status = build_lump(&walk);
    walk_free(&walk);
    if (status != STATUS_OK)
        prune_free(context, &output->pruning);
    return status;
}
