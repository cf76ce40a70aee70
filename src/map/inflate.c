// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib inflates, with memory from the context.  The size of the output is
// unknown, so the buffer doubles, up to the bounds.  If BLOCKSWEEP_NO_ZLIB is
// defined, compressed nodes are refused.

#include "map/map.h"

#ifdef BLOCKSWEEP_NO_ZLIB

nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated)
{
    (void)inflated;
    return context_fail(context, NBSTAGE_UNSUPPORTED, lump->name,
                        "the lump of %zu bytes is compressed, and this program "
                        "has no zlib to read it; save the map uncompressed",
                        lump->data_size);
}

#else

#include <zlib.h>

enum {
    INFLATE_FIRST_CAPACITY = 1 << 16,
    INFLATE_STEP = 1 << 30,     // input or output bytes per call of inflate()
    INFLATE_WORK_FOR_BYTE = 16, // steps per byte of output
};

static void *inflate_allocate(void *context, unsigned count, unsigned size)
{
    void *memory;
    context_allocate(context, count, size, &memory);
    return memory;
}

static void inflate_release(void *context, void *memory)
{
    context_release(context, memory);
}

// Turns the result of inflate() into a status and message.  `length` counts the
// bytes of output so far; `excess` bytes are out of bounds.
static nbstage_status inflate_check(struct context *context,
                                    const struct nbstage_lump *lump, int result,
                                    const char *reason, size_t length,
                                    size_t excess)
{
    const uint64_t limit = context_most(context, CONTEXT_LUMP_PART);
    if (result == Z_MEM_ERROR) // context_allocate left its sentence
        return NBSTAGE_OUT_OF_MEMORY;
    if (length > limit)
        return context_fail(context, NBSTAGE_OVER_LIMIT, lump->name,
                            "the compressed lump grows past the %zu bytes that "
                            "max-memory allows for",
                            (size_t)limit);
    if (length >= excess)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed lump of %zu bytes expands to more "
                            "than %d times its size; map data never does",
                            lump->data_size, INFLATE_MAX_RATIO);
    if (result == Z_BUF_ERROR)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed stream of %zu bytes is cut off",
                            lump->data_size);
    if (result != Z_STREAM_END)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed stream is damaged after %zu bytes "
                            "of output: %s",
                            length, reason ? reason : "it needs a dictionary");
    return NBSTAGE_OK;
}

// One byte more than the largest output allowed.
static size_t inflate_excess(const struct context *context, size_t size)
{
    const uint64_t limit = context_most(context, CONTEXT_LUMP_PART);
    uint64_t excess = ((uint64_t)size + 1) * INFLATE_MAX_RATIO;
    if (excess <= INFLATE_FREE_BYTES)
        excess = INFLATE_FREE_BYTES + 1;
    if (excess > limit)
        excess = limit + 1;
    return excess < SIZE_MAX ? (size_t)excess : SIZE_MAX;
}

struct inflate_output {
    unsigned char *bytes;
    size_t length, capacity;
};

// Inflates until the stream ends or is out of bounds.  Returns zlib's result.
static int inflate_stream(struct context *context, z_stream *stream,
                          size_t left, size_t excess,
                          struct inflate_output *output)
{
    int result = Z_OK;
    while (result == Z_OK && output->length < excess) {
        if (output->length == output->capacity) {
            const size_t half = output->capacity > 0
                                    ? output->capacity
                                    : INFLATE_FIRST_CAPACITY / 2;
            const size_t capacity = half < excess / 2 ? 2 * half : excess;
            if (context_grow(context, output->length, capacity, 1,
                             &output->bytes) != NBSTAGE_OK)
                return Z_MEM_ERROR;
            output->capacity = capacity;
        }
        const size_t room = output->capacity - output->length;
        const uInt taken = left < INFLATE_STEP ? (uInt)left : INFLATE_STEP;
        stream->avail_in = taken;
        stream->avail_out = room < INFLATE_STEP ? (uInt)room : INFLATE_STEP;
        stream->next_out = output->bytes + output->length;
        result = inflate(stream, Z_NO_FLUSH);
        left -= taken - stream->avail_in;
        output->length = (size_t)(stream->next_out - output->bytes);
    }
    return result;
}

nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated)
{
    const size_t excess = inflate_excess(context, lump->data_size);
    struct inflate_output output = {0};
    z_stream stream = {.next_in = (z_const Bytef *)lump->data,
                       .zalloc = inflate_allocate,
                       .zfree = inflate_release,
                       .opaque = context};
    int result = inflateInit(&stream);
    if (result == Z_OK)
        result =
            inflate_stream(context, &stream, lump->data_size, excess, &output);
    const nbstage_status status =
        inflate_check(context, lump, result, stream.msg, output.length, excess);
    inflateEnd(&stream);
    context->work += INFLATE_WORK_FOR_BYTE * (uint64_t)output.length;
    if (status != NBSTAGE_OK) {
        context_release(context, output.bytes);
        return status;
    }
    *inflated = output.bytes;
    lump->data = output.bytes;
    lump->data_size = output.length;
    return NBSTAGE_OK;
}

#endif
