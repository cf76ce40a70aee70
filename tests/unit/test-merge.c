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

// The blocks, and the chain that the list of each is in.  Lists of a chain
// contain each other, so that the largest is all of them together.
struct plain {
    struct made_blocks blocks;
    size_t chain[MADE_MOST_BLOCKS];
    size_t unused; // the number of a chain that there is not yet
};

// The best step so far; it saves no words if there is none.
struct plain_step {
    struct plain after;
    uint64_t extra, saved;
};

static void offer(struct plain_step *best, const struct plain *before,
                  const struct plain *after, uint64_t saved)
{
    uint64_t extra = 0;
    for (size_t b = 0; b < before->blocks.count; b++)
        extra += made_set_length(after->blocks.set[b] & ~before->blocks.set[b]);
    if (best->saved == 0 || extra * best->saved < best->extra * saved)
        *best = (struct plain_step){*after, extra, saved};
}

static bool has_blocks(const struct plain *plain, size_t chain)
{
    for (size_t b = 0; b < plain->blocks.count; b++)
        if (plain->chain[b] == chain)
            return true;
    return false;
}

static made_set largest(const struct plain *plain, size_t chain)
{
    made_set all = 0;
    for (size_t b = 0; b < plain->blocks.count; b++)
        if (plain->chain[b] == chain)
            all |= plain->blocks.set[b];
    return all;
}

// Moves the blocks with the largest list of a chain to the unused one, and
// gives them the lines of a set.
static struct plain move_largest(struct plain plain, size_t chain, made_set set)
{
    const made_set moved = largest(&plain, chain);
    for (size_t b = 0; b < plain.blocks.count; b++)
        if (plain.chain[b] == chain && plain.blocks.set[b] == moved) {
            plain.blocks.set[b] |= set;
            plain.chain[b] = plain.unused;
        }
    return plain;
}

// Offers each list of a chain to be made equal to the one before.
static void offer_lists(struct plain_step *best, const struct plain *plain,
                        size_t chain, uint64_t saved)
{
    made_set before = largest(plain, chain);
    struct plain rest = move_largest(*plain, chain, 0);
    while (has_blocks(&rest, chain)) {
        const made_set list = largest(&rest, chain);
        struct plain after = *plain;
        for (size_t b = 0; b < after.blocks.count; b++)
            if (after.chain[b] == chain && after.blocks.set[b] == list)
                after.blocks.set[b] = before;
        offer(best, plain, &after, saved);
        before = list;
        rest = move_largest(rest, chain, 0);
    }
}

// Offers all ways to go on with making two chains one: `now` has moved some of
// their lists already.
static void offer_chains(struct plain_step *best, const struct plain *plain,
                         const struct plain *now, size_t a, size_t b,
                         uint64_t saved)
{
    struct plain next;
    if (has_blocks(now, a)) {
        next = move_largest(*now, a, largest(now, b));
        offer_chains(best, plain, &next, a, b, saved);
    }
    if (has_blocks(now, b)) {
        next = move_largest(*now, b, largest(now, a));
        offer_chains(best, plain, &next, a, b, saved);
    }
    if (!has_blocks(now, a) && !has_blocks(now, b))
        offer(best, plain, now, saved);
}

static void offer_pair(struct plain_step *best, const struct plain *plain,
                       const struct merge_request *request, size_t a, size_t b)
{
    const made_set of_a = largest(plain, a);
    const made_set of_b = largest(plain, b);
    const uint64_t saved = made_set_length(of_a & of_b) + request->words_around;
    if (request->nests) {
        offer_chains(best, plain, plain, a, b, saved);
    } else {
        struct plain after = move_largest(*plain, a, of_b);
        after = move_largest(after, b, of_a);
        offer(best, plain, &after, saved);
    }
}

// Whether a block is the first of its chain.
static bool is_first(const struct plain *plain, size_t block)
{
    for (size_t b = 0; b < block; b++)
        if (plain->chain[b] == plain->chain[block])
            return false;
    return true;
}

// Takes the first of the cheapest steps.  Returns the words it saves, or 0 if
// there is none.
static uint64_t plain_step(struct plain *plain,
                           const struct merge_request *request)
{
    struct plain_step best = {.saved = 0};
    const size_t *chain = plain->chain;
    for (size_t a = 0; a < plain->blocks.count; a++) {
        if (!is_first(plain, a))
            continue;
        if (request->words_inside > 0)
            offer_lists(&best, plain, chain[a], request->words_inside);
        for (size_t b = a + 1; b < plain->blocks.count; b++)
            if (is_first(plain, b))
                offer_pair(&best, plain, request, chain[a], chain[b]);
    }
    if (best.saved > 0) {
        *plain = best.after;
        plain->unused++;
    }
    return best.saved;
}

// Each list is a chain of its own.
static struct plain plain_make(const struct made_blocks *blocks)
{
    struct plain plain = {.blocks = *blocks, .unused = MADE_MOST_BLOCKS};
    for (size_t b = 0; b < blocks->count; b++)
        while (blocks->set[plain.chain[b]] != blocks->set[b])
            plain.chain[b]++;
    return plain;
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

// Some words are saved at once, too, with the same steps and no more.
LOOP_TEST(every_step_is_the_cheapest, COUNT(cases))
{
    enum { RUNS = 40, WORDS = 20 };
    struct random_stream stream = {(uint64_t)_i + 1};
    for (int run = 0; run < RUNS; run++) {
        struct made_blocks own = random_blocks(&cases[_i].shape, &stream);
        struct trial trial, at_once;
        begin(&trial, &own, cases[_i].request);
        begin(&at_once, &own, cases[_i].request);
        merge(&at_once, WORDS);
        struct plain plain = plain_make(&own);
        uint64_t saved = 0;
        uint64_t words;
        while ((words = plain_step(&plain, cases[_i].request)) > 0) {
            saved += words;
            merge(&trial, 1);
            ck_assert_uint_eq(count_saved(&trial), saved);
            const size_t step_count = count_steps(&trial);
            assert_merged(&trial, step_count, &plain.blocks);
            if (saved - words < WORDS)
                assert_merged(&at_once, step_count, &plain.blocks);
            if (saved - words < WORDS && saved >= WORDS)
                ck_assert_uint_eq(count_steps(&at_once), step_count);
            if (cases[_i].request == &share)
                ck_assert_uint_eq(made_blocks_words(&plain.blocks),
                                  made_blocks_words(&own) - saved);
        }
        const size_t step_count = count_steps(&trial);
        merge(&trial, 1);
        ck_assert_uint_eq(count_steps(&trial), step_count);
        end(&trial);
        end(&at_once);
    }
}

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
LOOP_TEST(lists_become_one_chain_with_enough_work, COUNT(works))
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

LOOP_TEST(examples_are_merged_as_expected, COUNT(examples))
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

// Each list has a line of its own, one that all have, and one that a neighbour
// has, too.
TEST(many_lists_with_a_line_in_common)
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

int main(void)
{
    return run_tests(all_tests());
}
