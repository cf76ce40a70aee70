// SPDX-License-Identifier: GPL-2.0-or-later
//
// Follows every linedef to its two vertices, once, so that the steps after
// this one read coordinates in order from one array.

#include "lines.h"

#include "bytes.h"

static enum status missing_vertex(struct context *context,
                                  const struct map *map, size_t line,
                                  uint32_t vertex)
{
    bool lumps = map->form == MAP_DOOM;
    return context_fail(context, STATUS_BAD_MAP, lumps ? "LINEDEFS" : "lines",
                        "%s %zu refers to vertex %lu, which does not exist; "
                        "%s has %zu",
                        lumps ? "linedef" : "line", line, (unsigned long)vertex,
                        lumps ? "VERTEXES" : "the vertex array",
                        map->vertex_count);
}

static enum status gather_doom(struct context *context, const struct map *map,
                               struct line *line)
{
    for (size_t i = 0; i < map->line_count; i++) {
        const unsigned char *linedef = map->lines + i * map->line_stride;
        uint16_t v1 = bytes_get_u16(linedef);
        uint16_t v2 = bytes_get_u16(linedef + 2);
        if (v1 >= map->vertex_count || v2 >= map->vertex_count)
            return missing_vertex(context, map, i,
                                  v1 >= map->vertex_count ? v1 : v2);
        const unsigned char *start = map->vertices + v1 * map->vertex_stride;
        const unsigned char *end = map->vertices + v2 * map->vertex_stride;
        line[i] = (struct line){bytes_get_i16(start), bytes_get_i16(start + 2),
                                bytes_get_i16(end), bytes_get_i16(end + 2)};
    }
    return STATUS_OK;
}

// Leaves coordinates in 16.16.
static enum status gather_arrays(struct context *context, const struct map *map,
                                 struct line *line)
{
    for (size_t i = 0; i < map->line_count; i++) {
        const uint32_t *ends =
            (const void *)(map->lines + i * map->line_stride);
        if (ends[0] >= map->vertex_count || ends[1] >= map->vertex_count)
            return missing_vertex(context, map, i,
                                  ends[0] >= map->vertex_count ? ends[0]
                                                               : ends[1]);
        const int32_t *start =
            (const void *)(map->vertices + ends[0] * map->vertex_stride);
        const int32_t *end =
            (const void *)(map->vertices + ends[1] * map->vertex_stride);
        line[i] = (struct line){start[0], start[1], end[0], end[1]};
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
                         struct lines *lines)
{
    *lines = (struct lines){.count = map->line_count};
    enum status status = context_allocate(context, map->line_count,
                                          sizeof *lines->line, &lines->line);
    if (status == STATUS_OK)
        status = map->form == MAP_DOOM
                     ? gather_doom(context, map, lines->line)
                     : gather_arrays(context, map, lines->line);
    if (status != STATUS_OK) {
        lines_free(context, lines);
        return status;
    }
    if (map->form == MAP_ARRAYS)
        make_whole(lines);
    measure(lines);
    return STATUS_OK;
}

void lines_free(struct context *context, struct lines *lines)
{
    context_release(context, lines->line);
    lines->line = NULL;
}
