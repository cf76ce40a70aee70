// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves, word for word, how each packing lays lists out, and that the lists
// are used up by it, whatever comes of it.

#include "context-for-tests.h"
#include "pack/pack.h"

#include <string.h>

// Blocks with the lists: none, 1 70000, none, 7, 1 70000.
static const uint32_t list_words[] = {
    LIST_HEADER, LIST_END,                     // at 0
    LIST_HEADER, 1,        70000,    LIST_END, // at 2
    LIST_HEADER, 7,        LIST_END,           // at 6
};
static const uint32_t start[] = {0, 2, 6, 9};
static const uint32_t place[] = {0, 2, 0, 6, 2};

static uint32_t *copy(const uint32_t *words, size_t count)
{
    uint32_t *copied;
    ck_assert_int_eq(
        context_allocate(&test_context, count, sizeof *words, &copied),
        NBSTAGE_OK);
    memcpy(copied, words, count * sizeof *words);
    return copied;
}

// Words with the room that lists have before them.
static uint32_t *copy_with_room(const uint32_t *words, size_t count,
                                size_t block_count)
{
    uint32_t *memory;
    size_t room = LISTS_ROOM(block_count);
    ck_assert_int_eq(
        context_allocate(&test_context, room + count, sizeof *words, &memory),
        NBSTAGE_OK);
    memcpy(memory + room, words, count * sizeof *words);
    return memory;
}

static struct lists make_lists(void)
{
    uint32_t *memory =
        copy_with_room(list_words, COUNT(list_words), COUNT(place));
    return (struct lists){
        .words = memory + LISTS_ROOM(COUNT(place)),
        .memory = memory,
        .start = copy(start, COUNT(start)),
        .list_count = COUNT(start) - 1,
        .place = copy(place, COUNT(place)),
        .block_count = COUNT(place),
        .entry_count = 5,
    };
}

static void assert_used_up(const struct lists *lists)
{
    ck_assert(!lists->words && !lists->start && !lists->place);
    ck_assert_uint_eq(lists->list_count, 0);
    ck_assert_uint_eq(lists->block_count, 0);
}

static const struct pack_form none_zero = {PACK_NONE, HEADER_ZERO};
static const struct pack_form share_zero = {PACK_SHARE, HEADER_ZERO};

static void assert_area(const struct list_area *area, const uint32_t *offset,
                        const uint32_t *words, size_t word_count)
{
    ck_assert_uint_eq(area->block_count, COUNT(place));
    ck_assert_mem_eq(area->offset, offset, sizeof place);
    ck_assert_uint_eq(area->word_count, word_count);
    ck_assert_mem_eq(area->words, words, word_count * sizeof *words);
}

START_TEST(none_stores_a_list_for_every_block)
{
    static const uint32_t offset[] = {0, 2, 6, 8, 11};
    static const uint32_t words[] = {
        0, LIST_END,                     // block 0
        0, 1,        70000,    LIST_END, // block 1
        0, LIST_END,                     // block 2
        0, 7,        LIST_END,           // block 3
        0, 1,        70000,    LIST_END, // block 4
    };
    struct lists lists = make_lists();
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &lists, none_zero, &area),
                     NBSTAGE_OK);
    assert_used_up(&lists);
    assert_area(&area, offset, words, COUNT(words));
    ck_assert_uint_eq(area.stored_count, 5);
    ck_assert_uint_eq(area.largest_offset, 11);
    list_area_free(&test_context, &area);
}
END_TEST

START_TEST(share_stores_equal_lists_once)
{
    static const uint32_t offset[] = {0, 2, 0, 6, 2};
    static const uint32_t words[] = {
        0, LIST_END,                     // blocks 0 and 2
        0, 1,        70000,    LIST_END, // blocks 1 and 4
        0, 7,        LIST_END,           // block 3
    };
    struct lists lists = make_lists();
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &lists, share_zero, &area),
                     NBSTAGE_OK);
    assert_used_up(&lists);
    assert_area(&area, offset, words, COUNT(words));
    ck_assert_uint_eq(area.stored_count, 3);
    ck_assert_uint_eq(area.largest_offset, 6);
    list_area_free(&test_context, &area);
}
END_TEST

START_TEST(share_takes_the_memory_of_the_lists)
{
    struct lists lists = make_lists();
    struct list_area area;
    const uint32_t *words = lists.words;
    const uint32_t *offset = lists.place;
    test_host.request_count = 0;
    ck_assert_int_eq(pack_lists(&test_context, &lists, share_zero, &area),
                     NBSTAGE_OK);
    ck_assert_uint_eq(test_host.request_count, 0);
    ck_assert_ptr_eq(area.words, words);
    ck_assert_ptr_eq(area.offset, offset);
    list_area_free(&test_context, &area);
}
END_TEST

static const struct pack_form forms[] = {
    {PACK_NONE, HEADER_ZERO}, {PACK_SHARE, HEADER_ZERO},
    {PACK_NEST, HEADER_ZERO}, {PACK_COVER, HEADER_ZERO},
    {PACK_SHARE, HEADER_ANY}, {PACK_NONE, HEADER_ANY},
};

START_TEST(one_empty_block_is_two_words)
{
    static const uint32_t only[] = {LIST_HEADER, LIST_END};
    static const uint32_t only_start[] = {0, 2};
    uint32_t *memory = copy_with_room(only, COUNT(only), 1);
    struct lists empty = {.words = memory + LISTS_ROOM(1),
                          .memory = memory,
                          .start = copy(only_start, 2),
                          .list_count = 1,
                          .place = copy(only_start, 1),
                          .block_count = 1};
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &empty, forms[_i], &area),
                     NBSTAGE_OK);
    ck_assert_uint_eq(area.offset[0], 0);
    ck_assert_uint_eq(area.largest_offset, 0);
    ck_assert_uint_eq(area.stored_count, 1);
    ck_assert_uint_eq(area.word_count, 2);
    ck_assert_uint_eq(area.words[0], 0);
    ck_assert_uint_eq(area.words[1], LIST_END);
    list_area_free(&test_context, &area);
}
END_TEST

START_TEST(out_of_memory_leaves_nothing_behind)
{
    enum { NEEDED = 2 };
    for (size_t n = 1; n <= NEEDED; n++) {
        struct lists lists = make_lists();
        struct list_area area;
        test_host.request_count = 0;
        test_host.refused_request = n;
        ck_assert_int_eq(pack_lists(&test_context, &lists, none_zero, &area),
                         NBSTAGE_OUT_OF_MEMORY);
        test_host.refused_request = 0;
        assert_used_up(&lists);
        ck_assert(!area.words && !area.offset);
        ck_assert_ptr_null(test_host.blocks);
    }
}
END_TEST

// So many touches do not fit a test, so they are only said to be there.
START_TEST(more_words_than_can_be_numbered_are_refused)
{
    struct lists lists = make_lists();
    struct list_area area;
    lists.entry_count = UINT32_MAX;
    ck_assert_int_eq(pack_lists(&test_context, &lists, none_zero, &area),
                     NBSTAGE_OVER_LIMIT);
    // Two words more for each of five blocks.
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "4294967305",
                 "4294967295");
    assert_used_up(&lists);
    ck_assert(!area.words && !area.offset);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("pack");
    tcase_add_test(tests, none_stores_a_list_for_every_block);
    tcase_add_test(tests, share_stores_equal_lists_once);
    tcase_add_test(tests, share_takes_the_memory_of_the_lists);
    tcase_add_loop_test(tests, one_empty_block_is_two_words, 0, COUNT(forms));
    tcase_add_test(tests, out_of_memory_leaves_nothing_behind);
    tcase_add_test(tests, more_words_than_can_be_numbered_are_refused);
    return run_tests(tests);
}
