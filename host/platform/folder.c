// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
