// SPDX-License-Identifier: GPL-2.0-or-later
//
// A bomb is one piece of a stream, repeated.  A full flush ends a piece at a
// byte and makes what follows independent of it.

#include "compress.h"

#include <check.h>
#include <stdlib.h>
#include <zlib.h>

static void begin(z_stream *stream)
{
    *stream = (z_stream){0};
    if (deflateInit(stream, Z_DEFAULT_COMPRESSION) != Z_OK)
        ck_abort_msg("zlib does not begin");
}

// Appends what zlib makes of the bytes up to a flush.
static void compress_piece(z_stream *stream, const void *bytes, size_t size,
                           int flush, struct buffer *output)
{
    uLong bound = deflateBound(stream, (uLong)size) + 64;
    stream->next_in = (z_const Bytef *)bytes;
    stream->avail_in = (uInt)size;
    stream->next_out = buffer_reserve(output, bound);
    stream->avail_out = (uInt)bound;
    int result = deflate(stream, flush);
    if (result != (flush == Z_FINISH ? Z_STREAM_END : Z_OK) ||
        stream->avail_in > 0)
        ck_abort_msg("zlib does not compress %zu bytes", size);
    output->size += bound - stream->avail_out;
}

struct buffer compress_bytes(const void *bytes, size_t size)
{
    struct buffer output = {0};
    z_stream stream;
    begin(&stream);
    compress_piece(&stream, bytes, size, Z_FINISH, &output);
    deflateEnd(&stream);
    return output;
}

struct buffer compress_bomb(size_t size, size_t repeats)
{
    struct buffer output = {0};
    struct buffer piece = {0};
    z_stream stream;
    unsigned char *zeros = calloc(size, 1);
    ck_assert_ptr_nonnull(zeros);
    begin(&stream);
    // The header of the stream goes with the one zero.
    compress_piece(&stream, zeros, 1, Z_FULL_FLUSH, &output);
    compress_piece(&stream, zeros, size, Z_FULL_FLUSH, &piece);
    deflateEnd(&stream);
    free(zeros);
    for (size_t i = 0; i < repeats; i++)
        buffer_put(&output, piece.bytes, piece.size);
    buffer_free(&piece);
    return output;
}
