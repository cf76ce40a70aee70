// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the lump is written byte for byte as the format wants it, that
// it reads back, that its limits are where engines have them, and that a
// damaged lump is refused with a sentence and never read past its end.

#include "context-for-tests.h"
#include "lump/lump.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Limits

// Measures a lump of two blocks, which has 6 words before its lists.
static struct lump_measure measure(size_t word_count, uint32_t largest_offset)
{
    const struct list_area area = {.word_count = word_count,
                                   .block_count = 2,
                                   .largest_offset = largest_offset};
    return lump_measure(&area);
}

START_TEST(measure_counts_header_and_offsets)
{
    struct lump_measure small = measure(11, 8);
    ck_assert_uint_eq(small.word_count, 17);
    ck_assert_uint_eq(small.largest_offset, 14);
    ck_assert(small.meets_vanilla);
    ck_assert(small.meets_extended);
}
END_TEST

START_TEST(vanilla_ends_at_offset_32767)
{
    struct lump_measure good = measure(50000, 32767 - 6);
    ck_assert_uint_eq(good.largest_offset, 32767);
    ck_assert(good.meets_vanilla);
    struct lump_measure over = measure(50000, 32768 - 6);
    ck_assert(!over.meets_vanilla);
    ck_assert(over.meets_extended);
}
END_TEST

START_TEST(extended_ends_at_65535_words)
{
    struct lump_measure good = measure(65535 - 6, 8);
    ck_assert_uint_eq(good.word_count, 65535);
    ck_assert(good.meets_extended);
    ck_assert(good.meets_vanilla);
    struct lump_measure over = measure(65536 - 6, 8);
    ck_assert(!over.meets_extended);
    ck_assert(!over.meets_vanilla);
}
END_TEST

// ---------------------------------------------------------------------------
// Writing and reading

// Two blocks at -8,300: the west one with lines 258 and 65534, the other with
// none.
static const unsigned char sound[] = {
    0xF8, 0xFF, 0x2C, 0x01, 2,    0,    1,    0,    // origin, columns, rows
    6,    0,    10,   0,                            // offsets
    0,    0,    2,    1,    0xFE, 0xFF, 0xFF, 0xFF, // list at 6
    0,    0,    0xFF, 0xFF,                         // list at 10
};

// An area with a copy of words, for list_area_free after what it borrows is
// taken out.
static struct list_area area_of(const uint32_t *words, size_t word_count,
                                uint32_t *offset, size_t block_count)
{
    size_t room = LISTS_ROOM(block_count);
    struct list_area area = {
        .word_count = word_count, .offset = offset, .block_count = block_count};
    ck_assert_int_eq(context_allocate(&test_context, room + word_count,
                                      sizeof *words, &area.memory),
                     NBSTAGE_OK);
    area.words = area.memory + room;
    if (word_count > 0)
        memcpy(area.words, words, word_count * sizeof *words);
    return area;
}

static void free_area(struct list_area *area)
{
    area->offset = NULL;
    list_area_free(&test_context, area);
}

START_TEST(lump_is_written_byte_for_byte)
{
    const struct grid grid = {-8, 300, 2, 1};
    uint32_t words[] = {0, 258, 65534, LIST_END, 0, LIST_END};
    uint32_t offset[] = {0, 4};
    struct list_area area = area_of(words, COUNT(words), offset, 2);
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(
        lump_write(&test_context, LUMP_CLASSIC, &grid, &area, &bytes, &size),
        NBSTAGE_OK);
    ck_assert_uint_eq(size, sizeof sound);
    ck_assert_mem_eq(bytes, sound, sizeof sound);
    context_release(&test_context, bytes);
    free_area(&area);
}
END_TEST

// Little-endian, as the lump has it.
static uint32_t read_word(const unsigned char *bytes, size_t bytes_per_word)
{
    uint32_t word = 0;
    for (size_t i = 0; i < bytes_per_word; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}

// Checks words of a lump, to which `more` was added; in a classic lump only
// half of the bits of each are left.
static void assert_words(const unsigned char *bytes, size_t bytes_per_word,
                         const uint32_t *words, size_t count, uint32_t more)
{
    uint32_t mask = bytes_per_word == 2 ? 0xFFFF : UINT32_MAX;
    for (size_t w = 0; w < count; w++)
        if (read_word(bytes + w * bytes_per_word, bytes_per_word) !=
            ((words[w] + more) & mask))
            ck_abort_msg("word %zu of %zu is wrong", w, count);
}

// Any number of offsets and of words comes out, in either form.
START_TEST(every_word_is_written)
{
    enum { MOST = 70 };
    uint32_t offset[MOST];
    uint32_t words[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        offset[i] = 7 * i;
        words[i] = i % 5 == 4 ? LIST_END : 1000003 * i;
    }
    enum lump_form form = _i ? LUMP_XBM1 : LUMP_CLASSIC;
    size_t prefix = _i ? 8 : 0;
    size_t word = _i ? 4 : 2;
    for (uint32_t count = 1; count <= MOST; count++) {
        const struct grid grid = {0, 0, count, 1};
        struct list_area area = area_of(words, MOST - count, offset, count);
        unsigned char *bytes;
        size_t size;
        ck_assert_int_eq(
            lump_write(&test_context, form, &grid, &area, &bytes, &size),
            NBSTAGE_OK);
        ck_assert_uint_eq(size, prefix + word * (4 + MOST));
        const unsigned char *offsets = bytes + prefix + 4 * word;
        assert_words(offsets, word, offset, count, 4 + count);
        assert_words(offsets + count * word, word, words, MOST - count, 0);
        context_release(&test_context, bytes);
        free_area(&area);
    }
}
END_TEST

static void assert_sound_grid(const struct grid *grid)
{
    ck_assert_int_eq(grid->origin_x, -8);
    ck_assert_int_eq(grid->origin_y, 300);
    ck_assert_uint_eq(grid->columns, 2);
    ck_assert_uint_eq(grid->rows, 1);
}

START_TEST(lump_reads_back)
{
    struct lump lump;
    struct lump_list list;
    ck_assert_int_eq(lump_open(&test_context, sound, sizeof sound, &lump),
                     NBSTAGE_OK);
    assert_sound_grid(&lump.grid);
    ck_assert_uint_eq(lump.word_count, 12);
    ck_assert_int_eq(lump_find_list(&test_context, &lump, 0, &list),
                     NBSTAGE_OK);
    ck_assert_uint_eq(list.first_word, 6);
    ck_assert_uint_eq(list.length, 3);
    ck_assert_uint_eq(lump_word(&lump, 6), 0);
    ck_assert_uint_eq(lump_word(&lump, 7), 258);
    ck_assert_uint_eq(lump_word(&lump, 8), 65534);
    ck_assert_int_eq(lump_find_list(&test_context, &lump, 1, &list),
                     NBSTAGE_OK);
    ck_assert_uint_eq(list.first_word, 10);
    ck_assert_uint_eq(list.length, 1);
}
END_TEST

// A list need not have as much as a leading 0.
START_TEST(list_may_begin_with_its_end)
{
    unsigned char bytes[sizeof sound];
    memcpy(bytes, sound, sizeof sound);
    bytes[2 * 5] = 11;
    struct lump lump;
    struct lump_list list;
    ck_assert_int_eq(lump_open(&test_context, bytes, sizeof bytes, &lump),
                     NBSTAGE_OK);
    ck_assert_int_eq(lump_find_list(&test_context, &lump, 1, &list),
                     NBSTAGE_OK);
    ck_assert_uint_eq(list.first_word, 11);
    ck_assert_uint_eq(list.length, 0);
}
END_TEST

// ---------------------------------------------------------------------------
// Damage

// Bytes in memory that ends with them, so that reading on is noticed by tools
// that watch memory.
static unsigned char *exact_copy(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

// A header with these words in it.
#define U16(number) (number) & 0xFF, (number) >> 8
#define HEADER(columns, rows) \
    { \
        0, 0, 0, 0, U16(columns), U16(rows) \
    }

static const struct {
    unsigned char bytes[24];
    size_t size;
    const char *facts[5];
} hostile[] = {
    {{0}, 0, {"MAP01", "BLOCKMAP", "0"}},
    {{0}, 2, {"MAP01", "BLOCKMAP", "2"}},
    {HEADER(1, 1), 6, {"MAP01", "BLOCKMAP", "6"}},
    {HEADER(1, 1), 7, {"MAP01", "BLOCKMAP", "7"}},
    {HEADER(1, 1), 13, {"MAP01", "BLOCKMAP", "13"}},
    {HEADER(0, 1), 24, {"MAP01", "BLOCKMAP", "24"}},
    {HEADER(1, 0), 24, {"MAP01", "BLOCKMAP", "24"}},
    {HEADER(1, 1), 8, {"MAP01", "BLOCKMAP", "4", "1 x 1"}},
    {HEADER(3, 3), 24, {"MAP01", "BLOCKMAP", "12", "3 x 3"}},
    {HEADER(65535, 65535), 24, {"MAP01", "BLOCKMAP", "12", "65535 x 65535"}},
};

START_TEST(hostile_lumps_are_not_opened)
{
    unsigned char *bytes = exact_copy(hostile[_i].bytes, hostile[_i].size);
    struct lump lump;
    ck_assert_int_eq(lump_open(&test_context, bytes, hostile[_i].size, &lump),
                     NBSTAGE_BAD_MAP);
    assert_tells_all(test_context.message, hostile[_i].facts);
    free(bytes);
}
END_TEST

START_TEST(offsets_alone_make_a_lump_that_opens)
{
    static const unsigned char bytes[] = {0, 0, 0, 0, 1, 0, 1, 0, 5, 0};
    unsigned char *copy = exact_copy(bytes, sizeof bytes);
    struct lump lump;
    struct lump_list list;
    ck_assert_int_eq(lump_open(&test_context, copy, sizeof bytes, &lump),
                     NBSTAGE_OK);
    ck_assert_int_eq(lump_find_list(&test_context, &lump, 0, &list),
                     NBSTAGE_BAD_MAP);
    free(copy);
}
END_TEST

// What is put into the sound lump, and for which block's list.
static const struct {
    size_t at; // word
    uint16_t word;
    size_t block;
    const char *facts[3];
} damages[] = {
    {4, 5, 0, {"block 0", "5"}},          // among the offsets
    {5, 0, 1, {"block 1", "0"}},          // the header
    {5, 12, 1, {"block 1", "12"}},        // one past the end
    {4, 0xFFFF, 0, {"block 0", "65535"}}, // what ports read as -1
    {11, 7, 1, {"block 1", "10"}},        // no end
};

START_TEST(damaged_lists_are_named)
{
    unsigned char *bytes = exact_copy(sound, sizeof sound);
    bytes[2 * damages[_i].at] = (unsigned char)(damages[_i].word & 0xFF);
    bytes[2 * damages[_i].at + 1] = (unsigned char)(damages[_i].word >> 8);
    struct lump lump;
    struct lump_list list;
    ck_assert_int_eq(lump_open(&test_context, bytes, sizeof sound, &lump),
                     NBSTAGE_OK);
    ck_assert_int_eq(
        lump_find_list(&test_context, &lump, damages[_i].block, &list),
        NBSTAGE_BAD_MAP);
    assert_tells(test_context.message, "MAP01", "BLOCKMAP");
    assert_tells_all(test_context.message, damages[_i].facts);
    free(bytes);
}
END_TEST

START_TEST(list_before_a_list_without_end_is_found)
{
    unsigned char *bytes = exact_copy(sound, sizeof sound);
    bytes[2 * 11] = 0;
    struct lump lump;
    struct lump_list list;
    ck_assert_int_eq(lump_open(&test_context, bytes, sizeof sound, &lump),
                     NBSTAGE_OK);
    ck_assert_int_eq(lump_find_list(&test_context, &lump, 0, &list),
                     NBSTAGE_OK);
    free(bytes);
}
END_TEST

// ---------------------------------------------------------------------------
// The grid alone

START_TEST(grid_is_read_from_a_header_alone)
{
    struct grid grid;
    ck_assert(lump_read_grid(sound, 8, &grid));
    assert_sound_grid(&grid);
    // What follows it does not matter, not even half a word.
    ck_assert(lump_read_grid(sound, 9, &grid));
    assert_sound_grid(&grid);
}
END_TEST

START_TEST(grid_is_not_read_where_there_is_none)
{
    static const unsigned char no_columns[] = HEADER(0, 1);
    static const unsigned char no_rows[] = HEADER(1, 0);
    struct grid grid;
    ck_assert(!lump_read_grid(NULL, 0, &grid));
    unsigned char *seven = exact_copy(sound, 7);
    ck_assert(!lump_read_grid(seven, 7, &grid));
    free(seven);
    ck_assert(!lump_read_grid(no_columns, sizeof no_columns, &grid));
    ck_assert(!lump_read_grid(no_rows, sizeof no_rows, &grid));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("lump");
    tcase_add_test(tests, measure_counts_header_and_offsets);
    tcase_add_test(tests, vanilla_ends_at_offset_32767);
    tcase_add_test(tests, extended_ends_at_65535_words);
    tcase_add_test(tests, lump_is_written_byte_for_byte);
    tcase_add_loop_test(tests, every_word_is_written, 0, 2);
    tcase_add_test(tests, lump_reads_back);
    tcase_add_test(tests, list_may_begin_with_its_end);
    tcase_add_loop_test(tests, hostile_lumps_are_not_opened, 0, COUNT(hostile));
    tcase_add_test(tests, offsets_alone_make_a_lump_that_opens);
    tcase_add_loop_test(tests, damaged_lists_are_named, 0, COUNT(damages));
    tcase_add_test(tests, list_before_a_list_without_end_is_found);
    tcase_add_test(tests, grid_is_read_from_a_header_alone);
    tcase_add_test(tests, grid_is_not_read_where_there_is_none);
    return run_tests(tests);
}
