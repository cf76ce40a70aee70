// SPDX-License-Identifier: GPL-2.0-or-later
//
// A BLOCKMAP lump as anyone can read it: words, offsets, and what its lists
// say, in either form, with headers or without.

#ifndef RAW_LUMP_H
#define RAW_LUMP_H

#include "oracle.h"

struct raw_lump {
    const unsigned char *words; // from origin x; they stay the caller's
    size_t word_size;           // 2, or 4 in XBM1
    size_t word_count;
    struct oracle_grid grid;
    size_t largest_offset; // in words
};

// Opens a lump, which must be long enough for its offsets.
struct raw_lump raw_lump_open(const unsigned char *bytes, size_t size);

// Reads all lists, for oracle_free_facts: by block and then by line, a line
// that stands twice in a list once.  With headers the first word of each list
// is no line.  A list outside the lump, or without an end, ends the test.
struct oracle_entry_list raw_lump_read(const struct raw_lump *lump,
                                       bool has_headers);

#endif
