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

struct digest_form {
    uint64_t length_mask; // the low bits, enough for the number of lines
    uint64_t factor;      // odd; another factor makes other digests
};

// The form for lists of at most `line_count` lines.  Another salt makes other
// digests.
struct digest_form digest_form(size_t line_count, uint32_t salt);

// Stores the digests of `count` lines from `first_line` on.
void digest_lines(struct digest_form form, size_t first_line, size_t count,
                  uint64_t *digests);

static inline uint32_t digest_length(struct digest_form form, uint64_t digest)
{
    return (uint32_t)(digest & form.length_mask);
}

// The size of a hash table of digests; their uppermost bits select the slot.
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
