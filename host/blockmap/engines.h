// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each family of engines does with a map's BLOCKMAP lump.

#ifndef ENGINES_H
#define ENGINES_H

#include "blockmap/open-map.h"

enum engine_verdict {
    ENGINE_LOADS,
    ENGINE_REBUILDS, // ignores the lump and builds its own
    ENGINE_WRONG,    // uses it, and misses lines
    ENGINE_CRASHES,  // when something comes to a certain block, or before
    ENGINE_UNKNOWN,  // the map cannot be read, or the lump is used and nothing
                     // is expected of it
};

enum { ENGINE_COUNT = 9 };

// The name of a family as in blocksweep-stage(7).
const char *engine_name(size_t engine);

extern const char *const engine_verdict_names[];

// Judges the lump of a map for every family.
void engines_judge(const struct open_map *map,
                   enum engine_verdict verdicts[ENGINE_COUNT]);

#endif
