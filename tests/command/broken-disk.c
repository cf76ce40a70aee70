// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stands in for a disk that is full or breaks, and for others who are at work
// on the same files.  Preloaded into a program, it has one of the program's
// calls fail, or has something else happen first.  The environment tells which:
//
//   BROKEN_CALL     name of the function
//   BROKEN_AT       which of its calls, 1 for the first
//   BROKEN_ERROR    number for errno; none if the call is not to fail
//   BROKEN_COMMAND  for the shell to run before the call
//   BROKEN_MARK     file to create, which tells that the call was reached

#include "config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// Programs that the program runs have a disk that works.
__attribute__((__constructor__)) static void stay_in_this_program(void)
{
    unsetenv("LD_PRELOAD");
}

// Finds the function that a program would call without us.
static void find_next(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

// What else happens, once.
static void let_happen(void)
{
    const char *mark = getenv("BROKEN_MARK");
    const char *command = getenv("BROKEN_COMMAND");
    FILE *file = mark ? fopen(mark, "w") : NULL;
    if (file)
        fclose(file);
    if (command)
        (void)!system(command);
}

// Whether this call of a function is to fail; errno then says why.
static bool fails(const char *name)
{
    static long calls;
    const char *call = getenv("BROKEN_CALL");
    const char *at = getenv("BROKEN_AT");
    const char *error = getenv("BROKEN_ERROR");
    if (!call || strcmp(call, name) != 0 || !at || ++calls != atol(at))
        return false;
    let_happen();
    if (error)
        errno = atoi(error);
    return error;
}

ssize_t read(int descriptor, void *bytes, size_t size)
{
    ssize_t (*next)(int, void *, size_t);
    find_next("read", &next);
    return fails("read") ? -1 : next(descriptor, bytes, size);
}

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);
    find_next("write", &next);
    return fails("write") ? -1 : next(descriptor, bytes, size);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    size_t (*next)(const void *, size_t, size_t, FILE *);
    find_next("fwrite", &next);
    return fails("fwrite") ? 0 : next(bytes, size, count, file);
}

int fsync(int descriptor)
{
    int (*next)(int);
    find_next("fsync", &next);
    return fails("fsync") ? -1 : next(descriptor);
}

// A file whose closing fails is closed.
int close(int descriptor)
{
    int (*next)(int);
    find_next("close", &next);
    bool failed = fails("close");
    int result = next(descriptor);
    return failed ? -1 : result;
}

int flock(int descriptor, int operation)
{
    int (*next)(int, int);
    find_next("flock", &next);
    return fails("flock") ? -1 : next(descriptor, operation);
}

int mkstemp(char *name)
{
    int (*next)(char *);
    find_next("mkstemp", &next);
    return fails("mkstemp") ? -1 : next(name);
}

char *mkdtemp(char *name)
{
    char *(*next)(char *);
    find_next("mkdtemp", &next);
    return fails("mkdtemp") ? NULL : next(name);
}

int fchown(int descriptor, uid_t owner, gid_t group)
{
    int (*next)(int, uid_t, gid_t);
    find_next("fchown", &next);
    return fails("fchown") ? -1 : next(descriptor, owner, group);
}

int fchmod(int descriptor, mode_t mode)
{
    int (*next)(int, mode_t);
    find_next("fchmod", &next);
    return fails("fchmod") ? -1 : next(descriptor, mode);
}

int link(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    find_next("link", &next);
    return fails("link") ? -1 : next(from, to);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    find_next("rename", &next);
    return fails("rename") ? -1 : next(from, to);
}

DIR *opendir(const char *name)
{
    DIR *(*next)(const char *);
    find_next("opendir", &next);
    return fails("opendir") ? NULL : next(name);
}
