// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists without a map, for tests of what becomes of them.  Memory is that of
// test_context.

#ifndef MADE_LISTS_H
#define MADE_LISTS_H

#include "lists/lists.h"
#include "random-map.h"

enum {
    MADE_SET_LINES = 64,   // linedefs of a set
    MADE_MOST_BLOCKS = 64, // with sets
};

// Linedefs 0 to 63, a bit for each.
typedef uint64_t made_set;

// Blocks with sets of linedefs.
struct made_blocks {
    made_set set[MADE_MOST_BLOCKS];
    size_t count;
};

// Some blocks, few lines, and so many sets that contain others.  Some of them
// are equal or empty.
struct made_blocks made_blocks_random(struct random_stream *stream,
                                      uint32_t most_blocks,
                                      uint32_t most_lines);

// The lists of the blocks as lists_build would make them.
struct lists made_lists(const struct made_blocks *blocks);

// The words of these lists: equal ones once, with a header and an end.
size_t made_blocks_words(const struct made_blocks *blocks);

// Lists that are added one by one, all of them different, each with a block:
// at most so many, with so many linedefs in all.
struct lists made_lists_begin(size_t list_count, size_t linedef_count,
                              size_t block_count);

// Adds a list of linedefs that ascend.
void made_lists_add(struct lists *lists, const uint32_t *linedefs,
                    size_t length);
void made_lists_add_set(struct lists *lists, made_set set);

#endif
