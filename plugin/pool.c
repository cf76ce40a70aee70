// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block has its size before it.  An allocation takes the kept block that fits
// best.  When there are too many kept blocks, the smallest is released: the
// next build has most use for large ones.

#include "pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// With the address sanitizer, kept memory and bytes beyond the requested size
// are out of bounds; without it the header does nothing.
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(size))
#endif

enum { POOL_FAR_TOO_LARGE = 4 }; // times what is asked for

struct pool_block {
    alignas(max_align_t) size_t size; // of the memory after this
    alignas(max_align_t) unsigned char memory[];
};

// ---------------------------------------------------------------------------
// Where blocks come from

static struct pool_block *pool_take_from_source(struct pool *pool, size_t bytes)
{
    pool->met_limit = pool->held_bytes > pool->limit ||
                      bytes > pool->limit - pool->held_bytes;
    if (pool->met_limit || bytes > PTRDIFF_MAX - sizeof(struct pool_block))
        return NULL;
    size_t whole = sizeof(struct pool_block) + bytes;
    struct pool_block *block =
        pool->allocate ? pool->allocate(pool->user, whole) : malloc(whole);
    if (block) {
        block->size = bytes;
        pool->held_bytes += bytes;
    }
    return block;
}

static void pool_give_back(struct pool *pool, struct pool_block *block)
{
    ASAN_UNPOISON_MEMORY_REGION(block->memory, block->size);
    pool->held_bytes -= block->size;
    if (pool->release)
        pool->release(pool->user, block);
    else
        free(block);
}

// ---------------------------------------------------------------------------
// Those that are kept

// Takes a kept block out, by its place.
static struct pool_block *pool_take(struct pool *pool, size_t place)
{
    struct pool_block *block = pool->kept[place];
    pool->kept[place] = pool->kept[--pool->kept_count];
    pool->kept_bytes -= block->size;
    return block;
}

static size_t pool_find_smallest(const struct pool *pool, size_t at_least)
{
    size_t found = pool->kept_count;
    for (size_t i = 0; i < pool->kept_count; i++)
        if (pool->kept[i]->size >= at_least &&
            (found == pool->kept_count ||
             pool->kept[i]->size < pool->kept[found]->size))
            found = i;
    return found;
}

void pool_limit(struct pool *pool, size_t bytes)
{
    size_t in_use = pool->held_bytes - pool->kept_bytes;
    pool->met_limit = false;
    pool->limit = bytes > SIZE_MAX - in_use ? SIZE_MAX : in_use + bytes;
}

void *pool_allocate(void *user, size_t bytes)
{
    struct pool *pool = user;
    size_t found = pool_find_smallest(pool, bytes);
    if (found < pool->kept_count &&
        pool->kept[found]->size / POOL_FAR_TOO_LARGE <= bytes) {
        struct pool_block *kept = pool_take(pool, found);
        ASAN_UNPOISON_MEMORY_REGION(kept->memory, bytes);
        return kept->memory;
    }
    struct pool_block *block = pool_take_from_source(pool, bytes);
    if (!block && pool->kept_count > 0) {
        pool_empty(pool);
        block = pool_take_from_source(pool, bytes);
    }
    return block ? block->memory : NULL;
}

void pool_release(void *user, void *memory)
{
    struct pool *pool = user;
    struct pool_block *block =
        (struct pool_block *)((unsigned char *)memory -
                              offsetof(struct pool_block, memory));
    if (block->size > POOL_KEPT_BYTES) {
        pool_give_back(pool, block);
        return;
    }
    while (pool->kept_count == POOL_KEPT_BLOCKS ||
           pool->kept_bytes + block->size > POOL_KEPT_BYTES) {
        size_t smallest = pool_find_smallest(pool, 0);
        if (block->size <= pool->kept[smallest]->size) {
            pool_give_back(pool, block);
            return;
        }
        pool_give_back(pool, pool_take(pool, smallest));
    }
    ASAN_POISON_MEMORY_REGION(block->memory, block->size);
    pool->kept[pool->kept_count++] = block;
    pool->kept_bytes += block->size;
}

void pool_empty(struct pool *pool)
{
    while (pool->kept_count > 0)
        pool_give_back(pool, pool_take(pool, 0));
}
