// SPDX-License-Identifier: GPL-2.0-or-later
//
// What all maps of a file may take together.  The limits of the stage are for
// one map, but maps may share bytes, so a file of some kilobytes can have
// thousands that each take as much as a map may.

#ifndef BUDGET_H
#define BUDGET_H

#include "file/maps.h"

enum budget_kind {
    BUDGET_LUMPS,   // of the maps that are read; they may share bytes
    BUDGET_BLOCKS,  // of the grids that are built or read
    BUDGET_ENTRIES, // of their lists
    BUDGET_STEPS,   // of searching, packing and merging
    BUDGET_BYTES,   // of what is kept until it is written
    BUDGET_KINDS,
};

struct budget {
    size_t file_size; // uncompressed
    uint64_t used[BUDGET_KINDS];
    const char *last_map; // the name of the last one that took anything
    bool is_told;         // that it is used up
};

void budget_take(struct budget *budget, enum budget_kind kind, uint64_t amount);

// Takes the blocks, entries and steps that the facts of a result tell.
void budget_take_facts(struct budget *budget,
                       const struct nbstage_result *result);

// Whether a map is to be read: all before it did not use more than a file of
// this size may use, however much a single one did, it is whole, and its lumps
// alone are not more than those of all maps may be.  Else the sentence says why
// not; *is_told is true if it was the same for a map before.
bool budget_admits(struct budget *budget, const struct wad *wad,
                   const struct map_place *map, char sentence[WAD_FLAW_SIZE],
                   bool *is_told);

#endif
