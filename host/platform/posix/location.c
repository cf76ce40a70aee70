// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

#include "install-folders.h"
#include "platform/posix/posix.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

// As in the kit.
static bool location_has_more_rights(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

bool location_of_program(char path[LOCATION_SIZE])
{
    static const char *const links[] = {"/proc/self/exe", "/proc/curproc/exe",
                                        "/proc/curproc/file"};
    ssize_t length = -1;
    for (size_t i = 0; i < sizeof links / sizeof *links && length < 0; i++)
        length = readlink(links[i], path, LOCATION_SIZE);
    if (length <= 0 || length == LOCATION_SIZE)
        return false;
    path[length] = '\0';
    return true;
}

// How much of two paths is the same, in whole names.
static size_t location_common_length(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0;; i++) {
        if ((!a[i] || a[i] == '/') && (!b[i] || b[i] == '/'))
            common = i;
        if (a[i] != b[i] || !a[i])
            return common;
    }
}

// Whether others than its owner and root may write in a folder.  A group with
// the number of the owner is that user's own, as most systems make it.
static bool location_is_open(const struct stat *folder)
{
    return folder->st_mode & S_IWOTH ||
           (folder->st_mode & S_IWGRP && folder->st_gid != folder->st_uid);
}

// Whether nobody but the owner of a file, or root, can have put a folder there.
// The first `length` characters are what it is in, and that is asked, too.
static bool location_is_trusted(const char *folder, size_t length,
                                const struct stat *file)
{
    for (;; length += 1 + strcspn(folder + length + 1, "/")) {
        char part[LOCATION_SIZE];
        struct stat status;
        snprintf(part, sizeof part, "%.*s/", (int)length, folder);
        if (stat(part, &status) != 0 || location_is_open(&status) ||
            (status.st_uid != file->st_uid && status.st_uid != 0))
            return false;
        if (!folder[length])
            return true;
    }
}

bool location_moved(const char *file, const char *home, const char *folder,
                    char path[LOCATION_SIZE])
{
    // Of /usr/bin and /usr/lib/nbstage, /bin and /lib/nbstage.
    const size_t common = location_common_length(home, folder);
    const char *end = home + common;
    const char *slash = strrchr(file, '/');
    struct stat status;
    if (!slash || (size_t)(slash - file) < strlen(end))
        return false;
    const size_t length = (size_t)(slash - file) - strlen(end);
    if (memcmp(file + length, end, strlen(end)) != 0 ||
        location_has_more_rights() || stat(file, &status) != 0)
        return false;
    const int needed = snprintf(path, LOCATION_SIZE, "%.*s%s", (int)length,
                                file, folder + common);
    return needed < LOCATION_SIZE &&
           location_is_trusted(path, length, &status) &&
           !file_is_same_path(path, folder);
}

void location_of_stages_near(const char *file, const char *home,
                             char folders[2 * LOCATION_SIZE])
{
    char moved[LOCATION_SIZE];
    bool is_moved =
        location_moved(file, home, PLUGINDIR, moved) && !strchr(moved, ':');
    snprintf(folders, 2 * LOCATION_SIZE, "%s%s" PLUGINDIR,
             is_moved ? moved : "", is_moved ? ":" : "");
}

void location_of_stages(char folders[2 * LOCATION_SIZE])
{
    char program[LOCATION_SIZE] = "";
    if (!location_of_program(program))
        *program = '\0';
    location_of_stages_near(program, BINDIR, folders);
}
