// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks by how many linedefs they list, in classes that get wider as numbers
// grow, and a colour for each.

#ifndef TINTS_H
#define TINTS_H

#include <stddef.h>

// Class 0 are the blocks without a linedef, the last one has no upper bound.
enum { TINT_COUNT = 20, TINT_NAME_SIZE = 48 };

// The class of a number of linedefs.
size_t tint_of(size_t length);

// "5-6": the numbers in a class.
void tint_name(size_t tint, char name[TINT_NAME_SIZE]);

// "#a0daac", where `last` is the highest class in the picture.
const char *tint_color(size_t tint, size_t last);

#endif
