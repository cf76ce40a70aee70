// SPDX-License-Identifier: GPL-2.0-or-later
//
// A zip archive ends with a record that says where its directory is.  That has
// an entry for each file in the archive, with the place of the header that the
// file's bytes follow, as they are or deflated.

#include "config.h"

#include "wad/wad.h"

#include "common/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum {
    END_SIZE = 22,       // of the last record, without its comment
    ENTRY_SIZE = 46,     // of the directory, without the name and more
    HEADER_SIZE = 30,    // of a file, likewise
    MOST_READ = 1 << 28, // bytes of all WADs, packed and not; others are left
};

// Bytes of the archive; NULL if they are not all there.
static const unsigned char *zip_at(const struct wad *zip, uint64_t position,
                                   size_t size)
{
    return position <= zip->size && size <= zip->size - position
               ? zip->bytes + position
               : NULL;
}

// Finds the directory; NULL if there is none.
static const unsigned char *zip_directory(const struct wad *zip, size_t *size)
{
    for (size_t at = zip->size - END_SIZE; at > 0; at--) {
        const unsigned char *end = zip->bytes + at;
        if (memcmp(end, "PK\5\6", 4) != 0)
            continue;
        *size = wad_get_u32(end + 12);
        return zip_at(zip, wad_get_u32(end + 16), *size);
    }
    return NULL;
}

// Inflates a file; false if it has another size, or memory runs out.
static bool zip_inflate(const unsigned char *packed, uint32_t packed_size,
                        unsigned char *bytes, uint32_t size)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed,
                       .avail_in = packed_size,
                       .next_out = bytes,
                       .avail_out = size};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    const bool is_whole =
        inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return is_whole;
}

// Whether the directory of a WAD has a lump that only maps have.
static bool zip_has_maps(const unsigned char *wad, size_t size)
{
    if (size < WAD_HEADER_SIZE || memcmp(wad + 1, "WAD", 3) != 0)
        return false;
    const size_t start = wad_get_u32(wad + 8);
    const size_t most = start < size ? (size - start) / WAD_ENTRY_SIZE : 0;
    for (size_t i = 0; i < wad_get_u32(wad + 4) && i < most; i++) {
        const char *name = (const char *)wad + start + i * WAD_ENTRY_SIZE + 8;
        if (strncasecmp(name, "LINEDEFS", WAD_NAME_SIZE) == 0 ||
            strncasecmp(name, "TEXTMAP", WAD_NAME_SIZE) == 0)
            return true;
    }
    return false;
}

// Whether an entry is that of a WAD with maps, of at most so many bytes.
static bool zip_is_wad(const struct wad *zip, const unsigned char *entry,
                       size_t *most)
{
    const char *name = (const char *)entry + ENTRY_SIZE;
    const size_t length = wad_get_u16(entry + 28);
    const uint32_t method = wad_get_u16(entry + 10);
    const uint32_t packed_size = wad_get_u32(entry + 20);
    const uint32_t size = wad_get_u32(entry + 24);
    const uint64_t place = wad_get_u32(entry + 42);
    const uint64_t cost = (uint64_t)packed_size + size;
    const unsigned char *header = zip_at(zip, place, HEADER_SIZE);
    if (length < 4 || strncasecmp(name + length - 4, ".wad", 4) != 0 ||
        !header || cost > *most)
        return false;
    *most -= (size_t)cost;
    const unsigned char *packed =
        zip_at(zip,
               place + HEADER_SIZE + wad_get_u16(header + 26) +
                   wad_get_u16(header + 28),
               packed_size);
    if (method == 0)
        return packed && zip_has_maps(packed, packed_size);
    unsigned char *wad =
        packed && method == Z_DEFLATED ? malloc((size_t)size + 1) : NULL;
    const bool has_maps = wad && zip_inflate(packed, packed_size, wad, size) &&
                          zip_has_maps(wad, size);
    free(wad);
    return has_maps;
}

void zip_list_wads(const struct wad *zip, char *text, size_t size)
{
    char name[WAD_FLAW_SIZE];
    size_t end = 0, most = MOST_READ;
    const unsigned char *directory =
        zip->size > END_SIZE ? zip_directory(zip, &end) : NULL;
    text[0] = '\0';
    for (size_t at = 0; directory && end - at >= ENTRY_SIZE;) {
        const unsigned char *entry = directory + at;
        const size_t length = wad_get_u16(entry + 28);
        at += ENTRY_SIZE + length + wad_get_u16(entry + 30) +
              wad_get_u16(entry + 32);
        if (memcmp(entry, "PK\1\2", 4) != 0 || at > end)
            break;
        snprintf(name, sizeof name, "%.*s", (int)length,
                 (const char *)entry + ENTRY_SIZE);
        if (zip_is_wad(zip, entry, &most))
            message_add_name(text, size, name);
    }
}
