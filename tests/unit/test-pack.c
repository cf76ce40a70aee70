// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that nestings are valid and the best there are: as good as a
// slow reference finds, on random families of sets.  Then what maps are not
// likely to have: thousands of lists in one chain, a line in every block, a
// million blocks, and a family made to need too much work, of which some lists
// are left over.
//
// And that covering leaves the lists that no other contains and no more, gives
// each block the smallest of them that has all its lines, and tells what that
// costs, as brute force does on small families; with too much work, nothing is
// missing.

#include "context-for-tests.h"
#include "made-lists.h"
#include "nest-reference.h"
#include "pack/nest.h"
#include "pack/pack.h"

#define NONE LIST_NUMBER_NONE

static struct nesting nest(const struct lists *lists, bool zero_serves)
{
    struct nesting nesting;
    ck_assert_int_eq(nest_lists(&test_context, lists, zero_serves, &nesting),
                     NBSTAGE_OK);
    nest_reference_check(lists, &nesting);
    return nesting;
}

static void free_all(struct nesting *nesting, struct lists *lists)
{
    nesting_free(&test_context, nesting);
    lists_free(&test_context, lists);
}

// ---------------------------------------------------------------------------
// At random

static const struct {
    uint32_t families, lists, lines; // lists of each, lines to choose from
} sizes[] = {{2000, 8, 5}, {200, 30, 8}, {40, 300, 12}};

// Different lists that have a quarter of the lines.
static struct lists random_family(struct random_stream *stream, uint32_t most,
                                  uint32_t lines)
{
    struct lists lists = made_lists_begin(most, most * lines, most);
    bool is_there[1 << 12] = {0};
    for (uint32_t l = 0; l < most; l++) {
        uint32_t set = random_below(stream, 1U << lines);
        set &= random_below(stream, 1U << lines);
        if (!is_there[set])
            made_lists_add_set(&lists, set);
        is_there[set] = true;
    }
    return lists;
}

// test-chains tries all nestings of small families.
LOOP_TEST(random_families_are_nested_best, 2 * COUNT(sizes))
{
    const bool zero_serves = _i % 2;
    struct random_stream stream = {(uint64_t)_i};
    for (uint32_t f = 0; f < sizes[_i / 2].families; f++) {
        struct lists lists =
            random_family(&stream, sizes[_i / 2].lists, sizes[_i / 2].lines);
        struct nesting nesting = nest(&lists, zero_serves);
        struct nest_gain found = nest_gain(&lists, &nesting);
        struct nest_gain best = nest_reference_best(&lists);
        ck_assert(nesting.is_complete);
        ck_assert_uint_eq(found.words, best.words);
        ck_assert_uint_eq(found.count, best.count);
        free_all(&nesting, &lists);
    }
}

// ---------------------------------------------------------------------------
// Many lists

// How many lists the chain has that begins with a list.
static size_t chain_length(const struct nesting *nesting, uint32_t list)
{
    size_t length = 0;
    for (; list != NONE; list = nesting->inner[list])
        length++;
    return length;
}

// Lists of 1 to so many linedefs, each of which contains the one before, with
// the last linedefs in all of them or the first ones.  They come in another
// order.
LOOP_TEST(long_chain_is_one_chain, 2)
{
    enum { LISTS = 4000, STRIDE = 1777 };
    static uint32_t numbers[LISTS];
    for (uint32_t l = 0; l < LISTS; l++)
        numbers[l] = l;
    struct lists lists =
        made_lists_begin(LISTS, (size_t)LISTS * (LISTS + 1) / 2, LISTS);
    uint32_t longest = 0;
    for (uint32_t l = 0; l < LISTS; l++) {
        uint32_t length = 1 + l * STRIDE % LISTS;
        uint32_t first = _i ? LISTS - length : 0;
        if (length == LISTS)
            longest = l;
        made_lists_add(&lists, numbers + first, length);
    }
    struct nesting nesting = nest(&lists, true);
    ck_assert(nesting.is_complete);
    ck_assert_uint_eq(nesting.nested_count, LISTS - 1);
    ck_assert_uint_eq(chain_length(&nesting, longest), LISTS);
    free_all(&nesting, &lists);
}

// Linedef 0 is in all of them, and in one alone.  All others contain that one,
// but it can be the tail of no more than one.
TEST(line_may_be_in_every_block)
{
    enum { LISTS = 100000 };
    struct lists lists = made_lists_begin(LISTS, 2 * LISTS, LISTS);
    for (uint32_t l = 0; l < LISTS; l++)
        made_lists_add(&lists, (uint32_t[]){0, l}, l == 0 ? 1 : 2);
    struct nesting nesting = nest(&lists, true);
    ck_assert(nesting.is_complete);
    ck_assert_uint_eq(nesting.nested_count, 1);
    ck_assert_uint_eq(nest_gain(&lists, &nesting).words, 1);
    free_all(&nesting, &lists);
}

// A list for each of a million blocks, in threes: a linedef in all of them,
// one, and another.
TEST(million_lists_are_nested)
{
    enum { THREES = 1000000 / SLOWNESS / 3 };
    struct lists lists = made_lists_begin(3 * THREES, 6 * THREES, 3 * THREES);
    for (uint32_t i = 0; i < THREES; i++) {
        uint32_t all[] = {2 * i, 2 * i + 1, 2 * THREES};
        made_lists_add(&lists, all, 1);
        made_lists_add(&lists, all, 3);
        made_lists_add(&lists, all, 2);
    }
    struct nesting nesting = nest(&lists, true);
    ck_assert(nesting.is_complete);
    ck_assert_uint_eq(nesting.nested_count, 2 * THREES);
    ck_assert_uint_eq(nest_gain(&lists, &nesting).words, 3 * THREES);
    free_all(&nesting, &lists);
}

// ---------------------------------------------------------------------------
// Too much work

TEST(nesting_too_much_is_ended_early)
{
    struct lists lists = made_lists_of_much_work();
    struct nesting nesting = nest(&lists, true);
    ck_assert(!nesting.is_complete);
    ck_assert_uint_eq(nesting.inner[MADE_MUCH_LISTS], MADE_MUCH_LISTS + 1);
    ck_assert_uint_eq(nesting.inner[MADE_MUCH_LISTS + 2], NONE); // not come to
    free_all(&nesting, &lists);
}

// ---------------------------------------------------------------------------
// Covering

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
    struct made_blocks covered = *blocks;
    ck_assert_uint_eq(lists->list_count, stored.count);
    for (size_t s = 0; s < stored.count; s++)
        ck_assert_uint_eq(made_lists_set(lists, s), stored.set[s]);
    ck_assert_uint_eq(lists->block_count, blocks->count);
    for (size_t b = 0; b < blocks->count; b++) {
        size_t list = find_cover(&stored, blocks->set[b]);
        ck_assert_uint_eq(lists->place[b], lists->start[list]);
        covered.set[b] = stored.set[list];
    }
    made_blocks_assert_price(lists_price(lists), blocks, &covered);
}

TEST(random_families_are_covered)
{
    enum { FAMILIES = 20000 / SLOWNESS };
    struct random_stream stream = {1};
    for (size_t f = 0; f < FAMILIES; f++) {
        struct made_blocks blocks = made_blocks_random(&stream, 16, 8);
        struct lists lists = made_lists(&blocks);
        ck_assert_uint_eq(lists_price(&lists).extra_count, 0);
        bool is_complete;
        ck_assert_int_eq(cover_lists(&test_context, &lists, &is_complete),
                         NBSTAGE_OK);
        ck_assert(is_complete);
        assert_covered(&lists, &blocks);
        lists_free(&test_context, &lists);
    }
}

// All lists stay that it did not come to.
TEST(covering_too_much_is_ended_early)
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

int main(void)
{
    return run_tests(all_tests());
}
