// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lists of the BLOCKMAP lump that the map has now, whoever built it.

#ifndef READ_LUMP_H
#define READ_LUMP_H

#include "lists/lists.h"

enum {
    // Linedefs that the lists of all blocks may have together, counted again
    // for every block that points to them: this many, or so many times the
    // words of the lump if that is more.
    LUMP_READ_LINEDEFS = 1 << 24,
    LUMP_READ_LINEDEFS_A_WORD = 16,
};

// Reads the grid and the lists of a lump, which is `size` bytes, of a map that
// has `line_count` linedefs.  Every block's list has exactly the linedefs that
// the lump has for the block, each once.  If all lists begin with a 0, that is
// a header and not linedef 0; if one does not, every word is a linedef, and no
// engine finds more.  The grid need not enclose the map.
// NBSTAGE_BAD_MAP: there is no lump, or one that cannot be read: not whole
// words, no grid in whole map units, an offset outside, a list without an end,
// a linedef that the map has not got, more than 2^TOUCH_BLOCK_BITS blocks.
// NBSTAGE_OVER_LIMIT: more linedefs than the limits above, or than those of the
// context.
nbstage_status lump_read_lists(struct context *context,
                               const unsigned char *bytes, size_t size,
                               size_t line_count, struct grid *grid,
                               struct lists *lists);

#endif
