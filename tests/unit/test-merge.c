// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that merging takes, step by step, what is cheapest: on small random
// lists the blocks' lists after every step are those of a plain search through
// all pairs.  That blocks never lose a line, that the price is what it is said
// to be, that steps can be gone back, and that it comes to an end where all is
// one.

#include "context-for-tests.h"
#include "merge/merge.h"
#include "plain-merge.h"
#include "random-map.h"

#include <string.h>

// ---------------------------------------------------------------------------
// Lists

static void allocate(size_t count, size_t size, void *array)
{
    ck_assert_int_eq(context_allocate(&test_context, count, size, array),
                     NBSTAGE_OK);
}

static uint32_t append_list(struct lists *lists, uint64_t lines)
{
    uint32_t place = lists->start[lists->list_count++];
    uint32_t next = place;
    lists->words[next++] = LIST_HEADER;
    for (uint32_t line = 0; line < MOST_LINES; line++)
        if (lines >> line & 1)
            lists->words[next++] = line;
    lists->words[next++] = LIST_END;
    lists->start[lists->list_count] = next;
    return place;
}

// The lists of blocks, for lists_free.
static struct lists make_lists(const struct blocks *blocks)
{
    struct lists lists = {.block_count = blocks->count,
                          .linedef_end = MOST_LINES};
    allocate(blocks->count, sizeof *lists.place, &lists.place);
    allocate(blocks->count + 1, sizeof *lists.start, &lists.start);
    allocate(blocks->count * (MOST_LINES + LIST_EXTRA_WORDS),
             sizeof *lists.memory, &lists.memory);
    lists.words = lists.memory;
    lists.start[0] = 0;
    for (size_t b = 0; b < blocks->count; b++) {
        size_t same = 0;
        while (blocks->lines[same] != blocks->lines[b])
            same++;
        lists.place[b] = same < b ? lists.place[same]
                                  : append_list(&lists, blocks->lines[b]);
        lists.entry_count += count_bits(blocks->lines[b]);
    }
    return lists;
}

// What random blocks are like.
struct shape {
    size_t blocks;
    uint32_t different; // lists, at most
    uint32_t lines;     // to choose from
    uint32_t length;    // at most
    bool all_meet;      // line 0 is in every block
};

static struct blocks random_blocks(const struct shape *shape,
                                   struct random_stream *stream)
{
    struct blocks blocks = {.count = shape->blocks};
    uint64_t masks[MOST_BLOCKS] = {0};
    for (uint32_t l = 0; l < shape->different; l++) {
        for (uint32_t i = random_below(stream, shape->length + 1); i > 0; i--)
            masks[l] |= UINT64_C(1) << random_below(stream, shape->lines);
        masks[l] |= shape->all_meet;
    }
    for (size_t b = 0; b < blocks.count; b++)
        blocks.lines[b] = masks[random_below(stream, shape->different)];
    return blocks;
}

// Holds lists against the blocks that they are for, each place and word.
static void assert_lists(const struct lists *lists, const struct blocks *blocks)
{
    struct lists expected = make_lists(blocks);
    ck_assert_uint_eq(lists->list_count, expected.list_count);
    ck_assert_mem_eq(lists->start, expected.start,
                     (expected.list_count + 1) * sizeof *expected.start);
    ck_assert_mem_eq(lists->words, expected.words,
                     expected.start[expected.list_count] *
                         sizeof *expected.words);
    ck_assert_uint_eq(lists->block_count, expected.block_count);
    ck_assert_mem_eq(lists->place, expected.place,
                     expected.block_count * sizeof *expected.place);
    ck_assert_uint_eq(lists->entry_count, expected.entry_count);
    lists_free(&test_context, &expected);
}

// The blocks that lists are for.
static struct blocks read_lists(const struct lists *lists)
{
    struct blocks blocks = {.count = lists->block_count};
    for (size_t b = 0; b < blocks.count; b++)
        for (const uint32_t *word = lists->words + lists->place[b] + 1;
             *word != LIST_END; word++)
            blocks.lines[b] |= UINT64_C(1) << *word;
    return blocks;
}

// Holds a price against blocks before and after.
static void assert_price(struct lists_price price, const struct blocks *own,
                         const struct blocks *merged)
{
    uint64_t extra_count = 0;
    uint32_t worst = 0;
    for (size_t b = 0; b < own->count; b++) {
        ck_assert_uint_eq(own->lines[b] & ~merged->lines[b], 0);
        uint32_t extra = count_bits(merged->lines[b] & ~own->lines[b]);
        extra_count += extra;
        worst = extra > worst ? extra : worst;
    }
    ck_assert_uint_eq(price.extra_count, extra_count);
    ck_assert_uint_eq(price.extra_at_worst, worst);
}

// ---------------------------------------------------------------------------
// Merging

static struct merger *make_merger(const struct lists *lists,
                                  const struct merge_request *request)
{
    struct merger *merger;
    ck_assert_int_eq(merger_make(&test_context, lists, request, &merger),
                     NBSTAGE_OK);
    return merger;
}

static void merge(struct merger *merger, uint64_t words)
{
    ck_assert_int_eq(merger_merge(merger, words), NBSTAGE_OK);
}

// The blocks' lists after some steps, whose price is held against them.
static struct blocks merged_blocks(struct merger *merger, size_t step_count,
                                   const struct blocks *own)
{
    struct lists merged;
    ck_assert_int_eq(merger_lists(merger, step_count, &merged), NBSTAGE_OK);
    struct blocks blocks = read_lists(&merged);
    assert_lists(&merged, &blocks);
    assert_price(lists_price(&merged), own, &blocks);
    lists_free(&test_context, &merged);
    return blocks;
}

static void assert_same(const struct blocks *blocks,
                        const struct blocks *expected)
{
    ck_assert_uint_eq(blocks->count, expected->count);
    ck_assert_mem_eq(blocks->lines, expected->lines,
                     blocks->count * sizeof *blocks->lines);
}

static const struct merge_request share = {.words_around = 2};
static const struct merge_request share_bare = {.words_around = 1};
static const struct merge_request nest = {.nests = true, .words_around = 1};
static const struct merge_request nest_zero = {
    .nests = true, .words_around = 1, .words_inside = 1};

static const struct {
    const struct merge_request *request;
    struct shape shape;
} cases[] = {
    {&share, {12, 8, 6, 4, false}},
    {&share, {40, 12, 10, 5, false}},
    {&share_bare, {60, 30, 24, 7, false}},
    {&share_bare, {20, 14, 40, 3, false}},
    {&nest, {12, 8, 7, 4, true}},
    {&nest, {40, 12, 10, 5, true}},
    {&nest, {40, 14, 20, 7, true}},
    {&nest_zero, {12, 8, 7, 4, true}},
    {&nest_zero, {40, 14, 20, 7, true}},
};

static struct random_stream stream_of(int number)
{
    return (struct random_stream){(uint64_t)number + 1};
}

START_TEST(every_step_is_the_cheapest)
{
    enum { RUNS = 40 };
    struct random_stream stream = stream_of(_i);
    for (int run = 0; run < RUNS; run++) {
        struct blocks own = random_blocks(&cases[_i].shape, &stream);
        struct lists lists = make_lists(&own);
        struct merger *merger = make_merger(&lists, cases[_i].request);
        struct plain plain = plain_make(cases[_i].request, &lists, &own);
        uint64_t saved = 0;
        for (;;) {
            uint64_t words = plain_step(&plain);
            if (words == 0)
                break;
            saved += words;
            merge(merger, 1);
            ck_assert_uint_eq(merger_result(merger).saved_words, saved);
            struct blocks expected = plain_blocks(&plain, own.count);
            struct blocks blocks =
                merged_blocks(merger, merger_result(merger).step_count, &own);
            assert_same(&blocks, &expected);
        }
        const size_t step_count = merger_result(merger).step_count;
        merge(merger, 1);
        ck_assert_uint_eq(merger_result(merger).step_count, step_count);
        merger_free(merger);
        lists_free(&test_context, &lists);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// From the first step to the last

// Random blocks whose lists need not meet.
static const struct shape loose_shape = {48, 30, 40, 6, false};

static const struct merge_request *const requests[] = {&share, &share_bare,
                                                       &nest, &nest_zero};

START_TEST(blocks_only_gain_lines)
{
    struct random_stream stream = stream_of(_i);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, requests[_i]);
    merge(merger, UINT64_MAX);
    struct blocks before = merged_blocks(merger, 0, &own);
    assert_same(&before, &own);
    for (size_t s = 1; s <= merger_result(merger).step_count; s++) {
        struct blocks blocks = merged_blocks(merger, s, &own);
        for (size_t b = 0; b < own.count; b++)
            ck_assert_uint_eq(before.lines[b] & ~blocks.lines[b], 0);
        before = blocks;
    }
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(each_step_saves_words)
{
    struct random_stream stream = stream_of(0);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &share);
    const uint64_t before = lists.start[lists.list_count];
    while (merger_result(merger).step_count + 1 < lists.list_count) {
        merge(merger, 1);
        struct blocks blocks =
            merged_blocks(merger, merger_result(merger).step_count, &own);
        struct lists merged = make_lists(&blocks);
        ck_assert_uint_eq(merged.start[merged.list_count],
                          before - merger_result(merger).saved_words);
        lists_free(&test_context, &merged);
    }
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(shared_lists_become_one)
{
    struct random_stream stream = stream_of(0);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &share);
    merge(merger, UINT64_MAX);
    ck_assert_uint_eq(merger_result(merger).step_count, lists.list_count - 1);
    struct blocks blocks =
        merged_blocks(merger, merger_result(merger).step_count, &own);
    uint64_t all = 0;
    for (size_t b = 0; b < own.count; b++)
        all |= own.lines[b];
    for (size_t b = 0; b < own.count; b++)
        ck_assert_uint_eq(blocks.lines[b], all);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(nested_lists_become_one_chain)
{
    struct random_stream stream = stream_of(0);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &nest);
    merge(merger, UINT64_MAX);
    ck_assert_uint_eq(merger_result(merger).step_count, lists.list_count - 1);
    struct blocks blocks =
        merged_blocks(merger, merger_result(merger).step_count, &own);
    for (size_t a = 0; a < own.count; a++)
        for (size_t b = 0; b < own.count; b++)
            ck_assert((blocks.lines[a] & ~blocks.lines[b]) == 0 ||
                      (blocks.lines[b] & ~blocks.lines[a]) == 0);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

// ---------------------------------------------------------------------------
// Cases

START_TEST(one_of_two_nested_lists_grows)
{
    // 1 2 3 in one block and 2 3 4 in two: the first one takes line 4.
    const struct blocks own = {{0x0E, 0x1C, 0x1C}, 3};
    const struct blocks expected = {{0x1E, 0x1C, 0x1C}, 3};
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &nest);
    merge(merger, 1);
    ck_assert_uint_eq(merger_result(merger).saved_words, 3);
    struct blocks blocks = merged_blocks(merger, 1, &own);
    assert_same(&blocks, &expected);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(present_nesting_is_kept)
{
    // 1 2 3 > 1 and 2 > nothing: 2 is put between 1 2 3 and 1, where 1 grows.
    const struct blocks own = {{0x0E, 0x02, 0x04, 0x00, 0x04}, 5};
    const struct blocks expected = {{0x0E, 0x06, 0x04, 0x00, 0x04}, 5};
    const uint32_t inner[] = {1, LIST_NUMBER_NONE, 3, LIST_NUMBER_NONE};
    const struct merge_request request = {
        .nests = true, .inner = inner, .words_around = 1};
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &request);
    merge(merger, UINT64_MAX);
    ck_assert_uint_eq(merger_result(merger).step_count, 1);
    ck_assert_uint_eq(merger_result(merger).saved_words, 2);
    struct blocks blocks = merged_blocks(merger, 1, &own);
    assert_same(&blocks, &expected);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(empty_list_nests_for_nothing)
{
    const struct blocks own = {{0x00, 0x06, 0x18, 0x00}, 4};
    struct lists lists = make_lists(&own);
    struct merger *merger = make_merger(&lists, &nest);
    merge(merger, 1);
    struct blocks blocks = merged_blocks(merger, 1, &own);
    assert_same(&blocks, &own);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(one_list_is_left_alone)
{
    static const uint64_t lines[] = {0x00, 0x06};
    const struct blocks own = {{lines[_i], lines[_i]}, 2};
    for (size_t r = 0; r < COUNT(requests); r++) {
        struct lists lists = make_lists(&own);
        struct merger *merger = make_merger(&lists, requests[r]);
        merge(merger, 1);
        ck_assert_uint_eq(merger_result(merger).step_count, 0);
        struct blocks blocks = merged_blocks(merger, 0, &own);
        assert_same(&blocks, &own);
        merger_free(merger);
        lists_free(&test_context, &lists);
    }
}
END_TEST

START_TEST(it_stops_when_enough_is_saved)
{
    enum { WORDS = 20 };
    struct random_stream stream = stream_of(_i);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    struct merger *all = make_merger(&lists, requests[_i]);
    struct merger *one_by_one = make_merger(&lists, requests[_i]);
    merge(all, WORDS);
    uint64_t before = 0;
    while (merger_result(one_by_one).saved_words < WORDS) {
        before = merger_result(one_by_one).saved_words;
        merge(one_by_one, 1);
    }
    ck_assert_uint_lt(before, WORDS);
    ck_assert_uint_eq(merger_result(all).step_count,
                      merger_result(one_by_one).step_count);
    for (size_t s = merger_result(all).step_count + 1; s-- > 0;) {
        struct blocks blocks = merged_blocks(all, s, &own);
        struct blocks expected = merged_blocks(one_by_one, s, &own);
        assert_same(&blocks, &expected);
    }
    merger_free(all);
    merger_free(one_by_one);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(too_much_work_leaves_neighbours)
{
    // Enough for some steps; with 1, only neighbours are merged from the start.
    static const uint64_t limits[] = {1, 3000, 10000};
    struct random_stream stream = stream_of(_i);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    for (size_t r = 0; r < COUNT(requests); r++) {
        struct merge_request request = *requests[r];
        request.work_limit = limits[_i];
        struct merger *merger = make_merger(&lists, &request);
        merge(merger, UINT64_MAX);
        ck_assert_uint_ge(merger_result(merger).step_count,
                          lists.list_count - 1);
        merged_blocks(merger, merger_result(merger).step_count, &own);
        merger_free(merger);
    }
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(merging_ends_where_no_work_is_left)
{
    static const uint64_t limits[] = {1, 2000, 5000};
    struct random_stream stream = stream_of(_i);
    struct blocks own = random_blocks(&loose_shape, &stream);
    struct lists lists = make_lists(&own);
    for (size_t r = 0; r < COUNT(requests); r++) {
        struct merger *merger;
        ck_assert_int_eq(
            merger_make(&test_context, &lists, requests[r], &merger),
            NBSTAGE_OK);
        context_begin_work(&test_context, limits[_i]);
        merge(merger, UINT64_MAX);
        ck_assert_uint_eq(context_work_left(&test_context), 0);
        ck_assert_uint_lt(merger_result(merger).step_count,
                          lists.list_count - 1);
        size_t step_count = merger_result(merger).step_count;
        merge(merger, UINT64_MAX);
        ck_assert_uint_eq(merger_result(merger).step_count, step_count);
        merged_blocks(merger, step_count, &own);
        merger_free(merger);
    }
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(lists_that_become_equal_are_stored_once)
{
    // Merged with its neighbour only, the list of line 0 becomes that of lines
    // 0 and 1, which is there already, behind a list that is dear to merge.
    const struct blocks own = {{0x01, 0x02, 0xFFF0, 0x03}, 4};
    const struct blocks expected = {{0x03, 0x03, 0xFFF0, 0x03}, 4};
    struct lists lists = make_lists(&own);
    const struct merge_request neighbours = {.words_around = 2,
                                             .work_limit = 1};
    struct merger *merger = make_merger(&lists, &neighbours);
    merge(merger, 1);
    struct blocks blocks = merged_blocks(merger, 1, &own);
    assert_same(&blocks, &expected);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

// Lists of a line of their own, a line that is in every list, and a line that
// is in the list of a neighbour too.
static struct lists make_many_lists(uint32_t count)
{
    struct lists lists = {.list_count = count,
                          .block_count = count,
                          .linedef_end = 1 + 2 * (size_t)count};
    allocate(count, sizeof *lists.place, &lists.place);
    allocate(count + 1u, sizeof *lists.start, &lists.start);
    allocate(count * 5u, sizeof *lists.memory, &lists.memory);
    lists.words = lists.memory;
    for (uint32_t l = 0; l <= count; l++)
        lists.start[l] = 5 * l;
    for (uint32_t l = 0; l < count; l++) {
        const uint32_t words[] = {LIST_HEADER, 0, 1 + l / 2, 1 + count + l,
                                  LIST_END};
        memcpy(lists.words + 5 * l, words, sizeof words);
        lists.place[l] = 5 * l;
    }
    return lists;
}

START_TEST(many_lists_with_a_line_in_common)
{
    enum { LISTS = 4000 };
    struct lists lists = make_many_lists(LISTS);
    struct merger *merger = make_merger(&lists, &share);
    merge(merger, LISTS / 2 * 4);
    ck_assert_uint_eq(merger_result(merger).step_count, LISTS / 2);
    struct lists merged;
    ck_assert_int_eq(merger_lists(merger, LISTS / 2, &merged), NBSTAGE_OK);
    struct lists_price price = lists_price(&merged);
    ck_assert_uint_eq(merged.list_count, LISTS / 2);
    ck_assert_uint_eq(price.extra_count, LISTS);
    ck_assert_uint_eq(price.extra_at_worst, 1);
    lists_free(&test_context, &merged);
    merge(merger, UINT64_MAX);
    ck_assert_uint_eq(merger_result(merger).step_count, LISTS - 1);
    merger_free(merger);
    lists_free(&test_context, &lists);
}
END_TEST

// ---------------------------------------------------------------------------
// Failures

// Makes a merger, merges and makes lists, all of it freed again.
static nbstage_status do_all(const struct lists *lists,
                             const struct merge_request *request)
{
    struct merger *merger;
    nbstage_status status = merger_make(&test_context, lists, request, &merger);
    if (status != NBSTAGE_OK) {
        ck_assert_ptr_null(merger);
        return status;
    }
    struct lists merged = {0};
    status = merger_merge(merger, 20);
    if (status == NBSTAGE_OK)
        status =
            merger_lists(merger, merger_result(merger).step_count, &merged);
    if (status != NBSTAGE_OK)
        ck_assert(!merged.words && !merged.start && !merged.place);
    lists_free(&test_context, &merged);
    merger_free(merger);
    return status;
}

START_TEST(out_of_memory_leaves_nothing_behind)
{
    struct random_stream stream = stream_of(_i);
    struct blocks own = random_blocks(&cases[0].shape, &stream);
    struct lists lists = make_lists(&own);
    nbstage_status status = NBSTAGE_OUT_OF_MEMORY;
    size_t refused = 0;
    while (status == NBSTAGE_OUT_OF_MEMORY) {
        test_host.request_count = 0;
        test_host.refused_request = ++refused;
        status = do_all(&lists, requests[_i]);
    }
    ck_assert_int_eq(status, NBSTAGE_OK);
    ck_assert_uint_gt(refused, 20);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(cancelling_leaves_nothing_behind)
{
    struct lists lists = make_many_lists(2048);
    nbstage_status status = NBSTAGE_CANCELLED;
    size_t cancelled = 0;
    while (status == NBSTAGE_CANCELLED) {
        test_host.progress_count = 0;
        test_host.cancelled_report = ++cancelled;
        struct merger *merger;
        status = merger_make(&test_context, &lists, &share, &merger);
        if (status == NBSTAGE_OK)
            status = merger_merge(merger, 1000);
        merger_free(merger);
    }
    ck_assert_int_eq(status, NBSTAGE_OK);
    ck_assert_uint_gt(cancelled, 3);
    lists_free(&test_context, &lists);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("merge");
    const int request_count = COUNT(requests);
    tcase_add_loop_test(tests, every_step_is_the_cheapest, 0, COUNT(cases));
    tcase_add_loop_test(tests, blocks_only_gain_lines, 0, request_count);
    tcase_add_test(tests, each_step_saves_words);
    tcase_add_test(tests, shared_lists_become_one);
    tcase_add_test(tests, nested_lists_become_one_chain);
    tcase_add_test(tests, one_of_two_nested_lists_grows);
    tcase_add_test(tests, present_nesting_is_kept);
    tcase_add_test(tests, empty_list_nests_for_nothing);
    tcase_add_loop_test(tests, one_list_is_left_alone, 0, 2);
    tcase_add_loop_test(tests, it_stops_when_enough_is_saved, 0, request_count);
    tcase_add_loop_test(tests, too_much_work_leaves_neighbours, 0, 3);
    tcase_add_loop_test(tests, merging_ends_where_no_work_is_left, 0, 3);
    tcase_add_test(tests, lists_that_become_equal_are_stored_once);
    tcase_add_test(tests, many_lists_with_a_line_in_common);
    tcase_add_loop_test(tests, out_of_memory_leaves_nothing_behind, 0,
                        request_count);
    tcase_add_test(tests, cancelling_leaves_nothing_behind);
    return run_tests(tests);
}
