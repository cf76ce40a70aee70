// SPDX-License-Identifier: GPL-2.0-or-later
//
// A real map many times side by side, for maps near the limits of lumps.

#ifndef TILES_H
#define TILES_H

#include "doom-map.h"
#include "random-map.h"

// Makes a map of so many tiles, for random_map_free; false if coordinates have
// no room for them.  The tiles take turns with their linedefs, so that the
// first lines of the map are the first ones of each tile.  There are gaps, so
// that blocks fall differently on each tile.
bool tiles_make(const struct doom_map *map, uint32_t tiles,
                struct random_map *tiled);

#endif
