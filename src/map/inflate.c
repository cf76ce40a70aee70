// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output is
// not known before, so the buffer grows by doubling, and every step checks the
// bounds.  Where BLOCKSWEEP_NO_ZLIB is defined there is no zlib, and compressed
// lumps are refused.

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
    INFLATE_STEP = 1 << 30,     // bytes that zlib is told of at once
    INFLATE_WORK_FOR_BYTE = 16, // of the output, in steps
};

struct inflater {
    const struct nbstage_lump *lump;
    size_t excess; // the shortest output that is out of bounds
    unsigned char *output;
    size_t length;
    z_stream stream; // whose opaque pointer is the context
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

// Inflates until the stream ends or is out of bounds.  The room doubles, but
// not beyond these.  Returns what zlib has returned last.
static int inflate_all(struct inflater *inflater)
{
    z_stream *stream = &inflater->stream;
    size_t left = inflater->lump->data_size; // of the compressed bytes
    size_t capacity = 0;
    int result = Z_OK;
    stream->next_in = (z_const Bytef *)inflater->lump->data;
    while (result == Z_OK && inflater->length < inflater->excess) {
        if (inflater->length == capacity) {
            capacity = capacity ? capacity : INFLATE_FIRST_CAPACITY / 2;
            capacity = capacity < inflater->excess / 2 ? 2 * capacity
                                                       : inflater->excess;
            if (context_grow(stream->opaque, inflater->length, capacity, 1,
                             &inflater->output) != NBSTAGE_OK)
                return Z_MEM_ERROR;
        }
        const size_t room = capacity - inflater->length;
        const uInt taken = left < INFLATE_STEP ? (uInt)left : INFLATE_STEP;
        stream->avail_in = taken;
        stream->avail_out = room < INFLATE_STEP ? (uInt)room : INFLATE_STEP;
        stream->next_out = inflater->output + inflater->length;
        result = inflate(stream, Z_NO_FLUSH);
        left -= taken - stream->avail_in;
        inflater->length = (size_t)(stream->next_out - inflater->output);
    }
    return result;
}

static nbstage_status inflate_check(const struct inflater *inflater, int result)
{
    struct context *context = inflater->stream.opaque;
    const struct nbstage_lump *lump = inflater->lump;
    const uint64_t limit = context_most(context, PART_FOR_LUMP);
    const char *reason = inflater->stream.msg;
    if (result == Z_MEM_ERROR) // context_allocate left its sentence
        return NBSTAGE_OUT_OF_MEMORY;
    if (inflater->length > limit)
        return context_fail(context, NBSTAGE_OVER_LIMIT, lump->name,
                            "the compressed lump grows past the %zu bytes that "
                            "max-memory allows for",
                            (size_t)limit);
    if (inflater->length >= inflater->excess)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed lump of %zu bytes grows more than "
                            "%d times; no map data does",
                            lump->data_size, INFLATE_MAX_RATIO);
    if (result == Z_BUF_ERROR)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed stream of %zu bytes is cut off",
                            lump->data_size);
    if (result != Z_STREAM_END)
        return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                            "the compressed stream is damaged after %zu bytes "
                            "of output: %s",
                            inflater->length,
                            reason ? reason : "it needs a dictionary");
    return NBSTAGE_OK;
}

nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated)
{
    const int window_bits = lump->compression == NBSTAGE_GZIP ? MAX_WBITS + 16
                            : lump->compression == NBSTAGE_DEFLATE ? -MAX_WBITS
                                                                   : MAX_WBITS;
    const uint64_t limit = context_most(context, PART_FOR_LUMP);
    uint64_t excess = ((uint64_t)lump->data_size + 1) * INFLATE_MAX_RATIO;
    if (excess <= INFLATE_FREE_BYTES)
        excess = INFLATE_FREE_BYTES + 1;
    if (excess > limit)
        excess = limit + 1;
    struct inflater inflater = {
        .lump = lump,
        .excess = excess < SIZE_MAX ? (size_t)excess : SIZE_MAX,
        .stream = {.zalloc = inflate_allocate,
                   .zfree = inflate_release,
                   .opaque = context},
    };
    int result = inflateInit2(&inflater.stream, window_bits);
    if (result == Z_OK)
        result = inflate_all(&inflater);
    nbstage_status status = inflate_check(&inflater, result);
    inflateEnd(&inflater.stream);
    context->work += INFLATE_WORK_FOR_BYTE * (uint64_t)inflater.length;
    if (status != NBSTAGE_OK) {
        context_release(context, inflater.output);
        return status;
    }
    *inflated = inflater.output;
    lump->data = inflater.output;
    lump->data_size = inflater.length;
    lump->compression = NBSTAGE_PLAIN;
    return NBSTAGE_OK;
}

#endif
