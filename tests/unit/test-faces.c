// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that faces agree where all around them is the same sector, and no
// others.  The maps are drawn on a lattice of triangles, so that filling these
// from one to the next, over edges that no line is on, tells what a face is:
//
//     +---+---+     Lines are on edges.  Some edges in a row become one line,
//     | / | / |     others meet it in the middle, and some are there twice, or
//     +---+---+     a part of them; some squares have both diagonals; some
//     lines | / | / |     have no length.
//     +---+---+
//
// Then the lattice is bent to any place, size and direction.
//
// LONG in the environment tries forty times as many.  The seed is printed;
// SEED=number repeats a run.

#include "arrays.h"
#include "context-for-tests.h"
#include "prune/faces.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 8,  // cells; those at the border are empty
    SCALE = 4, // of the lattice: there is room for a point in a triangle
    CELLS = SIDE * SIDE,
    MOST_LINES = 1000,
    NO_SECTOR = 99,
};

// Edges from a vertex of the lattice: to the east, north and north-east; and
// the other diagonal, from the vertex to the south to that to the east.
enum direction { EAST, NORTH, UP, DOWN, DIRECTIONS };

// A line from a vertex, over so many edges.
struct drawn_line {
    int x, y, length;
    enum direction direction;
    bool is_reversed;
    unsigned sectors[2]; // to its right and left before it was reversed
    bool is_doubtful;
};

struct drawing {
    struct random_stream *random;
    bool has_edge[DIRECTIONS][CELLS];
    bool is_bare;                // but for its rim and a square in the middle,
    bool is_trick;               // which shows another sector
    int region[2 * CELLS];       // of the triangles
    unsigned sectors[2 * CELLS]; // of regions
    struct drawn_line lines[MOST_LINES];
    size_t count;
    bool may_end_alone;
    bool agrees[2 * CELLS]; // regions
};

static const int steps[DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static bool chance(struct drawing *drawing, uint32_t of)
{
    return random_below(drawing->random, of) == 0;
}

// The triangle to the left or right of an edge.
static int triangle_beside(enum direction direction, int x, int y, bool right)
{
    int upper = (y * SIDE + x) * 2; // and the lower one follows
    switch (direction) {
    case EAST:
        return right ? upper - 2 * SIDE : upper + 1;
    case NORTH:
        return right ? upper : upper - 2 + 1;
    case UP:
        return upper + right;
    default: // it crosses both
        return upper - 2 * SIDE + right;
    }
}

static int region_of(const struct drawing *drawing, int triangle)
{
    while (drawing->region[triangle] != triangle)
        triangle = drawing->region[triangle];
    return triangle;
}

static void fill_regions(struct drawing *drawing)
{
    for (int t = 0; t < 2 * CELLS; t++)
        drawing->region[t] = t;
    for (int cell = 0; cell < CELLS; cell++)
        for (int d = EAST; d <= UP; d++) {
            const int x = cell % SIDE, y = cell / SIDE;
            if (drawing->has_edge[d][cell] || (d == EAST && y == 0) ||
                (d == NORTH && x == 0))
                continue;
            const int a = triangle_beside((enum direction)d, x, y, true);
            const int b = triangle_beside((enum direction)d, x, y, false);
            drawing->region[region_of(drawing, a)] = region_of(drawing, b);
        }
}

// --- Drawing ---

static bool is_middle(int x, int y)
{
    return x > 2 && x < 5 && y > 2 && y < 5;
}

static void draw_edges(struct drawing *drawing)
{
    // 11: there is nothing in the outermost square.
    const uint32_t empty = 2 + random_below(drawing->random, 10);
    for (int y = 1; y < SIDE; y++)
        for (int x = 1; x < SIDE; x++)
            for (int d = EAST; d <= UP; d++) {
                const bool is_in =
                    x + steps[d][0] < SIDE && y + steps[d][1] < SIDE;
                const bool is_rim = (d == EAST && (y == 1 || y == SIDE - 1)) ||
                                    (d == NORTH && (x == 1 || x == SIDE - 1));
                drawing->has_edge[d][y * SIDE + x] =
                    is_in &&
                    (is_rim ? !chance(drawing, 60)
                     : drawing->is_bare
                         ? is_middle(x, y) &&
                               is_middle(x + steps[d][0], y + steps[d][1])
                         : random_below(drawing->random, 12) > empty);
            }
}

static void add_line(struct drawing *drawing, struct drawn_line line)
{
    const bool is_odd = chance(drawing, 60);
    line.is_reversed = chance(drawing, 2);
    for (int right = 0; right < 2; right++) {
        const int triangle =
            triangle_beside(line.direction, line.x, line.y, right != 0);
        const bool is_other = drawing->is_trick && is_middle(line.x, line.y);
        line.sectors[!right] =
            (drawing->sectors[region_of(drawing, triangle)] + is_other) % 3;
        if (is_odd && chance(drawing, 2))
            line.sectors[!right] = chance(drawing, 4)
                                       ? NO_SECTOR
                                       : random_below(drawing->random, 3);
    }
    ck_assert_uint_lt(drawing->count, MOST_LINES);
    drawing->lines[drawing->count++] = line;
}

// Lines of edges, in a few maps longer ones, and what is not drawn twice in
// good maps.
static void draw_lines(struct drawing *drawing, bool joins, bool spoils)
{
    bool is_drawn[DIRECTIONS][CELLS] = {{false}};
    for (int cell = 0; cell < CELLS; cell++)
        for (int d = EAST; d <= UP; d++) {
            struct drawn_line line = {.x = cell % SIDE,
                                      .y = cell / SIDE,
                                      .direction = (enum direction)d};
            const int step = steps[d][1] * SIDE + steps[d][0];
            // Some lines without length are away from all others.
            if (spoils && line.x > 0 && line.y > 0 && chance(drawing, 80))
                add_line(drawing, line);
            if (!drawing->has_edge[d][cell] || is_drawn[d][cell])
                continue;
            for (int at = cell;
                 at < CELLS && drawing->has_edge[d][at] &&
                 (line.length == 0 || (joins && chance(drawing, 3)));
                 at += step, line.length++)
                is_drawn[d][at] = true;
            if (spoils && line.length > 1 && chance(drawing, 2)) {
                struct drawn_line part = line;
                part.length--;
                add_line(drawing, part);
            }
            add_line(drawing, line);
            if (spoils && chance(drawing, 60))
                add_line(drawing, line);
            if (spoils && d == UP && chance(drawing, 20))
                add_line(drawing, (struct drawn_line){.x = line.x,
                                                      .y = line.y + 1,
                                                      .length = 1,
                                                      .direction = DOWN});
            if (spoils && chance(drawing, 80))
                add_line(drawing,
                         (struct drawn_line){.x = line.x, .y = line.y});
        }
}

// --- What is expected ---

// Whether a line has a vertex: at an end, 1, or between its ends, 2.
static int line_has(const struct drawn_line *line, int x, int y)
{
    for (int i = 0; i <= line->length; i++)
        if (line->x + i * steps[line->direction][0] == x &&
            line->y + i * steps[line->direction][1] == y)
            return i == 0 || i == line->length ? 1 : 2;
    return 0;
}

static bool has_same_edge(const struct drawn_line *a,
                          const struct drawn_line *b)
{
    for (int i = 0; i < a->length; i++)
        for (int j = 0; j < b->length; j++) {
            const int *step = steps[a->direction], *other = steps[b->direction];
            const int ax = a->x + i * step[0], ay = a->y + i * step[1];
            const int bx = b->x + j * other[0], by = b->y + j * other[1];
            if (a->direction == b->direction && ax == bx && ay == by)
                return true;
            if (a->direction == UP && b->direction == DOWN && ax == bx &&
                ay == by - 1)
                return true;
        }
    return false;
}

// Marks lines that meet, at a vertex, a line that goes through it or is nothing
// else; and lines that end alone, where that is doubtful.
static void doubt_at_vertex(struct drawing *drawing, int x, int y)
{
    size_t ends = 0, others = 0;
    for (size_t i = 0; i < drawing->count; i++) {
        const int has = line_has(&drawing->lines[i], x, y);
        ends += has == 1;
        others += has == 2 || (has == 1 && drawing->lines[i].length == 0);
    }
    for (size_t i = 0; i < drawing->count; i++)
        if (line_has(&drawing->lines[i], x, y) &&
            (others > 0 ? ends + others > 1
                        : ends == 1 && !drawing->may_end_alone))
            drawing->lines[i].is_doubtful = true;
}

static void find_doubt(struct drawing *drawing)
{
    for (int cell = 0; cell < CELLS; cell++)
        doubt_at_vertex(drawing, cell % SIDE, cell / SIDE);
    for (size_t i = 0; i < drawing->count; i++)
        for (size_t j = 0; j < drawing->count; j++)
            if (i != j && has_same_edge(&drawing->lines[i], &drawing->lines[j]))
                drawing->lines[i].is_doubtful = drawing->lines[j].is_doubtful =
                    true;
}

// The region beside an edge of a line.
static int region_beside(const struct drawing *drawing,
                         const struct drawn_line *line, int edge, bool right)
{
    return region_of(drawing,
                     triangle_beside(line->direction,
                                     line->x + edge * steps[line->direction][0],
                                     line->y + edge * steps[line->direction][1],
                                     right));
}

static void find_agreement(struct drawing *drawing)
{
    unsigned shown[2 * CELLS];
    for (int t = 0; t < 2 * CELLS; t++) {
        drawing->agrees[t] = t != region_of(drawing, 0);
        shown[t] = NO_SECTOR;
    }
    for (size_t i = 0; i < drawing->count; i++) {
        const struct drawn_line *line = &drawing->lines[i];
        for (int edge = 0; edge < line->length || edge == 0; edge++)
            for (int right = 0; right < 2; right++) {
                const unsigned sector = line->sectors[!right];
                const int region =
                    region_beside(drawing, line, edge, right != 0);
                if (shown[region] == NO_SECTOR)
                    shown[region] = sector;
                if (line->is_doubtful || sector == NO_SECTOR ||
                    sector != shown[region])
                    drawing->agrees[region] = false;
            }
    }
}

// --- What is found ---

static int32_t draw_number(struct random_stream *random, int bits)
{
    return (int32_t)random_below(random, 2u << bits) - (1 << bits);
}

// How the lattice is bent: where its vertices are, in 16.16.
struct bend {
    int64_t ax, bx, ay, by, x, y;
};

static struct bend draw_bend(struct random_stream *random)
{
    // Few are large, as they have many blocks.
    const uint32_t most_bits = random_below(random, 32) == 0 ? 26 : 17;
    const int bits = (int)random_below(random, most_bits);
    const int64_t most = SIDE * SCALE;
    struct bend bend;
    int64_t turn;
    do {
        bend.ax = draw_number(random, bits);
        bend.bx = draw_number(random, bits);
        bend.ay = draw_number(random, bits);
        bend.by = draw_number(random, bits);
        turn = bend.ax * bend.by - bend.bx * bend.ay;
    } while (turn <= 0);
    // The middle of the lattice is at most so far from that of the map.
    bend.x = draw_number(random, 20) - (bend.ax + bend.bx) * most / 2;
    bend.y = draw_number(random, 20) - (bend.ay + bend.by) * most / 2;
    return bend;
}

static struct plain_vertex bend_vertex(const struct bend *bend, int x, int y)
{
    return (struct plain_vertex){
        (int32_t)(bend->ax * x + bend->bx * y + bend->x),
        (int32_t)(bend->ay * x + bend->by * y + bend->y)};
}

// Some of the points are moved into a triangle; that of their vertex, which
// has no line then.
static void make_map(const struct drawing *drawing, const struct bend *bend,
                     struct plain_vertex *vertices, struct plain_line *lines,
                     struct map_line *attributes)
{
    for (size_t i = 0; i < drawing->count; i++) {
        const struct drawn_line *line = &drawing->lines[i];
        const int *step = steps[line->direction];
        const bool back = line->is_reversed;
        vertices[2 * i + back] =
            bend_vertex(bend, line->x * SCALE, line->y * SCALE);
        vertices[2 * i + !back] =
            bend_vertex(bend, (line->x + line->length * step[0]) * SCALE,
                        (line->y + line->length * step[1]) * SCALE);
        lines[i] = (struct plain_line){.v1 = (uint32_t)(2 * i),
                                       .v2 = (uint32_t)(2 * i + 1)};
        const unsigned front = line->sectors[back];
        const unsigned other = line->sectors[!back];
        attributes[i] = (struct map_line){
            .front_sector = front == NO_SECTOR ? NBSTAGE_NONE : front,
            .back_sector = other == NO_SECTOR ? NBSTAGE_NONE : other};
    }
}

// Compares the faces with the regions; returns how many sides agree.
static size_t compare(const struct drawing *drawing, const bool *is_asked,
                      const struct faces *faces)
{
    uint32_t face_of[2 * CELLS];
    size_t agreeing = 0;
    memset(face_of, 0xFF, sizeof face_of);
    for (size_t side = 0; side < 2 * drawing->count; side++) {
        if (!is_asked[side / 2])
            continue;
        const struct drawn_line *line = &drawing->lines[side / 2];
        const bool right = (side % 2 == 0) != line->is_reversed;
        const int region = region_beside(drawing, line, 0, right);
        const bool expected = !line->is_doubtful && drawing->agrees[region];
        ck_assert_msg(faces_agree(faces, side) == expected,
                      "side %zu of the line from %d,%d, direction %d, length "
                      "%d: expected %d",
                      side, line->x, line->y, line->direction, line->length,
                      expected);
        agreeing += expected;
        if (!expected)
            continue;
        if (face_of[region] == UINT32_MAX)
            face_of[region] = faces->face[faces->loop[side]];
        ck_assert_uint_eq(face_of[region], faces->face[faces->loop[side]]);
    }
    for (int a = 0; a < 2 * CELLS; a++)
        for (int b = 0; b < a; b++)
            ck_assert(face_of[a] != face_of[b] || face_of[a] == UINT32_MAX);
    return agreeing;
}

static size_t try_drawing(struct random_stream *random, bool joins, bool spoils)
{
    static struct drawing drawing;
    struct plain_vertex vertices[2 * MOST_LINES];
    struct plain_line lines[MOST_LINES];
    struct map_line attributes_of_lines[MOST_LINES];
    uint8_t doubtful[MOST_LINES];
    bool is_asked[MOST_LINES];
    drawing = (struct drawing){.random = random};
    drawing.is_bare = chance(&drawing, 3);
    drawing.is_trick = drawing.is_bare && chance(&drawing, 2);
    draw_edges(&drawing);
    fill_regions(&drawing);
    for (int t = 0; t < 2 * CELLS; t++)
        drawing.sectors[t] = random_below(random, 3);
    draw_lines(&drawing, joins, spoils);
    for (size_t i = 0; i < drawing.count; i++) {
        doubtful[i] = spoils && chance(&drawing, 100);
        drawing.lines[i].is_doubtful = doubtful[i];
    }
    // Few are asked for, or many.
    const uint32_t asked = 1 + random_below(random, 8);
    for (size_t i = 0; i < drawing.count; i++)
        is_asked[i] = random_below(random, asked) == 0;
    drawing.may_end_alone = chance(&drawing, 2);
    find_doubt(&drawing);
    find_agreement(&drawing);
    if (drawing.count == 0)
        return 0;
    const struct bend bend = draw_bend(random);
    make_map(&drawing, &bend, vertices, lines, attributes_of_lines);
    struct nbstage_map given =
        PLAIN_MAP("MAP01", vertices, 2 * drawing.count, lines, drawing.count);
    struct map map;
    struct nodes nodes = {0};
    struct lines all;
    struct faces faces;
    struct attributes attributes = {.lines = attributes_of_lines,
                                    .line_count = drawing.count,
                                    .sector_count = 3};
    ck_assert_int_eq(map_read(&test_context, &given, false, &map), NBSTAGE_OK);
    ck_assert_int_eq(lines_gather(&test_context, &map, &nodes, NULL, &all),
                     NBSTAGE_OK);
    ck_assert_int_eq(faces_find(&test_context, &all, &attributes, is_asked,
                                spoils ? doubtful : NULL, drawing.may_end_alone,
                                &faces),
                     NBSTAGE_OK);
    ck_assert(!faces.is_early);
    const size_t agreeing = compare(&drawing, is_asked, &faces);
    faces_free(&test_context, &faces);
    lines_free(&test_context, &all);
    map_free(&test_context, &map);
    return agreeing;
}

LOOP_TEST(faces_are_what_can_be_filled, 4)
{
    const uint64_t seed = choose_seed();
    const unsigned tries = (getenv("LONG") ? 4000U : 100U) / SLOWNESS;
    size_t agreeing = 0;
    for (unsigned i = 0; i < tries; i++) {
        struct random_stream random = {seed * 1000003 + i * 4 + (unsigned)_i};
        agreeing += try_drawing(&random, _i & 1, _i & 2);
    }
    printf("SEED=%" PRIu64 ": %zu sides agree\n", seed, agreeing);
    ck_assert_uint_gt(agreeing, tries);
}
