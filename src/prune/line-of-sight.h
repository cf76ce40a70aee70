// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a line lies where its sectors say it does.

#ifndef LINE_OF_SIGHT_H
#define LINE_OF_SIGHT_H

#include "lists/lists.h"
#include "prune/attributes.h"

struct sight {
    const struct lines *lines; // of the whole map
    const struct attributes *attributes;
    struct grid grid;
    struct lists lists; // for lists_free
    uint64_t work_left; // lines that may still be looked at
};

// NBSTAGE_OVER_LIMIT: the lists have more entries than the context's limit.
nbstage_status line_of_sight_prepare(struct context *context,
                                     const struct lines *lines,
                                     const struct attributes *attributes,
                                     struct sight *sight);

// The lines in a block, up to LIST_END; NULL if there is none.
const uint32_t *line_of_sight_block(const struct sight *sight, int64_t column,
                                    int64_t row);

// Whether another line meets a line anywhere but at its ends, or, with
// `at_ends`, ends there between its own ends; also if that is in doubt.
bool line_of_sight_meets(struct sight *sight, size_t line, bool at_ends);

// The side that a beam from a point to the west meets first, as numbered by
// attributes_sector, or twice the number of lines if there is none.
// Coordinates are map units.  A beam through a vertex counts as just north of
// it, and what it begins on is not met.
size_t line_of_sight_look_west(struct sight *sight, int32_t x, int32_t y);

// Whether other lines meet a line at its ends only, and the nearest other lines
// on both sides of it show it the sectors that it has itself.  False in doubt:
// where there is no other line, where two lines are too close to know their
// order, and when the work for a map is used up.
bool line_of_sight_agrees(struct sight *sight, size_t line);

#endif
