// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output is
// not known before, so the buffer grows by doubling, and every step checks the
// bounds.  Where BLOCKSWEEP_NO_ZLIB is defined there is no zlib, and compressed
// lumps are refused.

#include "map/map.h"

#ifdef BLOCKSWEEP_NO_ZLIB

nbstage_status inflate_bytes(struct context *context, const char *where,
                             uint32_t compression, const unsigned char *bytes,
                             size_t size, unsigned char **output,
                             size_t *output_size)
{
    (void)compression, (void)bytes;
    *output = NULL;
    *output_size = 0;
    return context_fail(context, NBSTAGE_UNSUPPORTED, where,
                        "the lump of %zu bytes is compressed, and this program "
                        "has no zlib to read it; save the map uncompressed",
                        size);
}

#else

#include <zlib.h>

enum {
    INFLATE_FIRST_CAPACITY = 1 << 16,
    INFLATE_STEP = 1 << 30,     // bytes that zlib is told of at once
    INFLATE_WORK_FOR_BYTE = 16, // of the output, in steps
};

struct inflater {
    const char *where;
    size_t size; // of the input
    size_t limit;
    size_t excess; // the shortest output that is out of bounds
    unsigned char *output;
    size_t length, capacity; // of it
    z_stream stream;         // whose opaque pointer is the context
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

static nbstage_status inflate_fail(const struct inflater *inflater, int result)
{
    struct context *context = inflater->stream.opaque;
    const char *where = inflater->where;
    const char *reason = inflater->stream.msg;
    if (result == Z_MEM_ERROR) // context_allocate left its sentence
        return NBSTAGE_OUT_OF_MEMORY;
    if (inflater->length > inflater->limit)
        return context_fail(context, NBSTAGE_OVER_LIMIT, where,
                            "the compressed lump grows past the %zu bytes that "
                            "max-memory allows for",
                            inflater->limit);
    if (inflater->length >= inflater->excess)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "the compressed lump of %zu bytes grows more than "
                            "%d times; no map data does",
                            inflater->size, INFLATE_MAX_RATIO);
    if (result == Z_BUF_ERROR)
        return context_fail(context, NBSTAGE_BAD_MAP, where,
                            "the compressed stream of %zu bytes is cut off",
                            inflater->size);
    return context_fail(context, NBSTAGE_BAD_MAP, where,
                        "the compressed stream is damaged after %zu bytes of "
                        "output: %s",
                        inflater->length,
                        reason ? reason : "it needs a dictionary");
}

// Inflates until the stream ends or is out of bounds.  The room doubles, but
// not beyond these.
static nbstage_status inflate_all(struct inflater *inflater,
                                  const unsigned char *bytes)
{
    size_t left = inflater->size; // of the compressed bytes
    z_stream *stream = &inflater->stream;
    int result = Z_OK;
    stream->next_in = (z_const Bytef *)bytes;
    while (result == Z_OK && inflater->length < inflater->excess) {
        if (inflater->length == inflater->capacity) {
            size_t more = inflater->capacity ? inflater->capacity
                                             : INFLATE_FIRST_CAPACITY / 2;
            more = more < inflater->excess / 2 ? more * 2 : inflater->excess;
            nbstage_status status = context_grow(
                stream->opaque, inflater->length, more, 1, &inflater->output);
            if (status != NBSTAGE_OK)
                return status;
            inflater->capacity = more;
        }
        const size_t room = inflater->capacity - inflater->length;
        const uInt taken = left < INFLATE_STEP ? (uInt)left : INFLATE_STEP;
        stream->avail_in = taken;
        stream->avail_out = room < INFLATE_STEP ? (uInt)room : INFLATE_STEP;
        stream->next_out = inflater->output + inflater->length;
        result = inflate(stream, Z_NO_FLUSH);
        left -= taken - stream->avail_in;
        inflater->length = (size_t)(stream->next_out - inflater->output);
    }
    return result == Z_STREAM_END && inflater->length < inflater->excess
               ? NBSTAGE_OK
               : inflate_fail(inflater, result);
}

nbstage_status inflate_bytes(struct context *context, const char *where,
                             uint32_t compression, const unsigned char *bytes,
                             size_t size, unsigned char **output,
                             size_t *output_size)
{
    const int window_bits = compression == NBSTAGE_GZIP      ? MAX_WBITS + 16
                            : compression == NBSTAGE_DEFLATE ? -MAX_WBITS
                                                             : MAX_WBITS;
    const uint64_t limit = context_most(context, PART_FOR_LUMP);
    uint64_t excess = ((uint64_t)size + 1) * INFLATE_MAX_RATIO;
    if (excess <= INFLATE_FREE_BYTES)
        excess = INFLATE_FREE_BYTES + 1;
    struct inflater inflater = {
        .where = where,
        .size = size,
        .limit = context_count(limit),
        .excess = context_count(excess > limit ? limit + 1 : excess),
        .stream = {.zalloc = inflate_allocate,
                   .zfree = inflate_release,
                   .opaque = context},
    };
    *output = NULL;
    int result = inflateInit2(&inflater.stream, window_bits);
    if (result != Z_OK)
        return inflate_fail(&inflater, result);
    nbstage_status status = inflate_all(&inflater, bytes);
    inflateEnd(&inflater.stream);
    context->work += INFLATE_WORK_FOR_BYTE * (uint64_t)inflater.length;
    if (status == NBSTAGE_OK) {
        *output = inflater.output;
        *output_size = inflater.length;
    } else {
        context_release(context, inflater.output);
    }
    return status;
}

#endif
