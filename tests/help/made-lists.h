// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists without a map, for tests of what becomes of them.  Memory is that of
// test_context.

#ifndef MADE_LISTS_H
#define MADE_LISTS_H

#include "lists/lists.h"

#include <stddef.h>
#include <stdint.h>

// Lists that are added one by one, all of them different, each with a block:
// at most so many, with so many linedefs in all.
struct lists made_lists_begin(size_t list_count, size_t linedef_count,
                              size_t block_count);

// Adds a list of linedefs that ascend.
void made_lists_add(struct lists *lists, const uint32_t *linedefs,
                    size_t length);

#endif
