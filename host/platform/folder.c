// SPDX-License-Identifier: GPL-2.0-or-later
//
// A folder is walked through twice to remove it: first to get permission to
// change what is in it, then to do so.  A folder that could not be read is not
// gone into on the walk that unlocks it, so there are as many rounds as such
// folders are in each other.  What is gone already was to go, so nothing counts
// but whether the folder itself is there in the end.

#include "config.h"

#include "platform/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPEN_FOLDERS = 16,
    MOST_ROUNDS = 4096, // paths have no more folders in each other
};

const char *folder_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

char *folder_join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *folder_make(void)
{
    char *path = folder_join(folder_parent(), "blocksweep.XXXXXX");
    if (path && !mkdtemp(path)) {
        int reason = errno;
        free(path);
        errno = reason;
        return NULL;
    }
    return path;
}

bool folder_unlock(const char *path)
{
    return chmod(path, S_IRWXU) == 0;
}

// How many folders the last walk could not read and has unlocked, for want of
// another way out of it.
static int unlocked_folders;

static int unlock_entry(const char *path, const struct stat *status, int type,
                        struct FTW *walk)
{
    (void)status;
    (void)walk;
    bool unlocked = (type == FTW_D || type == FTW_DNR) && folder_unlock(path);
    unlocked_folders += unlocked && type == FTW_DNR;
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

bool folder_remove(const char *path)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        unlocked_folders = 0;
        nftw(path, unlock_entry, OPEN_FOLDERS, FTW_PHYS);
        nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
        if (rmdir(path) == 0 || errno == ENOENT)
            return true;
        if (unlocked_folders == 0)
            break;
    }
    return false;
}
