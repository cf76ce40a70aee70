// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory that an instance keeps from one build for the next.  Most maps take
// less time to build than the system takes to hand out fresh memory for it.

#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    POOL_KEPT_BLOCKS = 24,
    POOL_KEPT_BYTES = 64 << 20, // at most, over all blocks
};

struct pool_block;

struct pool {
    // Where memory comes from, with `user` as the first argument; NULL: from
    // the C library.
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);

    // Bytes of all blocks, in use or kept, and how many there may be.  Whether
    // memory was refused because of that limit when it last was.
    size_t held_bytes;
    size_t limit;
    bool met_limit;

    // Blocks that are not in use, in no order.
    struct pool_block *kept[POOL_KEPT_BLOCKS];
    size_t kept_count;
    size_t kept_bytes;
};

// Limits the pool to so many bytes beside those that are in use now.  Without
// this it gives none.
void pool_limit(struct pool *pool, size_t bytes);

// Gives memory, one that is kept if it is large enough without being far too
// large; NULL if there is none.  `pool` is a struct pool.
void *pool_allocate(void *pool, size_t bytes);

// Takes memory back, to be kept or released; not NULL.
void pool_release(void *pool, void *memory);

// Releases everything that is kept.
void pool_empty(struct pool *pool);

#endif
