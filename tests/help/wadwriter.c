// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lumps and directory are kept in memory until the file is written: the header,
// the lumps one behind the other, the directory.

#include "wadwriter.h"

#include "wadfile.h"

#include <string.h>

enum { HEADER_SIZE = 12, NAME_SIZE = 8 }; // bytes

static size_t wadwriter_position(const struct wadwriter *writer)
{
    return HEADER_SIZE + writer->lumps.size;
}

void wadwriter_put(struct wadwriter *writer, const char *name,
                   const void *bytes, size_t size)
{
    char raw_name[NAME_SIZE] = {0};
    size_t length = strlen(name);
    memcpy(raw_name, name, length < NAME_SIZE ? length : NAME_SIZE);
    buffer_put_u32(&writer->directory, (uint32_t)wadwriter_position(writer));
    buffer_put_u32(&writer->directory, (uint32_t)size);
    buffer_put(&writer->directory, raw_name, sizeof raw_name);
    buffer_put(&writer->lumps, bytes, size);
    writer->count++;
}

struct buffer wadwriter_finish(struct wadwriter *writer, const char *kind)
{
    struct buffer wad = {0};
    buffer_put(&wad, kind, 4);
    buffer_put_u32(&wad, writer->count);
    buffer_put_u32(&wad, (uint32_t)wadwriter_position(writer));
    buffer_put(&wad, writer->lumps.bytes, writer->lumps.size);
    buffer_put(&wad, writer->directory.bytes, writer->directory.size);
    buffer_free(&writer->lumps);
    buffer_free(&writer->directory);
    return wad;
}

void wadwriter_write(struct wadwriter *writer, const char *path)
{
    struct buffer wad = wadwriter_finish(writer, "PWAD");
    wadfile_write_bytes(path, wad.bytes, wad.size);
    buffer_free(&wad);
}
