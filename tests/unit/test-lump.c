// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that every block's set of linedefs comes out of a lump as it is in
// it, however its lists stand there: with headers or without, in any order,
// repeated, shared, overlapping, in either form; that what cannot be read is
// refused with a sentence and never read past its end; and that no lump takes
// more than its share of memory and time.

#include "base/bytes.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "lump/lump.h"
#include "random-map.h"
#include "run-suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END LIST_END

// ---------------------------------------------------------------------------
// Lumps

enum { ORIGIN_X = -8, ORIGIN_Y = 300 };

// Lumps are in memory that ends with them, so that reading on is noticed by
// tools that watch memory.
static struct buffer copy_exactly(const struct buffer *lump, size_t size)
{
    return (struct buffer){buffer_copy_exactly(lump->bytes, size), size, size};
}

static size_t prefix_size(enum lump_form form)
{
    return form == LUMP_XBM1 ? 8 : 0;
}

static size_t word_size(enum lump_form form)
{
    return form == LUMP_XBM1 ? 4 : 2;
}

static void set_word(struct buffer *image, enum lump_form form, size_t index,
                     uint32_t word)
{
    unsigned char *at =
        image->bytes + prefix_size(form) + index * word_size(form);
    if (form == LUMP_XBM1)
        bytes_put_u32(at, word);
    else
        bytes_put_u16(at, (uint16_t)(word & 0xFFFF));
}

// A lump with room for so many words behind the grid, all 0.
static struct buffer make_empty(enum lump_form form, uint32_t columns,
                                uint32_t rows, size_t count)
{
    uint32_t unit = form == LUMP_XBM1 ? 0x10000 : 1;
    struct buffer image = {.size = prefix_size(form) +
                                   (4 + count) * word_size(form)};
    image.bytes = allocate_zeros(image.size, 1);
    memcpy(image.bytes, "XBM1", prefix_size(form) / 2);
    set_word(&image, form, 0, (uint32_t)ORIGIN_X * unit);
    set_word(&image, form, 1, (uint32_t)ORIGIN_Y * unit);
    set_word(&image, form, 2, columns);
    set_word(&image, form, 3, rows);
    return image;
}

// A lump with these words behind the grid.
static struct buffer make_image(enum lump_form form, uint32_t columns,
                                uint32_t rows, const uint32_t *words,
                                size_t count)
{
    struct buffer image = make_empty(form, columns, rows, count);
    for (size_t w = 0; w < count; w++)
        set_word(&image, form, 4 + w, words[w]);
    return image;
}

static nbstage_status read_image(const struct buffer *image, size_t line_count,
                                 struct grid *grid, struct lists *lists)
{
    return lump_read_lists(&test_context, image->bytes, image->size, line_count,
                           grid, lists);
}

// ---------------------------------------------------------------------------
// By hand

// In a loop over both forms.
#define FORM(index) ((index) ? LUMP_XBM1 : LUMP_CLASSIC)

enum { LINES = 100000 }; // of a map, more than 16 bits can number

enum { CLASSIC = 1, XBM1 = 2, BOTH = 3, MOST_WORDS = 24 };

// Whether a loop over both forms comes to one of these.
static bool has_form(int forms, int form)
{
    return (forms >> form & 1) != 0;
}

// Lumps of one row: words after the grid, and the lists that they stand for,
// word by word, with the place of each block's.
static const struct {
    const char *name;
    int forms;
    uint32_t columns;
    uint32_t words[MOST_WORDS]; // zeros follow
    uint32_t lists[MOST_WORDS]; // zeros follow
    uint32_t place[6];
} readings[] = {
    {"zeros before all lists are headers",
     BOTH,
     3,
     {7, 10, 14, 0, 5, END, 0, 0, 7, END, 0, END},
     {0, 5, END, 0, 0, 7, END, 0, END},
     {0, 3, 7}},
    {"without headers every word is a linedef",
     BOTH,
     2,
     {6, 8, 5, END, 3, 7, END},
     {0, 5, END, 0, 3, 7, END},
     {0, 3}},
    // A word that is not 0 makes the zeros before the other lists linedef 0,
    // and so does a list that begins with its end.
    {"one list without header makes zeros linedefs",
     CLASSIC,
     2,
     {6, 9, 0, 5, END, 3, END, END},
     {0, 0, 5, END, 0, 3, END},
     {0, 4}},
    {"one list that is only its end makes zeros linedefs",
     CLASSIC,
     2,
     {6, 9, 0, 5, END, END, END, END},
     {0, 0, 5, END, 0, END},
     {0, 4}},
    {"equal sets become one list",
     BOTH,
     6,
     {10, 14,  17, 10,  19, 24, 0, 1, 2,   END, 0,
      3,  END, 0,  END, 0,  2,  1, 2, END, 0,   END},
     {0, 1, 2, END, 0, 3, END, 0, END},
     {0, 4, 7, 0, 0, 7}},
    // What engines find is kept: the header of the inner list is a linedef of
    // the outer one.
    {"a header within a list is a linedef",
     BOTH,
     2,
     {6, 8, 0, 4, 0, 7, END},
     {0, 0, 4, 7, END, 0, 7, END},
     {0, 5}},
    {"any linedef can be numbered",
     XBM1,
     1,
     {5, 0, 65535, LINES - 1, 65536, END},
     {0, 65535, 65536, LINES - 1, END},
     {0}},
};

static size_t count_words(const uint32_t *words)
{
    size_t count = MOST_WORDS;
    while (words[count - 1] == 0)
        count--;
    return count;
}

// That the first list without a header is told of, if there is one.
static void assert_header_is_told(size_t r)
{
    const uint32_t *words = readings[r].words;
    char block[24], offset[24];
    uint32_t b = 0;
    while (b < readings[r].columns && words[words[b] - 4] == 0)
        b++;
    ck_assert_uint_eq(test_host.message_count, b < readings[r].columns);
    if (b == readings[r].columns)
        return;
    snprintf(block, sizeof block, "block %u", b);
    snprintf(offset, sizeof offset, "offset %u", words[b]);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    assert_tells(test_host.message, "MAP01", "BLOCKMAP", block, offset);
}

static void check_reading(size_t r, enum lump_form form)
{
    const uint32_t columns = readings[r].columns;
    struct buffer image = make_image(form, columns, 1, readings[r].words,
                                     count_words(readings[r].words));
    struct grid grid;
    struct lists lists;
    test_host.message_count = 0;
    ck_assert_int_eq(read_image(&image, LINES, &grid, &lists), NBSTAGE_OK);
    buffer_free(&image);
    ck_assert_int_eq(grid.origin_x, ORIGIN_X);
    ck_assert_int_eq(grid.origin_y, ORIGIN_Y);
    ck_assert_uint_eq(grid.columns, columns);
    ck_assert_uint_eq(grid.rows, 1);
    ck_assert_uint_eq(lists.block_count, columns);
    ck_assert_uint_eq(lists.start[lists.list_count],
                      count_words(readings[r].lists));
    for (size_t w = 0; w < lists.start[lists.list_count]; w++)
        ck_assert_msg(lists.words[w] == readings[r].lists[w],
                      "%s: word %zu is %u instead of %u", readings[r].name, w,
                      lists.words[w], readings[r].lists[w]);
    ck_assert_mem_eq(lists.place, readings[r].place,
                     columns * sizeof *lists.place);
    lists_free(&test_context, &lists);
    assert_header_is_told(r);
}

LOOP_TEST(lists_are_read_as_expected, COUNT(readings))
{
    for (int form = 0; form < 2; form++)
        if (has_form(readings[_i].forms, form))
            check_reading((size_t)_i, FORM(form));
}

// ---------------------------------------------------------------------------
// Damage

static void assert_refused(const struct buffer *image, size_t line_count,
                           nbstage_status status, const char *const *facts)
{
    struct grid grid;
    struct lists lists;
    ck_assert_int_eq(read_image(image, line_count, &grid, &lists), status);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP");
    assert_tells_all(test_context.message, facts);
}

// What a map of 8 lines cannot have: words, with the grid's, of which there are
// so many bytes; 0: all of them.
static const struct {
    int forms;
    uint32_t words[12];
    size_t size;
    const char *facts[6];
} damages[] = {
    {BOTH,
     {0, 0, 2, 1, 5, 9, 0, 1, END, 0, END},
     0,
     {"block 0", "5", "6", "12"}},
    {BOTH, {0, 0, 2, 1, 6, 12, 0, 1, END, 0, END}, 0, {"block 1", "12", "6"}},
    {BOTH, {0, 0, 2, 1, 6, 0, 0, 1, END, 0, END}, 0, {"block 1", "0"}},
    {BOTH, {0, 0, 2, 1, 6, 65535, 0, 1, END, 0, END}, 0, {"block 1", "65535"}},
    {BOTH,
     {0, 0, 2, 1, 6, 9, 0, 1, END, 0, 0},
     0,
     {"block 1", "offset 9", "no end"}},
    {BOTH,
     {0, 0, 2, 1, 6, 9, 0, 8, END, 0, END},
     0,
     {"block 0", "offset 6", "linedef 8", "word 7", "8 linedefs"}},
    {BOTH,
     {0, 0, 2, 1, 6, 8, 1, END, 7, 65534, END},
     0,
     {"block 1", "offset 8", "linedef 65534", "word 9", "8 linedefs"}},
    // Without room for the grid, or with one that cannot be.
    {CLASSIC, {0, 0, 1, 1}, 7, {"7"}},
    {CLASSIC, {0, 0, 1, 1}, 13, {"13"}},
    {CLASSIC, {0, 0, 0, 1}, 0, {"24"}},
    {CLASSIC, {0, 0, 1, 0}, 0, {"24"}},
    {CLASSIC, {0, 0, 1, 1}, 8, {"4", "1 x 1"}},
    {CLASSIC, {0, 0, 1, 1}, 10, {"block 0"}}, // the offset is the header's
    {CLASSIC, {0, 0, 3, 3}, 0, {"12", "3 x 3"}},
    {CLASSIC, {0, 0, 65535, 65535}, 0, {"12", "65535 x 65535"}},
    {XBM1, {0, 0, 1, 1, 5, 0, END}, 37, {"37"}}, // a byte too many
    {XBM1, {0, 0, 0, 1, 5, 0, END}, 0, {"grid", "origin", "whole"}},
    {XBM1, {0, 0, 1, 0, 5, 0, END}, 0, {"grid", "origin", "whole"}},
    {XBM1, {0x8000, 0, 1, 1, 5, 0, END}, 0, {"grid", "origin", "whole"}},
    {XBM1, {0, 0x18000, 1, 1, 5, 0, END}, 0, {"grid", "origin", "whole"}},
};

LOOP_TEST(damaged_lumps_are_refused, COUNT(damages))
{
    enum { WORDS = COUNT(damages[0].words) };
    for (int form = 0; form < 2; form++) {
        if (!has_form(damages[_i].forms, form))
            continue;
        struct buffer image = make_empty(FORM(form), 0, 0, WORDS - 4);
        for (size_t w = 0; w < WORDS; w++)
            set_word(&image, FORM(form), w, damages[_i].words[w]);
        size_t size = damages[_i].size ? damages[_i].size : image.size;
        struct buffer cut = copy_exactly(&image, size);
        assert_refused(&cut, 8, NBSTAGE_BAD_MAP, damages[_i].facts);
        buffer_free(&cut);
        buffer_free(&image);
    }
}

TEST(absent_and_empty_lumps_are_refused)
{
    static const char *const facts[] = {"no blockmap", "empty", NULL};
    unsigned char nothing;
    assert_refused(&(struct buffer){0}, 8, NBSTAGE_BAD_MAP, facts);
    assert_refused(&(struct buffer){&nothing, 0, 0}, 8, NBSTAGE_BAD_MAP, facts);
}

// Lumps that are cut off: inside a word, in the grid, among the offsets.
LOOP_TEST(lumps_that_are_cut_off_are_refused, 2)
{
    static const uint32_t words[] = {6, 8, 0, LIST_END, 0, LIST_END};
    struct buffer whole = make_image(FORM(_i), 2, 1, words, COUNT(words));
    struct grid grid;
    struct lists lists;
    for (size_t size = 0; size < whole.size; size++) {
        struct buffer cut = copy_exactly(&whole, size);
        assert_refused(&cut, 8, NBSTAGE_BAD_MAP, (const char *const[]){NULL});
        buffer_free(&cut);
    }
    ck_assert_int_eq(read_image(&whole, 8, &grid, &lists), NBSTAGE_OK);
    lists_free(&test_context, &lists);
    buffer_free(&whole);
}

TEST(more_blocks_than_can_be_numbered_are_refused)
{
    enum { COLUMNS = 4096, ROWS = 4097 };
    static const char *const facts[] = {"4096 x 4097", "16777216", NULL};
    struct buffer image =
        make_empty(LUMP_CLASSIC, COLUMNS, ROWS, (size_t)COLUMNS * ROWS + 1);
    assert_refused(&image, 8, NBSTAGE_BAD_MAP, facts);
    buffer_free(&image);
}

// ---------------------------------------------------------------------------
// Lumps that stand for much more than they are

// One list of so many linedefs, and for each of them a block whose list begins
// there.
static struct buffer make_tails(uint32_t length)
{
    struct buffer image =
        make_empty(LUMP_XBM1, length, 1, 2 * (size_t)length + 1);
    for (uint32_t i = 0; i < length; i++) {
        set_word(&image, LUMP_XBM1, 4 + i, 4 + length + i);
        set_word(&image, LUMP_XBM1, 4 + length + i, i + 1);
    }
    set_word(&image, LUMP_XBM1, 4 + 2 * length, LIST_END);
    return image;
}

static void check_tails_are_read(uint32_t length)
{
    struct buffer image = make_tails(length);
    struct grid grid;
    struct lists lists;
    ck_assert_int_eq(read_image(&image, length + 1, &grid, &lists), NBSTAGE_OK);
    ck_assert_uint_eq(lists.list_count, length);
    ck_assert_uint_eq(lists.entry_count, (uint64_t)length * (length + 1) / 2);
    for (uint32_t b = 0; b < length; b++)
        ck_assert_uint_eq(lists.words[lists.place[b] + 1], b + 1);
    lists_free(&test_context, &lists);
    buffer_free(&image);
}

TEST(overlapping_lists_are_read_up_to_the_limit)
{
    static const char *const facts[] = {"5050", "max-entries", "5049", NULL};
    test_context.limits.entries = 5050;
    check_tails_are_read(100);
    test_context.limits.entries = 5049;
    struct buffer image = make_tails(100);
    assert_refused(&image, 101, NBSTAGE_OVER_LIMIT, facts);
    buffer_free(&image);
}

// All blocks that a classic lump can have point to the longest list there: it
// would be 2^31 linedefs.
TEST(one_long_list_for_all_blocks_is_refused_soon)
{
    enum { BLOCKS = 32768, LENGTH = 65535 };
    struct buffer image =
        make_empty(LUMP_CLASSIC, BLOCKS, 1, BLOCKS + LENGTH + 1);
    for (size_t b = 0; b < BLOCKS; b++)
        set_word(&image, LUMP_CLASSIC, 4 + b, 4 + BLOCKS);
    set_word(&image, LUMP_CLASSIC, 4 + BLOCKS + LENGTH, LIST_END);
    test_context.limits.entries = 16777216;
    // 65,534 linedefs a block.
    static const char *const facts[] = {"blocks 0 to 256", "16842238",
                                        "16777216", NULL};
    assert_refused(&image, LENGTH, NBSTAGE_OVER_LIMIT, facts);
    buffer_free(&image);
}

// ---------------------------------------------------------------------------
// Random lumps

enum {
    ROUNDS = 2000,
    MOST_BLOCKS = 40,
    RANDOM_LINES = 600,
    RANDOM_WORDS = 4 + MOST_BLOCKS * 40,
};

struct random_lump {
    enum lump_form form;
    uint32_t columns, rows;
    bool has_headers;
    uint32_t words[RANDOM_WORDS];
    size_t word_count;
};

static uint64_t seed;

// Appends a list with linedefs in any order, some of them repeatedly.
static void append_list(struct random_lump *lump, struct random_stream *random)
{
    uint32_t lines = 1 + random_below(random, RANDOM_LINES - 1);
    if (lump->has_headers)
        lump->words[lump->word_count++] = 0;
    else
        lump->words[lump->word_count++] = 1 + random_below(random, lines);
    for (uint32_t i = random_below(random, 30); i > 0; i--)
        lump->words[lump->word_count++] = random_below(random, lines);
    lump->words[lump->word_count++] = LIST_END;
}

// Has a block point to the list of an earlier one, or into it.
static uint32_t choose_earlier(const struct random_lump *lump, size_t block,
                               struct random_stream *random)
{
    uint32_t earlier = random_below(random, (uint32_t)block);
    uint32_t offset = lump->words[4 + earlier];
    while (random_below(random, 2) && lump->words[offset] != LIST_END &&
           (!lump->has_headers || lump->words[offset + 1] == 0))
        offset++;
    return offset;
}

static struct random_lump make_random(struct random_stream *random)
{
    struct random_lump lump = {
        .form = FORM(random_below(random, 2)),
        .columns = 1 + random_below(random, 8),
        .rows = 1 + random_below(random, 5),
        .has_headers = random_below(random, 2),
    };
    size_t block_count = (size_t)lump.columns * lump.rows;
    lump.word_count = 4 + block_count;
    for (size_t b = 0; b < block_count; b++) {
        lump.words[4 + b] = (uint32_t)lump.word_count;
        if (b > 0 && random_below(random, 3) == 0)
            lump.words[4 + b] = choose_earlier(&lump, b, random);
        else
            append_list(&lump, random);
    }
    return lump;
}

static void check_sets(const struct random_lump *lump,
                       const struct lists *lists)
{
    uint64_t entries = 0;
    for (size_t b = 0; b < lists->block_count; b++) {
        const uint32_t *word = lump->words + lump->words[4 + b];
        bool has_linedef[RANDOM_LINES] = {0};
        for (word += lump->has_headers; *word != LIST_END; word++)
            has_linedef[*word] = true;
        word = lists->words + lists->place[b];
        ck_assert_uint_eq(*word++, LIST_HEADER);
        for (uint32_t i = 0; i < RANDOM_LINES; i++) {
            if (!has_linedef[i])
                continue;
            ck_assert_uint_eq(*word++, i);
            entries++;
        }
        ck_assert_uint_eq(*word, LIST_END);
    }
    ck_assert_uint_eq(lists->entry_count, entries);
}

TEST(sets_of_random_lumps_come_out)
{
    struct random_stream random = {seed};
    for (int round = 0; round < ROUNDS; round++) {
        struct random_lump lump = make_random(&random);
        struct buffer image = make_image(lump.form, lump.columns, lump.rows,
                                         lump.words + 4, lump.word_count - 4);
        struct grid grid;
        struct lists lists;
        ck_assert_int_eq(read_image(&image, RANDOM_LINES, &grid, &lists),
                         NBSTAGE_OK);
        buffer_free(&image);
        check_sets(&lump, &lists);
        lists_free(&test_context, &lists);
    }
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
