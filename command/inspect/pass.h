// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds where movers and shots can cross a line that some blocks do not list.

#ifndef PASS_H
#define PASS_H

#include "lines/lines.h"

#include <stddef.h>
#include <stdint.h>

// How much of a line can be crossed, in map units along it.  Only this line is
// considered: its neighbours, floors and things may hold a mover all the same.
struct pass_lengths {
    double player;  // by a player's box
    double missile; // by a missile's, of radius 6, 11 or 13
    double shot;    // by a shot or a use
};

// Finds how much of a line can be crossed.  `blocks` are those that list it,
// `block_count` numbers in ascending order: row * columns + column.  `reach` is
// the number of columns and rows from the origin in which the engine finds
// blocks; 0: all.  Blocks beyond the reach count as not listing the line.  The
// steps are taken from *steps_left; once there are none, all that is not
// measured yet counts as crossed.
struct pass_lengths pass_find(struct fixed_line line, const struct grid *grid,
                              const uint32_t *blocks, size_t block_count,
                              uint32_t reach, uint64_t *steps_left);

#endif
