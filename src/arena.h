// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory that an instance keeps between builds.  For most maps the system takes
// longer to hand out fresh memory than the build takes.

#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ARENA_LEAST_BYTES = 64 << 10, // for the first build
    ARENA_MOST_BYTES = 64 << 20,
    ARENA_PART = 16, // the arena takes at most 1/16 of the limit
};

struct arena_block;

struct arena {
    // Where memory comes from, with `user` as the first argument; NULL: from
    // the C library.
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);

    size_t used_bytes; // of all blocks
    size_t limit;      // upper bound for used_bytes
    bool met_limit;    // the last allocation failed because of the limit

    // The memory that is kept.
    unsigned char *memory;
    size_t size, top;         // its size; bytes in use
    size_t outside;           // bytes of blocks from the underlying allocator
    size_t wanted;            // peak use
    size_t most;              // upper bound for `size`
    struct arena_block *last; // the top of the stack; NULL: it is empty
};

// Allows `bytes` more than are in use now, 1/16 of them for the memory that is
// kept.  The initial limit is 0.
void arena_limit(struct arena *arena, size_t bytes);

// Returns a block, or NULL.  `arena` is a struct arena.
void *arena_allocate(void *arena, size_t bytes);

// Releases a block, which must not be NULL.
void arena_release(void *arena, void *memory);

// Releases the memory that is kept.  No block may be in use.
void arena_empty(struct arena *arena);

#endif
