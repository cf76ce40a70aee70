// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks are put into at most ten classes by how many linedefs they list.  Each
// class has a colour.

#ifndef COLOURS_H
#define COLOURS_H

#include "picture/drawing.h"

#include <stddef.h>

enum { COLOUR_COUNT = 10, COLOUR_NAME_SIZE = 48 };

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

// Writes the colours of all that is drawn for light and dark screens, for
// <style>.
void colours_write_style(const struct drawing *drawing);

#endif
