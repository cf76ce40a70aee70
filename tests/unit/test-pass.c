// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves how much of a line movers and shots can cross, against Doom's own
// rules: boxes are moved step by step with P_CheckPosition, and traces go from
// block to block as P_PathTraverse does.  What these cross is never more than
// what pass_find says, and on straight ways not less either.
//
// SEED in the environment chooses other lines.

#include "base/macros.h"
#include "context-for-tests.h"
#include "inspect/pass.h"
#include "lines/lines.h"
#include "oracle.h"
#include "random-map.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- A world of one line ---

enum {
    COLUMNS = 6,
    ROWS = 6,
    BLOCKS = COLUMNS * ROWS,
    UNIT = 65536,
    ORIGIN_X = -256,
    ORIGIN_Y = -384,
};

static const struct grid grid = {ORIGIN_X, ORIGIN_Y, COLUMNS, ROWS};

struct world {
    struct fixed_line line;
    bool is_listed[BLOCKS];
    uint32_t reach; // columns and rows; 0: all
    uint32_t blocks[BLOCKS];
    size_t block_count;
};

static struct pass_lengths find(struct world *world)
{
    world->block_count = 0;
    for (uint32_t b = 0; b < BLOCKS; b++)
        if (world->is_listed[b])
            world->blocks[world->block_count++] = b;
    uint64_t steps_left = UINT64_MAX;
    return pass_find(world->line, &grid, world->blocks, world->block_count,
                     world->reach, &steps_left);
}

static bool touches(const struct world *world, int64_t column, int64_t row)
{
    const struct oracle_line line = {world->line.x1, world->line.y1,
                                     world->line.x2, world->line.y2};
    const struct oracle_grid same = {ORIGIN_X, ORIGIN_Y, COLUMNS, ROWS};
    return oracle_is_in_block(&line, &same, column, row);
}

// A line in all of its blocks, but not in those of `missing`.
static struct world make_world(int x1, int y1, int x2, int y2,
                               const int *missing)
{
    struct world world = {.line = {x1 * UNIT, y1 * UNIT, x2 * UNIT, y2 * UNIT}};
    for (int b = 0; b < BLOCKS; b++)
        world.is_listed[b] = touches(&world, b % COLUMNS, b / COLUMNS);
    for (; missing && *missing >= 0; missing++)
        world.is_listed[*missing] = false;
    return world;
}

// --- What Doom does ---

static int32_t fixed_multiply(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 16);
}

// P_PointOnLineSide of p_maputl.c: 0 is the front.
static int point_on_line_side(int32_t x, int32_t y,
                              const struct fixed_line *line)
{
    const int32_t way_x = line->x2 - line->x1, way_y = line->y2 - line->y1;
    if (way_x == 0)
        return x <= line->x1 ? way_y > 0 : way_y < 0;
    if (way_y == 0)
        return y <= line->y1 ? way_x < 0 : way_x > 0;
    const int32_t left = fixed_multiply(way_y >> 16, x - line->x1);
    const int32_t right = fixed_multiply(y - line->y1, way_x >> 16);
    return right < left ? 0 : 1;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// What PIT_CheckLine finds, with P_BoxOnLineSide.
static bool straddles(const struct fixed_line *line, int32_t x, int32_t y,
                      int32_t radius)
{
    const int32_t left = x - radius, right = x + radius;
    const int32_t bottom = y - radius, top = y + radius;
    if (right <= least(line->x1, line->x2) ||
        left >= most(line->x1, line->x2) || top <= least(line->y1, line->y2) ||
        bottom >= most(line->y1, line->y2))
        return false;
    const int32_t way_x = line->x2 - line->x1, way_y = line->y2 - line->y1;
    if (way_x == 0 || way_y == 0)
        return true;
    if ((way_x > 0) == (way_y > 0))
        return point_on_line_side(left, top, line) !=
               point_on_line_side(right, bottom, line);
    return point_on_line_side(right, top, line) !=
           point_on_line_side(left, bottom, line);
}

// The block of a place in one direction, which wraps at the reach.
static int block_at(int32_t at, int origin, uint32_t reach)
{
    const int64_t index = ((int64_t)at - (int64_t)origin * UNIT) >> 23;
    return reach > 0 && index >= (int64_t)reach ? (int)index - 2 * (int)reach
                                                : (int)index;
}

static bool lists(const struct world *world, int column, int row)
{
    return column >= 0 && column < COLUMNS && row >= 0 && row < ROWS &&
           world->is_listed[row * COLUMNS + column];
}

// Whether P_CheckPosition finds the line.
static bool is_blocked(const struct world *world, int32_t x, int32_t y,
                       int32_t radius)
{
    const uint32_t reach = world->reach;
    const int west = block_at(x - radius, ORIGIN_X, reach);
    const int east = block_at(x + radius, ORIGIN_X, reach);
    const int south = block_at(y - radius, ORIGIN_Y, reach);
    const int north = block_at(y + radius, ORIGIN_Y, reach);
    if (!straddles(&world->line, x, y, radius))
        return false;
    for (int column = west; column <= east; column++)
        for (int row = south; row <= north; row++)
            if (lists(world, column, row))
                return true;
    return false;
}

// Whether P_PathTraverse adds the line's intercept.
static bool is_traced(const struct world *world, int32_t x1, int32_t y1,
                      int32_t x2, int32_t y2)
{
    const uint32_t reach = world->reach;
    x1 += ((x1 - ORIGIN_X * UNIT) & (128 * UNIT - 1)) == 0 ? UNIT : 0;
    y1 += ((y1 - ORIGIN_Y * UNIT) & (128 * UNIT - 1)) == 0 ? UNIT : 0;
    int column = block_at(x1, ORIGIN_X, 0), row = block_at(y1, ORIGIN_Y, 0);
    const int last_column = block_at(x2, ORIGIN_X, reach);
    const int last_row = block_at(y2, ORIGIN_Y, reach);
    const int step_x = (last_column > column) - (last_column < column);
    const int step_y = (last_row > row) - (last_row < row);
    const double way_x = fabs((double)x2 - x1), way_y = fabs((double)y2 - y1);
    const double at_x = (x1 - (double)ORIGIN_X * UNIT) / 128 / UNIT;
    const double at_y = (y1 - (double)ORIGIN_Y * UNIT) / 128 / UNIT;
    const double to_x = step_x > 0   ? 1 - (at_x - floor(at_x))
                        : step_x < 0 ? at_x - floor(at_x)
                                     : 1;
    const double to_y = step_y > 0   ? 1 - (at_y - floor(at_y))
                        : step_y < 0 ? at_y - floor(at_y)
                                     : 1;
    const double slope_y =
        step_x == 0 ? 256 : ((double)y2 - y1) / (way_x + (way_x == 0));
    const double slope_x =
        step_y == 0 ? 256 : ((double)x2 - x1) / (way_y + (way_y == 0));
    double cross_y = at_y + to_x * slope_y, cross_x = at_x + to_y * slope_x;
    for (int count = 0; count < 64; count++) {
        if (lists(world, column, row))
            return true;
        if (column == last_column && row == last_row)
            break;
        if ((int)floor(cross_y) == row) {
            cross_y += slope_y;
            column += step_x;
        } else if ((int)floor(cross_x) == column) {
            cross_x += slope_x;
            row += step_y;
        }
    }
    return false;
}

// --- Ways ---

struct place {
    double x, y;
};

// Where a line is crossed on the way from one place to another, in units from
// its start; -1 if it is not.
static double crossing(const struct fixed_line *line, struct place from,
                       struct place to)
{
    const double x1 = line->x1 / (double)UNIT, y1 = line->y1 / (double)UNIT;
    const double way_x = line->x2 / (double)UNIT - x1;
    const double way_y = line->y2 / (double)UNIT - y1;
    const double before = (from.x - x1) * way_y - (from.y - y1) * way_x;
    const double after = (to.x - x1) * way_y - (to.y - y1) * way_x;
    if ((before > 0) == (after > 0))
        return -1;
    const double part = before / (before - after);
    const double x = from.x + part * (to.x - from.x) - x1;
    const double y = from.y + part * (to.y - from.y) - y1;
    const double length = hypot(way_x, way_y);
    const double at = (x * way_x + y * way_y) / length;
    return at > 0 && at < length ? at : -1;
}

// The parts of a line that were crossed, a unit each.
struct crossed {
    bool parts[2048];
};

static double count_crossed(const struct crossed *crossed)
{
    int count = 0;
    for (size_t i = 0; i < COUNT(crossed->parts); i++)
        count += crossed->parts[i];
    return count;
}

static void mark(struct crossed *crossed, double at)
{
    if (at >= 0)
        crossed->parts[(int)at] = true;
}

static int32_t fixed(double x)
{
    return (int32_t)floor(x * UNIT);
}

struct mover {
    int radius;
    double step;
};

static const struct mover missiles[] = {{6, 10}, {11, 20}, {13, 25}};

// A point of a line.
static struct place point_of(const struct fixed_line *line, double at)
{
    const double x = line->x1 / (double)UNIT, y = line->y1 / (double)UNIT;
    const double way_x = line->x2 / (double)UNIT - x;
    const double way_y = line->y2 / (double)UNIT - y;
    const double part = at / hypot(way_x, way_y);
    return (struct place){x + part * way_x, y + part * way_y};
}

static double length_of(const struct fixed_line *line)
{
    return hypot(line->x2 / (double)UNIT - line->x1 / (double)UNIT,
                 line->y2 / (double)UNIT - line->y1 / (double)UNIT);
}

// Moves a box on a straight way through a point of the line, which it would
// come to after so many steps; returns whether it comes far beyond.
static bool goes_through(const struct world *world, struct place point,
                         double angle, double steps, struct mover mover)
{
    const double way_x = mover.step * cos(angle);
    const double way_y = mover.step * sin(angle);
    for (int i = 0; i - steps < 60 / mover.step; i++)
        if (is_blocked(world, fixed(point.x + (i - steps) * way_x),
                       fixed(point.y + (i - steps) * way_y),
                       mover.radius * UNIT))
            return false;
    return true;
}

enum { ANGLES = 48, PHASES = 24 };

// Whether a box can cross the line at a point on some straight way, not too
// flat.
static bool crosses_at(const struct world *world, double at, struct mover mover)
{
    const struct fixed_line *line = &world->line;
    const double along =
        atan2((double)line->y2 - line->y1, (double)line->x2 - line->x1);
    const double pi = acos(-1);
    for (int a = 0; a < ANGLES; a++) {
        const double angle = along + pi / 6 + a * pi * 2 / 3 / ANGLES;
        for (int p = 0; p < PHASES; p++)
            if (goes_through(world, point_of(line, at), angle,
                             ceil(60 / mover.step) + p / (double)PHASES, mover))
                return true;
    }
    return false;
}

// How much of the line boxes cross on straight ways.
static double measure(const struct world *world, const struct mover *movers,
                      size_t mover_count)
{
    const double length = length_of(&world->line);
    int count = 0;
    for (double at = 0.5; at < length; at++) {
        size_t i = 0;
        while (i < mover_count && !crosses_at(world, at, movers[i]))
            i++;
        count += i < mover_count;
    }
    return count;
}

// --- By hand ---

// The block at 0,0.
static const int missing[] = {2 + 3 * COLUMNS, -1};

TEST(a_listed_line_holds_everything)
{
    struct world world = make_world(-200, 64, 100, 200, NULL);
    const struct pass_lengths lengths = find(&world);
    ck_assert_double_eq(lengths.player, 0);
    ck_assert_double_eq(lengths.missile, 0);
    ck_assert_double_eq(lengths.shot, 0);
}

TEST(a_line_in_no_list_holds_nothing)
{
    struct world world = make_world(-200, 64, 100, 200, NULL);
    memset(world.is_listed, 0, sizeof world.is_listed);
    const struct pass_lengths lengths = find(&world);
    const double length = length_of(&world.line);
    ck_assert_double_eq_tol(lengths.player, length, 0.01);
    ck_assert_double_eq_tol(lengths.missile, length, 0.01);
    ck_assert_double_eq_tol(lengths.shot, length, 0.01);
}

// A wall along y = 64 whose end, behind x = 0, is not listed: boxes that go
// straight over it pass from their radius on, fast ones that come at an angle
// some units before.
TEST(end_of_a_wall_holds_as_far_as_boxes_reach)
{
    for (int length = 1; length < 128; length++) {
        struct world world = make_world(-200, 64, length, 64, missing);
        const struct pass_lengths lengths = find(&world);
        ck_assert_double_eq_tol(lengths.shot, length, 0.01);
        ck_assert_double_eq_tol(lengths.player, fmax(0, length - 13.4), 0.3);
        ck_assert_double_eq_tol(lengths.missile, fmax(0, length - 4.5), 0.3);
    }
}

// A wall across a whole block, at 45 degrees.
TEST(corner_that_is_cut_off_holds_longer)
{
    static const struct {
        int side;
        bool player, missile, shot;
    } corners[] = {
        {9, 0, 0, 0},  {11, 0, 1, 0}, {30, 0, 1, 0},
        {31, 1, 1, 0}, {34, 1, 1, 1}, {60, 1, 1, 1},
    };
    for (size_t i = 0; i < COUNT(corners); i++) {
        const int side = corners[i].side;
        struct world world =
            make_world(-200, side + 200, side + 200, -200, missing);
        const struct pass_lengths lengths = find(&world);
        ck_assert_int_eq(lengths.player > 0, corners[i].player);
        ck_assert_int_eq(lengths.missile > 0, corners[i].missile);
        ck_assert_int_eq(lengths.shot > 0, corners[i].shot);
    }
}

// A line through the corner of a block, or with its end on the edge.
TEST(blocks_that_are_only_touched_can_be_missing_too)
{
    static const int ends[][4] = {
        {-100, 100, 100, -100},
        {100, -100, -100, 100},
        {-50, 20, 0, 20},
        {20, -50, 20, 0},
    };
    for (size_t i = 0; i < COUNT(ends); i++) {
        struct world world =
            make_world(ends[i][0], ends[i][1], ends[i][2], ends[i][3], missing);
        const struct pass_lengths lengths = find(&world);
        ck_assert_double_eq(lengths.player, 0);
        ck_assert_double_eq(lengths.shot, 0);
    }
}

// A box that reaches beyond it is not blocked, and the strip of a wall is 32
// units wide: a step of 24 units goes over what is left.
TEST(nothing_is_blocked_at_the_end_of_the_reach)
{
    const struct grid west = {-32768, 0, 512, 4};
    const uint32_t blocks[] = {255, 767}, beyond[] = {256, 768};
    for (int x = -128; x < 0; x++) {
        const struct fixed_line line = {x * UNIT, 20 * UNIT, x * UNIT,
                                        220 * UNIT};
        uint64_t left = UINT64_MAX;
        struct pass_lengths lengths =
            pass_find(line, &west, blocks, 2, 256, &left);
        ck_assert_double_eq(lengths.player, x > -24 ? 200 : 0);
        ck_assert_double_eq(lengths.shot, 200);
        lengths = pass_find(line, &west, blocks, 2, 512, &left);
        ck_assert_double_eq(lengths.player, 0);
        ck_assert_double_eq(lengths.shot, 0);
    }
    const struct fixed_line line = {UNIT, 20 * UNIT, UNIT, 220 * UNIT};
    uint64_t left = UINT64_MAX;
    ck_assert_double_eq(pass_find(line, &west, beyond, 2, 512, &left).player,
                        0);
    ck_assert_double_eq(pass_find(line, &west, beyond, 2, 256, &left).player,
                        200);
}

TEST(what_no_steps_are_left_for_counts_as_crossed)
{
    struct world world = make_world(-200, 64, 20, 64, missing);
    uint64_t left = 0;
    ck_assert_double_eq(find(&world).missile < 20, true);
    ck_assert_double_eq(
        pass_find(world.line, &grid, world.blocks, world.block_count, 0, &left)
            .missile,
        20);
}

// --- At random ---

// A line of any kind in the middle of the grid, missing in some blocks, and
// sometimes in blocks where it is not.
static struct world random_world(struct random_stream *stream)
{
    const int spread = 1 << (3 + random_below(stream, 6));
    int ends[4];
    for (int i = 0; i < 4; i++)
        ends[i] = (int)random_below(stream, (uint32_t)spread * 2) - spread;
    const uint32_t kind = random_below(stream, 4);
    if (kind == 0)
        ends[2] = ends[0];
    else if (kind == 1)
        ends[3] = ends[1];
    else if (kind == 2)
        ends[3] = ends[1] - ends[0] + ends[2];
    if (ends[0] == ends[2] && ends[1] == ends[3])
        ends[2]++;
    struct world world = make_world(ends[0], ends[1], ends[2], ends[3], NULL);
    const bool has_more = random_below(stream, 8) == 0;
    for (int b = 0; b < BLOCKS; b++)
        if (world.is_listed[b])
            world.is_listed[b] = random_below(stream, 2) == 0;
        else if (has_more)
            world.is_listed[b] = random_below(stream, 6) == 0;
    return world;
}

// What a random count of a unit may be wrong by.
static double tolerance(const struct world *world)
{
    return 2 + length_of(&world->line) / 64;
}

enum { MAPS = 80 / SLOWNESS, TRIES = 3000 };

static struct random_stream stream_of(int map)
{
    static uint64_t seed;
    seed = map == 0 ? choose_seed() : seed;
    return (struct random_stream){seed * 1000003 + (uint64_t)map};
}

// What only few ways cross is not always found here.
static void assert_measured(const struct world *world, double said, double seen)
{
    ck_assert_double_le(seen, said + tolerance(world));
    ck_assert_double_ge(seen, 0.9 * said - tolerance(world));
}

TEST(boxes_on_straight_ways_cross_what_is_said)
{
    for (int map = 0; map < MAPS; map++) {
        struct random_stream stream = stream_of(map);
        struct world world = random_world(&stream);
        const struct pass_lengths lengths = find(&world);
        assert_measured(&world, lengths.player,
                        measure(&world, &(struct mover){16, 24}, 1));
        assert_measured(&world, lengths.missile,
                        measure(&world, missiles, COUNT(missiles)));
    }
}

// A number from `low` to `high`.
static double between(struct random_stream *stream, double low, double high)
{
    return low + (high - low) * (double)random_below(stream, 1 << 20) /
                     ((1 << 20) - 1);
}

// A direction across a line, to the right of it or to the left.
static double random_angle(const struct world *world,
                           struct random_stream *stream)
{
    const double pi = acos(-1);
    return atan2((double)world->line.y2 - world->line.y1,
                 (double)world->line.x2 - world->line.x1) +
           between(stream, 0.05, 0.95) * pi +
           (random_below(stream, 2) == 0 ? pi : 0);
}

static struct place moved(struct place place, double angle, double length)
{
    return (struct place){place.x + length * cos(angle),
                          place.y + length * sin(angle)};
}

static bool is_blocked_at(const struct world *world, struct place place,
                          int radius)
{
    return is_blocked(world, fixed(place.x), fixed(place.y), radius * UNIT);
}

// Has a player come to a point of the line who changes his way and speed as he
// likes, and tries something else when he is held.
static void wander(const struct world *world, struct random_stream *stream,
                   struct crossed *crossed)
{
    const double length = length_of(&world->line);
    const double angle = random_angle(world, stream);
    const struct place aim =
        point_of(&world->line, between(stream, -8, length + 8));
    struct place at = moved(aim, angle, -between(stream, 60, 80));
    if (straddles(&world->line, fixed(at.x), fixed(at.y), 16 * UNIT))
        return;
    for (int i = 0; i < 24; i++) {
        const double step =
            random_below(stream, 3) > 0 ? 23.57 : between(stream, 1, 23.57);
        const double aside =
            random_below(stream, 2) == 0 ? 0 : between(stream, -1.5, 1.5);
        const struct place next = moved(at, angle + aside, step);
        if (is_blocked_at(world, next, 16))
            continue;
        mark(crossed, crossing(&world->line, at, next));
        at = next;
    }
}

TEST(players_who_wander_cross_nowhere_else)
{
    for (int map = 0; map < MAPS; map++) {
        struct random_stream stream = stream_of(map);
        struct world world = random_world(&stream);
        struct crossed crossed = {{false}};
        for (int i = 0; i < TRIES; i++)
            wander(&world, &stream, &crossed);
        const double player = find(&world).player;
        ck_assert_double_le(count_crossed(&crossed),
                            player > 0 ? player + 2 * tolerance(&world) : 0);
    }
}

// Shoots or uses somewhere across the line, from where a player can be.
static void shoot(const struct world *world, struct random_stream *stream,
                  struct crossed *crossed)
{
    const bool uses = random_below(stream, 2) == 0;
    const double angle = random_angle(world, stream);
    const double range = uses ? 64 : 2048;
    const double length = length_of(&world->line);
    const struct place aim = point_of(&world->line, between(stream, 0, length));
    const struct place from =
        moved(aim, angle, -between(stream, 0, uses ? 32 : 300));
    const struct place to = moved(from, angle, range);
    if (!is_blocked_at(world, from, 16) &&
        !is_traced(world, fixed(from.x), fixed(from.y), fixed(to.x),
                   fixed(to.y)))
        mark(crossed, crossing(&world->line, from, to));
}

// What only a shot from a certain place crosses is not always found here.
TEST(shots_cross_what_is_said)
{
    double said = 0, seen = 0;
    for (int map = 0; map < MAPS; map++) {
        struct random_stream stream = stream_of(map);
        struct world world = random_world(&stream);
        const struct pass_lengths lengths = find(&world);
        struct crossed crossed = {{false}};
        for (int i = 0; i < 10 * TRIES; i++)
            shoot(&world, &stream, &crossed);
        ck_assert_double_le(count_crossed(&crossed),
                            lengths.shot + tolerance(&world));
        said += lengths.shot;
        seen += count_crossed(&crossed);
    }
    ck_assert_double_ge(seen, 0.95 * said);
}
