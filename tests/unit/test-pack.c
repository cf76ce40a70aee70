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
#include "lists/pack.h"
#include "made-lists.h"
#include "nest-reference.h"

#define NONE LIST_NUMBER_NONE

static struct nesting nest(const struct lists *lists)
{
    struct nesting nesting;
    ck_assert_int_eq(nest_lists(&test_context, lists, &nesting), NBSTAGE_OK);
    nest_reference_check(lists, &nesting);
    return nesting;
}

static void free_all(struct nesting *nesting, struct lists *lists)
{
    nesting_free(&test_context, nesting);
    lists_free(&test_context, lists);
}

// --- At random ---

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
LOOP_TEST(random_families_are_nested_best, COUNT(sizes))
{
    struct random_stream stream = {(uint64_t)_i};
    for (uint32_t f = 0; f < sizes[_i].families; f++) {
        struct lists lists =
            random_family(&stream, sizes[_i].lists, sizes[_i].lines);
        struct nesting nesting = nest(&lists);
        struct nest_gain found = nest_gain(&lists, &nesting);
        struct nest_gain best = nest_reference_best(&lists);
        ck_assert(nesting.is_complete);
        ck_assert_uint_eq(found.words, best.words);
        ck_assert_uint_eq(found.count, best.count);
        free_all(&nesting, &lists);
    }
}

// --- Many lists ---

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
    struct nesting nesting = nest(&lists);
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
    struct nesting nesting = nest(&lists);
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
    struct nesting nesting = nest(&lists);
    ck_assert(nesting.is_complete);
    ck_assert_uint_eq(nesting.nested_count, 2 * THREES);
    ck_assert_uint_eq(nest_gain(&lists, &nesting).words, 3 * THREES);
    free_all(&nesting, &lists);
}

// --- Too much work ---

TEST(nesting_too_much_is_ended_early)
{
    struct lists lists = made_lists_of_much_work();
    struct nesting nesting = nest(&lists);
    ck_assert(!nesting.is_complete);
    ck_assert_uint_eq(nesting.inner[MADE_MUCH_LISTS], MADE_MUCH_LISTS + 1);
    ck_assert_uint_eq(nesting.inner[MADE_MUCH_LISTS + 2], NONE); // not come to
    free_all(&nesting, &lists);
}
