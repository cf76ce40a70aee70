// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts threads, divides work among them and gives them memory; the clock.
// Only threads.c differs between systems.

#ifndef THREADS_H
#define THREADS_H

#include "base/context.h"

// What threads run.  Worker 0 is on the calling thread.  Workers divide the
// work among themselves, as there may be fewer of them than were asked for.
struct threads_job {
    void (*work)(void *user, size_t worker);

    // Called on the calling thread every THREADS_WAIT_MILLISECONDS while it
    // waits for the others.
    void (*wait)(void *user);
    void *user;
};

enum {
    THREADS_WAIT_MILLISECONDS = 20,
    THREADS_PARTS_MOST = 8, // see threads_part_count
};

// Processors that this process may run on.
size_t threads_count_processors(void);

// Milliseconds since some moment; the clock is never set back.
uint64_t threads_clock(void);

// Runs `count` workers, or fewer if the system refuses threads, and returns
// when all have ended.  The threads block all signals.
void threads_run(const struct threads_job *job, size_t count);

// How many parts the work of a step is divided into, if there are `count` of
// what it goes over.  The steps for one map all divide it alike.
size_t threads_part_count(const struct context *context, size_t count);

// Where a part of `count` begins, and the one before it ends.
static inline size_t threads_part_begin(size_t part, size_t part_count,
                                        size_t count)
{
    return (size_t)((uint64_t)count * part / part_count);
}

// Does a part of the work; `context` is NULL on other threads than the
// caller's.
typedef nbstage_status threads_part_work(void *user, size_t part,
                                         struct context *context);

// Does all parts, on as many threads as there are parts or fewer.  Returns the
// first failure of a part that is done on the calling thread, after which parts
// may be left undone.
nbstage_status threads_run_parts(struct context *context, size_t part_count,
                                 threads_part_work *work, void *user);

// Memory for a thread that may not ask the host for any: a block to cut pieces
// from.  Set `used` to 0 to take all of them back.
struct threads_memory {
    unsigned char *block;
    size_t size; // bytes
    size_t used;
};

// The functions of a context whose user is a threads_memory.
void *threads_memory_allocate(void *user, size_t bytes);
void threads_memory_release(void *user, void *memory);

#endif
