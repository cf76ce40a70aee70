// SPDX-License-Identifier: GPL-2.0-or-later
//
// First, no other line may meet or cross the line strictly between its ends.
// Then the ground on either side of it is one piece along all of its length,
// and one point of it sees what all of it sees:
//
//     <---+--->  Beams from here and there see the same floor to both
//     .---+---.  sides, but not the pit between them, across the line or
//     |  pit  |  against it.
//     '---+---'
//     <---+--->
//
// Then from three points of the line a beam goes out to each side, along the
// axis that the line is steep to: west and east, or south and north.  It passes
// block by block, and blocklists of all lines have the lines to meet, until one
// crosses the beam.  A beam through a vertex counts as just beyond it, so that
// a line spans its lower end and not its upper one.
//
// The side of a line that a point is on is exact, by products of distances
// below 2^32.  Crossings are computed exactly and rounded down to 1/65536 of a
// map unit.  So those that differ are in the right order, and those that do not
// are a doubt.
//
// Most beams are short.  On a map of long ones, or of lines that are long and
// close, this stops at WORK_FOR_LINE steps for each line.

#include "prune/line-of-sight.h"

enum { WORK_FOR_LINE = 512, POINTS = 3 };

// A line in the directions of the beam: u along it, v across.
struct beam_line {
    int32_t u1, v1; // start
    int32_t u2, v2; // end
};

struct beam {
    size_t line;  // that it leaves
    bool turned;  // u is y, not x
    bool forward; // to higher u, or to lower
    int32_t v;
    int64_t u; // where it begins
};

nbstage_status line_of_sight_prepare(struct context *context,
                                     const struct lines *lines,
                                     const struct attributes *attributes,
                                     struct sight *sight)
{
    struct entries entries;
    *sight = (struct sight){
        .lines = lines,
        .attributes = attributes,
        .grid = grid_from(lines->min_x, lines->min_y, lines),
        .work_left = (uint64_t)lines->count * WORK_FOR_LINE,
    };
    nbstage_status status =
        entries_find(context, lines, &sight->grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    status = lists_build(context, &sight->grid, &entries, &sight->lists);
    entries_free(context, &entries);
    return status;
}

// ---------------------------------------------------------------------------
// Geometry

static struct beam_line line_at(const struct sight *sight, size_t line,
                                bool turned)
{
    struct fixed_line at;
    if (sight->lines->is_whole) {
        struct whole_line whole = whole_line_at(&sight->lines->whole, line);
        at = (struct fixed_line){whole.x1 * 65536, whole.y1 * 65536,
                                 whole.x2 * 65536, whole.y2 * 65536};
    } else {
        at = sight->lines->fixed[line];
    }
    return turned ? (struct beam_line){at.y1, at.x1, at.y2, at.x2}
                  : (struct beam_line){at.x1, at.y1, at.x2, at.y2};
}

// Where a line crosses the beam, rounded down; false if it does not.
static bool find_crossing(struct beam_line line, int32_t v, int64_t *u)
{
    if (line.v1 > line.v2)
        line = (struct beam_line){line.u2, line.v2, line.u1, line.v1};
    if (v < line.v1 || v >= line.v2)
        return false;
    bool rises = line.u1 < line.u2;
    uint32_t height = (uint32_t)line.v2 - (uint32_t)line.v1;
    uint32_t up = (uint32_t)v - (uint32_t)line.v1;
    uint32_t width = rises ? (uint32_t)line.u2 - (uint32_t)line.u1
                           : (uint32_t)line.u1 - (uint32_t)line.u2;
    uint64_t product = (uint64_t)width * up;
    int64_t whole = (int64_t)(product / height);
    *u = rises ? line.u1 + whole : line.u1 - whole - (product % height != 0);
    return true;
}

// The sector that a line shows towards higher u, or towards lower.
static uint32_t sector_shown(const struct sight *sight, size_t line,
                             bool turned, bool forward)
{
    const struct nbstage_line *at_line = &sight->attributes->lines[line];
    struct beam_line at = line_at(sight, line, turned);
    // The front is to the right of a line, as it goes from start to end.
    bool front_forward = (at.v1 < at.v2) != turned;
    return front_forward == forward ? at_line->front_sector
                                    : at_line->back_sector;
}

// ---------------------------------------------------------------------------
// Meeting between the ends

static int sign_of(int64_t number)
{
    return (number > 0) - (number < 0);
}

static uint64_t magnitude_of(int64_t number)
{
    return number < 0 ? (uint64_t)-number : (uint64_t)number;
}

// The sign of a * b - c * d, whose factors are below 2^32 in size.
static int compare_products(int64_t a, int64_t b, int64_t c, int64_t d)
{
    int left_sign = sign_of(a) * sign_of(b);
    int right_sign = sign_of(c) * sign_of(d);
    uint64_t left = magnitude_of(a) * magnitude_of(b);
    uint64_t right = magnitude_of(c) * magnitude_of(d);
    if (left_sign != right_sign)
        return left_sign < right_sign ? -1 : 1;
    return left == right ? 0 : (left > right ? left_sign : -left_sign);
}

// The side of a line, drawn out at both ends, that a point is on; 0: it is on
// the line.
static int side_of(struct beam_line line, int32_t u, int32_t v)
{
    return compare_products((int64_t)line.u2 - line.u1, (int64_t)v - line.v1,
                            (int64_t)line.v2 - line.v1, (int64_t)u - line.u1);
}

// Whether `other` meets `line`, whose ends differ in v, anywhere but at its
// ends.
static bool meets_within(struct beam_line line, struct beam_line other)
{
    int start_side = side_of(line, other.u1, other.v1);
    int end_side = side_of(line, other.u2, other.v2);
    if (start_side * end_side > 0)
        return false;
    if (start_side != 0 || end_side != 0)
        return side_of(other, line.u1, line.v1) *
                   side_of(other, line.u2, line.v2) <
               0;
    // On one straight line: do they overlap?
    int32_t low = line.v1 < line.v2 ? line.v1 : line.v2;
    int32_t high = line.v1 < line.v2 ? line.v2 : line.v1;
    return (other.v1 > low || other.v2 > low) &&
           (other.v1 < high || other.v2 < high);
}

static bool block_meets_within(struct sight *sight, size_t line, bool turned,
                               size_t block)
{
    struct beam_line at = line_at(sight, line, turned);
    const uint32_t *word = sight->lists.words + sight->lists.place[block] + 1;
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        sight->work_left--;
        if (*word != line && meets_within(at, line_at(sight, *word, turned)))
            return true;
    }
    return sight->work_left == 0;
}

// Whether any line meets a line between its ends, or that is in doubt.
static bool is_met_within(struct sight *sight, size_t line, bool turned)
{
    const struct grid *grid = &sight->grid;
    struct run runs[SWEEP_MAX_RUNS];
    size_t count = sweep_line(sight->lines, line, grid->origin_y, runs);
    for (size_t i = 0; i < count; i++) {
        size_t row = (size_t)runs[i].row * grid->columns;
        size_t column =
            (size_t)(runs[i].first_x - grid->origin_x) >> BLOCK_SHIFT;
        size_t last = (size_t)(runs[i].last_x - grid->origin_x) >> BLOCK_SHIFT;
        for (; column <= last; column++)
            if (block_meets_within(sight, line, turned, row + column))
                return true;
    }
    return false;
}

// ---------------------------------------------------------------------------
// Beams

// The nearest line that a beam has met so far.
struct meeting {
    bool met;
    int64_t distance;
    uint32_t sector; // that it shows; NBSTAGE_NONE if in doubt
};

static int32_t block_along(int64_t u, int32_t origin)
{
    return (int32_t)((u >> 16) - origin) >> BLOCK_SHIFT;
}

// Keeps a crossing if it is the nearest.
static void meet(const struct sight *sight, const struct beam *beam,
                 size_t line, int64_t u, struct meeting *meeting)
{
    int64_t distance = beam->forward ? u - beam->u : beam->u - u;
    if (distance < 0 || (meeting->met && distance > meeting->distance))
        return;
    uint32_t sector = sector_shown(sight, line, beam->turned, !beam->forward);
    bool equal = meeting->met && distance == meeting->distance;
    if (distance == 0 || (equal && sector != meeting->sector))
        sector = NBSTAGE_NONE;
    *meeting = (struct meeting){true, distance, sector};
}

// Meets the lines that cross the beam in a block.
static void pass_block(struct sight *sight, const struct beam *beam,
                       size_t block, int32_t along, int32_t origin,
                       struct meeting *meeting)
{
    const uint32_t *word = sight->lists.words + sight->lists.place[block] + 1;
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        int64_t u;
        sight->work_left--;
        if (*word != beam->line &&
            find_crossing(line_at(sight, *word, beam->turned), beam->v, &u) &&
            block_along(u, origin) == along)
            meet(sight, beam, *word, u, meeting);
    }
}

// The sector that the first line on a beam shows; NBSTAGE_NONE if
// that is in doubt.
static uint32_t follow(struct sight *sight, const struct beam *beam)
{
    const struct grid *grid = &sight->grid;
    const bool turned = beam->turned;
    int32_t origin = turned ? grid->origin_y : grid->origin_x;
    int32_t blocks = (int32_t)(turned ? grid->rows : grid->columns);
    int32_t across =
        block_along(beam->v, turned ? grid->origin_x : grid->origin_y);
    struct meeting meeting = {0};
    for (int32_t along = block_along(beam->u, origin);
         !meeting.met && along >= 0 && along < blocks && sight->work_left > 0;
         along += beam->forward ? 1 : -1) {
        int32_t row = turned ? along : across;
        int32_t column = turned ? across : along;
        sight->work_left--;
        pass_block(sight, beam, (size_t)row * grid->columns + (size_t)column,
                   along, origin, &meeting);
    }
    return meeting.met && sight->work_left > 0 ? meeting.sector : NBSTAGE_NONE;
}

bool line_of_sight_agrees(struct sight *sight, size_t line)
{
    struct beam_line at = line_at(sight, line, false);
    int64_t width = (int64_t)at.u2 - at.u1;
    int64_t height = (int64_t)at.v2 - at.v1;
    struct beam beam = {.line = line};
    beam.turned = magnitude_of(width) > magnitude_of(height);
    if (is_met_within(sight, line, beam.turned))
        return false;
    at = line_at(sight, line, beam.turned);
    int64_t low = at.v1 < at.v2 ? at.v1 : at.v2;
    int64_t high = at.v1 < at.v2 ? at.v2 : at.v1;
    for (int point = 1; point <= POINTS; point++) {
        beam.v = (int32_t)(low + (high - low) * point / (POINTS + 1));
        if (!find_crossing(at, beam.v, &beam.u))
            return false; // it has no length
        for (int forward = 0; forward <= 1; forward++) {
            beam.forward = forward != 0;
            uint32_t own = sector_shown(sight, line, beam.turned, beam.forward);
            if (own == NBSTAGE_NONE || follow(sight, &beam) != own)
                return false;
        }
    }
    return true;
}
