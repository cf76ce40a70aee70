// SPDX-License-Identifier: GPL-2.0-or-later
//
// Flats of sectors, for comparison.

#ifndef FLAT_H
#define FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A NUL-padded name in upper case; or FLAT_OTHER and a unique number.
struct map_flat {
    unsigned char bytes[8];
};

enum { FLAT_OTHER = 0xFF }; // the first byte; no name begins with it

// Makes a flat from a name of at most `length` bytes.
struct map_flat flat_of_name(const char *name, size_t length);

// Makes a flat without a name, which differs from flats of other numbers.
struct map_flat flat_of_number(uint64_t number);

static inline bool flat_is_same(struct map_flat a, struct map_flat b)
{
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

// Whether a flat may be one that is not known: its number has more than 32
// bits.
static inline bool flat_is_unknown(struct map_flat flat)
{
    return flat.bytes[0] == FLAT_OTHER &&
           (flat.bytes[5] | flat.bytes[6] | flat.bytes[7]) != 0;
}

// Whether a flat is the sky, or may be: a number can stand for any flat.
static inline bool flat_may_be_sky(struct map_flat flat)
{
    return flat.bytes[0] == FLAT_OTHER || memcmp(flat.bytes, "F_SKY", 5) == 0;
}

#endif
