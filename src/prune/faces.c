// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each line is two spokes, one at either end.  Around a vertex, the left of a
// spoke and the right of the next one counter-clockwise are sides of one face.
// Where all spokes of a vertex go east, a beam from it to the west ends at a
// side of the face that it begins in.  As each connected set of lines has such
// a vertex, its westernmost, this joins islands to what is around them.
//
// The number of a spoke is that of the side on its right: the front of a line
// at its start, its back at its end.  The spokes of a vertex are found by a
// table of lists.

#include "prune/faces.h"

#include <string.h>

static inline uint32_t point_of(const struct whole_lines *lines, uint32_t spoke)
{
    return spoke % 2 == 0 ? lines->start[spoke / 2] : lines->end[spoke / 2];
}

// The list that the spokes of a vertex are in.
static inline uint32_t *list_of(const struct faces *faces, uint32_t point)
{
    const uint64_t digest = point * 0x9E3779B1U;
    return &faces->first_spoke[digest * faces->sight->lines->count >> 32];
}

// Where a spoke goes.
static inline struct nbstage_vertex
direction_of(const struct whole_lines *lines, uint32_t spoke)
{
    const struct whole_line at = whole_line_at(lines, spoke / 2);
    const int sign = spoke % 2 == 0 ? 1 : -1;
    return (struct nbstage_vertex){sign * (at.x2 - at.x1),
                                   sign * (at.y2 - at.y1)};
}

static inline bool goes_east(struct nbstage_vertex to)
{
    return to.x > 0 || (to.x == 0 && to.y > 0);
}

// Compares spokes of a vertex counter-clockwise from due south, which comes
// last; 0 if they lie on each other.  Coordinates have 16 bits, so this is
// exact.
static int64_t compare(struct nbstage_vertex a, struct nbstage_vertex b)
{
    const int by_half = goes_east(b) - goes_east(a);
    return by_half != 0 ? by_half : (int64_t)b.x * a.y - (int64_t)b.y * a.x;
}

// The next spoke counter-clockwise, and whether the way to it passes due west
// with no spoke that goes there.
static uint32_t find_next(const struct faces *faces, uint32_t spoke,
                          bool *passes_west)
{
    struct sight *sight = faces->sight;
    const struct whole_lines *lines = &sight->lines->whole;
    const uint32_t point = point_of(lines, spoke);
    const struct nbstage_vertex from = direction_of(lines, spoke);
    struct nbstage_vertex to = from;
    uint32_t next = spoke, other = *list_of(faces, point);
    bool is_after = false; // in that order, or else it comes round
    for (; other != FACES_NONE && sight->work_left > 0;
         other = faces->next_spoke[other]) {
        sight->work_left--;
        if (other == spoke || point_of(lines, other) != point)
            continue;
        const struct nbstage_vertex way = direction_of(lines, other);
        const bool after = compare(way, from) > 0;
        if (next == spoke || after > is_after ||
            (after == is_after && compare(way, to) < 0)) {
            next = other;
            to = way;
            is_after = after;
        }
    }
    *passes_west = goes_east(from) && !is_after;
    return next;
}

void faces_find_next(struct faces *faces, uint32_t side)
{
    const uint32_t point = point_of(&faces->sight->lines->whole, side ^ 1);
    bool passes_west;
    if (faces->next[side] != FACES_NONE)
        return;
    faces->next[side] = find_next(faces, side ^ 1, &passes_west);
    if (passes_west)
        faces->around[side] = (uint32_t)line_of_sight_look_west(
            faces->sight, (int16_t)(point & 0xFFFF), (int16_t)(point >> 16));
}

void faces_find_islands(struct faces *faces)
{
    const struct whole_lines *lines = &faces->sight->lines->whole;
    const size_t count = 2 * faces->sight->lines->count;
    for (uint32_t side = 0; side < count && faces->sight->work_left > 0;
         side++) {
        if (lines->start[side / 2] == lines->end[side / 2])
            continue;
        faces_find_next(faces, side);
        const uint32_t around = faces->around[side];
        if (around == FACES_NONE)
            continue;
        faces->next_island[side] = faces->first_island[around];
        faces->first_island[around] = side;
    }
}

nbstage_status faces_prepare(struct context *context, struct sight *sight,
                             struct faces *faces)
{
    const struct whole_lines *lines = &sight->lines->whole;
    const size_t line_count = sight->lines->count, count = 2 * line_count;
    const struct context_array arrays[] = {
        {&faces->first_spoke, line_count, sizeof *faces->first_spoke},
        {&faces->next_spoke, count, sizeof *faces->next_spoke},
        {&faces->next, count, sizeof *faces->next},
        {&faces->around, count, sizeof *faces->around},
        {&faces->next_island, count, sizeof *faces->next_island},
        {&faces->first_island, count + 1, sizeof *faces->first_island},
    };
    nbstage_status status = context_allocate_arrays(context, arrays, 6);
    faces->sight = sight;
    if (status != NBSTAGE_OK)
        return status;
    memset(faces->first_spoke, 0xFF, // all arrays
           (size_t)((char *)&faces->first_island[count + 1] -
                    (char *)faces->first_spoke));
    for (uint32_t spoke = 0; spoke < count; spoke++) {
        uint32_t *list = list_of(faces, point_of(lines, spoke));
        faces->next_spoke[spoke] = *list;
        if (lines->start[spoke / 2] != lines->end[spoke / 2])
            *list = spoke;
    }
    return NBSTAGE_OK;
}
