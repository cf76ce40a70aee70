// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stands in for a disk that is full or breaks, and for others who are at work
// on the same files.  Preloaded into a program, it has one of the program's
// calls fail, or has something else happen first.  The environment tells which:
//
//   BROKEN_CALL     name of the function, or "create" for the making of a file
//   BROKEN_AT       which of its calls, 1 for the first, 0 for each
//   BROKEN_ERROR    number for errno; none if the call is not to fail
//   BROKEN_COMMAND  for the shell to run before the call
//   BROKEN_STACK    set to have the stack overflow before the call
//   BROKEN_MARK     file to create, which tells that the call was reached
//   BROKEN_MISSING  name of a function that the file system never permits

#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
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

// Fills the stack: no limit lets it call itself so often.
static int overflow_stack(size_t depth)
{
    volatile char room[4096];
    room[0] = 0;
    return depth > 0 ? overflow_stack(depth - 1) + room[0] : 0;
}

// What else happens.
static void let_happen(void)
{
    const char *mark = getenv("BROKEN_MARK");
    const char *command = getenv("BROKEN_COMMAND");
    FILE *file = mark ? fopen(mark, "w") : NULL;
    if (file)
        fclose(file);
    if (command)
        (void)!system(command);
    if (getenv("BROKEN_STACK"))
        overflow_stack(SIZE_MAX);
}

// Whether this call of a function is to fail; errno then says why.
static bool fails(const char *name)
{
    static long calls;
    const char *missing = getenv("BROKEN_MISSING");
    const char *call = getenv("BROKEN_CALL");
    const char *at = getenv("BROKEN_AT");
    const char *error = getenv("BROKEN_ERROR");
    if (missing && strcmp(missing, name) == 0) {
        errno = EPERM;
        return true;
    }
    if (!call || strcmp(call, name) != 0 || !at ||
        (atol(at) != 0 && ++calls != atol(at)))
        return false;
    let_happen();
    if (error)
        errno = atoi(error);
    return error;
}

// Defines a function of the C library: it fails with a result, or is the next.
#define STAND_IN(type, name, failure, parameters, arguments) \
    type name parameters \
    { \
        type(*next) parameters; \
        find_next(#name, &next); \
        return fails(#name) ? failure : next arguments; \
    }

STAND_IN(ssize_t, read, -1, (int descriptor, void *bytes, size_t size),
         (descriptor, bytes, size))
STAND_IN(ssize_t, write, -1, (int descriptor, const void *bytes, size_t size),
         (descriptor, bytes, size))

// Other functions that read and write are the same calls to a test.  One of
// many pieces is written at a time, so that there are many moments.
ssize_t pread(int descriptor, void *bytes, size_t size, off_t position)
{
    ssize_t (*next)(int, void *, size_t, off_t);
    find_next("pread", &next);
    return fails("read") ? -1 : next(descriptor, bytes, size, position);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    ssize_t (*next)(int, const void *, size_t);
    find_next("write", &next);
    (void)count;
    return fails("write") ? -1
                          : next(descriptor, parts->iov_base, parts->iov_len);
}

STAND_IN(int, fsync, -1, (int descriptor), (descriptor))
STAND_IN(int, flock, -1, (int descriptor, int operation),
         (descriptor, operation))
STAND_IN(char *, mkdtemp, NULL, (char *name), (name))
STAND_IN(int, fchown, -1, (int descriptor, uid_t owner, gid_t group),
         (descriptor, owner, group))
STAND_IN(ssize_t, fgetxattr, -1,
         (int descriptor, const char *name, void *bytes, size_t size),
         (descriptor, name, bytes, size))
STAND_IN(int, fsetxattr, -1,
         (int descriptor, const char *name, const void *bytes, size_t size,
          int flags),
         (descriptor, name, bytes, size, flags))
STAND_IN(int, futimens, -1, (int descriptor, const struct timespec times[2]),
         (descriptor, times))
STAND_IN(int, linkat, -1,
         (int from_folder, const char *from, int folder, const char *to,
          int flags),
         (from_folder, from, folder, to, flags))
STAND_IN(int, renameat, -1,
         (int from_folder, const char *from, int folder, const char *to),
         (from_folder, from, folder, to))

int open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return openat(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...)
{
    int (*next)(int, const char *, int, ...);
    find_next("openat", &next);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    bool failed = flags & O_CREAT && fails("create");
    return failed ? -1 : next(folder, name, flags, mode);
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
