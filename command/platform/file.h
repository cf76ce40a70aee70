// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files by their paths and descriptors.  Paths are in UTF-8 where the system
// does not take any bytes.

#ifndef PLATFORM_FILE_H
#define PLATFORM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_kind { FILE_REGULAR, FILE_FOLDER, FILE_OTHER };

struct file_status {
    enum file_kind kind;
    uint64_t device, number; // which file it is
    uint64_t size;           // bytes
    int64_t seconds;         // when it was changed, which programs can set
    int64_t nanoseconds;
    int64_t real_seconds; // when it was, or its names, which they cannot
    int64_t real_nanoseconds;
    uint64_t links; // how many names it has

    // What a file that replaces it takes over.
    uint32_t mode; // permissions, or attributes of Windows
    uint32_t user, group;
};

// Whether both are of the same file or folder.
static inline bool file_is_same(const struct file_status *a,
                                const struct file_status *b)
{
    return a->device == b->device && a->number == b->number;
}

// The same, with the same size and times of change.  A file that gets or loses
// a name, as when a backup is made or another replaces it, has not changed.
static inline bool file_version_equals(const struct file_status *a,
                                       const struct file_status *b)
{
    return file_is_same(a, b) && a->size == b->size &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           (a->links != b->links ||
            (a->real_seconds == b->real_seconds &&
             a->real_nanoseconds == b->real_nanoseconds));
}

// Gets what is known of a file; the second one, of a link itself.  False with
// errno if there is none.
bool file_find(const char *path, struct file_status *status);
bool file_find_itself(const char *path, struct file_status *status);
bool file_find_open(int descriptor, struct file_status *status);

// Whether two paths lead to the same file or folder.
bool file_is_same_path(const char *a, const char *b);

// Whether two names are the same in a folder: on Windows in any case.
bool file_is_same_name(const char *a, const char *b);

// Opens a file to read it, without waiting for anybody, or makes one to write
// it.  Returns a descriptor, or -1 with errno.
int file_open(const char *path);
int file_make(const char *path);

// Another descriptor of the same file; -1 with errno if there is none.
int file_duplicate(int descriptor);

// Has all that was written arrive.  False with errno.
bool file_sync(int descriptor);

// A lock that keeps another blocksweep from working on the same file.
struct file_lock {
    int descriptor;             // of the file, locked; -1 if nothing is
    intptr_t mutex;             // of Windows, where the file is not locked
    struct file_status version; // the file when it was locked
};

#define NO_LOCK ((struct file_lock){.descriptor = -1})

// Opens a file that will be replaced, if it can be opened, and locks it.  False
// if another process has the lock; call file_lock_release then, too.
bool file_lock_open(struct file_lock *lock, const char *path);

void file_lock_release(struct file_lock *lock);

// Why the last of these functions, or of those of folder.h, has failed.
const char *file_reason(int error);

// The name of the backup of a file, to be freed; NULL if memory runs out.
char *file_backup_name(const char *name);

// Whether a path ends in ".gz", or the like.
bool file_name_ends(const char *path, const char *ending);

// Whether a path is "-", for standard input or output, or /dev/stdout.
bool file_is_standard(const char *path);

// What follows the last slash of a path, and what else ends folders.
const char *file_base(const char *path);

// ---------------------------------------------------------------------------
// Where stages are, in an installation that may have been moved as a whole
// since it was built

enum { LOCATION_SIZE = 4096 };

// Stores the folders that stages are searched for in, with a colon between
// them: lib/nbstage in the folder above that of this program, unless somebody
// other than its owner, its group or root may write there or the process has
// more rights than its user; then the folder that was built for.
void location_of_stages(char folders[2 * LOCATION_SIZE]);

#endif
