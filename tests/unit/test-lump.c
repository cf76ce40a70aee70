// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the lump is written byte for byte as the format wants it, that
// its limits are where engines have them, and that the grid of any lump with a
// header is read.

#include "buffer.h"
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

static const struct {
    size_t word_count; // of the lump
    uint32_t largest_offset;
    bool meets_vanilla, meets_extended;
} measures[] = {
    {17, 14, true, true},        {50006, 32767, true, true},
    {50006, 32768, false, true}, {65535, 14, true, true},
    {65536, 14, false, false},
};

START_TEST(lumps_are_measured_against_the_limits)
{
    struct lump_measure found =
        measure(measures[_i].word_count - 6, measures[_i].largest_offset - 6);
    ck_assert_uint_eq(found.word_count, measures[_i].word_count);
    ck_assert_uint_eq(found.largest_offset, measures[_i].largest_offset);
    ck_assert_int_eq(found.meets_vanilla, measures[_i].meets_vanilla);
    ck_assert_int_eq(found.meets_extended, measures[_i].meets_extended);
}
END_TEST

// ---------------------------------------------------------------------------
// Writing

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

// ---------------------------------------------------------------------------
// The grid alone

// What follows the header does not matter, not even half a word.
START_TEST(grid_is_read_from_a_header_alone)
{
    for (size_t size = 8; size <= 9; size++) {
        struct grid grid;
        ck_assert(lump_read_grid(sound, size, &grid));
        ck_assert_int_eq(grid.origin_x, -8);
        ck_assert_int_eq(grid.origin_y, 300);
        ck_assert_uint_eq(grid.columns, 2);
        ck_assert_uint_eq(grid.rows, 1);
    }
}
END_TEST

START_TEST(grid_is_not_read_where_there_is_none)
{
    static const unsigned char no_columns[] = {0, 0, 0, 0, 0, 0, 1, 0};
    static const unsigned char no_rows[] = {0, 0, 0, 0, 1, 0, 0, 0};
    struct grid grid;
    ck_assert(!lump_read_grid(NULL, 0, &grid));
    unsigned char *seven = buffer_copy_exactly(sound, 7);
    ck_assert(!lump_read_grid(seven, 7, &grid));
    free(seven);
    ck_assert(!lump_read_grid(no_columns, sizeof no_columns, &grid));
    ck_assert(!lump_read_grid(no_rows, sizeof no_rows, &grid));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("lump");
    tcase_add_loop_test(tests, lumps_are_measured_against_the_limits, 0,
                        COUNT(measures));
    tcase_add_test(tests, lump_is_written_byte_for_byte);
    tcase_add_loop_test(tests, every_word_is_written, 0, 2);
    tcase_add_test(tests, grid_is_read_from_a_header_alone);
    tcase_add_test(tests, grid_is_not_read_where_there_is_none);
    return run_tests(tests);
}
