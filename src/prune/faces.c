// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line is two half-edges: its front goes from start to end and its back from
// end to start, so that the face of each is on its right.  The next half-edge
// leaves the end of this one, the first counter-clockwise from its twin.
// Following next half-edges runs around a face once, in a loop:
//
//     .-----------.      This map has four loops, two at each line: one of the
//     |  .-----.  |      space around the map, two of the area between the
//     |  |     |  |      squares, and one of the inner square.
//     |  '-----'  |
//     '-----------'
//
// Loops of one face are united by looking west from corners: vertices whose
// lines all go east, or straight north.  The nearest line to the west is on a
// loop of the same face; if there is none, the face is the space around the
// map.  The westernmost vertex of a loop around an island is such a corner.
//
// A loop that does not agree is united with the space around the map, and not
// followed to its end.  Only loops of requested sectors are followed.
//
// All this requires that lines meet only at their ends.  Lines that cross,
// touch or overlap otherwise are doubtful.  Their loops need not bound a face,
// but every face that touches such a line has the line on one of its loops, and
// a loop with a doubtful line does not agree.
//
// Everything is exact: differences of coordinates are below 2^32 in size, and
// products are compared in two parts.  Dense long lines hit the work limit of
// FACES_WORK_FOR_LINE steps per line.

#include "prune/faces.h"

#include "base/context.h"
#include "base/digest.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "map/arrays.h"
#include "map/attributes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    FACES_WORK_FOR_LINE = 512,
    FACES_PER_REPORT = 1 << 14, // lines or blocks between two reports
};

#define FACES_NONE UINT32_MAX

struct faces_search {
    struct context *context;
    struct faces_request request;
    struct faces *faces; // the result
    uint64_t work_left;

    // A hash table of half-edges by start point.  `heads` has the first of each
    // slot's linked list, `links` the next; the values are half-edge + 1, and 0
    // at the end.
    uint32_t *heads;
    uint32_t *links;
    unsigned head_bits;

    bool *is_covered; // the blocks in the bounding box of a loop
};

// Counts steps; returns false at the work limit.
static inline bool faces_step(struct faces_search *search, uint64_t steps)
{
    search->work_left -= steps < search->work_left ? steps : search->work_left;
    return search->work_left > 0;
}

// ---------------------------------------------------------------------------
// Geometry

// The sign of a * b - c * d, whose factors are below 2^34 in size.  The
// difference may have 69 bits, so it is computed in two parts.
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

// 1 if a line goes east, or straight north; -1 if it goes the other way; 0 if
// its length is zero.
static inline int faces_way(struct fixed_line line)
{
    const int east = (line.x1 < line.x2) - (line.x2 < line.x1);
    return east != 0 ? east : (line.y1 < line.y2) - (line.y2 < line.y1);
}

// Whether two lines meet, given that their bounding boxes do.
static bool faces_do_meet(const struct fixed_line *a,
                          const struct fixed_line *b)
{
    return faces_side(a, b->x1, b->y1) * faces_side(a, b->x2, b->y2) <= 0 &&
           faces_side(b, a->x1, a->y1) * faces_side(b, a->x2, a->y2) <= 0;
}

// Whether the bounding boxes of two lines meet, and the lines share no vertex.
static inline bool faces_is_near(struct fixed_line line,
                                 struct fixed_line other)
{
    const int32_t west = line.x1 < line.x2 ? line.x1 : line.x2;
    const int32_t east = line.x1 < line.x2 ? line.x2 : line.x1;
    const int32_t south = line.y1 < line.y2 ? line.y1 : line.y2;
    const int32_t north = line.y1 < line.y2 ? line.y2 : line.y1;
    const int is_apart = ((other.x1 < west) & (other.x2 < west)) |
                         ((other.x1 > east) & (other.x2 > east)) |
                         ((other.y1 < south) & (other.y2 < south)) |
                         ((other.y1 > north) & (other.y2 > north));
    const int is_next = ((line.x1 == other.x1) & (line.y1 == other.y1)) |
                        ((line.x1 == other.x2) & (line.y1 == other.y2)) |
                        ((line.x2 == other.x1) & (line.y2 == other.y1)) |
                        ((line.x2 == other.x2) & (line.y2 == other.y2));
    return !(is_apart | is_next);
}

// ---------------------------------------------------------------------------
// Lookup by place

// The hash slot of half-edges that begin at a point.
static inline uint32_t *faces_head(const struct faces_search *search,
                                   struct map_vertex at)
{
    const uint64_t key = (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y;
    return &search->heads[digest_slot(key * 0x9E3779B97F4A7C15,
                                      search->head_bits)];
}

// Enters all half-edges in the hash table.  Half-edges still to be followed get
// FACES_NONE as face.
static void faces_begin(struct faces_search *search)
{
    const struct faces_request *request = &search->request;
    const struct lines *lines = request->lines;
    struct faces *faces = search->faces;
    faces->face[faces->around] = faces->around;
    for (uint32_t h = 0; h < faces->around; h++) {
        const uint32_t sector = attributes_sector(request->attributes, h);
        const bool is_asked = sector != MAP_NONE &&
                              request->is_asked[sector] &&
                              !(request->doubtful && request->doubtful[h / 2]);
        const struct map_vertex from =
            h % 2 == 0 ? lines->start[h / 2] : lines->end[h / 2];
        uint32_t *head = faces_head(search, from);
        faces->starts[h] = from;
        faces->face[h] = is_asked ? FACES_NONE : faces->around;
        search->links[h] = *head;
        *head = h + 1;
    }
}

// The block of a point of a line.
static inline size_t faces_block_at(const struct grid *grid, int32_t x,
                                    int32_t y)
{
    return (size_t)grid_index(y, grid->origin_y) * grid->columns +
           grid_index(x, grid->origin_x);
}

// ---------------------------------------------------------------------------
// Vertices

// Finds the next half-edge around the face; FACES_NONE at a dangling end
// (unless allowed), or if another half-edge there goes the same way as one of
// the two.
static uint32_t faces_find_next(struct faces_search *search, uint32_t half)
{
    const struct faces *faces = search->faces;
    const struct fixed_line from = faces_half(faces, half ^ 1);
    struct fixed_line nearest = from;
    uint32_t next = half ^ 1;
    bool is_doubtful = !search->request.allows_dangling;
    int turn = 3; // 0: less than a half turn, 1: a half, 2: more, 3: a full one
    for (uint32_t link = *faces_head(search, faces->starts[half ^ 1]);
         link != 0 && faces_step(search, 1); link = search->links[link - 1]) {
        const struct fixed_line at = faces_half(faces, link - 1);
        if (at.x1 != from.x1 || at.y1 != from.y1 || link - 1 == (half ^ 1))
            continue;
        const int its_turn = 1 - faces_side(&from, at.x2, at.y2);
        if (its_turn == 1 && faces_way(at) * faces_way(from) >= 0)
            return FACES_NONE;
        const int is_before = its_turn != turn
                                  ? turn - its_turn
                                  : faces_side(&at, nearest.x2, nearest.y2);
        if (is_before < 0)
            continue;
        is_doubtful = is_before == 0;
        next = link - 1;
        nearest = at;
        turn = its_turn;
    }
    return is_doubtful ? FACES_NONE : next;
}

// Whether a half-edge begins at a corner and its face is west of that corner.
static bool faces_sees_west(struct faces_search *search, uint32_t half)
{
    const struct fixed_line from = faces_half(search->faces, half);
    for (uint32_t link = *faces_head(search, search->faces->starts[half]);
         link != 0 && faces_step(search, 1); link = search->links[link - 1]) {
        const struct fixed_line at = faces_half(search->faces, link - 1);
        if (at.x1 == from.x1 && at.y1 == from.y1 &&
            (faces_way(at) < 0 || faces_side(&at, from.x2, from.y2) > 0))
            return false;
    }
    return true;
}

// The crossing of a northward line with a level: x plus the exact fraction
// left / height of a 16.16 unit.
struct faces_crossing {
    uint32_t half; // the half-edge that looks east
    struct fixed_line line;
    int64_t x, left, height;
};

// Finds the crossing of a line with the level of a point; returns whether the
// line crosses it, or begins there and goes north, further west than the point.
static bool faces_cross(const struct faces *faces, uint32_t line,
                        struct map_vertex to, struct faces_crossing *crossing)
{
    const struct map_vertex *ends = &faces->starts[2 * line];
    const uint32_t half = 2 * line + (ends[0].y > ends[1].y);
    const struct fixed_line at = faces_half(faces, half);
    if (at.y1 > to.y || at.y2 <= to.y || (at.x1 >= to.x && at.x2 >= to.x))
        return false;
    const bool is_east = at.x1 < at.x2;
    const uint64_t height = (uint32_t)at.y2 - (uint32_t)at.y1;
    const uint64_t product = // below 2^64
        is_east ? (uint64_t)((uint32_t)at.x2 - (uint32_t)at.x1) *
                      ((uint32_t)to.y - (uint32_t)at.y1)
                : (uint64_t)((uint32_t)at.x1 - (uint32_t)at.x2) *
                      ((uint32_t)at.y2 - (uint32_t)to.y);
    *crossing = (struct faces_crossing){
        half, at, (is_east ? at.x1 : at.x2) + (int64_t)(product / height),
        (int64_t)(product % height), (int64_t)height};
    return crossing->x < to.x;
}

// Whether a crossing is further east than another, at the level or, if equal
// there, just north of it.
static bool faces_is_east(const struct faces_crossing *a,
                          const struct faces_crossing *b)
{
    if (a->x != b->x)
        return a->x > b->x;
    const int by_left =
        faces_compare_products(a->left, b->height, b->left, a->height);
    return by_left != 0 ? by_left > 0
                        : faces_side(&b->line, a->line.x2, a->line.y2) < 0;
}

// Finds the half-edge that looks at a point from the west: the one of the
// nearest line there, at the point's level and just north of it; or FACES_NONE.
static uint32_t faces_look_west(struct faces_search *search,
                                struct map_vertex from)
{
    const struct faces *faces = search->faces;
    const struct grid *grid = &faces->grid;
    const size_t block = faces_block_at(grid, from.x, from.y);
    const size_t row_begin = block - block % grid->columns;
    struct faces_crossing nearest = {.half = FACES_NONE}, crossing;
    for (size_t b = block + 1; b > row_begin && nearest.half == FACES_NONE;) {
        b--;
        const size_t *starts = faces->block_starts + b;
        if (!faces_step(search, 1 + starts[1] - starts[0]))
            return FACES_NONE;
        for (size_t i = starts[0]; i < starts[1]; i++)
            if (faces_cross(faces, faces->block_lines[i], from, &crossing) &&
                faces_block_at(grid, (int32_t)crossing.x, from.y) == b &&
                (nearest.half == FACES_NONE ||
                 faces_is_east(&crossing, &nearest)))
                nearest = crossing;
    }
    return nearest.half;
}

// ---------------------------------------------------------------------------
// Loops and faces

// Union-find root of a half-edge.
static uint32_t faces_find_root(uint32_t *face, uint32_t half)
{
    while (face[half] != half) {
        face[half] = face[face[half]];
        half = face[half];
    }
    return half;
}

// Unites the faces of two half-edges.
static void faces_unite(struct faces_search *search, uint32_t a, uint32_t b)
{
    const struct attributes *attributes = search->request.attributes;
    const uint32_t around = search->faces->around;
    uint32_t *face = search->faces->face;
    a = faces_find_root(face, a);
    b = faces_find_root(face, b);
    if (a != around && b != around &&
        attributes_sector(attributes, a) == attributes_sector(attributes, b))
        face[b] = a;
    else
        face[a] = face[b] = around;
}

// Marks the blocks that a bounding box meets.
static void faces_cover(struct faces_search *search, struct fixed_line box)
{
    const struct grid *grid = &search->faces->grid;
    const size_t first = faces_block_at(grid, box.x1, box.y1);
    const size_t width = faces_block_at(grid, box.x2, box.y1) - first + 1;
    const size_t last = faces_block_at(grid, box.x1, box.y2);
    for (size_t b = first; b <= last && faces_step(search, 1 + width / 16);
         b += grid->columns)
        memset(&search->is_covered[b], true, width);
}

// Follows the loop of a half-edge, which becomes the root of its face.
static void faces_follow(struct faces_search *search, uint32_t half)
{
    const struct attributes *attributes = search->request.attributes;
    const uint32_t sector = attributes_sector(attributes, half);
    const struct faces *faces = search->faces;
    struct fixed_line box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    uint32_t at = half;
    do {
        const struct map_vertex from = faces->starts[at];
        box.x1 = from.x < box.x1 ? from.x : box.x1;
        box.y1 = from.y < box.y1 ? from.y : box.y1;
        box.x2 = from.x > box.x2 ? from.x : box.x2;
        box.y2 = from.y > box.y2 ? from.y : box.y2;
        faces->face[at] = half;
        at = faces_find_next(search, at);
    } while (at != FACES_NONE && faces->face[at] == FACES_NONE &&
             attributes_sector(attributes, at) == sector);
    if (at == half)
        faces_cover(search, box);
    else
        faces->face[half] = faces->around;
}

// Reports progress at some of the lines or blocks of a pass.
static nbstage_status faces_report(const struct faces_search *search,
                                   size_t done, size_t total)
{
    return done % FACES_PER_REPORT == 0
               ? context_progress(search->context, done, total)
               : NBSTAGE_OK;
}

static nbstage_status faces_follow_all(struct faces_search *search)
{
    const struct faces *faces = search->faces;
    for (uint32_t h = 0; h < faces->around; h++) {
        NEED(faces_report(search, h, faces->around));
        if (faces->face[h] == FACES_NONE)
            faces_follow(search, h);
    }
    return NBSTAGE_OK;
}

// Unites the loops of each face, by looking west from corners.
static nbstage_status faces_unite_loops(struct faces_search *search)
{
    const struct faces *faces = search->faces;
    for (uint32_t i = 0; i < faces->around / 2; i++) {
        const uint32_t half = 2 * i + (faces_way(faces_half(faces, 2 * i)) < 0);
        const struct map_vertex at = faces->starts[half];
        NEED(faces_report(search, i, faces->around / 2));
        if (!search->is_covered[faces_block_at(&faces->grid, at.x, at.y)] ||
            !faces_sees_west(search, half))
            continue;
        const uint32_t west = faces_look_west(search, at);
        faces_unite(search, half, west == FACES_NONE ? faces->around : west);
    }
    return NBSTAGE_OK;
}

bool faces_agree(const struct faces *faces, size_t side)
{
    return faces_find_root(faces->face, (uint32_t)side) != faces->around;
}

// Finds lines of a block that meet other than at their ends.  Moves each line
// beside an agreeing face to the front, and tests it against all behind it.
static void faces_doubt_block(struct faces_search *search, size_t block)
{
    const struct faces *faces = search->faces;
    const size_t begin = faces->block_starts[block];
    const size_t count = faces->block_starts[block + 1] - begin;
    uint32_t *lines = faces->block_lines + begin;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = lines[i];
        if ((!faces_agree(faces, 2 * a) && !faces_agree(faces, 2 * a + 1)) ||
            !faces_step(search, count))
            continue;
        lines[i] = lines[done];
        lines[done++] = a;
        const struct fixed_line line = faces_half(faces, 2 * a);
        for (size_t j = done; j < count; j++) {
            const uint32_t b = lines[j];
            const struct fixed_line other = faces_half(faces, 2 * b);
            if (!faces_is_near(line, other) || !faces_do_meet(&line, &other))
                continue;
            faces_unite(search, 2 * a, faces->around);
            faces_unite(search, 2 * a + 1, faces->around);
            faces_unite(search, 2 * b, faces->around);
            faces_unite(search, 2 * b + 1, faces->around);
        }
    }
}

static nbstage_status faces_doubt_all(struct faces_search *search)
{
    const size_t count = grid_block_count(&search->faces->grid);
    for (size_t b = 0; b < count; b++) {
        NEED(faces_report(search, b, count));
        if (search->is_covered[b])
            faces_doubt_block(search, b);
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------

// Allocates the result and the search, and sorts the lines into the blocks.
static nbstage_status faces_sort_lines(struct faces_search *search)
{
    struct context *context = search->context;
    const struct lines *lines = search->request.lines;
    const size_t sides = 2 * lines->count;
    struct faces *faces = search->faces;
    const size_t block_count = grid_block_count(&faces->grid);
    struct entries entries;
    nbstage_status status =
        entries_find(context, lines, &faces->grid, &entries);
    if (status != NBSTAGE_OK)
        goto out;
    const struct context_array arrays[] = {
        {&faces->starts, sides, sizeof(struct map_vertex)},
        {&faces->face, sides + 1, sizeof(uint32_t)},
        {&faces->block_starts, block_count + 2, sizeof(size_t)},
        {&faces->block_lines, entries.count, sizeof(uint32_t)},
        {&search->links, sides, sizeof(uint32_t)},
        {&search->heads, (size_t)1 << search->head_bits, sizeof(uint32_t)},
        {&search->is_covered, block_count, sizeof(bool)},
    };
    status = context_allocate_arrays(context, arrays, COUNT(arrays));
    if (status != NBSTAGE_OK)
        goto out;
    entries_sort(&entries, block_count, faces->block_starts,
                 faces->block_lines);
out:
    entries_free(context, &entries);
    return status;
}

nbstage_status faces_find(struct context *context,
                          const struct faces_request *request,
                          struct faces *faces)
{
    const size_t count = request->lines->count;
    const uint64_t work = (uint64_t)count * FACES_WORK_FOR_LINE;
    struct share left = context->share;
    struct faces_search search = {
        .context = context,
        .request = *request,
        .faces = faces,
        .work_left = work,
        .head_bits = digest_slot_bits(2 * count),
    };
    *faces = (struct faces){.around = (uint32_t)(2 * count),
                            .grid = grid_fit(request->lines)};
    context_begin_step(context, &left, 1, 4);
    NEED(faces_sort_lines(&search));
    faces_begin(&search);
    context_begin_step(context, &left, 1, 3);
    NEED(faces_follow_all(&search));
    context_begin_step(context, &left, 1, 2);
    NEED(faces_unite_loops(&search));
    context_begin_step(context, &left, 1, 1);
    NEED(faces_doubt_all(&search));
    faces->is_early = search.work_left == 0;
    if (faces->is_early)
        for (size_t h = 0; h < 2 * count; h++)
            faces->face[h] = faces->around;
    context->work += work - search.work_left;
    return NBSTAGE_OK;
}

void faces_free(struct context *context, struct faces *faces)
{
    context_release(context, faces->starts);
    *faces = (struct faces){0};
}
