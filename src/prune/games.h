// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which games a map in Doom's format may be for.  Doom, Heretic and Strife
// share the format, and give some specials other meanings.

#ifndef GAMES_H
#define GAMES_H

#include "lump/engines.h"
#include "map/attributes.h"

#include <stdint.h>

// A set of games, and a bit for what their engines do.
typedef uint32_t game_set;
enum {
    GAME_DOOM = 1, // and Boom's additions
    GAME_HERETIC = 2,
    GAME_STRIFE = 4,
    GAMES_EVERY = GAME_DOOM | GAME_HERETIC | GAME_STRIFE,

    // Some engine is at the vanilla level, where an action on tag 0 moves all
    // sectors without a tag.  At Boom's level it moves none, and in ZDoom the
    // sector behind its line.
    GAMES_ZERO_TAGS = 8,

    GAMES_WORST = GAMES_EVERY | GAMES_ZERO_TAGS,
};

// What is known of the games from the engines that were named: Heretic or
// Strife, if only ports of these were, and GAMES_ZERO_TAGS.
game_set games_named(engine_set named);

// The games that a map counts for: the named ones.  If none is, a game is out
// if it lacks the number of a thing that another game has; Doom is preferred to
// the others, and stands in if none is left.  GAMES_ZERO_TAGS stays.
game_set games_find(const struct attributes *attributes, game_set named);

#endif
