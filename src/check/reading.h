// SPDX-License-Identifier: GPL-2.0-or-later
//
// What engines make of a BLOCKMAP lump: which of its words each takes for the
// linedefs of a block.
//
// Engines that read a lump alike are one reading, so what follows from it is
// found once for all of them.  Of a sound lump there are mostly two, because
// some engines take the 0 before each list for linedef 0.

#ifndef READING_H
#define READING_H

#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reading_kind {
    READING_LISTS,    // they test what the lists say
    READING_REBUILDS, // they ignore the lump and build their own
    READING_CRASHES,  // at load, or when a thing enters an affected block
    READING_UNKNOWN,  // the lump, or the number of linedefs, cannot be read
};

struct reading {
    engine_set engines;
    enum reading_kind kind;
    const char *why; // what may be wrong; or NULL

    // Of READING_LISTS.  Blocks from column or row `reach` on have no list.
    bool skips;   // the first word of each list, also where it is a 0 that is
                  // linedef 0 as well
    bool finds_0; // that word is a 0, and linedef 0 to these engines
    uint32_t reach;
    // What lines far from the grid's origin do not do.  readings_find does not
    // know the lines, and leaves GRID_HOLDS.
    enum grid_loss loss;
};

struct readings {
    struct reading reading[ENGINE_COUNT];
    size_t count;
};

#define REACH_ALL UINT32_MAX

// Finds how all engines or, unless it is 0, the named ones read a lump of a map
// with `line_count` linedefs; 0: their number is unknown.
struct readings readings_find(const struct blockmap *blockmap,
                              size_t line_count, engine_set named);

// Whether a block is within reach; only then it has a list.
bool reading_reaches(const struct reading *reading,
                     const struct blockmap *blockmap, size_t block);

// The first word of a block's list in a reading of the kind READING_LISTS, for
// blockmap_read_list.
size_t reading_find_list(const struct reading *reading,
                         const struct blockmap *blockmap, size_t block);

#endif
