// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

bool file_is_same_path(const char *a, const char *b)
{
    struct file_status first, second;
    return file_find(a, &first) && file_find(b, &second) &&
           file_is_same(&first, &second);
}
