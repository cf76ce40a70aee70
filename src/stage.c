// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks the corridor lines, grid, sweep, lists, pack, lump, and decides what
// happens when the end of it is over a limit.

#include "stage.h"

#include <stdio.h>

static bool meets(const struct lump_measure *measure, enum stage_limit limit)
{
    return limit == STAGE_LIMIT_VANILLA ? measure->meets_vanilla
                                        : measure->meets_extended;
}

static enum status pack_grid(struct context *context, const struct lines *lines,
                             const struct grid *grid, enum pack_mode mode,
                             struct list_area *area, uint64_t *touch_count)
{
    struct sweep sweep;
    struct lists lists;
    enum status status = sweep_rows(context, lines, grid, &sweep);
    if (status != STATUS_OK)
        return status;
    status = lists_build(context, grid, &sweep, &lists);
    sweep_free(context, &sweep);
    if (status != STATUS_OK)
        return status;
    *touch_count = lists.touch_count;
    status = pack_lists(context, &lists, mode, area);
    lists_free(context, &lists);
    return status;
}

// Whether another grid and packing would meet the limit.
static enum status would_meet(struct context *context,
                              const struct lines *lines,
                              enum grid_placement placement,
                              enum pack_mode mode, enum stage_limit limit,
                              bool *answer)
{
    struct grid_request request = {.placement = placement};
    struct grid grid;
    struct list_area area;
    uint64_t touch_count;
    enum status status =
        grid_choose(context, &request, lines, NULL, &grid, &placement);
    if (status == STATUS_OK)
        status = pack_grid(context, lines, &grid, mode, &area, &touch_count);
    if (status != STATUS_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    list_area_free(context, &area);
    *answer = meets(&measure, limit);
    return STATUS_OK;
}

// Finds the options that would meet the limit, tried by building with them.
static enum status find_remedy(struct context *context,
                               const struct lines *lines,
                               const struct stage_options *options,
                               const struct stage_output *output,
                               const char **remedy)
{
    const char *gentler_limit =
        options->limit == STAGE_LIMIT_VANILLA && output->measure.meets_extended
            ? "limit=extended would be met"
            : "none of the stage's options would meet it";
    *remedy = gentler_limit;
    if (options->pack == PACK_SHARE && output->placement == GRID_FIT)
        return STATUS_OK;
    bool answer;
    enum status status = would_meet(context, lines, GRID_FIT, PACK_SHARE,
                                    options->limit, &answer);
    if (status == STATUS_OK && answer)
        *remedy = options->pack == PACK_SHARE
                      ? "grid=fit would meet it"
                      : "grid=fit with pack=share would meet it";
    return status;
}

// By how much the limit is missed, and what would meet it.
static enum status describe_excess(struct context *context,
                                   const struct lines *lines,
                                   const struct stage_options *options,
                                   const struct stage_output *output,
                                   char *text, size_t text_size)
{
    const char *remedy;
    enum status status = find_remedy(context, lines, options, output, &remedy);
    if (status != STATUS_OK)
        return status;
    const struct lump_measure *measure = &output->measure;
    if (measure->meets_extended)
        snprintf(text, text_size,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d; %s",
                 (unsigned long long)measure->largest_offset,
                 (unsigned long long)measure->largest_offset -
                     LUMP_VANILLA_OFFSET,
                 LUMP_VANILLA_OFFSET, remedy);
    else
        snprintf(text, text_size,
                 "the lump has %llu words, %llu over the limit of %d; %s",
                 (unsigned long long)measure->word_count,
                 (unsigned long long)measure->word_count - LUMP_EXTENDED_WORDS,
                 LUMP_EXTENDED_WORDS, remedy);
    return STATUS_OK;
}

static enum status over_limit(struct context *context, const char *where,
                              const struct stage_options *options,
                              const char *excess, struct stage_output *output)
{
    if (options->overflow == STAGE_OVERFLOW_ERROR)
        return context_fail(context, STATUS_OVER_LIMIT, where, "%s", excess);
    output->over_limit = true;
    context_log(context, LOG_WARNING, where, "%s; the lump was left empty",
                excess);
    return STATUS_OK;
}

static enum status too_many_lines(struct context *context,
                                  const struct stage_options *options,
                                  struct stage_output *output)
{
    char excess[128];
    snprintf(excess, sizeof excess,
             "%zu linedefs are more than the %d that the lump can number",
             output->line_count, LUMP_CLASSIC_LINES);
    return over_limit(context, "LINEDEFS", options, excess, output);
}

static enum status write_or_refuse(struct context *context,
                                   const struct lines *lines,
                                   const struct list_area *area,
                                   const struct stage_options *options,
                                   struct stage_output *output)
{
    output->list_count = area->stored_count;
    output->measure = lump_measure(area);
    if (meets(&output->measure, options->limit))
        return lump_write(context, &output->grid, area, &output->bytes,
                          &output->size);
    char excess[256];
    enum status status =
        describe_excess(context, lines, options, output, excess, sizeof excess);
    if (status != STATUS_OK)
        return status;
    return over_limit(context, "BLOCKMAP", options, excess, output);
}

static enum status build_lump(struct context *context, const struct map *map,
                              const struct lines *lines,
                              const struct stage_options *options,
                              struct stage_output *output)
{
    struct grid present;
    bool has_present =
        lump_read_grid(map->blockmap, map->blockmap_size, &present);
    enum status status = grid_choose(context, &options->grid, lines,
                                     has_present ? &present : NULL,
                                     &output->grid, &output->placement);
    if (status != STATUS_OK)
        return status;
    if (lines->count > LUMP_CLASSIC_LINES)
        return too_many_lines(context, options, output);
    struct list_area area;
    status = pack_grid(context, lines, &output->grid, options->pack, &area,
                       &output->touch_count);
    if (status != STATUS_OK)
        return status;
    status = write_or_refuse(context, lines, &area, options, output);
    list_area_free(context, &area);
    return status;
}

enum status stage_build(struct context *context, const struct map *map,
                        const struct stage_options *options,
                        struct stage_output *output)
{
    *output = (struct stage_output){.line_count = map->line_count};
    struct lines lines;
    enum status status = lines_gather(context, map, &lines);
    if (status != STATUS_OK)
        return status;
    status = build_lump(context, map, &lines, options, output);
    lines_free(context, &lines);
    return status;
}
