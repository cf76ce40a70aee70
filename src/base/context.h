// SPDX-License-Identifier: GPL-2.0-or-later
//
// The context of a build, which every step gets: the allocator, the error
// message, the host's callbacks, and limits.  A context serves one build at a
// time, on one thread.  There are no globals.

#ifndef CONTEXT_H
#define CONTEXT_H

#include "base/macros.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

enum { CONTEXT_MESSAGE_SIZE = 512 };

// Limits per map; 0: none.
struct limits {
    uint64_t work; // steps
    size_t memory; // bytes
};

// Upper bounds on bytes per block and entry, checked before allocating.  They
// are generous for a build without search and merging, whose time they also
// bound.
enum {
    BYTES_OF_BLOCK = 512,
    BYTES_OF_ENTRY = 128,
    CONTEXT_LUMP_PART = 2, // an inflated lump may take 1/2 of the memory limit
};

// The progress of a build goes from 0 to PROGRESS_WHOLE.  Each step moves it on
// within a share.
enum { PROGRESS_WHOLE = 1 << 16 };
struct share {
    uint32_t begin, end;
};

struct context {
    // The allocator, with `user` as the first argument; required.
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);

    // The host's callbacks, with `host` as the first argument; each may be
    // NULL.
    void *host;
    void (*log)(void *host, int32_t level, const char *message);
    int32_t (*progress)(void *host, uint32_t done, uint32_t total);

    // The limits of the map.  allocate() enforces the memory limit.
    struct limits limits;

    // Work done, in steps (some 10^8 a second), and the step at which this
    // phase of the build must stop.  Steps are counted instead of time, so that
    // the result is the same on every machine.
    uint64_t work;
    uint64_t work_end;

    // The share of the present step, and the progress that was reported last.
    struct share share;
    uint32_t reported;

    // The name of the map for messages; NULL if it has none.
    const char *map_name;

    // The sentence of the last failure.
    char message[CONTEXT_MESSAGE_SIZE];
};

// Returns from a function with the status of a call that failed.  The caller
// releases the function's allocations.
#define NEED(call) \
    do { \
        const nbstage_status need_status = call; \
        if (need_status != NBSTAGE_OK) \
            return need_status; \
    } while (0)

// Records a failure and returns `status`.  The sentence becomes "MAP01: LUMP:
// what is wrong, what was expected"; `where` is the lump's name or NULL.
nbstage_status context_fail(struct context *context, nbstage_status status,
                            const char *where, const char *format, ...)
    PRINTF_LIKE(4, 5);

// Sends the host a message of the same form.
void context_log(struct context *context, int32_t level, const char *where,
                 const char *format, ...) PRINTF_LIKE(4, 5);

// Begins a build: no work is done, and its first step has all of the progress.
void context_begin_build(struct context *context);

// Begins a step with part/parts of the share that is left, and takes this from
// it.  Steps of steps do the same with the share that they find:
//
//     struct share left = context->share;
//     context_begin_step(context, &left, 1, 4);
//     NEED(lists_build(...)); // the first quarter
//     context_begin_step(context, &left, 1, 1);
//     NEED(pack_lists(...)); // the rest
static inline void context_begin_step(struct context *context,
                                      struct share *left, uint32_t part,
                                      uint32_t parts)
{
    context->share.begin = left->begin;
    left->begin += (left->end - left->begin) * part / parts;
    context->share.end = left->begin;
}

// Reports that done/total of the present step is finished; what the host gets
// never falls, also if steps share a share.  Returns NBSTAGE_CANCELLED with a
// sentence if the host wants to stop.
nbstage_status context_progress(struct context *context, uint64_t done,
                                uint64_t total);

// Begins a phase of at most `limit` steps; 0: no limit.
static inline void context_begin_work(struct context *context, uint64_t limit)
{
    context->work_end = limit > 0 ? context->work + limit : UINT64_MAX;
}

// Steps that are left to this phase.
static inline uint64_t context_work_left(const struct context *context)
{
    return context->work < context->work_end ? context->work_end - context->work
                                             : 0;
}

// Allocates an array of `count` elements of `element_size` bytes, not cleared,
// at *array (a pointer to a pointer).  An empty array is NULL.  On failure
// stores NULL and returns NBSTAGE_OUT_OF_MEMORY with a sentence.
nbstage_status context_allocate(struct context *context, uint64_t count,
                                size_t element_size, void *array);

// The same, filled with zero bytes.
nbstage_status context_allocate_zeroed(struct context *context, uint64_t count,
                                       size_t element_size, void *array);

// Number of items of `bytes` bytes that fit the memory limit.
static inline uint64_t context_most(const struct context *context, size_t bytes)
{
    const size_t memory = context->limits.memory;
    return memory > 0 ? memory / bytes : UINT64_MAX;
}

// Upper bound on entries and on blocks.  A lump has fewer than 2^25 blocks, so
// word indices fit 32 bits.
enum { CONTEXT_MOST_THINGS = INT32_MAX };

// NBSTAGE_OVER_LIMIT: `count` items of `bytes` bytes exceed the memory limit.
// The sentence names the items by `what`.
nbstage_status context_check_count(struct context *context, const char *where,
                                   uint64_t count, const char *what,
                                   size_t bytes);

// An array for context_allocate_arrays.
struct context_array {
    void *pointer; // the address of the pointer to the array
    uint64_t count;
    size_t size; // of an element
};

// Allocates several arrays in one piece, filled with zero bytes.  Release the
// first array to free them all.  On failure all pointers are NULL.
nbstage_status context_allocate_arrays(struct context *context,
                                       const struct context_array *arrays,
                                       size_t array_count);

// Moves an array to memory for `capacity` elements; `count` are in use and fit.
// On failure the array is unchanged.
nbstage_status context_grow(struct context *context, size_t count,
                            size_t capacity, size_t element_size, void *array);

// Frees memory from context_allocate; NULL is allowed.
void context_release(struct context *context, void *memory);

#endif
