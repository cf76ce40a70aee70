// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up the two vertices of every linedef once.  Later steps then read
// coordinates in order from one array.

#include "lines/lines.h"

#include "base/vector.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Coordinates

static nbstage_status missing_vertex(struct context *context,
                                     const struct map *map,
                                     const struct nodes *nodes, size_t line,
                                     struct map_ends ends)
{
    const char *lump = "LINEDEFS", *name = "linedef", *vertices = "VERTEXES";
    uint32_t vertex =
        ends.v1 < map->vertex_count + nodes->vertex_count ? ends.v2 : ends.v1;
    char added[48] = "";
    if (map->from_arrays) {
        lump = "lines";
        name = "line";
        vertices = "the array";
    } else if (map->format == NBSTAGE_FORMAT_UDMF) {
        lump = "TEXTMAP";
        vertices = "the text";
    }
    if (nodes->vertex_count > 0)
        snprintf(added, sizeof added, ", and the nodes add %zu",
                 nodes->vertex_count);
    return context_fail(context, NBSTAGE_BAD_MAP, lump,
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "%s has %zu%s",
                        name, line, (unsigned long)vertex, vertices,
                        map->vertex_count, added);
}

// A point of struct whole_lines.
static inline uint32_t pack_point(struct nbstage_vertex vertex)
{
    return (uint32_t)vertex.x >> 16 | ((uint32_t)vertex.y & 0xFFFF0000);
}

// Bytes.  Vertices lie mostly in the order of the lines that use them.
enum { AHEAD = 1024 };

// Stores the coordinates of all lines in lines->fixed, or without their
// fractions in lines->whole if lines->fixed is NULL.  is_whole tells whether
// there are no fractions.  `quickly` is for whole lines and vertices of the
// map's own only, all in `form`: if it is true and the form is a constant, the
// compiler makes a fast loop.
VECTOR_BODY nbstage_status gather_form(struct context *context,
                                       const struct map *map,
                                       const struct nodes *nodes,
                                       enum map_form form, bool quickly,
                                       struct lines *lines)
{
    const struct lines out = *lines;
    const unsigned char *const vertices = map->vertices;
    const size_t stride = map->vertex_stride;
    const size_t vertex_count =
        map->vertex_count + (quickly ? 0 : nodes->vertex_count);
    uint32_t bits = 0;
    for (size_t i = 0; i < out.count; i++) {
        const unsigned char *line = map->lines + i * map->line_stride;
        struct map_ends ends =
            map_get_ends(quickly ? form : map->line_form, line);
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            return missing_vertex(context, map, nodes, i, ends);
        struct nbstage_vertex start =
            quickly ? map_get_vertex(form, vertices + ends.v1 * stride)
                    : nodes_vertex_at(map, nodes, ends.v1);
        struct nbstage_vertex end =
            quickly ? map_get_vertex(form, vertices + ends.v2 * stride)
                    : nodes_vertex_at(map, nodes, ends.v2);
        if (quickly && form != MAP_LUMP16) {
            PREFETCH(line, AHEAD);
            PREFETCH(vertices + ends.v1 * stride, AHEAD);
        }
        bits |= (uint32_t)(start.x | start.y | end.x | end.y);
        if (!quickly && out.fixed) {
            out.fixed[i] = (struct fixed_line){start.x, start.y, end.x, end.y};
        } else {
            out.whole.start[i] = pack_point(start);
            out.whole.end[i] = pack_point(end);
        }
    }
    lines->is_whole = (bits & 0xFFFF) == 0;
    return NBSTAGE_OK;
}

static nbstage_status gather(struct context *context, const struct map *map,
                             const struct nodes *nodes, struct lines *lines)
{
    const enum map_form form = map->vertex_form;
    bool quickly =
        nodes->vertex_count == 0 && !lines->fixed && form == map->line_form;
    if (quickly && form == MAP_LUMP16)
        return gather_form(context, map, nodes, MAP_LUMP16, true, lines);
    if (quickly && form == MAP_ARRAYS16)
        return gather_form(context, map, nodes, MAP_ARRAYS16, true, lines);
    if (quickly && form == MAP_ARRAYS32)
        return gather_form(context, map, nodes, MAP_ARRAYS32, true, lines);
    return gather_form(context, map, nodes, form, false, lines);
}

// ---------------------------------------------------------------------------
// What the lines span

// As signed numbers, points are in the order of their y, and shifted by half
// in the order of their x.
VECTOR_BODY void span_points_body(const uint32_t *points, size_t count,
                                  struct lines *lines)
{
    int32_t west = INT32_MAX, south = INT32_MAX;
    int32_t east = INT32_MIN, north = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        int32_t by_y = (int32_t)points[i];
        int32_t by_x = (int32_t)(points[i] << 16);
        west = by_x < west ? by_x : west;
        east = by_x > east ? by_x : east;
        south = by_y < south ? by_y : south;
        north = by_y > north ? by_y : north;
    }
    lines->min_x = west >> 16;
    lines->min_y = south >> 16;
    lines->max_x = east >> 16;
    lines->max_y = north >> 16;
}

VECTOR_FUNCTION(span_points,
                (const uint32_t *points, size_t count, struct lines *lines),
                (points, count, lines))

// Widens the span to a point in 16.16.
static void span_point(struct lines *lines, int32_t x, int32_t y)
{
    x >>= 16;
    y >>= 16;
    lines->min_x = x < lines->min_x ? x : lines->min_x;
    lines->min_y = y < lines->min_y ? y : lines->min_y;
    lines->max_x = x > lines->max_x ? x : lines->max_x;
    lines->max_y = y > lines->max_y ? y : lines->max_y;
}

static void span_lines(struct lines *lines)
{
    if (lines->is_whole) {
        // The ends follow the starts in memory.
        span_points(lines->whole.start, 2 * lines->count, lines);
        return;
    }
    lines->min_x = lines->min_y = INT32_MAX;
    lines->max_x = lines->max_y = INT32_MIN;
    for (size_t i = 0; i < lines->count; i++) {
        struct fixed_line line = lines->fixed[i];
        span_point(lines, line.x1, line.y1);
        span_point(lines, line.x2, line.y2);
    }
}

nbstage_status lines_gather(struct context *context, const struct map *map,
                            const struct nodes *nodes, struct lines *lines)
{
    *lines = (struct lines){.count = map->line_count};
    nbstage_status status = context_allocate(
        context, lines->count, sizeof(struct whole_line), &lines->whole.start);
    if (status == NBSTAGE_OK) {
        lines->whole.end = lines->whole.start + lines->count;
        status = gather(context, map, nodes, lines);
    }
    if (status == NBSTAGE_OK && !lines->is_whole) {
        lines_free_coordinates(context, lines);
        status = context_allocate(context, lines->count, sizeof *lines->fixed,
                                  &lines->fixed);
        if (status == NBSTAGE_OK)
            status = gather(context, map, nodes, lines);
    }
    if (status == NBSTAGE_OK)
        span_lines(lines);
    else
        lines_free(context, lines);
    return status;
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    const unsigned char *at = map->vertices;
    for (size_t i = 0; i < map->vertex_count; i++, at += map->vertex_stride) {
        struct nbstage_vertex vertex = map_get_vertex(map->vertex_form, at);
        span_point(lines, vertex.x, vertex.y);
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
