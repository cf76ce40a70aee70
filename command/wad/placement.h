// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether the ports that must play a map find the lump where it is written.

#ifndef PLACEMENT_H
#define PLACEMENT_H

#include "common/arguments.h"
#include "lump/engines.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

// The engines that options for the stage name, also those in --plugin; all
// engines if none does.
engine_set placement_find_engines(const struct arguments *arguments);

// Where the lump of a map is written.
struct placement {
    const struct wad *wad;
    const struct map_place *map;
    size_t blockmap;    // the index of the map's BLOCKMAP,
    bool is_new;        // or of the place for one
    engine_set engines; // that have to find the lump
};

enum { PLACEMENT_TEXT = WAD_FLAW_SIZE + 192 };

// Whether all of these engines that use the lump find it.  If not, the sentence
// says why.
bool placement_is_right(const struct placement *placement,
                        char sentence[PLACEMENT_TEXT]);

#endif
