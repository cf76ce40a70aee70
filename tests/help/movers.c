// SPDX-License-Identifier: GPL-2.0-or-later
//
// For some radii, a flood over a lattice finds where boxes come to from all
// things and exits of teleporters, with whatever moves standing open.  Each
// place that is tried on the way, and random ones beside, is compared in four
// states of the heights; so are random traces and slides from the places found.
//
// Coordinates are 16.16, heights map units.  What is told of Doom is from its
// p_map.c, p_maputl.c and p_spec.c.

#include "movers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,
    BLOCK = 128 * UNIT,
    LATTICE = 8 * UNIT,
    MARGIN = 16 * UNIT, // around the map and a box
    LEAP = 30 * UNIT,   // MAXMOVE, the most in a tic
    LOWEST = -1000,     // what may move goes so far
    HIGHEST = 1000,
    SLIDER_HEIGHT = 56,
    PLAYER = 16 * UNIT, // the radius
    SLIDER_STEP = 24,
    MOST_LINES = 4096,
    BLOCKING = 1,
    TWO_SIDED = 4,
    UNKNOWN = -1, // sector of a place
};

// Heights of all sectors.
enum { OPEN, AS_MADE, CLOSED, SHUFFLED, STATES };

struct heights {
    int *floors, *ceilings;
};

// A line as engines prepare it.
struct shape {
    int32_t x1, y1, x2, y2, dx, dy;
    int32_t west, east, south, north;
};

struct model {
    const struct closed_map *map;
    const unsigned char *fates;
    struct random_stream *stream;
    struct movers_tries *tries;
    char *fault;
    struct shape *shapes;
    bool *moves; // for each sector
    struct heights states[STATES];
    int32_t west, south; // of the blocks
    int columns, rows;   // of the blocks
    int **blocks;        // lines of each, the last is -1
};

static int below(struct model *model, int count)
{
    return (int)random_below(model->stream, (uint32_t)count);
}

// From -limit to limit.
static int32_t around(struct model *model, int32_t limit)
{
    return (int32_t)random_below(model->stream, 2 * (uint32_t)limit + 1) -
           limit;
}

static double units(int32_t coordinate)
{
    return coordinate / (double)UNIT;
}

// Counts what went otherwise, and says so if it is the first.
__attribute__((__format__(__printf__, 3, 4))) static void
tell(struct model *model, enum movers_way way, const char *format, ...)
{
    va_list arguments;
    model->tries->differ[way]++;
    if (model->fault[0])
        return;
    va_start(arguments, format);
    vsnprintf(model->fault, 256, format, arguments);
    va_end(arguments);
}

// ---------------------------------------------------------------------------
// What can move

static void move_tagged(struct model *model, unsigned tag)
{
    for (int i = 0; i < model->map->sector_count; i++)
        if (model->map->sectors[i].tag == tag)
            model->moves[i] = true;
}

// Stairs and donuts go on to what is beside a sector.
static void move_neighbours(struct model *model)
{
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (int i = 0; i < model->map->line_count; i++) {
            const struct closed_line *line = &model->map->lines[i];
            if (line->back == CLOSED_NONE ||
                model->moves[line->front] == model->moves[line->back])
                continue;
            model->moves[line->front] = model->moves[line->back] = true;
            is_new = true;
        }
    }
}

static void find_moving(struct model *model)
{
    const struct closed_map *map = model->map;
    bool spreads = false;
    for (int i = 0; i < map->sector_count; i++)
        model->moves[i] =
            map->sectors[i].special == 10 || map->sectors[i].special == 14;
    for (int i = 0; i < map->line_count; i++) {
        const struct closed_line *line = &map->lines[i];
        switch (line->special) {
        case 1:
        case 31:
            if (line->back != CLOSED_NONE)
                model->moves[line->back] = true;
            break;
        case 8:
        case 9:
            spreads = true;
            move_tagged(model, line->tag);
            break;
        case 36:
        case 63:
        case 103:
            move_tagged(model, line->tag);
            break;
        default:
            break;
        }
    }
    if (spreads)
        move_neighbours(model);
}

static void set_heights(struct model *model)
{
    for (int i = 0; i < model->map->sector_count; i++) {
        const struct closed_sector *sector = &model->map->sectors[i];
        for (int state = 0; state < STATES; state++) {
            int floor = sector->floor, ceiling = sector->ceiling;
            if (model->moves[i] && state == OPEN) {
                floor = LOWEST;
                ceiling = HIGHEST;
            } else if (model->moves[i] && state == CLOSED) {
                ceiling = floor;
            } else if (model->moves[i] && state == SHUFFLED) {
                floor = 8 * below(model, 17);
                ceiling = floor + 8 * below(model, 17);
            }
            model->states[state].floors[i] = floor;
            model->states[state].ceilings[i] = ceiling;
        }
    }
}

static bool is_closed(const struct model *model, int state, int sector)
{
    return model->states[state].floors[sector] >=
           model->states[state].ceilings[sector];
}

// ---------------------------------------------------------------------------
// Doom's arithmetic

static int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 16);
}

static int32_t divide(int32_t a, int32_t b)
{
    if (llabs(a) >> 14 >= llabs(b))
        return (a ^ b) < 0 ? INT32_MIN : INT32_MAX;
    return (int32_t)((int64_t)a * UNIT / b);
}

// P_PointOnLineSide: whether a point is at the back of a line.
static bool is_behind(const struct shape *line, int32_t x, int32_t y)
{
    if (line->dx == 0)
        return x <= line->x1 ? line->dy > 0 : line->dy < 0;
    if (line->dy == 0)
        return y <= line->y1 ? line->dx < 0 : line->dx > 0;
    return multiply(y - line->y1, line->dx >> 16) >=
           multiply(line->dy >> 16, x - line->x1);
}

// P_BoxOnLineSide, and the comparison of boxes before it: whether the inside
// of a box meets a line.
static bool meets(const struct shape *line, int32_t x, int32_t y, int32_t r)
{
    if (x + r <= line->west || x - r >= line->east || y + r <= line->south ||
        y - r >= line->north)
        return false;
    if (line->dx == 0 || line->dy == 0)
        return true;
    if ((line->dx > 0) == (line->dy > 0))
        return is_behind(line, x - r, y + r) != is_behind(line, x + r, y - r);
    return is_behind(line, x + r, y + r) != is_behind(line, x - r, y - r);
}

struct trace {
    int32_t x, y, dx, dy;
};

// P_PointOnDivlineSide
static bool is_behind_trace(const struct trace *trace, int32_t x, int32_t y)
{
    int32_t dx = x - trace->x, dy = y - trace->y;
    if (trace->dx == 0)
        return dx <= 0 ? trace->dy > 0 : trace->dy < 0;
    if (trace->dy == 0)
        return dy <= 0 ? trace->dx < 0 : trace->dx > 0;
    if ((trace->dy ^ trace->dx ^ dx ^ dy) < 0)
        return (trace->dy ^ dx) < 0;
    return multiply(dy >> 8, trace->dx >> 8) >=
           multiply(trace->dy >> 8, dx >> 8);
}

// P_InterceptVector: where a trace meets a line, as a part of its way.
static int32_t find_meeting(const struct trace *trace, const struct shape *line)
{
    int32_t divisor =
        multiply(line->dy >> 8, trace->dx) - multiply(line->dx >> 8, trace->dy);
    if (divisor == 0)
        return 0;
    return divide(multiply((line->x1 - trace->x) >> 8, line->dy) +
                      multiply((trace->y - line->y1) >> 8, line->dx),
                  divisor);
}

// Whether rounding can put that elsewhere: where it is far from the truth, the
// trace runs along the line, or begins on it.
static bool may_be_off(const struct trace *trace, const struct shape *line,
                       int32_t part)
{
    double product =
        (double)line->dy * trace->dx - (double)line->dx * trace->dy;
    double exact = ((double)(line->x1 - trace->x) * line->dy +
                    (double)(trace->y - line->y1) * line->dx) /
                   product;
    double lengths = hypot(line->dx, line->dy) * hypot(trace->dx, trace->dy);
    return part == 0 || fabs(product) < lengths / 1000 ||
           fabs(exact - part / (double)UNIT) > 1.0 / 64;
}

// ---------------------------------------------------------------------------
// Places of boxes

// What lines, and the sector of its middle, leave to a box.
struct room {
    bool is_stopped;       // whatever its height is
    int bottom, top, drop; // drop: the lowest floor
};

// Whether a line has a fate up to this one.
static bool is_up_to(const struct model *model, int line, enum movers_fate fate)
{
    return model->fates[line] <= fate;
}

static void narrow(struct room *room, const struct heights *heights, int sector)
{
    if (heights->floors[sector] > room->bottom)
        room->bottom = heights->floors[sector];
    if (heights->ceilings[sector] < room->top)
        room->top = heights->ceilings[sector];
    if (heights->floors[sector] < room->drop)
        room->drop = heights->floors[sector];
}

// P_CheckPosition, of these lines; missiles pass what only blocks.
static struct room find_room(const struct model *model, const int *lines,
                             int base, int state, bool is_missile)
{
    const struct heights *heights = &model->states[state];
    struct room room = {false, 4 * LOWEST, 4 * HIGHEST, 4 * HIGHEST};
    if (base != UNKNOWN)
        narrow(&room, heights, base);
    for (; *lines >= 0; lines++) {
        const struct closed_line *line = &model->map->lines[*lines];
        if (line->back == CLOSED_NONE ||
            (!is_missile && (line->flags & BLOCKING)))
            room.is_stopped = true;
        if (line->back == CLOSED_NONE)
            continue;
        narrow(&room, heights, line->front);
        narrow(&room, heights, line->back);
    }
    if (room.top <= room.bottom)
        room.is_stopped = true;
    return room;
}

// The sector to be seen from a place along an axis, by the nearest line; or
// UNKNOWN.
static int look(const struct model *model, double x, double y, double dx,
                double dy)
{
    double nearest = 1e9;
    int seen = UNKNOWN;
    for (int i = 0; i < model->map->line_count; i++) {
        const struct shape *line = &model->shapes[i];
        double ax = (line->x1 - x) * dy - (line->y1 - y) * dx;
        double bx = (line->x2 - x) * dy - (line->y2 - y) * dx;
        if ((ax < 0) == (bx < 0))
            continue;
        double a = (line->x1 - x) * dx + (line->y1 - y) * dy;
        double b = (line->x2 - x) * dx + (line->y2 - y) * dy;
        double distance = (a + (b - a) * ax / (ax - bx)) / UNIT;
        if (distance < 0 || distance >= nearest)
            continue;
        nearest = distance;
        double side = (double)line->dx * (y - line->y1) -
                      (double)line->dy * (x - line->x1);
        seen =
            side < 0 ? model->map->lines[i].front : model->map->lines[i].back;
    }
    return seen;
}

// The sector of a place: that which all four ways show, or UNKNOWN.
static int find_base(const struct model *model, int32_t x, int32_t y)
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int base = UNKNOWN;
    for (int i = 0; i < 4; i++) {
        int seen = look(model, x + 37.3, y + 41.7, ways[i][0], ways[i][1]);
        if (i > 0 && seen != base)
            return UNKNOWN;
        base = seen;
    }
    return base;
}

// The lines with a fate up to this one that a box meets, ended by -1.
static int find_met(const struct model *model, int32_t x, int32_t y, int32_t r,
                    enum movers_fate fate, int *met)
{
    int count = 0;
    for (int i = 0; i < model->map->line_count; i++)
        if (is_up_to(model, i, fate) && meets(&model->shapes[i], x, y, r))
            met[count++] = i;
    met[count] = -1;
    return count;
}

static bool are_same(const struct room *a, const struct room *b)
{
    if (a->is_stopped || b->is_stopped)
        return a->is_stopped == b->is_stopped;
    return a->bottom == b->bottom && a->top == b->top && a->drop == b->drop;
}

// Compares what stops a box, with all that it meets and without what is left
// out.  Where the sector is not known, inert lines count as listed.
static void compare_place(struct model *model, int32_t x, int32_t y, int32_t r,
                          const int *met, int base)
{
    int less[MOST_LINES], count = 0, dropped = -1;
    for (int i = 0; met[i] >= 0; i++) {
        if (is_up_to(model, met[i],
                     base == UNKNOWN ? MOVERS_INERT : MOVERS_LISTED))
            less[count++] = met[i];
        else
            dropped = met[i];
    }
    less[count] = -1;
    if (dropped < 0)
        return;
    model->tries->tried[MOVERS_BOX]++;
    for (int i = 0; i < 2 * STATES; i++) {
        struct room all = find_room(model, met, base, i / 2, i % 2);
        struct room rest = find_room(model, less, base, i / 2, i % 2);
        if (!are_same(&all, &rest))
            tell(model, MOVERS_BOX,
                 "box of radius %d at %.3f,%.3f, state %d: linedef %d",
                 r / UNIT, units(x), units(y), i / 2, dropped);
    }
}

// Tries to put a box somewhere; returns whether it may stay.
static bool try_place(struct model *model, int32_t x, int32_t y, int32_t r)
{
    int met[MOST_LINES];
    int count = 0;
    bool compares = false;
    for (int i = 0; i < model->map->line_count; i++)
        if (meets(&model->shapes[i], x, y, r)) {
            met[count++] = i;
            compares = compares || model->fates[i] != MOVERS_LISTED;
        }
    met[count] = -1;
    struct room room = find_room(model, met, UNKNOWN, OPEN, true);
    if (!compares && room.is_stopped)
        return false;
    int base = find_base(model, x, y);
    if (compares)
        compare_place(model, x, y, r, met, base);
    return !room.is_stopped &&
           (base == UNKNOWN || !is_closed(model, OPEN, base));
}

// ---------------------------------------------------------------------------
// All places that boxes of a radius come to

struct place {
    int32_t x, y;
    bool is_stuck; // begins in a wall
};

struct flood {
    struct model *model;
    int32_t r, west, south;
    int columns, rows;
    unsigned char *states; // for each point of the lattice: see below
    struct place *places;
    int place_count, lattice_count; // the latter come first
};

enum { NOT_TRIED, FREE, STOPPED };

static void visit(struct flood *flood, int column, int row)
{
    if (column < 0 || row < 0 || column >= flood->columns || row >= flood->rows)
        return;
    unsigned char *state = &flood->states[row * flood->columns + column];
    if (*state != NOT_TRIED)
        return;
    int32_t x = flood->west + column * LATTICE;
    int32_t y = flood->south + row * LATTICE;
    *state = STOPPED;
    if (!try_place(flood->model, x, y, flood->r))
        return;
    *state = FREE;
    flood->places[flood->place_count++] = (struct place){x, y, false};
}

static int32_t longest_step(const struct flood *flood,
                            const struct place *place)
{
    const int32_t most = 2 * flood->r - 1;
    return place->is_stuck && most > LEAP ? LEAP : most;
}

// Visits the lattice from where something begins.
static void visit_from(struct flood *flood, const struct place *seed)
{
    int32_t most = longest_step(flood, seed);
    int column = (seed->x - flood->west) / LATTICE;
    int row = (seed->y - flood->south) / LATTICE;
    int far = most / LATTICE + 1;
    for (int i = column - far; i <= column + far; i++)
        for (int j = row - far; j <= row + far; j++)
            if (abs(flood->west + i * LATTICE - seed->x) <= most &&
                abs(flood->south + j * LATTICE - seed->y) <= most)
                visit(flood, i, j);
}

static void visit_beside(struct flood *flood, const struct place *place)
{
    static const int steps[] = {1, 2, 4, 8, 16, 24, 31};
    int column = (place->x - flood->west) / LATTICE;
    int row = (place->y - flood->south) / LATTICE;
    for (int i = 0; i < 7 && steps[i] * LATTICE < 2 * flood->r; i++)
        for (int way = 0; way < 9; way++)
            visit(flood, column + steps[i] * (way % 3 - 1),
                  row + steps[i] * (way / 3 - 1));
}

// Steps of any length from a place.
static void stray(struct flood *flood, struct place place)
{
    for (int i = 0; i < 12; i++) {
        int32_t most = longest_step(flood, &place);
        int32_t x = place.x + around(flood->model, most);
        int32_t y = place.y + around(flood->model, most);
        if (!try_place(flood->model, x, y, flood->r))
            continue;
        place = (struct place){x, y, false};
    }
}

static void add_seed(struct flood *flood, struct place *seeds, int *count,
                     double x, double y)
{
    struct place seed = {(int32_t)(x * UNIT), (int32_t)(y * UNIT), false};
    int met[MOST_LINES];
    find_met(flood->model, seed.x, seed.y, flood->r, MOVERS_ALL, met);
    seed.is_stuck =
        find_room(flood->model, met, UNKNOWN, OPEN, true).is_stopped;
    seeds[(*count)++] = seed;
}

enum { EXIT_POINTS = 8, LINE_TELEPORT = 243 };

// Where things are, and teleporters from line to line lead to.
static int find_seeds(struct flood *flood, struct place *seeds)
{
    const struct closed_map *map = flood->model->map;
    int count = 0;
    for (int i = 0; i < map->thing_count; i++)
        add_seed(flood, seeds, &count, map->things[i].x, map->things[i].y);
    for (int i = 0; i < map->line_count; i++)
        for (int j = 0; j < map->line_count; j++) {
            const struct closed_line *line = &map->lines[j];
            if (map->lines[i].special != LINE_TELEPORT || i == j ||
                map->lines[i].tag != line->tag || line->tag == 0 ||
                line->back == CLOSED_NONE || count > 400)
                continue;
            const int *a = map->vertices[line->v1];
            const int *b = map->vertices[line->v2];
            for (int k = 1; k < EXIT_POINTS; k++)
                add_seed(flood, seeds, &count,
                         a[0] + (b[0] - a[0]) * k / (double)EXIT_POINTS,
                         a[1] + (b[1] - a[1]) * k / (double)EXIT_POINTS);
        }
    return count;
}

static struct flood flood_all(struct model *model, int32_t r)
{
    struct flood flood = {.model = model, .r = r};
    int32_t size = r + MARGIN;
    flood.west = model->west - size + around(model, 4) * UNIT;
    flood.south = model->south - size + around(model, 4) * UNIT;
    flood.columns = (model->columns * BLOCK + 2 * size) / LATTICE + 1;
    flood.rows = (model->rows * BLOCK + 2 * size) / LATTICE + 1;
    size_t points = (size_t)(flood.columns * flood.rows);
    flood.states = allocate_zeros(points, 1);
    flood.places = allocate_zeros(points + 500, sizeof *flood.places);
    struct place seeds[500];
    int seed_count = find_seeds(&flood, seeds);
    for (int i = 0; i < seed_count; i++)
        visit_from(&flood, &seeds[i]);
    for (int i = 0; i < flood.place_count; i++) {
        struct place place = flood.places[i];
        visit_beside(&flood, &place);
    }
    flood.lattice_count = flood.place_count;
    for (int i = 0; i < seed_count; i++)
        flood.places[flood.place_count++] = seeds[i];
    for (int i = 0; i < seed_count; i++)
        for (int j = 0; j < 10; j++)
            stray(&flood, seeds[i]);
    for (int i = 0; i < 60 && flood.place_count; i++)
        stray(&flood, flood.places[below(model, flood.place_count)]);
    return flood;
}

// ---------------------------------------------------------------------------
// Traces

struct intercept {
    int32_t part; // of the way, 16.16
    int line;
};

struct intercepts {
    struct trace trace;
    struct intercept met[MOST_LINES];
    int count;
    bool is_off; // rounding loses it
};

// PIT_AddLineIntercepts
static void add_intercept(const struct model *model, struct intercepts *found,
                          int number)
{
    const struct trace *trace = &found->trace;
    const struct shape *line = &model->shapes[number];
    bool is_long = abs(trace->dx) > 16 * UNIT || abs(trace->dy) > 16 * UNIT;
    for (int i = 0; i < found->count; i++)
        if (found->met[i].line == number)
            return;
    if (is_long
            ? is_behind_trace(trace, line->x1, line->y1) ==
                  is_behind_trace(trace, line->x2, line->y2)
            : is_behind(line, trace->x, trace->y) ==
                  is_behind(line, trace->x + trace->dx, trace->y + trace->dy))
        return;
    int32_t part = find_meeting(trace, line);
    if (part < 0 || part > UNIT)
        return;
    // In order; of equals the first one comes first.
    int at = found->count++;
    for (; at > 0 && found->met[at - 1].part > part; at--)
        found->met[at] = found->met[at - 1];
    found->met[at] = (struct intercept){part, number};
}

// How a walk goes from block to block along an axis.
struct axis {
    int block, last, step;
    int32_t intercept; // where the walk crosses the next edge, on the other
    int32_t slope;
};

static struct axis make_axis(int32_t from, int32_t to, int32_t other,
                             int32_t change)
{
    struct axis axis = {from >> 23, to >> 23, 0, 0, 256 * UNIT};
    int32_t part = UNIT;
    if (axis.last != axis.block) {
        axis.step = axis.last > axis.block ? 1 : -1;
        part = from >> 7 & (UNIT - 1);
        if (axis.step > 0)
            part = UNIT - part;
        axis.slope = divide(change, abs(to - from));
    }
    axis.intercept = (other >> 7) + multiply(part, axis.slope);
    return axis;
}

// P_PathTraverse
static void find_intercepts(const struct model *model, int32_t x1, int32_t y1,
                            int32_t x2, int32_t y2, struct intercepts *found)
{
    if (((x1 - model->west) & (BLOCK - 1)) == 0)
        x1 += UNIT;
    if (((y1 - model->south) & (BLOCK - 1)) == 0)
        y1 += UNIT;
    found->count = 0;
    found->trace = (struct trace){x1, y1, x2 - x1, y2 - y1};
    x1 -= model->west;
    x2 -= model->west;
    y1 -= model->south;
    y2 -= model->south;
    struct axis x = make_axis(x1, x2, y1, y2 - y1);
    struct axis y = make_axis(y1, y2, x1, x2 - x1);
    found->is_off = true; // unless it comes to its end
    for (int i = 0; i < 64; i++) {
        if (x.block >= 0 && y.block >= 0 && x.block < model->columns &&
            y.block < model->rows) {
            const int *line = model->blocks[y.block * model->columns + x.block];
            for (; *line >= 0; line++)
                add_intercept(model, found, *line);
        }
        if (x.block == x.last && y.block == y.last) {
            found->is_off = false;
            break;
        }
        if (x.intercept >> 16 == y.block) {
            x.intercept += x.slope;
            x.block += x.step;
        } else if (y.intercept >> 16 == x.block) {
            y.intercept += y.slope;
            y.block += y.step;
        }
    }
}

// What comes of a trace.  A promise ends where a shot leaves its sector through
// floor or ceiling.
struct outcome {
    int line; // that stopped it, or -1
    int32_t part;
    double low, high; // what is left to be seen, as slopes
    bool is_promised;
};

// A two-sided line as P_LineOpening sees it.
struct opening {
    int bottom, top;
    bool floors_differ, ceilings_differ;
};

static struct opening find_opening(const struct heights *heights,
                                   const struct closed_line *line)
{
    int f1 = heights->floors[line->front], f2 = heights->floors[line->back];
    int c1 = heights->ceilings[line->front], c2 = heights->ceilings[line->back];
    return (struct opening){f1 > f2 ? f1 : f2, c1 < c2 ? c1 : c2, f1 != f2,
                            c1 != c2};
}

struct shot {
    double z, slope; // heights, and their change over the whole way
    double length;   // map units
    int base, state;
};

// Whether the height of a shot is between floor and ceiling of a sector, as far
// as this part of the way.
static bool is_within(const struct model *model, const struct shot *shot,
                      int sector, int32_t part)
{
    double z = shot->z + shot->slope * part / UNIT;
    return sector != UNKNOWN && z > model->states[shot->state].floors[sector] &&
           z < model->states[shot->state].ceilings[sector];
}

// PTR_ShootTraverse
static struct outcome shoot(const struct model *model,
                            const struct intercepts *found,
                            const struct shot *shot, enum movers_fate fate)
{
    struct outcome outcome = {-1, UNIT, 0, 0, true};
    int sector = shot->base;
    for (int i = 0; i < found->count; i++) {
        const struct intercept *met = &found->met[i];
        const struct closed_line *line = &model->map->lines[met->line];
        double z = shot->z + shot->slope * met->part / UNIT;
        if (!is_up_to(model, met->line, fate))
            continue;
        if (!is_within(model, shot, sector, met->part))
            outcome.is_promised = false;
        outcome.line = met->line;
        outcome.part = met->part;
        if (line->back == CLOSED_NONE || !(line->flags & TWO_SIDED) ||
            line->special)
            return outcome;
        struct opening opening =
            find_opening(&model->states[shot->state], line);
        if ((opening.floors_differ && opening.bottom > z) ||
            (opening.ceilings_differ && opening.top < z))
            return outcome;
        sector =
            is_behind(&model->shapes[met->line], found->trace.x, found->trace.y)
                ? line->front
                : line->back;
    }
    outcome.line = -1;
    outcome.part = UNIT;
    return outcome;
}

// PTR_UseTraverse, and as far as lines go PTR_AimTraverse, from a height.
static struct outcome aim(const struct model *model,
                          const struct intercepts *found,
                          const struct shot *shot, enum movers_fate fate,
                          bool is_use)
{
    struct outcome outcome = {-1, UNIT, -100, 100, true};
    for (int i = 0; i < found->count; i++) {
        const struct intercept *met = &found->met[i];
        const struct closed_line *line = &model->map->lines[met->line];
        if (!is_up_to(model, met->line, fate))
            continue;
        outcome.line = met->line;
        outcome.part = met->part;
        if ((is_use && line->special) || line->back == CLOSED_NONE ||
            (!is_use && !(line->flags & TWO_SIDED)))
            return outcome;
        struct opening opening =
            find_opening(&model->states[shot->state], line);
        if (opening.bottom >= opening.top)
            return outcome;
        double way = shot->length * met->part / UNIT + 1e-9;
        double bottom = (opening.bottom - shot->z) / way;
        double top = (opening.top - shot->z) / way;
        if (!is_use && opening.floors_differ && bottom > outcome.low)
            outcome.low = bottom;
        if (!is_use && opening.ceilings_differ && top < outcome.high)
            outcome.high = top;
        if (outcome.low >= outcome.high)
            return outcome;
    }
    outcome.line = -1;
    outcome.part = UNIT;
    return outcome;
}

// Where lines meet, one may stop a trace a rounding error before another.
static void compare_traces(struct model *model, const struct place *from,
                           int32_t x2, int32_t y2, int base)
{
    static const char *const names[] = {
        [MOVERS_SHOT] = "shot", [MOVERS_AIM] = "aim", [MOVERS_USE] = "use"};
    static struct intercepts found;
    find_intercepts(model, from->x, from->y, x2, y2, &found);
    bool matters = false;
    for (int i = 0; i < found.count; i++)
        matters = matters || model->fates[found.met[i].line] != MOVERS_LISTED;
    for (int i = 0; i < found.count; i++)
        found.is_off =
            found.is_off ||
            may_be_off(&found.trace, &model->shapes[found.met[i].line],
                       found.met[i].part);
    if (!matters || found.is_off)
        return;
    for (int state = 0; state < STATES; state++) {
        struct shot shot = {.base = base, .state = state};
        if (is_closed(model, state, base))
            continue;
        int floor = model->states[state].floors[base];
        int ceiling = model->states[state].ceilings[base];
        shot.z = floor + (ceiling - floor) * (1 + below(model, 99)) / 100.0;
        shot.slope = below(model, 3) ? around(model, 400) / 2.0 : 0;
        shot.length = hypot(found.trace.dx, found.trace.dy) / UNIT;
        for (enum movers_way way = MOVERS_SHOT; way <= MOVERS_USE; way++) {
            struct outcome all, rest;
            model->tries->tried[way]++;
            if (way == MOVERS_SHOT) {
                all = shoot(model, &found, &shot, MOVERS_ALL);
                rest = shoot(model, &found, &shot, MOVERS_LISTED);
            } else {
                all = aim(model, &found, &shot, MOVERS_ALL, way == MOVERS_USE);
                rest =
                    aim(model, &found, &shot, MOVERS_LISTED, way == MOVERS_USE);
            }
            if (!all.is_promised ||
                (abs(all.part - rest.part) <= 1 && all.low == rest.low &&
                 all.high == rest.high))
                continue;
            tell(model, way,
                 "%s from %.3f,%.3f to %.3f,%.3f, state %d: linedef %d",
                 names[way], units(from->x), units(from->y), units(x2),
                 units(y2), state, all.line);
        }
    }
}

// ---------------------------------------------------------------------------
// Slides

// PTR_SlideTraverse
static bool stops_slide(const struct model *model, const struct place *place,
                        int number, int state, int z)
{
    const struct closed_line *line = &model->map->lines[number];
    if (line->back == CLOSED_NONE || !(line->flags & TWO_SIDED))
        return !is_behind(&model->shapes[number], place->x, place->y);
    struct opening opening = find_opening(&model->states[state], line);
    return opening.top - opening.bottom < SLIDER_HEIGHT ||
           opening.top - z < SLIDER_HEIGHT || opening.bottom - z > SLIDER_STEP;
}

// P_SlideMove's three traces: the first line that stops
// a corner, with the unreachable lines or without.
static struct outcome slide(const struct model *model,
                            const struct place *place,
                            const struct intercepts *corners, int state, int z,
                            bool with_unreachable)
{
    struct outcome outcome = {-1, UNIT + 1, 0, 0, true};
    for (int corner = 0; corner < 3; corner++) {
        const struct intercepts *found = &corners[corner];
        for (int i = 0; i < found->count; i++) {
            const struct intercept *met = &found->met[i];
            if (model->fates[met->line] == MOVERS_INERT ||
                (model->fates[met->line] >= MOVERS_UNREACHABLE &&
                 !with_unreachable))
                continue;
            if (!stops_slide(model, place, met->line, state, z))
                continue;
            if (met->part < outcome.part) {
                outcome.part = met->part;
                outcome.line = met->line;
            }
            break;
        }
    }
    return outcome;
}

static bool are_parallel(const struct model *model, int one, int other)
{
    if (one < 0 || other < 0)
        return one == other;
    const struct shape *a = &model->shapes[one], *b = &model->shapes[other];
    return (int64_t)(a->dx / UNIT) * (b->dy / UNIT) ==
           (int64_t)(a->dy / UNIT) * (b->dx / UNIT);
}

// Whether P_TryMove fails, so that a player slides.
static bool is_refused(const struct model *model, const int *met, int state,
                       int z)
{
    struct room room = find_room(model, met, UNKNOWN, state, false);
    return room.is_stopped || room.top - room.bottom < SLIDER_HEIGHT ||
           room.top - z < SLIDER_HEIGHT || room.bottom - z > SLIDER_STEP;
}

static void compare_slides(struct model *model, const struct place *place,
                           int32_t r, int32_t dx, int32_t dy)
{
    static struct intercepts corners[3];
    int met[MOST_LINES];
    int32_t x = place->x + (dx > 0 ? r : -r), y = place->y + (dy > 0 ? r : -r);
    int32_t tx = place->x - (dx > 0 ? r : -r),
            ty = place->y - (dy > 0 ? r : -r);
    int base = find_base(model, place->x, place->y);
    if (base == UNKNOWN)
        return;
    find_intercepts(model, x, y, x + dx, y + dy, &corners[0]);
    find_intercepts(model, tx, y, tx + dx, y + dy, &corners[1]);
    find_intercepts(model, x, ty, x + dx, ty + dy, &corners[2]);
    bool matters = false;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < corners[c].count; i++)
            matters = matters || model->fates[corners[c].met[i].line] >=
                                     MOVERS_UNREACHABLE;
    if (!matters)
        return;
    find_met(model, place->x + dx, place->y + dy, r, MOVERS_INERT, met);
    for (int state = 0; state < STATES; state++) {
        int z = model->states[state].floors[base];
        if (!is_refused(model, met, state, z))
            continue;
        model->tries->tried[MOVERS_SLIDE]++;
        struct outcome all = slide(model, place, corners, state, z, true);
        struct outcome rest = slide(model, place, corners, state, z, false);
        if (all.part != rest.part || !are_parallel(model, all.line, rest.line))
            tell(model, MOVERS_SLIDE,
                 "slide at %.3f,%.3f by %.3f,%.3f, state %d: linedef %d",
                 units(place->x), units(place->y), units(dx), units(dy), state,
                 all.line);
    }
}

// ---------------------------------------------------------------------------
// All of a map

enum { TRACES = 200, SLIDES = 1000 };

// A line that is left out as unreachable; there is one.
static int choose_dropped(struct model *model)
{
    for (;;) {
        int line = below(model, model->map->line_count);
        if (model->fates[line] >= MOVERS_UNREACHABLE)
            return line;
    }
}

// From a place towards any point of a line, and on.
static void try_trace(struct flood *flood, int line)
{
    struct model *model = flood->model;
    const struct shape *shape = &model->shapes[line];
    struct place place = flood->places[below(model, flood->place_count)];
    double at = below(model, 65) / 64.0;
    double dx = shape->x1 + at * shape->dx - place.x;
    double dy = shape->y1 + at * shape->dy - place.y;
    double length = hypot(dx, dy);
    double on = (80 + below(model, 300)) * (double)UNIT;
    int base = find_base(model, place.x, place.y);
    // On a border the way may lead into another sector than its base.
    if (base == UNKNOWN || length < UNIT ||
        base != find_base(model, place.x - 75, place.y - 83))
        return;
    length = (length + on) / length;
    compare_traces(model, &place, place.x + (int32_t)(length * dx),
                   place.y + (int32_t)(length * dy), base);
}

static void try_slide(struct flood *flood, int line)
{
    struct model *model = flood->model;
    const struct shape *shape = &model->shapes[line];
    struct place place = flood->places[below(model, flood->place_count)];
    if (place.is_stuck && flood->r > PLAYER)
        return; // nothing else slides
    int32_t near = BLOCK + 46 * UNIT;
    if (place.x < shape->west - near || place.x > shape->east + near ||
        place.y < shape->south - near || place.y > shape->north + near)
        return;
    if (below(model, 4) > 0) {
        int32_t x = place.x + around(model, LATTICE);
        int32_t y = place.y + around(model, LATTICE);
        if (try_place(model, x, y, flood->r))
            place = (struct place){x, y, false};
    }
    int32_t most = (below(model, 3) ? 16 : 30) * UNIT;
    compare_slides(model, &place, flood->r, around(model, most),
                   around(model, most));
}

static void try_radius(struct model *model, int32_t r, bool is_any)
{
    struct flood flood = flood_all(model, r);
    for (int i = 0; i < TRACES && is_any && flood.place_count; i++)
        try_trace(&flood, choose_dropped(model));
    for (int i = 0; i < SLIDES && is_any && r <= 31 * UNIT && flood.place_count;
         i++)
        try_slide(&flood, choose_dropped(model));
    free(flood.states);
    free(flood.places);
}

static void make_shapes(struct model *model)
{
    const struct closed_map *map = model->map;
    int32_t east = INT32_MIN, north = INT32_MIN;
    model->west = model->south = INT32_MAX;
    for (int i = 0; i < map->vertex_count; i++) {
        const int *vertex = map->vertices[i];
        model->west = vertex[0] < model->west ? vertex[0] : model->west;
        model->south = vertex[1] < model->south ? vertex[1] : model->south;
        east = vertex[0] > east ? vertex[0] : east;
        north = vertex[1] > north ? vertex[1] : north;
    }
    model->columns = (east - model->west) / 128 + 1;
    model->rows = (north - model->south) / 128 + 1;
    model->west *= UNIT;
    model->south *= UNIT;
    for (int i = 0; i < map->line_count; i++) {
        const int *a = map->vertices[map->lines[i].v1];
        const int *b = map->vertices[map->lines[i].v2];
        struct shape *shape = &model->shapes[i];
        *shape = (struct shape){.x1 = a[0] * UNIT,
                                .y1 = a[1] * UNIT,
                                .x2 = b[0] * UNIT,
                                .y2 = b[1] * UNIT};
        shape->dx = shape->x2 - shape->x1;
        shape->dy = shape->y2 - shape->y1;
        shape->west = shape->dx < 0 ? shape->x2 : shape->x1;
        shape->east = shape->dx < 0 ? shape->x1 : shape->x2;
        shape->south = shape->dy < 0 ? shape->y2 : shape->y1;
        shape->north = shape->dy < 0 ? shape->y1 : shape->y2;
    }
}

// The lists of all lines; the oracle knows which blocks a line touches.
static void make_blocks(struct model *model)
{
    const size_t line_count = (size_t)model->map->line_count;
    const struct oracle_grid grid = {model->west / UNIT, model->south / UNIT,
                                     (uint32_t)model->columns,
                                     (uint32_t)model->rows};
    struct oracle_line *lines = allocate_zeros(line_count, sizeof *lines);
    for (size_t i = 0; i < line_count; i++) {
        const struct shape *shape = &model->shapes[i];
        lines[i] =
            (struct oracle_line){shape->x1, shape->y1, shape->x2, shape->y2};
    }
    struct oracle_entry_list entries =
        oracle_find_entries(&grid, lines, line_count);
    size_t count = (size_t)(model->columns * model->rows), at = 0;
    model->blocks = allocate_zeros(count, sizeof *model->blocks);
    for (size_t block = 0; block < count; block++) {
        size_t end = at, length = 0;
        while (end < entries.count && entries.entry[end].block == block)
            end++;
        int *list = allocate_zeros(end - at + 1, sizeof *list);
        for (; at < end; at++)
            list[length++] = (int)entries.entry[at].line;
        list[length] = -1;
        model->blocks[block] = list;
    }
    oracle_free_entries(&entries);
    free(lines);
}

static void open_model(struct model *model, const struct closed_map *map)
{
    const size_t sectors = (size_t)map->sector_count;
    model->map = map;
    model->moves = allocate_zeros(sectors, sizeof *model->moves);
    for (int i = 0; i < STATES; i++) {
        model->states[i].floors = allocate_zeros(sectors, sizeof(int));
        model->states[i].ceilings = allocate_zeros(sectors, sizeof(int));
    }
    find_moving(model);
    set_heights(model);
}

static void close_model(struct model *model)
{
    free(model->moves);
    for (int i = 0; i < STATES; i++) {
        free(model->states[i].floors);
        free(model->states[i].ceilings);
    }
}

bool *movers_find_closed(const struct closed_map *map)
{
    struct random_stream stream = {1};
    struct model model = {.stream = &stream};
    bool *closed = allocate_zeros((size_t)map->sector_count, sizeof *closed);
    open_model(&model, map);
    for (int i = 0; i < map->sector_count; i++)
        closed[i] = is_closed(&model, OPEN, i);
    close_model(&model);
    return closed;
}

bool movers_agree(const struct closed_map *map, const unsigned char *fates,
                  struct random_stream *stream, struct movers_tries *tries,
                  char fault[256])
{
    static const int radii[] = {16, 20, 6, 11, 31, 40, 64, 128};
    struct model model = {
        .fates = fates, .stream = stream, .tries = tries, .fault = fault};
    bool is_any = false, is_left_out = false;
    fault[0] = '\0';
    for (int i = 0; i < map->line_count; i++) {
        is_any = is_any || fates[i] >= MOVERS_UNREACHABLE;
        is_left_out = is_left_out || fates[i] != MOVERS_LISTED;
    }
    if (!is_left_out)
        return true;
    open_model(&model, map);
    model.shapes =
        allocate_zeros((size_t)map->line_count, sizeof *model.shapes);
    make_shapes(&model);
    make_blocks(&model);
    try_radius(&model, radii[0] * UNIT, is_any);
    for (int i = 0; i < 2; i++)
        try_radius(&model, radii[1 + below(&model, 7)] * UNIT, is_any);
    for (int i = 0; i < model.columns * model.rows; i++)
        free(model.blocks[i]);
    free(model.blocks);
    free(model.shapes);
    close_model(&model);
    return fault[0] == '\0';
}
