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
// Only loops beside lines that are asked for are followed, and what else is of
// the same faces.  For this, half-edges look west from corners: from vertices
// of which all lines go east, or straight north.  The nearest line to the west
// is on a loop of the same face; if there is none, the face is the space around
// the map.  The westernmost vertex of a loop that runs around an island is such
// a corner.  So a loop that is followed leads on to the one that it is in, and
// then all corners of the map are tried that may be of islands in it.
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
#include "map/attributes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    FACES_WORK_FOR_LINE = 512,
    FACES_AROUND = 1, // the face around the map, and a loop of it
};

#define FACES_NONE UINT32_MAX

struct faces_search {
    struct context *context;
    const struct lines *lines;
    const struct attributes *attributes;
    const uint8_t *doubtful;
    bool may_end_alone;
    struct faces *faces; // what is found
    uint64_t work_left;

    // Half-edges by where they begin: those with one hash are linked from a
    // head, each the number of a half-edge and 1, or 0.
    uint32_t *heads;
    uint32_t *links;
    unsigned hash_shift;

    uint32_t loop_count;
    uint32_t *shown;  // the sector of each face
    bool *is_covered; // for each block whether it is in the box of a loop

    // For each corner the half-edge whose loop sees the west of its start, and
    // that which looks at it from there.
    uint32_t (*corners)[2];
};

// Counts steps; false if there were too many.
static inline bool faces_step(struct faces_search *search, uint64_t steps)
{
    search->work_left -= steps < search->work_left ? steps : search->work_left;
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

// 1 if a line ends further west than it begins, or as far and further south.
static inline uint32_t faces_falls(struct fixed_line line)
{
    return (line.x2 < line.x1) | ((line.x2 == line.x1) & (line.y2 < line.y1));
}

// Where a half-edge goes, seen from another at the same vertex,
// counter-clockwise: 0 for less than half a turn, 1 for half of it, 2 for more;
// 3 for the same way, or for none.
static int faces_half_turn(const struct fixed_line *from,
                           const struct fixed_line *half)
{
    const int side = faces_side(from, half->x2, half->y2);
    const bool is_opposite = (half->x1 < half->x2 && from->x2 < from->x1) ||
                             (half->x2 < half->x1 && from->x1 < from->x2) ||
                             (half->y1 < half->y2 && from->y2 < from->y1) ||
                             (half->y2 < half->y1 && from->y1 < from->y2);
    return side != 0 ? 1 - side : is_opposite ? 1 : 3;
}

// Whether two lines have a point in common, if their boxes have.
static bool faces_do_meet(const struct fixed_line *a,
                          const struct fixed_line *b)
{
    return faces_side(a, b->x1, b->y1) * faces_side(a, b->x2, b->y2) <= 0 &&
           faces_side(b, a->x1, a->y1) * faces_side(b, a->x2, a->y2) <= 0;
}

// ---------------------------------------------------------------------------
// What is where

// The head for half-edges that begin at a point.
static inline uint32_t *faces_head(const struct faces_search *search,
                                   struct faces_point at)
{
    const uint64_t key = (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y;
    return &search->heads[key * 0x9E3779B97F4A7C15 >> search->hash_shift];
}

static void faces_link_all(struct faces_search *search)
{
    struct faces *faces = search->faces;
    faces->face[FACES_AROUND] = FACES_AROUND;
    for (uint32_t i = 0; i < search->lines->count; i++) {
        const struct fixed_line at = lines_fixed_at(search->lines, i);
        faces->starts[2 * i] = (struct faces_point){at.x1, at.y1};
        faces->starts[2 * i + 1] = (struct faces_point){at.x2, at.y2};
    }
    // Those that fall come to be the first, so that few steps tell that a
    // vertex is no corner.
    for (uint32_t falls = 0; falls < 2; falls++)
        for (uint32_t i = 0; i < search->lines->count; i++) {
            const uint32_t half =
                2 * i + (faces_falls(faces_half(faces, 2 * i)) ^ falls);
            uint32_t *head = faces_head(search, faces->starts[half]);
            search->links[half] = *head;
            *head = half + 1;
        }
}

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
        {&search->is_covered, block_count, sizeof(bool)},
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

// The block of a point of a line.
static inline size_t faces_block_at(const struct grid *grid, int32_t x,
                                    int32_t y)
{
    const int32_t column = ((x >> 16) - grid->origin_x) >> BLOCK_SHIFT;
    const int32_t row = ((y >> 16) - grid->origin_y) >> BLOCK_SHIFT;
    return (size_t)row * grid->columns + (size_t)column;
}

// ---------------------------------------------------------------------------
// Vertices

// What follows a half-edge; FACES_NONE if nothing else begins at its end.
// *agrees becomes false then, unless lines may end alone, and if anything goes
// the same way as one of the two.
static uint32_t faces_find_next(struct faces_search *search, uint32_t half,
                                bool *agrees)
{
    const struct faces *faces = search->faces;
    const struct fixed_line from = faces_half(faces, half ^ 1);
    struct fixed_line nearest = from;
    bool is_same = false, is_tied = false;
    uint32_t next = FACES_NONE;
    int turn = 4;
    for (uint32_t link = *faces_head(search, faces->starts[half ^ 1]);
         link != 0 && faces_step(search, 1); link = search->links[link - 1]) {
        const struct fixed_line at = faces_half(faces, link - 1);
        if (at.x1 != from.x1 || at.y1 != from.y1 || link - 1 == (half ^ 1))
            continue;
        const int its_turn = faces_half_turn(&from, &at);
        const int is_before = its_turn != turn
                                  ? turn - its_turn
                                  : faces_side(&at, nearest.x2, nearest.y2);
        is_same |= its_turn == 3;
        is_tied = is_before == 0 || (is_tied && is_before < 0);
        if (is_before <= 0)
            continue;
        next = link - 1;
        nearest = at;
        turn = its_turn;
    }
    *agrees &=
        !is_same && !is_tied && (next != FACES_NONE || search->may_end_alone);
    return next;
}

// Of the half-edges that begin at a corner the one whose loop sees the west;
// FACES_NONE if the vertex is no corner.
static uint32_t faces_find_first(struct faces_search *search,
                                 struct faces_point corner)
{
    struct fixed_line nearest = {0};
    uint32_t first = FACES_NONE;
    for (uint32_t link = *faces_head(search, corner);
         link != 0 && faces_step(search, 1); link = search->links[link - 1]) {
        const struct fixed_line at = faces_half(search->faces, link - 1);
        if (at.x1 != corner.x || at.y1 != corner.y)
            continue;
        if (faces_falls(at))
            return FACES_NONE;
        if (first != FACES_NONE && faces_side(&at, nearest.x2, nearest.y2) <= 0)
            continue;
        first = link - 1;
        nearest = at;
    }
    return first;
}

// ---------------------------------------------------------------------------
// Loops and faces

// The loop that stands for the face of a loop.
static uint32_t faces_find_root(uint32_t *face, uint32_t loop)
{
    while (face[loop] != loop) {
        face[loop] = face[face[loop]];
        loop = face[loop];
    }
    return loop;
}

// Two loops are of one face.
static void faces_unite(struct faces_search *search, uint32_t a, uint32_t b)
{
    struct faces *faces = search->faces;
    a = faces_find_root(faces->face, a);
    b = faces_find_root(faces->face, b);
    faces->face[b] = a;
    faces->agrees[a] = faces->agrees[a] && faces->agrees[b] &&
                       search->shown[a] == search->shown[b];
}

// Marks the blocks of a box.
static void faces_mark_blocks(struct faces_search *search,
                              struct faces_point low, struct faces_point high)
{
    const struct grid *grid = &search->faces->grid;
    const size_t end = faces_block_at(grid, high.x, high.y);
    const size_t width = faces_block_at(grid, high.x, low.y) -
                         faces_block_at(grid, low.x, low.y) + 1;
    for (size_t block = faces_block_at(grid, low.x, low.y);
         block <= end && faces_step(search, 1 + width / 16);
         block += grid->columns)
        memset(&search->is_covered[block], true, width);
}

// Follows a loop that was not.  Returns the start of the half-edge there that
// begins furthest west, and of these south.
static struct faces_point faces_follow(struct faces_search *search,
                                       uint32_t half)
{
    struct faces *faces = search->faces;
    const uint32_t loop = ++search->loop_count;
    const uint32_t sector = attributes_sector(search->attributes, half);
    struct faces_point west = {INT32_MAX, INT32_MAX}, low = west;
    struct faces_point high = {INT32_MIN, INT32_MIN};
    faces->face[loop] = loop;
    search->shown[loop] = sector;
    faces->agrees[loop] = sector != NBSTAGE_NONE;
    while (faces->loop[half] == 0 && search->work_left > 0) {
        const struct faces_point at = faces->starts[half];
        faces->loop[half] = loop;
        low.x = at.x < low.x ? at.x : low.x;
        low.y = at.y < low.y ? at.y : low.y;
        high.x = at.x > high.x ? at.x : high.x;
        high.y = at.y > high.y ? at.y : high.y;
        if (at.x < west.x || (at.x == west.x && at.y < west.y))
            west = at;
        if (attributes_sector(search->attributes, half) != sector ||
            (search->doubtful && search->doubtful[half / 2]))
            faces->agrees[loop] = false;
        const uint32_t next =
            faces_find_next(search, half, &faces->agrees[loop]);
        half = next == FACES_NONE ? half ^ 1 : next;
    }
    if (search->work_left == 0)
        return west;
    faces_mark_blocks(search, low, high);
    // Lines that go the same way out of a vertex may have led elsewhere.
    faces_unite(search, loop, faces->loop[half]);
    return west;
}

// Where a line that goes north crosses a level: at x, and the part left /
// height of the smallest unit.
struct faces_crossing {
    uint32_t half; // that looks east
    int64_t x, left, width, height;
};

// Finds where a line crosses the level of a point, if it has points there and
// just north of it that are further west.
static bool faces_cross(const struct faces_search *search, uint32_t line,
                        struct faces_point to, struct faces_crossing *crossing)
{
    struct fixed_line at = faces_half(search->faces, 2 * line);
    if ((at.y1 <= to.y) == (at.y2 <= to.y) || (at.x1 >= to.x && at.x2 >= to.x))
        return false;
    crossing->half = 2 * line + (at.y1 > at.y2);
    at = faces_half(search->faces, crossing->half);
    const int64_t width = (int64_t)at.x2 - at.x1;
    const int64_t height = (int64_t)at.y2 - at.y1;
    const uint64_t product = (uint64_t)(width < 0 ? -width : width) *
                             (uint64_t)((int64_t)to.y - at.y1);
    const int64_t whole = (int64_t)(product / (uint64_t)height);
    const int64_t left = (int64_t)(product % (uint64_t)height);
    const bool is_down = width < 0 && left > 0;
    crossing->x = at.x1 + (width < 0 ? -whole : whole) - is_down;
    crossing->left = is_down ? height - left : left;
    crossing->width = width;
    crossing->height = height;
    return crossing->x < to.x;
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
static uint32_t faces_look_west(struct faces_search *search,
                                struct faces_point from)
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
            if (faces_cross(search, faces->block_lines[i], from, &crossing) &&
                faces_block_at(grid, (int32_t)crossing.x, from.y) == b &&
                (nearest.half == FACES_NONE ||
                 faces_is_east(&crossing, &nearest)))
                nearest = crossing;
    }
    return nearest.half;
}

// Follows the loop of a half-edge, and those that it is in.
static void faces_follow_out(struct faces_search *search, uint32_t half)
{
    const uint32_t *loop = search->faces->loop;
    uint32_t island = 0;
    while (loop[half] == 0 && search->work_left > 0) {
        const struct faces_point west = faces_follow(search, half);
        const uint32_t first = faces_find_first(search, west);
        if (island != 0)
            faces_unite(search, island, loop[half]);
        island = loop[half];
        if (first == FACES_NONE || loop[first] != island)
            return;
        half = faces_look_west(search, west);
        if (half == FACES_NONE) {
            faces_unite(search, FACES_AROUND, island);
            return;
        }
    }
    if (island != 0)
        faces_unite(search, island, loop[half]);
}

// Follows the loops of islands in faces of which a loop was followed: those of
// corners that look there.
static void faces_follow_islands(struct faces_search *search)
{
    const struct faces *faces = search->faces;
    size_t count = 0;
    bool is_done = false;
    for (uint32_t i = 0; i < search->lines->count; i++) {
        const uint32_t low = 2 * i + faces_falls(faces_half(faces, 2 * i));
        const struct faces_point at = faces->starts[low];
        if (faces->loop[low] != 0 ||
            !search->is_covered[faces_block_at(&faces->grid, at.x, at.y)])
            continue;
        const uint32_t half = faces_find_first(search, at);
        if (half == FACES_NONE || half / 2 != i)
            continue;
        const uint32_t west = faces_look_west(search, at);
        search->corners[count][0] = half;
        search->corners[count][1] = west;
        count += west != FACES_NONE;
    }
    while (!is_done) {
        is_done = true;
        for (size_t i = 0; i < count && faces_step(search, 1); i++) {
            const uint32_t half = search->corners[i][0];
            const uint32_t west = search->corners[i][1];
            if (faces->loop[west] == 0 || faces->loop[half] != 0)
                continue;
            faces_follow(search, half);
            faces_unite(search, faces->loop[west], faces->loop[half]);
            is_done = false;
        }
    }
}

// ---------------------------------------------------------------------------
// Lines that meet elsewhere than at their ends

// Whether the box of a line has a point in common with that of another, and the
// lines have no end in common.
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

// Looks at the lines of a block whose loops were followed.
static void faces_doubt_block(struct faces_search *search, size_t block)
{
    const struct faces *faces = search->faces;
    const uint32_t *lines = faces->block_lines;
    const size_t begin = faces->block_starts[block];
    const size_t end = faces->block_starts[block + 1];
    for (size_t i = begin; i < end; i++) {
        if (faces->loop[2 * lines[i]] + faces->loop[2 * lines[i] + 1] == 0 ||
            !faces_step(search, end - begin))
            continue;
        const struct fixed_line line = faces_half(faces, 2 * lines[i]);
        for (size_t j = begin; j < end; j++) {
            const struct fixed_line other = faces_half(faces, 2 * lines[j]);
            if (!faces_is_near(line, other) || !faces_do_meet(&line, &other))
                continue;
            for (uint32_t back = 0; back < 2; back++)
                faces->agrees[faces_find_root(
                    faces->face, faces->loop[2 * lines[i] + back])] = false;
            break;
        }
    }
}

// ---------------------------------------------------------------------------

nbstage_status faces_find(struct context *context, const struct lines *lines,
                          const struct attributes *attributes,
                          const bool *is_asked, const uint8_t *doubtful,
                          bool may_end_alone, struct faces *faces)
{
    const size_t sides = 2 * lines->count;
    const uint64_t work = (uint64_t)lines->count * FACES_WORK_FOR_LINE;
    struct faces_search search = {
        .context = context,
        .lines = lines,
        .attributes = attributes,
        .doubtful = doubtful,
        .may_end_alone = may_end_alone,
        .faces = faces,
        .work_left = work,
        .hash_shift = 60,
        .loop_count = FACES_AROUND,
    };
    while ((uint64_t)1 << (64 - search.hash_shift) < sides)
        search.hash_shift--;
    const struct context_array arrays[] = {
        {&faces->starts, sides, sizeof(struct faces_point)},
        {&faces->loop, sides, sizeof(uint32_t)},
        {&faces->face, sides + 2, sizeof(uint32_t)},
        {&faces->agrees, sides + 2, sizeof(bool)},
        {&search.shown, sides + 2, sizeof(uint32_t)},
        {&search.links, sides, sizeof(uint32_t)},
        {&search.heads, (size_t)1 << (64 - search.hash_shift),
         sizeof(uint32_t)},
        {&search.corners, lines->count, sizeof *search.corners},
    };
    *faces = (struct faces){0};
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status = faces_fill_blocks(&search);
    if (status == NBSTAGE_OK)
        faces_link_all(&search);
    for (uint32_t h = 0; status == NBSTAGE_OK && h < sides; h++)
        if (is_asked[h / 2])
            faces_follow_out(&search, h);
    if (status == NBSTAGE_OK)
        faces_follow_islands(&search);
    for (size_t b = 0;
         status == NBSTAGE_OK && b < grid_block_count(&faces->grid); b++)
        if (search.is_covered[b])
            faces_doubt_block(&search, b);
    faces->is_early = search.work_left == 0;
    for (uint32_t i = 0; status == NBSTAGE_OK && i <= search.loop_count; i++) {
        faces->face[i] = faces_find_root(faces->face, i);
        faces->agrees[i] &= !faces->is_early;
    }
    context->work += work - search.work_left;
    return status;
}

void faces_free(struct context *context, struct faces *faces)
{
    context_release(context, faces->starts);
    context_release(context, faces->block_starts);
    *faces = (struct faces){0};
}
