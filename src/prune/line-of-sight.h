// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a line lies where its sectors say it does.

#ifndef LINE_OF_SIGHT_H
#define LINE_OF_SIGHT_H

#include "lists/lists.h"
#include "prune/attributes.h"

struct sides {
    const struct lines *lines; // of the whole map
    const struct attributes *attributes;
    struct grid grid;
    struct lists lists;
    uint64_t work_left; // lines that may still be looked at
};

nbstage_status line_of_sight_prepare(struct context *context,
                                     const struct lines *lines,
                                     const struct attributes *attributes,
                                     struct sides *sides);

// Whether nothing touches a line but at its ends, and the nearest other lines
// to both sides of it show it the sectors that it faces itself.  False where
// that is not seen: where there is none, where two lines are too close to tell
// their order, and when the work that may be done for a map is used up.
bool line_of_sight_agrees(struct sides *sides, size_t line);

void line_of_sight_free(struct context *context, struct sides *sides);

#endif
