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
// are a doubt.  Only where the side of the nearest line is asked for is what
// was rounded off compared, too.
//
// Most beams are short.  On a map of long ones, or of lines that are long and
// close, this stops at WORK_FOR_LINE steps for each line.

#include "prune/line-of-sight.h"

#define NO_LINE SIZE_MAX

enum { WORK_FOR_LINE = 512, POINTS = 3 };

// A line in the directions of the beam: u along it, v across.
struct beam_line {
    int32_t u1, v1; // start
    int32_t u2, v2; // end
};

// Both ways from a line, or to lower u from a point.
struct beam {
    size_t line; // or NO_LINE
    bool turned; // u is y, not x
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

static inline struct beam_line line_at(const struct sight *sight, size_t line,
                                       bool turned)
{
    const struct fixed_line at = lines_fixed_at(sight->lines, line);
    return turned ? (struct beam_line){at.y1, at.x1, at.y2, at.x2}
                  : (struct beam_line){at.x1, at.y1, at.x2, at.y2};
}

// Whether a line is steeper to the other axis.
static bool is_turned(struct beam_line at)
{
    const int64_t width = (int64_t)at.u2 - at.u1,
                  height = (int64_t)at.v2 - at.v1;
    return (width < 0 ? -width : width) > (height < 0 ? -height : height);
}

// A place on a beam: u, rounded down, and rest / height of the next 1/65536; a
// step beside the beam it is lean / height further.
struct crossing {
    int64_t u, lean;
    uint32_t rest, height;
};

// Whether a line spans the beam at v.
static inline bool does_span(struct beam_line line, int32_t v)
{
    return (line.v1 <= v) != (line.v2 <= v);
}

// Where a line that spans the beam crosses it.
static struct crossing find_crossing(struct beam_line line, int32_t v)
{
    if (line.v1 > line.v2)
        line = (struct beam_line){line.u2, line.v2, line.u1, line.v1};
    const bool rises = line.u1 < line.u2;
    const uint32_t height = (uint32_t)line.v2 - (uint32_t)line.v1;
    const uint32_t up = (uint32_t)v - (uint32_t)line.v1;
    const uint32_t width = rises ? (uint32_t)line.u2 - (uint32_t)line.u1
                                 : (uint32_t)line.u1 - (uint32_t)line.u2;
    const uint64_t product = (uint64_t)width * up;
    const int64_t whole = (int64_t)(product / height);
    const uint32_t rest = (uint32_t)(product % height);
    return (struct crossing){
        .u = rises ? line.u1 + whole : line.u1 - whole - (rest != 0),
        .lean = rises ? (int64_t)width : -(int64_t)width,
        .rest = rises || rest == 0 ? rest : height - rest,
        .height = height,
    };
}

// The side that a line shows towards higher u, or towards lower.
static size_t side_shown(const struct sight *sight, size_t line, bool turned,
                         bool forward)
{
    const struct beam_line at = line_at(sight, line, turned);
    // The front is to the right of a line, as it goes from start to end.
    const bool front_forward = (at.v1 < at.v2) != turned;
    return 2 * line + (front_forward != forward);
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
    if (a == (int32_t)a && b == (int32_t)b && c == (int32_t)c &&
        d == (int32_t)d)
        return (a * b > c * d) - (a * b < c * d);
    const int left_sign = sign_of(a) * sign_of(b);
    const int right_sign = sign_of(c) * sign_of(d);
    const uint64_t left = magnitude_of(a) * magnitude_of(b);
    const uint64_t right = magnitude_of(c) * magnitude_of(d);
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

// Whether a point on a line, drawn out, is between its ends.
static bool is_between(struct beam_line line, int32_t u, int32_t v)
{
    return (line.u1 < u && u < line.u2) || (line.u2 < u && u < line.u1) ||
           (line.v1 < v && v < line.v2) || (line.v2 < v && v < line.v1);
}

// Whether `other` meets `line`, whose ends differ in v, anywhere but at its
// ends.
static bool meets_within(struct beam_line line, struct beam_line other)
{
    int start_side = side_of(line, other.u1, other.v1);
    int end_side = side_of(line, other.u2, other.v2);
    if (start_side * end_side > 0)
        return false;
    if (start_side != 0 && end_side != 0)
        return side_of(other, line.u1, line.v1) *
                   side_of(other, line.u2, line.v2) <
               0;
    if (start_side != 0 || end_side != 0)
        return start_side == 0 ? is_between(line, other.u1, other.v1)
                               : is_between(line, other.u2, other.v2);
    // On one straight line: do they overlap?
    int32_t low = line.v1 < line.v2 ? line.v1 : line.v2;
    int32_t high = line.v1 < line.v2 ? line.v2 : line.v1;
    return (other.v1 > low || other.v2 > low) &&
           (other.v1 < high || other.v2 < high);
}

// Whether spans of two coordinates each have nothing in common.
static inline bool are_apart(int32_t a1, int32_t a2, int32_t b1, int32_t b2)
{
    return (a1 < b1 && a1 < b2 && a2 < b1 && a2 < b2) ||
           (a1 > b1 && a1 > b2 && a2 > b1 && a2 > b2);
}

static bool block_meets(struct sight *sight, size_t line, bool turned,
                        bool at_ends, const uint32_t *word)
{
    const struct beam_line at = line_at(sight, line, turned);
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        const struct beam_line other = line_at(sight, *word, turned);
        sight->work_left--;
        if (*word == line || are_apart(at.u1, at.u2, other.u1, other.u2) ||
            are_apart(at.v1, at.v2, other.v1, other.v2))
            continue;
        if (meets_within(at, other) ||
            (at_ends && (other.u1 != other.u2 || other.v1 != other.v2) &&
             meets_within(other, at)))
            return true;
    }
    return sight->work_left == 0;
}

const uint32_t *line_of_sight_block(const struct sight *sight, int64_t column,
                                    int64_t row)
{
    const struct grid *grid = &sight->grid;
    if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows)
        return NULL;
    const size_t block = (size_t)row * grid->columns + (size_t)column;
    return sight->lists.words + sight->lists.place[block] + 1;
}

bool line_of_sight_meets(struct sight *sight, size_t line, bool at_ends)
{
    const struct grid *grid = &sight->grid;
    struct run runs[SWEEP_MAX_RUNS];
    const bool turned = is_turned(line_at(sight, line, false));
    const size_t count = sweep_line(sight->lines, line, grid->origin_y, runs);
    for (size_t i = 0; i < count; i++) {
        const int64_t last = (runs[i].last_x - grid->origin_x) >> BLOCK_SHIFT;
        for (int64_t column = (runs[i].first_x - grid->origin_x) >> BLOCK_SHIFT;
             column <= last; column++)
            if (block_meets(sight, line, turned, at_ends,
                            line_of_sight_block(sight, column, runs[i].row)))
                return true;
    }
    return false;
}

// ---------------------------------------------------------------------------
// Beams

// The nearest line that a beam has met so far.
struct meeting {
    bool is_met;
    bool is_doubtful; // whether others are as near and show other sectors
    struct crossing at;
    size_t side; // that it shows
};

static inline int64_t block_along(int64_t u, int32_t origin)
{
    return ((u >> 16) - origin) >> BLOCK_SHIFT;
}

// Orders crossings by how far up the beam they are.
static int compare_crossings(const struct crossing *a, const struct crossing *b)
{
    const int by_rest =
        compare_products(a->rest, b->height, b->rest, a->height);
    return a->u != b->u ? sign_of(a->u - b->u)
           : by_rest != 0
               ? by_rest
               : compare_products(a->lean, b->height, b->lean, a->height);
}

// Keeps a crossing if it is the nearest on its way.
static void meet(const struct sight *sight, const struct beam *beam,
                 size_t line, struct crossing at, struct meeting meetings[2])
{
    const struct attributes *attributes = sight->attributes;
    const bool forward = at.u > beam->u;
    struct meeting *meeting = &meetings[forward];
    const int64_t by = meeting->is_met ? at.u - meeting->at.u : 0;
    if (at.u == beam->u && beam->line != NO_LINE) {
        const struct meeting doubt = {.is_met = true, true, at};
        meetings[0] = meetings[1] = doubt;
        return;
    }
    if (at.u == beam->u || (forward ? by > 0 : by < 0))
        return;
    const size_t side = side_shown(sight, line, beam->turned, !forward);
    const bool ties = meeting->is_met && by == 0;
    const bool is_doubtful =
        ties && (meeting->is_doubtful ||
                 attributes_sector(attributes, side) !=
                     attributes_sector(attributes, meeting->side));
    if (!ties || compare_crossings(&at, &meeting->at) == (forward ? -1 : 1))
        *meeting = (struct meeting){.is_met = true, .at = at, .side = side};
    meeting->is_doubtful = is_doubtful;
}

// Meets the lines that cross the beam in a block.
static void pass_block(struct sight *sight, const struct beam *beam,
                       const uint32_t *word, int64_t along, int32_t origin,
                       struct meeting meetings[2])
{
    for (; *word != LIST_END && sight->work_left > 0; word++) {
        const struct beam_line line = line_at(sight, *word, beam->turned);
        sight->work_left--;
        if (!does_span(line, beam->v) || *word == beam->line)
            continue;
        const struct crossing at = find_crossing(line, beam->v);
        if (block_along(at.u, origin) == along)
            meet(sight, beam, *word, at, meetings);
    }
}

// The first lines on a beam to lower and to higher u.
static void follow(struct sight *sight, const struct beam *beam,
                   struct meeting meetings[2])
{
    const struct grid *grid = &sight->grid;
    const bool turned = beam->turned;
    const int32_t origin = turned ? grid->origin_y : grid->origin_x;
    const int64_t start = block_along(beam->u, origin);
    const int64_t across =
        block_along(beam->v, turned ? grid->origin_x : grid->origin_y);
    meetings[0] = meetings[1] = (struct meeting){0};
    for (int forward = 0; forward <= (beam->line != NO_LINE); forward++)
        for (int64_t along = start + forward;
             !meetings[forward].is_met && sight->work_left > 0;
             along += forward ? 1 : -1) {
            const uint32_t *block = line_of_sight_block(
                sight, turned ? across : along, turned ? along : across);
            if (!block)
                break;
            sight->work_left--;
            pass_block(sight, beam, block, along, origin, meetings);
        }
}

size_t line_of_sight_look_west(struct sight *sight, int32_t x, int32_t y)
{
    const struct grid *grid = &sight->grid;
    const int64_t east =
        (grid->origin_x + (int64_t)grid->columns * BLOCK_SIZE) * 65536 - 1;
    const int64_t u = (int64_t)x * 65536;
    const struct beam beam = {
        .line = NO_LINE, .v = y * 65536, .u = u < east ? u : east};
    struct meeting meetings[2];
    follow(sight, &beam, meetings);
    return meetings[0].is_met ? meetings[0].side : 2 * sight->lines->count;
}

bool line_of_sight_agrees(struct sight *sight, size_t line)
{
    struct beam_line at = line_at(sight, line, false);
    struct beam beam = {.line = line, .turned = is_turned(at)};
    struct meeting meetings[2];
    if (line_of_sight_meets(sight, line, false))
        return false;
    at = line_at(sight, line, beam.turned);
    const int64_t low = at.v1 < at.v2 ? at.v1 : at.v2;
    const int64_t high = at.v1 < at.v2 ? at.v2 : at.v1;
    for (int point = 1; point <= POINTS; point++) {
        beam.v = (int32_t)(low + (high - low) * point / (POINTS + 1));
        if (!does_span(at, beam.v))
            return false; // it has no length
        beam.u = find_crossing(at, beam.v).u;
        follow(sight, &beam, meetings);
        for (int forward = 0; forward <= 1; forward++) {
            const struct meeting *meeting = &meetings[forward];
            const uint32_t own = attributes_sector(
                sight->attributes,
                side_shown(sight, line, beam.turned, forward != 0));
            if (own == NBSTAGE_NONE || !meeting->is_met ||
                meeting->is_doubtful || sight->work_left == 0 ||
                attributes_sector(sight->attributes, meeting->side) != own)
                return false;
        }
    }
    return true;
}
