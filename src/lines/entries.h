// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lines touch which blocks.

#ifndef TOUCHES_H
#define TOUCHES_H

#include "lines/sweep.h"

// Lines go in groups, so that a touch needs no more than 32 bits: the line's
// place in its group, and the number of the block.
enum {
    TOUCH_GROUP = 256, // lines
    TOUCH_BLOCK_BITS = 24,
};

_Static_assert(GRID_MAX_SIDE *GRID_MAX_SIDE <= 1 << TOUCH_BLOCK_BITS,
               "a touch can hold the number of every block");

struct touches {
    uint32_t *touch; // in linedef order
    size_t count;

    // Where the touches of each group of lines end.
    size_t *group_end;
    size_t group_count;
    size_t line_count;

    // The lines' linedef numbers, ascending; NULL where they are the same.
    // They stay those of the lines that touches were found of.
    const uint32_t *number;
};

static inline uint32_t touch_block(uint32_t touch)
{
    return touch & ((1U << TOUCH_BLOCK_BITS) - 1);
}

static inline uint32_t touch_line_in_group(uint32_t touch)
{
    return touch >> TOUCH_BLOCK_BITS;
}

// The line behind the last one of a group.
static inline size_t touch_group_end(size_t group, size_t line_count)
{
    size_t end = (group + 1) * TOUCH_GROUP;
    return end < line_count ? end : line_count;
}

// STATUS_OVER_LIMIT: `count` touches of the first lines are more than the
// context's limit.
enum status touches_check_limit(struct context *context, uint64_t count,
                                size_t line_count);

// Finds all touches.  The grid must enclose the lines.
// STATUS_OVER_LIMIT: there are more than the context's limit.
enum status touches_find(struct context *context, const struct lines *lines,
                         const struct grid *grid, struct touches *touches);

// The same by nothing but sweep_line: what tests hold the other one against.
enum status touches_find_plainly(struct context *context,
                                 const struct lines *lines,
                                 const struct grid *grid,
                                 struct touches *touches);

void touches_free(struct context *context, struct touches *touches);

#endif
