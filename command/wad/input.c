// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib can read compressed files by itself, but does not tell how much of a
// pipe it has read, which limits what may be spent on it.

#include "config.h"

#include "wad/input.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

enum {
    INPUT_MAGIC = 2,              // bytes 1F 8B
    INPUT_GZIP = 16 + 15,         // windowBits: gzip, any window
    INPUT_LARGEST_READ = 1 << 30, // what any system takes at once
};

void input_begin(struct input *input, int descriptor)
{
    input->compressed = false;
    input->consumed = 0;
    input->descriptor = descriptor;
    input->is_begun = false;
    input->is_at_end = false;
    input->stream = (z_stream){.next_in = input->bytes};
}

// Reads into the buffer until it has `least` bytes or the file ends.
static enum input_flaw input_fill(struct input *input, unsigned least)
{
    z_stream *stream = &input->stream;
    if (stream->avail_in >= least)
        return INPUT_SOUND;
    memmove(input->bytes, stream->next_in, stream->avail_in);
    stream->next_in = input->bytes;
    while (stream->avail_in < least) {
        const long got =
            (long)read(input->descriptor, input->bytes + stream->avail_in,
                       INPUT_BUFFER - stream->avail_in);
        if (got < 0)
            return INPUT_UNREADABLE;
        if (got == 0)
            break;
        stream->avail_in += (unsigned)got;
    }
    return INPUT_SOUND;
}

static bool input_has_magic(const struct input *input)
{
    return input->stream.avail_in >= INPUT_MAGIC &&
           input->stream.next_in[0] == 0x1F && input->stream.next_in[1] == 0x8B;
}

static enum input_flaw input_find_kind(struct input *input)
{
    input->is_begun = true;
    const enum input_flaw flaw = input_fill(input, INPUT_MAGIC);
    if (flaw != INPUT_SOUND || !input_has_magic(input))
        return flaw;
    if (inflateInit2(&input->stream, INPUT_GZIP) != Z_OK)
        return INPUT_NO_MEMORY;
    input->compressed = true;
    return INPUT_SOUND;
}

static enum input_flaw input_read_plain(struct input *input, void *bytes,
                                        size_t size, size_t *count)
{
    z_stream *stream = &input->stream;
    if (stream->avail_in > 0) {
        *count = size < stream->avail_in ? size : stream->avail_in;
        memcpy(bytes, stream->next_in, *count);
        stream->next_in += *count;
        stream->avail_in -= (unsigned)*count;
    } else {
        const long got = (long)read(
            input->descriptor, bytes,
            size < INPUT_LARGEST_READ ? (unsigned)size : INPUT_LARGEST_READ);
        if (got < 0)
            return INPUT_UNREADABLE;
        *count = (size_t)got;
    }
    input->consumed += *count;
    return INPUT_SOUND;
}

// At the end of compressed bytes: goes on if others follow.
static enum input_flaw input_pass_end(struct input *input)
{
    const enum input_flaw flaw = input_fill(input, INPUT_MAGIC);
    if (flaw == INPUT_SOUND && input_has_magic(input))
        inflateReset(&input->stream);
    else
        input->is_at_end = true;
    return flaw;
}

// Unpacks what is in the buffer, which is filled before.
static enum input_flaw input_unpack(struct input *input)
{
    enum input_flaw flaw = input_fill(input, 1);
    if (flaw != INPUT_SOUND)
        return flaw;
    const unsigned before = input->stream.avail_in;
    const int result = inflate(&input->stream, Z_NO_FLUSH);
    input->consumed += before - input->stream.avail_in;
    if (result == Z_STREAM_END)
        return input_pass_end(input);
    if (result == Z_MEM_ERROR)
        return INPUT_NO_MEMORY;
    return result == Z_OK ? INPUT_SOUND : INPUT_DAMAGED;
}

enum input_flaw input_read(struct input *input, void *bytes, size_t size,
                           size_t *count)
{
    const unsigned room = size < UINT_MAX ? (unsigned)size : UINT_MAX;
    enum input_flaw flaw = INPUT_SOUND;
    *count = 0;
    if (!input->is_begun)
        flaw = input_find_kind(input);
    if (flaw == INPUT_SOUND && !input->compressed)
        return input_read_plain(input, bytes, size, count);
    input->stream.next_out = bytes;
    input->stream.avail_out = room;
    while (flaw == INPUT_SOUND && !input->is_at_end &&
           input->stream.avail_out == room)
        flaw = input_unpack(input);
    *count = room - input->stream.avail_out;
    return flaw;
}

void input_end(struct input *input)
{
    if (input->compressed)
        inflateEnd(&input->stream);
}
