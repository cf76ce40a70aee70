// SPDX-License-Identifier: GPL-2.0-or-later
//
// The form of the BLOCKMAP lump, its limits, and its writer.  A lump consists
// of little-endian words:
//
//     origin x, origin y, columns, rows, an offset for each block, lists
//
// Offsets count words from origin x.  Classic words have 16 bits.  An XBM1 lump
// begins with a signature of 8 bytes, and has 32-bit words and an origin in
// 16.16.

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
    LUMP_VANILLA_LINES = 32768,  // and linedef numbers
    LUMP_EXTENDED_WORDS = 65535, // ports rebuild a lump of more words
    LUMP_CLASSIC_LINES = 65534,  // one less than the terminator, 65535
};

// The XBM1 signature, 8 bytes with the string's NUL.
#define LUMP_XBM1_PREFIX "XBM1\0\0\0"

enum lump_form { LUMP_CLASSIC, LUMP_XBM1, LUMP_EMPTY };

static inline size_t lump_word_size(enum lump_form form)
{
    return form == LUMP_XBM1 ? sizeof(uint32_t) : sizeof(uint16_t);
}

// The size in bytes of a lump with `word_count` words.
static inline uint64_t lump_size(enum lump_form form, uint64_t word_count)
{
    return word_count * lump_word_size(form) +
           (form == LUMP_XBM1 ? sizeof LUMP_XBM1_PREFIX : 0);
}

struct lump_measure {
    uint64_t word_count;     // of the whole lump, without the XBM1 signature
    uint64_t largest_offset; // in words
    size_t linedef_end;      // one more than the highest linedef
};

// Measures the lump of packed lists.
struct lump_measure lump_measure(const struct lists *lists);

// Limits of classic lumps.  LIMIT_NONE means LIMIT_EXTENDED here.
enum lump_limit {
    LIMIT_NONE,
    LIMIT_VANILLA,  // extended, and offsets and linedefs are below 32,768
    LIMIT_EXTENDED, // the whole lump has fewer than 65,536 words
};

// Counts the words by which a classic lump exceeds a limit; ignores the limit
// of linedefs.
uint64_t lump_words_over(const struct lump_measure *measure,
                         enum lump_limit limit);

// Whether a classic lump meets a limit.
bool lump_meets(const struct lump_measure *measure, enum lump_limit limit);

// Writes the lump to *bytes, for context_release; *size is in bytes.  A classic
// lump must meet the extended limit.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, const struct lists *lists,
                          unsigned char **bytes, size_t *size);

#endif
