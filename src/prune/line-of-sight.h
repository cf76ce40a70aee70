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

// Whether other lines meet a line at its ends only, and the nearest other lines
// on both sides of it show it the sectors that it has itself.  False in doubt:
// where there is no other line, where two lines are too close to know their
// order, and when the work for a map is used up.
bool line_of_sight_agrees(struct sight *sight, size_t line);

#endif
