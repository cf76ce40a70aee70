// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib does the work, with memory from the context.  The size of the output is
// not known before, so the buffer grows by doubling, and every step checks the
// bounds.

#include "map/inflate.h"

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
    size_t length;
    size_t capacity;
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
    size_t most = inflater->excess;
    size_t capacity =
        inflater->capacity ? inflater->capacity : INFLATE_FIRST_CAPACITY / 2;
    capacity = capacity < most / 2 ? capacity * 2 : most;
    nbstage_status status = context_grow(inflater->context, inflater->length,
                                         capacity, 1, &inflater->output);
    if (status == NBSTAGE_OK)
        inflater->capacity = capacity;
    return status;
}

// Gives zlib as much input and room as there is, but not more than its counters
// can hold.
static int inflate_step(struct inflater *inflater, size_t *input_left)
{
    z_stream *stream = &inflater->stream;
    size_t room = inflater->capacity - inflater->length;
    uInt input =
        (uInt)(*input_left < INFLATE_STEP ? *input_left : INFLATE_STEP);
    uInt output = (uInt)(room < INFLATE_STEP ? room : INFLATE_STEP);
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
    while (result == Z_OK) {
        nbstage_status status = NBSTAGE_OK;
        if (inflater->length == inflater->capacity)
            status = inflate_grow(inflater);
        if (status != NBSTAGE_OK)
            return status;
        result = inflate_step(inflater, &input_left);
        if (inflater->length >= inflater->excess)
            return inflate_fail(inflater, result);
        if (result == Z_OK && input_left == 0 &&
            inflater->length < inflater->capacity)
            result = Z_BUF_ERROR; // it wants more input
    }
    return result == Z_STREAM_END ? NBSTAGE_OK : inflate_fail(inflater, result);
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
                   .opaque = context,
                   .next_in = (z_const Bytef *)bytes},
    };
    *output = NULL;
    int result =
        inflateInit2(&inflater.stream, inflate_window_bits(compression));
    if (result != Z_OK)
        return inflate_fail(&inflater, result);
    nbstage_status status = inflate_all(&inflater);
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
