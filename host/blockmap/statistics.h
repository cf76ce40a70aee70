// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts of a blockmap: how long its lists are, which blocks share them, and
// what its bytes are used for.

#ifndef STATISTICS_H
#define STATISTICS_H

#include "blockmap/blockmap.h"

// What a word of a lump is.
enum statistics_part {
    PART_UNREACHED, // in no list that can be read
    PART_GRID,      // origin, columns and rows, and the name of XBM1
    PART_TABLE,     // the offsets
    PART_HEADER,    // what a list begins with that is not a linedef
    PART_LINEDEF,
    PART_TERMINATOR,
    PART_COUNT,
};

// What a word of a list is to it.
enum word_role {
    ROLE_LINEDEF,
    ROLE_REPEATED,  // a linedef that comes again
    ROLE_TOO_LARGE, // not the number of a linedef
    ROLE_HEADER,    // what another list, inside this one, begins with
};

enum { MOST_FULLEST = 5 };

// A block in the order of the offsets.
struct placed_block {
    uint32_t offset;
    size_t block;
};

struct statistics {
    // For each block, how many different linedefs its list has.  Lists that
    // cannot be read have 0 and count nowhere else here.
    size_t *lengths;
    size_t longest;
    size_t *blocks_of_length; // 0 to longest
    size_t listed;            // the sum of all lengths

    // The blocks with the longest lists, the longest first, without empty ones.
    size_t fullest[MOST_FULLEST];
    size_t fullest_count;

    // Lists that several blocks have, and how many blocks these are.
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

// Finds the blocks that have the list of a block, this block included, in
// ascending order.  Returns how many; 0 if the list cannot be read.
size_t statistics_find_sharers(const struct statistics *statistics,
                               const struct blockmap *blockmap, size_t block,
                               const struct placed_block **first);

// The role of a word in a list that can be read.
enum word_role statistics_role_at(const struct statistics *statistics,
                                  size_t word);

#endif
