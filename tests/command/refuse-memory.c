// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory that runs out, for a program that does not know of it: to be loaded
// before the C library by LD_PRELOAD.  From the environment,
//
//   REFUSED_PROGRAM  the program to serve; others have all the memory they want
//   REFUSED          the request to refuse, 1 for the first, or "7-" for that
//                    one and all behind it; 0, or nothing, refuses none
//   REFUSED_REPORT   a file, for a line at the end of the program: how many
//                    requests there were, and how many blocks are not freed
//                    when the libraries that it has loaded are closed
//
// Requests are counted from before main on.  What the program starts is not
// served.  With C libraries other than glibc nothing is, and there is no
// report.

#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__

// What the C library has under these names for such as this.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

// Frees what the C library keeps for itself, as for valgrind.
void __libc_freeres(void);

enum { LIBRARIES = 100 };

static struct {
    bool active;
    unsigned long first, last; // requests to refuse; 0 is none
    const char *report;
    pid_t process;
    void *libraries[LIBRARIES];
    size_t library_count;
    atomic_ulong requests;
    atomic_long blocks;
} refusal;

__attribute__((constructor)) static void begin(void)
{
    const char *program = getenv("REFUSED_PROGRAM");
    const char *refused = getenv("REFUSED");
    unsetenv("LD_PRELOAD");
    if (!program || strcmp(program, program_invocation_short_name) != 0)
        return;
    char *rest = "";
    refusal.first = refused ? strtoul(refused, &rest, 10) : 0;
    refusal.last = *rest == '-' ? ULONG_MAX : refusal.first;
    refusal.report = getenv("REFUSED_REPORT");
    refusal.process = getpid();
    refusal.active = true;
}

__attribute__((destructor)) static void end(void)
{
    // Not of a copy of the program that has become nothing else.
    if (!refusal.active || getpid() != refusal.process)
        return;
    refusal.first = 0;
    __libc_freeres();
    refusal.active = false;
    FILE *file = refusal.report ? fopen(refusal.report, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu %ld\n", atomic_load(&refusal.requests),
            atomic_load(&refusal.blocks));
    fclose(file);
}

static bool is_refused(void)
{
    if (!refusal.active)
        return false;
    unsigned long request = atomic_fetch_add(&refusal.requests, 1) + 1;
    bool refused = refusal.first > 0 && request >= refusal.first &&
                   request <= refusal.last;
    if (refused)
        errno = ENOMEM;
    return refused;
}

static void *count(void *memory)
{
    if (memory && refusal.active)
        atomic_fetch_add(&refusal.blocks, 1);
    return memory;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
    return is_refused() ? NULL : count(__libc_calloc(number, size));
}

void *realloc(void *memory, size_t size)
{
    if (is_refused())
        return NULL;
    void *moved = __libc_realloc(memory, size);
    return memory ? moved : count(moved);
}

void free(void *memory)
{
    if (memory && refusal.active)
        atomic_fetch_sub(&refusal.blocks, 1);
    __libc_free(memory);
}

// Runs before the loader ends, which then closes nothing.
static void close_libraries(void)
{
    refusal.first = 0;
    while (refusal.library_count > 0)
        dlclose(refusal.libraries[--refusal.library_count]);
}

void *dlopen(const char *path, int flags)
{
    void *symbol = dlsym(RTLD_NEXT, "dlopen");
    void *(*load)(const char *, int);
    memcpy(&load, &symbol, sizeof load);
    void *library = load(path, flags);
    if (library && refusal.library_count == 0)
        atexit(close_libraries);
    if (library && refusal.library_count < LIBRARIES)
        refusal.libraries[refusal.library_count++] = library;
    return library;
}

#endif
