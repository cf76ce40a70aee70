// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

#include "install-folders.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

// Whether the process is privileged: set-ID, or with capabilities.
static bool location_is_privileged(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

// Whether only the file's owner, its group and root may write in the folder.
static bool location_is_trusted(const char *folder, const char *file)
{
    struct stat there, own;
    return stat(folder, &there) == 0 && stat(file, &own) == 0 &&
           (there.st_uid == own.st_uid || there.st_uid == 0) &&
           (there.st_gid == own.st_gid || !(there.st_mode & S_IWGRP)) &&
           !(there.st_mode & S_IWOTH);
}

void location_of_stages(char folders[2 * LOCATION_SIZE])
{
    char program[LOCATION_SIZE], moved[LOCATION_SIZE] = "";
    const ssize_t size =
        readlink("/proc/self/exe", program, sizeof program - 1);
    size_t length = size > 0 ? (size_t)size : 0;
    program[length] = '\0';
    for (int up = 0; up < 2; up++)
        while (length > 0 && program[--length] != '/')
            continue;
    if (*program == '/' && !strchr(program, ':') && !location_is_privileged())
        snprintf(moved, sizeof moved, "%.*s/lib/nbstage", (int)length, program);
    if (*moved && !location_is_trusted(moved, program))
        *moved = '\0';
    snprintf(folders, 2 * LOCATION_SIZE, "%s%s" PLUGINDIR, moved,
             *moved ? ":" : "");
}
