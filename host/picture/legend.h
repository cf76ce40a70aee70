// SPDX-License-Identifier: GPL-2.0-or-later
//
// The legend of a picture.

#ifndef LEGEND_H
#define LEGEND_H

#include "picture/drawing.h"

struct legend_size {
    double width; // pixels
    double height;
};

// Writes the legend with its upper left corner at x,y.  It is no wider than
// `most_width`, but at least one column.  Returns its size, also if the drawing
// prints nothing.
struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width);

#endif
