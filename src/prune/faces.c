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
// A loop that sees the west of its own westernmost vertex runs around lines
// that are an island.  The nearest line to the west of that vertex is on
// another loop of the same face; if there is none, the face is the space around
// the map.  Any other loop bounds a face of its own.
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

struct faces_box {
    int32_t west, south, east, north;
};

struct faces_search {
    struct context *context;
    const struct lines *lines;
    const struct attributes *attributes;
    struct faces *faces; // what is found
    size_t side_count;
    uint64_t work_left;

    bool *is_doubtful; // for each line

    // Where each half-edge begins; it ends where its other half does.
    struct faces_point *start;
    struct faces_box *boxes; // of lines

    // The vertex that each half-edge begins at; vertices at one place are one.
    // Those that go out of vertex v are out[first_out[v]] to
    // out[first_out[v + 1] - 1], counter-clockwise from the south.
    uint32_t *vertex;
    uint32_t *first_out;
    uint32_t *out;
    size_t vertex_count;

    // The half-edge that follows each, and its loop.
    uint32_t *next;
    uint32_t *loop;
    size_t loop_count;

    // Of each loop a half-edge at its westernmost vertex; and another loop of
    // its face, or itself.  One more stands for the space around the map.
    uint32_t *westernmost;
    uint32_t *parent;
};

// Counts a step; false if there were too many.
static inline bool faces_step(struct faces_search *search)
{
    search->work_left -= search->work_left > 0;
    return search->work_left > 0;
}

// ---------------------------------------------------------------------------
// Geometry

// The sign of a * b - c * d, whose factors are below 2^34 in size.  That may
// have 69 bits, so it is worked out in two parts.
static inline int faces_compare_products(int64_t a, int64_t b, int64_t c,
                                         int64_t d)
{
    const int64_t low = a * (b & 0xFFFF) - c * (d & 0xFFFF);
    const int64_t high = a * (b >> 16) - c * (d >> 16) + (low >> 16);
    return high != 0 ? (high > 0) - (high < 0) : (low & 0xFFFF) != 0;
}

int faces_side(const struct fixed_line *line, int64_t x, int64_t y)
{
    return faces_compare_products((int64_t)line->x2 - line->x1, y - line->y1,
                                  (int64_t)line->y2 - line->y1, x - line->x1);
}

static inline struct fixed_line faces_half(const struct faces_search *search,
                                           uint32_t half)
{
    const struct faces_point from = search->start[half];
    const struct faces_point to = search->start[half ^ 1];
    return (struct fixed_line){from.x, from.y, to.x, to.y};
}

// Compares two half-edges that begin at one vertex: positive if the first comes
// after the second, counter-clockwise from the south; 0 if they go one way.
static int faces_compare_angles(const struct faces_search *search, uint32_t a,
                                uint32_t b)
{
    const struct fixed_line one = faces_half(search, a);
    const struct fixed_line two = faces_half(search, b);
    const bool one_west =
        one.x2 < one.x1 || (one.x2 == one.x1 && one.y2 <= one.y1);
    const bool two_west =
        two.x2 < two.x1 || (two.x2 == two.x1 && two.y2 <= two.y1);
    return one_west != two_west ? one_west - two_west
                                : faces_side(&two, one.x2, one.y2);
}

// Whether two lines have a point in common, if their boxes have.
static bool faces_do_meet(const struct fixed_line *a,
                          const struct fixed_line *b)
{
    return faces_side(a, b->x1, b->y1) * faces_side(a, b->x2, b->y2) <= 0 &&
           faces_side(b, a->x1, a->y1) * faces_side(b, a->x2, a->y2) <= 0;
}

// ---------------------------------------------------------------------------
// Vertices

static void faces_take_line(struct faces_search *search, size_t line)
{
    const struct fixed_line at = lines_fixed_at(search->lines, line);
    search->start[2 * line] = (struct faces_point){at.x1, at.y1};
    search->start[2 * line + 1] = (struct faces_point){at.x2, at.y2};
    search->boxes[line] = (struct faces_box){
        at.x1 < at.x2 ? at.x1 : at.x2, at.y1 < at.y2 ? at.y1 : at.y2,
        at.x1 < at.x2 ? at.x2 : at.x1, at.y1 < at.y2 ? at.y2 : at.y1};
}

// Numbers the vertices, by a table of half-edges with many free slots, and
// counts what goes out of each.
static nbstage_status faces_number_vertices(struct faces_search *search)
{
    uint32_t *slots = NULL; // a half-edge and 1, or 0
    size_t mask = 15;
    while (mask < search->side_count)
        mask = 2 * mask + 1;
    nbstage_status status = context_allocate_zeroed(search->context, mask + 1,
                                                    sizeof *slots, &slots);
    for (uint32_t h = 0; h < search->side_count && status == NBSTAGE_OK; h++) {
        const struct faces_point at = search->start[h];
        const uint64_t key = (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y;
        size_t slot = (size_t)(key * 0x9E3779B97F4A7C15 >> 32) & mask;
        for (; slots[slot] != 0 && faces_step(search);
             slot = (slot + 1) & mask) {
            const struct faces_point there = search->start[slots[slot] - 1];
            if (there.x == at.x && there.y == at.y)
                break;
        }
        const bool is_new = slots[slot] == 0;
        if (is_new)
            slots[slot] = h + 1;
        search->vertex[h] = is_new ? (uint32_t)search->vertex_count++
                                   : search->vertex[slots[slot] - 1];
        search->first_out[search->vertex[h] + 2]++;
    }
    context_release(search->context, slots);
    return status;
}

// Puts what goes out of a vertex in order, and finds what follows each
// half-edge that comes in.  Lines are doubtful that end there alone, that have
// no length, or that go one way.
static void faces_sort_out(struct faces_search *search, uint32_t *out,
                           size_t count)
{
    bool has_point = count == 1; // or a line without length
    for (size_t i = 0; i < count; i++) {
        const uint32_t half = out[i];
        size_t at = i;
        int order = -1;
        for (; at > 0 && faces_step(search); at--) {
            order = faces_compare_angles(search, out[at - 1], half);
            if (order <= 0)
                break;
            out[at] = out[at - 1];
        }
        out[at] = half;
        if (at > 0 && order == 0)
            search->is_doubtful[half / 2] =
                search->is_doubtful[out[at - 1] / 2] = true;
        has_point |= search->vertex[half] == search->vertex[half ^ 1];
    }
    for (size_t i = 0; i < count; i++) {
        search->next[out[i] ^ 1] = out[i + 1 < count ? i + 1 : 0];
        search->is_doubtful[out[i] / 2] |= has_point;
    }
}

static void faces_sort_all(struct faces_search *search)
{
    uint32_t *first = search->first_out;
    for (size_t v = 1; v <= search->vertex_count + 1; v++)
        first[v] += first[v - 1];
    for (uint32_t h = 0; h < search->side_count; h++)
        search->out[first[search->vertex[h] + 1]++] = h;
    for (size_t v = 0; v < search->vertex_count; v++)
        faces_sort_out(search, search->out + first[v], first[v + 1] - first[v]);
}

// ---------------------------------------------------------------------------
// Lines that meet elsewhere than at their ends

static nbstage_status faces_fill_blocks(struct faces_search *search)
{
    struct faces *faces = search->faces;
    struct entries entries = {0};
    faces->grid = grid_fit(search->lines);
    const size_t block_count = grid_block_count(&faces->grid);
    nbstage_status status =
        entries_find(search->context, search->lines, &faces->grid, &entries);
    const struct context_array arrays[] = {
        {&faces->block_starts, block_count + 2, sizeof(size_t)},
        {&faces->block_lines, entries.count, sizeof(uint32_t)},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(search->context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        entries_sort(&entries, block_count, faces->block_starts,
                     faces->block_lines);
    entries_free(search->context, &entries);
    return status;
}

static void faces_doubt_pair(struct faces_search *search, uint32_t a,
                             uint32_t b)
{
    const uint32_t *one = &search->vertex[2 * a], *two = &search->vertex[2 * b];
    const struct fixed_line line = faces_half(search, 2 * a);
    const struct fixed_line other = faces_half(search, 2 * b);
    if (one[0] != two[0] && one[0] != two[1] && one[1] != two[0] &&
        one[1] != two[1] && faces_do_meet(&line, &other))
        search->is_doubtful[a] = search->is_doubtful[b] = true;
}

// Marks the lines in a block that meet others between their ends.
static void faces_doubt_block(struct faces_search *search, size_t block)
{
    const uint32_t *lines = search->faces->block_lines;
    const size_t end = search->faces->block_starts[block + 1];
    for (size_t i = search->faces->block_starts[block]; i < end; i++) {
        const struct faces_box a = search->boxes[lines[i]];
        for (size_t j = i + 1; j < end && faces_step(search); j++) {
            const struct faces_box b = search->boxes[lines[j]];
            if (a.west <= b.east && a.east >= b.west && a.south <= b.north &&
                a.north >= b.south)
                faces_doubt_pair(search, lines[i], lines[j]);
        }
    }
}

// ---------------------------------------------------------------------------
// Loops

// Numbers the loops, and finds their westernmost vertices, the southernmost of
// several.
static void faces_number_loops(struct faces_search *search)
{
    for (size_t h = 0; h < search->side_count; h++)
        search->loop[h] = FACES_NONE;
    for (uint32_t h = 0; h < search->side_count; h++) {
        struct fixed_line west = faces_half(search, h);
        if (search->loop[h] != FACES_NONE)
            continue;
        search->westernmost[search->loop_count] = h;
        for (uint32_t at = h; search->loop[at] == FACES_NONE;
             at = search->next[at]) {
            const struct fixed_line half = faces_half(search, at);
            search->loop[at] = (uint32_t)search->loop_count;
            if (half.x1 > west.x1 || (half.x1 == west.x1 && half.y1 >= west.y1))
                continue;
            search->westernmost[search->loop_count] = at;
            west = half;
        }
        search->loop_count++;
    }
}

// Where a line that goes north crosses a level: at x, and the part left /
// height of the smallest unit.
struct faces_crossing {
    uint32_t half; // that looks east
    int64_t x, left, width, height;
};

// Finds where a line crosses the level y, if it has points at y and just north
// of it.
static bool faces_cross(const struct faces_search *search, uint32_t line,
                        int32_t y, struct faces_crossing *crossing)
{
    struct fixed_line at = faces_half(search, 2 * line);
    if ((at.y1 <= y) == (at.y2 <= y))
        return false;
    crossing->half = 2 * line + (at.y1 > at.y2);
    at = faces_half(search, crossing->half);
    const int64_t width = (int64_t)at.x2 - at.x1;
    const int64_t height = (int64_t)at.y2 - at.y1;
    const uint64_t product =
        (uint64_t)(width < 0 ? -width : width) * (uint64_t)((int64_t)y - at.y1);
    const int64_t whole = (int64_t)(product / (uint64_t)height);
    const int64_t left = (int64_t)(product % (uint64_t)height);
    const bool is_down = width < 0 && left > 0;
    crossing->x = at.x1 + (width < 0 ? -whole : whole) - is_down;
    crossing->left = is_down ? height - left : left;
    crossing->width = width;
    crossing->height = height;
    return true;
}

// Whether a crossing is further east than another, at the level or, if they
// are the same there, just north of it.
static bool faces_is_east(const struct faces_crossing *a,
                          const struct faces_crossing *b)
{
    if (a->x != b->x)
        return a->x > b->x;
    const int by_left =
        faces_compare_products(a->left, b->height, b->left, a->height);
    return by_left != 0 ? by_left > 0
                        : faces_compare_products(a->width, b->height, b->width,
                                                 a->height) > 0;
}

// The half-edge that looks at a point from the west: that of the nearest line
// there, at the point's level and just north of it; or FACES_NONE.
static uint32_t faces_look_west(struct faces_search *search, int32_t x,
                                int32_t y)
{
    const struct faces *faces = search->faces;
    const struct grid *grid = &faces->grid;
    const int32_t row = ((y >> 16) - grid->origin_y) >> BLOCK_SHIFT;
    struct faces_crossing nearest = {.half = FACES_NONE}, crossing;
    for (int32_t column = ((x >> 16) - grid->origin_x) >> BLOCK_SHIFT;
         column >= 0 && nearest.half == FACES_NONE && faces_step(search);
         column--) {
        const size_t *starts =
            faces->block_starts + (size_t)row * grid->columns + (size_t)column;
        for (size_t i = starts[0]; i < starts[1] && faces_step(search); i++)
            if (faces_cross(search, faces->block_lines[i], y, &crossing) &&
                crossing.x < x &&
                ((crossing.x >> 16) - grid->origin_x) >> BLOCK_SHIFT ==
                    column &&
                (nearest.half == FACES_NONE ||
                 faces_is_east(&crossing, &nearest)))
                nearest = crossing;
    }
    return nearest.half;
}

// Finds the face that each island is in.  Of what goes out of a vertex with
// nothing to its west the first looks there.
static void faces_place_islands(struct faces_search *search)
{
    const uint32_t around = (uint32_t)search->loop_count;
    for (uint32_t i = 0; i <= around; i++)
        search->parent[i] = i;
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t half = search->westernmost[i];
        const struct fixed_line at = faces_half(search, half);
        const uint32_t first =
            search->out[search->first_out[search->vertex[half]]];
        if (search->loop[first] != i)
            continue;
        const uint32_t west = faces_look_west(search, at.x1, at.y1);
        search->parent[i] = west == FACES_NONE ? around : search->loop[west];
    }
}

// The loop that stands for the face of a loop.
static uint32_t faces_find_root(uint32_t *parent, uint32_t loop)
{
    while (parent[loop] != loop) {
        parent[loop] = parent[parent[loop]];
        loop = parent[loop];
    }
    return loop;
}

// Decides which faces agree, by the sectors that their sides show.
static void faces_compare_sides(struct faces_search *search)
{
    struct faces *faces = search->faces;
    uint32_t *shown = search->westernmost; // by each face, so far
    for (size_t i = 0; i <= search->loop_count; i++) {
        shown[i] = NBSTAGE_NONE;
        faces->agrees[i] = i < search->loop_count;
    }
    for (uint32_t h = 0; h < search->side_count; h++) {
        const uint32_t sector = attributes_sector(search->attributes, h);
        const uint32_t face = faces_find_root(search->parent, search->loop[h]);
        faces->face[h] = face;
        if (shown[face] == NBSTAGE_NONE)
            shown[face] = sector;
        if (sector == NBSTAGE_NONE || sector != shown[face] ||
            search->is_doubtful[h / 2])
            faces->agrees[face] = false;
    }
}

static void faces_search_all(struct faces_search *search)
{
    const size_t block_count = grid_block_count(&search->faces->grid);
    faces_sort_all(search);
    for (size_t b = 0; b < block_count; b++)
        faces_doubt_block(search, b);
    faces_number_loops(search);
    if (search->work_left > 0)
        faces_place_islands(search);
    search->faces->is_early = search->work_left == 0;
    if (!search->faces->is_early)
        faces_compare_sides(search);
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
        .faces = faces,
        .side_count = sides,
        .work_left = work,
    };
    const struct context_array arrays[] = {
        {&search.vertex, sides, sizeof(uint32_t)},
        {&search.out, sides, sizeof(uint32_t)},
        {&search.next, sides, sizeof(uint32_t)},
        {&search.loop, sides, sizeof(uint32_t)},
        {&search.westernmost, sides + 1, sizeof(uint32_t)},
        {&search.parent, sides + 1, sizeof(uint32_t)},
        {&search.first_out, sides + 2, sizeof(uint32_t)},
        {&search.start, sides, sizeof(struct faces_point)},
        {&search.boxes, lines->count, sizeof(struct faces_box)},
        {&search.is_doubtful, lines->count, sizeof(bool)},
    };
    const struct context_array kept[] = {
        {&faces->face, sides, sizeof(uint32_t)},
        {&faces->agrees, sides + 1, sizeof(bool)},
    };
    *faces = (struct faces){0};
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status =
            context_allocate_arrays(context, kept, sizeof kept / sizeof *kept);
    for (size_t i = 0; status == NBSTAGE_OK && i < lines->count; i++) {
        faces_take_line(&search, i);
        search.is_doubtful[i] = doubtful && doubtful[i] != 0;
    }
    if (status == NBSTAGE_OK)
        status = faces_number_vertices(&search);
    if (status == NBSTAGE_OK)
        status = faces_fill_blocks(&search);
    if (status == NBSTAGE_OK)
        faces_search_all(&search);
    context->work += work - search.work_left;
    context_release(context, search.vertex);
    return status;
}

void faces_free(struct context *context, struct faces *faces)
{
    context_release(context, faces->face);
    context_release(context, faces->block_starts);
    *faces = (struct faces){0};
}
