// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the arena hands out memory that is nobody else's, aligned and
// large enough, that it grows to what builds need and is kept for the next one,
// that the limit holds for all of it, and does not depend on what was built
// before; and that all of it goes back in the end.

#include "arena.h"

#include "context-for-tests.h"
#include "random-map.h"

#include <stdalign.h>
#include <string.h>

enum { MEBIBYTE = 1 << 20 };

// Where the arena's memory is from, counted.  Every test begins with both
// empty, and ends so when the arena is emptied.
static struct test_host source;
static struct arena arena;

static void set_up(void)
{
    source = (struct test_host){0};
    arena = (struct arena){
        .user = &source, .allocate = test_allocate, .release = test_release};
    arena_limit(&arena, SIZE_MAX);
}

static void close_arena(void)
{
    arena_empty(&arena);
    ck_assert_uint_eq(arena.used_bytes, 0);
    ck_assert_uint_eq(source.in_use, 0);
}

static void *allocate(size_t bytes)
{
    void *memory = arena_allocate(&arena, bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void release(void *memory)
{
    arena_release(&arena, memory);
}

static bool is_aligned(const void *memory)
{
    return (uintptr_t)memory % alignof(max_align_t) == 0;
}

// --- Memory handed out ---

TEST(no_memory_is_told_and_not_the_limits_doing)
{
    // The arena needs some bytes of its own, with which these are too many.
    for (size_t less = 0; less < 8; less++)
        ck_assert_ptr_null(arena_allocate(&arena, SIZE_MAX - less));
    ck_assert_uint_eq(source.request_count, 0);
    arena_limit(&arena, 500); // too little to keep any
    source.refused_request = 1;
    ck_assert_ptr_null(arena_allocate(&arena, 100));
    ck_assert(!arena.met_limit);
    release(allocate(100));
}

TEST(memory_from_the_c_library_can_be_used)
{
    static const size_t sizes[] = {1, 4000, 2 * MEBIBYTE, 5 * MEBIBYTE + 1,
                                   (size_t)ARENA_MOST_BYTES + 1};
    arena = (struct arena){.user = NULL};
    arena_limit(&arena, SIZE_MAX);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *memory = allocate(sizes[i]);
        ck_assert(is_aligned(memory));
        memset(memory, 0xFF, sizes[i]);
        release(memory);
        arena_empty(&arena);
    }
}

// --- Memory kept ---

// Three blocks, of which the one in the middle is released first.
static void build(size_t bytes)
{
    void *first = allocate(bytes), *second = allocate(bytes);
    void *third = allocate(bytes);
    release(second);
    release(third);
    release(first);
}

LOOP_TEST(what_was_enough_once_is_enough_again, 23)
{
    const size_t bytes = (size_t)3 << _i;
    build(bytes);
    build(bytes);
    const size_t requests = source.request_count;
    const bool is_kept = 3 * bytes <= ARENA_MOST_BYTES - 1000;
    build(bytes);
    build(bytes / 2);
    ck_assert(is_kept == (source.request_count == requests) || !is_kept);
    ck_assert_uint_eq(arena.used_bytes, 0);
    ck_assert_uint_eq(source.in_use, arena.size);
    ck_assert_uint_le(arena.size, ARENA_MOST_BYTES);
}

TEST(what_a_host_holds_stays_and_the_rest_is_used)
{
    build(100000);
    build(100000);
    unsigned char *held = allocate(1000);
    memset(held, 0x5A, 1000);
    const size_t requests = source.request_count;
    for (int i = 0; i < 5; i++)
        build(90000);
    ck_assert_uint_eq(source.request_count, requests);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(held[i], 0x5A);
    release(held);
}

TEST(what_is_kept_gives_way_when_memory_is_short)
{
    build(100000);
    build(100000);
    ck_assert_uint_gt(arena.size, 300000);
    source.refused_request = source.request_count + 1;
    void *large = allocate(4 * (size_t)MEBIBYTE);
    ck_assert_uint_eq(arena.size, 0);
    release(large);
}

// --- The limit ---

// All that there is at the source is within the limit, and how much can be had
// does not depend on what was built before.
LOOP_TEST(limit_holds_for_all_that_is_held, 15)
{
    const size_t limit = (size_t)1000 << _i;
    size_t most = 0;
    for (size_t before = 0; before < 4; before++) {
        arena_limit(&arena, SIZE_MAX);
        if (before > 0)
            build(limit / 16 * before);
        void *blocks[64];
        size_t count = 0, held = source.in_use;
        arena_limit(&arena, limit);
        while (count < COUNT(blocks) &&
               (blocks[count] = arena_allocate(&arena, limit / 50)) != NULL)
            count++;
        held = source.in_use;
        ck_assert(arena.met_limit);
        ck_assert_uint_le(held, limit);
        ck_assert(before == 0 || count == most);
        most = count;
        while (count > 0)
            release(blocks[--count]);
    }
    ck_assert_uint_ge(most, limit < 100000 ? 10 : 46);
}

TEST(limit_is_beside_what_is_in_use)
{
    void *before = allocate(100000);
    arena_limit(&arena, 50000);
    ck_assert_ptr_null(arena_allocate(&arena, 50000));
    ck_assert(arena.met_limit);
    void *after = allocate(40000);
    ck_assert(!arena.met_limit);
    release(before);
    release(after);
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
        if (s % 500 == 499) // a build ends
            for (size_t i = 0; i < USERS; i++)
                if (users[i].memory)
                    end_use(&users[i]);
    }
    for (size_t i = 0; i < USERS; i++)
        if (users[i].memory)
            end_use(&users[i]);
    ck_assert_uint_gt(arena.size, 0);
    ck_assert_uint_eq(source.in_use, arena.size);
}

int main(void)
{
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_up, close_arena);
    return run_tests(tests);
}
