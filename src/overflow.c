// SPDX-License-Identifier: GPL-2.0-or-later
//
// Warnings and errors for a lump that is over the games' limit, or over a limit
// that the present lump meets: by how much, and what to try.

#include "build.h"

#include <stdio.h>

enum { TEXT_SIZE = 320 };

// Says by how much the limit that the games need is missed.
static void overflow_tell_excess(const struct build *build,
                                 char text[TEXT_SIZE])
{
    const unsigned long long lines = build->measure.linedef_end;
    const unsigned long long words = build->measure.word_count;
    const unsigned long long offset = build->measure.largest_offset;
    const bool is_vanilla =
        build->needs.limit == LIMIT_VANILLA && lines <= LUMP_CLASSIC_LINES;
    const struct lump_measure *most =
        &lump_most[is_vanilla ? LIMIT_VANILLA : LIMIT_EXTENDED];
    if (lines > most->linedef_end)
        snprintf(text, TEXT_SIZE,
                 "%llu linedefs are %llu more than the %zu that %s can number",
                 lines, lines - most->linedef_end, most->linedef_end,
                 is_vanilla ? "vanilla" : "a classic lump");
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

bool overflow_may_meet(const struct build *build, enum lump_limit limit,
                       const struct grid *grid)
{
    const uint64_t lists_begin = LUMP_HEADER_WORDS + grid_block_count(grid);
    const struct lump_measure least = {lists_begin + 2, lists_begin,
                                       build->area.linedef_end};
    return lump_meets(&least, limit);
}

// What to try for a lump within the limit.  No option helps a map with too many
// linedefs or blocks.
static const char *overflow_advise(const struct build *build,
                                   enum lump_limit limit)
{
    if (!overflow_may_meet(build, limit, &build->least_grid))
        return "split the map";
    if (!overflow_may_meet(build, limit, &build->grid))
        return "try grid=fit";
    if (limit == LIMIT_VANILLA && !build->options->tries_all)
        return "try preset=vanilla";
    // Lists are merged for the limit of the games only.
    if (limit != build->needs.limit)
        return "try for=any,doom19";
    return build->unmerged_words > 0
               ? "merging lists was not enough, so split the map"
               : "try overflow=merge";
}

// Warns of a present lump that lacks solid entries, and of what became of it.
static void overflow_warn_of_missing(const struct build *build)
{
    const char *ending = "so it was built anew";
    const char *advice = "";
    if (build->options->lists == BUILD_LISTS_LUMP) {
        ending = "which lists=lump keeps so; try lists=exact";
    } else if (build->is_kept) {
        ending = "but stays, as a new one would miss a limit that it meets; ";
        advice = overflow_advise(
            build, lump_meets(&build->measure, LIMIT_VANILLA) ? LIMIT_VANILLA
                                                              : LIMIT_EXTENDED);
    }
    if (build->missing_count > 0)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the present lump lacks solid entries (%zu), %s%s",
                    build->missing_count, ending, advice);
}

// Tells of a lump that is over the limit, and so was not written.
static nbstage_status overflow_tell_of_none(const struct build *build)
{
    const char *advice = overflow_advise(build, build->needs.limit);
    const char *lump = build->measure.linedef_end > LUMP_CLASSIC_LINES
                           ? "LINEDEFS"
                           : "BLOCKMAP";
    char excess[TEXT_SIZE];
    char loss[TEXT_SIZE] = "";
    overflow_tell_excess(build, excess);
    if (build->overflow != BUILD_OVERFLOW_EMPTY)
        return context_fail(build->context, NBSTAGE_OVER_LIMIT, lump, "%s; %s",
                            excess, advice);
    if (build->lost_limit == LIMIT_VANILLA)
        snprintf(loss, sizeof loss,
                 ", which Doom 1.9, Chocolate Doom cannot play; the largest "
                 "offset was %llu",
                 (unsigned long long)build->present.measure.largest_offset);
    context_log(build->context, NBSTAGE_LOG_WARNING, lump,
                "%s; the lump was left empty%s; %s", excess, loss, advice);
    return NBSTAGE_OK;
}

nbstage_status overflow_tell(const struct build *build)
{
    overflow_warn_of_missing(build);
    if (!build->bytes)
        return overflow_tell_of_none(build);
    if (build->lost_limit != LIMIT_NONE)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the largest offset is %llu and was %llu; %s; %s",
                    (unsigned long long)build->measure.largest_offset,
                    (unsigned long long)build->present.measure.largest_offset,
                    build->form == LUMP_XBM1
                        ? "the lump is XBM1 now, which no released port reads"
                        : "offsets over 32767 crash Doom 1.9, Chocolate Doom",
                    overflow_advise(build, build->lost_limit));
    else if (build->options->engines == 0 && build->form == LUMP_CLASSIC &&
             !build->is_kept && !lump_meets(&build->measure, LIMIT_VANILLA))
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "Doom 1.9 and Chocolate Doom crash on this map; %s",
                    overflow_may_meet(build, LIMIT_VANILLA, &build->least_grid)
                        ? "try for=any,doom19 or preset=vanilla"
                        : "for them, split it");
    return NBSTAGE_OK;
}
