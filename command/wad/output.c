// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "wad/output.h"

#include "platform/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>
#include <zlib.h>

bool output_open(struct output *output, int descriptor, bool compressed)
{
    *output = (struct output){.plain = compressed ? -1 : descriptor};
    if (descriptor < 0)
        return false;
    output->stream = gzdopen(descriptor, compressed ? "wb" : "wbT");
    if (!output->stream) {
        const int error = errno;
        close(descriptor);
        errno = error;
    }
    return output->stream;
}

bool output_close(struct output *output)
{
    int code;
    gzerror(output->stream, &code);
    bool arrived = gzclose(output->stream) == Z_OK && code == Z_OK;
    output->stream = NULL;
    if (output->error)
        errno = output->error;
    return arrived && !output->error;
}

static void output_compress(struct output *output, const unsigned char *bytes,
                            size_t size)
{
    // Smaller than zlib's buffer, so zlib copies the bytes and keeps no pointer
    // to them after an error.
    enum { AT_ONCE = 1 << 16 };
    size_t count;
    gzbuffer(output->stream, 2 * AT_ONCE);
    for (size_t i = 0; i < size && !output->error; i += count) {
        count = size - i < AT_ONCE ? size - i : AT_ONCE;
        errno = EIO; // for failures of zlib itself
        if (gzwrite(output->stream, bytes + i, (unsigned)count) != (int)count)
            output->error = errno;
    }
}

void output_write(struct output *output, const struct file_piece *pieces,
                  size_t count)
{
    if (output->plain < 0)
        for (size_t i = 0; i < count; i++)
            output_compress(output, pieces[i].bytes, pieces[i].size);
    else if (!file_write(output->plain, pieces, count))
        output->error = errno;
}
