// SPDX-License-Identifier: GPL-2.0-or-later
//
// Digests tell lists apart without reading their linedefs.  The digest of a
// line is a pseudo-random number with 1 in its low bits; the digest of a list
// is the sum over its lines.  So the low bits hold the length of the list, and
// lists with the same lines have the same digest.  Only the empty list has
// digest 0.
//
// Lines are in groups.  A line's digest is a number for its place in the group
// times one for the group.  Both have 1 in their low bits, so their product has
// as well.  The numbers for places are few, and are kept for the next map.

#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_GROUP = 256 }; // lines

struct digests {
    uint64_t of_place[DIGEST_GROUP];
    uint64_t length_mask; // the low bits, enough for the number of lines; or 0
    uint32_t salt;        // another salt makes other digests
};

// Makes those for lists of at most `line_count` lines, unless they are there.
void digests_make(struct digests *digests, size_t line_count, uint32_t salt);

// The number for a group of lines.
uint64_t digest_of_group(const struct digests *digests, size_t group);

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
