// SPDX-License-Identifier: GPL-2.0-or-later
//
// Warnings and errors for a lump that is over the games' limit, or over a limit
// that the present lump meets: by how much, and what to try.

#include "attempt.h"
#include "base/context.h"
#include "build.h"
#include "lines/grid.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_SIZE = 320 };

// Says by how much the limit is missed.
static void overflow_tell_excess(const struct made *made, char text[TEXT_SIZE])
{
    const unsigned long long lines = made->area.linedef_end;
    const unsigned long long words = made->measure.word_count;
    const unsigned long long offset = made->measure.largest_offset;
    const bool is_classic = lines <= LUMP_CLASSIC_LINES;
    const int most = is_classic ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    if (is_classic && words > LUMP_EXTENDED_WORDS)
        snprintf(text, TEXT_SIZE,
                 "the lump has %llu words, %llu over the limit of %d", words,
                 words - LUMP_EXTENDED_WORDS, LUMP_EXTENDED_WORDS);
    else if (is_classic && offset > LUMP_VANILLA_OFFSET)
        snprintf(text, TEXT_SIZE,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 offset, offset - LUMP_VANILLA_OFFSET, LUMP_VANILLA_OFFSET);
    else
        snprintf(text, TEXT_SIZE,
                 "%llu linedefs are %llu more than the %d that %s can number",
                 lines, lines - (unsigned)most, most,
                 is_classic ? "vanilla" : "a classic lump");
}

// What to try.  Nothing does more than the preset for Doom 1.9, and no option
// helps a map with too many linedefs or blocks.
static const char *overflow_advise(const struct build_options *options,
                                   const struct build_output *output)
{
    const size_t blocks = grid_block_count(&output->base.least_grid);
    const bool may_fit = output->made.area.linedef_end <= LUMP_VANILLA_LINES &&
                         LUMP_HEADER_WORDS + blocks <= LUMP_VANILLA_OFFSET;
    return may_fit && !options->tries_all ? "try preset=vanilla"
                                          : "the map has to be smaller";
}

static void overflow_warn_of_loss(const struct build_output *output,
                                  const char *advice)
{
    context_log(output->base.context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "the largest offset is %llu and was %llu; %s; %s",
                (unsigned long long)output->made.measure.largest_offset,
                (unsigned long long)output->lost_offset,
                output->form == LUMP_XBM1
                    ? "the lump is XBM1 now, which no released port reads"
                    : "offsets over 32767 crash Doom 1.9, Chocolate Doom",
                advice);
}

// Warns of a present lump that lacks solid entries, and of what became of it.
static void overflow_warn_of_missing(const struct build_options *options,
                                     const struct build_output *output)
{
    const char *ending = "so it was built anew";
    if (options->lists == ATTEMPT_LISTS_LUMP)
        ending = "which lists=lump keeps so; try lists=exact";
    else if (output->is_kept)
        ending =
            "but stays, as a new one would miss a limit that it meets; try "
            "preset=vanilla";
    if (output->missing_count > 0)
        context_log(output->base.context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the present lump lacks solid entries (%zu), %s",
                    output->missing_count, ending);
}

// Warns of a lump for any port that Doom 1.9 cannot read.
static void overflow_warn_of_vanilla(const struct build_options *options,
                                     const struct build_output *output)
{
    if (options->engines == 0 && output->form == LUMP_CLASSIC &&
        !output->is_kept && output->lost_limit == LIMIT_NONE &&
        !lump_meets(&output->made.measure, LIMIT_VANILLA))
        context_log(output->base.context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "Doom 1.9 and Chocolate Doom crash on this map; try "
                    "for=any,doom19 or preset=vanilla");
}

nbstage_status overflow_tell(const struct build_options *options,
                             const struct build_output *output, bool is_empty)
{
    struct context *context = output->base.context;
    const char *advice = overflow_advise(options, output);
    const char *lump = output->made.area.linedef_end > LUMP_CLASSIC_LINES
                           ? "LINEDEFS"
                           : "BLOCKMAP";
    char excess[TEXT_SIZE];
    char loss[TEXT_SIZE] = "";
    overflow_warn_of_missing(options, output);
    if (output->bytes) {
        if (output->lost_limit != LIMIT_NONE)
            overflow_warn_of_loss(output, advice);
        overflow_warn_of_vanilla(options, output);
        return NBSTAGE_OK;
    }
    overflow_tell_excess(&output->made, excess);
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
