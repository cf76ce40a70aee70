// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

#include "platform/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

#ifndef MAP_POPULATE // Linux: all pages at once
#define MAP_POPULATE 0
#endif

static void file_take_status(const struct stat *found,
                             struct file_status *status)
{
    *status = (struct file_status){
        .kind = S_ISREG(found->st_mode)   ? FILE_REGULAR
                : S_ISDIR(found->st_mode) ? FILE_FOLDER
                                          : FILE_OTHER,
        .device = (uint64_t)found->st_dev,
        .inode = (uint64_t)found->st_ino,
        .size = (uint64_t)found->st_size,
        .seconds = found->st_mtim.tv_sec,
        .nanoseconds = found->st_mtim.tv_nsec,
        .ctime_seconds = found->st_ctim.tv_sec,
        .ctime_nanoseconds = found->st_ctim.tv_nsec,
        .links = (uint64_t)found->st_nlink,
        .mode = found->st_mode,
        .user = found->st_uid,
        .group = found->st_gid,
    };
}

bool file_find_at(int folder, const char *name, int flags,
                  struct file_status *status)
{
    struct stat found;
    if (fstatat(folder, name, &found, flags) != 0)
        return false;
    file_take_status(&found, status);
    return true;
}

bool file_find(const char *path, struct file_status *status)
{
    return file_find_at(AT_FDCWD, path, 0, status);
}

bool file_find_itself(const char *path, struct file_status *status)
{
    return file_find_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, status);
}

bool file_find_open(int descriptor, struct file_status *status)
{
    struct stat found;
    if (fstat(descriptor, &found) != 0)
        return false;
    file_take_status(&found, status);
    return true;
}

bool file_is_same_name(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

int file_open(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

int file_make(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int file_duplicate(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

bool file_read_at(int descriptor, void *bytes, size_t size, uint64_t position)
{
    ssize_t read;
    for (size_t i = 0; i < size; i += (size_t)read) {
        errno = EIO; // at the end of the file
        read = pread(descriptor, (char *)bytes + i, size - i,
                     (off_t)(position + i));
        if (read <= 0)
            return false;
    }
    return true;
}

const unsigned char *file_map(int descriptor, size_t size)
{
    void *bytes =
        mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void file_unmap(const unsigned char *bytes, size_t size)
{
    munmap((void *)(uintptr_t)bytes, size);
}

bool file_write(int descriptor, const struct file_piece *pieces, size_t count)
{
    enum { AT_ONCE = 512 };
    struct iovec parts[AT_ONCE];
    size_t done = 0; // bytes of the first piece
    while (count > 0) {
        size_t used = 0;
        for (; used < count && used < AT_ONCE; used++)
            parts[used] = (struct iovec){
                .iov_base = (void *)(uintptr_t)pieces[used].bytes,
                .iov_len = pieces[used].size};
        parts[0].iov_base = (char *)parts[0].iov_base + done;
        parts[0].iov_len -= done;
        errno = EIO; // if nothing is written
        const ssize_t written = writev(descriptor, parts, (int)used);
        if (written <= 0) {
            errno = errno == EFAULT ? EIO : errno; // a page was not there
            return false;
        }
        for (done += (size_t)written; count > 0 && done >= pieces->size;
             pieces++, count--)
            done -= pieces->size;
    }
    return true;
}

bool file_sync(int descriptor)
{
#ifdef F_FULLFSYNC // macOS: fsync() leaves the data in the disk's cache
    if (fcntl(descriptor, F_FULLFSYNC) == 0)
        return true;
#endif
    return fsync(descriptor) == 0;
}

bool file_lock_open(struct file_lock *lock, const char *path)
{
    const int how = O_CLOEXEC | O_NONBLOCK;
    *lock = NO_LOCK;
    // Some network file systems lock only files that are open for writing.
    lock->descriptor = open(path, O_RDWR | how);
    if (lock->descriptor < 0)
        lock->descriptor = open(path, O_RDONLY | how);
    return lock->descriptor < 0 ||
           flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0 ||
           errno != EWOULDBLOCK;
}

void file_lock_release(struct file_lock *lock)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    *lock = NO_LOCK;
}

const char *file_reason(int error)
{
    return strerror(error);
}
