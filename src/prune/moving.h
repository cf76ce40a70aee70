// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which sectors of a map may move.

#ifndef MOVING_H
#define MOVING_H

#include "base/context.h"
#include "map/attributes.h"
#include "nbstage.h"

#include <stdbool.h>

// Finds for each sector of a map whether it may move; *moves is for
// context_release, also after a failure.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status moving_find(struct context *context,
                           const struct attributes *attributes, bool **moves);

#endif
