// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the pool hands out memory that is nobody else's, aligned and
// large enough, that it keeps what is released for the next request, that what
// it keeps has a limit, and that all of it goes back in the end.

#include "pool.h"

#include "context-for-tests.h"
#include "random-map.h"

#include <stdalign.h>
#include <string.h>

// Where the pool's memory is from, counted.  Every test begins with both empty,
// and ends so when the pool is emptied.
static struct test_host source;
static struct pool pool;

static void open_pool(void)
{
    source = (struct test_host){0};
    pool = (struct pool){.user = &source,
                         .allocate = test_allocate,
                         .release = test_release,
                         .limit = SIZE_MAX};
}

static void close_pool(void)
{
    pool_empty(&pool);
    ck_assert_uint_eq(pool.kept_count, 0);
    ck_assert_uint_eq(pool.kept_bytes, 0);
    ck_assert_uint_eq(pool.held_bytes, 0);
    ck_assert_uint_eq(source.in_use, 0);
}

static void *allocate(size_t bytes)
{
    void *memory = pool_allocate(&pool, bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void release(void *memory)
{
    pool_release(&pool, memory);
}

// How many bytes of the source a block takes besides its own.
static size_t overhead;

static void set_up(void)
{
    open_pool();
    release(allocate(1));
    overhead = source.in_use - 1;
    close_pool();
    open_pool();
}

static bool is_aligned(const void *memory)
{
    return (uintptr_t)memory % alignof(max_align_t) == 0;
}

// --- Memory handed out ---

TEST(no_memory_is_told_and_not_the_limits_doing)
{
    // The pool needs some bytes of its own, with which these are too many.
    for (size_t less = 0; less < 8; less++)
        ck_assert_ptr_null(pool_allocate(&pool, SIZE_MAX - less));
    ck_assert_uint_eq(source.request_count, 0);
    pool_limit(&pool, 500);
    source.refused_request = 1;
    ck_assert_ptr_null(pool_allocate(&pool, 100));
    ck_assert_uint_eq(source.request_count, 1);
    ck_assert(!pool.met_limit);
    release(allocate(100));
}

// What is kept counts, but gives way.
TEST(limit_holds_for_all_that_is_held)
{
    void *before = allocate(1000);
    pool_limit(&pool, 500);
    ck_assert_ptr_null(pool_allocate(&pool, 501));
    ck_assert(pool.met_limit);
    void *first = allocate(300);
    ck_assert(!pool.met_limit);
    ck_assert_ptr_null(pool_allocate(&pool, 201));
    release(first);
    ck_assert_uint_eq(pool.kept_count, 1);
    void *second = allocate(500);
    ck_assert_uint_eq(pool.kept_count, 0);
    pool_limit(&pool, SIZE_MAX);
    void *third = allocate(3000);
    release(before);
    release(second);
    release(third);
}

TEST(memory_from_the_c_library_can_be_used)
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
    pool = (struct pool){.limit = SIZE_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *memory = allocate(sizes[i]);
        ck_assert(is_aligned(memory));
        memset(memory, 0xFF, sizes[i]);
        release(memory);
        pool_empty(&pool);
    }
}

// --- Memory kept ---

TEST(released_memory_is_handed_out_again)
{
    void *first = allocate(1000);
    void *second = allocate(1000);
    ck_assert_ptr_ne(first, second);
    release(first);
    ck_assert_uint_eq(pool.kept_count, 1);
    ck_assert_uint_eq(pool.kept_bytes, 1000);
    ck_assert_ptr_eq(allocate(900), first);
    ck_assert_uint_eq(pool.kept_count, 0);
    ck_assert_uint_eq(pool.kept_bytes, 0);
    ck_assert_uint_eq(source.request_count, 2);
    // It has not become smaller for that.
    release(first);
    ck_assert_ptr_eq(allocate(1000), first);
    ck_assert_uint_eq(source.request_count, 2);
    release(first);
    release(second);
}

TEST(what_fits_best_is_handed_out)
{
    static const size_t sizes[] = {300, 100, 250, 200};
    void *blocks[COUNT(sizes)];
    for (size_t i = 0; i < COUNT(sizes); i++)
        blocks[i] = allocate(sizes[i]);
    for (size_t i = 0; i < COUNT(sizes); i++)
        release(blocks[i]);
    ck_assert_ptr_eq(allocate(150), blocks[3]);
    ck_assert_ptr_eq(allocate(150), blocks[2]);
    ck_assert_ptr_eq(allocate(100), blocks[1]);
    ck_assert_ptr_eq(allocate(150), blocks[0]);
    ck_assert_uint_eq(source.request_count, COUNT(sizes));
    for (size_t i = 0; i < COUNT(sizes); i++)
        release(blocks[i]);
}

// A block is handed out for a quarter of its size, but not for a hundredth,
// and never for more than it has.
TEST(what_is_too_small_or_far_too_large_is_not_handed_out)
{
    enum { SIZE = 10000 };
    for (size_t bytes = 1; bytes < 2 * (size_t)SIZE; bytes++) {
        release(allocate(SIZE));
        size_t before = source.request_count;
        unsigned char *memory = allocate(bytes);
        memory[bytes - 1] = 0xFF;
        bool same = source.request_count == before;
        if (bytes >= SIZE / 4 && bytes <= SIZE && !same)
            ck_abort_msg("%zu bytes are from the source", bytes);
        if ((bytes > SIZE || bytes <= SIZE / 100) && same)
            ck_abort_msg("%zu bytes are what was kept", bytes);
        release(memory);
        pool_empty(&pool);
    }
}

// --- Limits ---

static const struct {
    size_t count; // of blocks that are allocated, then released
    size_t bytes; // of each
    size_t kept_count;
} kept[] = {
    {POOL_KEPT_BLOCKS, 100, POOL_KEPT_BLOCKS},
    {POOL_KEPT_BLOCKS + 1, 100, POOL_KEPT_BLOCKS},
    {40, 100, POOL_KEPT_BLOCKS},
    {1, POOL_KEPT_BYTES, 1},
    {2, POOL_KEPT_BYTES, 1},
    {4, POOL_KEPT_BYTES / 4, 4},
    {5, POOL_KEPT_BYTES / 4, 4},
    {5, POOL_KEPT_BYTES / 4 + 1, 3},
    {1, POOL_KEPT_BYTES + 1, 0},
    {3, 2 * (size_t)POOL_KEPT_BYTES, 0},
};

LOOP_TEST(what_is_kept_has_a_limit, COUNT(kept))
{
    const size_t bytes = kept[_i].bytes;
    const size_t expected = kept[_i].kept_count;
    void *blocks[40];
    for (size_t i = 0; i < kept[_i].count; i++)
        blocks[i] = allocate(bytes);
    for (size_t i = 0; i < kept[_i].count; i++)
        release(blocks[i]);
    ck_assert_uint_eq(pool.kept_count, expected);
    ck_assert_uint_eq(pool.kept_bytes, expected * bytes);
    ck_assert_uint_eq(source.in_use, expected * (bytes + overhead));
}

TEST(what_is_too_large_to_keep_leaves_the_rest_alone)
{
    void *large = allocate((size_t)POOL_KEPT_BYTES + 1);
    void *small = allocate(1000);
    release(small);
    release(large);
    ck_assert_uint_eq(pool.kept_count, 1);
    ck_assert_uint_eq(source.in_use, 1000 + overhead);
    ck_assert_ptr_eq(allocate(1000), small);
    release(small);
    // But it is given back when memory is short.
    source.refused_request = source.request_count + 1;
    large = allocate(2000);
    ck_assert_uint_eq(pool.kept_count, 0);
    ck_assert_uint_eq(source.in_use, 2000 + overhead);
    release(large);
}

// --- At random ---

struct user {
    unsigned char *memory; // NULL: it has none
    size_t bytes;
    unsigned char mark; // what its memory is filled with
};

static void begin_use(struct random_stream *stream, struct user *user)
{
    size_t most = (size_t)1 << random_below(stream, 23);
    user->bytes = 1 + random_below(stream, (uint32_t)most);
    user->mark = (unsigned char)random_below(stream, 256);
    user->memory = allocate(user->bytes);
    ck_assert(is_aligned(user->memory));
    memset(user->memory, user->mark, user->bytes);
}

static void end_use(struct user *user)
{
    bool untouched =
        user->memory[0] == user->mark &&
        memcmp(user->memory, user->memory + 1, user->bytes - 1) == 0;
    ck_assert_msg(untouched, "%zu bytes are somebody else's", user->bytes);
    release(user->memory);
    user->memory = NULL;
}

LOOP_TEST(users_do_not_meet, 3)
{
    enum { USERS = 40, STEPS = 4000 };
    struct random_stream stream = {(uint64_t)_i};
    struct user users[USERS] = {{0}};
    for (int s = 0; s < STEPS; s++) {
        struct user *user = &users[random_below(&stream, USERS)];
        if (user->memory)
            end_use(user);
        else
            begin_use(&stream, user);
        ck_assert(pool.kept_count <= POOL_KEPT_BLOCKS &&
                  pool.kept_bytes <= POOL_KEPT_BYTES);
    }
    ck_assert_uint_lt(source.request_count, STEPS / 2);
    for (size_t i = 0; i < USERS; i++)
        if (users[i].memory)
            end_use(&users[i]);
    ck_assert_uint_eq(source.in_use,
                      pool.kept_bytes + pool.kept_count * overhead);
}

int main(void)
{
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_up, close_pool);
    return run_tests(tests);
}
