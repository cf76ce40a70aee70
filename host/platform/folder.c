// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *folder_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

bool folder_make(char path[FOLDER_PATH_SIZE])
{
    int length = snprintf(path, FOLDER_PATH_SIZE, "%s/blocksweep.XXXXXX",
                          folder_parent());
    if (length < FOLDER_PATH_SIZE)
        return mkdtemp(path);
    errno = ENAMETOOLONG;
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

bool folder_remove(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    return rmdir(path) == 0 || errno == ENOENT ||
           nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}
