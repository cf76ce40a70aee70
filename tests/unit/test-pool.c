// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the pool hands out memory that is nobody else's, aligned and
// large enough, that it keeps what is released for the next request, that what
// it keeps has a limit, and that all of it goes back in the end.

#include "pool.h"

#include "context-for-tests.h"
#include "counted-memory.h"
#include "random-map.h"

#include <stdalign.h>
#include <string.h>

// A pool and where its memory is from, counted.
struct source {
    struct counted_memory memory;
    struct pool pool;
};

static void open_source(struct source *source)
{
    *source = (struct source){0};
    struct context context = counted_memory_context(&source->memory);
    source->pool = (struct pool){.user = context.user,
                                 .allocate = context.allocate,
                                 .release = context.release};
}

// Nothing may be left but what the pool has kept.
static void close_source(struct source *source)
{
    pool_empty(&source->pool);
    ck_assert_uint_eq(source->pool.kept_count, 0);
    ck_assert_uint_eq(source->pool.kept_bytes, 0);
    ck_assert_uint_eq(source->memory.in_use, 0);
}

static void *allocate(struct source *source, size_t bytes)
{
    void *memory = pool_allocate(&source->pool, bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

// How many bytes of the source a block takes besides its own.
static size_t overhead(void)
{
    struct source source;
    open_source(&source);
    void *memory = allocate(&source, 1);
    size_t bytes = source.memory.in_use - 1;
    pool_release(&source.pool, memory);
    close_source(&source);
    return bytes;
}

static bool is_aligned(const void *memory)
{
    return (uintptr_t)memory % alignof(max_align_t) == 0;
}

// ---------------------------------------------------------------------------
// Memory handed out

START_TEST(memory_is_aligned_for_every_type)
{
    enum { MOST = 200 };
    struct source source;
    open_source(&source);
    unsigned char *blocks[MOST];
    for (size_t i = 0; i < MOST; i++) {
        blocks[i] = allocate(&source, i + 1);
        ck_assert(is_aligned(blocks[i]));
        memset(blocks[i], 0xFF, i + 1);
    }
    for (size_t i = 0; i < MOST; i++)
        pool_release(&source.pool, blocks[i]);
    close_source(&source);
}
END_TEST

START_TEST(no_memory_is_told)
{
    struct source source;
    open_source(&source);
    source.memory.refused_request = 1;
    ck_assert_ptr_null(pool_allocate(&source.pool, 100));
    ck_assert_uint_eq(source.memory.request_count, 1);
    pool_release(&source.pool, allocate(&source, 100));
    close_source(&source);
}
END_TEST

// The pool needs some bytes of its own, with which these are too many.
START_TEST(sizes_that_overflow_are_refused)
{
    struct source source;
    open_source(&source);
    for (size_t less = 0; less < 8; less++)
        ck_assert_ptr_null(pool_allocate(&source.pool, SIZE_MAX - less));
    ck_assert_uint_eq(source.memory.request_count, 0);
    close_source(&source);
}
END_TEST

// What is kept counts, but gives way.
START_TEST(limit_holds_for_all_that_is_held)
{
    struct source source;
    open_source(&source);
    void *before = allocate(&source, 1000);
    pool_limit(&source.pool, 500);
    ck_assert_ptr_null(pool_allocate(&source.pool, 501));
    ck_assert(source.pool.met_limit);
    void *first = allocate(&source, 300);
    ck_assert(!source.pool.met_limit);
    ck_assert_ptr_null(pool_allocate(&source.pool, 201));
    pool_release(&source.pool, first);
    ck_assert_uint_eq(source.pool.kept_count, 1);
    void *second = allocate(&source, 500);
    ck_assert_uint_eq(source.pool.kept_count, 0);
    pool_limit(&source.pool, SIZE_MAX);
    void *third = allocate(&source, 3000);
    pool_limit(&source.pool, 0);
    ck_assert_uint_eq(source.pool.limit, 0);
    pool_release(&source.pool, before);
    pool_release(&source.pool, second);
    pool_release(&source.pool, third);
    close_source(&source);
    ck_assert_uint_eq(source.pool.held_bytes, 0);
}
END_TEST

START_TEST(memory_that_the_source_refuses_is_not_the_limits_doing)
{
    struct source source;
    open_source(&source);
    pool_limit(&source.pool, 500);
    source.memory.refused_request = 1;
    ck_assert_ptr_null(pool_allocate(&source.pool, 100));
    ck_assert(!source.pool.met_limit);
    close_source(&source);
}
END_TEST

START_TEST(memory_from_the_c_library_can_be_used)
{
    enum { MEBIBYTE = 1 << 20 };
    static const size_t sizes[] = {
        1,
        4000,
        2 * MEBIBYTE - 17, // one page of 2 MiB with the pool's own bytes
        2 * MEBIBYTE,
        2 * MEBIBYTE + 1,
        5 * MEBIBYTE,
        POOL_KEPT_BYTES + 1, // not kept
    };
    struct pool pool = {0};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *memory = pool_allocate(&pool, sizes[i]);
        ck_assert_ptr_nonnull(memory);
        ck_assert(is_aligned(memory));
        memset(memory, 0xFF, sizes[i]);
        pool_release(&pool, memory);
        pool_empty(&pool);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Memory kept

START_TEST(released_memory_is_handed_out_again)
{
    struct source source;
    open_source(&source);
    void *first = allocate(&source, 1000);
    void *second = allocate(&source, 1000);
    ck_assert_ptr_ne(first, second);
    pool_release(&source.pool, first);
    ck_assert_uint_eq(source.pool.kept_count, 1);
    ck_assert_uint_eq(source.pool.kept_bytes, 1000);
    ck_assert_ptr_eq(allocate(&source, 900), first);
    ck_assert_uint_eq(source.pool.kept_count, 0);
    ck_assert_uint_eq(source.pool.kept_bytes, 0);
    ck_assert_uint_eq(source.memory.request_count, 2);
    // It has not become smaller for that.
    pool_release(&source.pool, first);
    ck_assert_ptr_eq(allocate(&source, 1000), first);
    ck_assert_uint_eq(source.memory.request_count, 2);
    pool_release(&source.pool, first);
    pool_release(&source.pool, second);
    close_source(&source);
}
END_TEST

START_TEST(what_fits_best_is_handed_out)
{
    static const size_t sizes[] = {300, 100, 250, 200};
    struct source source;
    open_source(&source);
    void *blocks[COUNT(sizes)];
    for (size_t i = 0; i < COUNT(sizes); i++)
        blocks[i] = allocate(&source, sizes[i]);
    for (size_t i = 0; i < COUNT(sizes); i++)
        pool_release(&source.pool, blocks[i]);
    ck_assert_ptr_eq(allocate(&source, 150), blocks[3]);
    ck_assert_ptr_eq(allocate(&source, 150), blocks[2]);
    ck_assert_ptr_eq(allocate(&source, 100), blocks[1]);
    ck_assert_ptr_eq(allocate(&source, 150), blocks[0]);
    ck_assert_uint_eq(source.memory.request_count, COUNT(sizes));
    for (size_t i = 0; i < COUNT(sizes); i++)
        pool_release(&source.pool, blocks[i]);
    close_source(&source);
}
END_TEST

// A block is handed out for a quarter of its size, but not for a hundredth,
// and never for more than it has.
START_TEST(what_is_too_small_or_far_too_large_is_not_handed_out)
{
    enum { SIZE = 10000 };
    for (size_t bytes = 1; bytes < 2 * (size_t)SIZE; bytes++) {
        struct source source;
        open_source(&source);
        void *kept = allocate(&source, SIZE);
        pool_release(&source.pool, kept);
        unsigned char *memory = allocate(&source, bytes);
        memory[bytes - 1] = 0xFF;
        bool same = source.memory.request_count == 1;
        if (bytes >= SIZE / 4 && bytes <= SIZE && !same)
            ck_abort_msg("%zu bytes are from the source", bytes);
        if ((bytes > SIZE || bytes <= SIZE / 100) && same)
            ck_abort_msg("%zu bytes are what was kept", bytes);
        pool_release(&source.pool, memory);
        close_source(&source);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Limits

// Allocates blocks of a size, releases them, and checks how many are kept.
static void assert_kept(size_t count, size_t bytes, size_t kept_count)
{
    enum { MOST = 40 };
    struct source source;
    open_source(&source);
    void *blocks[MOST];
    ck_assert_uint_le(count, MOST);
    for (size_t i = 0; i < count; i++)
        blocks[i] = allocate(&source, bytes);
    for (size_t i = 0; i < count; i++)
        pool_release(&source.pool, blocks[i]);
    ck_assert_uint_eq(source.pool.kept_count, kept_count);
    ck_assert_uint_eq(source.pool.kept_bytes, kept_count * bytes);
    ck_assert_uint_eq(source.memory.in_use, kept_count * (bytes + overhead()));
    close_source(&source);
}

START_TEST(what_is_kept_has_a_limit)
{
    const size_t most = POOL_KEPT_BYTES;
    assert_kept(POOL_KEPT_BLOCKS, 100, POOL_KEPT_BLOCKS);
    assert_kept(POOL_KEPT_BLOCKS + 1, 100, POOL_KEPT_BLOCKS);
    assert_kept(40, 100, POOL_KEPT_BLOCKS);
    assert_kept(1, most, 1);
    assert_kept(2, most, 1);
    assert_kept(4, most / 4, 4);
    assert_kept(5, most / 4, 4);
    assert_kept(5, most / 4 + 1, 3);
    assert_kept(1, most + 1, 0);
    assert_kept(3, 2 * most, 0);
}
END_TEST

START_TEST(what_is_too_large_to_keep_leaves_the_rest_alone)
{
    struct source source;
    open_source(&source);
    void *large = allocate(&source, (size_t)POOL_KEPT_BYTES + 1);
    void *small = allocate(&source, 1000);
    pool_release(&source.pool, small);
    pool_release(&source.pool, large);
    ck_assert_uint_eq(source.pool.kept_count, 1);
    ck_assert_uint_eq(source.memory.in_use, 1000 + overhead());
    ck_assert_ptr_eq(allocate(&source, 1000), small);
    pool_release(&source.pool, small);
    close_source(&source);
}
END_TEST

START_TEST(small_blocks_do_not_drive_out_large_ones)
{
    struct source source;
    void *large[POOL_KEPT_BLOCKS];
    open_source(&source);
    void *small = allocate(&source, 10);
    for (size_t i = 0; i < POOL_KEPT_BLOCKS; i++)
        large[i] = allocate(&source, 1000);
    for (size_t i = 0; i < POOL_KEPT_BLOCKS; i++)
        pool_release(&source.pool, large[i]);
    pool_release(&source.pool, small);
    ck_assert_uint_eq(source.pool.kept_bytes, POOL_KEPT_BLOCKS * 1000);
    void *larger = allocate(&source, 2000);
    pool_release(&source.pool, larger);
    ck_assert_uint_eq(source.pool.kept_bytes,
                      (POOL_KEPT_BLOCKS - 1) * 1000 + 2000);
    close_source(&source);
}
END_TEST

START_TEST(what_is_kept_is_given_back_when_memory_is_short)
{
    struct source source;
    open_source(&source);
    pool_release(&source.pool, allocate(&source, 100));
    source.memory.refused_request = source.memory.request_count + 1;
    void *memory = pool_allocate(&source.pool, 1000);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq(source.pool.kept_count, 0);
    ck_assert_uint_eq(source.memory.in_use, 1000 + overhead());
    pool_release(&source.pool, memory);
    close_source(&source);
}
END_TEST

START_TEST(emptied_pools_can_be_used_again)
{
    struct source source;
    open_source(&source);
    pool_empty(&source.pool);
    for (int i = 0; i < 3; i++) {
        pool_release(&source.pool, allocate(&source, 1000));
        ck_assert_uint_gt(source.memory.in_use, 0);
        pool_empty(&source.pool);
        ck_assert_uint_eq(source.memory.in_use, 0);
    }
    close_source(&source);
}
END_TEST

// ---------------------------------------------------------------------------
// At random

struct user {
    unsigned char *memory; // NULL: it has none
    size_t bytes;
    unsigned char mark; // what its memory is filled with
};

static void begin_use(struct source *source, struct random_stream *stream,
                      struct user *user)
{
    size_t most = (size_t)1 << random_below(stream, 23);
    user->bytes = 1 + random_below(stream, (uint32_t)most);
    user->mark = (unsigned char)random_below(stream, 256);
    user->memory = allocate(source, user->bytes);
    ck_assert(is_aligned(user->memory));
    memset(user->memory, user->mark, user->bytes);
}

static void end_use(struct source *source, struct user *user)
{
    bool untouched =
        user->memory[0] == user->mark &&
        memcmp(user->memory, user->memory + 1, user->bytes - 1) == 0;
    ck_assert_msg(untouched, "%zu bytes are somebody else's", user->bytes);
    pool_release(&source->pool, user->memory);
    user->memory = NULL;
}

START_TEST(users_do_not_meet)
{
    enum { USERS = 40, STEPS = 4000 };
    struct random_stream stream = {(uint64_t)_i};
    struct user users[USERS] = {{0}};
    struct source source;
    open_source(&source);
    for (int s = 0; s < STEPS; s++) {
        struct user *user = &users[random_below(&stream, USERS)];
        if (user->memory)
            end_use(&source, user);
        else
            begin_use(&source, &stream, user);
        ck_assert(source.pool.kept_count <= POOL_KEPT_BLOCKS &&
                  source.pool.kept_bytes <= POOL_KEPT_BYTES);
    }
    ck_assert_uint_lt(source.memory.request_count, STEPS / 2);
    for (size_t i = 0; i < USERS; i++)
        if (users[i].memory)
            end_use(&source, &users[i]);
    ck_assert_uint_eq(source.memory.in_use,
                      source.pool.kept_bytes +
                          source.pool.kept_count * overhead());
    close_source(&source);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("pool");
    tcase_add_test(tests, memory_is_aligned_for_every_type);
    tcase_add_test(tests, no_memory_is_told);
    tcase_add_test(tests, sizes_that_overflow_are_refused);
    tcase_add_test(tests, limit_holds_for_all_that_is_held);
    tcase_add_test(tests,
                   memory_that_the_source_refuses_is_not_the_limits_doing);
    tcase_add_test(tests, memory_from_the_c_library_can_be_used);
    tcase_add_test(tests, released_memory_is_handed_out_again);
    tcase_add_test(tests, what_fits_best_is_handed_out);
    tcase_add_test(tests, what_is_too_small_or_far_too_large_is_not_handed_out);
    tcase_add_test(tests, what_is_kept_has_a_limit);
    tcase_add_test(tests, what_is_too_large_to_keep_leaves_the_rest_alone);
    tcase_add_test(tests, small_blocks_do_not_drive_out_large_ones);
    tcase_add_test(tests, what_is_kept_is_given_back_when_memory_is_short);
    tcase_add_test(tests, emptied_pools_can_be_used_again);
    tcase_add_loop_test(tests, users_do_not_meet, 0, 3);
    return run_tests(tests);
}
