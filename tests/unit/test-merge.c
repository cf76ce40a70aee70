// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that merging takes, step by step, what is cheapest: on small random
// lists the blocks' lists after every step are those of a plain search through
// all pairs.  That blocks never lose a line, that the price is what it is said
// to be, that steps can be gone back, and that it comes to an end where all is
// one.

#include "context-for-tests.h"
#include "made-lists.h"
#include "merge/merge.h"

// ---------------------------------------------------------------------------
// Merging by a plain search: every pair at every step, and for two chains every
// way to make them one

struct plain_level {
    made_set lines;
    uint64_t blocks; // a bit for each
};

struct plain_chain {
    struct plain_level levels[MADE_MOST_BLOCKS];
    size_t count; // 0: it is part of another one
};

struct plain {
    const struct merge_request *request;
    struct plain_chain chains[MADE_MOST_BLOCKS];
    size_t count;
};

struct plain_offer {
    size_t low, high;
    uint64_t extra, saved;
};

static uint64_t growth(const struct plain_level *level,
                       const struct plain_level *other)
{
    return made_set_length(other->lines & ~level->lines) *
           made_set_length(level->blocks);
}

// The cheapest of all ways to make the levels from i and j on one chain.
static uint64_t cheapest(const struct plain_chain *a,
                         const struct plain_chain *b, size_t i, size_t j)
{
    if (i == a->count || j == b->count)
        return 0;
    uint64_t a_grows =
        growth(&a->levels[i], &b->levels[j]) + cheapest(a, b, i + 1, j);
    uint64_t b_grows =
        growth(&b->levels[j], &a->levels[i]) + cheapest(a, b, i, j + 1);
    return a_grows < b_grows ? a_grows : b_grows;
}

static struct plain_offer make_offer(const struct plain *plain, size_t low,
                                     size_t high)
{
    const struct plain_chain *a = &plain->chains[low];
    const struct plain_chain *b = &plain->chains[high];
    const struct plain_level *first_a = &a->levels[0];
    const struct plain_level *first_b = &b->levels[0];
    struct plain_offer offer = {low, high, 0, 0};
    offer.saved = made_set_length(first_a->lines & first_b->lines) +
                  plain->request->words_around;
    offer.extra = plain->request->nests
                      ? cheapest(a, b, 0, 0)
                      : growth(first_a, first_b) + growth(first_b, first_a);
    return offer;
}

static bool is_cheaper(const struct plain_offer *offer,
                       const struct plain_offer *best)
{
    return best->saved == 0 ||
           offer->extra * best->saved < best->extra * offer->saved;
}

// The first of the cheapest levels to make equal to the one before.
static struct plain_offer offer_level(const struct plain *plain, size_t chain,
                                      size_t *level)
{
    struct plain_offer best = {0};
    const struct plain_level *levels = plain->chains[chain].levels;
    for (size_t i = 1; i < plain->chains[chain].count; i++) {
        struct plain_offer offer = {chain, chain,
                                    growth(&levels[i], &levels[i - 1]),
                                    plain->request->words_inside};
        if (is_cheaper(&offer, &best)) {
            best = offer;
            *level = i;
        }
    }
    return best;
}

static struct plain_offer find_best(const struct plain *plain)
{
    struct plain_offer best = {0};
    size_t level;
    for (size_t low = 0; low < plain->count; low++) {
        struct plain_offer offer = offer_level(plain, low, &level);
        if (offer.saved > 0 && is_cheaper(&offer, &best))
            best = offer;
        for (size_t high = low + 1; high < plain->count; high++)
            if (plain->chains[low].count && plain->chains[high].count) {
                offer = make_offer(plain, low, high);
                if (is_cheaper(&offer, &best))
                    best = offer;
            }
    }
    return best;
}

static void add_level(struct plain_chain *chain,
                      const struct plain_level *level, uint64_t lines)
{
    struct plain_level *last = &chain->levels[chain->count];
    if (chain->count > 0 && last[-1].lines == lines)
        last[-1].blocks |= level->blocks;
    else {
        *last = (struct plain_level){lines, level->blocks};
        chain->count++;
    }
}

static struct plain_chain join_chains(const struct plain_chain *a,
                                      const struct plain_chain *b)
{
    struct plain_chain joined = {.count = 0};
    size_t i = 0;
    size_t j = 0;
    while (i < a->count && j < b->count) {
        uint64_t lines = a->levels[i].lines | b->levels[j].lines;
        if (cheapest(a, b, i, j) ==
            growth(&a->levels[i], &b->levels[j]) + cheapest(a, b, i + 1, j))
            add_level(&joined, &a->levels[i++], lines);
        else
            add_level(&joined, &b->levels[j++], lines);
    }
    for (; i < a->count; i++)
        add_level(&joined, &a->levels[i], a->levels[i].lines);
    for (; j < b->count; j++)
        add_level(&joined, &b->levels[j], b->levels[j].lines);
    return joined;
}

static void join_levels(struct plain *plain, size_t number)
{
    struct plain_chain *chain = &plain->chains[number];
    size_t level = 0;
    offer_level(plain, number, &level);
    chain->levels[level - 1].blocks |= chain->levels[level].blocks;
    chain->count--;
    for (; level < chain->count; level++)
        chain->levels[level] = chain->levels[level + 1];
}

static void take(struct plain *plain, const struct plain_offer *offer)
{
    struct plain_chain *a = &plain->chains[offer->low];
    struct plain_chain *b = &plain->chains[offer->high];
    if (a == b) {
        join_levels(plain, offer->low);
    } else if (plain->request->nests) {
        *a = join_chains(a, b);
        b->count = 0;
    } else {
        a->levels[0].lines |= b->levels[0].lines;
        a->levels[0].blocks |= b->levels[0].blocks;
        b->count = 0;
    }
}

// Takes the cheapest step.  Returns the words it saves, or 0 if there is none.
static uint64_t plain_step(struct plain *plain)
{
    struct plain_offer best = find_best(plain);
    if (best.saved > 0)
        take(plain, &best);
    return best.saved;
}

// The lists of blocks, none of them nested.
static struct plain plain_make(const struct merge_request *request,
                               const struct lists *lists)
{
    struct plain plain = {.request = request, .count = lists->list_count};
    struct made_blocks blocks = made_lists_blocks(lists);
    for (size_t b = 0; b < blocks.count; b++) {
        struct plain_chain *chain =
            &plain.chains[lists_number(lists, lists->place[b])];
        chain->count = 1;
        chain->levels[0].lines = blocks.set[b];
        chain->levels[0].blocks |= UINT64_C(1) << b;
    }
    return plain;
}

// The lists that blocks have come to.
static struct made_blocks plain_blocks(const struct plain *plain, size_t count)
{
    struct made_blocks blocks = {.count = count};
    for (size_t c = 0; c < plain->count; c++)
        for (size_t i = 0; i < plain->chains[c].count; i++)
            for (size_t b = 0; b < count; b++)
                if (plain->chains[c].levels[i].blocks >> b & 1)
                    blocks.set[b] = plain->chains[c].levels[i].lines;
    return blocks;
}

// ---------------------------------------------------------------------------
// Lists

// What random blocks are like.
struct shape {
    size_t blocks;
    uint32_t different; // lists, at most
    uint32_t lines;     // to choose from
    uint32_t length;    // at most
    bool all_meet;      // line 0 is in every block
};

static struct made_blocks random_blocks(const struct shape *shape,
                                        struct random_stream *stream)
{
    struct made_blocks blocks = {.count = shape->blocks};
    made_set sets[MADE_MOST_BLOCKS] = {0};
    for (uint32_t l = 0; l < shape->different; l++) {
        for (uint32_t i = random_below(stream, shape->length + 1); i > 0; i--)
            sets[l] |= (made_set)1 << random_below(stream, shape->lines);
        sets[l] |= shape->all_meet;
    }
    for (size_t b = 0; b < blocks.count; b++)
        blocks.set[b] = sets[random_below(stream, shape->different)];
    return blocks;
}

// Holds lists against the blocks that they are for, each place and word.
static void assert_lists(const struct lists *lists,
                         const struct made_blocks *blocks)
{
    struct lists expected = made_lists(blocks);
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

// ---------------------------------------------------------------------------
// Merging

// Blocks with lists of their own, and what merges these.
struct trial {
    struct made_blocks own;
    struct lists lists;
    struct merger *merger;
};

static void begin(struct trial *trial, const struct made_blocks *own,
                  const struct merge_request *request)
{
    *trial = (struct trial){.own = *own, .lists = made_lists(own)};
    ck_assert_int_eq(
        merger_make(&test_context, &trial->lists, request, &trial->merger),
        NBSTAGE_OK);
}

static void end(struct trial *trial)
{
    merger_free(trial->merger);
    lists_free(&test_context, &trial->lists);
}

static void merge(struct trial *trial, uint64_t words)
{
    ck_assert_int_eq(merger_merge(trial->merger, words), NBSTAGE_OK);
}

static size_t count_steps(const struct trial *trial)
{
    return merger_result(trial->merger).step_count;
}

static uint64_t count_saved(const struct trial *trial)
{
    return merger_result(trial->merger).saved_words;
}

// The blocks' lists after some steps, whose price is held against them.
static struct made_blocks merged_blocks(const struct trial *trial,
                                        size_t step_count)
{
    struct lists merged;
    ck_assert_int_eq(merger_lists(trial->merger, step_count, &merged),
                     NBSTAGE_OK);
    struct made_blocks blocks = made_lists_blocks(&merged);
    assert_lists(&merged, &blocks);
    made_blocks_assert_price(lists_price(&merged), &trial->own, &blocks);
    lists_free(&test_context, &merged);
    return blocks;
}

static void assert_merged(const struct trial *trial, size_t step_count,
                          const struct made_blocks *expected)
{
    struct made_blocks blocks = merged_blocks(trial, step_count);
    ck_assert_uint_eq(blocks.count, expected->count);
    ck_assert_mem_eq(blocks.set, expected->set,
                     blocks.count * sizeof *blocks.set);
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
    // All are equal.
    {&share, {2, 1, 6, 1, false}},
    {&share_bare, {2, 1, 6, 1, false}},
    {&nest, {2, 1, 6, 1, false}},
    {&nest_zero, {2, 1, 6, 1, false}},
};

START_TEST(every_step_is_the_cheapest)
{
    enum { RUNS = 40 };
    struct random_stream stream = {(uint64_t)_i + 1};
    for (int run = 0; run < RUNS; run++) {
        struct made_blocks own = random_blocks(&cases[_i].shape, &stream);
        struct trial trial;
        begin(&trial, &own, cases[_i].request);
        struct plain plain = plain_make(cases[_i].request, &trial.lists);
        uint64_t saved = 0;
        for (uint64_t words; (words = plain_step(&plain)) > 0;) {
            saved += words;
            merge(&trial, 1);
            ck_assert_uint_eq(count_saved(&trial), saved);
            struct made_blocks expected = plain_blocks(&plain, own.count);
            assert_merged(&trial, count_steps(&trial), &expected);
            if (cases[_i].request == &share)
                ck_assert_uint_eq(made_blocks_words(&expected),
                                  made_blocks_words(&own) - saved);
        }
        const size_t step_count = count_steps(&trial);
        merge(&trial, 1);
        ck_assert_uint_eq(count_steps(&trial), step_count);
        end(&trial);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// From the first step to the last

static const struct merge_request *const requests[] = {&share, &share_bare,
                                                       &nest, &nest_zero};

// Random blocks whose lists need not meet.
static struct made_blocks loose_blocks(int seed)
{
    static const struct shape shape = {48, 30, 40, 6, false};
    struct random_stream stream = {(uint64_t)seed + 1};
    return random_blocks(&shape, &stream);
}

// How much work merging may take in all before only neighbours are merged,
// from the start if it is 1, and how much before it ends; 0: any.
static const struct {
    uint64_t limit, end;
} works[] = {{0, 0}, {1, 0},    {3000, 0}, {10000, 0},
             {0, 1}, {0, 2000}, {0, 5000}};

static void assert_one_chain(const struct made_blocks *blocks)
{
    for (size_t a = 0; a < blocks->count; a++)
        for (size_t b = 0; b < a; b++)
            ck_assert(made_set_contains(blocks->set[a], blocks->set[b]) ||
                      made_set_contains(blocks->set[b], blocks->set[a]));
}

// Steps can be gone back; blocks only gain lines.
START_TEST(lists_become_one_chain_with_enough_work)
{
    struct made_blocks own = loose_blocks(_i);
    for (size_t r = 0; r < COUNT(requests); r++) {
        struct merge_request request = *requests[r];
        struct trial trial;
        request.work_limit = works[_i].limit;
        begin(&trial, &own, &request);
        if (works[_i].end > 0)
            context_begin_work(&test_context, works[_i].end);
        merge(&trial, UINT64_MAX);
        const size_t step_count = count_steps(&trial);
        struct made_blocks after = merged_blocks(&trial, step_count);
        if (works[_i].end > 0) {
            ck_assert_uint_eq(context_work_left(&test_context), 0);
            ck_assert_uint_lt(step_count, trial.lists.list_count - 1);
        } else {
            ck_assert_uint_ge(step_count, trial.lists.list_count - 1);
            assert_one_chain(&after);
        }
        merge(&trial, UINT64_MAX);
        ck_assert_uint_eq(count_steps(&trial), step_count);
        for (size_t s = step_count; s-- > 0;) {
            struct made_blocks blocks = merged_blocks(&trial, s);
            for (size_t b = 0; b < own.count; b++)
                ck_assert(made_set_contains(after.set[b], blocks.set[b]));
            after = blocks;
        }
        assert_merged(&trial, 0, &own);
        end(&trial);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Cases

// 1 2 3 > 1 and 2 > nothing.
static const uint32_t nesting[] = {1, LIST_NUMBER_NONE, 3, LIST_NUMBER_NONE};
static const struct merge_request nested = {
    .nests = true, .inner = nesting, .words_around = 1};
static const struct merge_request neighbours = {.words_around = 2,
                                                .work_limit = 1};

static const struct {
    const char *name;
    const struct merge_request *request;
    uint64_t words; // to save
    struct made_blocks own, expected;
    uint64_t saved;
} examples[] = {
    {"an empty list is nested for nothing",
     &nest,
     1,
     {{0x00, 0x06, 0x18, 0x00}, 4},
     {{0x00, 0x06, 0x18, 0x00}, 4},
     1},
    // 2 is put between 1 2 3 and 1, where 1 grows.
    {"the nesting so far is kept",
     &nested,
     UINT64_MAX,
     {{0x0E, 0x02, 0x04, 0x00, 0x04}, 5},
     {{0x0E, 0x06, 0x04, 0x00, 0x04}, 5},
     2},
    // The list of line 0 becomes that of lines 0 and 1, which is there already,
    // after a list that is dear to merge.
    {"lists that become equal are stored once",
     &neighbours,
     1,
     {{0x01, 0x02, 0xFFF0, 0x03}, 4},
     {{0x03, 0x03, 0xFFF0, 0x03}, 4},
     2},
};

START_TEST(examples_are_merged_as_expected)
{
    struct trial trial;
    begin(&trial, &examples[_i].own, examples[_i].request);
    merge(&trial, examples[_i].words);
    ck_assert_msg(count_steps(&trial) == 1 &&
                      count_saved(&trial) == examples[_i].saved,
                  "%s: %zu steps instead of 1, %u words instead of %u",
                  examples[_i].name, count_steps(&trial),
                  (unsigned)count_saved(&trial), (unsigned)examples[_i].saved);
    assert_merged(&trial, 1, &examples[_i].expected);
    end(&trial);
}
END_TEST

START_TEST(it_stops_when_enough_is_saved)
{
    enum { WORDS = 20 };
    struct made_blocks own = loose_blocks(_i);
    struct trial all;
    begin(&all, &own, requests[_i]);
    struct trial one_by_one;
    begin(&one_by_one, &own, requests[_i]);
    merge(&all, WORDS);
    uint64_t before = 0;
    while (count_saved(&one_by_one) < WORDS) {
        before = count_saved(&one_by_one);
        merge(&one_by_one, 1);
    }
    ck_assert_uint_lt(before, WORDS);
    ck_assert_uint_eq(count_steps(&all), count_steps(&one_by_one));
    for (size_t s = count_steps(&all) + 1; s-- > 0;) {
        struct made_blocks expected = merged_blocks(&one_by_one, s);
        assert_merged(&all, s, &expected);
    }
    end(&all);
    end(&one_by_one);
}
END_TEST

// Each list has a line of its own, one that all have, and one that a neighbour
// has, too.
START_TEST(many_lists_with_a_line_in_common)
{
    enum { LISTS = 4000, WORDS = LISTS / 2 * 4 };
    struct trial trial = {.lists = made_lists_begin(LISTS, LISTS * 3, LISTS)};
    for (uint32_t l = 0; l < LISTS; l++)
        made_lists_add(&trial.lists, (uint32_t[]){0, 1 + l / 2, 1 + LISTS + l},
                       3);
    ck_assert_int_eq(
        merger_make(&test_context, &trial.lists, &share, &trial.merger),
        NBSTAGE_OK);
    merge(&trial, WORDS);
    ck_assert_uint_eq(count_steps(&trial), LISTS / 2);
    struct lists merged;
    ck_assert_int_eq(merger_lists(trial.merger, LISTS / 2, &merged),
                     NBSTAGE_OK);
    struct lists_price price = lists_price(&merged);
    ck_assert_uint_eq(merged.list_count, LISTS / 2);
    ck_assert_uint_eq(price.extra_count, LISTS);
    ck_assert_uint_eq(price.extra_at_worst, 1);
    lists_free(&test_context, &merged);
    merge(&trial, UINT64_MAX);
    ck_assert_uint_eq(count_steps(&trial), LISTS - 1);
    end(&trial);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("merge");
    const int request_count = COUNT(requests);
    tcase_add_loop_test(tests, every_step_is_the_cheapest, 0, COUNT(cases));
    tcase_add_loop_test(tests, lists_become_one_chain_with_enough_work, 0,
                        COUNT(works));
    tcase_add_loop_test(tests, examples_are_merged_as_expected, 0,
                        COUNT(examples));
    tcase_add_loop_test(tests, it_stops_when_enough_is_saved, 0, request_count);
    tcase_add_test(tests, many_lists_with_a_line_in_common);
    return run_tests(tests);
}
