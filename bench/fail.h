// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the benchmark gives up.

#ifndef FAIL_H
#define FAIL_H

#include <stddef.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) \
    __attribute__((__format__(__printf__, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

// Prints "bench: sentence" to standard error and exits with status 1.
_Noreturn void fail(const char *format, ...) PRINTF_LIKE(1, 2);

// Memory for `count` elements, not cleared; fails if there is none.
void *allocate(size_t count, size_t element_size);

#endif
