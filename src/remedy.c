// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tries the options that could make a lump small enough and lose nothing:
// sharing and nesting lists, first on the same grid, for demos may need that,
// then on others.

#include "remedy.h"

#include <stdio.h>

bool remedy_limit_is_met(const struct lump_measure *measure,
                         enum stage_limit limit)
{
    return limit == STAGE_LIMIT_VANILLA ? measure->meets_vanilla
                                        : measure->meets_extended;
}

// ---------------------------------------------------------------------------
// The excess

const char *remedy_lump(const struct walk *walk)
{
    return lines_number_end(&walk->lines) > LUMP_CLASSIC_LINES ? "LINEDEFS"
                                                               : "BLOCKMAP";
}

static int describe_lines(size_t line_end, int most, const char *what,
                          char text[REMEDY_TEXT_SIZE])
{
    return snprintf(text, REMEDY_TEXT_SIZE,
                    "%zu linedefs are %zu more than the %d that %s can number",
                    line_end, line_end - (size_t)most, most, what);
}

static int describe_measure(const struct walk *walk,
                            char text[REMEDY_TEXT_SIZE])
{
    const struct lump_measure *measure = &walk->output->measure;
    const size_t line_end = lines_number_end(&walk->lines);
    if (line_end > LUMP_CLASSIC_LINES)
        return describe_lines(line_end, LUMP_CLASSIC_LINES, "a classic lump",
                              text);
    if (measure->word_count > LUMP_EXTENDED_WORDS)
        return snprintf(text, REMEDY_TEXT_SIZE,
                        "the lump has %llu words, %llu over the limit of %d",
                        (unsigned long long)measure->word_count,
                        (unsigned long long)measure->word_count -
                            LUMP_EXTENDED_WORDS,
                        LUMP_EXTENDED_WORDS);
    if (measure->largest_offset > LUMP_VANILLA_OFFSET)
        return snprintf(
            text, REMEDY_TEXT_SIZE,
            "the largest offset is %llu, %llu over the vanilla limit of %d",
            (unsigned long long)measure->largest_offset,
            (unsigned long long)measure->largest_offset - LUMP_VANILLA_OFFSET,
            LUMP_VANILLA_OFFSET);
    return describe_lines(line_end, LUMP_VANILLA_LINES, "vanilla", text);
}

void remedy_describe_excess(const struct walk *walk,
                            char text[REMEDY_TEXT_SIZE])
{
    int length = describe_measure(walk, text);
    enum fit_limit fit = walk->options->fit;
    uint64_t blocks = grid_block_count(&walk->output->grid);
    if (length < 0 || fit == FIT_NONE || walk->options->pack.mode == PACK_NONE)
        return;
    text += length;
    size_t room = REMEDY_TEXT_SIZE - (size_t)length;
    if (fit_is_hopeless(blocks, fit))
        snprintf(text, room,
                 ", and no merging can meet it, as header and offsets alone "
                 "take %llu words",
                 (unsigned long long)(LUMP_HEADER_WORDS + blocks));
    else if (walk->output->merge_count == 0)
        snprintf(text, room, ", and no merging of lists is enough");
}

// ---------------------------------------------------------------------------
// Options

struct trial {
    enum grid_placement placement;
    enum pack_mode mode;
};

static enum status would_meet(struct walk *walk, struct trial trial,
                              bool *answer)
{
    struct lists lists;
    struct list_area area;
    const struct pack_form form = {trial.mode, walk->options->pack.header};
    enum status status = walk_to_other_lists(walk, trial.placement, &lists);
    if (status == STATUS_OK)
        status = pack_lists(walk->context, &lists, form, &area);
    if (status != STATUS_OK)
        return status;
    struct lump_measure measure = lump_measure(&area);
    list_area_free(walk->context, &area);
    *answer = remedy_limit_is_met(&measure, walk->options->limit);
    return STATUS_OK;
}

static void name_trial(const struct walk *walk, struct trial trial,
                       char text[REMEDY_TEXT_SIZE])
{
    const char *grid = trial.placement == walk->output->placement ? ""
                       : trial.placement == GRID_FIT              ? "grid=fit"
                                                                  : "grid=id";
    const char *pack = trial.mode == walk->options->pack.mode ? ""
                       : trial.mode == PACK_SHARE             ? "pack=share"
                                                              : "pack=nest";
    snprintf(text, REMEDY_TEXT_SIZE, "%s%s%s would meet it", grid,
             *grid && *pack ? " with " : "", pack);
}

// Tries packings that save more than the one that was taken.
static enum status try_packings(struct walk *walk,
                                enum grid_placement placement, bool *answer,
                                char text[REMEDY_TEXT_SIZE])
{
    enum pack_mode taken = walk->options->pack.mode;
    bool is_same = placement == walk->output->placement;
    enum status status = STATUS_OK;
    for (enum pack_mode mode = PACK_SHARE;
         mode <= PACK_NEST && status == STATUS_OK && !*answer; mode++) {
        const struct trial trial = {placement, mode};
        if (mode < taken || (mode == taken && is_same))
            continue;
        status = would_meet(walk, trial, answer);
        if (*answer)
            name_trial(walk, trial, text);
    }
    return status;
}

// What there is if no trial has met the limit.
static const char *last_resort(const struct walk *walk)
{
    const struct stage_options *options = walk->options;
    if (walk->output->measure.meets_extended)
        return "limit=extended would be met";
    if (options->format != STAGE_FORMAT_DOOM)
        return "overflow=xbm1 would write an XBM1 lump";
    if (options->source == STAGE_SOURCE_LUMP)
        return "no packing that keeps its lists would meet it";
    return "sharing or nesting lists on the grids of fit and id would not meet "
           "it either";
}

enum status remedy_find(struct walk *walk, char text[REMEDY_TEXT_SIZE])
{
    const enum grid_placement placements[] = {walk->output->placement, GRID_FIT,
                                              GRID_ID};
    bool has_lump_grid = walk->options->source == STAGE_SOURCE_LUMP;
    bool lines_fit =
        lines_number_end(&walk->lines) <=
        (walk->options->limit == STAGE_LIMIT_VANILLA ? LUMP_VANILLA_LINES
                                                     : LUMP_CLASSIC_LINES);
    enum status status = STATUS_OK;
    bool answer = false;
    for (size_t i = 0; i < (has_lump_grid ? 1 : 3) && lines_fit && !answer &&
                       status == STATUS_OK;
         i++)
        if (i == 0 || placements[i] != placements[0])
            status = try_packings(walk, placements[i], &answer, text);
    if (status == STATUS_OK && !answer)
        snprintf(text, REMEDY_TEXT_SIZE, "%s", last_resort(walk));
    return status;
}
