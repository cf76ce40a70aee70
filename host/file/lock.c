// SPDX-License-Identifier: GPL-2.0-or-later
//
// The claim is an advisory lock on the file.  The kernel drops it with the
// process, however that ends, and it leaves nothing in the folder.  A file
// system without locks does without: that the file has not changed is looked
// at again before it is replaced.

#include "config.h"

#include "file/lock.h"

#include "file/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <unistd.h>

static bool is_same_file(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 &&
           S_ISREG(left.st_mode) && file_is_same(&left, &right);
}

// Whether another process has the lock, or has replaced the file since it was
// opened.
static bool is_taken(struct lock *lock, const char *path)
{
    struct stat present;
    if (flock(lock->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return true;
    return fstat(lock->descriptor, &lock->version) != 0 ||
           stat(path, &present) != 0 ||
           !file_version_equals(&lock->version, &present);
}

// Some network file systems lock only what may be written.
static int open_to_lock(const char *path)
{
    const int how = O_CLOEXEC | O_NONBLOCK;
    int descriptor = open(path, O_RDWR | how);
    return descriptor >= 0 ? descriptor : open(path, O_RDONLY | how);
}

enum exit_status lock_take(struct lock *lock, const char *input,
                           const char *target)
{
    *lock = LOCK_NONE;
    if (!is_same_file(input, target))
        return STATUS_DONE;
    lock->descriptor = open_to_lock(input);
    if (lock->descriptor < 0) // whoever reads it next tells why
        return STATUS_DONE;
    if (!is_taken(lock, input))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    lock_release(lock);
    return STATUS_FILE;
}

const struct stat *lock_version(const struct lock *lock)
{
    return lock->descriptor < 0 ? NULL : &lock->version;
}

void lock_release(struct lock *lock)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    *lock = LOCK_NONE;
}
