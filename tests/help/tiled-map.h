// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map so many times side by side: a large one that is like a real one.

#ifndef TILED_MAP_H
#define TILED_MAP_H

#include "doom-map.h"
#include "random-map.h"

// Makes the map, for random_map_free; what it is made of stays the caller's.
// It must end within the range of coordinates.
struct random_map tiled_map_make(const struct doom_map *tile, uint32_t columns,
                                 uint32_t rows);

#endif
