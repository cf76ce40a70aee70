// SPDX-License-Identifier: GPL-2.0-or-later
//
// The link or copy gets a fresh name first, is looked at, and is then renamed,
// so that the backup is the old one or the new one at every instant.

#include "config.h"

#include "platform/folder.h"

#include "platform/posix/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A backup that has no lasting name yet.
struct backup {
    int folder;
    char name[FRESH_NAME_SIZE];
    struct file_status file;
};

// Sets errno if it is no longer the file that it was.
static bool is_kept(const struct file_status *old,
                    const struct file_status *now)
{
    if (now->kind == FILE_REGULAR && file_version_equals(old, now))
        return true;
    errno = ESTALE;
    return false;
}

static bool link_file(struct backup *backup, const char *name,
                      const struct file_status *old)
{
    if (!folder_link(backup->folder, name, backup->name) ||
        !folder_find_file(backup->folder, backup->name, &backup->file))
        return false;
    if (is_kept(old, &backup->file))
        return true;
    folder_remove(backup->folder, backup->name, &backup->file);
    return false;
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t length;
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        if (!write_all(to, bytes, (size_t)length))
            return false;
    return length == 0;
}

// Keeps errno.
static void close_file(int descriptor)
{
    int reason = errno;
    close(descriptor);
    errno = reason;
}

static bool copy_open_file(struct backup *backup, int from,
                           const struct file_status *old)
{
    struct stat found;
    struct file_status now;
    if (!file_take_status(fstat(from, &found), &found, &now) ||
        !is_kept(old, &now))
        return false;
    const struct timespec times[] = {found.st_atim, found.st_mtim};
    int to =
        folder_create(backup->folder, NULL, &now, backup->name, &backup->file);
    if (to < 0)
        return false;
    bool copied = copy_bytes(from, to) && futimens(to, times) == 0 &&
                  file_sync(to) && file_find_open(from, &now) &&
                  is_kept(old, &now);
    if (!copied)
        folder_remove(backup->folder, backup->name, &backup->file);
    close_file(to);
    return copied;
}

static bool copy_file(struct backup *backup, const char *name,
                      const struct file_status *old)
{
    int from = openat(backup->folder, name,
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (from < 0)
        return false;
    bool copied = copy_open_file(backup, from, old);
    close_file(from);
    return copied;
}

// Gives the backup its lasting name.
static bool rename_backup(const struct backup *backup, const char *lasting)
{
    int folder = backup->folder;
    if (!folder_has(folder, backup->name, &backup->file)) {
        errno = ESTALE;
        return false;
    }
    bool renamed = renameat(folder, backup->name, folder, lasting) == 0;
    // Also left where both are links to one file.
    folder_remove(folder, backup->name, &backup->file);
    return renamed;
}

const char *folder_keep(int folder, const char *name,
                        const struct file_status *old)
{
    struct backup backup = {.folder = folder};
    size_t size = strlen(name) + sizeof "~";
    char *lasting = malloc(size);
    if (!lasting)
        return strerror(ENOMEM);
    snprintf(lasting, size, "%s~", name);
    bool made =
        (link_file(&backup, name, old) || copy_file(&backup, name, old)) &&
        rename_backup(&backup, lasting);
    int reason = errno;
    free(lasting);
    if (made)
        return NULL;
    return reason == ESTALE || reason == ELOOP ? "it has changed meanwhile"
                                               : strerror(reason);
}
