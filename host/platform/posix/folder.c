// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/folder.h"

#include "platform/file.h"
#include "platform/posix/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif

// ---------------------------------------------------------------------------
// Paths

// Opens folders that may be searched but not read, where the system can.
#ifdef O_PATH
enum { SEARCH = O_PATH };
#elif defined O_SEARCH
enum { SEARCH = O_SEARCH };
#else
enum { SEARCH = O_RDONLY };
#endif

const char *folder_find(const char *text, int *folder, char **name)
{
    char first; // of where a link leads to
    struct file_status file;
    *folder = -1;
    *name = NULL;
    // By the kernel's rules, which may forbid to follow links of other users.
    if (!file_find(text, &file)) {
        if (errno != ENOENT)
            return strerror(errno);
        if (file_find_itself(text, &file))
            return "it is a symbolic link to no file";
    }
    char *path =
        readlink(text, &first, 1) >= 0 ? realpath(text, NULL) : strdup(text);
    if (!path)
        return strerror(errno);
    size_t length = (size_t)(file_base(path) - path);
    *name = strdup(path + length);
    path[length] = '\0';
    *folder = openat(AT_FDCWD, length > 0 ? path : ".",
                     SEARCH | O_DIRECTORY | O_CLOEXEC);
    int reason = errno;
    free(path);
    if (!*name)
        return strerror(ENOMEM);
    if (*folder < 0)
        return reason == ENOENT ? "its folder is missing; make it first"
                                : strerror(reason);
    return **name ? NULL : "a regular file was expected";
}

// ---------------------------------------------------------------------------
// New names

// Makes an entry with a name that nobody can foresee: a hard link to what is
// called `old`, a symbolic link itself among it, or a file if that is NULL.
// Returns a descriptor or 0, or -1 with errno.
static int folder_make_entry(int folder, const char *old,
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
                         0600);
        if (made >= 0 || errno != EEXIST)
            return made;
    }
    return -1;
}

// The permissions that a new file gets.
static mode_t folder_default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

enum { SET_IDS = 06000, GROUP_MAY = 0070, OTHERS_MAY = 0007 };

static bool folder_take_over_mode(int descriptor, const struct file_status *old)
{
    if (!old)
        return fchmod(descriptor, folder_default_mode()) == 0;
    mode_t mode = old->mode & 07777;
    if (fchown(descriptor, old->user, old->group) != 0) {
        mode &= ~(mode_t)SET_IDS;
        if (fchown(descriptor, (uid_t)-1, old->group) != 0)
            mode &= ~(mode_t)GROUP_MAY | (mode & OTHERS_MAY) << 3;
    }
    return fchmod(descriptor, mode) == 0;
}

int folder_create(int folder, const char *beside,
                  const struct file_status *like, char name[FRESH_NAME_SIZE],
                  struct file_status *created)
{
    (void)beside; // the folder has it
    int descriptor = folder_make_entry(folder, NULL, name);
    if (descriptor < 0)
        return -1;
    if (file_find_open(descriptor, created)) {
        if (folder_take_over_mode(descriptor, like))
            return descriptor;
        folder_remove(folder, name, created);
    }
    close(descriptor);
    return -1;
}

// ---------------------------------------------------------------------------
// Names that there are

bool folder_find_file(int folder, const char *name, struct file_status *status)
{
    struct stat found;
    return file_take_status(fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW),
                            &found, status);
}

// Whether a name still is that of a file.
static bool folder_has(int folder, const char *name,
                       const struct file_status *file)
{
    struct file_status found;
    return folder_find_file(folder, name, &found) && file_is_same(&found, file);
}

void folder_remove(int folder, const char *name, const struct file_status *file)
{
    int reason = errno;
    if (folder_has(folder, name, file))
        unlinkat(folder, name, 0);
    errno = reason;
}

bool folder_may_write(int folder, const char *name)
{
    return faccessat(folder, name, W_OK, 0) == 0;
}

static void folder_sync(int folder)
{
    int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)!fsync(descriptor);
    close(descriptor);
}

const char *folder_rename(int folder, const char *name, int descriptor,
                          const char *lasting, int *replaced)
{
    struct file_status file;
    (void)replaced;
    if (!file_find_open(descriptor, &file) || !folder_has(folder, name, &file))
        return "another program has taken the new file away";
    if (renameat(folder, name, folder, lasting) != 0)
        return strerror(errno);
    folder_sync(folder);
    return NULL;
}

// ---------------------------------------------------------------------------
// Backups.  The link or copy gets a fresh name first, is looked at, and is then
// renamed, so that the backup is the old one or the new one at every instant.

// Sets errno if it is no longer the file that it was.
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
    ssize_t length;
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        if (!file_write(to, bytes, (size_t)length))
            return false;
    return length == 0;
}

// Copies an open file, with its owner, permissions and time of change, to a
// fresh name, which is left to the caller even if this fails.
static bool folder_copy(int folder, int from, const struct file_status *old,
                        char fresh[FRESH_NAME_SIZE], struct file_status *made)
{
    const struct timespec times[] = {
        {.tv_nsec = UTIME_NOW},
        {.tv_sec = (time_t)old->seconds, .tv_nsec = (long)old->nanoseconds}};
    struct file_status now;
    if (!file_find_open(from, &now) || !folder_is_kept(old, &now))
        return false;
    int to = folder_create(folder, NULL, &now, fresh, made);
    if (to < 0)
        return false;
    bool copied = folder_copy_bytes(from, to) && futimens(to, times) == 0 &&
                  file_sync(to) && file_find_open(from, &now) &&
                  folder_is_kept(old, &now);
    int reason = errno;
    close(to);
    errno = reason;
    return copied;
}

// The same with a hard link, if that is possible.
static bool folder_make_backup(int folder, const char *name,
                               const struct file_status *old,
                               char fresh[FRESH_NAME_SIZE],
                               struct file_status *made)
{
    if (folder_make_entry(folder, name, fresh) >= 0 &&
        folder_find_file(folder, fresh, made))
        return folder_is_kept(old, made);
    int from =
        openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (from < 0)
        return false;
    bool copied = folder_copy(folder, from, old, fresh, made);
    int reason = errno;
    close(from);
    errno = reason;
    return copied;
}

const char *folder_keep(int folder, const char *name,
                        const struct file_status *old)
{
    char fresh[FRESH_NAME_SIZE] = "";
    struct file_status made = {0};
    size_t size = strlen(name) + sizeof "~";
    char *lasting = malloc(size);
    if (!lasting)
        return strerror(ENOMEM);
    snprintf(lasting, size, "%s~", name);
    bool kept = folder_make_backup(folder, name, old, fresh, &made);
    if (kept) {
        errno = ESTALE;
        kept = folder_has(folder, fresh, &made) &&
               renameat(folder, fresh, folder, lasting) == 0;
    }
    int reason = errno;
    // Also left where both are links to one file.
    folder_remove(folder, fresh, &made);
    free(lasting);
    if (kept)
        return NULL;
    return reason == ESTALE || reason == ENOENT || reason == ELOOP
               ? "it has changed meanwhile"
               : strerror(reason);
}

// ---------------------------------------------------------------------------
// Temporary folders

const char *folder_for_temporary(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

bool folder_make_temporary(char *path, size_t size)
{
    int length =
        snprintf(path, size, "%s/blocksweep.XXXXXX", folder_for_temporary());
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
