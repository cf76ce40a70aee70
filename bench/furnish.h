// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stands in the rooms of generated maps: columns, platforms, stairs.

#ifndef FURNISH_H
#define FURNISH_H

#include "drawing.h"

// Fills a box with things of exactly so many lines together.
void furnish(struct drawing *drawing, struct box box, uint32_t lines);

#endif
