// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up the two vertices of every linedef once, in groups that fit the L1
// cache, and grows the bounding box while they are there.

#include "lines/lines.h"

#include "base/vector.h"
#include "map/nodes.h"

#include <string.h>

static nbstage_status lines_fail_at_vertex(struct context *context,
                                           const struct map *map, size_t line)
{
    const size_t count = map->vertex_count + map->added_count;
    const struct map_ends ends = map_get_ends(&map->lines, line);
    const bool is_given = map->lines_are_given;
    const uint32_t vertex = ends.v1 < count ? ends.v2 : ends.v1;
    if (is_given && vertex >= ARRAY_BEYOND)
        return context_fail(context, NBSTAGE_BAD_MAP, "lines",
                            "line %zu refers to no vertex; a number from 0 to "
                            "%zu was expected",
                            line, count - 1);
    return context_fail(context, NBSTAGE_BAD_MAP,
                        is_given                             ? "lines"
                        : map->format == NBSTAGE_FORMAT_UDMF ? "TEXTMAP"
                                                             : "LINEDEFS",
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "there are %zu",
                        is_given ? "line" : "linedef", line,
                        (unsigned long)vertex, count);
}

// Stores the ends of a group of lines.  Returns the end of the group, or the
// first line with a vertex that does not exist.  Constant types let the
// compiler specialise the loop.
VECTOR_BODY size_t lines_gather_types(const struct map *map,
                                      uint32_t vertex_type, uint32_t line_type,
                                      size_t g, struct lines *lines)
{
    const struct lines_mark seek = lines->mark;
    const size_t vertex_count = map->vertex_count + map->added_count;
    const size_t end = lines_group_end(lines->count, g);
    struct map_pairs vertices = map->vertices, pairs = map->lines;
    // Local copies can stay in registers.
    struct map_vertex *const starts = lines->start, *const lasts = lines->end;
    size_t i = g * LINES_GROUP;
    pairs.bytes += i * pairs.stride;
    vertices.type = vertex_type;
    pairs.type = line_type;
    if (vertex_type == LUMP_I16)
        vertices.stride = 2 * sizeof(int16_t);
    for (; i < end; i++, pairs.bytes += pairs.stride) {
        const struct map_ends ends = map_get_ends(&pairs, 0);
        uint16_t bits;
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            break;
        memcpy(&bits, pairs.bytes + seek.offset, sizeof bits);
        if (bits == seek.bits)
            lines->mark.is_seen = true;
        map_get_vertex(&vertices, ends.v1, &starts[i]);
        map_get_vertex(&vertices, ends.v2, &lasts[i]);
    }
    return i;
}

VECTOR_FUNCTION
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
// The bounding box

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

VECTOR_FUNCTION
static void lines_span_group(size_t begin, size_t end, struct lines *lines)
{
    struct lines span = lines_none;
    for (size_t i = begin; i < end; i++) {
        lines_span(&span, lines->start[i].x, lines->start[i].y);
        lines_span(&span, lines->end[i].x, lines->end[i].y);
    }
    lines_span(lines, span.min_x >> 16, span.min_y >> 16);
    lines_span(lines, span.max_x >> 16, span.max_y >> 16);
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    for (size_t i = 0; i < map->vertex_count; i++) {
        struct map_vertex at;
        map_get_vertex(&map->vertices, i, &at);
        lines_span(lines, at.x >> 16, at.y >> 16);
    }
}

// ---------------------------------------------------------------------------
// All lines

nbstage_status lines_gather(struct context *context, struct map *map,
                            const struct lines_mark *mark, struct lines *lines)
{
    const size_t group_count = lines_group_count(map->line_count);
    *lines = lines_none;
    lines->count = map->line_count;
    lines->mark =
        mark ? *mark
             : (struct lines_mark){.bits = LINES_NO_MARK, .is_seen = true};
    NEED(context_allocate(context, 2 * (uint64_t)lines->count,
                          sizeof *lines->start, &lines->start));
    if (lines->start)
        lines->end = lines->start + lines->count;
    for (size_t g = 0; g < group_count; g++) {
        const size_t end = lines_group_end(lines->count, g);
        size_t gathered = lines_gather_group(map, g, lines);
        if (gathered < end) {
            NEED(nodes_read_vertices(context, map));
            gathered = lines_gather_group(map, g, lines);
        }
        if (gathered < end)
            return lines_fail_at_vertex(context, map, gathered);
        lines_span_group(g * LINES_GROUP, end, lines);
    }
    return NBSTAGE_OK;
}

void lines_free(struct context *context, struct lines *lines)
{
    context_release(context, lines->start);
    lines->start = NULL;
}
