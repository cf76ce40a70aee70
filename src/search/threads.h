// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts the threads of the search and gives them memory.

#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

// What threads run.  Worker 0 is on the calling thread.  Workers divide the
// work among themselves, as there may be fewer of them than were asked for.
struct threads_job {
    void (*work)(void *user, size_t worker);

    // Called on the calling thread every THREADS_WAIT_MILLISECONDS while it
    // waits for the others.
    void (*wait)(void *user);
    void *user;
};

enum { THREADS_WAIT_MILLISECONDS = 20 };

// Processors that this process may run on.
size_t threads_count_processors(void);

// Runs `count` workers, or fewer if the system refuses threads, and returns
// when all have ended.  The threads block all signals.
void threads_run(const struct threads_job *job, size_t count);

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
