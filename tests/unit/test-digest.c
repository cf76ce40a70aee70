// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what lists rely on: that digests count lines, that a line has the
// digest of a plain formula however many are asked for at once, and that lists
// which differ have digests that differ, with every salt.

#include "base/digest.h"
#include "context-for-tests.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lengths

static const struct {
    size_t line_count;
    uint64_t length_mask;
} forms[] = {
    {1, 1},         {2, 3},          {3, 3},
    {4, 7},         {255, 255},      {256, 511},
    {65535, 65535}, {65536, 131071}, {16000000, 16777215},
};

LOOP_TEST(low_bits_have_room_for_every_line, COUNT(forms))
{
    for (uint32_t salt = 0; salt < 4; salt++) {
        struct digest_form form = digest_form(forms[_i].line_count, salt);
        ck_assert_uint_eq(form.length_mask, forms[_i].length_mask);
        ck_assert_uint_eq(form.factor & 1, 1);
    }
}

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

// ---------------------------------------------------------------------------
// One line at a time

// The digest of a line by nothing but its number.
static uint64_t plain_digest(struct digest_form form, uint64_t line)
{
    uint64_t digest = (line + 1) * form.factor;
    digest ^= digest >> 29;
    digest ^= digest << 32;
    return (digest & ~form.length_mask) + 1;
}

LOOP_TEST(any_number_of_lines_is_as_each_alone, 4)
{
    enum { MOST = 300, GUARD = 0x77 };
    static const size_t first_lines[] = {0, 1, 255, 256, 65535, 15999744};
    struct digest_form form = digest_form(16000000, (uint32_t)_i);
    for (size_t f = 0; f < COUNT(first_lines); f++) {
        for (size_t count = 0; count <= MOST; count++) {
            uint64_t digests[MOST + 1];
            memset(digests, GUARD, sizeof digests);
            digest_lines(form, first_lines[f], count, digests);
            bool equal = digests[count] == UINT64_C(0x7777777777777777);
            for (size_t i = 0; i < count; i++)
                equal = equal &&
                        digests[i] == plain_digest(form, first_lines[f] + i);
            ck_assert_msg(equal, "%zu lines from %zu", count, first_lines[f]);
        }
    }
}

// ---------------------------------------------------------------------------
// Lists that differ

enum {
    MOST_LINES = 6,
    LIST_SALTS = SLOWNESS == 1 ? 3 : 1,
};

struct list {
    uint64_t digest;
    size_t length;
    uint32_t lines[MOST_LINES]; // ascending
};

static int compare_lists(const void *left, const void *right)
{
    const struct list *a = left;
    const struct list *b = right;
    return (a->digest > b->digest) - (a->digest < b->digest);
}

static bool are_equal(const struct list *a, const struct list *b)
{
    return a->length == b->length &&
           memcmp(a->lines, b->lines, sizeof a->lines) == 0;
}

// Gives lists of the first `line_count` lines their digests, and checks that
// equal digests are those of equal lists.  Frees the lists.
static void assert_digests_differ(struct list *lists, size_t count,
                                  size_t line_count, uint32_t salt)
{
    struct digest_form form = digest_form(line_count, salt);
    uint64_t *of_line = calloc(line_count, sizeof *of_line);
    ck_assert_ptr_nonnull(of_line);
    digest_lines(form, 0, line_count, of_line);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lists[i].length; j++)
            lists[i].digest += of_line[lists[i].lines[j]];
    free(of_line);
    qsort(lists, count, sizeof *lists, compare_lists);
    for (size_t i = 1; i < count; i++)
        if (lists[i - 1].digest == lists[i].digest &&
            !are_equal(&lists[i - 1], &lists[i]))
            ck_abort_msg("lists of %zu and %zu lines, from %u and %u on, have "
                         "one digest",
                         lists[i - 1].length, lists[i].length,
                         lists[i - 1].lines[0], lists[i].lines[0]);
    free(lists);
}

static struct list random_list(struct random_stream *stream,
                               uint32_t line_count, uint32_t gap)
{
    struct list list = {0};
    uint32_t most = 1 + random_below(stream, MOST_LINES);
    for (uint32_t line = random_below(stream, line_count);
         line < line_count && list.length < most;
         line += 1 + random_below(stream, gap))
        list.lines[list.length++] = line;
    return list;
}

// What lists are made of: few lines in all, or neighbours among many.
static const struct {
    uint32_t line_count, gap;
} families[] = {{26, 8},     {130, 40},    {800, 300},    {65535, 4},
                {65535, 40}, {65535, 400}, {65535, 20000}};

LOOP_TEST(random_lists_differ, COUNT(families))
{
    enum { LISTS = 200000 / SLOWNESS };
    const uint32_t line_count = families[_i].line_count;
    struct random_stream stream = {(uint64_t)_i};
    for (uint32_t salt = 0; salt < LIST_SALTS; salt++) {
        struct list *lists = calloc(LISTS, sizeof *lists);
        ck_assert_ptr_nonnull(lists);
        for (size_t i = 0; i < LISTS; i++)
            lists[i] = random_list(&stream, line_count, families[_i].gap);
        assert_digests_differ(lists, LISTS, line_count, salt);
    }
}

// So what is equal by accident with one salt is not with the next.
TEST(salts_make_other_digests)
{
    enum { SALTS = 4, LINES = 10000 };
    static uint64_t digests[SALTS][LINES];
    for (uint32_t salt = 0; salt < SALTS; salt++)
        digest_lines(digest_form(LINES, salt), 0, LINES, digests[salt]);
    size_t equal = 0;
    for (size_t i = 0; i < LINES; i++)
        for (size_t a = 0; a < SALTS; a++)
            for (size_t b = 0; b < a; b++)
                equal += digests[a][i] == digests[b][i];
    ck_assert_uint_eq(equal, 0);
}

int main(void)
{
    return run_tests(all_tests());
}
