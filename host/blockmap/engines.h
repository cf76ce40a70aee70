// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each family of engines does with a map's BLOCKMAP lump.

#ifndef ENGINES_H
#define ENGINES_H

#include "blockmap/open-map.h"

enum engine_verdict {
    ENGINE_LOADS,
    ENGINE_REBUILDS, // ignores the lump and builds its own
    ENGINE_WRONG,    // uses it, and misses lines that matter
    ENGINE_CRASHES,  // when something comes to a certain block, or before
    ENGINE_UNKNOWN,  // the map cannot be read, or the lump is used and nothing
                     // is expected of it
};

extern const char *const engine_verdict_names[];

enum { MOST_ENGINES = 32 };

// What the engines that the stage knows do with a map's lump; with the option
// for only those that it names.
struct engine_verdicts {
    size_t count;
    const struct nbstage_engine *engine[MOST_ENGINES];
    enum engine_verdict verdict[MOST_ENGINES];
    bool are_named;
};

// Judges the lump of a map.
void engines_judge(const struct open_file *file, const struct open_map *map,
                   struct engine_verdicts *verdicts);

// Whether an engine that uses a lump takes the 0 before all lists for linedef
// 0, and so tests that in every block.
bool engine_reads_headers(const struct nbstage_engine *engine,
                          const struct blockmap *blockmap);

#endif
