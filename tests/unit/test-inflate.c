// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that compressed lumps come back as they were, that a stream which is
// cut off or damaged is refused with a sentence that names the lump, and that
// one made to fill the memory is refused while it is still small.

#include "buffer.h"
#include "compress.h"
#include "context-for-tests.h"
#include "map/map.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MEBIBYTE = 1 << 20, GIBIBYTE = 1 << 30 };

// The three kinds of stream.
static const uint32_t kinds[] = {NBSTAGE_ZLIB, NBSTAGE_GZIP, NBSTAGE_DEFLATE};

enum { KIND_COUNT = COUNT(kinds) };

// --- Inflating ---

// A stream that has been inflated; `status` tells whether it could be.
struct outcome {
    nbstage_status status;
    unsigned char *bytes;
    size_t size;
};

// Inflates a stream with nothing behind its last byte, for end.
static void inflate_stream(struct outcome *outcome, int kind,
                           const unsigned char *bytes, size_t size,
                           size_t limit)
{
    *outcome = (struct outcome){0};
    unsigned char *copy = buffer_copy_exactly(bytes, size);
    test_host.peak = 0;
    test_context.message[0] = '\0';
    test_context.limits.memory = PART_FOR_LUMP * limit;
    outcome->status =
        inflate_bytes(&test_context, "LINEDEFS", kinds[kind], copy, size,
                      &outcome->bytes, &outcome->size);
    free(copy);
}

// Frees what came out; after a failure there must be nothing to free.
static void end(struct outcome *outcome)
{
    if (outcome->status == NBSTAGE_OK)
        context_release(&test_context, outcome->bytes);
    ck_assert_uint_eq(test_host.in_use, 0);
}

static void check_same_bytes(const struct outcome *outcome,
                             const void *expected, size_t size)
{
    ck_assert_msg(outcome->status == NBSTAGE_OK, "%s", test_context.message);
    ck_assert_uint_eq(outcome->size, size);
    ck_assert(size == 0 || memcmp(outcome->bytes, expected, size) == 0);
}

// The stream must have been refused, for a reason that `what` is a part of.
static void check_refused(const struct outcome *outcome, nbstage_status status,
                          const char *what)
{
    static const char where[] = "MAP01: LINEDEFS: ";
    const char *message = test_context.message;
    ck_assert_int_eq(outcome->status, status);
    ck_assert_msg(strncmp(message, where, sizeof where - 1) == 0 &&
                      strstr(message, what) != NULL,
                  "%s\nexpected %s...%s...", message, where, what);
}

// Inflates a stream, which has to come back as expected or be refused.
static void expect_bytes(int kind, const struct buffer *stream,
                         const void *expected, size_t size)
{
    struct outcome outcome;
    inflate_stream(&outcome, kind, stream->bytes, stream->size, GIBIBYTE);
    check_same_bytes(&outcome, expected, size);
    end(&outcome);
}

static void expect_refused(int kind, const unsigned char *bytes, size_t size,
                           const char *what)
{
    struct outcome outcome;
    inflate_stream(&outcome, kind, bytes, size, GIBIBYTE);
    check_refused(&outcome, NBSTAGE_BAD_MAP, what);
    end(&outcome);
}

// --- What is compressed ---

// Bytes of a lump: half of them random, half of them repeated from before.
static unsigned char *make_lump(size_t size)
{
    struct random_stream stream = {size};
    unsigned char *lump = malloc(size + 1);
    ck_assert_ptr_nonnull(lump);
    for (size_t i = 0; i < size; i++) {
        uint64_t number = random_next(&stream);
        size_t back = 1 + (number >> 8) % 64;
        lump[i] = number >> 63 && i >= back ? lump[i - back]
                                            : (unsigned char)(number & 0xFF);
    }
    return lump;
}

static const size_t sizes[] = {0,      1,       2,      14,     1000,
                               65535,  65536,   65537,  131071, 131072,
                               131073, 1048576, 5255225};

// Bytes behind the end are ignored.
LOOP_TEST(streams_come_back_as_they_were, KIND_COUNT)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *lump = make_lump(sizes[i]);
        struct buffer stream = compress_bytes(kinds[_i], lump, sizes[i]);
        expect_bytes(_i, &stream, lump, sizes[i]);
        buffer_print(&stream, "what follows the stream");
        expect_bytes(_i, &stream, lump, sizes[i]);
        buffer_free(&stream);
        free(lump);
    }
}

// --- Damage ---

enum { SMALL_LUMP = 700 };

// A lump, and the stream that it is compressed to.
static unsigned char *small_lump;
static struct buffer small_stream;

static void make_small_stream(int kind)
{
    small_lump = make_lump(SMALL_LUMP);
    small_stream = compress_bytes(kinds[kind], small_lump, SMALL_LUMP);
}

static void free_small_stream(void)
{
    buffer_free(&small_stream);
    free(small_lump);
}

LOOP_TEST(a_stream_that_is_cut_off_is_refused, KIND_COUNT)
{
    make_small_stream(_i);
    for (size_t size = 0; size < small_stream.size; size++)
        expect_refused(_i, small_stream.bytes, size, "cut off");
    free_small_stream();
}

static void flip_bit(struct buffer *bits, size_t bit)
{
    bits->bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

// The checksums notice all damage that makes a difference.  Without one, a
// damaged stream may give any bytes.
LOOP_TEST(a_damaged_stream_is_refused, KIND_COUNT)
{
    make_small_stream(_i);
    size_t harmless = 0;
    for (size_t bit = 0; bit < 8 * small_stream.size; bit++) {
        struct outcome outcome;
        flip_bit(&small_stream, bit);
        inflate_stream(&outcome, _i, small_stream.bytes, small_stream.size,
                       GIBIBYTE);
        flip_bit(&small_stream, bit);
        if (outcome.status == NBSTAGE_OK) {
            if (kinds[_i] != NBSTAGE_DEFLATE)
                check_same_bytes(&outcome, small_lump, SMALL_LUMP);
            harmless++;
        } else {
            check_refused(&outcome, NBSTAGE_BAD_MAP, "");
        }
        end(&outcome);
    }
    // In the gzip header the time, the system and the like; in both streams
    // up to 7 bits that fill a byte before the checksum.
    if (kinds[_i] != NBSTAGE_DEFLATE)
        ck_assert_uint_le(harmless, kinds[_i] == NBSTAGE_GZIP ? 63 : 7);
    free_small_stream();
}

LOOP_TEST(another_kind_of_stream_is_refused, KIND_COUNT)
{
    make_small_stream(_i);
    expect_refused((_i + 1) % KIND_COUNT, small_stream.bytes, small_stream.size,
                   "");
    free_small_stream();
}

TEST(a_stream_that_needs_a_dictionary_is_refused)
{
    static const unsigned char dictionary[] = "LINEDEFS VERTEXES";
    unsigned char bytes[256];
    z_stream deflater = {0};
    ck_assert_int_eq(deflateInit(&deflater, Z_BEST_COMPRESSION), Z_OK);
    ck_assert_int_eq(
        deflateSetDictionary(&deflater, dictionary, sizeof dictionary), Z_OK);
    deflater.next_in = (z_const Bytef *)dictionary;
    deflater.avail_in = sizeof dictionary;
    deflater.next_out = bytes;
    deflater.avail_out = sizeof bytes;
    ck_assert_int_eq(deflate(&deflater, Z_FINISH), Z_STREAM_END);
    deflateEnd(&deflater);
    expect_refused(0, bytes, sizeof bytes - deflater.avail_out, "dictionary");
}

// --- Bounds ---

// The output is in a buffer that grows; while it does, the old one and the new
// one are there.  zlib itself needs some 50 KiB.
static void check_peak(size_t most_output)
{
    size_t bound = 2 * most_output + MEBIBYTE;
    ck_assert_msg(test_host.peak <= bound,
                  "%zu bytes were in use; at most %zu were expected",
                  test_host.peak, bound);
}

LOOP_TEST(the_limit_is_kept, KIND_COUNT)
{
    static const size_t limits[] = {1, 1000, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        for (size_t over = 0; over < 2; over++) {
            size_t size = limits[i] + over;
            unsigned char *bytes = make_lump(size);
            struct buffer packed = compress_bytes(kinds[_i], bytes, size);
            struct outcome outcome;
            inflate_stream(&outcome, _i, packed.bytes, packed.size, limits[i]);
            if (over)
                check_refused(&outcome, NBSTAGE_OVER_LIMIT, "max-memory");
            else
                check_same_bytes(&outcome, bytes, size);
            check_peak(limits[i]);
            end(&outcome);
            buffer_free(&packed);
            free(bytes);
        }
    }
}

// Zeros with some random bytes at the beginning of each thousand.
static void check_let_through(int kind, size_t size, size_t random_bytes,
                              size_t least_ratio)
{
    struct random_stream random = {0};
    unsigned char *bytes = calloc(size, 1);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < size; i++)
        if (i % 1000 < random_bytes)
            bytes[i] = (unsigned char)random_below(&random, 256);
    struct buffer packed = compress_bytes(kinds[kind], bytes, size);
    ck_assert_uint_ge(size / packed.size, least_ratio);
    expect_bytes(kind, &packed, bytes, size);
    buffer_free(&packed);
    free(bytes);
}

LOOP_TEST(what_compresses_well_is_let_through, KIND_COUNT)
{
    check_let_through(_i, INFLATE_FREE_BYTES, 0, 900);
    check_let_through(_i, 8 * MEBIBYTE, 3, INFLATE_MAX_RATIO / 2);
}

static const struct {
    size_t piece;   // bytes of zeros in a piece of the stream
    size_t repeats; // of the piece
    size_t limit;
    size_t most_output; // that may be held
    nbstage_status status;
    const char *what; // a part of the sentence
} bombs[] = {
    // 40 KiB that grow to 40 MiB: too much for their size at 10 MiB.
    {MEBIBYTE, 40, GIBIBYTE, 16 * MEBIBYTE, NBSTAGE_BAD_MAP,
     "more than 256 times"},
    // 1 MiB that grows to 1 GiB: at 256 MiB.
    {32 * MEBIBYTE, 32, GIBIBYTE, 512 * MEBIBYTE, NBSTAGE_BAD_MAP,
     "more than 256 times"},
    // 10 MiB that grow to 10 GiB.
    {32 * MEBIBYTE, 320, 64 * MEBIBYTE, 64 * MEBIBYTE, NBSTAGE_OVER_LIMIT,
     "max-memory"},
    {32 * MEBIBYTE, 320, MEBIBYTE, MEBIBYTE, NBSTAGE_OVER_LIMIT, "max-memory"},
};

LOOP_TEST(a_bomb_is_refused_early, COUNT(bombs))
{
    int kind = _i % KIND_COUNT;
    struct buffer bomb =
        compress_bomb(kinds[kind], bombs[_i].piece, bombs[_i].repeats);
    struct outcome outcome;
    inflate_stream(&outcome, kind, bomb.bytes, bomb.size, bombs[_i].limit);
    check_refused(&outcome, bombs[_i].status, bombs[_i].what);
    check_peak(bombs[_i].most_output);
    end(&outcome);
    buffer_free(&bomb);
}
