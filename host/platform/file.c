// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/file.h"

#include <unistd.h>

bool location_is_same(const char *a, const char *b)
{
    struct file_status first, second;
    return file_find(a, &first) && file_find(b, &second) &&
           file_is_same(&first, &second);
}

bool file_write(int descriptor, const void *bytes, size_t size)
{
    enum { MOST_BYTES = 1 << 30 }; // at a time
    const unsigned char *from = bytes;
    while (size > 0) {
        unsigned part = size < MOST_BYTES ? (unsigned)size : MOST_BYTES;
        ssize_t written = write(descriptor, from, part);
        if (written < 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}
