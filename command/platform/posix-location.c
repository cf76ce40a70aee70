// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined __APPLE__
#include <mach-o/dyld.h>
#elif defined __FreeBSD__ || defined __DragonFly__ || defined __NetBSD__
#include <sys/sysctl.h>
#endif

// Finds the running program, as a path without links; false where the system
// cannot tell, as OpenBSD.
static bool location_find_program(char program[PATH_MAX])
{
#if defined __APPLE__
    char path[PATH_MAX];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 && realpath(path, program);
#elif defined __FreeBSD__ || defined __DragonFly__ || defined __NetBSD__
#ifdef __NetBSD__
    const int name[] = {CTL_KERN, KERN_PROC_ARGS, -1, KERN_PROC_PATHNAME};
#else
    const int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1};
#endif
    size_t size = PATH_MAX;
    return sysctl(name, 4, program, &size, NULL, 0) == 0;
#else
    const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length > 0)
        program[length] = '\0';
    return length > 0;
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

static const char location_variable[] = "NBSTAGE_PLUGIN_PATH";

struct location_before location_add_stages(void)
{
    const char *named = getenv(location_variable);
    struct location_before before = {named ? strdup(named) : NULL, false};
    char program[PATH_MAX], *folder, *list;
    if (!location_find_program(program))
        return before;
    size_t length = strlen(program);
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
