// SPDX-License-Identifier: GPL-2.0-or-later
//
// Digests tell lists apart without a look at their linedefs.  A line's digest
// is a pseudo-random number that has 1 in its low bits; a list's is the sum of
// its lines'.  So the low bits hold the list's length, and lists with the same
// lines have the same digest.  That of the empty list is 0, and no other is.

#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct digest_form {
    uint64_t length_mask; // the low bits, enough for the number of lines
    uint64_t factor;      // odd; with another one, digests are others
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

// A place for a digest in a table of 2^(64 - shift) slots.
static inline size_t digest_slot(uint64_t digest, unsigned shift)
{
    return (size_t)(digest >> shift);
}

#endif
