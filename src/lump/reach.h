// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which engines may lose lines that are far from the grid's origin.

#ifndef REACH_H
#define REACH_H

#include "lines/lines.h"
#include "lump/engines.h"

#include <stddef.h>
#include <stdint.h>

enum { REACH_TEXT = 400 };

struct reach {
    enum grid_loss loss; // the worst
    engine_set engines;  // that have it; 0 if all lines hold
    int32_t begins;      // the distance where it begins, map units
};

// Finds what engines lose of lines whose highest coordinates are this far from
// the grid's origin; of all engines if the set is empty.
struct reach reach_find(engine_set named, int32_t distance);

// Writes what is lost, such as "over 32752 units from the grid's origin walls
// may not block in doom19, boom, and lines reach 39999".  "" if all lines
// hold.
void reach_describe(const struct reach *reach, int32_t distance,
                    char text[REACH_TEXT]);

// What helps if lines are lost, and the grid at the lowest coordinates has its
// lines this far from its origin.
const char *reach_advise(const struct reach *reach, engine_set named,
                         int32_t least_distance);

#endif
