// SPDX-License-Identifier: GPL-2.0-or-later
//
// The size of a piece of memory is kept in front of it.

#include "counted.h"

#include <stdalign.h>
#include <stdlib.h>

struct piece {
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

static void *count_and_allocate(void *context, size_t bytes)
{
    struct counted *counted = context;
    if (bytes > SIZE_MAX - sizeof(struct piece))
        return NULL;
    struct piece *piece = malloc(sizeof *piece + bytes);
    if (!piece)
        return NULL;
    piece->size = bytes;
    counted->in_use += bytes;
    if (counted->in_use > counted->peak)
        counted->peak = counted->in_use;
    return piece->bytes;
}

static void count_and_release(void *context, void *memory)
{
    struct counted *counted = context;
    struct piece *piece = (struct piece *)(void *)((unsigned char *)memory -
                                                   sizeof(struct piece));
    counted->in_use -= piece->size;
    free(piece);
}

struct nbstage_host counted_host(struct counted *counted)
{
    return (struct nbstage_host){
        .size = sizeof(struct nbstage_host),
        .context = counted,
        .allocate = count_and_allocate,
        .release = count_and_release,
    };
}
