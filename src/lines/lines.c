// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up the two vertices of every linedef once.  Later steps then read
// coordinates in order from one array.  What the lines span is found while they
// are in the processor's caches.

#include "lines/lines.h"

#include "base/threads.h"
#include "base/vector.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Coordinates

static nbstage_status missing_vertex(struct context *context,
                                     const struct map *map,
                                     const struct nodes *nodes, size_t line)
{
    const struct map_ends ends =
        map_get_ends(map->line_form, map->lines + line * map->line_stride);
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

enum {
    AHEAD = 1024,   // bytes; vertices lie mostly in the order of their lines
    SPANNED = 1024, // lines
};

struct span {
    int32_t min_x, min_y;
    int32_t max_x, max_y;
};

// A part of the lines.
struct gathered {
    size_t bad;         // the first line with a vertex that does not exist
    uint32_t fractions; // of all coordinates, or-ed
    struct span span;
};

struct gathering {
    const struct map *map;
    const struct nodes *nodes;
    const struct lines *lines;
    size_t part_count;
    struct gathered parts[THREADS_PARTS_MOST];
};

// Stores the coordinates of the lines from `begin` to `end` - 1 in
// lines->fixed, or without their fractions in lines->whole if lines->fixed is
// NULL.  Returns the first line with a vertex that does not exist, or `end`.
// `quickly` is for whole lines and vertices of the map's own only, all in
// `form`: if it is true and the form is a constant, the compiler makes a fast
// loop.
VECTOR_BODY size_t gather_form(const struct gathering *gathering,
                               enum map_form form, bool quickly, size_t begin,
                               size_t end, uint32_t *fractions)
{
    const struct map *map = gathering->map;
    const struct nodes *nodes = gathering->nodes;
    const struct lines out = *gathering->lines;
    const unsigned char *const vertices = map->vertices;
    const size_t stride =
        quickly && form == MAP_LUMP16 ? sizeof(uint32_t) : map->vertex_stride;
    const size_t vertex_count =
        map->vertex_count + (quickly ? 0 : nodes->vertex_count);
    uint32_t seen = 0;
    size_t i = begin;
    for (; i < end; i++) {
        const unsigned char *line = map->lines + i * map->line_stride;
        struct map_ends ends =
            map_get_ends(quickly ? form : map->line_form, line);
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            break;
        struct nbstage_vertex start =
            quickly ? map_get_vertex(form, vertices + ends.v1 * stride)
                    : nodes_vertex_at(map, nodes, ends.v1);
        struct nbstage_vertex last =
            quickly ? map_get_vertex(form, vertices + ends.v2 * stride)
                    : nodes_vertex_at(map, nodes, ends.v2);
        if (quickly && form != MAP_LUMP16) {
            PREFETCH(line, AHEAD);
            PREFETCH(vertices + ends.v1 * stride, AHEAD);
        }
        seen |= (uint32_t)(start.x | start.y | last.x | last.y);
        if (!quickly && out.fixed) {
            out.fixed[i] =
                (struct fixed_line){start.x, start.y, last.x, last.y};
        } else {
            out.whole.start[i] = pack_point(start);
            out.whole.end[i] = pack_point(last);
        }
    }
    *fractions |= seen & 0xFFFF;
    return i;
}

static size_t gather_range(const struct gathering *gathering, size_t begin,
                           size_t end, uint32_t *fractions)
{
    const enum map_form form = gathering->map->vertex_form;
    bool quickly = gathering->nodes->vertex_count == 0 &&
                   !gathering->lines->fixed &&
                   form == gathering->map->line_form;
    if (quickly && form == MAP_LUMP16)
        return gather_form(gathering, MAP_LUMP16, true, begin, end, fractions);
    if (quickly && form == MAP_ARRAYS16)
        return gather_form(gathering, MAP_ARRAYS16, true, begin, end,
                           fractions);
    if (quickly && form == MAP_ARRAYS32)
        return gather_form(gathering, MAP_ARRAYS32, true, begin, end,
                           fractions);
    return gather_form(gathering, form, false, begin, end, fractions);
}

// ---------------------------------------------------------------------------
// What the lines span

static const struct span no_span = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

static void span_span(struct span *span, struct span other)
{
    span->min_x = other.min_x < span->min_x ? other.min_x : span->min_x;
    span->min_y = other.min_y < span->min_y ? other.min_y : span->min_y;
    span->max_x = other.max_x > span->max_x ? other.max_x : span->max_x;
    span->max_y = other.max_y > span->max_y ? other.max_y : span->max_y;
}

// As signed numbers, points are in the order of their y, and shifted by half
// in the order of their x.
VECTOR_BODY void span_points_body(const uint32_t *points, size_t count,
                                  struct span *span)
{
    struct span found = no_span;
    for (size_t i = 0; i < count; i++) {
        int32_t by_y = (int32_t)points[i];
        int32_t by_x = (int32_t)(points[i] << 16);
        found.min_x = by_x < found.min_x ? by_x : found.min_x;
        found.max_x = by_x > found.max_x ? by_x : found.max_x;
        found.min_y = by_y < found.min_y ? by_y : found.min_y;
        found.max_y = by_y > found.max_y ? by_y : found.max_y;
    }
    span_span(span, (struct span){found.min_x >> 16, found.min_y >> 16,
                                  found.max_x >> 16, found.max_y >> 16});
}

VECTOR_FUNCTION(span_points,
                (const uint32_t *points, size_t count, struct span *span),
                (points, count, span))

// A point in 16.16.
static void span_point(struct span *span, int32_t x, int32_t y)
{
    span_span(span, (struct span){x >> 16, y >> 16, x >> 16, y >> 16});
}

static void store_span(struct lines *lines, struct span span)
{
    lines->min_x = span.min_x;
    lines->min_y = span.min_y;
    lines->max_x = span.max_x;
    lines->max_y = span.max_y;
}

static void span_lines(const struct lines *lines, size_t begin, size_t end,
                       struct span *span)
{
    if (!lines->fixed) {
        span_points(lines->whole.start + begin, end - begin, span);
        span_points(lines->whole.end + begin, end - begin, span);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        span_point(span, lines->fixed[i].x1, lines->fixed[i].y1);
        span_point(span, lines->fixed[i].x2, lines->fixed[i].y2);
    }
}

// ---------------------------------------------------------------------------
// All lines

static nbstage_status gather_part(void *user, size_t part,
                                  struct context *context)
{
    struct gathering *gathering = user;
    const size_t count = gathering->lines->count;
    size_t next = threads_part_begin(part, gathering->part_count, count);
    size_t last = threads_part_begin(part + 1, gathering->part_count, count);
    struct gathered gathered = {.bad = count, .span = no_span};
    (void)context;
    while (next < last && gathered.bad == count) {
        size_t begin = next;
        next = last - begin < SPANNED ? last : begin + SPANNED;
        size_t end = gather_range(gathering, begin, next, &gathered.fractions);
        if (end < next)
            gathered.bad = end;
        span_lines(gathering->lines, begin, end, &gathered.span);
    }
    gathering->parts[part] = gathered;
    return NBSTAGE_OK;
}

// Gathers in the form that the lines have memory for.
static nbstage_status gather(struct context *context, const struct map *map,
                             const struct nodes *nodes, struct lines *lines)
{
    struct gathering gathering = {
        .map = map,
        .nodes = nodes,
        .lines = lines,
        .part_count = threads_part_count(context, lines->count),
    };
    struct span span = no_span;
    uint32_t fractions = 0;
    (void)threads_run_parts(context, gathering.part_count, gather_part,
                            &gathering);
    for (size_t p = 0; p < gathering.part_count; p++) {
        const struct gathered *part = &gathering.parts[p];
        if (part->bad < lines->count)
            return missing_vertex(context, map, nodes, part->bad);
        fractions |= part->fractions;
        span_span(&span, part->span);
    }
    lines->is_whole = fractions == 0;
    store_span(lines, span);
    return NBSTAGE_OK;
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
    if (status != NBSTAGE_OK)
        lines_free(context, lines);
    return status;
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    const unsigned char *at = map->vertices;
    struct span span = {lines->min_x, lines->min_y, lines->max_x, lines->max_y};
    for (size_t i = 0; i < map->vertex_count; i++, at += map->vertex_stride) {
        struct nbstage_vertex vertex = map_get_vertex(map->vertex_form, at);
        span_point(&span, vertex.x, vertex.y);
    }
    store_span(lines, span);
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
