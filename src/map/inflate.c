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

// What is said of a stream whose output, so far, has this length.
static nbstage_status inflate_check(struct context *context,
                                    const struct nbstage_lump *lump, int result,
                                    const char *reason, size_t length,
                                    size_t excess)
{
    const uint64_t limit = context_most(context, PART_FOR_LUMP);
    if (result == Z_MEM_ERROR) // context_allocate left its sentence
        return NBSTAGE_OUT_OF_MEMORY;
    if (length > limit)
        return context_fail(context, NBSTAGE_OVER_LIMIT, lump->name,
                            "the compressed lump grows past the %zu bytes that "
                            "max-memory allows for",
                            (size_t)limit);
    if (length >= excess)
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
                            length, reason ? reason : "it needs a dictionary");
    return NBSTAGE_OK;
}

// Inflates until the stream ends or is out of bounds.  The room doubles, but
// not beyond these.
nbstage_status inflate_lump(struct context *context, struct nbstage_lump *lump,
                            void **inflated)
{
    const int window_bits = lump->compression == NBSTAGE_GZIP ? MAX_WBITS + 16
                            : lump->compression == NBSTAGE_DEFLATE ? -MAX_WBITS
                                                                   : MAX_WBITS;
    const uint64_t limit = context_most(context, PART_FOR_LUMP);
    uint64_t most = ((uint64_t)lump->data_size + 1) * INFLATE_MAX_RATIO;
    most = most > INFLATE_FREE_BYTES ? most : INFLATE_FREE_BYTES + 1;
    most = most > limit ? limit + 1 : most;
    // The shortest output that is out of bounds.
    const size_t excess = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
    size_t left = lump->data_size; // of the compressed bytes
    size_t length = 0, capacity = 0;
    unsigned char *output = NULL;
    z_stream stream = {.zalloc = inflate_allocate,
                       .zfree = inflate_release,
                       .opaque = context};
    int result = inflateInit2(&stream, window_bits);
    stream.next_in = (z_const Bytef *)lump->data;
    while (result == Z_OK && length < excess) {
        if (length == capacity) {
            capacity = capacity ? capacity : INFLATE_FIRST_CAPACITY / 2;
            capacity = capacity < excess / 2 ? 2 * capacity : excess;
            if (context_grow(context, length, capacity, 1, &output) !=
                NBSTAGE_OK) {
                result = Z_MEM_ERROR;
                break;
            }
        }
        const size_t room = capacity - length;
        const uInt taken = left < INFLATE_STEP ? (uInt)left : INFLATE_STEP;
        stream.avail_in = taken;
        stream.avail_out = room < INFLATE_STEP ? (uInt)room : INFLATE_STEP;
        stream.next_out = output + length;
        result = inflate(&stream, Z_NO_FLUSH);
        left -= taken - stream.avail_in;
        length = (size_t)(stream.next_out - output);
    }
    nbstage_status status =
        inflate_check(context, lump, result, stream.msg, length, excess);
    inflateEnd(&stream);
    context->work += INFLATE_WORK_FOR_BYTE * (uint64_t)length;
    if (status != NBSTAGE_OK) {
        context_release(context, output);
        return status;
    }
    *inflated = output;
    lump->data = output;
    lump->data_size = length;
    lump->compression = NBSTAGE_PLAIN;
    return NBSTAGE_OK;
}

#endif
