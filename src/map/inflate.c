// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output is
// not known before, so the buffer grows by doubling, and every step checks the
// bounds.  Where BLOCKSWEEP_NO_ZLIB is defined there is no zlib, and compressed
// lumps are refused.

#include "map/inflate.h"

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
    INFLATE_STEP = 1 << 30,
    INFLATE_WORK_FOR_BYTE = 16, // of the output, in steps
};

struct inflater {
    struct context *context;
    const char *where;
    size_t size; // of the input
    size_t limit;
    size_t excess; // the shortest output that is out of bounds
    z_stream stream;
    unsigned char *output;
    size_t length, capacity; // of it
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

// zlib's windowBits, which tell it the kind of stream.
static int inflate_window_bits(uint32_t compression)
{
    if (compression == NBSTAGE_GZIP)
        return MAX_WBITS + 16;
    return compression == NBSTAGE_DEFLATE ? -MAX_WBITS : MAX_WBITS;
}

static size_t inflate_shortest_excess(size_t size, size_t limit)
{
    uint64_t excess = ((uint64_t)size + 1) * INFLATE_MAX_RATIO;
    if (excess <= INFLATE_FREE_BYTES)
        excess = INFLATE_FREE_BYTES + 1;
    return excess > limit ? context_count((uint64_t)limit + 1) : (size_t)excess;
}

static nbstage_status inflate_fail(const struct inflater *inflater, int result)
{
    struct context *context = inflater->context;
    const char *where = inflater->where;
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
                        inflater->stream.msg ? inflater->stream.msg
                                             : "it needs a dictionary");
}

// Doubles the room, but not beyond what is out of bounds.
static nbstage_status inflate_grow(struct inflater *inflater)
{
    size_t capacity =
        inflater->capacity ? inflater->capacity : INFLATE_FIRST_CAPACITY / 2;
    capacity =
        capacity < inflater->excess / 2 ? capacity * 2 : inflater->excess;
    nbstage_status status = context_grow(inflater->context, inflater->length,
                                         capacity, 1, &inflater->output);
    if (status == NBSTAGE_OK)
        inflater->capacity = capacity;
    return status;
}

// How much of so many bytes zlib is told of at once.
static uInt inflate_part(size_t bytes)
{
    return (uInt)(bytes < INFLATE_STEP ? bytes : INFLATE_STEP);
}

static nbstage_status inflate_all(struct inflater *inflater,
                                  const unsigned char *bytes)
{
    z_stream *stream = &inflater->stream;
    int result = Z_OK;
    stream->next_in = (z_const Bytef *)bytes;
    while (result == Z_OK && inflater->length < inflater->excess) {
        nbstage_status status = NBSTAGE_OK;
        if (inflater->length == inflater->capacity)
            status = inflate_grow(inflater);
        if (status != NBSTAGE_OK)
            return status;
        stream->avail_in =
            inflate_part((size_t)(bytes + inflater->size - stream->next_in));
        stream->avail_out = inflate_part(inflater->capacity - inflater->length);
        stream->next_out = inflater->output + inflater->length;
        result = inflate(stream, Z_NO_FLUSH);
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
    const size_t limit = context_count(context_most(context, PART_FOR_LUMP));
    struct inflater inflater = {
        .context = context,
        .where = where,
        .size = size,
        .limit = limit,
        .excess = inflate_shortest_excess(size, limit),
        .stream = {.zalloc = inflate_allocate,
                   .zfree = inflate_release,
                   .opaque = context},
    };
    *output = NULL;
    int result =
        inflateInit2(&inflater.stream, inflate_window_bits(compression));
    if (result != Z_OK)
        return inflate_fail(&inflater, result);
    nbstage_status status = inflate_all(&inflater, bytes);
    inflateEnd(&inflater.stream);
    context->work += INFLATE_WORK_FOR_BYTE * (uint64_t)inflater.length;
    if (status != NBSTAGE_OK) {
        context_release(context, inflater.output);
        return status;
    }
    *output = inflater.output;
    *output_size = inflater.length;
    return NBSTAGE_OK;
}

#endif
