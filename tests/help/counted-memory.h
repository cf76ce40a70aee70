// SPDX-License-Identifier: GPL-2.0-or-later
//
// A context whose memory is counted and can run out.

#ifndef COUNTED_MEMORY_H
#define COUNTED_MEMORY_H

#include "base/context.h"

struct counted_memory {
    size_t in_use; // bytes
    size_t peak;   // the most bytes that were in use at once
    size_t request_count;
    size_t refused_request; // the request that gets NULL, from 1; 0 is none
};

// A context for the map "MAP01"; `memory` must outlive it.
struct context counted_memory_context(struct counted_memory *memory);

#endif
