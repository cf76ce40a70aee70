// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much of a linedef lies in a block.

#ifndef CLIP_H
#define CLIP_H

#include "lines/lines.h"

#include <stdbool.h>
#include <stddef.h>

// What of a linedef lies in a block that it is in, in map units: 0 if only a
// point does, which may be the block's south-west corner.
struct clip {
    double length;
    bool is_corner;
    double x1, y1; // where it begins and ends
    double x2, y2;
};

// `x` and `y`: the block's south-west corner in map units.
struct clip clip_linedef(const struct lines *lines, size_t linedef, double x,
                         double y);

double clip_length(const struct lines *lines, size_t linedef);

#endif
