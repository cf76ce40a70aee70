// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tries the options that could make a lump small enough and lose nothing:
// sharing and nesting lists, first on the same grid, for demos may need that,
// then on others.  Where that takes too much work it is given up.

#include "over-limit.h"

#include <stdio.h>
#include <string.h>

enum { PART_OF_WORK = 8 }; // of what a build may take

bool over_limit_is_met(const struct lump_measure *measure,
                       enum build_limit limit)
{
    return limit == BUILD_LIMIT_VANILLA ? measure->meets_vanilla
                                        : measure->meets_extended;
}

// ---------------------------------------------------------------------------
// The excess

// Whether the linedefs can be numbered under the limit.
static bool linedefs_fit(const struct build *build)
{
    bool is_vanilla = build_limit_of(build->options) == BUILD_LIMIT_VANILLA;
    return lines_number_end(&build->lines) <=
           (is_vanilla ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES);
}

const char *over_limit_lump(const struct build *build)
{
    return lines_number_end(&build->lines) > LUMP_CLASSIC_LINES ? "LINEDEFS"
                                                                : "BLOCKMAP";
}

static int describe_lines(size_t line_end, int most, const char *what,
                          char text[OVER_LIMIT_TEXT_SIZE])
{
    return snprintf(text, OVER_LIMIT_TEXT_SIZE,
                    "%zu linedefs are %zu more than the %d that %s can number",
                    line_end, line_end - (size_t)most, most, what);
}

static int describe_measure(const struct build *build,
                            char text[OVER_LIMIT_TEXT_SIZE])
{
    const struct lump_measure *measure = &build->output->measure;
    const size_t line_end = lines_number_end(&build->lines);
    if (line_end > LUMP_CLASSIC_LINES)
        return describe_lines(line_end, LUMP_CLASSIC_LINES, "a classic lump",
                              text);
    if (measure->word_count > LUMP_EXTENDED_WORDS)
        return snprintf(text, OVER_LIMIT_TEXT_SIZE,
                        "the lump has %llu words, %llu over the limit of %d",
                        (unsigned long long)measure->word_count,
                        (unsigned long long)measure->word_count -
                            LUMP_EXTENDED_WORDS,
                        LUMP_EXTENDED_WORDS);
    if (measure->largest_offset > LUMP_VANILLA_OFFSET)
        return snprintf(
            text, OVER_LIMIT_TEXT_SIZE,
            "the largest offset is %llu, %llu over the vanilla limit of %d",
            (unsigned long long)measure->largest_offset,
            (unsigned long long)measure->largest_offset - LUMP_VANILLA_OFFSET,
            LUMP_VANILLA_OFFSET);
    return describe_lines(line_end, LUMP_VANILLA_LINES, "vanilla", text);
}

// Why merging lists did not help; nothing where it was not asked for.
static void describe_failed_fit(const struct build *build, char *text,
                                size_t size)
{
    const enum fit_limit fit = build->options->fit;
    const char *name = fit == FIT_VANILLA ? "vanilla" : "extended";
    uint64_t blocks = grid_block_count(&build->output->grid);
    bool is_met = fit == FIT_EXTENDED && build->output->measure.meets_extended;
    if (fit == FIT_NONE || is_met || !linedefs_fit(build))
        return;
    if (fit_is_hopeless(blocks, fit))
        snprintf(text, size,
                 "; fit=%s cannot meet it, as the header and the table of "
                 "offsets alone take %llu words",
                 name, (unsigned long long)(LUMP_HEADER_WORDS + blocks));
    else if (build->options->pack.mode == PACK_NONE)
        snprintf(text, size, "; fit=%s merges nothing with pack=none", name);
    else if (build->output->is_early)
        snprintf(text, size, "; fit=%s was given up, as merging takes too much",
                 name);
    else
        snprintf(text, size, "; fit=%s cannot meet it by merging lists", name);
}

void over_limit_describe(const struct build *build,
                         char text[OVER_LIMIT_TEXT_SIZE])
{
    int length = describe_measure(build, text);
    if (length >= 0 && length < OVER_LIMIT_TEXT_SIZE)
        describe_failed_fit(build, text + length,
                            OVER_LIMIT_TEXT_SIZE - (size_t)length);
}

// ---------------------------------------------------------------------------
// Options

struct trial {
    enum grid_placement placement;
    struct pack_form form;
};

// What trials have shown.
struct finding {
    bool is_met;   // whether one has met the limit
    bool is_early; // whether one could not be brought to its end
};

static nbstage_status try(struct build *build, const struct trial *trial,
                          struct finding *finding)
{
    struct lists lists;
    struct list_area area;
    nbstage_status status = build_other_lists(build, trial->placement, &lists);
    if (status == NBSTAGE_OK)
        status = pack_lists(build->context, &lists, trial->form, &area);
    if (status != NBSTAGE_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    finding->is_early |= area.is_early;
    list_area_free(build->context, &area);
    finding->is_met =
        over_limit_is_met(&measure, build_limit_of(build->options));
    return NBSTAGE_OK;
}

// A trial that has more blocks or touches than the map may is no failure of the
// build.
static nbstage_status would_meet(struct build *build, const struct trial *trial,
                                 struct finding *finding)
{
    struct context *context = build->context;
    char sentence[CONTEXT_MESSAGE_SIZE];
    memcpy(sentence, context->message, sizeof sentence);
    nbstage_status status = try(build, trial, finding);
    if (status != NBSTAGE_OVER_LIMIT)
        return status;
    memcpy(context->message, sentence, sizeof sentence);
    finding->is_early = true;
    return NBSTAGE_OK;
}

// Names the options of a trial that are not set as they are.
static void name_trial(const struct build *build, const struct trial *trial,
                       char text[OVER_LIMIT_TEXT_SIZE])
{
    const struct pack_form taken = build->options->pack;
    const char *names[3] = {"", "", ""};
    size_t count = 0;
    if (trial->placement != build->output->placement)
        names[count++] = trial->placement == GRID_FIT ? "grid=fit" : "grid=id";
    if (trial->form.mode != taken.mode)
        names[count++] =
            trial->form.mode == PACK_SHARE ? "pack=share" : "pack=nest";
    if (trial->form.header != taken.header)
        names[count++] = "header=none";
    snprintf(text, OVER_LIMIT_TEXT_SIZE, "%s%s%s%s%s would meet it", names[0],
             count > 1 ? " with " : "", names[1], count > 2 ? " and " : "",
             names[2]);
}

// Tries packings that save more than the one that was taken: sharing, nesting,
// and nesting without headers, which vanilla does not need.
static nbstage_status try_packings(struct build *build,
                                   enum grid_placement placement,
                                   struct finding *finding,
                                   char text[OVER_LIMIT_TEXT_SIZE])
{
    const struct pack_form taken = build->options->pack;
    const struct pack_form forms[] = {{PACK_SHARE, taken.header},
                                      {PACK_NEST, taken.header},
                                      {PACK_NEST, HEADER_NONE}};
    bool is_vanilla = build_limit_of(build->options) == BUILD_LIMIT_VANILLA;
    bool is_same = placement == build->output->placement;
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0;
         i < (is_vanilla ? 3 : 2) && status == NBSTAGE_OK && !finding->is_met;
         i++) {
        const struct trial trial = {placement, forms[i]};
        bool is_taken =
            forms[i].mode == taken.mode && forms[i].header == taken.header;
        if (forms[i].mode < taken.mode || (is_taken && is_same))
            continue;
        if (context_work_left(build->context) > 0)
            status = would_meet(build, &trial, finding);
        else
            finding->is_early = true;
        if (finding->is_met)
            name_trial(build, &trial, text);
    }
    return status;
}

// What there is if no trial has met the limit.
static void name_last_resort(const struct build *build, bool is_early,
                             char text[OVER_LIMIT_TEXT_SIZE])
{
    const struct build_options *options = build->options;
    bool is_vanilla = build_limit_of(options) == BUILD_LIMIT_VANILLA;
    const enum fit_limit fit = is_vanilla ? FIT_VANILLA : FIT_EXTENDED;
    bool may_fit =
        options->fit == FIT_NONE && linedefs_fit(build) &&
        !fit_is_hopeless(grid_block_count(&build->output->grid), fit);
    const char *resort = is_early
                             ? "no packing without loss was found to meet it"
                             : "no packing without loss would meet it";
    if (build->output->measure.meets_extended)
        resort = options->fit == FIT_NONE
                     ? "limit=extended would be met"
                     : "limit=extended with fit=none would be met";
    else if (options->format != BUILD_FORMAT_DOOM)
        resort = "overflow=xbm1 would write an XBM1 lump";
    snprintf(text, OVER_LIMIT_TEXT_SIZE, "%s%s%s%s",
             may_fit ? "merging lists with fit=" : "",
             !may_fit     ? ""
             : is_vanilla ? "vanilla"
                          : "extended",
             may_fit ? " may meet it; " : "", resort);
}

nbstage_status over_limit_advise(struct build *build,
                                 char text[OVER_LIMIT_TEXT_SIZE])
{
    const enum grid_placement placements[] = {build->output->placement,
                                              GRID_FIT, GRID_ID};
    size_t count = build->options->source == BUILD_SOURCE_LUMP ? 1 : 3;
    struct finding finding = {.is_early = build->output->is_early};
    nbstage_status status = NBSTAGE_OK;
    context_begin_work(build->context,
                       build->context->limits.work / PART_OF_WORK);
    for (size_t i = 0; i < count && linedefs_fit(build) && !finding.is_met &&
                       status == NBSTAGE_OK;
         i++)
        if (i == 0 || placements[i] != placements[0])
            status = try_packings(build, placements[i], &finding, text);
    if (status == NBSTAGE_OK && !finding.is_met)
        name_last_resort(build, finding.is_early, text);
    return status;
}
