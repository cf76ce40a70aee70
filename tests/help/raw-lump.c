// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every block's list is read word by word to its end mark, then sorted.

#include "raw-lump.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 4,
    PREFIX_SIZE = 8, // bytes before an XBM1 lump
};

static uint32_t word_at(const struct raw_lump *lump, size_t index)
{
    if (index >= lump->word_count)
        ck_abort_msg("word %zu is outside the lump", index);
    const unsigned char *byte = lump->words + index * lump->word_size;
    uint32_t word = 0;
    for (size_t i = lump->word_size; i-- > 0;)
        word = word << 8 | byte[i];
    return word;
}

static int32_t origin_at(const struct raw_lump *lump, size_t index)
{
    uint32_t word = word_at(lump, index);
    return (int16_t)(lump->word_size == 4 ? word >> 16 : word);
}

struct raw_lump raw_lump_open(const unsigned char *bytes, size_t size)
{
    bool is_xbm1 = size >= PREFIX_SIZE && memcmp(bytes, "XBM1\0\0\0", 8) == 0;
    struct raw_lump lump = {.words = bytes, .word_size = 2};
    if (is_xbm1) {
        lump.words += PREFIX_SIZE;
        lump.word_size = 4;
        size -= PREFIX_SIZE;
    }
    ck_assert_uint_eq(size % lump.word_size, 0);
    lump.word_count = size / lump.word_size;
    lump.grid = (struct oracle_grid){origin_at(&lump, 0), origin_at(&lump, 1),
                                     word_at(&lump, 2), word_at(&lump, 3)};
    size_t block_count = (size_t)lump.grid.columns * lump.grid.rows;
    for (size_t b = 0; b < block_count; b++) {
        size_t offset = word_at(&lump, HEADER_WORDS + b);
        if (offset > lump.largest_offset)
            lump.largest_offset = offset;
    }
    return lump;
}

static void add_entry(struct oracle_entry_list *entries, uint32_t block,
                      uint32_t line)
{
    if (entries->count == entries->capacity) {
        entries->capacity = 2 * entries->capacity + 1024;
        entries->entry =
            realloc(entries->entry, entries->capacity * sizeof *entries->entry);
        ck_assert_ptr_nonnull(entries->entry);
    }
    entries->entry[entries->count++] = (struct oracle_entry){block, line};
}

static int compare_lines(const void *a, const void *b)
{
    uint32_t line_a = ((const struct oracle_entry *)a)->line;
    uint32_t line_b = ((const struct oracle_entry *)b)->line;
    return (line_a > line_b) - (line_a < line_b);
}

// Sorts the lines of the last block, which begin at `first`.
static void sort_lines(struct oracle_entry_list *entries, size_t first)
{
    size_t count = entries->count;
    qsort(entries->entry + first, count - first, sizeof *entries->entry,
          compare_lines);
    entries->count = first;
    for (size_t i = first; i < count; i++)
        if (i == first || entries->entry[i].line != entries->entry[i - 1].line)
            entries->entry[entries->count++] = entries->entry[i];
}

struct oracle_entry_list raw_lump_read(const struct raw_lump *lump,
                                       bool has_headers)
{
    const uint32_t end = lump->word_size == 4 ? UINT32_MAX : UINT16_MAX;
    const uint32_t block_count = lump->grid.columns * lump->grid.rows;
    struct oracle_entry_list entries = {0};
    // One to begin with, so that there is always an array to sort.
    add_entry(&entries, 0, 0);
    entries.count = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        size_t first = entries.count;
        size_t at = word_at(lump, HEADER_WORDS + b);
        if (at < HEADER_WORDS + block_count)
            ck_abort_msg("the list of block %u is not among the lists",
                         (unsigned)b);
        for (at += has_headers; word_at(lump, at) != end; at++)
            add_entry(&entries, b, word_at(lump, at));
        sort_lines(&entries, first);
    }
    return entries;
}
