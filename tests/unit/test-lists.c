// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that entries become the right list for each block, that equal lists
// stand once, in the order in which blocks first have them, and that lists
// whose digests are equal are not taken for equal: where this is the rule,
// every block still has exactly its lines.  And that digests whose upper bits
// are all 0 are soon found in a table of them.

#include "base/digest.h"
#include "context-for-tests.h"
#include "lists/lists.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

// --- Entries ---

struct entry {
    uint32_t line, block;
};

static void allocate(size_t count, size_t size, void *array)
{
    ck_assert_int_eq(context_allocate(&test_context, count, size, array),
                     NBSTAGE_OK);
}

// Entries that are given in linedef order, for entries_free.
static struct entries make_entries(const struct entry *entry, size_t count,
                                   size_t line_count)
{
    struct entries entries = {
        .count = count,
        .group_count = (line_count + LINES_GROUP - 1) / LINES_GROUP,
        .linedef_end = line_count,
    };
    allocate(count, sizeof *entries.entry, &entries.entry);
    allocate(entries.group_count, sizeof *entries.group_ends,
             &entries.group_ends);
    size_t t = 0;
    for (size_t g = 0; g < entries.group_count; g++) {
        for (; t < count && entry[t].line / LINES_GROUP == g; t++)
            entries.entry[t] = entry[t].line % LINES_GROUP << ENTRY_BLOCK_BITS |
                               entry[t].block;
        entries.group_ends[g] = t;
    }
    ck_assert_uint_eq(t, count);
    return entries;
}

// --- Lists ---

// Checks that the list of a block is these linedefs between header and end.
static void assert_list(const struct lists *lists, size_t block,
                        const uint32_t *linedefs, size_t length)
{
    const uint32_t *words = lists->words + lists->place[block];
    ck_assert_msg(words[0] == LIST_HEADER &&
                      (length == 0 || memcmp(words + 1, linedefs,
                                             length * sizeof *words) == 0) &&
                      words[1 + length] == LIST_END,
                  "block %zu has another list", block);
}

// Checks that lists stand in the order in which blocks first have them, one
// behind the other, and none that no block has.
static void assert_in_order(const struct lists *lists)
{
    size_t next = 0;
    ck_assert_uint_eq(lists->start[0], 0);
    for (size_t b = 0; b < lists->block_count; b++) {
        if (next < lists->list_count && lists->place[b] == lists->start[next])
            next++;
        else if (lists->place[b] >= lists->start[next])
            ck_abort_msg("block %zu has the list at %u before its turn", b,
                         lists->place[b]);
    }
    ck_assert_uint_eq(next, lists->list_count);
}

// --- At random ---

enum { MOST_BLOCKS = 120, MOST_LINES = 3 * LINES_GROUP };

// Which lines which blocks have.
struct sets {
    uint32_t blocks, lines;
    bool has[MOST_BLOCKS][MOST_LINES];
};

// Sets of which many are equal, and many more have equally many lines.
static void make_sets(struct random_stream *stream, struct sets *sets)
{
    memset(sets, 0, sizeof *sets);
    sets->blocks = 1 + random_below(stream, MOST_BLOCKS);
    sets->lines = 1 + random_below(stream, MOST_LINES);
    uint32_t different = 1 + random_below(stream, sets->blocks);
    static const uint32_t lengths[] = {3, 3, 3, 40, 40, MOST_LINES};
    uint32_t longest =
        1 + random_below(stream, lengths[random_below(stream, COUNT(lengths))]);
    for (uint32_t b = 0; b < sets->blocks; b++) {
        if (b >= different) { // the same as another
            uint32_t other = random_below(stream, different);
            memcpy(sets->has[b], sets->has[other], sizeof sets->has[b]);
            continue;
        }
        uint32_t length = random_below(stream, longest + 1);
        for (uint32_t i = 0; i < length; i++)
            sets->has[b][random_below(stream, sets->lines)] = true;
    }
    for (uint32_t b = 0; b < sets->blocks; b++) { // in any order
        static bool other[MOST_LINES];
        uint32_t at = random_below(stream, sets->blocks);
        memcpy(other, sets->has[b], sizeof other);
        memcpy(sets->has[b], sets->has[at], sizeof other);
        memcpy(sets->has[at], other, sizeof other);
    }
}

static struct entries entries_of(const struct sets *sets)
{
    static struct entry entry[MOST_BLOCKS * MOST_LINES];
    size_t count = 0;
    for (uint32_t line = 0; line < sets->lines; line++)
        for (uint32_t block = 0; block < sets->blocks; block++)
            if (sets->has[block][line])
                entry[count++] = (struct entry){line, block};
    return make_entries(entry, count, sets->lines);
}

static void assert_sets(const struct lists *lists, const struct sets *sets)
{
    for (size_t b = 0; b < sets->blocks; b++) {
        uint32_t linedefs[MOST_LINES];
        size_t length = 0;
        for (uint32_t line = 0; line < sets->lines; line++)
            if (sets->has[b][line])
                linedefs[length++] = line;
        assert_list(lists, b, linedefs, length);
    }
}

// Checks that only equal lists are one, and how many of them are.
static size_t count_shared(const struct lists *lists, const struct sets *sets)
{
    size_t count = 0;
    for (size_t a = 0; a < sets->blocks; a++) {
        for (size_t b = 0; b < a; b++) {
            const bool are_one = lists->place[a] == lists->place[b];
            if (are_one &&
                memcmp(sets->has[a], sets->has[b], sizeof sets->has[a]) != 0)
                ck_abort_msg("blocks %zu and %zu share a list", b, a);
            count += are_one;
        }
    }
    return count;
}

static size_t count_equal(const struct sets *sets)
{
    size_t count = 0;
    for (size_t a = 0; a < sets->blocks; a++)
        for (size_t b = 0; b < a; b++)
            count +=
                memcmp(sets->has[a], sets->has[b], sizeof sets->has[a]) == 0;
    return count;
}

// Pairs of four lines whose digests have the same sum, in all groups of lines;
// it takes a search to find some.
static const uint8_t twins[][2][4] = {
    {{8, 27, 123, 218}, {5, 26, 50, 53}},
    {{20, 167, 198, 248}, {9, 121, 182, 230}},
    {{36, 65, 165, 179}, {34, 77, 216, 245}},
    {{40, 94, 209, 232}, {24, 28, 112, 246}},
    {{41, 85, 95, 243}, {25, 99, 162, 249}},
    {{61, 124, 177, 190}, {12, 57, 72, 199}},
    {{64, 174, 206, 253}, {32, 60, 97, 134}},
    {{76, 110, 189, 212}, {6, 148, 149, 194}},
};

// Puts one of each of the first twins into every block.  Sets that do not
// differ in anything else have equal digests then.
static void add_twins(struct random_stream *stream, size_t count,
                      struct sets *sets)
{
    if (sets->lines < LINES_GROUP)
        sets->lines = LINES_GROUP;
    const size_t first =
        random_below(stream, sets->lines / LINES_GROUP) * LINES_GROUP;
    for (size_t b = 0; b < sets->blocks; b++) {
        for (size_t t = 0; t < count; t++) {
            const size_t one = random_below(stream, 2);
            for (size_t i = 0; i < COUNT(*twins[t]); i++) {
                sets->has[b][first + twins[t][one][i]] = true;
                sets->has[b][first + twins[t][!one][i]] = false;
            }
        }
    }
}

// Builds lists; returns how many pairs of blocks share one.
static size_t check_random_lists(const struct sets *sets, bool are_in_order)
{
    const struct grid grid = {0, 0, sets->blocks, 1};
    struct entries entries = entries_of(sets);
    struct lists lists;
    ck_assert_int_eq(lists_build(&test_context, &grid, &entries, &lists),
                     NBSTAGE_OK);
    assert_sets(&lists, sets);
    const size_t shared = count_shared(&lists, sets);
    if (are_in_order)
        assert_in_order(&lists);
    entries_free(&test_context, &entries);
    lists_free(&test_context, &lists);
    return shared;
}

// If different lists have equal digests, some are not shared that are equal.
LOOP_TEST(random_lists_are_exact_with_equal_digests, COUNT(twins) + 1)
{
    enum { MAPS = 96 / SLOWNESS };
    static struct sets sets;
    struct random_stream stream = {(uint64_t)_i};
    size_t unshared = 0;
    for (int m = 0; m < MAPS; m++) {
        make_sets(&stream, &sets);
        ck_assert_uint_eq(check_random_lists(&sets, true), count_equal(&sets));
        add_twins(&stream, (size_t)_i, &sets);
        unshared += count_equal(&sets) - check_random_lists(&sets, _i == 0);
    }
    ck_assert(_i == 0 ? unshared == 0 : unshared > 0);
}

// Sums of one for the column and one for the row, as a map can be made to have.
LOOP_TEST(digests_without_upper_bits_are_found_soon, 24 / SLOWNESS)
{
    enum { SIDE = 256, MOST_LOOKS = 128 };
    struct random_stream stream = {(uint64_t)_i};
    const void *table = (const void *)(4096 * ((uintptr_t)_i + 1));
    const unsigned bits = digest_slot_bits(SIDE * SIDE);
    bool *is_taken = calloc((size_t)1 << bits, sizeof *is_taken);
    uint64_t digests[2 * SIDE];
    ck_assert_ptr_nonnull(is_taken);
    for (size_t i = 0; i < COUNT(digests); i++)
        digests[i] = (uint64_t)random_below(&stream, 1 << 24) << 20 | 1;
    for (size_t b = 0; b < SIDE * SIDE; b++) {
        const uint64_t digest = digests[b % SIDE] + digests[SIDE + b / SIDE];
        size_t slot = digest_slot(digest, bits), looks = 0;
        for (; is_taken[slot];
             slot = digest_next_slot(slot, digest, table, bits))
            ck_assert_uint_lt(++looks, MOST_LOOKS);
        is_taken[slot] = true;
    }
    free(is_taken);
}

// --- Lists that are not built ---

LOOP_TEST(building_can_be_cancelled, 3)
{
    enum { REPORTS = 2 };
    static const struct entry entry[] = {{0, 0}, {1, 1}};
    static const struct grid grid = {0, 0, 2, 1};
    struct entries entries = make_entries(entry, COUNT(entry), 2);
    struct lists lists;
    const int report = _i + 1;
    test_host.cancelled_report = (size_t)report;
    ck_assert_int_eq(lists_build(&test_context, &grid, &entries, &lists),
                     report <= REPORTS ? NBSTAGE_CANCELLED : NBSTAGE_OK);
    ck_assert_int_eq((int)test_host.progress_count,
                     report <= REPORTS ? report : REPORTS);
    entries_free(&test_context, &entries);
    lists_free(&test_context, &lists);
    ck_assert_ptr_null(test_host.blocks);
}

// So many entries do not fit a test, so they are only said to be there.
TEST(more_entries_than_can_be_numbered_are_refused)
{
    static const struct entry entry[] = {{0, 0}, {0, 1}, {1, 3}, {2, 4}};
    static const struct grid grid = {0, 0, 3, 2};
    struct entries entries = make_entries(entry, COUNT(entry), 3);
    entries.count = 2147483648;
    struct lists lists;
    ck_assert_int_eq(lists_build(&test_context, &grid, &entries, &lists),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP", "2147483648",
                 "2147483647");
    ck_assert(!lists.words && !lists.start && !lists.place);
    entries_free(&test_context, &entries);
}
