// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that every block's set of linedefs comes out of a lump as it is in
// it, however its lists stand there: with headers or without, in any order,
// repeated, shared, overlapping, in either form; that what cannot be read is
// refused with a sentence and never read past its end; and that no lump takes
// more than its share of memory and time.  Random lumps are in test-compare.

#include "base/bytes.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END LIST_END

// --- Lumps ---

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
    struct entries entries;
    nbstage_status status = blockmap_read_entries(
        &test_context, image->bytes, image->size, line_count, grid, &entries);
    if (status == NBSTAGE_OK)
        status = lists_build(&test_context, grid, &entries, lists);
    entries_free(&test_context, &entries);
    return status;
}

// --- By hand ---

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

static void check_reading(size_t r, enum lump_form form)
{
    const uint32_t columns = readings[r].columns;
    struct buffer image = make_image(form, columns, 1, readings[r].words,
                                     count_words(readings[r].words));
    struct grid grid;
    struct lists lists;
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
    for (size_t b = 0; b < columns; b++)
        ck_assert_uint_eq(lists.place[b], readings[r].place[b]);
    lists_free(&test_context, &lists);
}

LOOP_TEST(lists_are_read_as_expected, COUNT(readings))
{
    for (int form = 0; form < 2; form++)
        if (has_form(readings[_i].forms, form))
            check_reading((size_t)_i, FORM(form));
}

// --- Damage ---

static void assert_refused(const struct buffer *image, size_t line_count,
                           nbstage_status status, const char *const *facts)
{
    struct grid grid;
    struct lists lists;
    ck_assert_int_eq(read_image(image, line_count, &grid, &lists), status);
    assert_tells(test_context.message, "MAP01",
                 status == NBSTAGE_BAD_MAP ? "BLOCKMAP" : "max-memory");
    assert_tells_all(test_context.message, facts);
}

// What a map of 8 lines cannot have: words, with the grid's, and of how many
// bytes; 0: all of them.
static const struct {
    int forms;
    uint32_t words[12];
    const char *facts[6];
    size_t size;
} damages[] = {
    {BOTH,
     {0, 0, 2, 1, 5, 9, 0, 1, END, 0, END},
     {"block 0", "5", "6", "11"},
     0},
    {BOTH, {0, 0, 2, 1, 6, 12, 0, 1, END, 0, END}, {"block 1", "12", "6"}, 0},
    {BOTH, {0, 0, 2, 1, 6, 0, 0, 1, END, 0, END}, {"block 1", "0"}, 0},
    {BOTH, {0, 0, 2, 1, 6, 65535, 0, 1, END, 0, END}, {"block 1", "65535"}, 0},
    {BOTH,
     {0, 0, 2, 1, 6, 9, 0, 1, END, 0, 0},
     {"block 1", "offset 9", "no end"},
     0},
    {BOTH,
     {0, 0, 2, 1, 6, 9, 0, 8, END, 0, END},
     {"block 0", "offset 6", "linedef 8", "word 7", "8 linedefs"},
     0},
    {BOTH,
     {0, 0, 2, 1, 6, 8, 1, END, 7, 65534, END},
     {"block 1", "offset 8", "linedef 65534", "word 9", "8 linedefs"},
     0},
    // Without room for the grid, or with one that cannot be.
    {CLASSIC, {0, 0, 1, 1}, {"7"}, 7},
    {CLASSIC, {0, 0, 1, 1}, {"13"}, 13},
    {CLASSIC, {0, 0, 1, 1}, {"4", "1 x 1"}, 8},
    {CLASSIC, {0, 0, 1, 1}, {"block 0"}, 10}, // the offset is the header's
    {CLASSIC, {0, 0, 3, 3}, {"12", "3 x 3"}, 0},
    {CLASSIC, {0, 0, 65535, 65535}, {"12", "65535 x 65535"}, 0},
    {XBM1, {0, 0, 1, 1, 5, 0, END}, {"37", "whole"}, 37}, // a byte too many
    {XBM1, {0, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX}, {NULL}, 0},
    {XBM1, {0, 0, 0, 1, 5, 0, END}, {"grid", "0 x 1"}, 0},
    {XBM1, {0, 0, 1, 0, 5, 0, END}, {"grid", "1 x 0"}, 0},
    {XBM1, {0x8000, 0, 1, 1, 5, 0, END}, {"origin 0.5,0", "whole"}, 0},
    {XBM1, {0, 0x18000, 1, 1, 5, 0, END}, {"origin 0,1.5", "whole"}, 0},
};

LOOP_TEST(damaged_lumps_are_refused, COUNT(damages))
{
    enum { WORDS = COUNT(damages[0].words), MOST_MEMORY = 1 << 16 };
    for (int form = 0; form < 2; form++) {
        if (!has_form(damages[_i].forms, form))
            continue;
        struct buffer image = make_empty(FORM(form), 0, 0, WORDS - 4);
        for (size_t w = 0; w < WORDS; w++)
            set_word(&image, FORM(form), w, damages[_i].words[w]);
        size_t size = damages[_i].size ? damages[_i].size : image.size;
        struct buffer cut = copy_exactly(&image, size);
        assert_refused(&cut, 8, NBSTAGE_BAD_MAP, damages[_i].facts);
        ck_assert_uint_le(test_host.peak, MOST_MEMORY);
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

TEST(more_blocks_than_can_be_numbered_are_refused)
{
    enum { COLUMNS = 4096, ROWS = 4097 };
    static const char *const facts[] = {"4096 x 4097", "16777216", NULL};
    struct buffer image =
        make_empty(LUMP_CLASSIC, COLUMNS, ROWS, (size_t)COLUMNS * ROWS + 1);
    assert_refused(&image, 8, NBSTAGE_BAD_MAP, facts);
    buffer_free(&image);
}

// --- Lumps that stand for much more than they are ---

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
    test_context.work = 0;
    ck_assert_int_eq(read_image(&image, length + 1, &grid, &lists), NBSTAGE_OK);
    ck_assert_uint_gt(test_context.work,
                      lists.entry_count +
                          lists_work(lists.entry_count, lists.block_count));
    ck_assert_uint_eq(lists.list_count, length);
    ck_assert_uint_eq(lists.entry_count, (uint64_t)length * (length + 1) / 2);
    for (uint32_t b = 0; b < length; b++)
        ck_assert_uint_eq(lists.words[lists.place[b] + 1], b + 1);
    lists_free(&test_context, &lists);
    buffer_free(&image);
}

TEST(overlapping_lists_are_read_up_to_the_limit)
{
    static const char *const facts[] = {"5050", "5049", NULL};
    test_context.limits.memory = (size_t)5050 * BYTES_OF_ENTRY;
    check_tails_are_read(100);
    test_context.limits.memory = (size_t)5049 * BYTES_OF_ENTRY;
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
    test_context.limits.memory = (size_t)16777216 * BYTES_OF_ENTRY;
    static const char *const facts[] = {"196616 bytes", "32768 x 1 blocks",
                                        "2048 MiB", NULL};
    assert_refused(&image, LENGTH, NBSTAGE_OVER_LIMIT, facts);
    buffer_free(&image);
}
