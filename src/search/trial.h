// SPDX-License-Identifier: GPL-2.0-or-later
//
// Building a lump only to see how large it is.

#ifndef TRIAL_H
#define TRIAL_H

#include "lump/lump.h"

// Builds the lump of a grid, measures it and lets it go.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT, NBSTAGE_CANCELLED.
nbstage_status trial_build(struct context *context, const struct lines *lines,
                           const struct grid *grid, struct pack_form pack,
                           struct lump_measure *measure);

// Memory for the trials of a thread that may not ask the host for any: a
// block from which pieces are cut off until all of it is taken back at once.
struct trial_memory {
    unsigned char *block;
    size_t size; // bytes
    size_t used;
};

// Bytes that are enough for nearly every trial on grids of so many blocks, in
// which lines are listed `entry_count` times.
size_t trial_memory_size(size_t line_count, uint64_t entry_count,
                         uint64_t block_count);

// The functions of a context whose user is a trial_memory.
void *trial_memory_allocate(void *user, size_t bytes);
void trial_memory_release(void *user, void *memory);

#endif
