// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each line is two spokes, one at either end.  Around a vertex, the left of a
// spoke and the right of the next one counter-clockwise are sides of one face.
// Where all spokes of a vertex go east, a beam from it to the west ends at a
// side of the face that it begins in.  As each connected set of lines has such
// a vertex, its westernmost, this joins islands to what is around them.
//
// Coordinates are whole and of 16 bits, so all products are exact.

#include "prune/faces.h"

// What faces are made from.  The number of a spoke is that of the side on its
// right: the front of a line at its start, its back at its end.
struct making {
    struct sight *sight;
    const struct whole_lines *lines;
    uint32_t *parents;
    uint8_t *is_doubtful;
};

uint32_t faces_find(uint32_t *parents, uint32_t number)
{
    while (parents[number] != number)
        number = parents[number] = parents[parents[number]];
    return number;
}

void faces_unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = faces_find(parents, a);
    b = faces_find(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}

static void doubt(struct making *making, uint32_t line, uint32_t other)
{
    uint8_t *is_doubtful = making->is_doubtful;
    is_doubtful[2 * line] = is_doubtful[2 * line + 1] = true;
    is_doubtful[2 * other] = is_doubtful[2 * other + 1] = true;
}

static void take_work(struct sight *sight, size_t steps)
{
    sight->work_left -= steps < sight->work_left ? steps : sight->work_left;
}

static int64_t cross(int64_t x1, int64_t y1, int64_t x2, int64_t y2)
{
    return x1 * y2 - y1 * x2;
}

// ---------------------------------------------------------------------------
// Lines that meet

// Whether spans of two coordinates each have nothing in common.
static bool are_apart(int16_t a1, int16_t a2, int16_t b1, int16_t b2)
{
    return (a1 < b1 && a1 < b2 && a2 < b1 && a2 < b2) ||
           (a1 > b1 && a1 > b2 && a2 > b1 && a2 > b2);
}

// Which side of a line a point is on: the sign, or 0.
static int side_of(struct whole_line line, int16_t x, int16_t y)
{
    const int64_t side =
        cross(line.x2 - line.x1, line.y2 - line.y1, x - line.x1, y - line.y1);
    return (side > 0) - (side < 0);
}

// Whether lines that share no end meet.
static bool do_meet(struct whole_line a, struct whole_line b)
{
    return !are_apart(a.x1, a.x2, b.x1, b.x2) &&
           !are_apart(a.y1, a.y2, b.y1, b.y2) &&
           side_of(a, b.x1, b.y1) * side_of(a, b.x2, b.y2) <= 0 &&
           side_of(b, a.x1, a.y1) * side_of(b, a.x2, a.y2) <= 0;
}

// Finds lines that meet other than at an end of both.
static void doubt_lines_that_meet(struct making *making)
{
    const struct lists *lists = &making->sight->lists;
    const uint32_t *start = making->lines->start, *end = making->lines->end;
    struct sight *sight = making->sight;
    for (size_t list = 0; list < lists->list_count; list++) {
        const uint32_t *a = list_linedefs(lists, list);
        for (; *a != LIST_END && sight->work_left > 0; a++) {
            take_work(sight, list_length(lists, list));
            for (const uint32_t *b = a + 1; *b != LIST_END; b++)
                if (start[*a] != start[*b] && start[*a] != end[*b] &&
                    end[*a] != start[*b] && end[*a] != end[*b] &&
                    do_meet(whole_line_at(making->lines, *a),
                            whole_line_at(making->lines, *b)))
                    doubt(making, *a, *b);
        }
    }
}

// ---------------------------------------------------------------------------
// Beams

// Where a line crosses a beam: at x / height; a step further to the north it is
// at (x + lean) / height.
struct crossing {
    int64_t x, lean;
    int64_t height; // 0: there is none
    uint32_t side;  // that looks east
};

static struct crossing find_crossing(struct whole_line at, uint32_t line,
                                     int32_t y)
{
    const bool rises = at.y1 < at.y2;
    const int64_t height = rises ? at.y2 - at.y1 : at.y1 - at.y2;
    const int64_t lean = rises ? at.x2 - at.x1 : at.x1 - at.x2;
    const int32_t low = rises ? at.y1 : at.y2;
    if (y < low || y >= low + height)
        return (struct crossing){0};
    return (struct crossing){(rises ? at.x1 : at.x2) * height +
                                 (y - low) * lean,
                             lean, height, 2 * line + !rises};
}

// Whether a crossing is further east than another, which need not be there.
static bool is_nearer(const struct crossing *a, const struct crossing *b)
{
    const int64_t by_x = a->x * b->height - b->x * a->height;
    const int64_t by_lean = a->lean * b->height - b->lean * a->height;
    return b->height == 0 || by_x > 0 || (by_x == 0 && by_lean > 0);
}

// The column or row of a coordinate.
static int32_t place_of(int32_t coordinate, int32_t origin)
{
    return (coordinate - origin) >> BLOCK_SHIFT;
}

const uint32_t *faces_lines_at(const struct sight *sight, int32_t x, int32_t y)
{
    const struct grid *grid = &sight->grid;
    const uint32_t column = (uint32_t)place_of(x, grid->origin_x);
    const uint32_t row = (uint32_t)place_of(y, grid->origin_y);
    if (column >= grid->columns || row >= grid->rows)
        return NULL;
    const size_t block = (size_t)row * grid->columns + column;
    return sight->lists.words + sight->lists.place[block] + 1;
}

// A beam through a vertex counts as just north of it.
uint32_t faces_look_west(struct sight *sight, int32_t x, int32_t y)
{
    const struct grid *grid = &sight->grid;
    struct crossing nearest = {0};
    int32_t column = place_of(x, grid->origin_x);
    if (column >= (int32_t)grid->columns)
        column = (int32_t)grid->columns - 1;
    for (; column >= 0 && nearest.height == 0 && sight->work_left > 0;
         column--) {
        const int32_t edge = grid->origin_x + column * BLOCK_SIZE;
        const int32_t end = edge + BLOCK_SIZE < x ? edge + BLOCK_SIZE : x;
        const uint32_t *line = faces_lines_at(sight, edge, y);
        sight->work_left--;
        for (; line && *line != LIST_END && sight->work_left > 0; line++) {
            const struct crossing found = find_crossing(
                whole_line_at(&sight->lines->whole, *line), *line, y);
            sight->work_left--;
            if (found.height > 0 && found.x >= edge * found.height &&
                found.x < end * found.height && is_nearer(&found, &nearest))
                nearest = found;
        }
    }
    return nearest.height > 0 ? nearest.side
                              : (uint32_t)(2 * sight->lines->count);
}

// ---------------------------------------------------------------------------
// Spokes

// Where a spoke goes.
static inline struct nbstage_vertex direction_of(const struct making *making,
                                                 uint32_t spoke)
{
    const struct whole_line at = whole_line_at(making->lines, spoke / 2);
    const int sign = spoke % 2 == 0 ? 1 : -1;
    return (struct nbstage_vertex){sign * (at.x2 - at.x1),
                                   sign * (at.y2 - at.y1)};
}

static inline bool goes_east(struct nbstage_vertex to)
{
    return to.x > 0 || (to.x == 0 && to.y > 0);
}

// Compares spokes of a vertex counter-clockwise from due south, which comes
// last; 0 if they lie on each other.
static int64_t compare(struct nbstage_vertex a, struct nbstage_vertex b)
{
    const int by_half = goes_east(b) - goes_east(a);
    return by_half != 0 ? by_half : cross(b.x, b.y, a.x, a.y);
}

// The next spoke counter-clockwise from one at a point.
static uint32_t find_next(struct making *making, uint32_t spoke, uint32_t point,
                          const uint32_t *line)
{
    const uint32_t *start = making->lines->start, *end = making->lines->end;
    const struct nbstage_vertex from = direction_of(making, spoke);
    struct nbstage_vertex to = from;
    uint32_t next = spoke;
    size_t steps = 0;
    for (; *line != LIST_END; line++, steps++) {
        const uint32_t other = 2 * *line + (start[*line] != point);
        if ((start[*line] != point && end[*line] != point) || other == spoke ||
            start[*line] == end[*line])
            continue;
        const struct nbstage_vertex way = direction_of(making, other);
        const int64_t turn = compare(way, from);
        const bool wraps = next == spoke || compare(to, from) <= 0;
        if (turn == 0)
            doubt(making, spoke / 2, *line);
        if (next == spoke || (wraps && turn > 0) ||
            ((wraps || turn > 0) && compare(way, to) < 0)) {
            next = other;
            to = way;
        }
    }
    take_work(making->sight, steps);
    return next;
}

static void join_at(struct making *making, uint32_t spoke)
{
    const struct whole_line at = whole_line_at(making->lines, spoke / 2);
    const bool is_start = spoke % 2 == 0;
    const int32_t x = is_start ? at.x1 : at.x2, y = is_start ? at.y1 : at.y2;
    const uint32_t point = is_start ? making->lines->start[spoke / 2]
                                    : making->lines->end[spoke / 2];
    const uint32_t next =
        find_next(making, spoke, point, faces_lines_at(making->sight, x, y));
    const struct nbstage_vertex from = direction_of(making, spoke);
    faces_unite(making->parents, spoke ^ 1, next);
    if (goes_east(from) && compare(direction_of(making, next), from) <= 0)
        faces_unite(making->parents, next,
                    faces_look_west(making->sight, x, y));
}

void faces_join(struct sight *sight, uint32_t *parents, uint8_t *is_doubtful)
{
    struct making making = {sight, &sight->lines->whole, parents, is_doubtful};
    for (uint32_t i = 0; i < sight->lines->count && sight->work_left > 0; i++)
        if (making.lines->start[i] != making.lines->end[i]) {
            join_at(&making, 2 * i);
            join_at(&making, 2 * i + 1);
        }
    doubt_lines_that_meet(&making);
}
