// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Doom's movers do on a map, by brute force: boxes are moved by steps from
// all places that they can come to, and shots, looks, uses and slides begin
// there, with all lines and without some.  It knows Doom's arithmetic and
// nothing of how lines are pruned.
//
// It grants what may be doubted: all things are of every size and fly, and all
// that something on the map may move stands as high and as low as is needed.
// It does not grant:
//
//   steps as wide as the box, or where it begins in a wall, over 30 units
//   shots that are below the floor or above the ceiling of their sector
//   traces that rounding loses at the corner of a block, or takes to meet a
//   line elsewhere, as those nearly along it

#ifndef MOVERS_H
#define MOVERS_H

#include "closed-map.h"

// What became of a line; MOVERS_UNREACHABLE and all above it are the same here.
enum movers_fate {
    MOVERS_LISTED,
    MOVERS_INERT,
    MOVERS_UNREACHABLE,
    MOVERS_ALL = 255
};

// What can meet a line.
enum movers_way {
    MOVERS_BOX,
    MOVERS_SHOT,
    MOVERS_AIM,
    MOVERS_USE,
    MOVERS_SLIDE,
    MOVERS_WAYS
};

// How often a line that is left out might have mattered, and did.
struct movers_tries {
    uint64_t tried[MOVERS_WAYS], differ[MOVERS_WAYS];
};

// Whether each try has the same outcome with all lines and with those listed
// only.  If not, `fault` says what went otherwise first.  Slides are compared
// with those without inert lines, which turn them.  Adds to `tries`.
bool movers_agree(const struct closed_map *map, const unsigned char *fates,
                  struct random_stream *stream, struct movers_tries *tries,
                  char fault[256]);

// Whether nothing can move a sector that has no room between its floor and its
// ceiling, for each sector; the caller frees.
bool *movers_find_closed(const struct closed_map *map);

#endif
