// SPDX-License-Identifier: GPL-2.0-or-later
//
// The numbers begin as multiples of a large odd one.  Multiples alone are not
// enough: the sums of lines 1 and 4 and of lines 2 and 3 would be equal.
// Folding the upper bits into the lower ones, and these into the upper ones
// again, makes such sums differ.

#include "base/digest.h"

enum { DIGEST_LEAST_MASK = 0xFFFF }; // which most maps share

static uint64_t digest_mix(const struct digests *digests, uint64_t number)
{
    // 2^64 divided by the golden ratio, which spreads multiples evenly.
    uint64_t digest = (2 * number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    digest ^= digest >> 29;
    digest ^= digest << 32;
    return (digest & ~digests->length_mask) | 1;
}

void digests_make(struct digests *digests, size_t line_count, uint32_t salt)
{
    uint64_t mask = DIGEST_LEAST_MASK;
    while (mask < line_count)
        mask = mask << 1 | 1;
    if (digests->length_mask == mask && digests->salt == salt)
        return;
    digests->length_mask = mask;
    digests->salt = salt;
    for (uint64_t i = 0; i < DIGEST_GROUP; i++)
        digests->of_place[i] =
            digest_mix(digests, (uint64_t)salt * DIGEST_GROUP + i);
}

uint64_t digest_of_group(const struct digests *digests, size_t group)
{
    return digest_mix(digests, ~(uint64_t)group);
}
