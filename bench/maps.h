// SPDX-License-Identifier: GPL-2.0-or-later
//
// The maps of a WAD file in Doom format, ready to be handed to a stage.

#ifndef MAPS_H
#define MAPS_H

#include "nbstage.h"

#include <stdbool.h>

// The most lumps that a map in Doom format has.
enum { MAP_LUMPS = 10 };

struct wad_map {
    char name[9];
    char lump_names[MAP_LUMPS][9];
    struct nbstage_lump lumps[MAP_LUMPS];
    size_t lump_count;
};

struct maps {
    unsigned char *bytes; // of the file
    size_t size;
    struct wad_map *map;
    size_t count;
};

// Reads a file, for maps_free(); false if it cannot be opened.  A damaged one
// ends the benchmark.
bool maps_read(const char *path, struct maps *maps);

// The map as a stage takes it; it points to what was read.
struct nbstage_map maps_view(const struct wad_map *map);

// A lump that the map must have.
const struct nbstage_lump *maps_find_lump(const struct wad_map *map,
                                          const char *name);

// A number of four bytes in a WAD.
uint32_t maps_number(const unsigned char *bytes);

void maps_free(struct maps *maps);

#endif
