// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory for the commands that only look at files: verify, show and diff.
// Without memory they cannot go on, so these functions never return NULL: they
// say that memory ran out and end the command with STATUS_FILE.  build does not
// use them, as it may have a file half written.

#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

// Says that memory ran out and ends the command.  For what others could not
// allocate: the stage, for example.
_Noreturn void memory_ran_out(void);

// An array of `count` elements of `size` bytes, all zero; for free().
void *memory_get(size_t count, size_t size);

// The same array with another number of elements, the new ones not cleared.
void *memory_resize(void *array, size_t count, size_t size);

// A copy of a text; for free().
char *memory_copy_text(const char *text);

#endif
