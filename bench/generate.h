// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps of any size that look like levels: rooms, corridors, columns, stairs.

#ifndef GENERATE_H
#define GENERATE_H

#include "nbstage.h"

// The beginning of a struct nbstage_line, all that a blockmap is made from.
struct generated_line {
    uint32_t v1, v2;
};

struct generated_map {
    struct nbstage_vertex *vertices;
    size_t vertex_count;
    struct generated_line *lines;
    size_t line_count;
};

// Draws a map of exactly so many lines; the same number makes the same map,
// everywhere.  For generate_free().
struct generated_map generate_map(size_t line_count);

// The map as a stage takes it; it points to what was generated.
struct nbstage_map generate_view(const struct generated_map *map);

void generate_free(struct generated_map *map);

#endif
