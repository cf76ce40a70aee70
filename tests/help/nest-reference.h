// SPDX-License-Identifier: GPL-2.0-or-later
//
// How good the best nesting is, found slowly and in another way, for comparison
// with that of the stage.

#ifndef NEST_REFERENCE_H
#define NEST_REFERENCE_H

#include "lists/pack.h"

// What lists that are tails save.
struct nest_gain {
    size_t count;   // of them
    uint64_t words; // linedefs in them
};

// The best answer.  For each length, the lists at least as long are matched
// with lists that contain them, as many as can be.  No nesting can have more
// of them; and a list of n linedefs is counted n times, so that the sum is the
// number of linedefs.
struct nest_gain nest_reference_best(const struct lists *lists);

#endif
