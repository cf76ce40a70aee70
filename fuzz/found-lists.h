// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a blockmap lists, counted against brute force.

#ifndef FOUND_LISTS_H
#define FOUND_LISTS_H

#include "blockmap/blockmap.h"
#include "nbstage.h"

struct found_lists {
    size_t entry_count;   // of lines that are not left out
    size_t missing_count; // of these, in blocks with a list that can be read
    size_t outside_count; // and in blocks that the grid has not
    size_t extra_count;   // lines in lists of blocks that they do not touch
};

// Counts what the lists of a blockmap with whole origin have of a map's lines.
// False if that would take too long.
bool found_lists_count(const struct blockmap *blockmap,
                       const struct nbstage_decoded *decoded,
                       struct found_lists *found);

#endif
