// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether only the file's owner, its group and root may write in the folder.
static bool location_is_trusted(const char *folder, const char *file)
{
    struct stat there, own;
    return stat(folder, &there) == 0 && stat(file, &own) == 0 &&
           (there.st_uid == own.st_uid || there.st_uid == 0) &&
           (there.st_gid == own.st_gid || !(there.st_mode & S_IWGRP)) &&
           !(there.st_mode & S_IWOTH);
}

void location_add_stages(void)
{
    static const char variable[] = "NBSTAGE_PLUGIN_PATH";
    const char *named = getenv(variable);
    char program[4096], *folder, *list;
    const ssize_t size =
        readlink("/proc/self/exe", program, sizeof program - 1);
    size_t length = size > 0 ? (size_t)size : 0;
    program[length] = '\0';
    for (int up = 0; up < 2; up++)
        while (length > 0 && program[--length] != '/')
            continue;
    if (*program != '/' || strchr(program, ':') ||
        asprintf(&folder, "%.*s/lib/nbstage", (int)length, program) < 0)
        return;
    if (location_is_trusted(folder, program) &&
        asprintf(&list, "%s:%s", named ? named : "", folder) >= 0) {
        setenv(variable, list, 1);
        free(list);
    }
    free(folder);
}
