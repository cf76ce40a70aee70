// SPDX-License-Identifier: GPL-2.0-or-later

#include "fail.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

void *allocate(size_t count, size_t element_size)
{
    if (count == 0)
        count = 1;
    void *memory =
        count <= SIZE_MAX / element_size ? malloc(count * element_size) : NULL;
    if (!memory)
        fail("no memory for %zu elements of %zu bytes", count, element_size);
    return memory;
}
