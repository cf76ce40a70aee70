// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks are put into at most ten classes by how many linedefs they list.  Each
// class has a colour.

#ifndef COLOURS_H
#define COLOURS_H

#include <stdbool.h>
#include <stddef.h>

enum { COLOUR_COUNT = 10, COLOUR_NAME_SIZE = 48, COLOUR_CODE_SIZE = 12 };

// The classes of a blockmap.  Class 0 has the blocks without a linedef.
struct colours {
    const size_t *first; // for each class, its least number
    size_t last;         // the highest class that a block is in
};

// The classes if the longest list has so many linedefs.
struct colours colours_for(size_t longest);

// The class of a number of linedefs.
size_t colour_of(struct colours colours, size_t length);

// "5-6": the numbers in a class.
void colour_name(struct colours colours, size_t colour,
                 char name[COLOUR_NAME_SIZE]);

// The colour of a class, such as "#a0daac", or a grey.  With `is_dark`, for a
// dark background.
void colour_code(struct colours colours, size_t colour, bool is_grey,
                 bool is_dark, char color[COLOUR_CODE_SIZE]);

#endif
