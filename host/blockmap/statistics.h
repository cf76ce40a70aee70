// SPDX-License-Identifier: GPL-2.0-or-later
//
// What there is to count in a blockmap: how long its lists are, who shares
// them, and what its bytes are spent on.

#ifndef STATISTICS_H
#define STATISTICS_H

#include "blockmap/blockmap.h"

// What a word of a lump is.
enum statistics_part {
    PART_UNREACHED, // in no list that can be read
    PART_GRID,      // origin, columns and rows, and the name of XBM1
    PART_TABLE,     // the offsets
    PART_HEADER,    // what a list begins with, and no linedef
    PART_LINEDEF,
    PART_TERMINATOR,
    PART_COUNT,
};

// What a word of a list is to it.
enum word_role {
    ROLE_LINEDEF,
    ROLE_REPEATED,  // a linedef that stands behind it again
    ROLE_TOO_LARGE, // the number of no linedef of the map
    ROLE_HEADER,    // what another list, inside of it, begins with
};

enum { MOST_FULLEST = 5 };

// A block in the order of the offsets.
struct placed_block {
    uint32_t offset;
    size_t block;
};

struct statistics {
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

    unsigned char *parts; // for each word, an enum statistics_part
    unsigned char *roles; // for each word of a list, an enum word_role
    size_t bytes[PART_COUNT];
};

// Counts a sound blockmap of a map with so many linedefs, for statistics_free.
void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics);

void statistics_free(struct statistics *statistics);

// The blocks with the list of a block, itself among them, in ascending order.
// Returns how many; 0 if its list cannot be read.
size_t statistics_find_sharers(const struct statistics *statistics,
                               const struct blockmap *blockmap, size_t block,
                               const struct placed_block **first);

// What a word of a list that can be read is to that list: as many are linedefs
// as the block's length says.
enum word_role statistics_role_at(const struct statistics *statistics,
                                  size_t word);

#endif
