// SPDX-License-Identifier: GPL-2.0-or-later
//
// A box meets a line as in engines: their bounding boxes overlap, and the
// corners of the box are not all on one side of the line.  A trace meets a
// line if they have a point in common.  All of it is exact.

#include "queries.h"

#include <check.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

enum {
    UNIT = 1 << 16,     // a map unit in 16.16
    BLOCK = 128 * UNIT, // the side of a block in 16.16
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// ---------------------------------------------------------------------------
// Brute force

// Negative, 0 or positive as a point is to the right of a line, on it or to
// the left.
static int find_side(int64_t x1, int64_t y1, int64_t x2, int64_t y2, int64_t x,
                     int64_t y)
{
    wide left = (wide)(x2 - x1) * (y - y1);
    wide right = (wide)(y2 - y1) * (x - x1);
    return (left > right) - (left < right);
}

static int side_of_line(const struct oracle_line *line, int64_t x, int64_t y)
{
    return find_side(line->x1, line->y1, line->x2, line->y2, x, y);
}

static int side_of_trace(const struct query *trace, int64_t x, int64_t y)
{
    return find_side(trace->x1, trace->y1, trace->x2, trace->y2, x, y);
}

static bool box_meets(const struct query *box, const struct oracle_line *line)
{
    if (smaller(line->x1, line->x2) >= box->x2 ||
        larger(line->x1, line->x2) <= box->x1 ||
        smaller(line->y1, line->y2) >= box->y2 ||
        larger(line->y1, line->y2) <= box->y1)
        return false;
    int sum = side_of_line(line, box->x1, box->y1) +
              side_of_line(line, box->x1, box->y2) +
              side_of_line(line, box->x2, box->y1) +
              side_of_line(line, box->x2, box->y2);
    return abs(sum) < 4;
}

static bool trace_meets(const struct query *trace,
                        const struct oracle_line *line)
{
    if (smaller(line->x1, line->x2) > larger(trace->x1, trace->x2) ||
        larger(line->x1, line->x2) < smaller(trace->x1, trace->x2) ||
        smaller(line->y1, line->y2) > larger(trace->y1, trace->y2) ||
        larger(line->y1, line->y2) < smaller(trace->y1, trace->y2))
        return false;
    return side_of_line(line, trace->x1, trace->y1) *
                   side_of_line(line, trace->x2, trace->y2) <=
               0 &&
           side_of_trace(trace, line->x1, line->y1) *
                   side_of_trace(trace, line->x2, line->y2) <=
               0;
}

static void *allocate(void *memory, size_t count, size_t size)
{
    memory = realloc(memory, count * size);
    if (!memory)
        ck_abort_msg("no memory for %zu elements", count);
    return memory;
}

static void add_met(struct queries *queries, size_t place, uint32_t line)
{
    if (place == queries->met_capacity) {
        queries->met_capacity = 2 * queries->met_capacity + 1024;
        queries->met =
            allocate(queries->met, queries->met_capacity, sizeof *queries->met);
    }
    queries->met[place] = line;
}

static void find_met(struct queries *queries, const struct oracle_line *lines)
{
    size_t end = 0;
    for (size_t q = 0; q < queries->count; q++) {
        const struct query *query = &queries->query[q];
        queries->begin[q] = end;
        for (size_t l = 0; l < queries->line_count; l++)
            if (query->is_trace ? trace_meets(query, &lines[l])
                                : box_meets(query, &lines[l]))
                add_met(queries, end++, (uint32_t)l);
    }
    queries->begin[queries->count] = end;
}

// ---------------------------------------------------------------------------
// Random queries

struct place {
    int64_t x, y;
};

// A number from low to high, both included; a whole number of map units from
// low in half of the cases.
static int64_t random_between(struct random_stream *stream, int64_t low,
                              int64_t high)
{
    int64_t step = random_below(stream, 2) == 0 ? 1 : UNIT;
    uint64_t steps = (uint64_t)((high - low) / step) + 1;
    return low + (int64_t)(random_next(stream) % steps) * step;
}

static struct oracle_line find_bounds(const struct oracle_line *lines,
                                      size_t count)
{
    struct oracle_line bounds = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < count; i++) {
        const struct oracle_line *line = &lines[i];
        bounds.x1 = (int32_t)smaller(bounds.x1, smaller(line->x1, line->x2));
        bounds.y1 = (int32_t)smaller(bounds.y1, smaller(line->y1, line->y2));
        bounds.x2 = (int32_t)larger(bounds.x2, larger(line->x1, line->x2));
        bounds.y2 = (int32_t)larger(bounds.y2, larger(line->y1, line->y2));
    }
    return bounds;
}

// Anywhere in the map, at an end of a line, or near one.
static struct place random_place(const struct oracle_line *lines, size_t count,
                                 const struct oracle_line *bounds,
                                 struct random_stream *stream)
{
    const struct oracle_line *line =
        &lines[random_below(stream, (uint32_t)count)];
    struct place place = {line->x1, line->y1};
    switch (random_below(stream, 4)) {
    case 0:
        break;
    case 1:
        place.x += random_between(stream, -96 * UNIT, 96 * UNIT);
        place.y += random_between(stream, -96 * UNIT, 96 * UNIT);
        break;
    default:
        place.x = random_between(stream, bounds->x1, bounds->x2);
        place.y = random_between(stream, bounds->y1, bounds->y2);
    }
    return place;
}

static struct query box_around(struct place place, struct random_stream *stream)
{
    int64_t radius = (8 + (int64_t)random_below(stream, 57)) * UNIT;
    return (struct query){.x1 = place.x - radius,
                          .y1 = place.y - radius,
                          .x2 = place.x + radius,
                          .y2 = place.y + radius};
}

// As far as engines reach: to use, to aim, to shoot.  Often along an axis or
// exactly diagonal.
static struct query trace_from(struct place place, struct random_stream *stream)
{
    static const int64_t reaches[] = {64 * UNIT, 1024 * UNIT, 2048 * UNIT};
    int64_t reach = reaches[random_below(stream, 3)];
    int64_t dx = random_between(stream, -reach, reach);
    int64_t dy = random_between(stream, -reach, reach);
    switch (random_below(stream, 8)) {
    case 0:
        dx = 0;
        break;
    case 1:
        dy = 0;
        break;
    case 2:
        dy = random_below(stream, 2) == 0 ? dx : -dx;
        break;
    }
    return (struct query){.x1 = place.x,
                          .y1 = place.y,
                          .x2 = place.x + dx,
                          .y2 = place.y + dy,
                          .is_trace = true};
}

struct queries queries_make(const struct oracle_line *lines, size_t line_count,
                            size_t each_count, struct random_stream *stream)
{
    struct queries queries = {.count = 2 * each_count,
                              .line_count = line_count};
    queries.query = allocate(NULL, queries.count, sizeof *queries.query);
    queries.begin = allocate(NULL, queries.count + 1, sizeof *queries.begin);
    struct oracle_line bounds = find_bounds(lines, line_count);
    for (size_t q = 0; q < queries.count; q++) {
        struct place place = random_place(lines, line_count, &bounds, stream);
        queries.query[q] =
            q % 2 == 0 ? box_around(place, stream) : trace_from(place, stream);
    }
    find_met(&queries, lines);
    return queries;
}

void queries_free(struct queries *queries)
{
    free(queries->query);
    free(queries->begin);
    free(queries->met);
    *queries = (struct queries){0};
}

// ---------------------------------------------------------------------------
// Blocks

// Rounds down; `divisor` is positive.
static int64_t divide(int64_t value, int64_t divisor)
{
    return value / divisor - (value % divisor < 0);
}

static struct query_span find_span(int64_t origin, int64_t a, int64_t b)
{
    return (struct query_span){divide(smaller(a, b) - origin, BLOCK),
                               divide(larger(a, b) - origin, BLOCK)};
}

struct query_span query_rows(const struct query *query, int32_t origin_y)
{
    return find_span(origin_y, query->y1, query->y2);
}

struct query_span query_columns(const struct query *query, int32_t origin_x,
                                int32_t origin_y, int64_t row)
{
    if (!query->is_trace || query->y1 == query->y2)
        return find_span(origin_x, query->x1, query->x2);

    // Upward, from the origin, with x times dy in place of x.
    bool turned = query->y1 > query->y2;
    int64_t y1 = (turned ? query->y2 : query->y1) - origin_y;
    int64_t y2 = (turned ? query->y1 : query->y2) - origin_y;
    int64_t dx = turned ? query->x1 - query->x2 : query->x2 - query->x1;
    int64_t dy = y2 - y1;
    int64_t x1 = (turned ? query->x2 : query->x1) - origin_x;
    int64_t low_y = larger(y1, row * BLOCK);
    int64_t high_y = smaller(y2, (row + 1) * BLOCK);
    int64_t low_x = x1 * dy + dx * (low_y - y1);
    int64_t high_x = x1 * dy + dx * (high_y - y1);

    // The upper edge belongs to the next row.
    if (high_y == (row + 1) * BLOCK && dx > 0)
        high_x--;
    return (struct query_span){divide(smaller(low_x, high_x), dy * BLOCK),
                               divide(larger(low_x, high_x), dy * BLOCK)};
}

static struct query_span cut_to_grid(struct query_span span, size_t length)
{
    return (struct query_span){larger(span.first, 0),
                               smaller(span.last, (int64_t)length - 1)};
}

// Marks the lines that an engine tests with `mark`.
static void mark_tested(const struct query *query,
                        const struct engine_blockmap *blockmap, uint32_t mark,
                        uint32_t *marks)
{
    struct query_span rows =
        cut_to_grid(query_rows(query, blockmap->origin_y), blockmap->rows);
    for (int64_t row = rows.first; row <= rows.last; row++) {
        struct query_span columns = cut_to_grid(
            query_columns(query, blockmap->origin_x, blockmap->origin_y, row),
            blockmap->columns);
        if (columns.first > columns.last)
            continue;
        size_t block = (size_t)row * blockmap->columns;
        size_t end = blockmap->begin[block + (size_t)columns.last + 1];
        for (size_t i = blockmap->begin[block + (size_t)columns.first]; i < end;
             i++)
            marks[blockmap->line[i]] = mark;
    }
}

size_t queries_count_missed(const struct queries *queries,
                            const struct engine_blockmap *blockmap)
{
    uint32_t *marks = calloc(queries->line_count, sizeof *marks);
    if (!marks)
        ck_abort_msg("no memory for %zu marks", queries->line_count);
    size_t missed = 0;
    for (size_t q = 0; q < queries->count; q++) {
        uint32_t mark = (uint32_t)q + 1;
        mark_tested(&queries->query[q], blockmap, mark, marks);
        for (size_t m = queries->begin[q]; m < queries->begin[q + 1]; m++)
            missed += marks[queries->met[m]] != mark;
    }
    free(marks);
    return missed;
}
