// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files by their paths and descriptors.  Paths are bytes on POSIX and UTF-8 on
// Windows.

#ifndef PLATFORM_FILE_H
#define PLATFORM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_kind { FILE_REGULAR, FILE_FOLDER, FILE_OTHER };

struct file_status {
    enum file_kind kind;
    uint64_t device, inode;
    uint64_t size;                            // bytes
    int64_t seconds, nanoseconds;             // mtime
    int64_t ctime_seconds, ctime_nanoseconds; // ctime; programs cannot set it
    uint64_t links;                           // hard link count

    // Inherited by a file that replaces this one.
    uint32_t mode; // permissions; on Windows, attributes
    uint32_t user, group;
};

// Whether both are of the same file or folder.
static inline bool file_is_same(const struct file_status *a,
                                const struct file_status *b)
{
    return a->device == b->device && a->inode == b->inode;
}

// Whether a file is unchanged: the same file, size, mtime and ctime.  If the
// hard link count changed, a new ctime is expected: a backup adds a link, a
// replacement removes one.
static inline bool file_version_equals(const struct file_status *a,
                                       const struct file_status *b)
{
    return file_is_same(a, b) && a->size == b->size &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           (a->links != b->links ||
            (a->ctime_seconds == b->ctime_seconds &&
             a->ctime_nanoseconds == b->ctime_nanoseconds));
}

// stat(), lstat() and fstat().  False with errno.
bool file_find(const char *path, struct file_status *status);
bool file_find_itself(const char *path, struct file_status *status);
bool file_find_open(int descriptor, struct file_status *status);

// Whether two paths lead to the same file or folder.
bool file_is_same_path(const char *a, const char *b);

// Whether two names are the same in a folder; Windows ignores case.
bool file_is_same_name(const char *a, const char *b);

// Opens a file for reading, without blocking on a FIFO; creates a file for
// writing.  Returns a descriptor, or -1 with errno.
int file_open(const char *path);
int file_make(const char *path);

// Reads the first bytes of a file, which may be compressed.  Returns their
// number, or -1 if the file cannot be read.
int file_read_start(const char *path, void *bytes, unsigned size);

// Returns another descriptor of the same file, or -1 with errno.
int file_duplicate(int descriptor);

// Reads bytes at a position, all of them.  False with errno, also on systems
// that cannot.
bool file_read_at(int descriptor, void *bytes, size_t size, uint64_t position);

// Maps a file for functions that write: they fail with EFAULT where it has
// been cut off meanwhile, but to read it would end the process.  NULL if the
// system cannot.
const unsigned char *file_map(int descriptor, size_t size);
void file_unmap(const unsigned char *bytes, size_t size);

struct file_piece {
    const unsigned char *bytes;
    size_t size;
};

// Writes pieces, which have bytes, one after the other.  False with errno.
bool file_write(int descriptor, const struct file_piece *pieces, size_t count);

// Flushes a file to the disk, as fsync().  False with errno.
bool file_sync(int descriptor);

// A lock that keeps another blocksweep from working on the same file.
struct file_lock {
    int descriptor;             // of the locked file; -1: none
    intptr_t mutex;             // on Windows, in place of a lock on the file
    struct file_status version; // the file when it was locked
};

#define NO_LOCK ((struct file_lock){.descriptor = -1})

// Opens a file that will be replaced, if it can be opened, and locks it.  False
// if another process has the lock; call file_lock_release also then.
bool file_lock_open(struct file_lock *lock, const char *path);

void file_lock_release(struct file_lock *lock);

// Describes an errno of this file's or folder.h's functions.
const char *file_reason(int error);

// The name of a file's backup, to be freed: NAME~ is the first, NAME.~2~ the
// second.  NULL with errno if memory runs out.
enum { MOST_BACKUPS = 999 };
char *file_backup_name(const char *name, unsigned number);

// Whether a path ends in `ending`, such as ".gz".
bool file_name_ends(const char *path, const char *ending);

// Whether a path is "-", for standard input or output, or /dev/stdout.
bool file_is_standard(const char *path);

// The last component of a path: the text after the last separator.
const char *file_base(const char *path);

#endif
