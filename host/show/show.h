// SPDX-License-Identifier: GPL-2.0-or-later
//
// The show command: what is in the blockmaps that maps have.

#ifndef SHOW_H
#define SHOW_H

#include "blockmap/engines.h"
#include "blockmap/statistics.h"

enum exit_status show_run(const struct arguments *arguments,
                          const struct nbstage *stage);

// A map, and what is shown of it.
struct show_map {
    const struct open_map *map;
    char *error; // why nothing can be shown; else NULL

    // The blockmap: the map's own one, or, if that has no blocks, what a build
    // makes.
    const struct blockmap *blockmap;
    bool is_built;
    struct nbstage_result result; // of the build
    struct blockmap built;

    struct statistics statistics;

    // Its lines; no decoded map if the stage cannot hand one back.
    bool has_decoded;
    struct nbstage_decoded decoded;
    size_t line_count;

    // Of the map's own lump.
    enum engine_verdict verdicts[ENGINE_COUNT];
    size_t missing; // how many times a block misses a linedef

    // A block to print, if has_block.
    bool has_block;
    size_t block;
};

#endif
