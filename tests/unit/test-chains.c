// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves, word for word, how lists are written as chains with each kind of
// header, and where linedef 0, the empty list and the last chain go.  Then, on
// random families of sets, that each packing with each header gives every
// block its list and is as large as it should be: equal lists are stored once,
// and nested lists take as few words as any chains do.

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "lists/pack.h"
#include "made-lists.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

#define END LIST_END

enum {
    HEADERS = 3,
    MOST_LINES = 64,  // linedefs of a set
    MOST_BLOCKS = 64, // with sets
};

// Linedefs 0 to 63, a bit for each.
typedef uint64_t made_set;

// Blocks with sets of linedefs.
struct made_blocks {
    made_set set[MOST_BLOCKS];
    size_t count;
};

static size_t length_of(made_set set)
{
    size_t length = 0;
    for (; set; set &= set - 1)
        length++;
    return length;
}

static void add_set(struct lists *lists, made_set set)
{
    uint32_t linedefs[MOST_LINES];
    size_t length = 0;
    for (uint32_t line = 0; line < MOST_LINES; line++)
        if (set >> line & 1)
            linedefs[length++] = line;
    made_lists_add(lists, linedefs, length);
}

// The lists of the blocks as lists_build would make them.
static struct lists made_lists(const struct made_blocks *blocks)
{
    struct lists lists = made_lists_begin(
        blocks->count, blocks->count * MOST_LINES, blocks->count);
    for (size_t b = 0; b < blocks->count; b++) {
        size_t same = 0;
        while (blocks->set[same] != blocks->set[b])
            same++;
        if (same < b) {
            lists.place[lists.block_count++] = lists.place[same];
            lists.entry_count += length_of(blocks->set[b]);
        } else {
            add_set(&lists, blocks->set[b]);
        }
    }
    return lists;
}

static struct lists pack(const struct made_blocks *blocks, enum pack_mode mode,
                         enum list_header header)
{
    struct lists lists = made_lists(blocks);
    ck_assert_int_eq(
        pack_lists(&test_context, (struct pack_form){mode, header}, &lists),
        NBSTAGE_OK);
    return lists;
}

// --- By hand ---

// The words of packed lists, and where each block's list begins.
struct layout {
    uint32_t words[16];
    size_t word_count;
    uint32_t offset[4];
};

// Blocks, and what they come out as.
struct example {
    const char *name;
    enum pack_mode mode;
    struct made_blocks blocks;
    struct layout layout[HEADERS];
};

static const struct example examples[] = {
    {"chain of three",
     PACK_NEST,
     {{0x8, 0xE, 0xC}, 3}, // 3 | 1 2 3 | 2 3
     {[HEADER_ZERO] = {{0, 1, 0, 2, 0, 3, END}, 7, {4, 0, 2}},
      [HEADER_ANY] = {{1, 1, 2, 3, END}, 5, {2, 0, 1}},
      [HEADER_NONE] = {{1, 2, 3, END}, 4, {2, 0, 1}}}},
    {"linedef 0 is outside",
     PACK_NEST,
     {{0x7, 0x6}, 2}, // 0 1 2 | 1 2
     {[HEADER_ZERO] = {{0, 0, 0, 1, 2, END}, 6, {0, 2}},
      [HEADER_ANY] = {{0, 0, 1, 2, END}, 5, {0, 1}},
      [HEADER_NONE] = {{0, 1, 2, END}, 4, {0, 1}}}},
    {"linedef 0 is outside, with others",
     PACK_NEST,
     {{0xF, 0xC}, 2}, // 0 1 2 3 | 2 3
     {[HEADER_ZERO] = {{0, 0, 1, 0, 2, 3, END}, 7, {0, 3}},
      [HEADER_ANY] = {{0, 0, 1, 2, 3, END}, 6, {0, 2}},
      [HEADER_NONE] = {{0, 1, 2, 3, END}, 5, {0, 2}}}},
    {"linedef 0 is in the middle",
     PACK_NEST,
     {{0xF, 0xD, 0x8}, 3}, // 0 1 2 3 | 0 2 3 | 3
     {[HEADER_ZERO] = {{0, 1, 0, 0, 2, 0, 3, END}, 8, {0, 2, 5}},
      [HEADER_ANY] = {{1, 1, 0, 2, 3, END}, 6, {0, 1, 3}},
      [HEADER_NONE] = {{1, 0, 2, 3, END}, 5, {0, 1, 3}}}},
    {"linedef 0 is inside: headers stay, lest all lists seem to have one",
     PACK_NEST,
     {{0x3, 0x1}, 2}, // 0 1 | 0
     {[HEADER_ZERO] = {{0, 1, 0, 0, END}, 5, {0, 2}},
      [HEADER_ANY] = {{1, 1, 0, END}, 4, {0, 1}},
      [HEADER_NONE] = {{1, 1, 0, END}, 4, {0, 1}}}},
    {"all lists begin with linedef 0: the same",
     PACK_SHARE,
     {{0x3, 0x5, 0x3}, 3}, // 0 1 | 0 2 | 0 1
     {[HEADER_ZERO] = {{0, 0, 1, END, 0, 0, 2, END}, 8, {0, 4, 0}},
      [HEADER_ANY] = {{0, 0, 1, END, 0, 0, 2, END}, 8, {0, 4, 0}},
      [HEADER_NONE] = {{0, 0, 1, END, 0, 0, 2, END}, 8, {0, 4, 0}}}},
    {"empty list behind a chain that is not the last",
     PACK_NEST,
     {{0, 0x2, 0x4}, 3}, // none | 1 | 2
     {[HEADER_ZERO] = {{0, 1, 0, END, 0, 2, END}, 7, {2, 0, 4}},
      [HEADER_ANY] = {{1, 1, END, 2, 2, END}, 6, {1, 0, 3}},
      [HEADER_NONE] = {{1, END, 2, END}, 4, {1, 0, 2}}}},
    {"empty list behind the first chain",
     PACK_NEST,
     {{0x4, 0x3, 0, 0x18}, 4}, // 2 | 0 1 | none | 3 4
     {[HEADER_ZERO] = {{0, 2, 0, END, 0, 0, 1, END, 0, 3, 4, END},
                       12,
                       {0, 4, 2, 8}},
      [HEADER_ANY] = {{2, 2, END, 0, 0, 1, END, 3, 3, 4, END},
                      11,
                      {0, 3, 1, 7}},
      [HEADER_NONE] = {{2, END, 0, 1, END, 3, 4, END}, 8, {0, 2, 1, 5}}}},
    {"empty list behind the first chain that is not the last",
     PACK_NEST,
     {{0, 0x3, 0x4}, 3}, // none | 0 1 | 2
     {[HEADER_ZERO] = {{0, 2, 0, END, 0, 0, 1, END}, 8, {2, 4, 0}},
      [HEADER_ANY] = {{2, 2, END, 0, 0, 1, END}, 7, {1, 3, 0}},
      [HEADER_NONE] = {{2, END, 0, 1, END}, 5, {1, 2, 0}}}},
    {"empty list behind the only chain",
     PACK_NEST,
     {{0x6, 0}, 2}, // 1 2 | none
     {[HEADER_ZERO] = {{0, 1, 2, 0, END}, 5, {0, 3}},
      [HEADER_ANY] = {{1, 1, 2, END}, 4, {0, 2}},
      [HEADER_NONE] = {{1, 2, END}, 3, {0, 2}}}},
    {"only an empty list",
     PACK_NEST,
     {{0, 0}, 2},
     {[HEADER_ZERO] = {{0, END}, 2, {0, 0}},
      [HEADER_ANY] = {{0, END}, 2, {0, 0}},
      [HEADER_NONE] = {{END}, 1, {0, 0}}}},
    {"chain of the longest last list goes last",
     PACK_NEST,
     {{0xC, 0xE0, 0x80, 0x100}, 4}, // 2 3 | 5 6 7 | 7 | 8
     {[HEADER_ZERO] = {{0, 5, 6, 0, 7, END, 0, 8, END, 0, 2, 3, END},
                       13,
                       {9, 0, 3, 6}},
      [HEADER_ANY] = {{5, 5, 6, 7, END, 8, 8, END, 2, 2, 3, END},
                      12,
                      {8, 0, 2, 5}},
      [HEADER_NONE] = {{5, 6, 7, END, 8, END, 2, 3, END}, 9, {6, 0, 2, 4}}}},
};

static void assert_layout(const struct example *example,
                          enum list_header header)
{
    const struct layout *layout = &example->layout[header];
    struct lists lists = pack(&example->blocks, example->mode, header);
    uint32_t largest = 0;
    ck_assert_msg(lists.word_count == layout->word_count,
                  "%s, header %d: %zu words", example->name, (int)header,
                  lists.word_count);
    for (size_t w = 0; w < layout->word_count; w++)
        ck_assert_msg(lists.words[w] == layout->words[w],
                      "%s, header %d: word %zu is %u", example->name,
                      (int)header, w, lists.words[w]);
    for (size_t b = 0; b < example->blocks.count; b++) {
        ck_assert_msg(lists.place[b] == layout->offset[b],
                      "%s, header %d: offset of block %zu is %u", example->name,
                      (int)header, b, lists.place[b]);
        if (lists.place[b] > largest)
            largest = lists.place[b];
    }
    ck_assert_uint_eq(lists.block_count, example->blocks.count);
    ck_assert_uint_eq(lists.largest_place, largest);
    ck_assert(!lists.is_early);
    lists_free(&test_context, &lists);
}

LOOP_TEST(words_are_as_expected, COUNT(examples))
{
    for (int header = 0; header < HEADERS; header++)
        assert_layout(&examples[_i], (enum list_header)header);
}

// --- The best nesting, found slowly and in another way ---

// Different sets, none of them empty.
struct family {
    made_set sets[MOST_BLOCKS];
    size_t count;
    size_t tail[MOST_BLOCKS]; // of each set; MOST_BLOCKS: none
    uint64_t seen;            // by the search that is on, a bit for each
};

// Finds a set a place as a tail, moving others if need be.
static bool place_set(struct family *family, size_t inner)
{
    for (size_t outer = 0; outer < family->count; outer++) {
        if (family->seen >> outer & 1 || inner == outer ||
            family->sets[inner] & ~family->sets[outer])
            continue;
        family->seen |= UINT64_C(1) << outer;
        if (family->tail[outer] == MOST_BLOCKS ||
            place_set(family, family->tail[outer])) {
            family->tail[outer] = inner;
            return true;
        }
    }
    return false;
}

// How many of the sets with at least so many linedefs can be tails.
static size_t count_placed(struct family *family, size_t length)
{
    size_t placed = 0;
    for (size_t s = 0; s < family->count; s++)
        family->tail[s] = MOST_BLOCKS;
    for (size_t s = 0; s < family->count; s++) {
        family->seen = 0;
        placed += length_of(family->sets[s]) >= length && place_set(family, s);
    }
    return placed;
}

// The most words that tails can save, so many each besides their linedefs.  For
// each length, the sets at least as long are matched with sets that contain
// them, as many as can be.  No nesting can have more of them; and a set of n
// linedefs is counted n times, so that the sum is the number of linedefs.
static size_t most_saved(struct family *family, size_t each)
{
    size_t saved = 0;
    for (size_t length = MOST_LINES; length > 0; length--) {
        size_t placed = count_placed(family, length);
        saved += placed + (length == 1 ? placed * each : 0);
    }
    return saved;
}

// --- At random ---

// Some blocks, few lines, and so many sets that contain others.  Some of them
// are equal or empty.
static struct made_blocks random_blocks(struct random_stream *stream,
                                        uint32_t most_blocks,
                                        uint32_t most_lines)
{
    struct made_blocks blocks = {.count =
                                     1 + random_below(stream, most_blocks)};
    const made_set lines = (made_set)1
                           << (1 + random_below(stream, most_lines));
    for (size_t b = 0; b < blocks.count; b++)
        blocks.set[b] = random_next(stream) & (lines - 1);
    return blocks;
}

static bool all_have_linedef_0(const struct made_blocks *blocks)
{
    for (size_t b = 0; b < blocks->count; b++)
        if ((blocks->set[b] & 1) == 0)
            return false;
    return true;
}

static void check_lists(const struct lists *packed,
                        const struct made_blocks *expected,
                        enum list_header header)
{
    enum blocklists_header kind = (enum blocklists_header)header;
    struct blocklists lists = blocklists_from_words(
        packed->words, packed->word_count, packed->place, packed->block_count);
    struct oracle_entry_list truth = {0};
    for (uint32_t b = 0; b < expected->count; b++)
        for (uint32_t line = 0; line < MOST_LINES; line++)
            if (expected->set[b] >> line & 1)
                oracle_add_entry(&truth, b, line);
    blocklists_check("a family", &lists, kind, &truth);
    ck_assert_uint_eq(blocklists_count(&lists), packed->list_count);
    ck_assert_uint_eq(blocklists_count_nested(&lists), packed->nested_count);
    ck_assert_uint_eq(lists.largest_offset - lists.first_word,
                      packed->largest_place);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
}

// The fewest words of different lists, nested or not.  A list that is a tail
// saves its linedefs and its end, and its header unless that is a 0; so does
// the empty one.
static size_t fewest_words(const struct made_blocks *blocks,
                           enum pack_mode mode, enum list_header header)
{
    struct family family = {.count = 0};
    const size_t around = header == HEADER_NONE ? 1 : 2;
    size_t words = 0;
    bool has_empty = false;
    for (size_t b = 0; b < blocks->count; b++) {
        size_t same = 0;
        while (blocks->set[same] != blocks->set[b])
            same++;
        has_empty |= blocks->set[b] == 0;
        if (same == b && blocks->set[b] != 0)
            family.sets[family.count++] = blocks->set[b];
    }
    for (size_t s = 0; s < family.count; s++)
        words += length_of(family.sets[s]) + around;
    if (family.count == 0)
        return around;
    if (header == HEADER_ZERO && has_empty)
        words++;
    if (mode == PACK_NEST)
        words -= most_saved(&family, header == HEADER_ANY ? 2 : 1);
    return words;
}

static void check_family(const struct made_blocks *blocks, enum pack_mode mode,
                         enum list_header header)
{
    struct lists lists = pack(blocks, mode, header);
    if (header == HEADER_NONE && all_have_linedef_0(blocks))
        header = HEADER_ANY;
    ck_assert_uint_eq(lists.block_count, blocks->count);
    check_lists(&lists, blocks, header);
    // Shared lists stay as they are, the empty one with its header.
    if (mode == PACK_NEST || header != HEADER_ZERO)
        ck_assert_uint_eq(lists.word_count, fewest_words(blocks, mode, header));
    else
        ck_assert_uint_le(lists.word_count,
                          fewest_words(blocks, mode, header) + 1);
    lists_free(&test_context, &lists);
}

// Some families are larger than others.
LOOP_TEST(random_families_are_kept, HEADERS)
{
    enum { FAMILIES = 1500 / SLOWNESS, LARGE = 75 };
    static const enum pack_mode modes[] = {PACK_SHARE, PACK_NEST};
    struct random_stream stream = {(uint64_t)_i};
    for (size_t f = 0; f < FAMILIES; f++) {
        const bool is_large = f % LARGE == 0;
        struct made_blocks blocks = random_blocks(
            &stream, is_large ? MOST_BLOCKS : 16, is_large ? 9 : 7);
        for (size_t m = 0; m < COUNT(modes); m++)
            check_family(&blocks, modes[m], (enum list_header)_i);
    }
}

TEST(too_much_work_ends_early)
{
    static const struct made_blocks blocks = {{0xE, 0xC, 0x70, 0x60}, 4};
    test_context.work_end = 1;
    struct lists lists = pack(&blocks, PACK_NEST, HEADER_ZERO);
    ck_assert(lists.is_early);
    check_lists(&lists, &blocks, HEADER_ZERO);
    lists_free(&test_context, &lists);
}

// --- What becomes of the lists ---

TEST(shared_lists_stay_where_they_are)
{
    static const struct pack_form form = {PACK_SHARE, HEADER_ZERO};
    const struct made_blocks blocks = {{0x6, 0, 0x2, 0x6}, 4};
    struct lists lists = made_lists(&blocks);
    const uint32_t *words = lists.words;
    const uint32_t *offset = lists.place;
    test_host.request_count = 0;
    ck_assert_int_eq(pack_lists(&test_context, form, &lists), NBSTAGE_OK);
    ck_assert_uint_eq(test_host.request_count, 0);
    ck_assert_ptr_eq(lists.words, words);
    ck_assert_ptr_eq(lists.place, offset);
    lists_free(&test_context, &lists);
}
