// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a missing entry does, by the linedef itself: nothing collides with it,
// or it is solid, for a reason that people are told.

#ifndef SOLID_H
#define SOLID_H

#include "base/context.h"
#include "lines/lines.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/line.h"

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
