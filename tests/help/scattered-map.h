// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps as large as a test needs them: many lines, scattered evenly.

#ifndef SCATTERED_MAP_H
#define SCATTERED_MAP_H

#include "random-map.h"

// What a map is like.  Coordinates are whole map units from 0 on, both ends of
// a line within a square of `length`.
struct scatter {
    uint64_t seed;
    uint32_t lines;
    uint32_t side;   // of the map, map units
    uint32_t length; // below `side`
};

// Makes the map, for random_map_free.
struct random_map scattered_map_make(const struct scatter *scatter);

#endif
