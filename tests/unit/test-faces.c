// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which faces agree, against brute force: on a lattice whose cells are
// cut into triangles by their diagonals, faces are triangles that no line keeps
// apart.  The lattice is then stretched and sheared, by which no face changes,
// so that lines get any slope, and crossings lie between whole numbers.  And
// that a point is on the right side of a line, at the ends of the space.
//
// SEED in the environment chooses other maps.

#include "base/macros.h"
#include "context-for-tests.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "prune/faces.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

// --- Sides ---

// The sign of (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1), by hand.
static const struct {
    struct fixed_line line;
    int64_t x, y;
    int side;
} sides[] = {
    {{0, 0, 3, 2}, 1, 1, 1},   // 3 * 1 - 2 * 1
    {{0, 0, 3, 2}, 2, 1, -1},  // 3 * 1 - 2 * 2
    {{0, 0, 3, 2}, -3, -2, 0}, // on the line, behind its start
    {{3, 2, 0, 0}, 1, 1, -1},
    {{5, 5, 5, 5}, 7, 1, 0},
    // 2^32 - 1 east and north: the sign of y - x.
    {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, 8, 9, 1},
    {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, 9, 9, 0},
    {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, 9, 8, -1},
    {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, INT32_MIN, INT32_MAX, 1},
    // n * n - (n - 1) * (n + 1) = 1 with n = 2^31 - 1, and the same below.
    {{0, 0, INT32_MAX, INT32_MAX - 1}, (int64_t)INT32_MAX + 1, INT32_MAX, 1},
    {{0, 0, INT32_MAX - 1, INT32_MAX}, INT32_MAX, (int64_t)INT32_MAX + 1, -1},
    {{0, 0, -INT32_MAX, 1 - INT32_MAX}, -INT32_MAX - INT64_C(1), -INT32_MAX, 1},
    // 2^16 * 1 - 1 * 2^16 = 0, and one more or less.
    {{0, 0, 65536, 1}, 65536, 1, 0},
    {{0, 0, 65536, 1}, 65535, 1, 1},
    {{0, 0, 65536, 1}, 65537, 1, -1},
};

LOOP_TEST(points_are_on_the_right_side, COUNT(sides))
{
    ck_assert_int_eq(faces_side(&sides[_i].line, sides[_i].x, sides[_i].y),
                     sides[_i].side);
}

// --- Maps on a lattice ---

enum {
    SIDE = 6,         // cells of the lattice that lines may be on
    CELLS = SIDE + 2, // with a margin around them
    TRIANGLES = 4 * CELLS * CELLS,
    SECTORS = 3, // the last one is not asked for
    MOST_LINES = 150,
    MOST_SHAPES = 7,
    MAPS = 10000,
};

// The triangles of a cell.
enum { NORTH, EAST, SOUTH, WEST };

static const int ways[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                               {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

struct lattice_line {
    int x, y, way, length; // `length` steps in one of `ways`
    uint32_t shape;        // that it is part of
};

struct lattice {
    struct lattice_line lines[MOST_LINES];
    size_t count;
    uint32_t sectors[MOST_LINES][2];
    uint8_t doubtful[MOST_LINES];
    uint32_t component[TRIANGLES];
};

static int triangle_at(int x, int y, int part)
{
    return 4 * ((y + 1) * CELLS + x + 1) + part;
}

// The triangles to the right of step `step` of a line that goes in `way`: two
// beside a diagonal.  Returns how many.
static size_t find_beside(const struct lattice_line *line, int way, int step,
                          int triangles[2])
{
    // For each way, from the south-west corner of the step's bounding box: the
    // cell to the right, and its triangles.
    static const struct {
        int x, y, parts[2];
    } right[8] = {{0, -1, {NORTH, -1}}, {0, 0, {EAST, SOUTH}},
                  {0, 0, {WEST, -1}},   {0, 0, {NORTH, EAST}},
                  {0, 0, {SOUTH, -1}},  {0, 0, {NORTH, WEST}},
                  {-1, 0, {EAST, -1}},  {0, 0, {SOUTH, WEST}}};
    const int *by = ways[line->way];
    const int x = line->x + step * by[0] + (by[0] < 0 ? -1 : 0);
    const int y = line->y + step * by[1] + (by[1] < 0 ? -1 : 0);
    size_t count = 0;
    for (; count < 2 && right[way].parts[count] >= 0; count++)
        triangles[count] = triangle_at(x + right[way].x, y + right[way].y,
                                       right[way].parts[count]);
    return count;
}

// The same for a side, which is 0 or 1.
static size_t find_at_side(const struct lattice_line *line, size_t side,
                           int step, int triangles[2])
{
    return find_beside(line, (line->way + 4 * (int)side) % 8, step, triangles);
}

// --- Which faces agree, by brute force ---

static uint32_t find_root(struct lattice *map, uint32_t triangle)
{
    while (map->component[triangle] != triangle)
        triangle = map->component[triangle];
    return triangle;
}

static void join(struct lattice *map, int a, int b)
{
    map->component[find_root(map, (uint32_t)a)] = find_root(map, (uint32_t)b);
}

// Joins triangles that touch along an edge without a line.
static void find_components(struct lattice *map)
{
    bool level[CELLS][CELLS] = {{0}}, upright[CELLS][CELLS] = {{0}};
    bool rises[CELLS][CELLS] = {{0}}, falls[CELLS][CELLS] = {{0}};
    for (size_t i = 0; i < map->count; i++) {
        const struct lattice_line *line = &map->lines[i];
        const int *by = ways[line->way];
        for (int step = 0; step < line->length; step++) {
            const int x = 1 + line->x + step * by[0] - (by[0] < 0);
            const int y = 1 + line->y + step * by[1] - (by[1] < 0);
            if (by[1] == 0)
                level[y][x] = true;
            else if (by[0] == 0)
                upright[y][x] = true;
            else if (by[0] == by[1])
                rises[y][x] = true;
            else
                falls[y][x] = true;
        }
    }
    for (uint32_t t = 0; t < TRIANGLES; t++)
        map->component[t] = t;
    for (int y = 0; y < CELLS; y++)
        for (int x = 0; x < CELLS; x++) {
            const int cell = 4 * (y * CELLS + x);
            if (!rises[y][x]) {
                join(map, cell + NORTH, cell + EAST);
                join(map, cell + SOUTH, cell + WEST);
            }
            if (!falls[y][x]) {
                join(map, cell + NORTH, cell + WEST);
                join(map, cell + SOUTH, cell + EAST);
            }
            if (y > 0 && !level[y][x])
                join(map, cell + SOUTH, cell - 4 * CELLS + NORTH);
            if (x > 0 && !upright[y][x])
                join(map, cell + WEST, cell - 4 + EAST);
        }
}

// The points of a line at half steps, doubled: every point where two lines of
// the lattice can meet is among them.
static size_t find_points(const struct lattice_line *line, int points[][2])
{
    const size_t count = 2 * (size_t)line->length + 1;
    for (size_t i = 0; i < count; i++) {
        points[i][0] = 2 * line->x + (int)i * ways[line->way][0];
        points[i][1] = 2 * line->y + (int)i * ways[line->way][1];
    }
    return count;
}

// Whether two lines have a point in common that is not an end of both.
static bool do_meet(const struct lattice_line *a, const struct lattice_line *b)
{
    int of_a[2 * SIDE + 1][2], of_b[2 * SIDE + 1][2];
    const size_t a_count = find_points(a, of_a), b_count = find_points(b, of_b);
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (of_a[i][0] == of_b[k][0] && of_a[i][1] == of_b[k][1] &&
                !((i == 0 || i == a_count - 1) && (k == 0 || k == b_count - 1)))
                return true;
    return false;
}

// Whether another line ends where a line begins, or with `side` ends.
static bool is_joined(const struct lattice *map, size_t line, size_t side)
{
    int own[2 * SIDE + 1][2], points[2 * SIDE + 1][2];
    const size_t last = find_points(&map->lines[line], own) - 1;
    const int *end = own[side ? last : 0];
    for (size_t i = 0; i < map->count; i++) {
        const size_t count = find_points(&map->lines[i], points);
        if (i != line && ((points[0][0] == end[0] && points[0][1] == end[1]) ||
                          (points[count - 1][0] == end[0] &&
                           points[count - 1][1] == end[1])))
            return true;
    }
    return false;
}

static bool is_doubtful(const struct lattice *map, size_t line, bool dangles)
{
    bool answer =
        map->lines[line].length == 0 || map->doubtful[line] ||
        (!dangles && (!is_joined(map, line, 0) || !is_joined(map, line, 1)));
    for (size_t i = 0; i < map->count && !answer; i++)
        answer = i != line && do_meet(&map->lines[line], &map->lines[i]);
    return answer;
}

// Decides for each side whether its face agrees.
static void judge(struct lattice *map, bool dangles, bool *agrees)
{
    enum { UNSEEN = 99, BAD };
    static uint32_t seen[TRIANGLES]; // the sector that a component shows
    int triangles[2];
    find_components(map);
    for (uint32_t t = 0; t < TRIANGLES; t++)
        seen[t] = UNSEEN;
    seen[find_root(map, 0)] = BAD;
    for (size_t s = 0; s < 2 * map->count; s++) {
        const struct lattice_line *line = &map->lines[s / 2];
        const uint32_t sector = map->sectors[s / 2][s % 2];
        const bool is_bad =
            sector >= SECTORS - 1 || is_doubtful(map, s / 2, dangles);
        // All triangles around a line of zero length.
        const int around[8] = {triangle_at(line->x, line->y, SOUTH),
                               triangle_at(line->x, line->y, WEST),
                               triangle_at(line->x - 1, line->y, SOUTH),
                               triangle_at(line->x - 1, line->y, EAST),
                               triangle_at(line->x, line->y - 1, NORTH),
                               triangle_at(line->x, line->y - 1, WEST),
                               triangle_at(line->x - 1, line->y - 1, NORTH),
                               triangle_at(line->x - 1, line->y - 1, EAST)};
        for (int i = 0; line->length == 0 && i < 8; i++)
            seen[find_root(map, (uint32_t)around[i])] = BAD;
        for (int step = 0; step < line->length; step++) {
            const size_t count = find_at_side(line, s % 2, step, triangles);
            for (size_t i = 0; i < count; i++) {
                uint32_t *at = &seen[find_root(map, (uint32_t)triangles[i])];
                *at = is_bad || (*at != UNSEEN && *at != sector) ? BAD : sector;
            }
        }
    }
    for (size_t s = 0; s < 2 * map->count; s++) {
        const struct lattice_line *line = &map->lines[s / 2];
        agrees[s] = line->length > 0;
        for (int step = 0; step < line->length; step++) {
            const size_t count = find_at_side(line, s % 2, step, triangles);
            for (size_t i = 0; i < count; i++)
                agrees[s] &= seen[find_root(map, (uint32_t)triangles[i])] < BAD;
        }
    }
}

// --- Random maps ---

static void add_line(struct lattice *map, struct lattice_line line)
{
    if (map->count < MOST_LINES)
        map->lines[map->count++] = line;
}

// Adds a step, unless a line is there or crosses it.
static void add_step(struct lattice *map, int x, int y, int way, uint32_t shape)
{
    const struct lattice_line line = {x, y, way, 1, shape};
    for (size_t i = 0; i < map->count; i++)
        if (do_meet(&line, &map->lines[i]))
            return;
    add_line(map, line);
}

// Adds the steps of a shape: a rectangle, a diamond, or a triangle.
static void add_shape(struct lattice *map, struct random_stream *random,
                      uint32_t shape)
{
    // The ways of four edges; of a triangle the last one has no steps.
    static const int edges[][4] = {{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 2, 5, 5},
                                   {0, 3, 6, 6}, {2, 5, 0, 0}, {7, 2, 5, 3}};
    const int kind = (int)random_below(random, 6);
    const int wide = 1 + (int)random_below(random, SIDE / 2);
    const int high = kind == 0 ? 1 + (int)random_below(random, SIDE / 2) : wide;
    int lengths[4] = {wide, high, wide, high};
    int x = (int)random_below(random, SIDE + 1);
    int y = (int)random_below(random, SIDE + 1);
    if (kind >= 2 && kind <= 3)
        lengths[3] = 0;
    for (int edge = 0; edge < 4; edge++)
        for (int step = 0; step < lengths[edge]; step++) {
            const int *by = ways[edges[kind][edge]];
            const int to_x = x + by[0], to_y = y + by[1];
            if (to_x < 0 || to_x > SIDE || to_y < 0 || to_y > SIDE)
                return;
            add_step(map, x, y, edges[kind][edge], shape);
            x = to_x;
            y = to_y;
        }
}

// Spoils a map: a longer line, a point, one that is there twice, one less, or
// one that goes anywhere.
static void spoil(struct lattice *map, struct random_stream *random)
{
    struct lattice_line line =
        map->lines[random_below(random, (uint32_t)map->count)];
    switch (random_below(random, 5)) {
    case 0:
        line = map->lines[--map->count];
        break;
    case 1:
        line.length = 0;
        add_line(map, line);
        break;
    case 2:
        add_line(map, line);
        break;
    default:
        line.way = (int)random_below(random, 8);
        line.length = 1 + (int)random_below(random, 3);
        const int to_x = line.x + line.length * ways[line.way][0];
        const int to_y = line.y + line.length * ways[line.way][1];
        if (to_x >= 0 && to_x <= SIDE && to_y >= 0 && to_y <= SIDE)
            add_line(map, line);
    }
}

static void shuffle(struct lattice *map, struct random_stream *random)
{
    for (size_t i = map->count; i > 1; i--) {
        const size_t other = random_below(random, (uint32_t)i);
        const struct lattice_line line = map->lines[i - 1];
        map->lines[i - 1] = map->lines[other];
        map->lines[other] = line;
    }
}

// Gives most sides the sector of their face.  One shape may have its sectors
// swapped, and in a third of the maps some sides get any sector, or none.
static void choose_sectors(struct lattice *map, struct random_stream *random)
{
    int triangles[2];
    const bool is_wild = random_below(random, 3) == 0;
    const uint32_t turned = random_below(random, 3 * MOST_SHAPES);
    find_components(map);
    for (size_t s = 0; s < 2 * map->count; s++) {
        uint32_t *sector = &map->sectors[s / 2][s % 2];
        *sector = 0;
        if (find_at_side(&map->lines[s / 2], s % 2, 0, triangles) > 0)
            *sector = find_root(map, (uint32_t)triangles[0]) / 4 % 2;
        if (map->lines[s / 2].shape == turned)
            *sector = 1 - *sector;
        if (is_wild && random_below(random, 30) == 0)
            *sector = random_below(random, SECTORS + 1);
        if (*sector == SECTORS)
            *sector = MAP_NONE;
    }
}

static void make_lattice(struct random_stream *random, struct lattice *map)
{
    map->count = 0;
    for (uint32_t n = 1 + random_below(random, MOST_SHAPES); n > 0; n--)
        add_shape(map, random, n);
    memset(map->doubtful, 0, sizeof map->doubtful);
    if (map->count == 0)
        add_step(map, 0, 0, 0, 0);
    for (size_t i = 0; i < map->count; i++)
        if (random_below(random, 2)) { // the other way round
            map->lines[i].x += ways[map->lines[i].way][0];
            map->lines[i].y += ways[map->lines[i].way][1];
            map->lines[i].way = (map->lines[i].way + 4) % 8;
        }
    if (random_below(random, 2))
        for (uint32_t n = 1 + random_below(random, 2); n > 0 && map->count > 1;
             n--)
            spoil(map, random);
    if (random_below(random, 4) == 0)
        map->doubtful[random_below(random, (uint32_t)map->count)] = 1;
    shuffle(map, random);
    choose_sectors(map, random);
}

// --- What faces_find says ---

struct drawing {
    int32_t matrix[4]; // with a positive determinant
    int32_t x, y;      // where the lattice begins, 16.16
};

static struct drawing make_drawing(struct random_stream *random)
{
    static const int32_t units[] = {1, 7, 65536, 13 * 65536 + 1, 50 * 65536};
    const int32_t unit = units[random_below(random, COUNT(units))];
    struct drawing drawing;
    int64_t determinant;
    do {
        for (int i = 0; i < 4; i++)
            drawing.matrix[i] = (int32_t)random_below(random, 9) - 4;
        determinant = drawing.matrix[0] * drawing.matrix[3] -
                      drawing.matrix[1] * drawing.matrix[2];
    } while (determinant <= 0);
    for (int i = 0; i < 4; i++)
        drawing.matrix[i] *= unit;
    drawing.x = (int32_t)random_below(random, 300 * 65536) - 150 * 65536;
    drawing.y = (int32_t)random_below(random, 300 * 65536) - 150 * 65536;
    return drawing;
}

static struct map_vertex draw(const struct drawing *drawing, int x, int y)
{
    const int32_t *m = drawing->matrix;
    return (struct map_vertex){drawing->x + m[0] * x + m[1] * y,
                               drawing->y + m[2] * x + m[3] * y};
}

static void span(struct lines *lines, struct map_vertex at)
{
    const int32_t x = at.x >> 16, y = at.y >> 16;
    lines->min_x = x < lines->min_x ? x : lines->min_x;
    lines->min_y = y < lines->min_y ? y : lines->min_y;
    lines->max_x = x > lines->max_x ? x : lines->max_x;
    lines->max_y = y > lines->max_y ? y : lines->max_y;
}

// The lines of a request, with what they need.
struct drawn {
    struct map_vertex start[MOST_LINES], end[MOST_LINES];
    struct map_line attributes[MOST_LINES];
    size_t count;
};

static struct faces find_faces(const struct drawn *drawn,
                               const uint8_t *doubtful, bool dangles)
{
    static const bool is_asked[SECTORS] = {true, true, false};
    static const struct map_sector sectors[SECTORS];
    struct lines lines = {.count = drawn->count,
                          .min_x = INT32_MAX,
                          .min_y = INT32_MAX,
                          .max_x = INT32_MIN,
                          .max_y = INT32_MIN};
    const struct attributes attributes = {
        .lines = (struct map_line *)(uintptr_t)drawn->attributes,
        .line_count = drawn->count,
        .sectors = sectors,
        .sector_count = SECTORS};
    lines.start = (struct map_vertex *)(uintptr_t)drawn->start;
    lines.end = (struct map_vertex *)(uintptr_t)drawn->end;
    for (size_t i = 0; i < drawn->count; i++) {
        span(&lines, drawn->start[i]);
        span(&lines, drawn->end[i]);
    }
    const struct faces_request request = {.lines = &lines,
                                          .attributes = &attributes,
                                          .is_asked = is_asked,
                                          .doubtful = doubtful,
                                          .allows_dangling = dangles};
    struct faces faces;
    ck_assert_int_eq(faces_find(&test_context, &request, &faces), NBSTAGE_OK);
    ck_assert(!faces.is_early);
    return faces;
}

static void draw_lattice(const struct lattice *map,
                         const struct drawing *drawing, struct drawn *drawn)
{
    drawn->count = map->count;
    for (size_t i = 0; i < map->count; i++) {
        const struct lattice_line *line = &map->lines[i];
        const int *by = ways[line->way];
        drawn->start[i] = draw(drawing, line->x, line->y);
        drawn->end[i] = draw(drawing, line->x + line->length * by[0],
                             line->y + line->length * by[1]);
        drawn->attributes[i].front_sector = map->sectors[i][0];
        drawn->attributes[i].back_sector = map->sectors[i][1];
    }
}

// Some sides have to agree and some must not, so that both are tried.
TEST(faces_agree_as_triangles_do)
{
    static struct lattice map;
    static struct drawn drawn;
    static bool agrees[2 * MOST_LINES];
    struct random_stream random = {choose_seed()};
    size_t counts[2] = {0};
    for (int n = 0; n < MAPS / SLOWNESS; n++) {
        make_lattice(&random, &map);
        const struct drawing drawing = make_drawing(&random);
        const bool dangles = random_below(&random, 2);
        const bool gives_doubtful = map.count < 2 || random_below(&random, 2) ||
                                    memchr(map.doubtful, 1, map.count);
        judge(&map, dangles, agrees);
        draw_lattice(&map, &drawing, &drawn);
        struct faces faces =
            find_faces(&drawn, gives_doubtful ? map.doubtful : NULL, dangles);
        for (size_t s = 0; s < 2 * map.count; s++) {
            const struct lattice_line *line = &map.lines[s / 2];
            counts[agrees[s]]++;
            if (faces_agree(&faces, s) != agrees[s])
                ck_abort_msg("map %d, side %zu of the line at %d,%d: expected "
                             "%d",
                             n, s % 2, line->x, line->y, agrees[s]);
        }
        faces_free(&test_context, &faces);
    }
    ck_assert_uint_ge(counts[false], 10000 / SLOWNESS);
    ck_assert_uint_ge(counts[true], 10000 / SLOWNESS);
}

// --- Cases that are rare among random maps ---

// Linedefs, in whole units of 16, each with the sectors of its front and back;
// -1 is none.  The first four are a square that looks inside, of sector 0.
// `agree` has a bit for each side that has to agree: 1 and 2 for the front and
// back of the first linedef, and so on.
#define SQUARE \
    {0, 0, 0, 4, 0, -1}, {0, 4, 4, 4, 0, -1}, {4, 4, 4, 0, 0, -1}, \
    { \
        4, 0, 0, 0, 0, -1 \
    }

static const struct {
    int lines[10][6];
    size_t count;
    unsigned agree;
} drawn_cases[] = {
    {{SQUARE}, 4, 0x55},
    // An island of another sector, which only its inside agrees with.
    {{SQUARE,
      {1, 1, 2, 1, 1, 1},
      {2, 1, 2, 2, 1, 1},
      {2, 2, 1, 2, 1, 1},
      {1, 2, 1, 1, 1, 1}},
     8,
     0xAA00},
    // An island of the same sector.
    {{SQUARE,
      {1, 1, 2, 1, 0, 0},
      {2, 1, 2, 2, 0, 0},
      {2, 2, 1, 2, 0, 0},
      {1, 2, 1, 1, 0, 0}},
     8,
     0xFF55},
    // A point at the western corner of a diamond, its only one.
    {{SQUARE,
      {1, 2, 2, 1, 0, 0},
      {2, 1, 3, 2, 0, 0},
      {3, 2, 2, 3, 0, 0},
      {2, 3, 1, 2, 0, 0},
      {1, 2, 1, 2, 0, 0}},
     9,
     0},
    // A shorter line on the square's second side, from where that begins.
    {{{0, 4, 2, 4, 0, -1}, SQUARE}, 5, 0},
    {{SQUARE, {0, 4, 2, 4, 0, -1}}, 5, 0},
    // A line ends in the middle of the wall between two rooms: no room agrees.
    {{{2, 2, 4, 2, 1, 1},
      {0, 0, 0, 4, 1, -1},
      {0, 4, 4, 4, 1, -1},
      {4, 4, 4, 0, 1, 0},
      {4, 0, 0, 0, 1, -1},
      {4, 4, 8, 4, 0, -1},
      {8, 4, 8, 0, 0, -1},
      {8, 0, 4, 0, 0, -1}},
     8,
     0},
    // The same, but it ends before: both agree, the first one on both sides.
    {{{2, 2, 3, 2, 1, 1},
      {0, 0, 0, 4, 1, -1},
      {0, 4, 4, 4, 1, -1},
      {4, 4, 4, 0, 1, 0},
      {4, 0, 0, 0, 1, -1},
      {4, 4, 8, 4, 0, -1},
      {8, 4, 8, 0, 0, -1},
      {8, 0, 4, 0, 0, -1}},
     8,
     0x55D7},
};

static struct faces find_drawn(int index, struct drawn *drawn)
{
    const int32_t unit = 16 * 65536;
    drawn->count = drawn_cases[index].count;
    for (size_t i = 0; i < drawn->count; i++) {
        const int *line = drawn_cases[index].lines[i];
        drawn->start[i] = (struct map_vertex){line[0] * unit, line[1] * unit};
        drawn->end[i] = (struct map_vertex){line[2] * unit, line[3] * unit};
        drawn->attributes[i].front_sector = (uint32_t)line[4];
        drawn->attributes[i].back_sector =
            line[5] < 0 ? MAP_NONE : (uint32_t)line[5];
    }
    return find_faces(drawn, NULL, true);
}

LOOP_TEST(faces_agree_as_drawn, COUNT(drawn_cases))
{
    static struct drawn drawn;
    struct faces faces = find_drawn(_i, &drawn);
    unsigned agree = 0;
    for (size_t s = 0; s < 2 * drawn.count; s++)
        agree |= (unsigned)faces_agree(&faces, s) << s;
    ck_assert_uint_eq(agree, drawn_cases[_i].agree);
    faces_free(&test_context, &faces);
}

// A build is charged one step or more for each side that is followed.
TEST(work_is_charged)
{
    static struct drawn drawn;
    test_context.work = 1000;
    struct faces faces = find_drawn(0, &drawn);
    ck_assert_uint_ge(test_context.work, 1000 + drawn.count);
    ck_assert_uint_le(test_context.work, 1000 + 512 * drawn.count);
    faces_free(&test_context, &faces);
}
