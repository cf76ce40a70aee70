// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the blocks of a present grid should list.

#ifndef EXPECTED_H
#define EXPECTED_H

#include "blockmap/open-map.h"

// Where all lines begin, in map units.
struct expected_corner {
    int64_t x;
    int64_t y;
};

// Finds out how many linedefs a map has, how far they reach, and which are left
// out.  A map that cannot be read gets an error.
void expected_find_corner(struct open_file *file, struct open_map *map,
                          struct expected_corner *corner);

// Builds the truth of a map whose present blockmap has been read, and finds the
// headers of that.  If there can be none the map gets an error, or a doubt
// where that is for its grid.
void expected_build(struct open_file *file, struct open_map *map,
                    struct expected_corner corner);

// The true list of a block, by its number in the present grid, which must have
// blocks; empty where no line reaches.
struct blockmap_list expected_of_block(const struct open_map *map,
                                       size_t block);

// Whether the option prune leaves a linedef out.
bool expected_leaves_out(const struct open_map *map, uint32_t linedef);

// Whether a true linedef of a block should be in its list, and is not.
bool expected_misses(const struct open_map *map,
                     const struct list_view *list_view, uint32_t linedef);

// Whether a block of the true grid is outside one that begins like the present
// grid and has so many columns and rows.
bool expected_is_outside(const struct open_map *map, size_t expected_block,
                         uint64_t columns, uint64_t rows);

#endif
