// SPDX-License-Identifier: GPL-2.0-or-later
//
// Follows every linedef to its two vertices, once, so that the steps after
// this one read coordinates in order from one array.

#include "lines/lines.h"

#include "base/bytes.h"
#include "base/vector.h"

#include <stdio.h>
#include <string.h>

static nbstage_status missing_vertex(struct context *context,
                                     const struct map *map,
                                     const struct nodes *nodes, size_t line,
                                     uint32_t vertex)
{
    const char *lines = map->from_arrays                     ? "lines"
                        : map->format == NBSTAGE_FORMAT_UDMF ? "TEXTMAP"
                                                             : "LINEDEFS";
    const char *vertices = map->from_arrays                     ? "the array"
                           : map->format == NBSTAGE_FORMAT_UDMF ? "the text"
                                                                : "VERTEXES";
    char added[48] = "";
    if (nodes->vertex_count > 0)
        snprintf(added, sizeof added, ", and the nodes add %zu",
                 nodes->vertex_count);
    return context_fail(context, NBSTAGE_BAD_MAP, lines,
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "%s has %zu%s",
                        map->from_arrays ? "line" : "linedef", line,
                        (unsigned long)vertex, vertices, map->vertex_count,
                        added);
}

enum { AHEAD = 1024 }; // bytes; vertices lie much in the order of lines

// ---------------------------------------------------------------------------
// Lumps of 16-bit numbers, which most maps are

static nbstage_status gather_lumps(struct context *context,
                                   const struct map *map,
                                   const struct nodes *nodes,
                                   struct whole_lines whole)
{
    enum { VERTEX_SIZE = 4 }; // bytes
    const unsigned char *vertices = map->vertices;
    const size_t vertex_count = map->vertex_count;
    const size_t line_count = map->line_count;
    const unsigned char *linedef = map->lines;
    for (size_t i = 0; i < line_count; i++, linedef += map->line_stride) {
        uint32_t v1 = bytes_get_u16(linedef);
        uint32_t v2 = bytes_get_u16(linedef + 2);
        if (v1 >= vertex_count || v2 >= vertex_count)
            return missing_vertex(context, map, nodes, i,
                                  v1 >= vertex_count ? v1 : v2);
        whole.start[i] = bytes_get_u32(vertices + v1 * VERTEX_SIZE);
        whole.end[i] = bytes_get_u32(vertices + v2 * VERTEX_SIZE);
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Arrays of the machine's own numbers: from the host, or from text

static inline uint32_t pack_point(struct nbstage_vertex vertex)
{
    return (uint32_t)vertex.x >> 16 | ((uint32_t)vertex.y & 0xFFFF0000);
}

// Gathers lines as whole ones; *is_whole is false if one has a fraction.
static nbstage_status gather_arrays(struct context *context,
                                    const struct map *map,
                                    const struct nodes *nodes,
                                    struct whole_lines whole, bool *is_whole)
{
    const size_t vertex_count = map->vertex_count;
    const size_t line_count = map->line_count;
    const unsigned char *line = map->lines;
    uint32_t bits = 0;
    for (size_t i = 0; i < line_count; i++, line += map->line_stride) {
        struct map_ends ends;
        struct nbstage_vertex start, end;
        memcpy(&ends, line, sizeof ends);
        PREFETCH(line, AHEAD);
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            return missing_vertex(context, map, nodes, i,
                                  ends.v1 >= vertex_count ? ends.v1 : ends.v2);
        memcpy(&start, map->vertices + ends.v1 * map->vertex_stride,
               sizeof start);
        PREFETCH(map->vertices + ends.v1 * map->vertex_stride, AHEAD);
        memcpy(&end, map->vertices + ends.v2 * map->vertex_stride, sizeof end);
        bits |= (uint32_t)(start.x | start.y | end.x | end.y);
        whole.start[i] = pack_point(start);
        whole.end[i] = pack_point(end);
    }
    *is_whole = (bits & 0xFFFF) == 0;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Everything else, such as lines between vertices that the nodes have added

// Finds both ends of a line.
static nbstage_status find_ends(struct context *context, const struct map *map,
                                const struct nodes *nodes, size_t line,
                                struct nbstage_vertex *start,
                                struct nbstage_vertex *end)
{
    uint64_t vertex_count = (uint64_t)map->vertex_count + nodes->vertex_count;
    struct map_ends ends =
        map_get_ends(map->line_form, map->lines + line * map->line_stride);
    if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
        return missing_vertex(context, map, nodes, line,
                              ends.v1 >= vertex_count ? ends.v1 : ends.v2);
    *start = nodes_vertex_at(map, nodes, ends.v1);
    *end = nodes_vertex_at(map, nodes, ends.v2);
    return NBSTAGE_OK;
}

// The same as gather_arrays.
static nbstage_status gather_any(struct context *context, const struct map *map,
                                 const struct nodes *nodes,
                                 struct whole_lines whole, bool *is_whole)
{
    nbstage_status status = NBSTAGE_OK;
    uint32_t bits = 0;
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++) {
        struct nbstage_vertex start = {0}, end = {0};
        status = find_ends(context, map, nodes, i, &start, &end);
        bits |= (uint32_t)(start.x | start.y | end.x | end.y);
        whole.start[i] = pack_point(start);
        whole.end[i] = pack_point(end);
    }
    *is_whole = (bits & 0xFFFF) == 0;
    return status;
}

static nbstage_status gather_fixed(struct context *context,
                                   const struct map *map,
                                   const struct nodes *nodes,
                                   struct fixed_line *fixed)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++) {
        struct nbstage_vertex start = {0}, end = {0};
        status = find_ends(context, map, nodes, i, &start, &end);
        fixed[i] = (struct fixed_line){start.x, start.y, end.x, end.y};
    }
    return status;
}

// ---------------------------------------------------------------------------
// What the lines span

struct span {
    int32_t min_x, min_y;
    int32_t max_x, max_y;
};

// As signed numbers, points are in the order of their y, and shifted by half
// in that of their x.
VECTOR_BODY void span_points_body(const uint32_t *points, size_t count,
                                  struct span *span)
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
    *span = (struct span){west >> 16, south >> 16, east >> 16, north >> 16};
}

VECTOR_FUNCTION(span_points,
                (const uint32_t *points, size_t count, struct span *span),
                (points, count, span))

static void span_whole(const struct whole_lines *whole, size_t count,
                       struct span *span)
{
    struct span starts, ends;
    span_points(whole->start, count, &starts);
    span_points(whole->end, count, &ends);
    *span = (struct span){
        starts.min_x < ends.min_x ? starts.min_x : ends.min_x,
        starts.min_y < ends.min_y ? starts.min_y : ends.min_y,
        starts.max_x > ends.max_x ? starts.max_x : ends.max_x,
        starts.max_y > ends.max_y ? starts.max_y : ends.max_y,
    };
}

static void span_fixed(const struct fixed_line *line, size_t count,
                       struct span *span)
{
    *span = (struct span){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < count; i++) {
        struct fixed_line at = line[i];
        int32_t west = at.x1 < at.x2 ? at.x1 : at.x2;
        int32_t east = at.x1 < at.x2 ? at.x2 : at.x1;
        int32_t south = at.y1 < at.y2 ? at.y1 : at.y2;
        int32_t north = at.y1 < at.y2 ? at.y2 : at.y1;
        span->min_x = west < span->min_x ? west : span->min_x;
        span->max_x = east > span->max_x ? east : span->max_x;
        span->min_y = south < span->min_y ? south : span->min_y;
        span->max_y = north > span->max_y ? north : span->max_y;
    }
    *span = (struct span){span->min_x >> 16, span->min_y >> 16,
                          span->max_x >> 16, span->max_y >> 16};
}

static void measure(struct lines *lines)
{
    struct span span;
    if (lines->is_whole)
        span_whole(&lines->whole, lines->count, &span);
    else
        span_fixed(lines->fixed, lines->count, &span);
    lines->min_x = span.min_x;
    lines->min_y = span.min_y;
    lines->max_x = span.max_x;
    lines->max_y = span.max_y;
}

// ---------------------------------------------------------------------------

static nbstage_status gather_whole(struct context *context,
                                   const struct map *map,
                                   const struct nodes *nodes,
                                   struct whole_lines whole, bool *is_whole)
{
    bool added = nodes->vertex_count > 0;
    *is_whole = true;
    if (!added && map->vertex_form == MAP_VERTEX_INT16 &&
        map->line_form == MAP_LINE_UINT16)
        return gather_lumps(context, map, nodes, whole);
    if (!added && map->vertex_form == MAP_VERTEX_NATIVE &&
        map->line_form == MAP_LINE_NATIVE)
        return gather_arrays(context, map, nodes, whole, is_whole);
    return gather_any(context, map, nodes, whole, is_whole);
}

static nbstage_status make_whole(struct context *context, const struct map *map,
                                 const struct nodes *nodes, struct lines *lines)
{
    nbstage_status status = context_allocate(
        context, lines->count, sizeof(struct whole_line), &lines->whole.start);
    if (status != NBSTAGE_OK)
        return status;
    lines->whole.end = lines->whole.start + lines->count;
    return gather_whole(context, map, nodes, lines->whole, &lines->is_whole);
}

static nbstage_status make_fixed(struct context *context, const struct map *map,
                                 const struct nodes *nodes, struct lines *lines)
{
    nbstage_status status = context_allocate(
        context, lines->count, sizeof *lines->fixed, &lines->fixed);
    if (status == NBSTAGE_OK)
        status = gather_fixed(context, map, nodes, lines->fixed);
    return status;
}

nbstage_status lines_gather(struct context *context, const struct map *map,
                            const struct nodes *nodes, struct lines *lines)
{
    *lines = (struct lines){.count = map->line_count};
    nbstage_status status = make_whole(context, map, nodes, lines);
    if (status == NBSTAGE_OK && !lines->is_whole) {
        context_release(context, lines->whole.start);
        lines->whole = (struct whole_lines){0};
        status = make_fixed(context, map, nodes, lines);
    }
    if (status == NBSTAGE_OK)
        measure(lines);
    else
        lines_free(context, lines);
    return status;
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    static const struct nodes none = {0};
    for (size_t i = 0; i < map->vertex_count; i++) {
        struct nbstage_vertex vertex = nodes_vertex_at(map, &none, i);
        int32_t x = vertex.x >> 16;
        int32_t y = vertex.y >> 16;
        lines->min_x = x < lines->min_x ? x : lines->min_x;
        lines->min_y = y < lines->min_y ? y : lines->min_y;
        lines->max_x = x > lines->max_x ? x : lines->max_x;
        lines->max_y = y > lines->max_y ? y : lines->max_y;
    }
}

static void move_line(struct lines *lines, size_t from, size_t to)
{
    if (lines->is_whole) {
        lines->whole.start[to] = lines->whole.start[from];
        lines->whole.end[to] = lines->whole.end[from];
    } else {
        lines->fixed[to] = lines->fixed[from];
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
        move_line(lines, i, count);
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
