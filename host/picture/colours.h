// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks by how many linedefs they list, in at most ten classes that get wider
// as numbers grow, and a colour for each.

#ifndef TINTS_H
#define TINTS_H

#include <stdbool.h>
#include <stddef.h>

enum { TINT_COUNT = 10, TINT_NAME_SIZE = 48, TINT_COLOR_SIZE = 12 };

// The classes of a blockmap.  Class 0 are the blocks without a linedef.
struct tints {
    const size_t *first; // for each class, its least number
    size_t last;         // the highest class that a block is in
};

// The classes where the longest list has so many linedefs.
struct tints tints_for(size_t longest);

// The class of a number of linedefs.
size_t tint_of(struct tints tints, size_t length);

// "5-6": the numbers in a class.
void tint_name(struct tints tints, size_t tint, char name[TINT_NAME_SIZE]);

// "#a0daac": from light to dark, or on a dark background from dark to light.
void tint_color(struct tints tints, size_t tint, bool is_dark,
                char color[TINT_COLOR_SIZE]);

#endif
