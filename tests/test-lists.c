// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that runs become the right list for each block, that equal lists are
// told once, and that lists which merely look equal are not taken for it.

#include "context-for-tests.h"
#include "lists.h"

// Builds the lists of runs, for blocks of a grid at 0,0.
static struct lists build(uint32_t columns, uint32_t rows, struct run *runs,
                          size_t *row_start)
{
    const struct grid grid = {0, 0, columns, rows};
    const struct sweep sweep = {
        .runs = runs, .row_start = row_start, .row_count = rows};
    struct lists lists;
    ck_assert_int_eq(lists_build(&test_context, &grid, &sweep, &lists),
                     STATUS_OK);
    ck_assert_uint_eq(lists.block_count, (size_t)columns * rows);
    return lists;
}

static void assert_list(const struct lists *lists, size_t block,
                        const uint32_t *linedefs, size_t length)
{
    uint32_t list = lists->list_of_block[block];
    ck_assert_uint_lt(list, lists->list_count);
    ck_assert_uint_eq(lists_length(lists, list), length);
    for (size_t i = 0; i < length; i++)
        ck_assert_uint_eq(lists->linedefs[lists->start[list] + i], linedefs[i]);
}

#define LIST(...) \
    (const uint32_t[]){__VA_ARGS__}, COUNT(((uint32_t[]){__VA_ARGS__}))
#define EMPTY_LIST NULL, 0

static void assert_list_of_blocks(const struct lists *lists,
                                  const uint32_t *list_of_block)
{
    for (size_t b = 0; b < lists->block_count; b++)
        ck_assert_uint_eq(lists->list_of_block[b], list_of_block[b]);
}

START_TEST(blocks_list_the_lines_of_their_runs)
{
    struct run runs[] = {
        {0, 0, 383},
        {2, 127, 128},
        {9, 256, 256}, // row 0
        {2, 0, 0},     // row 1
    };
    size_t row_start[] = {0, 3, 4};
    struct lists lists = build(3, 2, runs, row_start);
    assert_list(&lists, 0, LIST(0, 2));
    assert_list(&lists, 1, LIST(0, 2));
    assert_list(&lists, 2, LIST(0, 9));
    assert_list(&lists, 3, LIST(2));
    assert_list(&lists, 4, EMPTY_LIST);
    assert_list(&lists, 5, EMPTY_LIST);
    ck_assert_uint_eq(lists.touch_count, 7);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(equal_lists_are_told_once)
{
    struct run runs[] = {
        {4, 0, 0},     {5, 0, 0},     // row 0: 4 5, none, none
        {4, 256, 256}, {5, 256, 256}, // row 1: none, none, 4 5
        {4, 0, 300},                  // row 2: 4, 4, 4
    };
    size_t row_start[] = {0, 2, 4, 5};
    struct lists lists = build(3, 3, runs, row_start);
    ck_assert_uint_eq(lists.list_count, 3);
    assert_list_of_blocks(&lists, (uint32_t[]){0, 1, 1, 1, 1, 0, 2, 2, 2});
    assert_list(&lists, 0, LIST(4, 5));
    assert_list(&lists, 1, EMPTY_LIST);
    assert_list(&lists, 6, LIST(4));
    ck_assert_uint_eq(lists.touch_count, 7);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(blocks_without_lines_share_one_empty_list)
{
    struct run runs[] = {{5, 130, 130}};
    size_t row_start[] = {0, 0, 1, 1};
    struct lists lists = build(2, 3, runs, row_start);
    ck_assert_uint_eq(lists.list_count, 2);
    ck_assert_uint_eq(lists_length(&lists, 0), 0);
    assert_list_of_blocks(&lists, (uint32_t[]){0, 0, 0, 1, 0, 0});
    assert_list(&lists, 3, LIST(5));
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(lists_with_a_common_start_are_different)
{
    struct run runs[] = {{1, 0, 383}, {2, 128, 383}, {3, 256, 383}};
    size_t row_start[] = {0, 3};
    struct lists lists = build(3, 1, runs, row_start);
    ck_assert_uint_eq(lists.list_count, 3);
    assert_list(&lists, 0, LIST(1));
    assert_list(&lists, 1, LIST(1, 2));
    assert_list(&lists, 2, LIST(1, 2, 3));
    lists_free(&test_context, &lists);
}
END_TEST

// The signatures of these two lists are equal sums, found by search.
START_TEST(lists_of_equal_signature_are_different)
{
    struct run runs[] = {
        {5048, 0, 0},      {12969, 0, 0},     {18805, 128, 128},
        {24682, 128, 128}, {37859, 128, 128}, {45536, 128, 128},
        {56737, 0, 0},     {62685, 0, 0},
    };
    size_t row_start[] = {0, COUNT(runs)};
    struct lists lists = build(2, 1, runs, row_start);
    ck_assert_uint_eq(lists.list_count, 2);
    assert_list(&lists, 0, LIST(5048, 12969, 56737, 62685));
    assert_list(&lists, 1, LIST(18805, 24682, 37859, 45536));
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(columns_begin_at_the_origin)
{
    struct run runs[] = {{6, -8, 119}, {7, 120, 120}, {8, 375, 375}};
    size_t row_start[] = {0, COUNT(runs)};
    const struct grid grid = {-8, 500, 3, 1};
    const struct sweep sweep = {runs, row_start, 1};
    struct lists lists;
    ck_assert_int_eq(lists_build(&test_context, &grid, &sweep, &lists),
                     STATUS_OK);
    assert_list(&lists, 0, LIST(6));
    assert_list(&lists, 1, LIST(7));
    assert_list(&lists, 2, LIST(8));
    lists_free(&test_context, &lists);
}
END_TEST

// A grid as wide as can be, with a list of its own for every block, twice.
START_TEST(many_lists_are_told_apart)
{
    struct run runs[2 * GRID_MAX_SIDE];
    for (int i = 0; i < 2 * GRID_MAX_SIDE; i++) {
        int16_t x = (int16_t)(INT16_MIN + i % GRID_MAX_SIDE * BLOCK_SIZE);
        runs[i] = (struct run){(uint32_t)(i % GRID_MAX_SIDE), x, x};
    }
    size_t row_start[] = {0, GRID_MAX_SIDE, 2 * GRID_MAX_SIDE};
    const struct grid grid = {INT16_MIN, 0, GRID_MAX_SIDE, 2};
    const struct sweep sweep = {runs, row_start, 2};
    struct lists lists;
    ck_assert_int_eq(lists_build(&test_context, &grid, &sweep, &lists),
                     STATUS_OK);
    ck_assert_uint_eq(lists.list_count, GRID_MAX_SIDE);
    for (uint32_t b = 0; b < 2 * GRID_MAX_SIDE; b++)
        assert_list(&lists, b, LIST(b % GRID_MAX_SIDE));
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(every_row_is_reported)
{
    struct run runs[] = {{0, 0, 0}};
    size_t row_start[] = {0, 1, 1, 1};
    struct lists lists = build(1, 3, runs, row_start);
    ck_assert_uint_eq(test_host.progress_count, 3);
    ck_assert_uint_eq(test_host.done, 3);
    ck_assert_uint_eq(test_host.total, 3);
    lists_free(&test_context, &lists);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("lists");
    tcase_add_test(tests, blocks_list_the_lines_of_their_runs);
    tcase_add_test(tests, equal_lists_are_told_once);
    tcase_add_test(tests, blocks_without_lines_share_one_empty_list);
    tcase_add_test(tests, lists_with_a_common_start_are_different);
    tcase_add_test(tests, lists_of_equal_signature_are_different);
    tcase_add_test(tests, columns_begin_at_the_origin);
    tcase_add_test(tests, many_lists_are_told_apart);
    tcase_add_test(tests, every_row_is_reported);
    return run_tests(tests);
}
