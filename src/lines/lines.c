// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up the two vertices of every linedef once, so many lines at a time that
// they fit into the processor's nearest cache.  While they are there, what they
// span is found.

#include "lines/lines.h"

#include "base/vector.h"
#include "map/nodes.h"

#include <stdio.h>
#include <string.h>

enum {
    LINES_AHEAD = 1024, // bytes; vertices are mostly in the order of lines
};

static nbstage_status lines_fail_at_vertex(struct context *context,
                                           const struct map *map, size_t line)
{
    const size_t count = map->vertex_count + map->added_count;
    const struct map_ends ends =
        map_get_ends(map->lines.type, &map->lines, line);
    const bool is_given = map->lines_are_given;
    char added[48] = "";
    if (map->added_count > 0)
        snprintf(added, sizeof added, ", and its nodes add %zu",
                 map->added_count);
    return context_fail(
        context, NBSTAGE_BAD_MAP,
        is_given                             ? "lines"
        : map->format == NBSTAGE_FORMAT_UDMF ? "TEXTMAP"
                                             : "LINEDEFS",
        "%s %zu refers to vertex %lu, which does not exist; the map has "
        "%zu%s",
        is_given ? "line" : "linedef", line,
        (unsigned long)(ends.v1 < count ? ends.v2 : ends.v1), map->vertex_count,
        added);
}

// Stores the ends of a group of lines; returns where the group ends, or the
// first line of which a vertex does not exist.  With constant types the
// compiler makes a fast loop.  Words of LUMP_I16, x in the low half, stay as
// they are, in x1 and x2, because fewer words to store are faster.
VECTOR_BODY size_t lines_gather_types(const struct map *map,
                                      uint32_t vertex_type, uint32_t line_type,
                                      size_t g, struct lines *lines)
{
    const struct lines_mark seek = lines->mark;
    const size_t vertex_count = map->vertex_count + map->added_count;
    const size_t begin = g * LINES_GROUP;
    const size_t end = lines_group_end(lines->count, g);
    struct map_pairs vertices = map->vertices, pairs = map->lines;
    size_t i = begin;
    pairs.bytes += begin * pairs.stride;
    if (vertex_type == LUMP_I16)
        vertices.stride = 2 * sizeof(int16_t);
    for (; i < end; i++, pairs.bytes += pairs.stride) {
        const struct map_ends ends = map_get_ends(line_type, &pairs, 0);
        uint16_t bits;
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            break;
        if (!(line_type & ARRAY_LUMP)) {
            PREFETCH(pairs.bytes, LINES_AHEAD);
            PREFETCH(vertices.bytes + ends.v1 * vertices.stride, LINES_AHEAD);
        }
        memcpy(&bits, pairs.bytes + seek.offset, sizeof bits);
        if (bits == seek.bits)
            lines->mark.is_seen = true;
        if (vertex_type == LUMP_I16) {
            lines->x1[i] = (int32_t)bytes_get_u32(vertices.bytes +
                                                  ends.v1 * vertices.stride);
            lines->x2[i] = (int32_t)bytes_get_u32(vertices.bytes +
                                                  ends.v2 * vertices.stride);
        } else {
            const struct map_vertex start =
                map_get_vertex(vertex_type, &vertices, ends.v1);
            const struct map_vertex last =
                map_get_vertex(vertex_type, &vertices, ends.v2);
            lines->x1[i] = start.x;
            lines->y1[i] = start.y;
            lines->x2[i] = last.x;
            lines->y2[i] = last.y;
        }
    }
    return i;
}

static size_t lines_gather_group(const struct map *map, size_t g,
                                 struct lines *lines)
{
    const uint32_t points = map->vertices.type, ends = map->lines.type;
    if (points == LUMP_I16 && ends == LUMP_U16)
        return lines_gather_types(map, LUMP_I16, LUMP_U16, g, lines);
    if (points == NBSTAGE_I16 && ends == NBSTAGE_U16)
        return lines_gather_types(map, NBSTAGE_I16, NBSTAGE_U16, g, lines);
    if (points == NBSTAGE_FIXED && ends == NBSTAGE_U32)
        return lines_gather_types(map, NBSTAGE_FIXED, NBSTAGE_U32, g, lines);
    return lines_gather_types(map, points, ends, g, lines);
}

// ---------------------------------------------------------------------------
// What the lines span

static const struct lines lines_none = {.min_x = INT32_MAX,
                                        .min_y = INT32_MAX,
                                        .max_x = INT32_MIN,
                                        .max_y = INT32_MIN};

VECTOR_BODY void lines_span(struct lines *lines, int32_t x, int32_t y)
{
    lines->min_x = x < lines->min_x ? x : lines->min_x;
    lines->min_y = y < lines->min_y ? y : lines->min_y;
    lines->max_x = x > lines->max_x ? x : lines->max_x;
    lines->max_y = y > lines->max_y ? y : lines->max_y;
}

// Unpacks the ends of lines if need be, and finds what they span.
VECTOR_FUNCTION
static void lines_span_group(size_t begin, size_t end, bool are_packed,
                             struct lines *lines)
{
    struct lines span = lines_none;
    for (size_t i = begin; i < end && are_packed; i++) {
        const uint32_t start = (uint32_t)lines->x1[i];
        const uint32_t last = (uint32_t)lines->x2[i];
        lines->x1[i] = (int32_t)(start << 16);
        lines->y1[i] = (int32_t)(start & 0xFFFF0000);
        lines->x2[i] = (int32_t)(last << 16);
        lines->y2[i] = (int32_t)(last & 0xFFFF0000);
    }
    for (size_t i = begin; i < end; i++) {
        lines_span(&span, lines->x1[i], lines->y1[i]);
        lines_span(&span, lines->x2[i], lines->y2[i]);
    }
    lines_span(lines, span.min_x >> 16, span.min_y >> 16);
    lines_span(lines, span.max_x >> 16, span.max_y >> 16);
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    for (size_t i = 0; i < map->vertex_count; i++) {
        const struct map_vertex at =
            map_get_vertex(map->vertices.type, &map->vertices, i);
        lines_span(lines, at.x >> 16, at.y >> 16);
    }
}

// ---------------------------------------------------------------------------
// All lines

nbstage_status lines_gather(struct context *context, struct map *map,
                            const struct lines_mark *mark, struct lines *lines)
{
    const size_t group_count = lines_group_count(map->line_count);
    bool were_nodes_read = false;
    *lines = lines_none;
    lines->count = map->line_count;
    lines->mark =
        mark ? *mark
             : (struct lines_mark){.bits = LINES_NO_MARK, .is_seen = true};
    nbstage_status status = context_allocate(
        context, 4 * (uint64_t)lines->count, sizeof *lines->x1, &lines->x1);
    if (lines->x1) {
        lines->y1 = lines->x1 + lines->count;
        lines->x2 = lines->y1 + lines->count;
        lines->y2 = lines->x2 + lines->count;
    }
    for (size_t g = 0; g < group_count && status == NBSTAGE_OK;) {
        const size_t end = lines_group_end(lines->count, g);
        const bool are_packed = map->vertices.type == LUMP_I16;
        const size_t gathered = lines_gather_group(map, g, lines);
        if (gathered == end) {
            lines_span_group(g++ * LINES_GROUP, end, are_packed, lines);
        } else if (were_nodes_read) {
            status = lines_fail_at_vertex(context, map, gathered);
        } else {
            struct nodes nodes;
            status = nodes_read(context, map, NODES_VERTICES, &nodes);
            nodes_free(context, &nodes);
            were_nodes_read = true;
        }
    }
    if (status != NBSTAGE_OK)
        lines_free(context, lines);
    return status;
}

void lines_free(struct context *context, struct lines *lines)
{
    context_release(context, lines->x1);
    lines->x1 = NULL;
}
