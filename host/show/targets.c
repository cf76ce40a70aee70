// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that are there are the same if the system says so; files that are not
// there yet, if they have the same name in the same folder.

#include "config.h"

#include "show/targets.h"

#include "file/replace-file.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool find_folder(const char *path, struct stat *folder)
{
    char copy[PATH_MAX];
    return snprintf(copy, sizeof copy, "%s", path) < PATH_MAX &&
           stat(dirname(copy), folder) == 0;
}

static const char *name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat at_a;
    struct stat at_b;
    bool has_a = stat(a, &at_a) == 0;
    bool has_b = stat(b, &at_b) == 0;
    if (has_a && has_b)
        return file_is_same(&at_a, &at_b);
    return !has_a && !has_b &&
           strcmp(name_in_folder(a), name_in_folder(b)) == 0 &&
           find_folder(a, &at_a) && find_folder(b, &at_b) &&
           file_is_same(&at_a, &at_b);
}

static enum exit_status check_target(const struct arguments *arguments,
                                     const char *option, const char *path)
{
    for (size_t i = 0; path && i < arguments->file_count; i++)
        if (is_same_file(path, arguments->files[i])) {
            message_print("--%s: %s is the file that is read; another one was "
                          "expected",
                          option, path);
            return STATUS_USAGE;
        }
    return STATUS_DONE;
}

enum exit_status targets_check(const struct arguments *arguments)
{
    enum exit_status status = check_target(arguments, "svg", arguments->svg);
    if (status == STATUS_DONE)
        status = check_target(arguments, "html", arguments->html);
    if (status == STATUS_DONE && arguments->svg && arguments->html &&
        is_same_file(arguments->svg, arguments->html)) {
        message_print("--html: %s is the file of --svg; another one was "
                      "expected",
                      arguments->html);
        status = STATUS_USAGE;
    }
    return status;
}
