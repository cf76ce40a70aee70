// SPDX-License-Identifier: GPL-2.0-or-later

#include "inspect/memory.h"

#include "common/message.h"
#include "wad/replacement.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void memory_ran_out(void)
{
    replacement_remove_unfinished();
    exit((int)message_out_of_memory());
}

static void *memory_require(void *memory)
{
    if (!memory)
        memory_ran_out();
    return memory;
}

void *memory_get(size_t count, size_t size)
{
    return memory_require(calloc(count ? count : 1, size));
}

void *memory_resize(void *array, size_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        memory_ran_out();
    return memory_require(realloc(array, count ? count * size : 1));
}

char *memory_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_get(size, 1), text, size);
}
