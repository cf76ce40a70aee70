// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search for the grid whose lump is the smallest that meets a limit.

#ifndef SEARCH_H
#define SEARCH_H

#include "base/context.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct search_request {
    enum lump_limit limit; // to meet before size counts
    struct pack_form pack;
};

struct search_answer {
    struct grid grid;
    size_t scored_count; // origins
    size_t built_count;  // of these, those whose lumps were built
    // Whether the work limit left out some that might be better.
    bool is_early;
};

// Tries the origins from the lines' lowest coordinates to 127 units south and
// west of them, as far as they are 16-bit numbers.  Their order is by y, then
// by x, away from the lines' lowest coordinates.  The answer is the smallest of
// those that meet the limit, or if none does, of all; of equally good ones the
// first.
//
// Unless the packing is PACK_SHARE with HEADER_ZERO, this is the best of the
// best by score, whose lumps are built.
//
// The context's limit bounds the work.  If it is not enough for all origins,
// the first along y are tried; if it is not enough for all lumps, fewer of them
// are built, and packing them may end early.
//
// NBSTAGE_CANCELLED, NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT.
nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_answer *answer);

// ---------------------------------------------------------------------------
// The score: how large the lump would be on a grid, without building it

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
