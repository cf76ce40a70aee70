// SPDX-License-Identifier: GPL-2.0-or-later
//
// A zip archive ends with a record that says where its directory is.  That has
// an entry for each file in the archive.

#include "config.h"

#include "wad/wad.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    END_SIZE = 22,   // of the last record, without its comment
    ENTRY_SIZE = 46, // of the directory, without the name and more
};

// Finds the directory, and how many bytes it has or seems to have.
static const unsigned char *zip_directory(const unsigned char *zip, size_t size,
                                          size_t *directory_size)
{
    for (size_t at = size < END_SIZE ? 0 : size - END_SIZE; at > 0; at--) {
        if (memcmp(zip + at, "PK\5\6", 4) != 0)
            continue;
        const uint32_t begin = wad_get_u32(zip + at + 16);
        *directory_size = begin < at ? at - begin : 0;
        return zip + begin;
    }
    *directory_size = 0;
    return zip;
}

void zip_list_wads(const unsigned char *zip, size_t zip_size, char *text,
                   size_t size)
{
    enum { ROOM_FOR_COUNT = 24 };
    size_t left, length, whole, more = 0, used = 0;
    const unsigned char *entry = zip_directory(zip, zip_size, &left);
    text[0] = '\0';
    for (; left >= ENTRY_SIZE; entry += whole, left -= whole) {
        const char *name = (const char *)entry + ENTRY_SIZE;
        length = wad_get_u16(entry + 28);
        whole = ENTRY_SIZE + length + wad_get_u16(entry + 30) +
                wad_get_u16(entry + 32);
        if (memcmp(entry, "PK\1\2", 4) != 0 || whole > left)
            break;
        if (length < 4 || strncasecmp(name + length - 4, ".wad", 4) != 0)
            continue;
        if (more > 0 || used + length + ROOM_FOR_COUNT > size)
            more++;
        else
            used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                     used > 0 ? ", " : "", (int)length, name);
    }
    if (more > 0)
        snprintf(text + used, size - used, " and %zu more", more);
}
