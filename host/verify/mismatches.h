// SPDX-License-Identifier: GPL-2.0-or-later
//
// The missing and extra entries of a map's blockmap.

#ifndef MISMATCHES_H
#define MISMATCHES_H

#include "blockmap/clip.h"
#include "blockmap/open-map.h"

// A linedef that a block should list, or should not.
struct mismatch {
    int64_t column; // in the present grid; outside it below 0 or too large
    int64_t row;
    uint32_t linedef;
};

// The south-west corner of the block, in map units.
int64_t mismatch_x(const struct open_map *map, const struct mismatch *mismatch);
int64_t mismatch_y(const struct open_map *map, const struct mismatch *mismatch);

// How much of the linedef lies in the block, if it is missing there.
struct clip mismatch_clip(const struct open_map *map,
                          const struct mismatch *mismatch);

enum { MOST_MISMATCHES = 10000 };

struct mismatch_list {
    size_t found;
    size_t harmful; // of these, missing ones that matter

    // By block and linedef; at most the first MOST_MISMATCHES harmless missing
    // ones, and as many others.
    struct mismatch *mismatch;
    size_t count;
    size_t harmless_count; // of these
};

// What is wrong with a block, as bits.
enum {
    MISMATCH_HARMFUL = 1, // entries are missing
    MISMATCH_HARMLESS = 2,
    MISMATCH_EXTRA = 4,
};

struct mismatches {
    size_t entry_count;           // that are expected
    struct mismatch_list missing; // in blocks with a list that can be read
    struct mismatch_list outside; // in blocks that the grid does not have
    struct mismatch_list extra;   // in the wrong blocks; collected if asked for
    size_t extra_at_worst;        // in one block

    // For each block of the expected grid what is missing, and for each block
    // of the present one what is extra.
    unsigned char *in_expected;
    unsigned char *in_present;
};

// Compares the lists of a map with the expected ones, which it must have.
// Collects extra entries only with `names_extra`.
void mismatches_find(const struct open_map *map, bool names_extra,
                     struct mismatches *mismatches);

void mismatches_free(struct mismatches *mismatches);

#endif
