// SPDX-License-Identifier: GPL-2.0-or-later

#include "drawing.h"

enum { UNIT = 1 << 16 }; // a map unit in 16.16

// Xorshift64*.
uint32_t random_below(struct drawing *drawing, uint32_t count)
{
    uint64_t state = drawing->random_state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    drawing->random_state = state;
    uint64_t high = (state * 0x2545F4914F6CDD1Du) >> 32;
    return (uint32_t)(high * count >> 32);
}

int32_t random_between(struct drawing *drawing, int32_t low, int32_t high)
{
    if (high <= low)
        return low;
    return low + (int32_t)random_below(drawing, (uint32_t)(high - low + 1));
}

uint32_t add_vertex(struct drawing *drawing, struct point point)
{
    struct generated_map *map = drawing->map;
    int32_t along = point.x - point.x % drawing->snap.x;
    int32_t across = point.y - point.y % drawing->snap.y;
    int32_t x = drawing->origin.x + (drawing->turned ? across : along);
    int32_t y = drawing->origin.y + (drawing->turned ? along : across);
    map->vertices[map->vertex_count] =
        (struct nbstage_vertex){x * UNIT, y * UNIT};
    return (uint32_t)map->vertex_count++;
}

void add_line(struct drawing *drawing, uint32_t v1, uint32_t v2)
{
    struct generated_map *map = drawing->map;
    map->lines[map->line_count++] = (struct generated_line){v1, v2};
    drawing->lines_left--;
}

uint32_t add_ring(struct drawing *drawing, const struct point *points,
                  size_t count)
{
    uint32_t first = add_vertex(drawing, points[0]);
    uint32_t last = first;
    for (size_t i = 1; i < count; i++) {
        uint32_t next = add_vertex(drawing, points[i]);
        add_line(drawing, last, next);
        last = next;
    }
    add_line(drawing, last, first);
    return first;
}
