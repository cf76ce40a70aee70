// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lists that the blocks of a map should have.

#ifndef EXPECTED_H
#define EXPECTED_H

#include "blockmap/blockmap.h"

// The blocks of both grids are the same squares: block 0,0 of the map's own
// blockmap is block west,south of the expected one.  That one encloses all
// lines, and begins at the own blockmap's south-west corner or before it.
struct expected {
    struct blockmap blockmap; // every linedef in every block that it is in
    size_t west;
    size_t south;
    uint32_t columns; // of the map's own blockmap

    // For each linedef not 0 if the option prune leaves it out, so that it may
    // be missing; NULL if it leaves out none.
    const unsigned char *left_out;

    // The same for --prune=unreachable, or for inert if the stage has only
    // that.
    const unsigned char *harmless;
};

// The expected list of a block of the map's own blockmap, which must have
// blocks.  The list is empty where no line is.
struct blockmap_list expected_list(const struct expected *expected,
                                   size_t block);

// Whether a linedef may be missing.
bool expected_leaves_out(const struct expected *expected, uint32_t linedef);

// Whether it does not matter that a linedef is missing: it asks to be left out,
// or nothing can collide with it or reach it.
bool expected_is_harmless(const struct expected *expected, uint32_t linedef);

// Why, if it is known: "unreachable by rule 3"; NULL if it is not.
const char *expected_reason(const struct expected *expected, uint32_t linedef);

// Whether a linedef of an expected list is missing in the block's own list;
// NULL is a block without a list.
bool expected_is_missing(const struct expected *expected,
                         const struct list_view *list_view, uint32_t linedef);

// Whether one of an expected list is that does harm.
bool expected_has_harm(const struct expected *expected,
                       const struct blockmap_list *list,
                       const struct list_view *list_view);

// Whether a block of the expected blockmap is outside a grid that begins where
// the map's own does and has so many columns and rows.
bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows);

// Finds out what the lists of a map's own blockmap begin with, and reads it
// again if that is not what it seems to be.  A list may begin with any word as
// its header, as with some builders, or with its first linedef.  Only the
// expected lists can decide.
void expected_correct_headers(const struct expected *expected,
                              size_t line_count, struct blockmap *blockmap);

#endif
