// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block has its size before it.  An allocation takes the kept block that fits
// best.  When there are too many kept blocks, the smallest is released: the
// next build has most use for large ones.
//
// If the host provides no memory, large blocks are mapped in huge pages, on
// systems that have them.  A map of a million lines would otherwise spend half
// of its time on page faults.

#include "config.h"

#include "pool.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#if HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

// With the address sanitizer, kept memory and bytes beyond the requested size
// are out of bounds.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKED_MEMORY
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CHECKED_MEMORY
#endif
#ifdef CHECKED_MEMORY
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(size))
#endif

enum {
    FAR_TOO_LARGE = 4,   // times what is asked for
    HUGE_PAGE = 2 << 20, // bytes
};

struct pool_block {
    alignas(max_align_t) size_t size; // of the memory after this
    alignas(max_align_t) unsigned char memory[];
};

// ---------------------------------------------------------------------------
// Where blocks come from

#ifdef MADV_HUGEPAGE

static size_t whole_pages(size_t bytes)
{
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

// Maps whole huge pages.  It maps one page more, to find an aligned start, and
// unmaps the parts before and after.
static void *map_pages(size_t bytes)
{
    size_t size = whole_pages(bytes);
    unsigned char *mapped = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t before = HUGE_PAGE - (uintptr_t)mapped % HUGE_PAGE;
    munmap(mapped, before);
    if (before < HUGE_PAGE)
        munmap(mapped + before + size, HUGE_PAGE - before);
    madvise(mapped + before, size, MADV_HUGEPAGE);
    return mapped + before;
}

static void *allocate_block(size_t bytes)
{
    return bytes >= HUGE_PAGE ? map_pages(bytes) : malloc(bytes);
}

static void release_block(struct pool_block *block)
{
    size_t bytes = sizeof *block + block->size;
    if (bytes >= HUGE_PAGE)
        munmap(block, whole_pages(bytes));
    else
        free(block);
}

#else

static void *allocate_block(size_t bytes)
{
    return malloc(bytes);
}

static void release_block(struct pool_block *block)
{
    free(block);
}

#endif

// Whether the limit allows that many more bytes.
static bool leaves(const struct pool *pool, size_t bytes)
{
    return pool->limit == 0 || (pool->held_bytes <= pool->limit &&
                                bytes <= pool->limit - pool->held_bytes);
}

static struct pool_block *take_from_source(struct pool *pool, size_t bytes)
{
    pool->met_limit = !leaves(pool, bytes);
    if (pool->met_limit || bytes > PTRDIFF_MAX - 2 * (size_t)HUGE_PAGE)
        return NULL;
    size_t whole = sizeof(struct pool_block) + bytes;
    struct pool_block *block = pool->allocate
                                   ? pool->allocate(pool->user, whole)
                                   : allocate_block(whole);
    if (block) {
        block->size = bytes;
        pool->held_bytes += bytes;
    }
    return block;
}

static void give_to_source(struct pool *pool, struct pool_block *block)
{
    ASAN_UNPOISON_MEMORY_REGION(block->memory, block->size);
    pool->held_bytes -= block->size;
    if (pool->release)
        pool->release(pool->user, block);
    else
        release_block(block);
}

// ---------------------------------------------------------------------------
// Those that are kept

// Takes a kept block out, by its place.
static struct pool_block *take(struct pool *pool, size_t place)
{
    struct pool_block *block = pool->kept[place];
    pool->kept[place] = pool->kept[--pool->kept_count];
    pool->kept_bytes -= block->size;
    return block;
}

static size_t find_smallest(const struct pool *pool, size_t at_least)
{
    size_t found = pool->kept_count;
    for (size_t i = 0; i < pool->kept_count; i++)
        if (pool->kept[i]->size >= at_least &&
            (found == pool->kept_count ||
             pool->kept[i]->size < pool->kept[found]->size))
            found = i;
    return found;
}

static void *open_block(struct pool_block *block, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(block->memory, bytes);
    return block->memory;
}

void pool_limit(struct pool *pool, size_t bytes)
{
    size_t in_use = pool->held_bytes - pool->kept_bytes;
    pool->met_limit = false;
    pool->limit = bytes == 0                  ? 0
                  : bytes > SIZE_MAX - in_use ? SIZE_MAX
                                              : in_use + bytes;
}

void *pool_allocate(void *user, size_t bytes)
{
    struct pool *pool = user;
    size_t found = find_smallest(pool, bytes);
    if (found < pool->kept_count &&
        pool->kept[found]->size / FAR_TOO_LARGE <= bytes)
        return open_block(take(pool, found), bytes);
    struct pool_block *block = take_from_source(pool, bytes);
    if (!block && pool->kept_count > 0) {
        pool_empty(pool);
        block = take_from_source(pool, bytes);
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
        give_to_source(pool, block);
        return;
    }
    while (pool->kept_count == POOL_KEPT_BLOCKS ||
           pool->kept_bytes + block->size > POOL_KEPT_BYTES) {
        size_t smallest = find_smallest(pool, 0);
        if (block->size <= pool->kept[smallest]->size) {
            give_to_source(pool, block);
            return;
        }
        give_to_source(pool, take(pool, smallest));
    }
    ASAN_POISON_MEMORY_REGION(block->memory, block->size);
    pool->kept[pool->kept_count++] = block;
    pool->kept_bytes += block->size;
}

void pool_empty(struct pool *pool)
{
    while (pool->kept_count > 0)
        give_to_source(pool, take(pool, 0));
}
