// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that lists are merged until a limit is met and not a step further, as
// test-merge and test-chains know them to be merged and packed, and that lists
// which cannot be made to fit stay as they are.
//
// The lists are few and the blocks many: the table of offsets leaves so little
// room that small lists are over the limit.

#include "context-for-tests.h"
#include "made-lists.h"
#include "merge/fit.h"
#include "merge/merge.h"
#include "pack/nest.h"

#include <inttypes.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lists

enum {
    VANILLA_BLOCKS = 32763,  // with more, no list begins at the limit or below
    EXTENDED_BLOCKS = 65529, // with more, no list of one linedef has room
};

// Appends the linedefs from `first` to `last`.
static void append_range(struct lists *lists, uint32_t first, uint32_t last)
{
    uint32_t linedefs[100];
    size_t length = 0;
    for (uint32_t linedef = first; linedef <= last; linedef++)
        linedefs[length++] = linedef;
    made_lists_add(lists, linedefs, length);
}

// Gives any lists to the other blocks.
static void fill_blocks(struct lists *lists, size_t block_count,
                        struct random_stream *stream)
{
    while (lists->block_count < block_count)
        made_lists_add_block(lists,
                             random_below(stream, (uint32_t)lists->list_count));
}

// Lists without a common line.
static struct lists disjoint_lists(uint32_t count, uint32_t length,
                                   size_t block_count, uint64_t seed)
{
    struct random_stream stream = {seed};
    struct lists lists = made_lists_begin(count, count * length, block_count);
    for (uint32_t l = 0; l < count; l++)
        append_range(&lists, 1 + l * length, (l + 1) * length);
    fill_blocks(&lists, block_count, &stream);
    return lists;
}

struct shape {
    uint32_t lists;
    uint32_t lines;  // to choose from, without linedef 0
    uint32_t length; // at most
    size_t blocks;
    enum lump_limit limit;
};

static bool has_set(const struct lists *lists, made_set set)
{
    for (size_t l = 0; l < lists->list_count; l++)
        if (made_lists_set(lists, l) == set)
            return true;
    return false;
}

// Lists that are all different, for lists_free.  Linedef 0 is in none of them,
// so that a 0 can only be a header.
static struct lists random_lists(const struct shape *shape,
                                 struct random_stream *stream)
{
    struct lists lists = made_lists_begin(
        shape->lists, (size_t)shape->lists * shape->length, shape->blocks);
    while (lists.list_count < shape->lists) {
        made_set set = 0;
        for (uint32_t i = random_below(stream, shape->length + 1); i > 0; i--)
            set |= UINT64_C(2) << random_below(stream, shape->lines);
        if (!has_set(&lists, set))
            made_lists_add_set(&lists, set);
    }
    fill_blocks(&lists, shape->blocks, stream);
    return lists;
}

// The same lists once more.
static struct lists copy_lists(const struct lists *lists)
{
    const size_t list_count = lists->list_count;
    struct lists copy = made_lists_begin(list_count, lists->start[list_count],
                                         lists->block_count);
    for (size_t l = 0; l < list_count; l++)
        made_lists_add(&copy, list_linedefs(lists, l), list_length(lists, l));
    memcpy(copy.place, lists->place, lists->block_count * sizeof *copy.place);
    copy.block_count = lists->block_count;
    copy.entry_count = lists->entry_count;
    return copy;
}

// ---------------------------------------------------------------------------
// Packing

static const struct pack_form forms[] = {
    {PACK_SHARE, HEADER_ZERO}, {PACK_SHARE, HEADER_ANY},
    {PACK_SHARE, HEADER_NONE}, {PACK_NEST, HEADER_ZERO},
    {PACK_NEST, HEADER_ANY},   {PACK_NEST, HEADER_NONE},
    {PACK_COVER, HEADER_ZERO}, {PACK_COVER, HEADER_ANY},
    {PACK_COVER, HEADER_NONE},
};

static bool is_met(const struct list_area *area, enum lump_limit limit)
{
    struct lump_measure measure = lump_measure(area);
    return limit == LIMIT_VANILLA ? measure.meets_vanilla
                                  : measure.meets_extended;
}

static struct list_area pack(const struct lists *lists, struct pack_form form)
{
    struct lists copy = copy_lists(lists);
    struct list_area area;
    ck_assert_int_eq(pack_lists(&test_context, &copy, form, &area), NBSTAGE_OK);
    return area;
}

static struct list_area fit(const struct lists *lists, struct pack_form form,
                            enum lump_limit limit, size_t *merge_count)
{
    struct lists copy = copy_lists(lists);
    struct list_area area;
    ck_assert_int_eq(
        fit_pack(&test_context, &copy, form, limit, &area, merge_count),
        NBSTAGE_OK);
    ck_assert(!copy.memory && !copy.start && !copy.place && !copy.exact_length);
    return area;
}

static bool are_same(const struct list_area *a, const struct list_area *b)
{
    return a->word_count == b->word_count &&
           memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0 &&
           a->block_count == b->block_count &&
           memcmp(a->offset, b->offset, a->block_count * sizeof *a->offset) ==
               0 &&
           a->largest_offset == b->largest_offset &&
           a->stored_count == b->stored_count &&
           a->nested_count == b->nested_count &&
           a->price.extra_count == b->price.extra_count &&
           a->price.extra_at_worst == b->price.extra_at_worst;
}

static void assert_same(const struct list_area *area,
                        const struct list_area *expected)
{
    ck_assert_msg(are_same(area, expected),
                  "%zu words, largest offset %" PRIu32 ", %" PRIu64
                  " more; expected others: %zu, %" PRIu32 ", %" PRIu64,
                  area->word_count, area->largest_offset,
                  area->price.extra_count, expected->word_count,
                  expected->largest_offset, expected->price.extra_count);
}

// ---------------------------------------------------------------------------
// Steps

// A way to merge: whether chains are merged, and how the outcome is packed.
struct way {
    bool chains;
    enum pack_mode mode;
};

static const struct way ways[] = {{true, PACK_NEST},
                                  {false, PACK_NEST},
                                  {false, PACK_SHARE},
                                  {false, PACK_COVER}};

static struct merge_request request_for(bool chains, enum pack_header header)
{
    // A header and an end mark, or the end mark alone; where every list of a
    // chain has its 0, that of one chain stays when it joins another.
    bool saves_header = !chains && header == HEADER_ZERO;
    saves_header |= header == HEADER_ANY;
    return (struct merge_request){
        .nests = chains,
        .words_around = saves_header ? 2 : 1,
        .words_inside = chains && header == HEADER_ZERO,
    };
}

static struct list_area pack_after(struct merger *merger, size_t step_count,
                                   struct pack_form form)
{
    struct lists merged;
    struct list_area area;
    ck_assert_int_eq(merger_lists(merger, step_count, &merged), NBSTAGE_OK);
    ck_assert_int_eq(pack_lists(&test_context, &merged, form, &area),
                     NBSTAGE_OK);
    return area;
}

// Whether an area is what so many steps in a way lead to, and one step fewer
// is too few.
static bool is_of_way(const struct lists *lists, struct pack_form form,
                      enum lump_limit limit, struct way way,
                      const struct list_area *area, size_t merge_count)
{
    struct merge_request request = request_for(way.chains, form.header);
    struct lists own = copy_lists(lists);
    struct nesting nesting = {0};
    struct merger *merger;
    bool is_complete = true;
    bool answer = false;
    nbstage_status status = NBSTAGE_OK;
    if (form.mode == PACK_COVER)
        status = cover_lists(&test_context, &own, &is_complete);
    else if (way.chains)
        status = nest_lists(&test_context, &own, form.header == HEADER_ZERO,
                            &nesting);
    ck_assert(status == NBSTAGE_OK && is_complete);
    request.inner = nesting.inner;
    ck_assert_int_eq(merger_make(&test_context, &own, &request, &merger),
                     NBSTAGE_OK);
    ck_assert_int_eq(merger_merge(merger, UINT64_MAX), NBSTAGE_OK);
    form.mode = way.mode;
    if (merge_count <= merger_result(merger).step_count) {
        struct list_area before = pack_after(merger, merge_count - 1, form);
        struct list_area expected = pack_after(merger, merge_count, form);
        answer = !is_met(&before, limit) && are_same(area, &expected);
        list_area_free(&test_context, &before);
        list_area_free(&test_context, &expected);
    }
    merger_free(merger);
    nesting_free(&test_context, &nesting);
    lists_free(&test_context, &own);
    return answer;
}

// That an area is one of those that merging in some way leads to, no step
// further than is needed.  Lists that are shared are nested before.
static void check_steps(const struct lists *lists, struct pack_form form,
                        enum lump_limit limit, const struct list_area *area,
                        size_t merge_count)
{
    bool is_of_any = false;
    if (merge_count == 0) {
        struct list_area expected =
            pack(lists, (struct pack_form){PACK_NEST, form.header});
        ck_assert_int_eq(form.mode, PACK_SHARE);
        assert_same(area, &expected);
        list_area_free(&test_context, &expected);
        return;
    }
    for (size_t w = 0; w < COUNT(ways) && !is_of_any; w++)
        is_of_any = (ways[w].mode == PACK_COVER) == (form.mode == PACK_COVER) &&
                    is_of_way(lists, form, limit, ways[w], area, merge_count);
    ck_assert_msg(is_of_any, "%zu steps in no way lead to these %zu words",
                  merge_count, area->word_count);
}

static const struct shape shapes[] = {
    {12, 8, 4, VANILLA_BLOCKS - 6, LIMIT_VANILLA},
    {40, 20, 6, VANILLA_BLOCKS - 40, LIMIT_VANILLA},
    {60, 63, 9, VANILLA_BLOCKS - 100, LIMIT_VANILLA},
    {60, 63, 9, VANILLA_BLOCKS - 60, LIMIT_VANILLA},
    {300, 60, 3, VANILLA_BLOCKS - 350, LIMIT_VANILLA},
    {12, 6, 4, EXTENDED_BLOCKS - 8, LIMIT_EXTENDED},
    {60, 30, 6, EXTENDED_BLOCKS - 70, LIMIT_EXTENDED},
};

START_TEST(not_a_step_more_than_needed)
{
    enum { RUNS = 2 };
    const struct shape *shape = &shapes[(size_t)_i / COUNT(forms)];
    const struct pack_form form = forms[(size_t)_i % COUNT(forms)];
    struct random_stream stream = {(uint64_t)_i + 1};
    for (int run = 0; run < RUNS; run++) {
        struct lists lists = random_lists(shape, &stream);
        struct list_area unmerged = pack(&lists, form);
        size_t merge_count;
        struct list_area area = fit(&lists, form, shape->limit, &merge_count);
        ck_assert(!is_met(&unmerged, shape->limit));
        ck_assert(is_met(&area, shape->limit));
        check_steps(&lists, form, shape->limit, &area, merge_count);
        list_area_free(&test_context, &unmerged);
        list_area_free(&test_context, &area);
        lists_free(&test_context, &lists);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Lists that stay as they are

static void assert_unmerged(const struct lists *lists, struct pack_form form,
                            enum lump_limit limit)
{
    size_t merge_count = 1;
    struct list_area area = fit(lists, form, limit, &merge_count);
    struct list_area expected = pack(lists, form);
    ck_assert_uint_eq(merge_count, 0);
    assert_same(&area, &expected);
    list_area_free(&test_context, &area);
    list_area_free(&test_context, &expected);
}

START_TEST(without_need_nothing_is_merged)
{
    static const struct shape small = {40, 20, 6, 1000, LIMIT_NONE};
    static const struct shape large = {40, 20, 6, VANILLA_BLOCKS, LIMIT_NONE};
    const struct pack_form form = forms[_i];
    struct random_stream stream = {(uint64_t)_i + 1};
    struct lists fitting = random_lists(&small, &stream);
    struct lists over = random_lists(&large, &stream);
    assert_unmerged(&fitting, form, LIMIT_NONE);
    assert_unmerged(&fitting, form, LIMIT_VANILLA);
    assert_unmerged(&fitting, form, LIMIT_EXTENDED);
    assert_unmerged(&over, form, LIMIT_NONE);
    assert_unmerged(&over, form, LIMIT_EXTENDED);
    assert_unmerged(&over, (struct pack_form){PACK_NONE, form.header},
                    LIMIT_VANILLA);
    lists_free(&test_context, &fitting);
    lists_free(&test_context, &over);
}
END_TEST

// Lists without a common line.
static const struct {
    uint32_t lists, length;
    size_t blocks;
    enum lump_limit limit;
    bool meets; // without header
    bool meets_with_header;
} disjoint[] = {
    {1, 50, VANILLA_BLOCKS, LIMIT_VANILLA, true, true},
    {1, 50, VANILLA_BLOCKS + 1, LIMIT_VANILLA, false, false},
    {1, 1, EXTENDED_BLOCKS, LIMIT_EXTENDED, true, false},
    {1, 1, EXTENDED_BLOCKS + 1, LIMIT_EXTENDED, false, false},
    {1, 50, EXTENDED_BLOCKS - 50, LIMIT_EXTENDED, true, true},
    {1, 51, EXTENDED_BLOCKS - 50, LIMIT_EXTENDED, true, false},
    {1, 52, EXTENDED_BLOCKS - 50, LIMIT_EXTENDED, false, false},
    // All linedefs once are too many already.
    {40, 5, EXTENDED_BLOCKS - 150, LIMIT_EXTENDED, false, false},
};

START_TEST(lists_that_merging_does_not_help_stay_unmerged)
{
    struct lists lists = disjoint_lists(disjoint[_i].lists, disjoint[_i].length,
                                        disjoint[_i].blocks, 1);
    for (size_t f = 0; f < COUNT(forms); f++) {
        struct list_area area = pack(&lists, forms[f]);
        ck_assert_int_eq(is_met(&area, disjoint[_i].limit),
                         forms[f].header == HEADER_NONE
                             ? disjoint[_i].meets
                             : disjoint[_i].meets_with_header);
        assert_unmerged(&lists, forms[f], disjoint[_i].limit);
        list_area_free(&test_context, &area);
    }
    lists_free(&test_context, &lists);
}
END_TEST

// ---------------------------------------------------------------------------
// The ends of merging

// A list that begins with many others must not stand before the last of them.
START_TEST(without_a_chain_a_limit_is_met_that_chains_do_not)
{
    static const enum pack_header headers[] = {HEADER_ANY, HEADER_NONE};
    enum { LINES = 100, BLOCKS = VANILLA_BLOCKS - 50 };
    struct random_stream stream = {1};
    struct lists lists = made_lists_begin(2, LINES + 1, BLOCKS);
    append_range(&lists, 1, LINES);
    append_range(&lists, 1, 1);
    fill_blocks(&lists, BLOCKS, &stream);
    for (size_t h = 0; h < COUNT(headers); h++) {
        const struct pack_form nest = {PACK_NEST, headers[h]};
        const struct pack_form share = {PACK_SHARE, headers[h]};
        size_t merge_count;
        struct list_area chained = pack(&lists, nest);
        struct list_area expected = pack(&lists, share);
        struct list_area area = fit(&lists, nest, LIMIT_VANILLA, &merge_count);
        ck_assert(!is_met(&chained, LIMIT_VANILLA));
        ck_assert(is_met(&expected, LIMIT_VANILLA));
        ck_assert_uint_eq(merge_count, 0);
        assert_same(&area, &expected);
        list_area_free(&test_context, &chained);
        list_area_free(&test_context, &expected);
        list_area_free(&test_context, &area);
    }
    lists_free(&test_context, &lists);
}
END_TEST

// No two lists have a line in common, and only one of them has room.
START_TEST(disjoint_lists_become_one)
{
    enum { LISTS = 20, LENGTH = 3 };
    struct lists lists =
        disjoint_lists(LISTS, LENGTH, VANILLA_BLOCKS, (uint64_t)_i + 1);
    size_t merge_count;
    struct list_area area = fit(&lists, forms[_i], LIMIT_VANILLA, &merge_count);
    ck_assert(is_met(&area, LIMIT_VANILLA));
    ck_assert_uint_eq(area.stored_count, 1);
    check_steps(&lists, forms[_i], LIMIT_VANILLA, &area, merge_count);
    list_area_free(&test_context, &area);
    lists_free(&test_context, &lists);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("fit");
    const int form_count = COUNT(forms);
    tcase_add_loop_test(tests, not_a_step_more_than_needed, 0,
                        (int)(COUNT(shapes) * COUNT(forms)));
    tcase_add_loop_test(tests, without_need_nothing_is_merged, 0, form_count);
    tcase_add_loop_test(tests, lists_that_merging_does_not_help_stay_unmerged,
                        0, COUNT(disjoint));
    tcase_add_test(tests, without_a_chain_a_limit_is_met_that_chains_do_not);
    tcase_add_loop_test(tests, disjoint_lists_become_one, 0, form_count);
    return run_tests(tests);
}
