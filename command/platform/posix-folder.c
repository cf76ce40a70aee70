// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/folder.h"

#include "platform/file.h"
#include "platform/posix-access.h"
#include "platform/posix.h"
#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#if HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif

// ---------------------------------------------------------------------------
// Paths

// Opens folders without read permission, where the system can.
#ifdef O_PATH
enum { SEARCH = O_PATH };
#elif defined O_SEARCH
enum { SEARCH = O_SEARCH };
#else
enum { SEARCH = O_RDONLY };
#endif

// Resolves symbolic links at the end of a path; the target need not exist.  The
// path is to be freed; NULL with errno.
static char *folder_follow(const char *path)
{
    enum { MOST_LINKS = 40 }; // links can form a cycle
    char target[PATH_MAX];
    char *followed = strdup(path);
    for (int i = 0; followed && i < MOST_LINKS; i++) {
        const ssize_t length = readlink(followed, target, sizeof target - 1);
        if (length < 0)
            return followed;
        target[length] = '\0';
        const size_t kept =
            *target == '/' ? 0 : (size_t)(file_base(followed) - followed);
        char *longer;
        if (asprintf(&longer, "%.*s%s", (int)kept, followed, target) < 0)
            longer = NULL;
        free(followed);
        followed = longer;
    }
    errno = followed ? ELOOP : ENOMEM;
    free(followed);
    return NULL;
}

const char *folder_find(const char *path, struct place *place)
{
    struct file_status file;
    *place = NO_PLACE;
    // The kernel follows links first, by rules such as protected_symlinks.
    const bool exists = file_find(path, &file);
    char *folder = exists || errno == ENOENT ? folder_follow(path) : NULL;
    if (!folder)
        return strerror(errno);
    const bool is_link = strcmp(folder, path) != 0;
    char *name = folder + (file_base(folder) - folder);
    place->name = strdup(name);
    *name = '\0';
    place->folder = openat(AT_FDCWD, *folder ? folder : ".",
                           SEARCH | O_DIRECTORY | O_CLOEXEC);
    int reason = errno;
    free(folder);
    if (!place->name)
        return strerror(ENOMEM);
    if (place->folder < 0)
        return reason == ENOENT ? "its folder is missing; make it first"
                                : strerror(reason);
    if (!exists && is_link)
        return "it is a dangling symbolic link";
    return *place->name ? NULL : "a regular file was expected";
}

void folder_close(struct place *place)
{
    if (place->folder >= 0)
        close(place->folder);
    free(place->name);
    *place = NO_PLACE;
}

// ---------------------------------------------------------------------------
// New names

// Creates an entry with a random name: a hard link to `old` (which is not
// followed), or an empty file with this mode if that is NULL.  Returns 0 or the
// file's descriptor, or -1 with errno.
static int folder_make_entry(int folder, const char *old, mode_t mode,
                             char name[FRESH_NAME_SIZE])
{
    enum { MOST_TRIES = 100 };
    for (int i = 0; i < MOST_TRIES; i++) {
        uint64_t number;
        if (getentropy(&number, sizeof number) != 0)
            return -1;
        snprintf(name, FRESH_NAME_SIZE, ".blocksweep.%016" PRIx64, number);
        int made =
            old ? linkat(folder, old, folder, name, 0)
                : openat(folder, name,
                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         mode);
        if (made >= 0 || errno != EEXIST)
            return made;
    }
    return -1;
}

// Opens a file, which may be only writable, to copy its access.  Returns a
// descriptor, or -1.
static int folder_open_old(const struct place *place,
                           const struct file_status *old)
{
    const int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct file_status found;
    int descriptor = openat(place->folder, place->name, O_RDONLY | how);
    if (descriptor < 0)
        descriptor = openat(place->folder, place->name, O_WRONLY | how);
    if (descriptor < 0 ||
        (file_find_open(descriptor, &found) && file_is_same(&found, old)))
        return descriptor;
    close(descriptor);
    return -1;
}

static bool folder_copy_access(const struct place *place,
                               const struct file_status *old,
                               struct fresh_file *fresh)
{
    const int from = folder_open_old(place, old);
    const bool copied =
        access_copy(from, old, fresh->descriptor, &fresh->lost_list);
    const int reason = errno;
    if (from >= 0)
        close(from);
    errno = reason;
    return copied;
}

// A file that is like no other gets what the umask or the folder's default list
// gives to any new file.
bool folder_create(const struct place *beside, const struct file_status *like,
                   struct fresh_file *fresh)
{
    *fresh = NO_FRESH_FILE;
    int descriptor = folder_make_entry(beside->folder, NULL, like ? 0600 : 0666,
                                       fresh->name);
    if (descriptor < 0)
        return false;
    if (file_find_open(descriptor, &fresh->status)) {
        fresh->descriptor = descriptor;
        if (!like || folder_copy_access(beside, like, fresh))
            return true;
        folder_remove(beside, fresh);
        fresh->descriptor = -1;
    }
    close(descriptor);
    return false;
}

// ---------------------------------------------------------------------------
// Existing names

bool folder_find_file(const struct place *place, struct file_status *status)
{
    return file_find_at(place->folder, place->name, AT_SYMLINK_NOFOLLOW,
                        status);
}

bool folder_find_folder(const struct place *place, struct file_status *status)
{
    return file_find_open(place->folder, status);
}

// Whether a fresh name still leads to its file.
static bool folder_has(int folder, const struct fresh_file *fresh)
{
    struct file_status found;
    return file_find_at(folder, fresh->name, AT_SYMLINK_NOFOLLOW, &found) &&
           file_is_same(&found, &fresh->status);
}

void folder_remove(const struct place *beside, const struct fresh_file *fresh)
{
    int reason = errno;
    if (folder_has(beside->folder, fresh))
        unlinkat(beside->folder, fresh->name, 0);
    errno = reason;
}

// Sticky directory: only its owner or the file's owner may replace the file.
bool folder_may_write(const struct place *place)
{
    struct file_status folder, file;
    const uint32_t user = geteuid();
    if (faccessat(place->folder, place->name, W_OK, 0) != 0 ||
        !folder_find_folder(place, &folder) || !folder_find_file(place, &file))
        return false;
    errno = EPERM;
    return !(folder.mode & S_ISVTX) || user == 0 || user == folder.user ||
           user == file.user;
}

const char *folder_rename(const struct place *place,
                          const struct fresh_file *fresh,
                          struct file_lock *replaced)
{
    int folder = place->folder;
    (void)replaced;
    if (!folder_has(folder, fresh))
        return "another program removed or replaced the new file";
    return renameat(folder, fresh->name, folder, place->name) == 0
               ? NULL
               : strerror(errno);
}

// ---------------------------------------------------------------------------
// Backups.  The link or copy gets a fresh name first and is checked, so that a
// backup is whole at every instant.

// Whether a file still is the old one, unchanged; if not, sets errno.
static bool folder_is_kept(const struct file_status *old,
                           const struct file_status *now)
{
    if (now->kind == FILE_REGULAR && file_version_equals(old, now))
        return true;
    errno = ESTALE;
    return false;
}

static bool folder_copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t length, written;
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < length; i += written) {
            written = write(to, bytes + i, (size_t)(length - i));
            if (written < 0)
                return false;
        }
    return length == 0;
}

// Copies an open file, with its access and mtime.  The caller removes the copy,
// also after a failure.
static bool folder_copy(const struct place *place, int from,
                        const struct file_status *old, struct fresh_file *copy)
{
    const struct timespec times[] = {
        {.tv_nsec = UTIME_NOW},
        {.tv_sec = (time_t)old->seconds, .tv_nsec = (long)old->nanoseconds}};
    struct file_status now;
    if (!file_find_open(from, &now) || !folder_is_kept(old, &now) ||
        !folder_create(place, &now, copy))
        return false;
    return folder_copy_bytes(from, copy->descriptor) &&
           futimens(copy->descriptor, times) == 0 &&
           file_sync(copy->descriptor) && file_find_open(from, &now) &&
           folder_is_kept(old, &now);
}

// Makes a hard link under a fresh name, or a copy where links are impossible.
static bool folder_make_backup(const struct place *place,
                               const struct file_status *old,
                               struct fresh_file *backup)
{
    const int how = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    if (folder_make_entry(place->folder, place->name, 0, backup->name) >= 0 &&
        file_find_at(place->folder, backup->name, AT_SYMLINK_NOFOLLOW,
                     &backup->status))
        return folder_is_kept(old, &backup->status);
    int from = openat(place->folder, place->name, how);
    if (from < 0)
        return false;
    bool copied = folder_copy(place, from, old, backup);
    int reason = errno;
    close(from);
    if (backup->descriptor >= 0)
        close(backup->descriptor);
    errno = reason;
    return copied;
}

// Without hard links or a rename that spares what is there, an empty file takes
// the name first.
static bool folder_rename_unused(int folder, const char *from, const char *to)
{
#if HAVE_RENAMEAT2
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
#endif
    struct file_status taken, now;
    const int descriptor = openat(
        folder, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return false;
    bool renamed = false;
    errno = ESTALE; // if another file has the name by now
    if (file_find_open(descriptor, &taken) &&
        file_find_at(folder, to, AT_SYMLINK_NOFOLLOW, &now) &&
        file_is_same(&now, &taken)) {
        renamed = renameat(folder, from, folder, to) == 0;
        const int reason = errno;
        if (!renamed)
            unlinkat(folder, to, 0);
        errno = reason;
    }
    close(descriptor);
    return renamed;
}

// Gives a backup its name, if that is unused.
static bool folder_name_backup(int folder, const struct fresh_file *backup,
                               const char *name)
{
    if (!folder_has(folder, backup)) {
        errno = ESTALE;
        return false;
    }
    return linkat(folder, backup->name, folder, name, 0) == 0 ||
           (errno != EEXIST &&
            folder_rename_unused(folder, backup->name, name));
}

// Gives a backup this name, which has this number, or, if that is taken, the
// next one that is not.  The name is to be freed.
static bool folder_number_backup(const struct place *place, unsigned number,
                                 char **name, const struct fresh_file *backup)
{
    bool named = folder_name_backup(place->folder, backup, *name);
    while (!named && errno == EEXIST && number < MOST_BACKUPS) {
        free(*name);
        *name = file_backup_name(place->name, ++number);
        named = *name && folder_name_backup(place->folder, backup, *name);
    }
    return named;
}

const char *folder_keep(const struct place *place,
                        const struct file_status *old, unsigned number,
                        bool *lost_list)
{
    struct fresh_file backup = NO_FRESH_FILE;
    // Before the link, which changes the file's ctime.
    char *name = file_backup_name(place->name, number);
    if (!name)
        return strerror(ENOMEM);
    const bool made = folder_make_backup(place, old, &backup);
    const bool kept =
        made && folder_number_backup(place, number, &name, &backup);
    const int reason = errno;
    free(name);
    folder_remove(place, &backup);
    *lost_list = backup.lost_list;
    if (kept)
        return NULL;
    return reason == ESTALE || reason == ENOENT || reason == ELOOP
               ? "it has changed meanwhile"
           : reason == EEXIST ? TOO_MANY_BACKUPS
                              : strerror(reason);
}

// ---------------------------------------------------------------------------
// Temporary folders

const char *folder_for_temporary(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

// Builders would take a path that begins with a hyphen as an option.
bool folder_make_temporary(char *path, size_t size)
{
    const char *parent = folder_for_temporary();
    const int length = snprintf(path, size, "%s%s/blocksweep.XXXXXX",
                                *parent == '/' ? "" : "./", parent);
    if (length < (int)size)
        return mkdtemp(path);
    errno = ENAMETOOLONG;
    return false;
}

static int folder_remove_entry(const char *path, const struct stat *status,
                               int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

bool folder_remove_all(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    return rmdir(path) == 0 || errno == ENOENT ||
           nftw(path, folder_remove_entry, OPEN_FOLDERS,
                FTW_DEPTH | FTW_PHYS) == 0;
}
