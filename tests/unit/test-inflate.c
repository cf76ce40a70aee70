// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that compressed nodes come back as they were, that a stream which is
// cut off or damaged is refused with a sentence that names the lump, and that
// one made to fill the memory is refused while it is still small.

#include "buffer.h"
#include "compress.h"
#include "context-for-tests.h"
#include "map/map.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

enum { MEBIBYTE = 1 << 20, GIBIBYTE = 1 << 30 };

// --- Inflating ---

// Inflates a stream with nothing behind its last byte, and compares what comes
// out with what is expected, or the sentence with `what` a part of it has to
// be.  After a failure nothing may be left.  Returns the status.
static nbstage_status inflate_stream(const struct buffer *stream, size_t limit,
                                     const void *expected, size_t size,
                                     const char *what)
{
    static const char where[] = "MAP01: ZNODES: ";
    const char *message = test_context.message;
    unsigned char *copy = buffer_copy_exactly(stream->bytes, stream->size);
    struct nbstage_lump lump = {"ZNODES", copy, stream->size};
    void *bytes;
    test_host.peak = 0;
    test_context.message[0] = '\0';
    test_context.limits.memory = CONTEXT_LUMP_PART * limit;
    nbstage_status status = inflate_lump(&test_context, &lump, &bytes);
    free(copy);
    if (status != NBSTAGE_OK) {
        ck_assert_msg(what, "%s", message);
        ck_assert_msg(strncmp(message, where, sizeof where - 1) == 0 &&
                          strstr(message, what) != NULL,
                      "%s\nexpected %s...%s...", message, where, what);
    } else {
        ck_assert(!expected ||
                  (lump.data == bytes && lump.data_size == size &&
                   (size == 0 || memcmp(bytes, expected, size) == 0)));
        context_release(&test_context, bytes);
    }
    ck_assert_uint_eq(test_host.in_use, 0);
    return status;
}

static void expect_bytes(const struct buffer *stream, const void *expected,
                         size_t size)
{
    inflate_stream(stream, GIBIBYTE, expected, size, NULL);
}

static void expect_refused(struct buffer stream, const char *what)
{
    ck_assert_int_eq(inflate_stream(&stream, GIBIBYTE, NULL, 0, what),
                     NBSTAGE_BAD_MAP);
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
TEST(streams_come_back_as_they_were)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *lump = make_lump(sizes[i]);
        struct buffer stream = compress_bytes(lump, sizes[i]);
        expect_bytes(&stream, lump, sizes[i]);
        buffer_print(&stream, "what follows the stream");
        expect_bytes(&stream, lump, sizes[i]);
        buffer_free(&stream);
        free(lump);
    }
}

// --- Damage ---

// Streams that are cut off anywhere, and with any bit changed.  The checksum
// notices all damage that makes a difference.
TEST(a_damaged_stream_is_refused)
{
    enum { SIZE = 700 };
    unsigned char *lump = make_lump(SIZE);
    struct buffer stream = compress_bytes(lump, SIZE);
    size_t harmless = 0;
    for (size_t size = 0; size < stream.size; size++)
        expect_refused((struct buffer){stream.bytes, size, size}, "cut off");
    for (size_t bit = 0; bit < 8 * stream.size; bit++) {
        stream.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        nbstage_status status =
            inflate_stream(&stream, GIBIBYTE, lump, SIZE, "");
        stream.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        harmless += status == NBSTAGE_OK;
        ck_assert(status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP);
    }
    // Up to 7 bits fill a byte before the checksum.
    ck_assert_uint_le(harmless, 7);
    buffer_free(&stream);
    free(lump);
}

TEST(a_stream_that_needs_a_dictionary_is_refused)
{
    unsigned char bytes[] = {0x78, 0xBB, 1, 2, 3, 4, 5, 6}; // 0x20 asks for it
    expect_refused((struct buffer){bytes, sizeof bytes, sizeof bytes},
                   "dictionary");
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

TEST(the_limit_is_kept)
{
    static const size_t limits[] = {1, 1000, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        for (size_t over = 0; over < 2; over++) {
            size_t size = limits[i] + over;
            unsigned char *bytes = make_lump(size);
            struct buffer packed = compress_bytes(bytes, size);
            ck_assert_int_eq(
                inflate_stream(&packed, limits[i], bytes, size, "max-memory"),
                over ? NBSTAGE_OVER_LIMIT : NBSTAGE_OK);
            check_peak(limits[i]);
            buffer_free(&packed);
            free(bytes);
        }
    }
}

// Zeros with some random bytes at the beginning of each thousand.
static void check_let_through(size_t size, size_t random_bytes,
                              size_t least_ratio)
{
    struct random_stream random = {0};
    unsigned char *bytes = calloc(size, 1);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < size; i++)
        if (i % 1000 < random_bytes)
            bytes[i] = (unsigned char)random_below(&random, 256);
    struct buffer packed = compress_bytes(bytes, size);
    ck_assert_uint_ge(size / packed.size, least_ratio);
    expect_bytes(&packed, bytes, size);
    buffer_free(&packed);
    free(bytes);
}

TEST(what_compresses_well_is_let_through)
{
    check_let_through(INFLATE_FREE_BYTES, 0, 900);
    check_let_through(8 * MEBIBYTE, 3, INFLATE_MAX_RATIO / 2);
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
    struct buffer bomb = compress_bomb(bombs[_i].piece, bombs[_i].repeats);
    ck_assert_int_eq(
        inflate_stream(&bomb, bombs[_i].limit, NULL, 0, bombs[_i].what),
        bombs[_i].status);
    check_peak(bombs[_i].most_output);
    buffer_free(&bomb);
}
