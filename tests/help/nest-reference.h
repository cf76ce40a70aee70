// SPDX-License-Identifier: GPL-2.0-or-later
//
// What nestings are held against: one that is not the best, as it never
// changes its mind, and how good the best one is, found slowly and in another
// way.

#ifndef NEST_REFERENCE_H
#define NEST_REFERENCE_H

#include "pack/nest.h"

// What lists that are tails save.
struct nest_gain {
    size_t count;   // of them
    uint64_t words; // linedefs in them
};

struct nest_gain nest_gain(const struct lists *lists,
                           const struct nesting *nesting);

// Whether a list has all linedefs of another, and more.
bool nest_reference_contains(const struct lists *lists, size_t outer,
                             size_t inner);

// The greedy answer: from large to small, each list becomes the tail of the
// smallest list that contains it and has no tail.
struct nest_gain nest_reference_greedy(const struct lists *lists);

// The best answer.  For each length, the lists at least as long are matched
// with lists that contain them, as many as can be.  No nesting can have more
// of them; and a list of n linedefs is counted n times, so that the sum is the
// number of linedefs.
struct nest_gain nest_reference_best(const struct lists *lists);

// Checks that tails and the lists that they are tails of know each other, that
// these contain them, and that the totals are right.
void nest_reference_check(const struct lists *lists,
                          const struct nesting *nesting);

#endif
