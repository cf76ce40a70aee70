// SPDX-License-Identifier: GPL-2.0-or-later
//
// The form of the BLOCKMAP lump, its limits, and how it is written.  It is made
// of little-endian words:
//
//     origin x, origin y, columns, rows, an offset for each block, lists
//
// Offsets count words from origin x.  Classic words have 16 bits.  An XBM1 lump
// begins with 8 bytes that say so, has 32-bit words, and an origin in 16.16.

#ifndef LUMP_H
#define LUMP_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LUMP_HEADER_WORDS = 4,
    LUMP_VANILLA_OFFSET = 32767, // vanilla reads offsets as signed numbers
    LUMP_VANILLA_LINES = 32768,  // and those of linedefs
    LUMP_EXTENDED_WORDS = 65535, // ports rebuild a lump of more words
    LUMP_CLASSIC_LINES = 65534,  // one fewer than words without LIST_END
};

// The bytes before the words of an XBM1 lump; the last is the string's end.
#define LUMP_XBM1_PREFIX "XBM1\0\0\0"

enum lump_form { LUMP_CLASSIC, LUMP_XBM1, LUMP_EMPTY };

static inline size_t lump_word_size(enum lump_form form)
{
    return form == LUMP_XBM1 ? sizeof(uint32_t) : sizeof(uint16_t);
}

// The bytes of a lump of so many words.
static inline uint64_t lump_size(enum lump_form form, uint64_t word_count)
{
    return word_count * lump_word_size(form) +
           (form == LUMP_XBM1 ? sizeof LUMP_XBM1_PREFIX : 0);
}

struct lump_measure {
    uint64_t word_count;     // of the whole lump, without the prefix of XBM1
    uint64_t largest_offset; // in words
    size_t linedef_end;      // one more than the highest linedef
};

// Measures the lump that is made of packed lists.
struct lump_measure lump_measure(const struct lists *lists);

// What classic lumps can be asked to meet; here, LIMIT_NONE is the same as the
// extended limit.
enum lump_limit {
    LIMIT_NONE,
    LIMIT_VANILLA,  // also every offset and linedef number is read right
    LIMIT_EXTENDED, // the whole lump has fewer than 65,536 words
};

// The words that a classic lump is over a limit, or 0; linedefs do not count.
uint64_t lump_words_over(const struct lump_measure *measure,
                         enum lump_limit limit);

// Whether a classic lump meets a limit.
bool lump_meets(const struct lump_measure *measure, enum lump_limit limit);

// Writes the lump to *bytes, to be released by the caller; *size is in bytes.
// A classic lump must meet the extended limit.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, const struct lists *lists,
                          unsigned char **bytes, size_t *size);

#endif
