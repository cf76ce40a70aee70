// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

#include "platform/posix/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_take_status(int failed, const struct stat *found,
                      struct file_status *status)
{
    if (failed)
        return false;
    *status = (struct file_status){
        .kind = S_ISREG(found->st_mode)   ? FILE_REGULAR
                : S_ISDIR(found->st_mode) ? FILE_FOLDER
                                          : FILE_OTHER,
        .device = (uint64_t)found->st_dev,
        .number = (uint64_t)found->st_ino,
        .size = (uint64_t)found->st_size,
        .seconds = found->st_mtim.tv_sec,
        .nanoseconds = found->st_mtim.tv_nsec,
        .mode = found->st_mode,
        .user = found->st_uid,
        .group = found->st_gid,
    };
    return true;
}

bool file_find(const char *path, struct file_status *status)
{
    struct stat found;
    return file_take_status(stat(path, &found), &found, status);
}

bool file_find_itself(const char *path, struct file_status *status)
{
    struct stat found;
    return file_take_status(lstat(path, &found), &found, status);
}

bool file_find_open(int descriptor, struct file_status *status)
{
    struct stat found;
    return file_take_status(fstat(descriptor, &found), &found, status);
}

int file_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

int file_make(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int file_duplicate(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

bool file_read_at(int descriptor, uint64_t position, void *bytes, size_t size)
{
    unsigned char *to = bytes;
    errno = 0;
    while (size > 0) {
        ssize_t read = pread(descriptor, to, size, (off_t)position);
        if (read <= 0)
            return false;
        to += read;
        position += (uint64_t)read;
        size -= (size_t)read;
    }
    return true;
}

bool file_sync(int descriptor)
{
#ifdef F_FULLFSYNC // of macOS, where fsync leaves it to the disk
    if (fcntl(descriptor, F_FULLFSYNC) == 0)
        return true;
#endif
    return fsync(descriptor) == 0;
}

int file_open_locked(const char *path, intptr_t *mutex, bool *is_taken)
{
    const int how = O_CLOEXEC | O_NONBLOCK;
    // Some network file systems lock only what may be written.
    int descriptor = open(path, O_RDWR | how);
    if (descriptor < 0)
        descriptor = open(path, O_RDONLY | how);
    *mutex = 0; // the file itself is locked
    *is_taken = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 &&
                errno == EWOULDBLOCK;
    return descriptor;
}

void file_unlock(int descriptor, intptr_t mutex)
{
    (void)mutex;
    if (descriptor >= 0)
        close(descriptor);
}

const char *file_reason(int error)
{
    return strerror(error);
}

const char *file_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
