// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lump over the limit: fails or warns, and names options that would help.
//
// It tries the options that could make the lump small enough and lose nothing:
// sharing and nesting lists, first on the same grid, as demos may need that,
// then on others.  It stops at a work limit.

#include "build-lists.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXT_SIZE = 320,
    PART_OF_WORK = 8, // of what a build may take
};

// ---------------------------------------------------------------------------
// The excess

// Whether the linedefs can be numbered under the limit.
static bool linedefs_fit(const struct build *build)
{
    const enum lump_limit limit = build_limit(build->options);
    return lines_number_end(&build->lines) <= lump_most_lines(limit);
}

static void describe_lines(size_t line_end, int most, const char *what,
                           char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE,
             "%zu linedefs are %zu more than the %d that %s can number",
             line_end, line_end - (size_t)most, most, what);
}

static void describe_measure(const struct build *build, char text[TEXT_SIZE])
{
    const size_t line_end = lines_number_end(&build->lines);
    const uint64_t words = build->output->measure.word_count;
    const uint64_t offset = build->output->measure.largest_offset;
    if (line_end > LUMP_CLASSIC_LINES)
        describe_lines(line_end, LUMP_CLASSIC_LINES, "a classic lump", text);
    else if (words > LUMP_EXTENDED_WORDS)
        snprintf(text, TEXT_SIZE,
                 "the lump has %llu words, %llu over the limit of %d",
                 (unsigned long long)words,
                 (unsigned long long)words - LUMP_EXTENDED_WORDS,
                 LUMP_EXTENDED_WORDS);
    else if (offset > LUMP_VANILLA_OFFSET)
        snprintf(text, TEXT_SIZE,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 (unsigned long long)offset,
                 (unsigned long long)offset - LUMP_VANILLA_OFFSET,
                 LUMP_VANILLA_OFFSET);
    else
        describe_lines(line_end, LUMP_VANILLA_LINES, "vanilla", text);
}

// By how much the limit is missed, and why merging lists did not help if that
// was asked for.
static void describe_excess(const struct build *build, char text[TEXT_SIZE])
{
    const enum lump_limit fit = build->options->fit;
    const char *name = fit == LIMIT_VANILLA ? "vanilla" : "extended";
    uint64_t blocks = grid_block_count(&build->output->grid);
    bool is_met =
        fit == LIMIT_EXTENDED && build->output->measure.meets_extended;
    describe_measure(build, text);
    if (fit == LIMIT_NONE || is_met || !linedefs_fit(build))
        return;
    const size_t length = strlen(text);
    const size_t size = TEXT_SIZE - length;
    text += length;
    if (fit_is_hopeless(blocks, fit))
        snprintf(text, size,
                 "; fit=%s cannot meet it, as the header and the table of "
                 "offsets alone take %llu words",
                 name, (unsigned long long)(LUMP_HEADER_WORDS + blocks));
    else if (build->options->pack.mode == PACK_NONE)
        snprintf(text, size, "; fit=%s merges nothing with pack=none", name);
    else if (build->output->is_early)
        snprintf(text, size, "; fit=%s stopped at its work limit", name);
    else
        snprintf(text, size, "; fit=%s cannot meet it by merging lists", name);
}

// ---------------------------------------------------------------------------
// Trying options

struct advice {
    char text[TEXT_SIZE];
    bool is_met;   // an option has met the limit
    bool is_early; // one was not tried to the end
};

// Makes the lists of a grid.  Those of the map's own lump have no other.
static nbstage_status make_other_lists(struct build *build,
                                       enum grid_placement placement,
                                       struct lists *lists)
{
    const struct grid_request request = {.placement = placement};
    struct grid grid = build->output->grid;
    enum grid_placement taken;
    if (build->options->source == BUILD_SOURCE_LUMP)
        return build_own_lists(build, lists);
    nbstage_status status = build_lines(build);
    if (status == NBSTAGE_OK && placement != build->output->placement)
        status = grid_choose(build->context, &request, &build->lines, NULL,
                             &grid, &taken);
    return status == NBSTAGE_OK ? build_lists(build, &grid, lists) : status;
}

// More blocks or entries than a map may have are no failure of the build.
static nbstage_status try(struct build *build, enum grid_placement placement,
                          struct pack_form form, struct advice *advice)
{
    struct context *context = build->context;
    char sentence[CONTEXT_MESSAGE_SIZE];
    struct lists lists;
    struct list_area area;
    memcpy(sentence, context->message, sizeof sentence);
    nbstage_status status = make_other_lists(build, placement, &lists);
    if (status == NBSTAGE_OK)
        status = pack_lists(context, &lists, form, &area);
    if (status == NBSTAGE_OVER_LIMIT) {
        memcpy(context->message, sentence, sizeof sentence);
        advice->is_early = true;
        return NBSTAGE_OK;
    }
    if (status != NBSTAGE_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    advice->is_met = lump_meets(&measure, build_limit(build->options));
    advice->is_early |= area.is_early;
    list_area_free(context, &area);
    return NBSTAGE_OK;
}

// Names the options that a trial changes.
static void name_trial(const struct build *build, enum grid_placement placement,
                       struct pack_form form, char text[TEXT_SIZE])
{
    const struct pack_form taken = build->options->pack;
    const char *names[3] = {"", "", ""};
    size_t count = 0;
    if (placement != build->output->placement)
        names[count++] = placement == GRID_FIT ? "grid=fit" : "grid=id";
    if (form.mode != taken.mode)
        names[count++] = form.mode == PACK_SHARE ? "pack=share" : "pack=nest";
    if (form.header != taken.header)
        names[count++] = "header=none";
    snprintf(text, TEXT_SIZE, "%s%s%s%s%s would meet it", names[0],
             count > 1 ? " with " : "", names[1], count > 2 ? " and " : "",
             names[2]);
}

// Tries packings that save more than the one that was taken: sharing, nesting,
// and nesting without headers, which vanilla does not need.
static nbstage_status try_packings(struct build *build,
                                   enum grid_placement placement,
                                   struct advice *advice)
{
    const struct pack_form taken = build->options->pack;
    const struct pack_form forms[] = {{PACK_SHARE, taken.header},
                                      {PACK_NEST, taken.header},
                                      {PACK_NEST, HEADER_NONE}};
    size_t count = build_limit(build->options) == LIMIT_VANILLA ? 3 : 2;
    bool is_same_grid = placement == build->output->placement;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < count && status == NBSTAGE_OK && !advice->is_met;
         i++) {
        bool is_taken =
            forms[i].mode == taken.mode && forms[i].header == taken.header;
        if (forms[i].mode < taken.mode || (is_taken && is_same_grid))
            continue;
        if (context_work_left(build->context) > 0)
            status = try(build, placement, forms[i], advice);
        else
            advice->is_early = true;
        if (advice->is_met)
            name_trial(build, placement, forms[i], advice->text);
    }
    return status;
}

// Names what is left if no trial has met the limit.
static void name_last_resort(const struct build *build, bool is_early,
                             char text[TEXT_SIZE])
{
    const struct build_options *options = build->options;
    const enum lump_limit limit = build_limit(options);
    bool may_fit =
        options->fit == LIMIT_NONE && linedefs_fit(build) &&
        !fit_is_hopeless(grid_block_count(&build->output->grid), limit);
    const char *fit = !may_fit ? ""
                      : limit == LIMIT_VANILLA
                          ? "merging lists with fit=vanilla may meet it; "
                          : "merging lists with fit=extended may meet it; ";
    const char *resort = is_early
                             ? "no packing without loss was found to meet it"
                             : "no packing without loss would meet it";
    if (build->output->measure.meets_extended)
        resort = options->fit == LIMIT_NONE
                     ? "limit=extended would be met"
                     : "limit=extended with fit=none would be met";
    else if (options->format != BUILD_FORMAT_DOOM)
        resort = "overflow=xbm1 would write an XBM1 lump";
    snprintf(text, TEXT_SIZE, "%s%s", fit, resort);
}

static nbstage_status advise(struct build *build, struct advice *advice)
{
    const enum grid_placement placements[] = {build->output->placement,
                                              GRID_FIT, GRID_ID};
    size_t count = build->options->source == BUILD_SOURCE_LUMP ? 1 : 3;
    *advice = (struct advice){.is_early = build->output->is_early};
    nbstage_status status = NBSTAGE_OK;
    context_begin_work(build->context,
                       build->context->limits.work / PART_OF_WORK);
    for (size_t i = 0; i < count && linedefs_fit(build) && !advice->is_met &&
                       status == NBSTAGE_OK;
         i++)
        if (i == 0 || placements[i] != placements[0])
            status = try_packings(build, placements[i], advice);
    if (status == NBSTAGE_OK && !advice->is_met)
        name_last_resort(build, advice->is_early, advice->text);
    return status;
}

nbstage_status over_limit_fail_or_warn(struct build *build)
{
    char excess[TEXT_SIZE];
    struct advice advice;
    const char *lump = lines_number_end(&build->lines) > LUMP_CLASSIC_LINES
                           ? "LINEDEFS"
                           : "BLOCKMAP";
    nbstage_status status = advise(build, &advice);
    if (status != NBSTAGE_OK)
        return status;
    describe_excess(build, excess);
    if (build->options->overflow != BUILD_OVERFLOW_EMPTY)
        return context_fail(build->context, NBSTAGE_OVER_LIMIT, lump, "%s; %s",
                            excess, advice.text);
    context_log(build->context, NBSTAGE_LOG_WARNING, lump,
                "%s; the lump was left empty; %s", excess, advice.text);
    return NBSTAGE_OK;
}
