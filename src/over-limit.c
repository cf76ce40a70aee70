// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lump over the limit, or over one that the map's own lump meets: fails or
// warns, and names options that would help.
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
    return lines_number_end(&build->lines) <= lump_most_lines(build->limit);
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
    const struct build_output *output = build->output;
    uint64_t blocks = grid_block_count(&output->grid);
    describe_measure(build, text);
    if (!build->may_merge || !linedefs_fit(build))
        return;
    const size_t length = strlen(text);
    const size_t size = TEXT_SIZE - length;
    text += length;
    if (fit_is_hopeless(blocks, build->limit))
        snprintf(text, size,
                 "; merging lists cannot meet it, as the header and the table "
                 "of offsets alone take %llu words",
                 (unsigned long long)(LUMP_HEADER_WORDS + blocks));
    else if (build->options.pack.mode == PACK_NONE)
        snprintf(text, size, "; nothing is merged with pack=none");
    else if (output->merge_too_dear)
        snprintf(text, size,
                 "; merging lists would take more extra entries than the %llu "
                 "entries there are",
                 (unsigned long long)output->entry_count);
    else if (output->is_early)
        snprintf(text, size, "; merging lists stopped at its work limit");
    else
        snprintf(text, size, "; merging lists cannot meet it");
}

// ---------------------------------------------------------------------------
// Trying options

struct advice {
    char text[TEXT_SIZE];
    bool is_met;   // an option has met the limit
    bool is_early; // one was not tried to the end
    // The options that would merge lists; NULL if they are merged already.
    const char *merging;
};

// More blocks or entries than a map may have are no failure of the build.
static nbstage_status try(struct build *build, enum grid_placement placement,
                          struct pack_form form, struct advice *advice)
{
    struct context *context = build->context;
    char sentence[CONTEXT_MESSAGE_SIZE];
    struct lists lists;
    struct list_area area;
    memcpy(sentence, context->message, sizeof sentence);
    nbstage_status status = build_lists_again(build, placement, &lists);
    if (status == NBSTAGE_OK)
        status = pack_measure(context, &lists, form, &area);
    if (status == NBSTAGE_OVER_LIMIT) {
        memcpy(context->message, sentence, sizeof sentence);
        advice->is_early = true;
        return NBSTAGE_OK;
    }
    if (status != NBSTAGE_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    advice->is_met = lump_meets(&measure, build->limit);
    advice->is_early |= area.is_early;
    list_area_free(context, &area);
    return NBSTAGE_OK;
}

// Names the options that a trial changes.
static void name_trial(const struct build *build, enum grid_placement placement,
                       struct pack_form form, char text[TEXT_SIZE])
{
    const struct pack_form taken = build->options.pack;
    const char *names[3] = {"", "", ""};
    size_t count = 0;
    if (placement != build->output->placement)
        names[count++] = placement == GRID_FIT ? "grid=fit" : "grid=id";
    if (form.mode != taken.mode)
        names[count++] = form.mode == PACK_SHARE ? "pack=share" : "pack=nest";
    if (form.header != taken.header)
        names[count++] = build->asked->pack.header == HEADER_AUTO
                             ? "for=doom19"
                             : "header=none";
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
    const struct pack_form taken = build->options.pack;
    const struct pack_form forms[] = {{PACK_SHARE, taken.header},
                                      {PACK_NEST, taken.header},
                                      {PACK_NEST, HEADER_NONE}};
    size_t count = build->limit == LIMIT_VANILLA ? 3 : 2;
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
static void name_last_resort(const struct build *build, struct advice *advice)
{
    bool may_merge =
        advice->merging && linedefs_fit(build) &&
        !fit_is_hopeless(grid_block_count(&build->output->grid), build->limit);
    const char *resort = advice->is_early
                             ? "no packing without loss was found to meet it"
                             : "no packing without loss would meet it";
    if (build->output->measure.meets_extended)
        resort = build->limit == build->wanted ? resort
                                               : "limit=extended would be met";
    else if (build->options.format != BUILD_FORMAT_DOOM &&
             build->output->form != LUMP_XBM1 &&
             !(engines_of(build->asked->engines) & engines_without_xbm1()))
        resort = "overflow=xbm1 would write an XBM1 lump";
    if (may_merge)
        snprintf(advice->text, TEXT_SIZE,
                 "%s could meet it by merging lists; %s", advice->merging,
                 resort);
    else
        snprintf(advice->text, TEXT_SIZE, "%s", resort);
}

static nbstage_status advise(struct build *build, const char *merging,
                             struct advice *advice)
{
    const enum grid_placement placements[] = {build->output->placement,
                                              GRID_FIT, GRID_ID};
    size_t count = build->options.lists == BUILD_LISTS_EXACT ? 3 : 1;
    *advice = (struct advice){.is_early = build->output->is_early,
                              .merging = merging};
    nbstage_status status = NBSTAGE_OK;
    context_begin_work(build->context,
                       build->context->limits.work / PART_OF_WORK);
    for (size_t i = 0; i < count && linedefs_fit(build) && !advice->is_met &&
                       status == NBSTAGE_OK;
         i++)
        if (i == 0 || placements[i] != placements[0])
            status = try_packings(build, placements[i], advice);
    if (status == NBSTAGE_OK && !advice->is_met)
        name_last_resort(build, advice);
    return status;
}

// Says that the lump is empty, and what that takes from a map whose own lump
// meets the vanilla limit.
static void warn_of_empty(struct build *build, const char *lump,
                          const char *excess, const char *advice)
{
    char loss[TEXT_SIZE] = "";
    if (build->output->lost_limit && build->wanted == LIMIT_VANILLA)
        snprintf(loss, sizeof loss,
                 ", which Doom 1.9, Chocolate Doom cannot play; the largest "
                 "offset was %llu",
                 (unsigned long long)build->own_offset);
    context_log(build->context, NBSTAGE_LOG_WARNING, lump,
                "%s; the lump was left empty%s; %s", excess, loss, advice);
}

nbstage_status over_limit_fail_or_warn(struct build *build)
{
    char excess[TEXT_SIZE];
    struct advice advice;
    const char *lump = lines_number_end(&build->lines) > LUMP_CLASSIC_LINES
                           ? "LINEDEFS"
                           : "BLOCKMAP";
    nbstage_status status =
        advise(build, build->may_merge ? NULL : "overflow=merge", &advice);
    if (status != NBSTAGE_OK)
        return status;
    describe_excess(build, excess);
    if (build->over_limit != BUILD_OVERFLOW_EMPTY)
        return context_fail(build->context, NBSTAGE_OVER_LIMIT, lump, "%s; %s",
                            excess, advice.text);
    warn_of_empty(build, lump, excess, advice.text);
    return NBSTAGE_OK;
}

nbstage_status over_limit_warn_of_loss(struct build *build)
{
    const struct build_output *output = build->output;
    const bool was_vanilla = build->wanted == LIMIT_VANILLA;
    const enum lump_limit limit = build->limit;
    struct advice advice;
    build->limit = build->wanted;
    nbstage_status status = advise(
        build,
        was_vanilla ? "limit=vanilla with overflow=merge" : "overflow=merge",
        &advice);
    build->limit = limit;
    if (status == NBSTAGE_OK)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the largest offset is %llu and was %llu; %s; %s",
                    (unsigned long long)output->measure.largest_offset,
                    (unsigned long long)build->own_offset,
                    output->form == LUMP_XBM1
                        ? "the lump is XBM1 now, which only Woof and Odamex "
                          "since 2026 read"
                        : "offsets over 32767 crash Doom 1.9, Chocolate Doom",
                    advice.text);
    return status;
}
