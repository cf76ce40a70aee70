// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranges of bytes in a WAD: those of its lumps, and the loose bytes, which are
// in no lump, in the header or in the directory.  Authors left texts there, and
// editors old lumps.

#ifndef EXTENTS_H
#define EXTENTS_H

#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct extent {
    uint64_t begin, end; // in the file; the end of a lump may be past its end
    uint64_t new_begin;  // in a file that is written; 0: not placed yet
};

// Sorts ranges and joins those that overlap.  Returns how many are left.
size_t extents_join(struct extent *extents, size_t count);

// The range that holds a byte.  There must be one.
struct extent *extents_find(struct extent *extents, size_t count,
                            uint64_t position);

// The index of the first range that begins at a position or after it; `count`
// if there is none.
size_t extents_find_next(const struct extent *extents, size_t count,
                         uint64_t position);

// Lists the loose bytes in the order of the file, for free().  NULL if memory
// runs out.
struct extent *extents_list_loose(const struct wad *wad, size_t *count);

// Counts the loose bytes in ranges of more than 3; builders may put up to 3
// bytes after each lump, to align the next one.  False if memory runs out.
bool extents_count_loose(const struct wad *wad, uint64_t *bytes);

#endif
