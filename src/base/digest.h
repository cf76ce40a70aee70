// SPDX-License-Identifier: GPL-2.0-or-later
//
// Different digests prove different lists; equal ones almost always mean equal
// lists.  The digest of a line is a pseudo-random number with 1 in its low
// bits; the digest of a list is the sum over its lines, so its low bits hold
// the length.  The sum of the empty list is 0; callers may use another digest
// of length 0 for it.

#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

// Mask of the low bits that hold a length up to line_count.
static inline uint64_t digest_length_mask(size_t line_count)
{
    uint64_t mask = 0xFFFF;
    while (mask < line_count)
        mask = mask << 1 | 1;
    return mask;
}

// Multiples of a large odd number are not enough: the sums of lines 1 and 4 and
// of lines 2 and 3 would be equal.  Folding the upper bits into the lower ones,
// and these into the upper ones again, makes nearly all such sums differ.
static inline uint64_t digest_make(uint64_t number, uint64_t length_mask)
{
    // 2^64 divided by the golden ratio, which spreads multiples evenly.
    uint64_t digest = (2 * number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    digest ^= digest >> 29;
    digest ^= digest << 32;
    return (digest & ~length_mask) | 1;
}

// Base-2 logarithm of the size of a hash table, for a load factor of at most
// 1/2.
static inline unsigned digest_slot_bits(size_t digest_count)
{
    unsigned bits = 1;
    while ((size_t)1 << bits < 2 * digest_count)
        bits++;
    return bits;
}

// Home slot: the top bits of the digest.
static inline size_t digest_slot(uint64_t digest, unsigned slot_bits)
{
    return (size_t)(digest >> (64 - slot_bits));
}

// Next probe.  The step is keyed by the table's address, so crafted maps cannot
// force collisions.
static inline size_t digest_next_slot(size_t slot, uint64_t digest,
                                      const void *table, unsigned slot_bits)
{
    const uint64_t secret = digest_make((uintptr_t)table, 1);
    const uint64_t step = digest * secret >> 32 | 1;
    return (size_t)(slot + step) & (((size_t)1 << slot_bits) - 1);
}

#endif
