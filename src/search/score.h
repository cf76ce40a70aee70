// SPDX-License-Identifier: GPL-2.0-or-later
//
// How large the lump would be on a grid, without building it.

#ifndef SCORE_H
#define SCORE_H

#include "base/digest.h"
#include "pack/pack.h"

// Origins along each axis, 0 to SCORE_OFFSETS - 1 map units away from the
// lines' lowest coordinate.  Farther away a grid is one of these with an empty
// column or row more.
enum { SCORE_OFFSETS = BLOCK_SIZE };

// Read by all scorers of a map.
struct score_lines {
    const struct lines *lines;
    struct digest_form form;
    uint64_t *digests;     // of the lines
    size_t run_room;       // for their runs, wherever rows begin
    uint64_t most_entries; // that they can have, wherever blocks begin
};

// Called now and then during long work, to ask whether to stop.
struct score_pause {
    bool (*is_over)(void *user);
    void *user;
};

// The digests are to be released.  NBSTAGE_OVER_LIMIT: wherever blocks begin,
// there are more entries than the context's limit.
nbstage_status score_lines_make(struct context *context,
                                const struct lines *lines,
                                struct score_lines *score_lines);

// Steps that it takes to score all grids with the same origin_y.
uint64_t score_work(const struct score_lines *score_lines);

// Scores grids with the same origin_y, from the lines' lowest x westward. After
// it is made, it may be used on any one thread.
struct scorer;

// Bytes of memory that a scorer takes.
size_t scorer_size(const struct score_lines *score_lines);

// The scorer is to be freed with context_release.
nbstage_status scorer_make(struct context *context,
                           const struct score_lines *score_lines,
                           struct scorer **scorer);

// Begins with the origin at the lines' lowest x, `offset_y` units south of
// their lowest y, 0 to SCORE_OFFSETS - 1.  False if `pause` ended it; the
// scorer can only be started again then.
bool scorer_start(struct scorer *scorer, int32_t offset_y,
                  const struct score_pause *pause);

// Moves the origin one map unit west; at most SCORE_OFFSETS - 1 times.
void scorer_move(struct scorer *scorer);

// Entries in the lists of all its blocks.
uint64_t scorer_entries(const struct scorer *scorer);

// Words of its lump.
uint64_t scorer_words(const struct scorer *scorer, enum pack_mode mode);

// The largest offset in its lump, in words.
uint64_t scorer_largest_offset(struct scorer *scorer, enum pack_mode mode);

#endif
