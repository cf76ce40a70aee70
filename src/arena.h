// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory that an instance keeps from one build for the next.  Most maps take
// less time to build than the system takes to hand out fresh memory for it.

#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ARENA_LEAST_BYTES = 64 << 10, // for the first build
    ARENA_MOST_BYTES = 64 << 20,
    ARENA_PART = 16, // of the limit, that the arena may be
};

struct arena_block;

struct arena {
    // Where memory comes from, with `user` as the first argument; NULL: from
    // the C library.
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);

    // The bytes of all blocks in use, and how many there may be.  Whether
    // memory was refused because of that limit when it last was.
    size_t used_bytes;
    size_t limit;
    bool met_limit;

    // What is kept, and how much of it is taken.
    unsigned char *memory;
    size_t size, top;
    size_t outside;           // bytes of blocks that are not in it
    size_t wanted;            // bytes that would have been enough
    size_t most;              // bytes that it may have
    struct arena_block *last; // in it; NULL: it is empty
};

// Limits an arena to so many bytes beside those that are in use now, with what
// it keeps.  Without this it gives none.
void arena_limit(struct arena *arena, size_t bytes);

// Gives memory; NULL if there is none.  `arena` is a struct arena.
void *arena_allocate(void *arena, size_t bytes);

// Takes memory back; not NULL.
void arena_release(void *arena, void *memory);

// Releases what is kept.  No block may be in use.
void arena_empty(struct arena *arena);

#endif
