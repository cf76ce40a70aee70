// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that covering leaves the lists that no other contains and no more,
// gives each block the smallest of them that has all its lines, and tells what
// that costs: against brute force on small families of sets.  And that it ends
// early on a family made to need too much work, with nothing missing.

#include "context-for-tests.h"
#include "made-lists.h"
#include "pack/pack.h"
#include "slowness.h"

static void cover(struct lists *lists)
{
    bool is_complete;
    ck_assert_int_eq(cover_lists(&test_context, lists, &is_complete),
                     NBSTAGE_OK);
    ck_assert(is_complete);
}

// ---------------------------------------------------------------------------
// What is expected

// The sets that are stored, in the order in which blocks first have them.
static struct made_blocks find_stored(const struct made_blocks *blocks)
{
    struct made_blocks stored = {0};
    for (size_t b = 0; b < blocks->count; b++) {
        made_set set = blocks->set[b];
        bool stays = true;
        for (size_t o = 0; o < blocks->count && stays && set != 0; o++)
            stays = !made_set_contains(blocks->set[o], set) ||
                    made_set_contains(set, blocks->set[o]);
        for (size_t s = 0; s < stored.count && stays; s++)
            stays = stored.set[s] != set;
        if (stays)
            stored.set[stored.count++] = set;
    }
    return stored;
}

// The stored set that a block gets: the first of the smallest.
static size_t find_cover(const struct made_blocks *stored, made_set set)
{
    size_t best = stored->count;
    for (size_t s = 0; s < stored->count; s++) {
        bool is_empty = stored->set[s] == 0;
        if ((set == 0) == is_empty && made_set_contains(stored->set[s], set) &&
            (best == stored->count || made_set_length(stored->set[s]) <
                                          made_set_length(stored->set[best])))
            best = s;
    }
    ck_assert_uint_lt(best, stored->count);
    return best;
}

static void assert_covered(const struct lists *lists,
                           const struct made_blocks *blocks)
{
    struct made_blocks stored = find_stored(blocks);
    struct lists_price price = {0};
    ck_assert_uint_eq(lists->list_count, stored.count);
    for (size_t s = 0; s < stored.count; s++)
        ck_assert_uint_eq(made_lists_set(lists, s), stored.set[s]);
    ck_assert_uint_eq(lists->block_count, blocks->count);
    for (size_t b = 0; b < blocks->count; b++) {
        size_t list = find_cover(&stored, blocks->set[b]);
        uint32_t extra = (uint32_t)(made_set_length(stored.set[list]) -
                                    made_set_length(blocks->set[b]));
        ck_assert_uint_eq(lists->place[b], lists->start[list]);
        price.extra_count += extra;
        if (extra > price.extra_at_worst)
            price.extra_at_worst = extra;
    }
    ck_assert_uint_eq(lists_price(lists).extra_count, price.extra_count);
    ck_assert_uint_eq(lists_price(lists).extra_at_worst, price.extra_at_worst);
}

// ---------------------------------------------------------------------------
// Families

START_TEST(contained_lists_give_way)
{
    // 1 | 1 2 3 | none | 1 2 | 1 4 | 1 | none
    const struct made_blocks blocks = {{0x2, 0xE, 0, 0x6, 0x12, 0x2, 0}, 7};
    const struct made_blocks expected = {{0xE, 0, 0x12}, 3};
    struct made_blocks stored = find_stored(&blocks);
    ck_assert_uint_eq(stored.count, expected.count);
    ck_assert_mem_eq(stored.set, expected.set, 3 * sizeof *stored.set);
    struct lists lists = made_lists(&blocks);
    cover(&lists);
    assert_covered(&lists, &blocks);
    ck_assert_mem_eq(lists.place, ((uint32_t[]){7, 0, 5, 0, 7, 7, 5}),
                     7 * sizeof *lists.place);
    ck_assert_uint_eq(lists_price(&lists).extra_count, 3);
    ck_assert_uint_eq(lists_price(&lists).extra_at_worst, 1);
    lists_free(&test_context, &lists);
}
END_TEST

START_TEST(random_families_are_covered)
{
    enum { FAMILIES = 20000 / SLOWNESS };
    struct random_stream stream = {1};
    for (size_t f = 0; f < FAMILIES; f++) {
        struct made_blocks blocks = made_blocks_random(&stream, 16, 8);
        struct lists lists = made_lists(&blocks);
        ck_assert_uint_eq(lists_price(&lists).extra_count, 0);
        cover(&lists);
        assert_covered(&lists, &blocks);
        lists_free(&test_context, &lists);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Too much work

// All lists stay that it did not come to.
START_TEST(too_much_work_is_ended_early)
{
    struct lists lists = made_lists_of_much_work();
    struct lists before = made_lists_of_much_work();
    bool is_complete;
    ck_assert_int_eq(cover_lists(&test_context, &lists, &is_complete),
                     NBSTAGE_OK);
    ck_assert(!is_complete);
    for (size_t b = 0; b < lists.block_count; b++) {
        size_t list = lists_number(&lists, lists.place[b]);
        const uint32_t *linedef = list_linedefs(&lists, list);
        const uint32_t *end = linedef + list_length(&lists, list);
        const uint32_t *own = list_linedefs(&before, b);
        const uint32_t *last = own + list_length(&before, b);
        for (; linedef < end; linedef++)
            own += own < last && *linedef == *own;
        ck_assert_msg(own == last, "block %zu misses a line", b);
    }
    ck_assert_uint_eq(list_length(&lists, lists.list_count - 1), 1);
    lists_free(&test_context, &lists);
    lists_free(&test_context, &before);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("cover");
    tcase_add_test(tests, contained_lists_give_way);
    tcase_add_test(tests, random_families_are_covered);
    tcase_add_test(tests, too_much_work_is_ended_early);
    return run_tests(tests);
}
