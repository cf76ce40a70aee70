// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map that is being drawn: chance, vertices and lines.

#ifndef DRAWING_H
#define DRAWING_H

#include "generate.h"

#include <stdbool.h>

struct point {
    int32_t x, y; // map units from the district's south-west corner
};

// South-west and north-east corner.
struct box {
    struct point low, high;
};

struct drawing {
    struct generated_map *map; // with memory for all there will be
    size_t lines_left;
    uint64_t random_state;
    struct point origin; // of the district, in coordinates of the map
    bool turned;         // the district has x and y exchanged
    int32_t stretch;     // how many times wider than high parts of rooms are
    struct point snap;   // coordinates are multiples of this
};

// A number below `count`, which is not 0.
uint32_t random_below(struct drawing *drawing, uint32_t count);

// A number from `low` to `high`; `low` if that is the higher.
int32_t random_between(struct drawing *drawing, int32_t low, int32_t high);

// Adds a vertex and returns its number.
uint32_t add_vertex(struct drawing *drawing, struct point point);

void add_line(struct drawing *drawing, uint32_t v1, uint32_t v2);

// Draws lines from point to point and back to the first; returns the number of
// its vertex, which the others follow.
uint32_t add_ring(struct drawing *drawing, const struct point *points,
                  size_t count);

#endif
