// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is two half-edges: its front goes from start to end and its back from
// end to start, so that each has the face that it looks at to its right.  What
// follows at its end is the half-edge that goes out next, counter-clockwise
// from the way back.  Following these runs around a face once, in a loop:
//
//     .-----------.      The loops of this map are four, two at each line: of
//     |  .-----.  |      the space around all, of the outer square, of what is
//     |  |     |  |      between the squares, and of the inner square.
//     |  '-----'  |
//     '-----------'
//
// Lines that are connected are a component.  Of its loops one runs around all
// of it: the one that sees the west of its westernmost vertex.  This is of the
// face that the component is an island in.  The nearest line to the west of
// that vertex is on another loop of the same face; if there is none, the face
// is the space around the map.  Any other loop bounds a face of its own.
//
// All this holds only where lines meet at their ends alone.  Lines that meet
// otherwise are doubtful.  What their loops run through may not be a face, but
// any face that such a line really has a part in is on one of these loops, and
// a loop with a doubtful line does not agree.
//
// Everything is exact: differences of coordinates are below 2^32 in size, and
// products are compared in two parts.  On lines that are long and close this
// stops at FACES_WORK_FOR_LINE steps for each line.

#include "prune/faces.h"

#include "base/context.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "nbstage.h"
#include "prune/attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FACES_WORK_FOR_LINE = 512 };

#define FACES_NONE UINT32_MAX

struct faces_point {
    int32_t x, y;
};

struct faces_search {
    struct context *context;
    const struct lines *lines;
    const struct attributes *attributes;
    size_t side_count;
    uint64_t work_left;

    bool *is_doubtful; // for each line

    // Where half-edges begin: places with lines, each once.
    uint32_t *vertex; // for each half-edge
    struct faces_point *points;
    size_t point_count;

    // Half-edges that go out of vertex v are out[first_out[v]] to
    // out[first_out[v + 1] - 1], counter-clockwise from the south.
    uint32_t *first_out;
    uint32_t *out;

    // The half-edge that follows each, and its loop.
    uint32_t *next;
    uint32_t *loop;
    size_t loop_count;

    // Trees of loops, by parent: those of a component, and of a face.  One loop
    // more stands for the space around the map.
    uint32_t *component;
    uint32_t *face;

    // The lines in each block.
    struct grid grid;
    size_t *block_starts;
    uint32_t *block_lines;
};

// Counts a step; false if there were too many.
static inline bool faces_step(struct faces_search *search)
{
    if (search->work_left > 0)
        search->work_left--;
    return search->work_left > 0;
}

// ---------------------------------------------------------------------------
// Geometry

// The sign of a * b - c * d, whose factors are below 2^32 in size.  That may
// have 66 bits, so it is worked out in two parts.
static inline int faces_compare_products(int64_t a, int64_t b, int64_t c,
                                         int64_t d)
{
    const int64_t low = a * (b & 0xFFFF) - c * (d & 0xFFFF);
    const int64_t high = a * (b >> 16) - c * (d >> 16) + (low >> 16);
    return high != 0 ? (high > 0) - (high < 0) : (low & 0xFFFF) != 0;
}

static inline struct faces_point faces_start(const struct faces_search *search,
                                             uint32_t half)
{
    return search->points[search->vertex[half]];
}

// Whether a half-edge goes out counter-clockwise of another that begins at the
// same vertex, as seen from the south: positive, or 0 if they go the same way.
static int faces_compare_angles(const struct faces_search *search, uint32_t a,
                                uint32_t b)
{
    const struct faces_point from = faces_start(search, a);
    const struct faces_point to = faces_start(search, a ^ 1);
    const struct faces_point other = faces_start(search, b ^ 1);
    const int64_t ax = (int64_t)to.x - from.x, ay = (int64_t)to.y - from.y;
    const int64_t bx = (int64_t)other.x - from.x;
    const int64_t by = (int64_t)other.y - from.y;
    const bool a_west = ax < 0 || (ax == 0 && ay <= 0);
    const bool b_west = bx < 0 || (bx == 0 && by <= 0);
    if (a_west != b_west)
        return a_west - b_west;
    return faces_compare_products(bx, ay, by, ax);
}

// The side of a line, drawn out at both ends, that a point is on; 0: it is on
// the line.
static int faces_side(const struct fixed_line *line, int32_t x, int32_t y)
{
    return faces_compare_products(
        (int64_t)line->x2 - line->x1, (int64_t)y - line->y1,
        (int64_t)line->y2 - line->y1, (int64_t)x - line->x1);
}

// Whether spans of two coordinates each have nothing in common.
static inline bool faces_are_apart(int32_t a1, int32_t a2, int32_t b1,
                                   int32_t b2)
{
    return (a1 < b1 && a1 < b2 && a2 < b1 && a2 < b2) ||
           (a1 > b1 && a1 > b2 && a2 > b1 && a2 > b2);
}

// Whether two lines have a point in common.
static bool faces_do_meet(const struct fixed_line *a,
                          const struct fixed_line *b)
{
    return !faces_are_apart(a->x1, a->x2, b->x1, b->x2) &&
           !faces_are_apart(a->y1, a->y2, b->y1, b->y2) &&
           faces_side(a, b->x1, b->y1) * faces_side(a, b->x2, b->y2) <= 0 &&
           faces_side(b, a->x1, a->y1) * faces_side(b, a->x2, a->y2) <= 0;
}

// ---------------------------------------------------------------------------
// Vertices

// Numbers the places where half-edges begin, by a table of twice as many slots
// or more.
static nbstage_status faces_number_points(struct faces_search *search)
{
    uint32_t *slots = NULL;
    size_t mask = 15;
    while (mask < 2 * search->side_count)
        mask = 2 * mask + 1;
    nbstage_status status = context_allocate_zeroed(search->context, mask + 1,
                                                    sizeof *slots, &slots);
    for (size_t h = 0; h < search->side_count && status == NBSTAGE_OK; h++) {
        const struct fixed_line at = lines_fixed_at(search->lines, h / 2);
        const struct faces_point from =
            h % 2 == 0 ? (struct faces_point){at.x1, at.y1}
                       : (struct faces_point){at.x2, at.y2};
        const uint64_t key =
            (uint64_t)(uint32_t)from.x << 32 | (uint32_t)from.y;
        size_t slot = (size_t)(key * 0x9E3779B97F4A7C15 >> 32) & mask;
        for (; slots[slot] != 0 && faces_step(search);
             slot = (slot + 1) & mask) {
            const struct faces_point *there = &search->points[slots[slot] - 1];
            if (there->x == from.x && there->y == from.y)
                break;
        }
        if (slots[slot] == 0) {
            search->points[search->point_count++] = from;
            slots[slot] = (uint32_t)search->point_count;
        }
        search->vertex[h] = slots[slot] - 1;
    }
    context_release(search->context, slots);
    return status;
}

static void faces_gather_out(struct faces_search *search)
{
    uint32_t *first = search->first_out;
    for (size_t h = 0; h < search->side_count; h++)
        first[search->vertex[h] + 2]++;
    for (size_t v = 1; v <= search->point_count + 1; v++)
        first[v] += first[v - 1];
    for (size_t h = 0; h < search->side_count; h++)
        search->out[first[search->vertex[h] + 1]++] = (uint32_t)h;
}

// Marks the lines at a vertex that are doubtful because of others there.
static void faces_doubt_vertex(struct faces_search *search, const uint32_t *out,
                               size_t count)
{
    bool has_point = false; // a line without length
    for (size_t i = 0; i < count; i++)
        has_point |= search->vertex[out[i]] == search->vertex[out[i] ^ 1];
    for (size_t i = 0; i < count; i++)
        search->is_doubtful[out[i] / 2] |= has_point || count == 1;
    for (size_t i = 1; i < count; i++)
        if (faces_compare_angles(search, out[i - 1], out[i]) == 0)
            search->is_doubtful[out[i - 1] / 2] =
                search->is_doubtful[out[i] / 2] = true;
}

// Puts what goes out of each vertex in order, and finds what follows each
// half-edge that comes in.
static void faces_sort_out(struct faces_search *search)
{
    for (size_t v = 0; v < search->point_count; v++) {
        uint32_t *out = search->out + search->first_out[v];
        const size_t count = search->first_out[v + 1] - search->first_out[v];
        for (size_t i = 1; i < count; i++) {
            const uint32_t half = out[i];
            size_t at = i;
            for (; at > 0 && faces_step(search) &&
                   faces_compare_angles(search, out[at - 1], half) > 0;
                 at--)
                out[at] = out[at - 1];
            out[at] = half;
        }
        faces_doubt_vertex(search, out, count);
        for (size_t i = 0; i < count; i++)
            search->next[out[i] ^ 1] = out[i + 1 < count ? i + 1 : 0];
    }
}

// ---------------------------------------------------------------------------
// Lines that meet elsewhere than at their ends

static nbstage_status faces_fill_blocks(struct faces_search *search)
{
    struct context *context = search->context;
    struct entries entries = {0};
    search->grid = grid_fit(search->lines);
    const size_t block_count = grid_block_count(&search->grid);
    nbstage_status status =
        entries_find(context, search->lines, &search->grid, &entries);
    const struct context_array arrays[] = {
        {&search->block_starts, block_count + 2, sizeof(size_t)},
        {&search->block_lines, entries.count, sizeof(uint32_t)},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        entries_sort(&entries, block_count, search->block_starts,
                     search->block_lines);
    entries_free(context, &entries);
    return status;
}

static inline bool faces_share_end(const uint32_t *a, const uint32_t *b)
{
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

// Marks the lines in a block that meet others between their ends.
static void faces_doubt_block(struct faces_search *search, size_t block)
{
    const uint32_t *lines = search->block_lines;
    const size_t end = search->block_starts[block + 1];
    for (size_t i = search->block_starts[block]; i < end; i++) {
        const struct fixed_line line = lines_fixed_at(search->lines, lines[i]);
        const uint32_t *ends = &search->vertex[2 * lines[i]];
        for (size_t j = i + 1; j < end && faces_step(search); j++) {
            const struct fixed_line other =
                lines_fixed_at(search->lines, lines[j]);
            if (faces_do_meet(&line, &other) &&
                !faces_share_end(ends, &search->vertex[2 * lines[j]]))
                search->is_doubtful[lines[i]] = search->is_doubtful[lines[j]] =
                    true;
        }
    }
}

// ---------------------------------------------------------------------------
// Loops

static uint32_t faces_find_root(uint32_t *parents, uint32_t loop)
{
    while (parents[loop] != loop) {
        parents[loop] = parents[parents[loop]];
        loop = parents[loop];
    }
    return loop;
}

static void faces_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    parents[faces_find_root(parents, a)] = faces_find_root(parents, b);
}

// Numbers the loops, and joins those of each component.
static void faces_number_loops(struct faces_search *search)
{
    for (size_t h = 0; h < search->side_count; h++)
        search->loop[h] = FACES_NONE;
    for (uint32_t h = 0; h < search->side_count; h++) {
        if (search->loop[h] != FACES_NONE)
            continue;
        for (uint32_t at = h; search->loop[at] == FACES_NONE;
             at = search->next[at])
            search->loop[at] = (uint32_t)search->loop_count;
        search->loop_count++;
    }
    for (uint32_t i = 0; i <= search->loop_count; i++)
        search->component[i] = search->face[i] = i;
    for (size_t h = 0; h < search->side_count; h += 2)
        faces_join(search->component, search->loop[h], search->loop[h + 1]);
}

// ---------------------------------------------------------------------------
// Islands

// A line as it goes north, and where it crosses a level way: at x, and a part
// of a unit that is left / height.
struct faces_crossing {
    uint32_t half; // FACES_NONE: there is none
    int64_t x;
    uint64_t left;
    int64_t width; // to the east, negative to the west
    int64_t height;
};

// Where a line crosses the level y, if it has points at y and just north of it.
static bool faces_cross(const struct faces_search *search, uint32_t line,
                        int32_t y, struct faces_crossing *crossing)
{
    struct fixed_line at = lines_fixed_at(search->lines, line);
    if ((at.y1 <= y) == (at.y2 <= y))
        return false;
    // The side to the east: the front of a line to the north.
    crossing->half = 2 * line + (at.y1 > at.y2);
    if (at.y1 > at.y2)
        at = (struct fixed_line){at.x2, at.y2, at.x1, at.y1};
    crossing->width = (int64_t)at.x2 - at.x1;
    crossing->height = (int64_t)at.y2 - at.y1;
    const uint64_t width =
        (uint64_t)(crossing->width < 0 ? -crossing->width : crossing->width);
    const uint64_t product = width * (uint64_t)((int64_t)y - at.y1);
    const uint64_t height = (uint64_t)crossing->height;
    crossing->x = (int64_t)(product / height);
    crossing->left = product % height;
    if (crossing->width < 0) {
        crossing->x = -crossing->x - (crossing->left > 0);
        crossing->left = crossing->left > 0 ? height - crossing->left : 0;
    }
    crossing->x += at.x1;
    return true;
}

// Whether a crossing is further east than another, at the level or, if they
// are the same there, just north of it.
static bool faces_is_east(const struct faces_crossing *a,
                          const struct faces_crossing *b)
{
    if (a->x != b->x)
        return a->x > b->x;
    const int by_part = faces_compare_products((int64_t)a->left, b->height,
                                               (int64_t)b->left, a->height);
    return by_part > 0 ||
           (by_part == 0 && faces_compare_products(a->width, b->height,
                                                   b->width, a->height) > 0);
}

// The half-edge that looks at a vertex from the west: that of the nearest line
// there, at the vertex's level and just north of it; or FACES_NONE.
static uint32_t faces_look_west(struct faces_search *search,
                                struct faces_point from)
{
    const struct grid *grid = &search->grid;
    const int32_t row = ((from.y >> 16) - grid->origin_y) >> BLOCK_SHIFT;
    int32_t column = ((from.x >> 16) - grid->origin_x) >> BLOCK_SHIFT;
    struct faces_crossing nearest = {.half = FACES_NONE}, crossing;
    for (; column >= 0 && nearest.half == FACES_NONE && faces_step(search);
         column--) {
        const size_t block = (size_t)row * grid->columns + (size_t)column;
        for (size_t i = search->block_starts[block];
             i < search->block_starts[block + 1] && faces_step(search); i++)
            if (faces_cross(search, search->block_lines[i], from.y,
                            &crossing) &&
                crossing.x < from.x &&
                ((crossing.x >> 16) - grid->origin_x) >> BLOCK_SHIFT ==
                    column &&
                (nearest.half == FACES_NONE ||
                 faces_is_east(&crossing, &nearest)))
                nearest = crossing;
    }
    return nearest.half;
}

static inline bool faces_is_west(struct faces_point a, struct faces_point b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Joins the loop around each component to the face that it is in.
static void faces_place_islands(struct faces_search *search,
                                uint32_t *westernmost)
{
    for (size_t i = 0; i < search->loop_count; i++)
        westernmost[i] = FACES_NONE;
    for (uint32_t v = 0; v < search->point_count; v++) {
        const uint32_t half = search->out[search->first_out[v]];
        uint32_t *west = &westernmost[faces_find_root(search->component,
                                                      search->loop[half])];
        if (*west == FACES_NONE ||
            faces_is_west(search->points[v], search->points[*west]))
            *west = v;
    }
    for (size_t i = 0; i < search->loop_count; i++) {
        if (westernmost[i] == FACES_NONE)
            continue;
        const uint32_t v = westernmost[i];
        const uint32_t around = search->out[search->first_out[v]];
        const uint32_t half = faces_look_west(search, search->points[v]);
        faces_join(search->face, search->loop[around],
                   half == FACES_NONE ? (uint32_t)search->loop_count
                                      : search->loop[half]);
    }
}

// ---------------------------------------------------------------------------
// Faces

// Decides which faces agree, by the sectors that their sides show; `shown` is
// the one of each face so far.
static void faces_compare_sides(const struct faces_search *search,
                                uint32_t *shown, struct faces *faces)
{
    faces->face_count = search->loop_count + 1;
    for (size_t i = 0; i < faces->face_count; i++) {
        shown[i] = NBSTAGE_NONE;
        faces->agrees[i] = !faces->is_early;
    }
    faces->agrees[faces_find_root(search->face, (uint32_t)search->loop_count)] =
        false;
    for (size_t h = 0; h < search->side_count; h++) {
        const uint32_t sector = attributes_sector(search->attributes, h);
        const uint32_t face = faces_find_root(search->face, search->loop[h]);
        faces->face[h] = face;
        if (shown[face] == NBSTAGE_NONE)
            shown[face] = sector;
        if (sector == NBSTAGE_NONE || sector != shown[face] ||
            search->is_doubtful[h / 2])
            faces->agrees[face] = false;
    }
}

static void faces_search_all(struct faces_search *search, struct faces *faces)
{
    const size_t block_count = grid_block_count(&search->grid);
    faces_gather_out(search);
    faces_sort_out(search);
    for (size_t b = 0; b < block_count; b++)
        faces_doubt_block(search, b);
    faces_number_loops(search);
    faces_place_islands(search, search->next);
    faces->is_early = search->work_left == 0;
    faces_compare_sides(search, search->next, faces);
}

nbstage_status faces_find(struct context *context, const struct lines *lines,
                          const struct attributes *attributes,
                          const uint8_t *doubtful, struct faces *faces)
{
    const size_t sides = 2 * lines->count;
    const uint64_t work = (uint64_t)lines->count * FACES_WORK_FOR_LINE;
    struct faces_search search = {
        .context = context,
        .lines = lines,
        .attributes = attributes,
        .side_count = sides,
        .work_left = work,
    };
    const struct context_array kept[] = {
        {&faces->face, sides, sizeof(uint32_t)},
        {&faces->agrees, sides + 1, sizeof(bool)},
    };
    const struct context_array arrays[] = {
        {&search.vertex, sides, sizeof(uint32_t)},
        {&search.out, sides, sizeof(uint32_t)},
        {&search.next, sides + 1, sizeof(uint32_t)},
        {&search.loop, sides, sizeof(uint32_t)},
        {&search.component, sides + 1, sizeof(uint32_t)},
        {&search.face, sides + 1, sizeof(uint32_t)},
        {&search.first_out, sides + 2, sizeof(uint32_t)},
        {&search.points, sides, sizeof(struct faces_point)},
        {&search.is_doubtful, lines->count, sizeof(bool)},
    };
    *faces = (struct faces){0};
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status = faces_number_points(&search);
    if (status == NBSTAGE_OK)
        status = faces_fill_blocks(&search);
    if (status == NBSTAGE_OK)
        status =
            context_allocate_arrays(context, kept, sizeof kept / sizeof *kept);
    if (status == NBSTAGE_OK) {
        for (size_t i = 0; doubtful && i < lines->count; i++)
            search.is_doubtful[i] = doubtful[i] != 0;
        faces_search_all(&search, faces);
    }
    context->work += work - search.work_left;
    context_release(context, search.block_starts);
    context_release(context, search.vertex);
    return status;
}

void faces_free(struct context *context, struct faces *faces)
{
    context_release(context, faces->face);
    *faces = (struct faces){0};
}
