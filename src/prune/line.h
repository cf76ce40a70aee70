// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges linedefs: whether each is solid, and why.  A line is solid if a game
// can tell whether it is listed.

#ifndef LINE_H
#define LINE_H

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/games.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What makes a linedef solid.
enum line_reason {
    LINE_FREE,       // it is not solid
    LINE_ONE_SIDED,  // it is not two-sided, and its sector is not closed
    LINE_IMPASSABLE, // it is two-sided, and a flag, field or script may block
    LINE_SPECIAL,    // it has a special
    LINE_STEP,       // its floors differ, or its ceilings
    LINE_MOVES,      // one of its two sectors may move, or has a slope

    LINE_SELF_REFERENCING, // a face beside it shows several sectors; only
                           // line_judge_all tests it
    LINE_UNKNOWN,          // it has no sectors, or its faces are too much work
};

struct line_verdict {
    enum line_reason reason;

    // LINE_SPECIAL: the special.  LINE_STEP: the height in map units, rounded
    // up.
    uint32_t number;
};

// Judges a linedef by its own flags, special and sectors: LINE_UNKNOWN if it
// has no sectors, or else the first reason in the order above.  An invalid
// sector counts as no sector.  `moves` is from moving_find.
struct line_verdict line_judge(const struct attributes *attributes,
                               const bool *moves, size_t line);

// Judges every line of a map; free *verdicts with context_release, even on
// failure.  A line that is free by itself is solid, too, if a face beside it
// shows another sector, see faces.h: it may outline a self-referencing sector.
// Unknown counts as solid.  `named` is from games_named; what moves is judged
// for the games that games_find gives.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT.
nbstage_status line_judge_all(struct context *context, struct map *map,
                              const struct lines *lines, game_set named,
                              struct line_verdict **verdicts);

enum { LINE_TEXT = 40 }; // room for a reason

// "a step of 24": why a line is solid; "" if it is not.
void line_describe(struct line_verdict verdict, char text[LINE_TEXT]);

#endif
