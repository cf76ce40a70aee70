// SPDX-License-Identifier: GPL-2.0-or-later
//
// The method follows what vanilla Doom does when something moves or shoots; the
// ports do the same.  Where it is not exact, it rather says that the line can
// be crossed; what it does not count is said below.
//
// Movers.  P_TryMove asks P_CheckPosition whether a mover may be at a place.
// It visits the blocks from
//
//     (x - radius - origin) >> 23    to    (x + radius - origin) >> 23
//
// and the same for y, so a side of the box that is exactly on the edge between
// two blocks is in the eastern or northern one.  PIT_CheckLine stops the mover
// if the box straddles the line: it overlaps the line's bounding box, and has
// corners on both sides of the line (P_BoxOnLineSide); to touch is not enough.
// So a place is *blocked* if the box straddles the line and overlaps a block
// that lists it.  For the centre of the box, that is where two areas overlap:
//
//     the strip      along the line, radius * (|nx| + |ny|) wide to each side;
//                    n is perpendicular to the line and of length 1
//     wide blocks    those that list the line, grown by the radius all round
//
//          strip  - - - - - - - - - - - - - - - - - - - - - - -
//                ################|                   |#########
//          line  ################|===================|#########===
//                ################|                   |#########
//                - - - - - - - - - - - - - - - - - - - - - - -
//                  wide block       the centre can     wide block
//                                   cross here
//
// Only the ends of a step are tested, so what is blocked can be jumped over if
// it is shorter than a step.  A point of the line can be crossed if there is a
// direction in which each run of blocked places on the way through the point
// is shorter than a step.  The directions tried are perpendicular to the line,
// 15, 30 and 45 degrees away from that, along the axes, and diagonal.
//
// Steps are the longest that there are.  A player who runs forward and to the
// side comes to 23.6 units in a tic.  P_XYMovement halves steps of more than
// 15 units, but only to the east and north, and P_SlideMove does not; so steps
// are taken whole.  Missiles are those of Doom with the highest speed that is
// below twice their radius: plasma, rocket, imp's ball.  Faster ones pass lines
// in complete lumps, too.  Explosions can make a player faster than that, which
// is not counted.
//
// Traces.  P_PathTraverse visits all blocks on the way of a shot or use, and
// finds a line that any of them lists, wherever on the way it is crossed.  So a
// trace crosses the line if no block on its way lists it.  The trace must begin
// where a player's box is not blocked, and go on for 32 units behind the line.
// That is what a use does, which reaches 64 units, and a shot, which reaches
// 2,048, does at least that.  A use from farther away ends close behind the
// line, where there is nothing to reach.  The directions tried are those of
// boxes, and 60, 75 and 85 degrees away from the perpendicular.
//
// The reach.  If the eastern or northern side of the box is beyond the reach,
// the number of its last block is negative, and P_CheckPosition visits nothing.
// If the end of a trace is, P_PathTraverse goes to the west or south.  So no
// box is blocked there, and all of the line from 2,048 units before the end of
// the reach counts as crossed by shots.
//
// Precision.  The line is followed from block to block.  Its piece in a block
// is halved until all of a part can be crossed, or none of it, or the part is
// as short as 1/8 unit.  To decide about all points of a part at once, its
// middle is judged with wide blocks that are larger, or smaller, by half of
// the part.

#include "config.h"

#include "inspect/pass.h"

#include "base/macros.h"
#include "lines/lines.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PASS_BLOCKS = 9,      // around a piece of the line, and its own
    PASS_DIRECTIONS = 17, // at most
    PASS_BEFORE = 112,    // units that a trace is followed before the line
    PASS_BEHIND = 32,     // and behind it
    PASS_SHOT = 2048,     // MISSILERANGE
};

static const double pass_finest = 1.0 / 8;

// Radii and steps.
struct pass_mover {
    double radius, step;
};

static const struct pass_mover pass_player = {16, 24};
static const struct pass_mover pass_missiles[] = {{6, 10}, {11, 20}, {13, 25}};

struct pass_vector {
    double x, y;
};

// A part of a way, from `begin` to `end`; empty if `begin` is not below `end`.
struct pass_span {
    double begin, end;
};

// A line, and which blocks around the present piece list it.  Coordinates are
// map units from the origin of the grid.
struct pass_place {
    struct pass_vector start, along; // `along` has the length 1
    double length;
    struct pass_vector low, high; // the bounding box
    double reach;                 // where boxes and traces begin to fail

    // Those before `box_count` are for boxes, all for traces.
    struct pass_vector directions[PASS_DIRECTIONS];
    size_t box_count, direction_count;

    struct pass_vector corners[PASS_BLOCKS]; // of the blocks that list it
    size_t corner_count;

    uint64_t *steps_left;
};

// A part of the line: all points at most `half` from `middle`.  With a negative
// `half` a question is whether all of them can be crossed, else whether one
// may.
struct pass_part {
    struct pass_vector middle;
    double half;
};

typedef bool pass_test(const struct pass_place *place,
                       const struct pass_part *part, const void *data);

// ---------------------------------------------------------------------------
// Boxes

// Cuts off what is not between `low` and `high` of a way that begins at `at`
// and advances by `step`.
static void pass_clip(struct pass_span *span, double at, double step,
                      double low, double high)
{
    if (step == 0) {
        if (at < low || at >= high)
            span->end = span->begin;
        return;
    }
    const double one = (low - at) / step, other = (high - at) / step;
    span->begin = fmax(span->begin, fmin(one, other));
    span->end = fmin(span->end, fmax(one, other));
}

// Adds a span to those that are there, sorted, and joins it with those that it
// meets.
static size_t pass_add_span(struct pass_span *spans, size_t count,
                            struct pass_span span)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].end < span.begin || span.end < spans[i].begin) {
            spans[kept++] = spans[i];
            continue;
        }
        span.begin = fmin(span.begin, spans[i].begin);
        span.end = fmax(span.end, spans[i].end);
    }
    spans[kept] = span;
    return kept + 1;
}

// The spans of a way through the middle of a part where a box is blocked.
// Returns how many; there are none at all if the box straddles nothing.
static size_t pass_blocked(const struct pass_place *place,
                           const struct pass_part *part,
                           struct pass_vector direction, double radius,
                           struct pass_span spans[PASS_BLOCKS])
{
    const struct pass_vector along = place->along, middle = part->middle;
    const double width = radius * (fabs(along.x) + fabs(along.y)) /
                         fabs(direction.y * along.x - direction.x * along.y);
    const double less_x = part->half * fabs(along.x);
    const double less_y = part->half * fabs(along.y);
    const double end = place->reach - radius;
    struct pass_span strip = {-width, width};
    pass_clip(&strip, middle.x, direction.x, place->low.x - radius + less_x,
              place->high.x + radius - less_x);
    pass_clip(&strip, middle.y, direction.y, place->low.y - radius + less_y,
              place->high.y + radius - less_y);
    size_t count = 0;
    for (size_t i = 0; i < place->corner_count; i++) {
        const struct pass_vector corner = place->corners[i];
        struct pass_span span = strip;
        pass_clip(&span, middle.x, direction.x, corner.x - radius + less_x,
                  fmin(corner.x + BLOCK_SIZE + radius, end) - less_x);
        pass_clip(&span, middle.y, direction.y, corner.y - radius + less_y,
                  fmin(corner.y + BLOCK_SIZE + radius, end) - less_y);
        if (span.begin < span.end)
            count = pass_add_span(spans, count, span);
    }
    return count;
}

// Whether a box can cross a part; `data` is the mover.
static bool pass_box(const struct pass_place *place,
                     const struct pass_part *part, const void *data)
{
    const struct pass_mover *mover = data;
    struct pass_span spans[PASS_BLOCKS];
    for (size_t d = 0; d < place->box_count; d++) {
        size_t count = pass_blocked(place, part, place->directions[d],
                                    mover->radius, spans);
        while (count > 0 &&
               spans[count - 1].end - spans[count - 1].begin < mover->step)
            count--;
        if (count == 0)
            return true;
    }
    return false;
}

// Whether some missile can; `data` is not used.
static bool pass_missile(const struct pass_place *place,
                         const struct pass_part *part, const void *data)
{
    (void)data;
    for (size_t i = 0; i < COUNT(pass_missiles); i++)
        if (pass_box(place, part, &pass_missiles[i]))
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// Traces

// How far before the middle of a part a trace in this direction may begin, for
// no block on its way to list the line; 0 if one behind does.
static double pass_clear(const struct pass_place *place,
                         const struct pass_part *part,
                         struct pass_vector direction)
{
    const double less_x = part->half * fabs(place->along.x);
    const double less_y = part->half * fabs(place->along.y);
    double before = PASS_BEFORE;
    for (size_t i = 0; i < place->corner_count; i++) {
        const struct pass_vector corner = place->corners[i];
        struct pass_span span = {-before, PASS_BEHIND};
        pass_clip(&span, part->middle.x, direction.x, corner.x + less_x,
                  corner.x + BLOCK_SIZE - less_x);
        pass_clip(&span, part->middle.y, direction.y, corner.y + less_y,
                  corner.y + BLOCK_SIZE - less_y);
        if (span.begin >= span.end)
            continue;
        if (span.end > 0)
            return 0;
        before = -span.end;
    }
    return before;
}

// Whether a player can be somewhere on the way to the middle of a part, at most
// `before` units from it.  Farther away than PASS_BEFORE he always can.
static bool pass_can_stand(const struct pass_place *place,
                           const struct pass_part *part,
                           struct pass_vector direction, double before)
{
    struct pass_span spans[PASS_BLOCKS];
    const struct pass_vector back = {-direction.x, -direction.y};
    const size_t count =
        pass_blocked(place, part, back, pass_player.radius, spans);
    double at = pass_finest;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (spans[k].begin < at && at < spans[k].end)
                at = spans[k].end;
    return at <= before || before == PASS_BEFORE;
}

// Whether a shot or use can cross a part; `data` is not used.
static bool pass_trace(const struct pass_place *place,
                       const struct pass_part *part, const void *data)
{
    (void)data;
    const double far = place->reach - PASS_SHOT;
    if (part->middle.x + part->half * fabs(place->along.x) > far ||
        part->middle.y + part->half * fabs(place->along.y) > far)
        return true;
    for (size_t d = 0; d < 2 * place->direction_count; d++) {
        struct pass_vector direction = place->directions[d / 2];
        if (d % 2)
            direction = (struct pass_vector){-direction.x, -direction.y};
        const double before = pass_clear(place, part, direction);
        if (before > 0 && pass_can_stand(place, part, direction, before))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------------------
// The line

// How much of the line from `begin` to `end` can be crossed.
static double pass_measure(const struct pass_place *place, pass_test *can,
                           const void *data, double begin, double end)
{
    const double middle = (begin + end) / 2;
    struct pass_part part = {{place->start.x + place->along.x * middle,
                              place->start.y + place->along.y * middle},
                             (end - begin) / 2};
    if (*place->steps_left == 0)
        return end - begin;
    --*place->steps_left;
    if (!can(place, &part, data))
        return 0;
    part.half = -part.half;
    if (can(place, &part, data))
        return end - begin;
    if (end - begin > pass_finest)
        return pass_measure(place, can, data, begin, middle) +
               pass_measure(place, can, data, middle, end);
    part.half = 0;
    return can(place, &part, data) ? end - begin : 0;
}

// Adds a direction if it is not that of the line.
static void pass_add_direction(struct pass_place *place, double x, double y)
{
    const struct pass_vector along = place->along;
    if (fabs(y * along.x - x * along.y) > 1e-3)
        place->directions[place->direction_count++] =
            (struct pass_vector){x, y};
}

// Adds the directions at an angle to the perpendicular, to both sides.
static void pass_turn(struct pass_place *place, double sine, double cosine)
{
    const struct pass_vector along = place->along;
    pass_add_direction(place, along.x * sine - along.y * cosine,
                       along.x * cosine + along.y * sine);
    if (sine > 0)
        pass_add_direction(place, -along.x * sine - along.y * cosine,
                           along.x * cosine - along.y * sine);
}

static void pass_set_directions(struct pass_place *place)
{
    const double sine_15 = 0.258819045102521, cosine_15 = 0.965925826289068;
    const double cosine_30 = 0.866025403784439, cosine_45 = 0.707106781186548;
    const double sine_5 = 0.087155742747658, cosine_5 = 0.996194698091746;
    pass_turn(place, 0, 1);
    pass_turn(place, sine_15, cosine_15);
    pass_turn(place, 0.5, cosine_30);
    pass_turn(place, cosine_45, cosine_45);
    pass_add_direction(place, cosine_45, cosine_45);
    pass_add_direction(place, cosine_45, -cosine_45);
    pass_add_direction(place, 1, 0);
    pass_add_direction(place, 0, 1);
    place->box_count = place->direction_count;
    pass_turn(place, cosine_30, 0.5);
    pass_turn(place, cosine_15, sine_15);
    pass_turn(place, cosine_5, sine_5);
}

static struct pass_place pass_place_of(struct fixed_line line,
                                       const struct grid *grid, uint32_t reach)
{
    const double unit = 65536;
    const struct pass_vector start = {line.x1 / unit - grid->origin_x,
                                      line.y1 / unit - grid->origin_y};
    const struct pass_vector end = {line.x2 / unit - grid->origin_x,
                                    line.y2 / unit - grid->origin_y};
    const struct pass_vector way = {end.x - start.x, end.y - start.y};
    struct pass_place place = {
        .start = start,
        .length = hypot(way.x, way.y),
        .low = {fmin(start.x, end.x), fmin(start.y, end.y)},
        .high = {fmax(start.x, end.x), fmax(start.y, end.y)},
        .reach = reach > 0 ? (double)reach * BLOCK_SIZE : HUGE_VAL};
    if (place.length > 0) {
        place.along.x = way.x / place.length;
        place.along.y = way.y / place.length;
        pass_set_directions(&place);
    }
    return place;
}

// A walk along a line, from block to block, and what it finds.
struct pass_walk {
    struct pass_place place;
    const struct grid *grid;
    const uint32_t *blocks;
    size_t block_count;
    struct pass_lengths lengths;
};

static bool pass_is_listed(const struct pass_walk *walk, int64_t column,
                           int64_t row)
{
    const struct grid *grid = walk->grid;
    if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows ||
        (double)(column * BLOCK_SIZE) >= walk->place.reach ||
        (double)(row * BLOCK_SIZE) >= walk->place.reach)
        return false;
    const uint64_t block = (uint64_t)row * grid->columns + (uint64_t)column;
    size_t begin = 0, end = walk->block_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (walk->blocks[middle] < block)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < walk->block_count && walk->blocks[begin] == block;
}

// Whether shots, or boxes, may come to the end of the reach from a block.
static bool pass_is_far(const struct pass_walk *walk, int64_t column,
                        int64_t row)
{
    const int64_t larger = column > row ? column : row;
    return (double)((larger + 1) * BLOCK_SIZE) > walk->place.reach - PASS_SHOT;
}

// Measures the piece of the line in a block, between parts `begin` and `end` of
// the whole, which is 1.
static void pass_visit(struct pass_walk *walk, int64_t column, int64_t row,
                       double begin, double end)
{
    struct pass_place *place = &walk->place;
    const bool is_listed = pass_is_listed(walk, column, row);
    if (begin >= end || (is_listed && !pass_is_far(walk, column, row)))
        return;
    begin *= place->length;
    end *= place->length;
    place->corner_count = 0;
    for (int64_t y = row - 1; y <= row + 1; y++)
        for (int64_t x = column - 1; x <= column + 1; x++)
            if (pass_is_listed(walk, x, y))
                place->corners[place->corner_count++] = (struct pass_vector){
                    (double)(x * BLOCK_SIZE), (double)(y * BLOCK_SIZE)};
    walk->lengths.player +=
        pass_measure(place, pass_box, &pass_player, begin, end);
    walk->lengths.missile +=
        pass_measure(place, pass_missile, NULL, begin, end);
    walk->lengths.shot += pass_measure(place, pass_trace, NULL, begin, end);
}

// The column or row of a coordinate.
static int64_t pass_index(double at)
{
    const int64_t whole = (int64_t)(at / BLOCK_SIZE);
    return whole - (at < (double)(whole * BLOCK_SIZE));
}

// The part of the line, from 0 to 1, that is before the edge where it leaves a
// column or row; 2 if it does not.  An edge belongs to the block behind it to
// the east or north.
static double pass_leaves(double start, double way, int64_t index)
{
    if (way == 0)
        return 2;
    const double edge = (double)((way > 0 ? index + 1 : index) * BLOCK_SIZE);
    const double part = (edge - start) / way;
    return part > 1 || (part == 1 && way < 0) ? 2 : part;
}

struct pass_lengths pass_find(struct fixed_line line, const struct grid *grid,
                              const uint32_t *blocks, size_t block_count,
                              uint32_t reach, uint64_t *steps_left)
{
    struct pass_walk walk = {.place = pass_place_of(line, grid, reach),
                             .grid = grid,
                             .blocks = blocks,
                             .block_count = block_count};
    walk.place.steps_left = steps_left;
    const double unit = 65536;
    const struct pass_vector start = walk.place.start;
    const double way_x = ((double)line.x2 - line.x1) / unit;
    const double way_y = ((double)line.y2 - line.y1) / unit;
    int64_t column = pass_index(start.x), row = pass_index(start.y);
    double begin = 0;
    while (begin <= 1) {
        const double x = pass_leaves(start.x, way_x, column);
        const double y = pass_leaves(start.y, way_y, row);
        const double end = fmin(x, y);
        pass_visit(&walk, column, row, begin, fmin(end, 1));
        begin = end;
        if (x == end)
            column += way_x > 0 ? 1 : -1;
        if (y == end)
            row += way_y > 0 ? 1 : -1;
    }
    return walk.lengths;
}
