// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lumps and directory are kept in memory until the file is written: the header,
// the lumps one behind the other, the directory.

#include "wadwriter.h"

#include "abort.h"

#include <string.h>

enum { HEADER_SIZE = 12, NAME_SIZE = 8 }; // bytes

void wadwriter_put(struct wadwriter *writer, const char *name,
                   const void *bytes, size_t size)
{
    unsigned char raw_name[NAME_SIZE] = {0};
    size_t length = strlen(name);
    memcpy(raw_name, name, length < NAME_SIZE ? length : NAME_SIZE);
    buffer_put_u32(&writer->directory,
                   (uint32_t)(HEADER_SIZE + writer->lumps.size));
    buffer_put_u32(&writer->directory, (uint32_t)size);
    buffer_put(&writer->directory, raw_name, sizeof raw_name);
    buffer_put(&writer->lumps, bytes, size);
    writer->count++;
}

void wadwriter_write(struct wadwriter *writer, const char *path)
{
    struct buffer header = {0};
    FILE *file = fopen(path, "wb");
    if (!file)
        abort_with("%s cannot be written", path);
    buffer_put(&header, "PWAD", 4);
    buffer_put_u32(&header, writer->count);
    buffer_put_u32(&header, (uint32_t)(HEADER_SIZE + writer->lumps.size));
    fwrite(header.bytes, 1, header.size, file);
    // What is empty has no bytes to point to.
    if (writer->lumps.size > 0)
        fwrite(writer->lumps.bytes, 1, writer->lumps.size, file);
    if (writer->directory.size > 0)
        fwrite(writer->directory.bytes, 1, writer->directory.size, file);
    if (ferror(file) || fclose(file) != 0)
        abort_with("%s cannot be written", path);
    buffer_free(&header);
    buffer_free(&writer->lumps);
    buffer_free(&writer->directory);
}
