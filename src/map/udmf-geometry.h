// SPDX-License-Identifier: GPL-2.0-or-later
//
// The vertices and lines of a UDMF map.

#ifndef UDMF_GEOMETRY_H
#define UDMF_GEOMETRY_H

#include "base/context.h"

struct udmf_line {
    uint32_t v1, v2;
};

struct udmf_geometry {
    struct nbstage_vertex *vertices; // 16.16, truncated toward zero
    size_t vertex_count;
    struct udmf_line *lines;
    size_t line_count;
};

// Reads `size` bytes of text; fields and blocks that are not needed are
// skipped.
// NBSTAGE_BAD_MAP: the text breaks the grammar, a vertex lacks a coordinate or
// has one beyond 16.16, a linedef lacks a vertex; with line and column.
nbstage_status udmf_geometry_read(struct context *context, const char *text,
                                  size_t size, struct udmf_geometry *geometry);

void udmf_geometry_free(struct context *context,
                        struct udmf_geometry *geometry);

#endif
