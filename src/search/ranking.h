// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which origins promise the smallest lumps, where scores do not tell exactly.

#ifndef RANKING_H
#define RANKING_H

#include "search/score.h"

// Origins to build at one time, at most.
enum { RANKING_MOST = 512 };

struct ranking {
    int32_t offsets_x, offsets_y; // how many there are

    // Words of the lump with each origin: scores, and what building it has
    // shown.  UINT64_MAX where there is no such thing.
    uint64_t *scores;
    uint64_t *built;
};

// The number of an origin in these arrays, and its offsets from that.
static inline size_t ranking_number(int32_t x, int32_t y)
{
    return (size_t)y * SCORE_OFFSETS + (size_t)x;
}

static inline int32_t ranking_x(size_t origin)
{
    return (int32_t)(origin % SCORE_OFFSETS);
}

static inline int32_t ranking_y(size_t origin)
{
    return (int32_t)(origin / SCORE_OFFSETS);
}

// Stores the origins to build first, and returns how many.
size_t ranking_lattice(const struct ranking *ranking, uint32_t *origins);

// Stores up to `most` origins to build next, RANKING_MOST at most, and returns
// how many.  `has_lattice` tells whether those of the lattice have been built;
// without it, scores alone tell what is best.
size_t ranking_best(const struct ranking *ranking, bool has_lattice,
                    size_t most, uint32_t *origins);

#endif
