// SPDX-License-Identifier: GPL-2.0-or-later
//
// How large the lump would be on a grid, without building it.

#ifndef SCORE_H
#define SCORE_H

#include "base/context.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lists/pack.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Origins along each axis, 0 to SCORE_OFFSETS - 1 map units away from the
// lines' lowest coordinate.  Farther away a grid is one of these with an empty
// column or row more.
enum { SCORE_OFFSETS = BLOCK_SIZE };

// Scores grids with the same origin_y, from the lines' lowest x westward.
struct scorer;

// Scores lumps whose lists are shared, each with such a header.  The scorer is
// to be freed with context_release, before the lines.
// NBSTAGE_OVER_LIMIT: wherever blocks begin, there are more entries than the
// context's limit.
nbstage_status scorer_make(struct context *context, const struct lines *lines,
                           enum list_header header, struct scorer **scorer);

// Steps that it takes to score all grids with the same origin_y.
uint64_t scorer_work(const struct scorer *scorer);

// Reports that all grids up to an offset_y are scored.
static inline nbstage_status scorer_report(struct context *context,
                                           int32_t offset_y)
{
    return context_progress(context, (size_t)offset_y, SCORE_OFFSETS);
}

// Begins with the origin at the lines' lowest x, `offset_y` units south of
// their lowest y, 0 to SCORE_OFFSETS - 1.  NBSTAGE_CANCELLED: the scorer can
// only be started again then.
nbstage_status scorer_start(struct context *context, struct scorer *scorer,
                            int32_t offset_y);

// Moves the origin one map unit west; at most SCORE_OFFSETS - 1 times.  Returns
// whether this changes the lump at all.
bool scorer_move(struct scorer *scorer);

// Entries in the lists of all its blocks.
uint64_t scorer_entries(const struct scorer *scorer);

// Words of its lump.
uint64_t scorer_words(const struct scorer *scorer);

// The largest offset in its lump, in words.
uint64_t scorer_largest_offset(struct scorer *scorer);

#endif
