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

static const char location_variable[] = "NBSTAGE_PLUGIN_PATH";

struct location_before location_add_stages(void)
{
    const char *named = getenv(location_variable);
    struct location_before before = {named ? strdup(named) : NULL, false};
    char program[4096], *folder, *list;
    const ssize_t size =
        readlink("/proc/self/exe", program, sizeof program - 1);
    size_t length = size > 0 ? (size_t)size : 0;
    program[length] = '\0';
    for (int up = 0; up < 2; up++)
        while (length > 0 && program[--length] != '/')
            continue;
    if (*program != '/' || strchr(program, ':') || (named && !before.list) ||
        asprintf(&folder, "%.*s/lib/nbstage", (int)length, program) < 0)
        return before;
    if (location_is_trusted(folder, program) &&
        asprintf(&list, "%s:%s", named ? named : "", folder) >= 0) {
        before.is_changed = setenv(location_variable, list, 1) == 0;
        free(list);
    }
    free(folder);
    return before;
}

void location_restore_stages(struct location_before before)
{
    if (before.is_changed && before.list)
        setenv(location_variable, before.list, 1);
    else if (before.is_changed)
        unsetenv(location_variable);
    free(before.list);
}
