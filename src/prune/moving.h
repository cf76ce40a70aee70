// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which sectors of a map may move.

#ifndef MOVING_H
#define MOVING_H

#include "base/context.h"
#include "map/attributes.h"
#include "nbstage.h"
#include "prune/games.h"

#include <stdbool.h>

// Marks the sectors of a map that may move in at least one of the games; free
// *moves with context_release, even on failure.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status moving_find(struct context *context,
                           const struct attributes *attributes, game_set games,
                           bool **moves);

#endif
