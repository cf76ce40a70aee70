// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

bool file_is_same_path(const char *a, const char *b)
{
    struct file_status first, second;
    return file_find(a, &first) && file_find(b, &second) &&
           file_is_same(&first, &second);
}

int file_read_start(const char *path, void *bytes, unsigned size)
{
    const int descriptor = file_open(path);
    if (descriptor < 0)
        return -1;
    gzFile stream = gzdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return -1;
    }
    const int count = gzread(stream, bytes, size);
    gzclose(stream);
    return count;
}

char *file_backup_name(const char *name, unsigned number)
{
    char *backup;
    const int length = number == 1 ? asprintf(&backup, "%s~", name)
                                   : asprintf(&backup, "%s.~%u~", name, number);
    if (length >= 0)
        return backup;
    errno = ENOMEM;
    return NULL;
}

bool file_name_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    return length >= strlen(ending) &&
           strcmp(path + length - strlen(ending), ending) == 0;
}

bool file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

const char *file_base(const char *path)
{
#ifdef _WIN32
    const char *const separators = "/\\:";
#else
    const char *const separators = "/";
#endif
    const char *base = path;
    for (const char *c = path; *c; c++)
        if (strchr(separators, *c))
            base = c + 1;
    return base;
}
