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
static bool is_taken(struct claim *claim, const char *path)
{
    struct stat present;
    if (flock(claim->descriptor, LOCK_EX | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK)
        return true;
    return fstat(claim->descriptor, &claim->version) != 0 ||
           stat(path, &present) != 0 ||
           !file_version_equals(&claim->version, &present);
}

// Some network file systems lock only what may be written.
static int open_to_lock(const char *path)
{
    const int how = O_CLOEXEC | O_NONBLOCK;
    int descriptor = open(path, O_RDWR | how);
    return descriptor >= 0 ? descriptor : open(path, O_RDONLY | how);
}

enum exit_status claim_take(struct claim *claim, const char *input,
                            const char *target)
{
    *claim = CLAIM_NONE;
    if (!is_same_file(input, target))
        return STATUS_DONE;
    claim->descriptor = open_to_lock(input);
    if (claim->descriptor < 0) // whoever reads it next tells why
        return STATUS_DONE;
    if (!is_taken(claim, input))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    claim_release(claim);
    return STATUS_FILE;
}

const struct stat *claim_version(const struct claim *claim)
{
    return claim->descriptor < 0 ? NULL : &claim->version;
}

void claim_release(struct claim *claim)
{
    if (claim->descriptor >= 0)
        close(claim->descriptor);
    *claim = CLAIM_NONE;
}
