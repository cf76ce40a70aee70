// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts the missing and extra entries of a lump.

#ifndef JUDGE_H
#define JUDGE_H

#include "base/context.h"
#include "check/expected.h"
#include "check/reading.h"
#include "lump/blockmap.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/games.h"

#include <stddef.h>
#include <stdint.h>

// Listed entries, missing entries, and missing solid entries.
struct judge_count {
    size_t listed, missing, solid;
};

struct lump_judgement {
    size_t entry_count;         // expected, without those left out
    struct judge_count inside;  // in blocks with a list that can be read
    struct judge_count outside; // in blocks that the grid does not have
    size_t extra_count;         // linedefs in the wrong lists
};

// Missing entries, and missing solid entries, inside the grid and outside it.
static inline size_t judge_missing(const struct lump_judgement *judgement)
{
    return judgement->inside.missing + judgement->outside.missing;
}

static inline size_t judge_solid(const struct lump_judgement *judgement)
{
    return judgement->inside.solid + judgement->outside.solid;
}

// Counts the missing and extra entries of a lump, which must have blocks, as it
// was meant: without headers, and without lists that cannot be read.
struct lump_judgement judge_lump(const struct expected *expected,
                                 const struct blockmap *blockmap);

// The same for a reading of the kind READING_LISTS.  A 0 before a list that is
// linedef 0 to some engines is not an extra entry.
struct lump_judgement judge_reading(const struct expected *expected,
                                    const struct blockmap *blockmap,
                                    const struct reading *reading);

// Decides whether lists have headers.
void judge_headers(const struct expected *expected, struct blockmap *blockmap);

// Counts the missing entries of the present lump of a map, solid and harmless
// ones.  Linedefs with a nonzero fate may be missing; NULL: none may.  `named`
// is from games_named.  Both are 0 if the lump is absent or may take too much
// memory, or if lines cannot be placed on its grid; then `headers`, which tells
// what its lists begin with, is HEADER_NONE.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT, NBSTAGE_BAD_MAP.
nbstage_status judge_present(struct context *context, struct map *map,
                             const uint8_t *fates, game_set named,
                             enum list_header *headers, size_t *solid,
                             size_t *harmless);

#endif
