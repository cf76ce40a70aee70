// SPDX-License-Identifier: GPL-2.0-or-later
//
// Digests of what two files are compared by.  Different digests prove a
// difference; equal ones almost always mean equality.

#ifndef LOSSES_DIGEST_H
#define LOSSES_DIGEST_H

#include <stddef.h>
#include <stdint.h>

// Any number but 0.
#define LOSSES_DIGEST_START UINT64_C(0x6A09E667F3BCC909)

// Adds a number to a digest; the order counts.
static inline uint64_t losses_digest(uint64_t digest, uint64_t number)
{
    digest = (digest ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    digest ^= digest >> 32;
    digest *= UINT64_C(0xD6E8FEB86659FD93);
    return digest ^ digest >> 29;
}

static inline uint64_t
losses_digest_bytes(uint64_t digest, const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        word = word << 8 | bytes[i];
        if (i % 8 == 7)
            digest = losses_digest(digest, word);
    }
    return losses_digest(losses_digest(digest, word), size);
}

#endif
