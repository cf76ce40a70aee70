// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts of a blockmap: how long its lists are, which blocks share them, and
// what its bytes are used for.

#ifndef STATISTICS_H
#define STATISTICS_H

#include "lump/blockmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a word of a lump is.
enum statistics_part {
    PART_UNREACHED, // in no list that can be read
    PART_GRID,      // origin, columns and rows, and the name of XBM1
    PART_TABLE,     // the offsets
    PART_HEADER,    // what a list begins with that is not a linedef
    PART_TERMINATOR,
    PART_LINEDEF, // or what is in a list instead of one
    PART_COUNT,
};

enum { MOST_FULLEST = 5 };

struct statistics {
    size_t longest; // of the lists that can be read, in different linedefs
    size_t listed;  // the sum of all lengths

    // The blocks with the longest lists, the longest first, without empty ones.
    size_t fullest[MOST_FULLEST];
    size_t fullest_count;

    // Lists that several blocks have, and how many blocks these are.
    size_t shared_lists;
    size_t shared_blocks;

    unsigned char *parts; // for each word, an enum statistics_part
    bool *is_listed;      // for each linedef, whether a list has it
    size_t bytes[PART_COUNT];
};

// Lists that are stored, of blocks whose offset leads to one.
struct list_counts {
    size_t nested;          // that end another list
    size_t duplicate;       // stored a second time or more
    size_t unsorted;        // whose linedefs do not ascend
    size_t repeating;       // with a linedef more than once
    size_t unreached_words; // after the table, in no list
};

// Counts the lists of a blockmap, which may have a fault.
struct list_counts statistics_count_lists(const struct blockmap *blockmap);

// Counts a sound blockmap of a map with so many linedefs, for statistics_free.
void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics);

void statistics_free(struct statistics *statistics);

// Counts the blocks that have the list of a block, this block included; 0 if it
// cannot be read.
size_t statistics_count_sharers(const struct blockmap *blockmap, size_t block);

#endif
