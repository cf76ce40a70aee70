// SPDX-License-Identifier: GPL-2.0-or-later
//
// Follows every linedef to its two vertices, once, so that the steps after
// this one read coordinates in order from one array.

#include "lines.h"

#include "bytes.h"

#include <stdio.h>
#include <string.h>

static enum status missing_vertex(struct context *context,
                                  const struct map *map,
                                  const struct nodes *nodes, size_t line,
                                  uint32_t vertex)
{
    static const struct {
        const char *lines;
        const char *line;
        const char *vertices;
    } words[] = {
        [MAP_DOOM] = {"LINEDEFS", "linedef", "VERTEXES has"},
        [MAP_HEXEN] = {"LINEDEFS", "linedef", "VERTEXES has"},
        [MAP_DOOM64] = {"LINEDEFS", "linedef", "VERTEXES has"},
        [MAP_UDMF] = {"TEXTMAP", "linedef", "the text has"},
        [MAP_ARRAYS] = {"lines", "line", "the array has"},
    };
    char added[48] = "";
    if (nodes->vertex_count > 0)
        snprintf(added, sizeof added, ", and the nodes add %zu",
                 nodes->vertex_count);
    return context_fail(context, STATUS_BAD_MAP, words[map->format].lines,
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "%s %zu%s",
                        words[map->format].line, line, (unsigned long)vertex,
                        words[map->format].vertices, map->vertex_count, added);
}

// ---------------------------------------------------------------------------
// Whole numbers: Doom and Hexen format

static inline struct line whole_line(const struct map *map, uint16_t v1,
                                     uint16_t v2)
{
    const unsigned char *start = map->vertices + v1 * map->vertex_stride;
    const unsigned char *end = map->vertices + v2 * map->vertex_stride;
    return (struct line){bytes_get_i16(start), bytes_get_i16(start + 2),
                         bytes_get_i16(end), bytes_get_i16(end + 2)};
}

static enum status gather_whole(struct context *context, const struct map *map,
                                const struct nodes *nodes, struct line *line)
{
    for (size_t i = 0; i < map->line_count; i++) {
        const unsigned char *linedef = map->lines + i * map->line_stride;
        uint16_t v1 = bytes_get_u16(linedef);
        uint16_t v2 = bytes_get_u16(linedef + 2);
        if (v1 >= map->vertex_count || v2 >= map->vertex_count)
            return missing_vertex(context, map, nodes, i,
                                  v1 >= map->vertex_count ? v1 : v2);
        line[i] = whole_line(map, v1, v2);
    }
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// 16.16: everything else, and maps with vertices from their nodes

struct ends {
    uint32_t v1, v2;
};

static inline struct ends line_ends(const struct map *map, size_t index)
{
    const unsigned char *at = map->lines + index * map->line_stride;
    struct ends ends;
    if (map->line_form == MAP_LINE_UINT16)
        return (struct ends){bytes_get_u16(at), bytes_get_u16(at + 2)};
    memcpy(&ends, at, sizeof ends);
    return ends;
}

static enum status gather_fixed(struct context *context, const struct map *map,
                                const struct nodes *nodes, struct line *line)
{
    uint64_t vertex_count = (uint64_t)map->vertex_count + nodes->vertex_count;
    for (size_t i = 0; i < map->line_count; i++) {
        struct ends ends = line_ends(map, i);
        if (ends.v1 >= vertex_count || ends.v2 >= vertex_count)
            return missing_vertex(context, map, nodes, i,
                                  ends.v1 >= vertex_count ? ends.v1 : ends.v2);
        struct nodes_vertex start = nodes_vertex_at(map, nodes, ends.v1);
        struct nodes_vertex end = nodes_vertex_at(map, nodes, ends.v2);
        line[i] = (struct line){start.x, start.y, end.x, end.y};
    }
    return STATUS_OK;
}

// Turns 16.16 coordinates into whole units if none has a fraction.
static void make_whole(struct lines *lines)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];
        bits |= (uint32_t)(line->x1 | line->y1 | line->x2 | line->y2);
    }
    if (bits & 0xFFFF) {
        lines->unit_shift = 16;
        return;
    }
    for (size_t i = 0; i < lines->count; i++) {
        struct line *line = &lines->line[i];
        *line = (struct line){line->x1 >> 16, line->y1 >> 16, line->x2 >> 16,
                              line->y2 >> 16};
    }
}

static void measure(struct lines *lines)
{
    int32_t min_x = INT32_MAX, min_y = INT32_MAX;
    int32_t max_x = INT32_MIN, max_y = INT32_MIN;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];
        int32_t west = line->x1 < line->x2 ? line->x1 : line->x2;
        int32_t east = line->x1 < line->x2 ? line->x2 : line->x1;
        int32_t south = line->y1 < line->y2 ? line->y1 : line->y2;
        int32_t north = line->y1 < line->y2 ? line->y2 : line->y1;
        min_x = west < min_x ? west : min_x;
        max_x = east > max_x ? east : max_x;
        min_y = south < min_y ? south : min_y;
        max_y = north > max_y ? north : max_y;
    }
    lines->min_x = min_x >> lines->unit_shift;
    lines->min_y = min_y >> lines->unit_shift;
    lines->max_x = max_x >> lines->unit_shift;
    lines->max_y = max_y >> lines->unit_shift;
}

enum status lines_gather(struct context *context, const struct map *map,
                         const struct nodes *nodes, struct lines *lines)
{
    bool whole = map->vertex_form == MAP_VERTEX_INT16 &&
                 map->line_form == MAP_LINE_UINT16 && nodes->vertex_count == 0;
    *lines = (struct lines){.count = map->line_count};
    enum status status = context_allocate(context, map->line_count,
                                          sizeof *lines->line, &lines->line);
    if (status == STATUS_OK)
        status = whole ? gather_whole(context, map, nodes, lines->line)
                       : gather_fixed(context, map, nodes, lines->line);
    if (status != STATUS_OK) {
        lines_free(context, lines);
        return status;
    }
    if (!whole)
        make_whole(lines);
    measure(lines);
    return STATUS_OK;
}

void lines_span_vertices(const struct map *map, struct lines *lines)
{
    static const struct nodes none = {0};
    for (size_t i = 0; i < map->vertex_count; i++) {
        struct nodes_vertex vertex = nodes_vertex_at(map, &none, i);
        int32_t x = vertex.x >> 16;
        int32_t y = vertex.y >> 16;
        lines->min_x = x < lines->min_x ? x : lines->min_x;
        lines->min_y = y < lines->min_y ? y : lines->min_y;
        lines->max_x = x > lines->max_x ? x : lines->max_x;
        lines->max_y = y > lines->max_y ? y : lines->max_y;
    }
}

void lines_free(struct context *context, struct lines *lines)
{
    context_release(context, lines->line);
    lines->line = NULL;
}
