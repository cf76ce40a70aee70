// SPDX-License-Identifier: GPL-2.0-or-later
//
// A BLOCKMAP lump as anyone can read it, without a line of code in common with
// the stage or the command: words, offsets and lists, classic or XBM1.

#ifndef BLOCKLISTS_H
#define BLOCKLISTS_H

#include "oracle.h"

#define BLOCKLIST_END UINT32_MAX

// What lists begin with.
enum blocklists_header {
    LISTS_ZERO,  // a 0 before the first linedef
    LISTS_ANY,   // any word before the first linedef
    LISTS_NONE,  // the first linedef
    LISTS_APART, // a 0, and linedefs that ascend; none is inside another
};

struct blocklists {
    struct oracle_grid grid;
    size_t block_count;
    size_t word_count; // of the lump, without what precedes those of XBM1
    size_t odd_bytes;  // after the words
    size_t first_word; // of the lists
    size_t largest_offset;
    uint32_t *words; // ends of lists are BLOCKLIST_END
    bool *begins;    // of each word, whether a list begins with it
};

// Reads a lump, for blocklists_free; false, with nothing to be freed, if it has
// no whole table of offsets.
bool blocklists_open(const unsigned char *bytes, size_t size,
                     struct blocklists *lists);

// The same for a lump that must have the table and, unless it is XBM1, 65,535
// words at most, and for lists by themselves: offsets are from the first word.
struct blocklists blocklists_read(const unsigned char *bytes, size_t size);
struct blocklists blocklists_from_words(const uint32_t *words,
                                        size_t word_count,
                                        const uint32_t *offset,
                                        size_t block_count);

void blocklists_free(struct blocklists *lists);

bool blocklists_all_begin_with_0(const struct blocklists *lists);

// Finds the words of a block's linedefs: *begin, and the word after the last.
// False if the list is outside the lump, or has no end: then *end is that of
// the lump.
bool blocklists_find(const struct blocklists *lists,
                     enum blocklists_header header, size_t block, size_t *begin,
                     size_t *end);

// All linedefs by block and then by number, each once in a block, for
// oracle_free_entries.  A list that cannot be read ends the test.
struct oracle_entry_list blocklists_entries(const struct blocklists *lists,
                                            enum blocklists_header header);

// Of linedefs in blocks.
struct blocklists_counts {
    size_t missing;
    size_t extra;
    size_t extra_at_worst; // in one block
    size_t of_headers;     // extra entries that are headers of nested lists
    size_t unknown;        // numbers that the map does not have
    size_t unreadable;     // lists; they count for nothing else
};

// Compares the lists with true entries.  The header of another list in the
// middle of one is not extra, but engines that read it test linedef 0, so that
// it is not missing either.  Nor is a linedef that `optional` has, which may be
// NULL.
struct blocklists_counts
blocklists_compare(const struct blocklists *lists,
                   enum blocklists_header header,
                   const struct oracle_entry_list *truth, size_t line_count,
                   const uint8_t *optional);

struct judgement {
    size_t entries; // of lines in blocks, these in the grid or not
    size_t outside; // of these, in blocks that the grid does not have
    struct blocklists_counts counts;
};

// Tries each line in every block of its bounding box.  Lines that `left_out`
// has, which may be NULL, may be listed or not, and are not counted.  False if
// more than so many blocks would be tried.
bool blocklists_judge(const struct blocklists *lists,
                      enum blocklists_header header,
                      const struct oracle_line *lines, size_t line_count,
                      const uint8_t *left_out, uint64_t most_tries,
                      struct judgement *judgement);

// Ends the test, which the name is of, unless all lists can be read and have
// the headers they should, no linedef is in a list twice, each word is in a
// list, and the lists have the true entries, no more and no fewer.
void blocklists_check(const char *name, const struct blocklists *lists,
                      enum blocklists_header header,
                      const struct oracle_entry_list *truth);

// The same for a lump of these lines, of which those of `left_out` are to be in
// no list.
void blocklists_check_lump(const char *name, const unsigned char *bytes,
                           size_t size, const struct oracle_line *lines,
                           size_t line_count, const bool *left_out);

// How many lists there are, and how many of them begin in the middle of others.
size_t blocklists_count(const struct blocklists *lists);
size_t blocklists_count_nested(const struct blocklists *lists);

#endif
