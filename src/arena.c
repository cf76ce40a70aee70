// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stack of blocks, each with a header before it.  A released block is free
// once all blocks above it are released, too; builds release nearly all blocks
// in that order.  Blocks that do not fit come from the underlying allocator. An
// empty arena is resized to past peak use.
//
// The limit counts blocks in use.  A part of it is set aside for the arena
// itself, so the memory that a map may take does not depend on earlier maps.

#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// With the address sanitizer, free memory and padding are poisoned; without it
// these macros do nothing.
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(size))
#endif

struct arena_block {
    alignas(max_align_t) size_t size; // with this header; 0: released
    struct arena_block *previous;     // below this one in the arena
    alignas(max_align_t) unsigned char memory[];
};

static void *arena_take(const struct arena *arena, size_t bytes)
{
    return arena->allocate ? arena->allocate(arena->user, bytes)
                           : malloc(bytes);
}

static void arena_give_back(const struct arena *arena, void *memory)
{
    if (arena->release)
        arena->release(arena->user, memory);
    else
        free(memory);
}

void arena_empty(struct arena *arena)
{
    ASAN_UNPOISON_MEMORY_REGION(arena->memory, arena->size);
    if (arena->memory)
        arena_give_back(arena, arena->memory);
    arena->memory = NULL;
    arena->size = 0;
}

void arena_limit(struct arena *arena, size_t bytes)
{
    const size_t part = bytes / ARENA_PART;
    const size_t most = bytes - part;
    arena->met_limit = false;
    arena->most = part < ARENA_MOST_BYTES ? part : ARENA_MOST_BYTES;
    arena->limit = most > SIZE_MAX - arena->used_bytes
                       ? SIZE_MAX
                       : arena->used_bytes + most;
    if (!arena->last && arena->size > arena->most)
        arena_empty(arena);
}

// Makes an empty arena larger if the peak use exceeds its size and the limit
// leaves room.
static void arena_grow(struct arena *arena)
{
    size_t size = arena->wanted < arena->most / 2
                      ? arena->wanted + arena->wanted / 4
                      : arena->most;
    size = size < ARENA_LEAST_BYTES ? ARENA_LEAST_BYTES : size;
    if (arena->wanted <= arena->size || size > arena->most ||
        size <= arena->size)
        return;
    arena_empty(arena);
    arena->memory = arena_take(arena, size);
    arena->size = arena->memory ? size : 0;
    ASAN_POISON_MEMORY_REGION(arena->memory, arena->size);
}

void *arena_allocate(void *user, size_t bytes)
{
    struct arena *arena = user;
    const size_t unit = alignof(max_align_t);
    if (bytes > PTRDIFF_MAX - sizeof(struct arena_block) - unit)
        return NULL;
    const size_t size =
        (sizeof(struct arena_block) + bytes + unit - 1) & ~(unit - 1);
    struct arena_block *block;
    arena->met_limit = arena->used_bytes > arena->limit ||
                       size > arena->limit - arena->used_bytes;
    if (arena->met_limit)
        return NULL;
    if (!arena->last)
        arena_grow(arena);
    const bool is_inside = size <= arena->size - arena->top;
    if (is_inside) {
        block = (void *)(arena->memory + arena->top);
        ASAN_UNPOISON_MEMORY_REGION(block, sizeof *block + bytes);
        block->previous = arena->last;
        arena->last = block;
        arena->top += size;
    } else {
        block = arena_take(arena, size);
        if (!block && arena->memory && !arena->last) {
            arena_empty(arena); // freeing its memory may make room
            block = arena_take(arena, size);
        }
        if (!block)
            return NULL;
        arena->outside += size;
    }
    block->size = size;
    arena->used_bytes += size;
    if (arena->wanted < arena->top + arena->outside)
        arena->wanted = arena->top + arena->outside;
    return block->memory;
}

void arena_release(void *user, void *memory)
{
    struct arena *arena = user;
    struct arena_block *block = (void *)((unsigned char *)memory -
                                         offsetof(struct arena_block, memory));
    const size_t size = block->size;
    arena->used_bytes -= size;
    if ((uintptr_t)block - (uintptr_t)arena->memory >= arena->size) {
        arena->outside -= size;
        arena_give_back(arena, block);
        return;
    }
    ASAN_POISON_MEMORY_REGION(memory, size - sizeof *block);
    block->size = 0;
    while (arena->last && arena->last->size == 0) {
        block = arena->last;
        arena->last = block->previous;
        arena->top = (size_t)((unsigned char *)block - arena->memory);
        ASAN_POISON_MEMORY_REGION(block, sizeof *block);
    }
}
