// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks are put into classes by how many linedefs they list.  Each class has a
// colour in picture.css.

#ifndef COLOURS_H
#define COLOURS_H

#include <stddef.h>

enum { COLOUR_COUNT = 10, COLOUR_NAME_SIZE = 48 };

// The class of a number of linedefs.  Class 0 has the blocks without any.
size_t colour_of(size_t length);

// "5-7": the numbers in a class.
void colour_name(size_t colour, char name[COLOUR_NAME_SIZE]);

#endif
