// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves, word for word, how each packing lays lists out.

#include "context-for-tests.h"
#include "pack.h"

// Blocks with the lists: none, 1 70000, none, 7, 1 70000.
static uint32_t list_of_block[] = {0, 1, 0, 2, 1};
static uint32_t linedefs[] = {1, 70000, 7};
static size_t start[] = {0, 0, 2, 3};
static const struct lists lists = {
    .list_of_block = list_of_block,
    .block_count = COUNT(list_of_block),
    .linedefs = linedefs,
    .start = start,
    .list_count = 3,
    .touch_count = 5,
};

static void assert_area(const struct list_area *area, const size_t *offset,
                        const uint32_t *words, size_t word_count)
{
    ck_assert_uint_eq(area->block_count, lists.block_count);
    for (size_t b = 0; b < area->block_count; b++)
        ck_assert_uint_eq(area->offset[b], offset[b]);
    ck_assert_uint_eq(area->word_count, word_count);
    for (size_t w = 0; w < word_count; w++)
        ck_assert_uint_eq(area->words[w], words[w]);
}

START_TEST(none_stores_a_list_for_every_block)
{
    static const size_t offset[] = {0, 2, 6, 8, 11};
    static const uint32_t words[] = {
        0, LIST_END,                     // block 0
        0, 1,        70000,    LIST_END, // block 1
        0, LIST_END,                     // block 2
        0, 7,        LIST_END,           // block 3
        0, 1,        70000,    LIST_END, // block 4
    };
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &lists, PACK_NONE, &area),
                     STATUS_OK);
    assert_area(&area, offset, words, COUNT(words));
    ck_assert_uint_eq(area.stored_count, 5);
    list_area_free(&test_context, &area);
}
END_TEST

START_TEST(share_stores_equal_lists_once)
{
    static const size_t offset[] = {0, 2, 0, 6, 2};
    static const uint32_t words[] = {
        0, LIST_END,                     // blocks 0 and 2
        0, 1,        70000,    LIST_END, // blocks 1 and 4
        0, 7,        LIST_END,           // block 3
    };
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &lists, PACK_SHARE, &area),
                     STATUS_OK);
    assert_area(&area, offset, words, COUNT(words));
    ck_assert_uint_eq(area.stored_count, 3);
    list_area_free(&test_context, &area);
}
END_TEST

START_TEST(one_empty_block_is_two_words)
{
    uint32_t only_list[] = {0};
    size_t only_start[] = {0, 0};
    const struct lists empty = {.list_of_block = only_list,
                                .block_count = 1,
                                .start = only_start,
                                .list_count = 1};
    static const enum pack_mode modes[] = {PACK_NONE, PACK_SHARE};
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &empty, modes[_i], &area),
                     STATUS_OK);
    ck_assert_uint_eq(area.offset[0], 0);
    ck_assert_uint_eq(area.word_count, 2);
    ck_assert_uint_eq(area.words[0], 0);
    ck_assert_uint_eq(area.words[1], LIST_END);
    list_area_free(&test_context, &area);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("pack");
    tcase_add_test(tests, none_stores_a_list_for_every_block);
    tcase_add_test(tests, share_stores_equal_lists_once);
    tcase_add_loop_test(tests, one_empty_block_is_two_words, 0, 2);
    return run_tests(tests);
}
