// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory for the commands that only read: verify, show and diff.  If memory
// runs out, these functions print that and exit with STATUS_FILE; they never
// return NULL.  build does not use them, as it may be writing a file.

#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

// Prints that memory ran out, and exits.  Also for failed allocations
// elsewhere.
_Noreturn void memory_ran_out(void);

// Allocates an array of `count` elements of `size` bytes, all zero; for free().
void *memory_get(size_t count, size_t size);

// Resizes an array; new elements are not cleared.
void *memory_resize(void *array, size_t count, size_t size);

// Copies a text; for free().
char *memory_copy_text(const char *text);

#endif
