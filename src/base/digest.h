// SPDX-License-Identifier: GPL-2.0-or-later
//
// Digests tell lists apart without reading their linedefs.  The digest of a
// line is a pseudo-random number with 1 in its low bits; the digest of a list
// is the sum over its lines.  So the low bits hold the length of the list, and
// lists with the same lines have the same digest.  Only the empty list has
// digest 0.

#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

// The low bits that hold the length of a list of at most so many lines.
static inline uint64_t digest_length_mask(size_t line_count)
{
    uint64_t mask = 0xFFFF;
    while (mask < line_count)
        mask = mask << 1 | 1;
    return mask;
}

// Multiples of a large odd number are not enough: the sums of lines 1 and 4 and
// of lines 2 and 3 would be equal.  Folding the upper bits into the lower ones,
// and these into the upper ones again, makes such sums differ.
static inline uint64_t digest_make(uint64_t number, uint64_t length_mask)
{
    // 2^64 divided by the golden ratio, which spreads multiples evenly.
    uint64_t digest = (2 * number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    digest ^= digest >> 29;
    digest ^= digest << 32;
    return (digest & ~length_mask) | 1;
}

// A hash table of digests; their uppermost bits select the slot.
struct digest_table {
    size_t slot_count; // a power of two
    unsigned shift;    // 64 minus the number of these bits
};

// A table with at least twice as many slots as there are digests.
static inline struct digest_table digest_table(size_t digest_count)
{
    struct digest_table table = {2, 63};
    while (table.slot_count < 2 * digest_count) {
        table.slot_count *= 2;
        table.shift--;
    }
    return table;
}

static inline size_t digest_slot(struct digest_table table, uint64_t digest)
{
    return (size_t)(digest >> table.shift);
}

static inline size_t digest_next_slot(struct digest_table table, size_t slot)
{
    return (slot + 1) & (table.slot_count - 1);
}

#endif
