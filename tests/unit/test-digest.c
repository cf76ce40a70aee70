// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what lists rely on: that digests count lines, that those of lines are
// different, also by their sums, whatever maps came before, and that every salt
// makes others.  What becomes of lists with equal digests is in test-lists.

#include "base/digest.h"
#include "context-for-tests.h"

#include <stdlib.h>

static const struct {
    size_t line_count;
    uint64_t length_mask;
} masks[] = {
    {1, 65535},
    {65535, 65535},
    {65536, 131071},
    {16000000, 16777215},
};

static uint64_t digest_of(const struct digests *digests, size_t line)
{
    return digests->of_place[line % DIGEST_GROUP] *
           digest_of_group(digests, line / DIGEST_GROUP);
}

LOOP_TEST(low_bits_count_every_line, COUNT(masks))
{
    for (uint32_t salt = 0; salt < 4; salt++) {
        struct digests digests = {.length_mask = 0};
        uint64_t sum = 0;
        digests_make(&digests, masks[_i].line_count, salt);
        ck_assert_uint_eq(digests.length_mask, masks[_i].length_mask);
        for (size_t i = 0; i < masks[_i].line_count; i++)
            sum += digest_of(&digests, i);
        ck_assert_uint_eq(sum & digests.length_mask, masks[_i].line_count);
    }
}

static int compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static size_t count_equal(uint64_t *numbers, size_t count)
{
    size_t equal = 0;
    qsort(numbers, count, sizeof *numbers, compare);
    for (size_t i = 1; i < count; i++)
        equal += numbers[i] == numbers[i - 1];
    return equal;
}

// No two lines have the same digest, and no two pairs of the first lines of
// groups the same sum.
LOOP_TEST(lists_of_one_and_two_lines_differ, 4)
{
    enum { LINES = 200000, EACH = 8, GROUPS = 60 };
    static uint64_t numbers[LINES];
    struct digests digests = {.length_mask = 0};
    size_t count = 0;
    digests_make(&digests, LINES, (uint32_t)_i);
    for (size_t i = 0; i < LINES; i++)
        numbers[i] = digest_of(&digests, i);
    ck_assert_uint_eq(count_equal(numbers, LINES), 0);
    for (size_t a = 0; a < EACH * GROUPS; a++)
        for (size_t b = 0; b < a; b++)
            numbers[count++] =
                digest_of(&digests, a / EACH * DIGEST_GROUP + a % EACH) +
                digest_of(&digests, b / EACH * DIGEST_GROUP + b % EACH);
    ck_assert_uint_eq(count_equal(numbers, count), 0);
}

// So what is equal by accident with one salt is not with the next.
TEST(salts_make_other_digests)
{
    enum { SALTS = 4, LINES = 10000 };
    static uint64_t numbers[SALTS * LINES];
    for (uint32_t salt = 0; salt < SALTS; salt++) {
        struct digests digests = {.length_mask = 0};
        digests_make(&digests, LINES, salt);
        for (size_t i = 0; i < LINES; i++)
            numbers[salt * LINES + i] = digest_of(&digests, i);
    }
    ck_assert_uint_eq(count_equal(numbers, COUNT(numbers)), 0);
}

// What is kept is that of another map only if it would be made the same.
TEST(what_is_kept_makes_no_difference)
{
    struct digests kept = {.length_mask = 0};
    for (uint32_t i = 0; i < 60; i++) {
        const size_t line_count = masks[i * 7 % COUNT(masks)].line_count;
        struct digests fresh = {.length_mask = 0};
        digests_make(&kept, line_count, i / 4 % 3);
        digests_make(&fresh, line_count, i / 4 % 3);
        for (size_t line = 0; line < 2000; line++)
            ck_assert_uint_eq(digest_of(&kept, line), digest_of(&fresh, line));
    }
}

// --- Tables ---

TEST(slots_are_the_upper_bits)
{
    const struct digest_table small = {2, 63};
    const struct digest_table large = {1 << 16, 48};
    ck_assert_uint_eq(digest_slot(small, UINT64_MAX), 1);
    ck_assert_uint_eq(digest_slot(small, UINT64_MAX >> 1), 0);
    ck_assert_uint_eq(digest_slot(large, UINT64_C(0xABCD) << 48), 0xABCD);
    ck_assert_uint_eq(digest_next_slot(large, 0xABCD), 0xABCE);
    ck_assert_uint_eq(digest_next_slot(large, 0xFFFF), 0);
}

TEST(tables_have_twice_the_room)
{
    for (size_t count = 0; count < 5000; count++) {
        struct digest_table table = digest_table(count);
        ck_assert_uint_ge(table.slot_count, 2);
        ck_assert_uint_ge(table.slot_count, 2 * count);
        ck_assert(count < 2 || table.slot_count < 4 * count);
        ck_assert(table.slot_count == (size_t)1 << (64 - table.shift));
    }
}
