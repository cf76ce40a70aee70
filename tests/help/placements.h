// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sizes of the lumps on all the grids that a search may take, by building
// them one after the other, for comparison with the scorer and the search.

#ifndef PLACEMENTS_H
#define PLACEMENTS_H

#include "lump/lump.h"
#include "nbstage.h"
#include "search/search.h"

// A grid and the lump on it.
struct placement {
    struct grid grid;
    struct lump_measure measure;
};

// The lines of a map that is given as arrays, for lines_free.
struct lines placements_lines(struct context *context,
                              const struct nbstage_map *map);

// How many origins there are along an axis, from the lines' lowest coordinate
// on: 128, or as far as 16-bit numbers go.
int32_t placements_along(int32_t lowest);

// Builds the lumps on all grids, south row by row, west in it; or where scores
// only rank, that of the first and of the 63 others whose lists, shared and
// with their headers, take the fewest words, of equal ones the first.  The
// first of the smallest that meet the limit or, if none does, of all.
struct placement placements_search(struct context *context,
                                   const struct lines *lines,
                                   enum lump_limit limit,
                                   struct pack_form pack);

// Holds a scorer against lumps that are built: at every `stride`-th of the
// placements.  A difference ends the test.  Returns how many were built.
size_t placements_check_scores(struct context *context,
                               const struct lines *lines, int32_t stride,
                               const char *map_name);

#endif
