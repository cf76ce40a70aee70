// SPDX-License-Identifier: GPL-2.0-or-later
//
// The size of a block is kept in front of it.

#include "counted-memory.h"

#include <stdalign.h>
#include <stdlib.h>

struct block {
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

static void *allocate(void *user, size_t bytes)
{
    struct counted_memory *memory = user;
    if (++memory->request_count == memory->refused_request)
        return NULL;
    struct block *block = malloc(sizeof *block + bytes);
    if (!block)
        return NULL;
    block->size = bytes;
    memory->in_use += bytes;
    if (memory->in_use > memory->peak)
        memory->peak = memory->in_use;
    return block->bytes;
}

static void release(void *user, void *bytes)
{
    struct counted_memory *memory = user;
    struct block *block =
        (struct block *)(void *)((unsigned char *)bytes - sizeof(struct block));
    memory->in_use -= block->size;
    free(block);
}

struct context counted_memory_context(struct counted_memory *memory)
{
    return (struct context){
        .user = memory,
        .allocate = allocate,
        .release = release,
        .map_name = "MAP01",
    };
}
