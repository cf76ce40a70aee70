// SPDX-License-Identifier: GPL-2.0-or-later
//
// The budget of all maps of a file.  The stage's limits are per map, but maps
// may share bytes, so a file of some kilobytes can have thousands of maps that
// each reach the limits.

#ifndef BUDGET_H
#define BUDGET_H

#include "common/stage.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_kind {
    BUDGET_LUMPS,   // bytes of lumps that are read; lumps may overlap
    BUDGET_BLOCKS,  // in the grids that are built or read
    BUDGET_ENTRIES, // in the lists of these grids
    BUDGET_STEPS,   // of searching, packing and merging
    BUDGET_BYTES,   // kept until they are written
    BUDGET_KINDS,
};

struct budget {
    uint64_t file_size;   // bytes; if compressed, at most 16 times packed_size
    uint64_t packed_size; // bytes of a compressed file whose maps are larger
    uint64_t used[BUDGET_KINDS];
    const char *last_map; // the last map that used any
    bool is_told;         // the overrun was reported
};

// Begins a budget for the maps of a file.
void budget_begin(struct budget *budget, const struct wad *wad);

// Begins another pass over the maps of the file, which may take what the first
// one may, but for steps: those of all passes together are limited.
void budget_rewind(struct budget *budget);

// Adds the blocks, entries and steps of a result's facts.
void budget_take_facts(struct budget *budget, const struct stage_facts *facts);

// Whether to read a map.  False, with a sentence that says why, if the maps
// before it exceed the limits for a file of this size, if it is not whole, or
// if its own lumps exceed the limit for all maps.  *is_told is true if an
// earlier map got the same sentence.
bool budget_admits(struct budget *budget, const struct wad *wad,
                   const struct map_place *map, char sentence[WAD_FLAW_SIZE],
                   bool *is_told);

#endif
