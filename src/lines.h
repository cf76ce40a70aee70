// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines that take part, with their coordinates beside each other.

#ifndef LINES_H
#define LINES_H

#include "nodes.h"

struct line {
    int32_t x1, y1; // start
    int32_t x2, y2; // end
};

struct lines {
    // In linedef order.  Coordinates are whole map units if unit_shift is 0,
    // 16.16 fixed point if it is 16: see lines_gather.
    struct line *line;
    size_t count;
    unsigned unit_shift;

    // What the lines span, in whole map units rounded down.
    int32_t min_x, min_y;
    int32_t max_x, max_y;
};

// Gathers the lines of a map.  When every coordinate is a whole number they
// are kept as whole numbers, which later steps handle with narrower
// arithmetic.  Vertices beyond the map's own are those of `nodes`.
// STATUS_BAD_MAP: a line refers to a vertex that neither has.
enum status lines_gather(struct context *context, const struct map *map,
                         const struct nodes *nodes, struct lines *lines);

// Widens what the lines span to all of the map's own vertices, as the grids of
// source ports do.
void lines_span_vertices(const struct map *map, struct lines *lines);

void lines_free(struct context *context, struct lines *lines);

#endif
