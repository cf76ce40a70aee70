// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is asked of a linedef itself: whether a game can tell by its own flags,
// special and sectors that it is there.  What is around it is asked of the
// faces, see faces.h.

#ifndef LINE_H
#define LINE_H

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What makes a linedef solid.
enum line_reason {
    LINE_FREE,       // nothing does
    LINE_ONE_SIDED,  // it is not two-sided, and before a sector with room
    LINE_IMPASSABLE, // it is two-sided, and a flag or field blocks, or may
    LINE_SPECIAL,    // it has a special
    LINE_STEP,       // its floors differ, or else its ceilings
    LINE_MOVES,      // a sector beside it may move, or is not flat

    LINE_SELF_REFERENCING, // a face beside it does not show one sector, which
                           // line_judge does not ask
    LINE_UNKNOWN,          // it has no sectors, or its faces are too much work
};

struct line_verdict {
    enum line_reason reason;

    // LINE_SPECIAL: which one.  LINE_STEP: by how many map units, rounded up.
    uint32_t number;
};

// For each sector of a map whether it may move, for context_release.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status moving_find(struct context *context,
                           const struct attributes *attributes, bool **moves);

// Why a linedef is solid: LINE_UNKNOWN if it has no sectors, or else the first
// reason in the order above.  A sector that is not known counts as none.
struct line_verdict line_judge(const struct attributes *attributes,
                               const bool *moves, size_t line);

// Judges every line of a map; *verdicts is for context_release.  A line that is
// free by itself is solid, too, if a face that it looks at does not show its
// sector all round, see faces.h: things may stand on what is not drawn there.
// Where the map does not tell, lines are solid.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT.
nbstage_status solid_find(struct context *context, struct map *map,
                          const struct lines *lines,
                          struct line_verdict **verdicts);

enum { SOLID_TEXT = 40 }; // room for a reason

// "a step of 24": why a line is solid; "" if it is not.
void solid_describe(struct line_verdict verdict, char text[SOLID_TEXT]);

#endif
