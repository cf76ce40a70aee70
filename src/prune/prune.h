// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lines are left out of the blockmap.

#ifndef PRUNE_H
#define PRUNE_H

#include "base/context.h"
#include "lines/lines.h"
#include "map/map.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

enum prune_policy {
    PRUNE_TAGGED, // lines with the tag of their map format, see prune.c
    PRUNE_INERT,  // also inert lines, see prune.c
    PRUNE_NONE,
};

// Whether a line is in the lists, or why not.
enum fate {
    FATE_LISTED,
    FATE_TAGGED,  // by the tag of its map format
    FATE_INERT,   // see prune.c
    FATE_BY_HOST, // the host leaves it out
    FATE_COUNT,
};

struct pruning {
    // An enum fate for each line; NULL if all are listed.
    uint8_t *fates;
    size_t counts[FATE_COUNT]; // of lines, by fate
};

// The mark of tagged lines, for lines_gather.
struct lines_mark prune_find_mark(const struct map *map);

// Decides the fate of every line of the map; free with prune_free, even on
// failure.  `lines` has all of them, `pruning` is all zero.  If attributes that
// PRUNE_INERT needs are missing or damaged, no line is inert, and a warning
// says so.  NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning);

void prune_free(struct context *context, struct pruning *pruning);

#endif
