// SPDX-License-Identifier: GPL-2.0-or-later
//
// The calling thread waits for the others and reports progress in between.

#include "config.h"

#include "base/threads.h"

#include <stdatomic.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

enum { THREADS_AT_MOST = 128 };

#ifdef _WIN32
// ---------------------------------------------------------------------------
// Threads of Windows

struct member {
    const struct threads_job *job;
    size_t worker;
    HANDLE thread;
};

static DWORD WINAPI run_member(void *user)
{
    struct member *member = user;
    member->job->work(member->job->user, member->worker);
    return 0;
}

void threads_run(const struct threads_job *job, size_t count)
{
    struct member members[THREADS_AT_MOST];
    size_t started = 1;
    for (; started < count && started < THREADS_AT_MOST; started++) {
        struct member *member = &members[started];
        *member = (struct member){.job = job, .worker = started};
        member->thread = CreateThread(NULL, 0, run_member, member, 0, NULL);
        if (!member->thread)
            break;
    }
    job->work(job->user, 0);
    for (size_t w = 1; w < started; w++) {
        while (WaitForSingleObject(members[w].thread,
                                   THREADS_WAIT_MILLISECONDS) == WAIT_TIMEOUT)
            job->wait(job->user);
        CloseHandle(members[w].thread);
    }
}

size_t threads_count_processors(void)
{
    DWORD_PTR allowed = 0, all;
    size_t count = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all);
    for (; allowed != 0; allowed &= allowed - 1)
        count++;
    return count > 0 ? count : 1;
}

uint64_t threads_clock(void)
{
    return GetTickCount64();
}

#else
// ---------------------------------------------------------------------------
// Threads of POSIX, counted as they end, so that the calling thread can wait
// for all of them together

struct crew {
    const struct threads_job *job;
    pthread_mutex_t mutex; // of running_count
    pthread_cond_t ended;
    size_t running_count; // threads without the calling one
};

struct member {
    struct crew *crew;
    size_t worker;
    pthread_t thread;
};

static void *run_member(void *user)
{
    struct member *member = user;
    struct crew *crew = member->crew;
    crew->job->work(crew->job->user, member->worker);
    pthread_mutex_lock(&crew->mutex);
    crew->running_count--;
    pthread_cond_signal(&crew->ended);
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

// Starts threads for all workers but the first; returns how many workers there
// are.
static size_t start_threads(struct crew *crew, struct member *members,
                            size_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return 1;
    size_t started = 1;
    for (; started < count; started++) {
        struct member *member = &members[started];
        *member = (struct member){.crew = crew, .worker = started};
        pthread_mutex_lock(&crew->mutex);
        int error = pthread_create(&member->thread, NULL, run_member, member);
        crew->running_count += error == 0;
        pthread_mutex_unlock(&crew->mutex);
        if (error != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void wait_for_threads(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    while (crew->running_count > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += THREADS_WAIT_MILLISECONDS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&crew->ended, &crew->mutex, &until);
        pthread_mutex_unlock(&crew->mutex);
        crew->job->wait(crew->job->user);
        pthread_mutex_lock(&crew->mutex);
    }
    pthread_mutex_unlock(&crew->mutex);
}

void threads_run(const struct threads_job *job, size_t count)
{
    struct member members[THREADS_AT_MOST];
    struct crew crew = {.job = job};
    pthread_condattr_t attributes;
    count = count < THREADS_AT_MOST ? count : THREADS_AT_MOST;
    pthread_mutex_init(&crew.mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&crew.ended, &attributes);
    pthread_condattr_destroy(&attributes);
    count = start_threads(&crew, members, count);
    job->work(job->user, 0);
    wait_for_threads(&crew);
    for (size_t w = 1; w < count; w++)
        pthread_join(members[w].thread, NULL);
    pthread_cond_destroy(&crew.ended);
    pthread_mutex_destroy(&crew.mutex);
}

size_t threads_count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (size_t)CPU_COUNT(&allowed);
#endif
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}

uint64_t threads_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif

// ---------------------------------------------------------------------------
// Parts

struct parts {
    threads_part_work *work;
    void *user;
    struct context *context;
    size_t count;
    atomic_size_t next;
    nbstage_status status; // the calling thread's
};

static void run_parts(void *user, size_t worker)
{
    struct parts *parts = user;
    struct context *context = worker == 0 ? parts->context : NULL;
    nbstage_status status = NBSTAGE_OK;
    size_t part;
    while (status == NBSTAGE_OK &&
           (part = atomic_fetch_add(&parts->next, 1)) < parts->count)
        status = parts->work(parts->user, part, context);
    if (worker == 0)
        parts->status = status;
}

static void wait_for_parts(void *user)
{
    (void)user;
}

size_t threads_part_count(const struct context *context, size_t count)
{
    size_t most = context->threads > 0 ? context->threads : 1;
    most = most < THREADS_PARTS_MOST ? most : THREADS_PARTS_MOST;
    return count < most ? (count > 0 ? count : 1) : most;
}

nbstage_status threads_run_parts(struct context *context, size_t part_count,
                                 threads_part_work *work, void *user)
{
    struct parts parts = {
        .work = work, .user = user, .context = context, .count = part_count};
    const struct threads_job job = {run_parts, wait_for_parts, &parts};
    if (part_count > 1)
        threads_run(&job, part_count);
    else
        run_parts(&parts, 0);
    return parts.status;
}

// ---------------------------------------------------------------------------
// Memory

enum { ALIGNMENT = 64 }; // bytes; a line of the processor's cache

void *threads_memory_allocate(void *user, size_t bytes)
{
    struct threads_memory *memory = user;
    if (bytes > memory->size - memory->used)
        return NULL;
    void *piece = memory->block + memory->used;
    size_t left = memory->size - memory->used - bytes;
    size_t gap = (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
    memory->used += bytes + (gap < left ? gap : left);
    return piece;
}

void threads_memory_release(void *user, void *memory)
{
    (void)user;
    (void)memory;
}
