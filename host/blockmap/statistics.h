// SPDX-License-Identifier: GPL-2.0-or-later
//
// What there is to count in a blockmap: how long its lists are, who shares
// them, and what its bytes are spent on.

#ifndef CENSUS_H
#define CENSUS_H

#include "blockmap/blockmap.h"

// What a word of a lump is.
enum census_part {
    PART_UNREACHED, // in no list that can be read
    PART_GRID,      // origin, columns and rows, and the name of XBM1
    PART_TABLE,     // the offsets
    PART_HEADER,    // what a list begins with, and no linedef
    PART_LINEDEF,
    PART_TERMINATOR,
    PART_COUNT,
};

// What a word of a list is to it.
enum census_entry {
    ENTRY_LINEDEF,
    ENTRY_REPEATED,  // a linedef that stands behind it again
    ENTRY_TOO_LARGE, // the number of no linedef of the map
    ENTRY_HEADER,    // what another list, inside of it, begins with
};

enum { MOST_FULLEST = 5 };

// A block in the order of the offsets.
struct placed_block {
    uint32_t offset;
    size_t block;
};

struct census {
    // For each block, how many linedefs of the map its list has, each counted
    // once; 0 for lists that cannot be read, which count for nothing else here.
    size_t *lengths;
    size_t longest;
    size_t *blocks_of_length; // 0 to longest
    size_t listed;            // the sum of all lengths

    // The blocks that list most, the fullest first; none without a linedef.
    size_t fullest[MOST_FULLEST];
    size_t fullest_count;

    // Offsets that several blocks have, and how many blocks these are.
    size_t shared_lists;
    size_t shared_blocks;
    struct placed_block *placed; // by offset, then by number
    size_t placed_count;

    unsigned char *parts;   // for each word, an enum census_part
    unsigned char *entries; // for each word of a list, an enum census_entry
    size_t bytes[PART_COUNT];
};

// Counts a sound blockmap of a map with so many linedefs.  False if memory
// runs out; the census is for census_free either way.
bool census_take(const struct blockmap *blockmap, size_t line_count,
                 struct census *census);

void census_free(struct census *census);

// The blocks with the list of a block, itself among them, in ascending order.
// Returns how many; 0 if its list cannot be read.
size_t census_find_sharers(const struct census *census,
                           const struct blockmap *blockmap, size_t block,
                           const struct placed_block **first);

// What a word of a list that can be read is to that list: as many are linedefs
// as the block's length says.
enum census_entry census_entry_at(const struct census *census, size_t word);

#endif
