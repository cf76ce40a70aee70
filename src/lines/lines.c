// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up the two vertices of every linedef once.  Later steps then read
// coordinates in order from one array.  What the lines span is found while they
// are in the processor's caches.

#include "lines/lines.h"

#include "base/vector.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Coordinates

static nbstage_status lines_fail_at_vertex(struct context *context,
                                           const struct map *map,
                                           const struct nodes *nodes,
                                           size_t line)
{
    const struct map_ends ends =
        map_get_ends(map->lines.type, &map->lines, line);
    const bool is_text = map->format == NBSTAGE_FORMAT_UDMF;
    const bool is_given = map->lines_are_given;
    const char *vertices = map->vertices_are_given ? "the array"
                           : is_text               ? "the text"
                                                   : "VERTEXES";
    uint32_t vertex =
        ends.v1 < map->vertex_count + nodes->vertex_count ? ends.v2 : ends.v1;
    char added[48] = "";
    if (nodes->vertex_count > 0)
        snprintf(added, sizeof added, ", and the nodes add %zu",
                 nodes->vertex_count);
    return context_fail(context, NBSTAGE_BAD_MAP,
                        is_given  ? "lines"
                        : is_text ? "TEXTMAP"
                                  : "LINEDEFS",
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "%s has %zu%s",
                        is_given ? "line" : "linedef", line,
                        (unsigned long)vertex, vertices, map->vertex_count,
                        added);
}

// A point of struct whole_lines.
static inline uint32_t lines_pack_point(struct map_vertex vertex)
{
    return (uint32_t)vertex.x >> 16 | ((uint32_t)vertex.y & 0xFFFF0000);
}

enum {
    LINES_AHEAD = 1024,   // bytes; vertices are mostly in the order of lines
    LINES_SPANNED = 1024, // lines
};

// Stores the coordinates of the lines from `begin` to `end` - 1 in
// lines->fixed, or without their fractions in lines->whole if lines->fixed is
// NULL.  Returns the first line with a vertex that does not exist, or `end`.
// `quickly` is for whole lines and vertices of the map's own only: if it is
// true and the types are constants, the compiler makes a fast loop.
VECTOR_BODY size_t lines_gather_types(const struct map *map,
                                      const struct nodes *nodes,
                                      const struct lines *lines,
                                      uint32_t vertex_type, uint32_t line_type,
                                      bool quickly, size_t begin, size_t end,
                                      uint32_t *fractions)
{
    const struct lines out = *lines;
    const bool is_lump = quickly && vertex_type & ARRAY_LUMP;
    struct map_pairs vertices = map->vertices;
    const struct map_pairs ends_of_lines = map->lines;
    const size_t vertex_count =
        map->vertex_count + (quickly ? 0 : nodes->vertex_count);
    uint32_t seen = 0;
    size_t i = begin;
    if (is_lump)
        vertices.stride = sizeof(uint32_t);
    for (; i < end; i++) {
        struct map_ends ends = map_get_ends(line_type, &ends_of_lines, i);
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            break;
        struct map_vertex start =
            quickly ? map_get_vertex(vertex_type, &vertices, ends.v1)
                    : nodes_vertex_at(map, nodes, ends.v1);
        struct map_vertex last =
            quickly ? map_get_vertex(vertex_type, &vertices, ends.v2)
                    : nodes_vertex_at(map, nodes, ends.v2);
        if (quickly && !is_lump) {
            PREFETCH(ends_of_lines.bytes + i * ends_of_lines.stride,
                     LINES_AHEAD);
            PREFETCH(vertices.bytes + ends.v1 * vertices.stride, LINES_AHEAD);
        }
        seen |= (uint32_t)(start.x | start.y | last.x | last.y);
        if (!quickly && out.fixed) {
            out.fixed[i] =
                (struct fixed_line){start.x, start.y, last.x, last.y};
        } else {
            out.whole.start[i] = lines_pack_point(start);
            out.whole.end[i] = lines_pack_point(last);
        }
    }
    *fractions |= seen & 0xFFFF;
    return i;
}

static size_t lines_gather_range(const struct map *map,
                                 const struct nodes *nodes,
                                 const struct lines *lines, size_t begin,
                                 size_t end, uint32_t *fractions)
{
    const uint32_t vertices = map->vertices.type, types = map->lines.type;
    const bool quickly = nodes->vertex_count == 0 && !lines->fixed;
    if (quickly && vertices == LUMP_I16 && types == LUMP_U16)
        return lines_gather_types(map, nodes, lines, LUMP_I16, LUMP_U16, true,
                                  begin, end, fractions);
    if (quickly && vertices == NBSTAGE_I16 && types == NBSTAGE_U16)
        return lines_gather_types(map, nodes, lines, NBSTAGE_I16, NBSTAGE_U16,
                                  true, begin, end, fractions);
    if (quickly && vertices == NBSTAGE_FIXED && types == NBSTAGE_U32)
        return lines_gather_types(map, nodes, lines, NBSTAGE_FIXED, NBSTAGE_U32,
                                  true, begin, end, fractions);
    return lines_gather_types(map, nodes, lines, vertices, types, false, begin,
                              end, fractions);
}

// ---------------------------------------------------------------------------
// What the lines span

static void lines_span(struct lines *lines, int32_t min_x, int32_t min_y,
                       int32_t max_x, int32_t max_y)
{
    lines->min_x = min_x < lines->min_x ? min_x : lines->min_x;
    lines->min_y = min_y < lines->min_y ? min_y : lines->min_y;
    lines->max_x = max_x > lines->max_x ? max_x : lines->max_x;
    lines->max_y = max_y > lines->max_y ? max_y : lines->max_y;
}

// As signed numbers, points are in the order of their y, and shifted by half
// in the order of their x.
VECTOR_BODY void lines_span_points_body(const uint32_t *points, size_t count,
                                        struct lines *lines)
{
    int32_t min_x = INT32_MAX, min_y = INT32_MAX;
    int32_t max_x = INT32_MIN, max_y = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        int32_t by_y = (int32_t)points[i];
        int32_t by_x = (int32_t)(points[i] << 16);
        min_x = by_x < min_x ? by_x : min_x;
        max_x = by_x > max_x ? by_x : max_x;
        min_y = by_y < min_y ? by_y : min_y;
        max_y = by_y > max_y ? by_y : max_y;
    }
    lines_span(lines, min_x >> 16, min_y >> 16, max_x >> 16, max_y >> 16);
}

VECTOR_FUNCTION(lines_span_points,
                (const uint32_t *points, size_t count, struct lines *lines),
                (points, count, lines))

// A point in 16.16.
static void lines_span_point(struct lines *lines, int32_t x, int32_t y)
{
    lines_span(lines, x >> 16, y >> 16, x >> 16, y >> 16);
}

static void lines_span_range(struct lines *lines, size_t begin, size_t end)
{
    if (!lines->fixed) {
        lines_span_points(lines->whole.start + begin, end - begin, lines);
        lines_span_points(lines->whole.end + begin, end - begin, lines);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        lines_span_point(lines, lines->fixed[i].x1, lines->fixed[i].y1);
        lines_span_point(lines, lines->fixed[i].x2, lines->fixed[i].y2);
    }
}

// ---------------------------------------------------------------------------
// All lines

// Gathers in the form that the lines have memory for.
static nbstage_status lines_gather_as(struct context *context,
                                      const struct map *map,
                                      const struct nodes *nodes,
                                      struct lines *lines)
{
    lines->min_x = lines->min_y = INT32_MAX;
    lines->max_x = lines->max_y = INT32_MIN;
    uint32_t fractions = 0; // of all coordinates, or-ed
    for (size_t next, begin = 0; begin < lines->count; begin = next) {
        next = lines->count - begin < LINES_SPANNED ? lines->count
                                                    : begin + LINES_SPANNED;
        size_t end =
            lines_gather_range(map, nodes, lines, begin, next, &fractions);
        if (end < next)
            return lines_fail_at_vertex(context, map, nodes, end);
        lines_span_range(lines, begin, end);
    }
    lines->is_whole = fractions == 0;
    return NBSTAGE_OK;
}

static nbstage_status lines_gather_all(struct context *context,
                                       const struct map *map,
                                       const struct nodes *nodes,
                                       struct lines *lines)
{
    *lines = (struct lines){.count = map->line_count};
    nbstage_status status = context_allocate(
        context, lines->count, sizeof(struct whole_line), &lines->whole.start);
    if (status == NBSTAGE_OK) {
        lines->whole.end = lines->whole.start + lines->count;
        status = lines_gather_as(context, map, nodes, lines);
    }
    if (status == NBSTAGE_OK && !lines->is_whole) {
        lines_free_coordinates(context, lines);
        status = context_allocate(context, lines->count, sizeof *lines->fixed,
                                  &lines->fixed);
        if (status == NBSTAGE_OK)
            status = lines_gather_as(context, map, nodes, lines);
    }
    if (status != NBSTAGE_OK)
        lines_free(context, lines);
    return status;
}

nbstage_status lines_gather(struct context *context, struct map *map,
                            struct nodes *nodes, struct lines *lines)
{
    nbstage_status status = lines_gather_all(context, map, nodes, lines);
    if (status != NBSTAGE_BAD_MAP || nodes->were_read)
        return status;
    status = nodes_read(context, map, NODES_VERTICES, nodes);
    return status == NBSTAGE_OK ? lines_gather_all(context, map, nodes, lines)
                                : status;
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    for (size_t i = 0; i < map->vertex_count; i++) {
        struct map_vertex vertex =
            map_get_vertex(map->vertices.type, &map->vertices, i);
        lines_span_point(lines, vertex.x, vertex.y);
    }
}

nbstage_status lines_leave_out(struct context *context, const uint8_t *left_out,
                               struct lines *lines)
{
    size_t count = 0;
    nbstage_status status = context_allocate(
        context, lines->count, sizeof *lines->number, &lines->number);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < lines->count; i++) {
        if (left_out[i])
            continue;
        if (lines->is_whole) {
            lines->whole.start[count] = lines->whole.start[i];
            lines->whole.end[count] = lines->whole.end[i];
        } else {
            lines->fixed[count] = lines->fixed[i];
        }
        lines->number[count++] = (uint32_t)i;
    }
    lines->count = count;
    return NBSTAGE_OK;
}

void lines_free_coordinates(struct context *context, struct lines *lines)
{
    context_release(context, lines->whole.start);
    context_release(context, lines->fixed);
    lines->whole = (struct whole_lines){0};
    lines->fixed = NULL;
}

void lines_free(struct context *context, struct lines *lines)
{
    lines_free_coordinates(context, lines);
    context_release(context, lines->number);
    lines->number = NULL;
}
