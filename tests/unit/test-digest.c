// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what lists rely on: that digests count lines, that a line has the
// digest of a plain formula however many are asked for at once, and that every
// salt makes others.  What becomes of lists with equal digests is in
// test-lists.

#include "base/digest.h"
#include "context-for-tests.h"

#include <string.h>

// --- Lengths ---

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

// --- One line at a time ---

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
