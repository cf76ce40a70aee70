// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packed lists, read word by word as engines read them.  A list that is not as
// its header promises, or has no end, fails the test.

#ifndef PACKED_H
#define PACKED_H

#include "pack/pack.h"

struct packed {
    // As packed_open was given them.
    const uint32_t *words;
    size_t word_count;
    const uint32_t *offset; // of each block, from the first word
    size_t block_count;
    enum pack_header header;

    bool *begins;     // of each word, whether a list begins with it
    bool *is_reached; // of each word, whether it is in a list that was read

    // Of each linedef, the number of the last reading that found it, which are
    // counted from 1.
    size_t *found_by;
    size_t line_count;
    size_t reading;
};

// Begins to read; words and offsets must outlive it.
struct packed packed_open(const uint32_t *words, size_t word_count,
                          const uint32_t *offset, size_t block_count,
                          enum pack_header header);

// Reads the list of a block, which must have all of these linedefs; returns
// how many others it has.  Where headers are 0, those of lists that begin in
// the middle of it are not counted, but serve as linedef 0 if it is asked for.
size_t packed_read(struct packed *packed, size_t block,
                   const uint32_t *linedefs, size_t length);

// How many lists there are, and how many of them begin in the middle of
// others, the empty one aside.
size_t packed_count_lists(const struct packed *packed);
size_t packed_count_nested(const struct packed *packed);

uint32_t packed_largest_offset(const struct packed *packed);

// Ends reading.  Every word must have been reached.
void packed_close(struct packed *packed);

// The list area of a lump in words, with offsets from its first word.
struct packed_area {
    uint32_t *memory;
    size_t total_words; // of the lump
    size_t first_word;  // of the area, in the lump
    size_t word_count;  // of the area
    size_t block_count;
    const uint32_t *words;
    uint32_t *offset;
};

// Reads a lump of either form, for packed_area_free.
struct packed_area packed_area_read(const unsigned char *bytes, size_t size);

struct packed packed_area_open(const struct packed_area *area,
                               enum pack_header header);

// The list of a block where each begins with a 0 and none is nested: its
// linedefs and how many there are.
const uint32_t *packed_area_list(const struct packed_area *area, size_t block,
                                 size_t *length);

void packed_area_free(struct packed_area *area);

#endif
