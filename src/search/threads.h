// SPDX-License-Identifier: GPL-2.0-or-later
//
// Work that is done by several threads, the caller's among them.

#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

struct threads_job {
    // Worker 0 is on the calling thread.  Workers share the work among them,
    // so that all of it is done by those that there are.
    void (*work)(void *user, size_t worker);

    // Called on the calling thread now and then while it waits for the others.
    void (*wait)(void *user);
    void *user;
};

// Processors that this process may run on.
size_t threads_count_processors(void);

// Runs `count` workers, or fewer if the system does not give as many threads,
// and returns when all have ended.  Threads take no signals: these are for the
// host's.
void threads_run(const struct threads_job *job, size_t count);

// How often `wait` is called.
enum { THREADS_WAIT_MILLISECONDS = 20 };

#endif
