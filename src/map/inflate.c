// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output is
// not known before, so the buffer grows by doubling, and every step checks the
// bounds.

#include "map/inflate.h"

#include <zlib.h>

enum { FIRST_CAPACITY = 1 << 16, LARGEST_STEP = 1 << 30 };

enum { WORK_FOR_BYTE = 16 }; // of the output, in steps

struct inflater {
    struct context *context;
    const char *where;
    size_t size; // of the input
    size_t limit;
    size_t excess; // the shortest output that is out of bounds
    z_stream stream;
    unsigned char *output;
    size_t length;
    size_t capacity;
};

static void *allocate_for_zlib(void *context, unsigned count, unsigned size)
{
    void *memory;
    context_allocate(context, count, size, &memory);
    return memory;
}

static void release_for_zlib(void *context, void *memory)
{
    context_release(context, memory);
}

// zlib's windowBits, which tell it the kind of stream.
static int window_bits(uint32_t compression)
{
    if (compression == NBSTAGE_GZIP)
        return MAX_WBITS + 16;
    return compression == NBSTAGE_DEFLATE ? -MAX_WBITS : MAX_WBITS;
}

static size_t shortest_excess(size_t size, size_t limit)
{
    size_t by_limit = limit < SIZE_MAX ? limit + 1 : SIZE_MAX;
    size_t by_ratio = size < SIZE_MAX / INFLATE_MAX_RATIO
                          ? (size + 1) * INFLATE_MAX_RATIO
                          : SIZE_MAX;
    if (by_ratio <= INFLATE_FREE_BYTES)
        by_ratio = INFLATE_FREE_BYTES + 1;
    return by_ratio < by_limit ? by_ratio : by_limit;
}

static nbstage_status check_bounds(const struct inflater *inflater)
{
    if (inflater->length < inflater->excess)
        return NBSTAGE_OK;
    if (inflater->length > inflater->limit)
        return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                            "the compressed lump grows past the limit of %zu "
                            "bytes",
                            inflater->limit);
    return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                        "the compressed lump of %zu bytes grows more than %d "
                        "times; no map data does",
                        inflater->size, INFLATE_MAX_RATIO);
}

// Doubles the room, but not beyond what is out of bounds.
static nbstage_status grow(struct inflater *inflater)
{
    size_t most = inflater->excess;
    size_t capacity =
        inflater->capacity ? inflater->capacity : FIRST_CAPACITY / 2;
    capacity = capacity < most / 2 ? capacity * 2 : most;
    nbstage_status status = context_grow(inflater->context, inflater->length,
                                         capacity, 1, &inflater->output);
    if (status == NBSTAGE_OK)
        inflater->capacity = capacity;
    return status;
}

static nbstage_status stream_failed(const struct inflater *inflater, int result)
{
    if (result == Z_MEM_ERROR) // context_allocate left its sentence
        return NBSTAGE_OUT_OF_MEMORY;
    if (result == Z_BUF_ERROR || result == Z_OK)
        return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                            "the compressed stream of %zu bytes is cut off",
                            inflater->size);
    return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                        "the compressed stream is damaged after %zu bytes of "
                        "output: %s",
                        inflater->length,
                        inflater->stream.msg ? inflater->stream.msg
                                             : "it needs a dictionary");
}

// Gives zlib as much input and room as there is, but not more than its counters
// can hold.
static int inflate_step(struct inflater *inflater, size_t *input_left)
{
    z_stream *stream = &inflater->stream;
    size_t room = inflater->capacity - inflater->length;
    uInt input =
        (uInt)(*input_left < LARGEST_STEP ? *input_left : LARGEST_STEP);
    uInt output = (uInt)(room < LARGEST_STEP ? room : LARGEST_STEP);
    stream->avail_in = input;
    stream->avail_out = output;
    stream->next_out = inflater->output + inflater->length;
    int result = inflate(stream, Z_NO_FLUSH);
    *input_left -= input - stream->avail_in;
    inflater->length += output - stream->avail_out;
    return result;
}

static nbstage_status inflate_all(struct inflater *inflater)
{
    size_t input_left = inflater->size;
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        nbstage_status status = NBSTAGE_OK;
        if (inflater->length == inflater->capacity)
            status = grow(inflater);
        if (status != NBSTAGE_OK)
            return status;
        result = inflate_step(inflater, &input_left);
        status = check_bounds(inflater);
        if (status != NBSTAGE_OK)
            return status;
        bool cut_off = result == Z_OK && input_left == 0 &&
                       inflater->length < inflater->capacity;
        if (cut_off || (result != Z_OK && result != Z_STREAM_END))
            return stream_failed(inflater, result);
    }
    return NBSTAGE_OK;
}

nbstage_status inflate_bytes(struct context *context, const char *where,
                             uint32_t compression, const unsigned char *bytes,
                             size_t size, size_t limit, unsigned char **output,
                             size_t *output_size)
{
    struct inflater inflater = {
        .context = context,
        .where = where,
        .size = size,
        .limit = limit,
        .excess = shortest_excess(size, limit),
        .stream = {.zalloc = allocate_for_zlib,
                   .zfree = release_for_zlib,
                   .opaque = context,
                   .next_in = (z_const Bytef *)bytes},
    };
    *output = NULL;
    int result = inflateInit2(&inflater.stream, window_bits(compression));
    if (result != Z_OK)
        return stream_failed(&inflater, result);
    nbstage_status status = inflate_all(&inflater);
    inflateEnd(&inflater.stream);
    context->work += WORK_FOR_BYTE * (uint64_t)inflater.length;
    if (status != NBSTAGE_OK) {
        context_release(context, inflater.output);
        return status;
    }
    *output = inflater.output;
    *output_size = inflater.length;
    return NBSTAGE_OK;
}
