// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a new BLOCKMAP changes: the linedefs that lists got and lost, and what
// demos depend on, which is the grid, headers and lists.

#ifndef DEMOS_H
#define DEMOS_H

#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>

// What changed; bits of a set.
enum demos_change {
    DEMOS_GRID,    // its origin
    DEMOS_HEADERS, // the words before lists
    DEMOS_ORDER,   // of the linedefs in a list, or how often it has one
    DEMOS_FEWER,   // a list has lost a linedef: pruned, or extra before
    DEMOS_MORE,    // a list has another linedef: merged, or missing before
    DEMOS_EMPTY,   // most ports read no lump now
    DEMOS_FIRST,   // they read none before
    DEMOS_CHANGES,
};

struct demos_found {
    unsigned changes;  // bits of enum demos_change
    bool are_equal;    // both lumps have the same bytes
    bool are_compared; // all lists were; only then the others count:
    size_t added;      // linedefs that only the new list of a block has
    size_t removed;    // linedefs that only the old list of a block has
    size_t unreadable; // blocks whose old list cannot be read
};

// Compares the old and the new lump of a map with `line_count` linedefs.
// `header` is the stage's word for the headers of the new one, or NULL.  Lists
// are compared if both grids have the same origin; not if `has_lists` is false,
// as a builder has changed the linedefs.  The work is bounded, so hostile lumps
// may not be compared whole.  Returns false if memory runs out.
bool demos_compare(const struct nbstage_lump *old, bool has_lists,
                   const struct nbstage_lump *new, const char *header,
                   size_t line_count, struct demos_found *found);

// Whether all lists of a lump begin with 0, as every engine reads them right.
bool demos_has_zeros(const struct nbstage_lump *lump);

#endif
