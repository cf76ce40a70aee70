// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map is made the other way round: first the grid, then lines that are hard
// on it, last two line ends are moved to the lowest coordinates, so that a
// builder that goes by them arrives at that very grid.
//
// C leaves open in which order the parts of an initializer, or the two sides
// of an assignment, are evaluated, so only one of them may draw from a stream:
// a seed has to mean the same maps whatever the compiler.

#include "random-map.h"

#include "buffer.h"
#include "map/arrays.h"
#include "plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,     // a map unit in 16.16
    BLOCK = 128 * UNIT, // the side of a block in 16.16
    LOWEST = -32768,    // coordinates, map units
    HIGHEST = 32767,
    ID_MARGIN = 8, // map units that grid=id puts around a map
};

// Where coordinates of one axis may be; all 16.16.
struct axis {
    int64_t origin;    // of the grid
    int64_t low, high; // ends included
    int64_t step;      // all coordinates are multiples of it
};

struct point {
    int64_t x, y;
};

struct segment {
    struct point start, end;
};

struct plane {
    struct axis x, y;
};

// --- Numbers ---

// SplitMix64.
uint64_t random_next(struct random_stream *stream)
{
    uint64_t mixed = stream->state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

uint32_t random_below(struct random_stream *stream, uint32_t count)
{
    return (uint32_t)(random_next(stream) % count);
}

static bool one_in(struct random_stream *stream, uint32_t count)
{
    return random_below(stream, count) == 0;
}

// A number from low to high, both included.
static int64_t random_between(struct random_stream *stream, int64_t low,
                              int64_t high)
{
    return low + (int64_t)(random_next(stream) % (uint64_t)(high - low + 1));
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// --- Coordinates ---

// -step, 0 or step; 0 half of the time.
static int64_t random_nudge(struct random_stream *stream, int64_t step)
{
    static const int64_t steps[] = {-1, 0, 0, 1};
    return steps[random_below(stream, 4)] * step;
}

static int64_t random_edge(struct random_stream *stream,
                           const struct axis *axis)
{
    int64_t last = (axis->high - axis->origin) / BLOCK;
    int64_t edge = axis->origin + random_between(stream, 0, last) * BLOCK;
    return clamp(edge, axis->low, axis->high);
}

static int64_t random_beside_edge(struct random_stream *stream,
                                  const struct axis *axis)
{
    int64_t edge = random_edge(stream, axis);
    return clamp(edge + random_nudge(stream, axis->step), axis->low,
                 axis->high);
}

static int64_t random_anywhere(struct random_stream *stream,
                               const struct axis *axis)
{
    int64_t last = (axis->high - axis->low) / axis->step;
    return axis->low + random_between(stream, 0, last) * axis->step;
}

static int64_t random_coordinate(struct random_stream *stream,
                                 const struct axis *axis)
{
    switch (random_below(stream, 6)) {
    case 0:
    case 1:
        return random_beside_edge(stream, axis);
    case 2:
        return axis->low;
    case 3:
        return axis->high;
    default:
        return random_anywhere(stream, axis);
    }
}

static struct point random_point(struct random_stream *stream,
                                 const struct plane *plane)
{
    struct point point;
    point.x = random_coordinate(stream, &plane->x);
    point.y = random_coordinate(stream, &plane->y);
    return point;
}

// --- Lines ---

// How many times `move`, which is not 0, can be added to a coordinate.
static int64_t count_moves(const struct axis *axis, int64_t coordinate,
                           int64_t move)
{
    if (move > 0)
        return (axis->high - coordinate) / move;
    return (coordinate - axis->low) / -move;
}

// A point on the ray from `point` along `move`, often at one of its ends.
static struct point random_along(struct random_stream *stream,
                                 const struct plane *plane, struct point point,
                                 struct point move)
{
    int64_t most = smaller(count_moves(&plane->x, point.x, move.x),
                           count_moves(&plane->y, point.y, move.y));
    int64_t moves = one_in(stream, 3)   ? most
                    : one_in(stream, 4) ? 0
                                        : random_between(stream, 0, most);
    return (struct point){point.x + moves * move.x, point.y + moves * move.y};
}

// One way of going along an axis: how far for each step.
static int64_t random_move(struct random_stream *stream,
                           const struct axis *axis)
{
    static const int64_t largest[] = {1, 1, 3, 8, 128, 1024};
    int64_t steps = random_between(stream, 1, largest[random_below(stream, 6)]);
    return (one_in(stream, 2) ? steps : -steps) * axis->step;
}

// Through the corner of a block, in half of the cases exactly diagonal.
static struct segment through_corner(struct random_stream *stream,
                                     const struct plane *plane)
{
    struct point corner, move;
    corner.x = random_edge(stream, &plane->x);
    corner.y = random_edge(stream, &plane->y);
    move.x = random_move(stream, &plane->x);
    move.y = random_move(stream, &plane->y);
    if (one_in(stream, 2))
        move.y = one_in(stream, 2) ? move.x : -move.x;
    struct point back = {-move.x, -move.y};
    struct segment line;
    line.start = random_along(stream, plane, corner, back);
    line.end = random_along(stream, plane, corner, move);
    return line;
}

static struct point shifted(const struct plane *plane, struct point point,
                            int64_t x, int64_t y)
{
    return (struct point){clamp(point.x + x, plane->x.low, plane->x.high),
                          clamp(point.y + y, plane->y.low, plane->y.high)};
}

// Through a corner or a step beside it, parallel or turned a little.
static struct segment near_corner(struct random_stream *stream,
                                  const struct plane *plane)
{
    struct segment line = through_corner(stream, plane);
    int64_t x = random_nudge(stream, plane->x.step);
    int64_t y = random_nudge(stream, plane->y.step);
    line.end = shifted(plane, line.end, x, y);
    if (one_in(stream, 2))
        line.start = shifted(plane, line.start, x, y);
    return line;
}

static struct segment between_points(struct random_stream *stream,
                                     const struct plane *plane)
{
    struct segment line;
    line.start = random_point(stream, plane);
    line.end = random_point(stream, plane);
    return line;
}

// On an edge, or a step beside it.
static struct segment along_edge(struct random_stream *stream,
                                 const struct plane *plane)
{
    struct segment line = between_points(stream, plane);
    if (one_in(stream, 2))
        line.start.x = line.end.x = random_beside_edge(stream, &plane->x);
    else
        line.start.y = line.end.y = random_beside_edge(stream, &plane->y);
    return line;
}

// Nearly along an axis: a step or two to the side.
static struct segment steep_or_shallow(struct random_stream *stream,
                                       const struct plane *plane)
{
    struct segment line = along_edge(stream, plane);
    int64_t x = 2 * random_nudge(stream, plane->x.step);
    int64_t y = random_nudge(stream, plane->y.step);
    line.end = shifted(plane, line.end, x, y);
    return line;
}

static struct segment zero_length(struct random_stream *stream,
                                  const struct plane *plane)
{
    struct point point = random_point(stream, plane);
    return (struct segment){point, point};
}

static struct segment random_segment(struct random_stream *stream,
                                     const struct plane *plane)
{
    switch (random_below(stream, 8)) {
    case 0:
    case 1:
        return through_corner(stream, plane);
    case 2:
        return near_corner(stream, plane);
    case 3:
        return along_edge(stream, plane);
    case 4:
        return steep_or_shallow(stream, plane);
    case 5:
        return zero_length(stream, plane);
    default:
        return between_points(stream, plane);
    }
}

// --- Maps ---

// Chooses the origin of a grid of `blocks` blocks, often at one of the ends
// of the coordinate range.
static int64_t random_origin(struct random_stream *stream, int64_t blocks)
{
    int64_t last = HIGHEST + 1 - blocks * 128;
    switch (random_below(stream, 4)) {
    case 0:
        return LOWEST;
    case 1:
        return last;
    case 2:
        return clamp(0, LOWEST, last);
    default:
        return random_between(stream, LOWEST, last);
    }
}

// Chooses an axis of up to `blocks` blocks; its lowest coordinate is `margin`
// map units from the origin.
static struct axis random_axis(struct random_stream *stream, uint32_t blocks,
                               int64_t margin, int64_t step)
{
    int64_t count = blocks;
    if (one_in(stream, 2))
        count = random_between(stream, 1, blocks);
    int64_t origin = random_origin(stream, count);
    int64_t low = smaller(origin + margin, HIGHEST);
    int64_t past = origin + count * 128;
    if (past <= low)
        past = low + 1;
    return (struct axis){origin * UNIT, low * UNIT, past * UNIT - step, step};
}

// grid=id does not leave the coordinate range: at its end the margin shrinks.
static void shrink_margin(struct random_stream *stream, struct axis *axis)
{
    if (axis->origin == (int64_t)LOWEST * UNIT)
        axis->low -= random_between(stream, 0, ID_MARGIN) * UNIT;
}

// Chooses what is told in `map`, and what coordinates that leaves.
static struct plane random_plane(struct random_stream *stream,
                                 const struct random_shape *shape,
                                 struct random_map *map)
{
    static const int32_t steps[] = {UNIT, UNIT, UNIT / 2, 1};
    map->step = steps[random_below(stream, 4)];
    enum { FIT, ID, AT } placement = random_below(stream, 3);
    int64_t margin = placement == FIT  ? 0
                     : placement == ID ? ID_MARGIN
                                       : random_between(stream, 0, 200);
    struct plane plane;
    plane.x = random_axis(stream, shape->columns, margin, map->step);
    plane.y = random_axis(stream, shape->rows, margin, map->step);
    if (placement == ID) {
        shrink_margin(stream, &plane.x);
        shrink_margin(stream, &plane.y);
    }
    map->origin_x = (int32_t)(plane.x.origin / UNIT);
    map->origin_y = (int32_t)(plane.y.origin / UNIT);
    snprintf(map->grid_option, sizeof map->grid_option,
             placement == FIT  ? "grid=fit"
             : placement == ID ? "grid=id"
                               : "grid=%" PRId32 ",%" PRId32,
             map->origin_x, map->origin_y);
    return plane;
}

static struct plain_vertex vertex_at(struct point point)
{
    return (struct plain_vertex){(int32_t)point.x, (int32_t)point.y};
}

static void make_line(struct random_stream *stream, const struct plane *plane,
                      struct random_map *map, uint32_t number)
{
    struct segment segment = random_segment(stream, plane);
    uint32_t start = 2 * number;
    uint32_t end = start + 1;
    map->vertices[start] = vertex_at(segment.start);
    map->vertices[end] = vertex_at(segment.end);
    if (number > 0 && one_in(stream, 8))
        start = random_below(stream, start);
    bool turned = one_in(stream, 2);
    map->lines[number].v1 = turned ? end : start;
    map->lines[number].v2 = turned ? start : end;
}

// A vertex of some line.
static struct plain_vertex *random_end(struct random_stream *stream,
                                       const struct random_map *map)
{
    const struct plain_line *line =
        &map->lines[random_below(stream, (uint32_t)map->line_count)];
    return &map->vertices[one_in(stream, 2) ? line->v1 : line->v2];
}

// The lowest coordinate, or a fraction more, which is rounded down.
static int32_t random_lowest(struct random_stream *stream,
                             const struct axis *axis)
{
    int64_t last = smaller(UNIT - 1, axis->high - axis->low) / axis->step;
    int64_t steps = one_in(stream, 2) ? random_between(stream, 0, last) : 0;
    return (int32_t)(axis->low + steps * axis->step);
}

void random_map_allocate(struct random_map *map, size_t vertex_count,
                         size_t line_count)
{
    map->vertex_count = vertex_count;
    map->vertices = allocate_zeros(vertex_count, sizeof *map->vertices);
    map->line_count = line_count;
    map->lines = allocate_zeros(line_count, sizeof *map->lines);
    for (size_t i = 0; i < line_count; i++) {
        map->lines[i].front_sector = MAP_NONE;
        map->lines[i].back_sector = MAP_NONE;
    }
}

void random_map_allocate_pairs(struct random_map *map, size_t line_count)
{
    random_map_allocate(map, 2 * line_count, line_count);
    for (uint32_t i = 0; i < line_count; i++) {
        map->lines[i].v1 = 2 * i;
        map->lines[i].v2 = 2 * i + 1;
    }
}

struct random_map random_map_make(const struct random_shape *shape,
                                  struct random_stream *stream)
{
    struct random_map map;
    struct plane plane = random_plane(stream, shape, &map);
    size_t line_count = 1 + random_below(stream, shape->lines);
    random_map_allocate(&map, 2 * line_count + 1, line_count);
    for (uint32_t i = 0; i < map.line_count; i++)
        make_line(stream, &plane, &map, i);
    struct plain_vertex *westernmost = random_end(stream, &map);
    westernmost->x = random_lowest(stream, &plane.x);
    struct plain_vertex *southernmost = random_end(stream, &map);
    southernmost->y = random_lowest(stream, &plane.y);
    struct plain_vertex *unused = &map.vertices[map.vertex_count - 1];
    unused->x = (int32_t)random_next(stream);
    unused->y = (int32_t)random_next(stream);
    if (strcmp(map.grid_option, "grid=id") == 0)
        *unused = map.vertices[0]; // that grid encloses all vertices
    return map;
}

// --- Scattered maps ---

static int32_t scattered_coordinate(struct random_stream *stream, uint32_t low,
                                    uint32_t length)
{
    return (int32_t)(low + random_below(stream, length)) * UNIT;
}

static void scatter_line(const struct scatter *scatter,
                         struct random_stream *stream, struct random_map *map,
                         uint32_t number)
{
    uint32_t start = 2 * number;
    uint32_t x = random_below(stream, scatter->side - scatter->length);
    uint32_t y = random_below(stream, scatter->side - scatter->length);
    for (uint32_t v = start; v < start + 2; v++) {
        map->vertices[v].x = scattered_coordinate(stream, x, scatter->length);
        map->vertices[v].y = scattered_coordinate(stream, y, scatter->length);
    }
}

struct random_map scattered_map_make(const struct scatter *scatter)
{
    struct random_stream stream = {scatter->seed};
    struct random_map map = {.step = UNIT};
    random_map_allocate_pairs(&map, scatter->lines);
    for (uint32_t i = 0; i < scatter->lines; i++)
        scatter_line(scatter, &stream, &map, i);
    return map;
}

void random_map_move(struct random_map *map, int32_t x, int32_t y)
{
    int32_t low_x = INT32_MAX, low_y = INT32_MAX;
    for (size_t i = 0; i < map->vertex_count; i++) {
        low_x = map->vertices[i].x < low_x ? map->vertices[i].x : low_x;
        low_y = map->vertices[i].y < low_y ? map->vertices[i].y : low_y;
    }
    for (size_t i = 0; i < map->vertex_count; i++) {
        map->vertices[i].x = map->vertices[i].x - low_x + x;
        map->vertices[i].y = map->vertices[i].y - low_y + y;
    }
}

struct oracle_line *random_map_oracle_lines(const struct random_map *map)
{
    struct oracle_line *lines = allocate_zeros(map->line_count, sizeof *lines);
    for (size_t i = 0; i < map->line_count; i++) {
        const struct plain_line *line = &map->lines[i];
        if (line->v1 >= map->vertex_count || line->v2 >= map->vertex_count)
            abort_with("line %zu has no such vertex", i);
        const struct plain_vertex *v1 = &map->vertices[line->v1];
        const struct plain_vertex *v2 = &map->vertices[line->v2];
        lines[i] = (struct oracle_line){v1->x, v1->y, v2->x, v2->y};
    }
    return lines;
}

void random_map_free(struct random_map *map)
{
    free(map->lines);
    free(map->vertices);
    *map = (struct random_map){0};
}
