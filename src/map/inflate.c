// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output
// is not known beforehand, so the buffer grows by doubling, and what has come
// out is held against the bounds after every step.

#include "map/inflate.h"

#include <zlib.h>

enum { FIRST_CAPACITY = 1 << 16, LARGEST_STEP = 1 << 30 };

struct inflater {
    struct context *context;
    const char *where;
    size_t size; // of the input
    size_t limit;
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

// The windowBits by which zlib tells the three kinds of stream apart.
static int window_bits(uint32_t compression)
{
    switch (compression) {
    case NBSTAGE_GZIP:
        return MAX_WBITS + 16;
    case NBSTAGE_DEFLATE:
        return -MAX_WBITS;
    default:
        return MAX_WBITS;
    }
}

static nbstage_status check_bounds(const struct inflater *inflater)
{
    if (inflater->length > inflater->limit)
        return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                            "the compressed lump grows past the limit of %zu "
                            "bytes",
                            inflater->limit);
    if (inflater->length > INFLATE_FREE_BYTES &&
        inflater->length / INFLATE_MAX_RATIO > inflater->size)
        return context_fail(inflater->context, NBSTAGE_BAD_MAP, inflater->where,
                            "the compressed lump of %zu bytes grows more than "
                            "%d times; no map data does",
                            inflater->size, INFLATE_MAX_RATIO);
    return NBSTAGE_OK;
}

// The shortest output that is out of bounds.
static size_t shortest_excess(const struct inflater *inflater)
{
    size_t most = inflater->limit < SIZE_MAX ? inflater->limit + 1 : SIZE_MAX;
    size_t by_ratio = inflater->size < SIZE_MAX / INFLATE_MAX_RATIO
                          ? (inflater->size + 1) * INFLATE_MAX_RATIO
                          : SIZE_MAX;
    if (by_ratio <= INFLATE_FREE_BYTES)
        by_ratio = INFLATE_FREE_BYTES + 1;
    return by_ratio < most ? by_ratio : most;
}

// Doubles the room, up to what is out of bounds.
static nbstage_status grow(struct inflater *inflater)
{
    size_t most = shortest_excess(inflater);
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

// Hands zlib as much input and room as there is, in steps that its counters
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
        bool room_left = inflater->length < inflater->capacity;
        if ((result != Z_OK && result != Z_STREAM_END) ||
            (result == Z_OK && input_left == 0 && room_left))
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
    if (status != NBSTAGE_OK) {
        context_release(context, inflater.output);
        return status;
    }
    *output = inflater.output;
    *output_size = inflater.length;
    return NBSTAGE_OK;
}
