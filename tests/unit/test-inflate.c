// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that compressed lumps come back as they were, that a stream which is
// cut off or damaged is refused with a sentence that names the lump, and that
// one made to fill the memory is refused while it is still small.

#include "buffer.h"
#include "compress.h"
#include "counted-memory.h"
#include "map/inflate.h"
#include "nbstage.h"
#include "random-map.h"
#include "run-suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { KIBIBYTE = 1 << 10, MEBIBYTE = 1 << 20, GIBIBYTE = 1 << 30 };

// The three kinds of stream; those with a checksum first.
static const struct {
    const char *name;
    uint32_t compression;
} kinds[] = {
    {"zlib", NBSTAGE_ZLIB},
    {"gzip", NBSTAGE_GZIP},
    {"deflate", NBSTAGE_DEFLATE},
};

enum { KIND_COUNT = COUNT(kinds), CHECKED_KIND_COUNT = KIND_COUNT - 1 };

// ---------------------------------------------------------------------------
// Inflating

// A stream that has been inflated; `status` tells whether it could be.
struct outcome {
    struct counted_memory memory;
    struct context context;
    nbstage_status status;
    unsigned char *bytes;
    size_t size;
};

// Inflates a stream with nothing behind its last byte, for end.
static void inflate_stream(struct outcome *outcome, size_t kind,
                           const unsigned char *bytes, size_t size,
                           size_t limit)
{
    unsigned char *copy = buffer_copy_exactly(bytes, size);
    outcome->context = counted_memory_context(&outcome->memory);
    outcome->status =
        inflate_bytes(&outcome->context, "LINEDEFS", kinds[kind].compression,
                      copy, size, limit, &outcome->bytes, &outcome->size);
    free(copy);
}

// Frees what came out; after a failure there must be nothing to free.
static void end(struct outcome *outcome)
{
    if (outcome->status == NBSTAGE_OK)
        context_release(&outcome->context, outcome->bytes);
    ck_assert_uint_eq(outcome->memory.in_use, 0);
}

static void check_same_bytes(const struct outcome *outcome,
                             const void *expected, size_t size)
{
    ck_assert_msg(outcome->status == NBSTAGE_OK, "%s",
                  outcome->context.message);
    ck_assert_uint_eq(outcome->size, size);
    ck_assert(size == 0 || memcmp(outcome->bytes, expected, size) == 0);
}

// The stream must have been refused, for a reason that `what` is a part of.
static void check_refused(const struct outcome *outcome, const char *what)
{
    static const char where[] = "MAP01: LINEDEFS: ";
    const char *message = outcome->context.message;
    ck_assert_int_eq(outcome->status, NBSTAGE_BAD_MAP);
    ck_assert_msg(strncmp(message, where, sizeof where - 1) == 0, "%s",
                  message);
    ck_assert_msg(strstr(message, what) != NULL, "%s\nexpected ...%s...",
                  message, what);
}

// ---------------------------------------------------------------------------
// What is compressed

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

static const size_t sizes[] = {
    0,
    1,
    2,
    14,
    1000,
    65535,
    65536,
    65537,
    131071,
    131072,
    131073,
    MEBIBYTE,
    5 * MEBIBYTE + 12345,
};

START_TEST(streams_come_back_as_they_were)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *lump = make_lump(sizes[i]);
        struct buffer stream =
            compress_bytes(kinds[_i].compression, lump, sizes[i]);
        struct outcome outcome = {0};
        inflate_stream(&outcome, (size_t)_i, stream.bytes, stream.size,
                       GIBIBYTE);
        check_same_bytes(&outcome, lump, sizes[i]);
        end(&outcome);
        buffer_free(&stream);
        free(lump);
    }
}
END_TEST

START_TEST(bytes_behind_the_end_are_ignored)
{
    unsigned char *lump = make_lump(1000);
    struct buffer stream = compress_bytes(kinds[_i].compression, lump, 1000);
    buffer_put(&stream, lump, 100);
    struct outcome outcome = {0};
    inflate_stream(&outcome, (size_t)_i, stream.bytes, stream.size, GIBIBYTE);
    check_same_bytes(&outcome, lump, 1000);
    end(&outcome);
    buffer_free(&stream);
    free(lump);
}
END_TEST

// ---------------------------------------------------------------------------
// Damage

enum { SMALL_LUMP = 700 };

START_TEST(a_stream_that_is_cut_off_is_refused)
{
    unsigned char *lump = make_lump(SMALL_LUMP);
    struct buffer stream =
        compress_bytes(kinds[_i].compression, lump, SMALL_LUMP);
    for (size_t size = 0; size < stream.size; size++) {
        struct outcome outcome = {0};
        inflate_stream(&outcome, (size_t)_i, stream.bytes, size, GIBIBYTE);
        check_refused(&outcome, "cut off");
        end(&outcome);
    }
    buffer_free(&stream);
    free(lump);
}
END_TEST

static void flip_bit(struct buffer *stream, size_t bit)
{
    stream->bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

// The checksums notice all damage that makes a difference.
START_TEST(a_damaged_stream_is_refused)
{
    unsigned char *lump = make_lump(SMALL_LUMP);
    struct buffer stream =
        compress_bytes(kinds[_i].compression, lump, SMALL_LUMP);
    size_t harmless = 0;
    for (size_t bit = 0; bit < 8 * stream.size; bit++) {
        struct outcome outcome = {0};
        flip_bit(&stream, bit);
        inflate_stream(&outcome, (size_t)_i, stream.bytes, stream.size,
                       GIBIBYTE);
        flip_bit(&stream, bit);
        if (outcome.status == NBSTAGE_OK) {
            check_same_bytes(&outcome, lump, SMALL_LUMP);
            harmless++;
        } else {
            check_refused(&outcome, "");
        }
        end(&outcome);
    }
    // In the gzip header the time, the system and the like; in both streams
    // up to 7 bits that fill a byte before the checksum.
    ck_assert_uint_le(harmless, kinds[_i].compression == NBSTAGE_GZIP ? 63 : 7);
    buffer_free(&stream);
    free(lump);
}
END_TEST

// Without a checksum, other bytes may come out, but no harm may be done.
START_TEST(random_damage_does_no_harm)
{
    enum { TRIALS = 5000, MOST_BITS = 8 };
    unsigned char *lump = make_lump(SMALL_LUMP);
    struct buffer stream =
        compress_bytes(kinds[_i].compression, lump, SMALL_LUMP);
    struct random_stream random = {(uint64_t)_i};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct buffer damaged = {0};
        buffer_put(&damaged, stream.bytes, stream.size);
        for (uint32_t i = 1 + random_below(&random, MOST_BITS); i > 0; i--)
            flip_bit(&damaged,
                     random_below(&random, 8 * (uint32_t)stream.size));
        struct outcome outcome = {0};
        inflate_stream(&outcome, (size_t)_i, damaged.bytes, damaged.size,
                       MEBIBYTE);
        if (outcome.status != NBSTAGE_OK)
            check_refused(&outcome, "");
        end(&outcome);
        buffer_free(&damaged);
    }
    buffer_free(&stream);
    free(lump);
}
END_TEST

START_TEST(another_kind_of_stream_is_refused)
{
    unsigned char *lump = make_lump(SMALL_LUMP);
    struct buffer stream =
        compress_bytes(kinds[_i].compression, lump, SMALL_LUMP);
    size_t other = ((size_t)_i + 1) % KIND_COUNT;
    struct outcome outcome = {0};
    inflate_stream(&outcome, other, stream.bytes, stream.size, GIBIBYTE);
    check_refused(&outcome, "");
    end(&outcome);
    buffer_free(&stream);
    free(lump);
}
END_TEST

START_TEST(a_stream_that_needs_a_dictionary_is_refused)
{
    static const unsigned char dictionary[] = "LINEDEFS VERTEXES";
    unsigned char bytes[256];
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit(&stream, Z_BEST_COMPRESSION), Z_OK);
    ck_assert_int_eq(
        deflateSetDictionary(&stream, dictionary, sizeof dictionary), Z_OK);
    stream.next_in = (z_const Bytef *)dictionary;
    stream.avail_in = sizeof dictionary;
    stream.next_out = bytes;
    stream.avail_out = sizeof bytes;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    struct outcome outcome = {0};
    inflate_stream(&outcome, 0, bytes, sizeof bytes - stream.avail_out,
                   GIBIBYTE);
    check_refused(&outcome, "dictionary");
    end(&outcome);
}
END_TEST

START_TEST(running_out_of_memory_leaks_nothing)
{
    enum { SIZE = 300 * KIBIBYTE };
    unsigned char *lump = make_lump(SIZE);
    struct buffer stream = compress_bytes(kinds[_i].compression, lump, SIZE);
    size_t request = 0;
    nbstage_status status;
    do {
        struct outcome outcome = {.memory.refused_request = ++request};
        inflate_stream(&outcome, (size_t)_i, stream.bytes, stream.size,
                       GIBIBYTE);
        status = outcome.status;
        ck_assert(status == NBSTAGE_OK || status == NBSTAGE_OUT_OF_MEMORY);
        end(&outcome);
    } while (status != NBSTAGE_OK);
    ck_assert_uint_gt(request, 3);
    buffer_free(&stream);
    free(lump);
}
END_TEST

// ---------------------------------------------------------------------------
// Bounds

// The output is in a buffer that grows; while it does, the old one and the new
// one are there.  zlib itself needs some 50 KiB.
static void check_peak(const struct outcome *outcome, size_t most_output)
{
    size_t bound = 2 * most_output + MEBIBYTE;
    ck_assert_msg(outcome->memory.peak <= bound,
                  "%zu bytes were in use; at most %zu were expected",
                  outcome->memory.peak, bound);
}

START_TEST(the_limit_is_kept)
{
    static const size_t limits[] = {0, 1, 1000, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        for (size_t over = 0; over < 2; over++) {
            size_t size = limits[i] + over;
            unsigned char *lump = make_lump(size);
            struct buffer stream =
                compress_bytes(kinds[_i].compression, lump, size);
            struct outcome outcome = {0};
            inflate_stream(&outcome, (size_t)_i, stream.bytes, stream.size,
                           limits[i]);
            if (over)
                check_refused(&outcome, "limit");
            else
                check_same_bytes(&outcome, lump, size);
            check_peak(&outcome, limits[i]);
            end(&outcome);
            buffer_free(&stream);
            free(lump);
        }
    }
}
END_TEST

// Compresses the lump, which has to come back whole; frees it.
static void check_let_through(size_t kind, unsigned char *lump, size_t size,
                              size_t least_ratio)
{
    struct buffer stream = compress_bytes(kinds[kind].compression, lump, size);
    ck_assert_uint_ge(size / stream.size, least_ratio);
    struct outcome outcome = {0};
    inflate_stream(&outcome, kind, stream.bytes, stream.size, GIBIBYTE);
    check_same_bytes(&outcome, lump, size);
    end(&outcome);
    buffer_free(&stream);
    free(lump);
}

START_TEST(a_small_lump_may_be_all_zeros)
{
    unsigned char *lump = calloc(INFLATE_FREE_BYTES, 1);
    ck_assert_ptr_nonnull(lump);
    check_let_through((size_t)_i, lump, INFLATE_FREE_BYTES, 900);
}
END_TEST

START_TEST(a_large_lump_may_be_nearly_all_zeros)
{
    enum { SIZE = 8 * MEBIBYTE, PERIOD = 1000, RANDOM = 3 };
    struct random_stream random = {0};
    unsigned char *lump = calloc(SIZE, 1);
    ck_assert_ptr_nonnull(lump);
    for (size_t i = 0; i < SIZE; i++)
        if (i % PERIOD < RANDOM)
            lump[i] = (unsigned char)random_below(&random, 256);
    check_let_through((size_t)_i, lump, SIZE, INFLATE_MAX_RATIO / 2);
}
END_TEST

static const struct {
    size_t piece;   // bytes of zeros in a piece of the stream
    size_t repeats; // of the piece
    size_t limit;
    size_t most_output; // that may be held
    const char *what;   // a part of the sentence
} bombs[] = {
    // 40 KiB that grow to 40 MiB: too much for their size at 10 MiB.
    {MEBIBYTE, 40, GIBIBYTE, 16 * MEBIBYTE, "more than 256 times"},
    // 1 MiB that grows to 1 GiB: at 256 MiB.
    {32 * MEBIBYTE, 32, GIBIBYTE, 512 * MEBIBYTE, "more than 256 times"},
    // 10 MiB that grow to 10 GiB.
    {32 * MEBIBYTE, 320, 64 * MEBIBYTE, 64 * MEBIBYTE, "limit"},
    {32 * MEBIBYTE, 320, MEBIBYTE, MEBIBYTE, "limit"},
};

START_TEST(a_bomb_is_refused_early)
{
    size_t kind = (size_t)_i % KIND_COUNT;
    struct buffer stream = compress_bomb(kinds[kind].compression,
                                         bombs[_i].piece, bombs[_i].repeats);
    struct outcome outcome = {0};
    inflate_stream(&outcome, kind, stream.bytes, stream.size, bombs[_i].limit);
    check_refused(&outcome, bombs[_i].what);
    check_peak(&outcome, bombs[_i].most_output);
    end(&outcome);
    buffer_free(&stream);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("inflate");
    TCase *streams = tcase_create("streams");
    tcase_set_timeout(streams, 600);
    tcase_add_loop_test(streams, streams_come_back_as_they_were, 0, KIND_COUNT);
    tcase_add_loop_test(streams, bytes_behind_the_end_are_ignored, 0,
                        KIND_COUNT);
    suite_add_tcase(suite, streams);
    TCase *damage = tcase_create("damage");
    tcase_set_timeout(damage, 600);
    tcase_add_loop_test(damage, a_stream_that_is_cut_off_is_refused, 0,
                        KIND_COUNT);
    tcase_add_loop_test(damage, a_damaged_stream_is_refused, 0,
                        CHECKED_KIND_COUNT);
    tcase_add_loop_test(damage, random_damage_does_no_harm, 0, KIND_COUNT);
    tcase_add_loop_test(damage, another_kind_of_stream_is_refused, 0,
                        KIND_COUNT);
    tcase_add_test(damage, a_stream_that_needs_a_dictionary_is_refused);
    tcase_add_loop_test(damage, running_out_of_memory_leaks_nothing, 0,
                        KIND_COUNT);
    suite_add_tcase(suite, damage);
    TCase *bounds = tcase_create("bounds");
    tcase_set_timeout(bounds, 600);
    tcase_add_loop_test(bounds, the_limit_is_kept, 0, KIND_COUNT);
    tcase_add_loop_test(bounds, a_small_lump_may_be_all_zeros, 0, KIND_COUNT);
    tcase_add_loop_test(bounds, a_large_lump_may_be_nearly_all_zeros, 0,
                        KIND_COUNT);
    tcase_add_loop_test(bounds, a_bomb_is_refused_early, 0, COUNT(bombs));
    suite_add_tcase(suite, bounds);
    return suite;
}

int main(void)
{
    return run_suite(make_suite());
}
