// SPDX-License-Identifier: GPL-2.0-or-later
//
// The missing and extra entries of a map's blockmap.

#ifndef MISMATCHES_H
#define MISMATCHES_H

#include "blockmap/open-map.h"

// A linedef that a block should list, or should not.
struct mismatch {
    int64_t column; // in the present grid; outside it below 0 or too large
    int64_t row;
    uint32_t linedef;
};

enum { MOST_MISMATCHES = 10000 };

// By block and linedef; at most the first MOST_MISMATCHES.
struct mismatch_list {
    struct mismatch *mismatch;
    size_t count;
};

struct mismatches {
    size_t entry_count;    // that are expected
    size_t missing_count;  // in blocks with a list that can be read
    size_t outside_count;  // in blocks that the grid does not have
    size_t extra_count;    // listed in blocks that they are not in
    size_t extra_at_worst; // in one block

    // For each linedef, in how many blocks it is missing, in the grid or not.
    size_t *missing_of;

    struct mismatch_list missing;
    struct mismatch_list outside;
    struct mismatch_list extra; // only if asked for
};

// Compares the lists of a map with the expected ones, which it must have.
// Collects extra entries only with `names_extra`.
void mismatches_find(const struct open_map *map, bool names_extra,
                     struct mismatches *mismatches);

void mismatches_free(struct mismatches *mismatches);

#endif
