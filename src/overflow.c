// SPDX-License-Identifier: GPL-2.0-or-later
//
// Warnings and errors for a lump that is over the games' limit, or over a limit
// that the present lump meets: by how much, and what to try.

#include "attempt.h"
#include "base/context.h"
#include "build.h"
#include "lines/grid.h"
#include "lists/pack.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_SIZE = 320 };

// Says by how much the limit that the games need is missed.
static void overflow_tell_excess(enum lump_limit limit, const struct made *made,
                                 char text[TEXT_SIZE])
{
    const unsigned long long lines = made->area.linedef_end;
    const unsigned long long words = made->measure.word_count;
    const unsigned long long offset = made->measure.largest_offset;
    const struct lump_measure *most =
        &lump_most[lines <= LUMP_CLASSIC_LINES ? limit : LIMIT_EXTENDED];
    if (lines > most->linedef_end)
        snprintf(text, TEXT_SIZE,
                 "%llu linedefs are %llu more than the %zu that %s can number",
                 lines, lines - most->linedef_end, most->linedef_end,
                 most == &lump_most[LIMIT_VANILLA] ? "vanilla"
                                                   : "a classic lump");
    else if (offset > most->largest_offset)
        snprintf(text, TEXT_SIZE,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 offset, offset - LUMP_VANILLA_OFFSET, LUMP_VANILLA_OFFSET);
    else
        snprintf(text, TEXT_SIZE,
                 "the lump has %llu words, %llu over the extended limit of %d",
                 words, words - LUMP_EXTENDED_WORDS, LUMP_EXTENDED_WORDS);
}

// Whether a lump on a grid can meet the limit, at best with one empty list for
// all blocks.
static bool overflow_may_fit(const struct build_output *output,
                             enum lump_limit limit, const struct grid *grid)
{
    const size_t most =
        limit == LIMIT_VANILLA ? LUMP_VANILLA_OFFSET : LUMP_EXTENDED_WORDS - 2;
    return output->made.area.linedef_end <= lump_most[limit].linedef_end &&
           LUMP_HEADER_WORDS + grid_block_count(grid) <= most;
}

// What to try for a lump within the limit.  No option helps a map with too many
// linedefs or blocks.
static const char *overflow_advise(const struct build_options *options,
                                   const struct build_output *output,
                                   enum lump_limit limit)
{
    if (!overflow_may_fit(output, limit, &output->base.least_grid))
        return "split the map";
    if (!overflow_may_fit(output, limit, &output->base.grid))
        return "try grid=fit";
    if (limit == LIMIT_VANILLA && !options->tries_all)
        return "try preset=vanilla";
    // Lists are merged for the limit of the games only.
    if (limit != engines_need(options->engines).limit)
        return "try for=any,doom19";
    return output->unmerged_words > 0
               ? "merging lists was not enough, so split the map"
               : "try overflow=merge";
}

// Warns of a present lump that lacks solid entries, and of what became of it.
static void overflow_warn_of_missing(const struct build_options *options,
                                     const struct build_output *output)
{
    const char *ending = "so it was built anew";
    const char *advice = "";
    if (options->lists == ATTEMPT_LISTS_LUMP) {
        ending = "which lists=lump keeps so; try lists=exact";
    } else if (output->is_kept) {
        ending = "but stays, as a new one would miss a limit that it meets; ";
        advice = overflow_advise(
            options, output,
            lump_meets(&output->made.measure, LIMIT_VANILLA) ? LIMIT_VANILLA
                                                             : LIMIT_EXTENDED);
    }
    if (output->missing_count > 0)
        context_log(output->base.context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the present lump lacks solid entries (%zu), %s%s",
                    output->missing_count, ending, advice);
}

// Tells of a lump that is over the limit, and so was not written.
static nbstage_status overflow_tell_of_none(const struct build_options *options,
                                            const struct build_output *output,
                                            bool is_empty)
{
    struct context *context = output->base.context;
    const enum lump_limit limit = engines_need(options->engines).limit;
    const char *advice = overflow_advise(options, output, limit);
    const char *lump = output->made.area.linedef_end > LUMP_CLASSIC_LINES
                           ? "LINEDEFS"
                           : "BLOCKMAP";
    char excess[TEXT_SIZE];
    char loss[TEXT_SIZE] = "";
    overflow_tell_excess(limit, &output->made, excess);
    if (!is_empty)
        return context_fail(context, NBSTAGE_OVER_LIMIT, lump, "%s; %s", excess,
                            advice);
    if (output->lost_limit == LIMIT_VANILLA)
        snprintf(loss, sizeof loss,
                 ", which Doom 1.9, Chocolate Doom cannot play; the largest "
                 "offset was %llu",
                 (unsigned long long)output->lost_offset);
    context_log(context, NBSTAGE_LOG_WARNING, lump,
                "%s; the lump was left empty%s; %s", excess, loss, advice);
    return NBSTAGE_OK;
}

nbstage_status overflow_tell(const struct build_options *options,
                             const struct build_output *output, bool is_empty)
{
    struct context *context = output->base.context;
    overflow_warn_of_missing(options, output);
    if (!output->bytes)
        return overflow_tell_of_none(options, output, is_empty);
    if (output->lost_limit != LIMIT_NONE)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the largest offset is %llu and was %llu; %s; %s",
                    (unsigned long long)output->made.measure.largest_offset,
                    (unsigned long long)output->lost_offset,
                    output->form == LUMP_XBM1
                        ? "the lump is XBM1 now, which no released port reads"
                        : "offsets over 32767 crash Doom 1.9, Chocolate Doom",
                    overflow_advise(options, output, output->lost_limit));
    else if (options->engines == 0 && output->form == LUMP_CLASSIC &&
             !output->is_kept &&
             !lump_meets(&output->made.measure, LIMIT_VANILLA))
        context_log(
            context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
            "Doom 1.9 and Chocolate Doom crash on this map; %s",
            overflow_may_fit(output, LIMIT_VANILLA, &output->base.least_grid)
                ? "try for=any,doom19 or preset=vanilla"
                : "for them, split it");
    return NBSTAGE_OK;
}
