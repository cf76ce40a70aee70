// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes and reads the lump.  Everything that looks into a lump goes through
// the reading half.

#include "lump.h"

#include "bytes.h"

static const char name[] = "BLOCKMAP";

enum { WORD_SIZE = 2, CLASSIC_END = 0xFFFF };

struct lump_measure lump_measure(const struct list_area *area)
{
    uint64_t lists_begin = LUMP_HEADER_WORDS + (uint64_t)area->block_count;
    struct lump_measure measure = {.word_count =
                                       lists_begin + area->word_count};
    for (size_t b = 0; b < area->block_count; b++)
        if (area->offset[b] > measure.largest_offset)
            measure.largest_offset = area->offset[b];
    measure.largest_offset += lists_begin;
    measure.meets_extended = measure.word_count <= LUMP_EXTENDED_WORDS;
    measure.meets_vanilla =
        measure.meets_extended && measure.largest_offset <= LUMP_VANILLA_OFFSET;
    return measure;
}

enum status lump_write(struct context *context, const struct grid *grid,
                       const struct list_area *area, unsigned char **bytes,
                       size_t *size)
{
    size_t lists_begin = LUMP_HEADER_WORDS + area->block_count;
    size_t word_count = lists_begin + area->word_count;
    enum status status =
        context_allocate(context, word_count, WORD_SIZE, bytes);
    if (status != STATUS_OK)
        return status;
    unsigned char *at = *bytes;
    bytes_put_u16(at, (uint16_t)grid->origin_x);
    bytes_put_u16(at + 2, (uint16_t)grid->origin_y);
    bytes_put_u16(at + 4, (uint16_t)grid->columns);
    bytes_put_u16(at + 6, (uint16_t)grid->rows);
    at += LUMP_HEADER_WORDS * WORD_SIZE;
    for (size_t b = 0; b < area->block_count; b++, at += WORD_SIZE)
        bytes_put_u16(at, (uint16_t)(lists_begin + area->offset[b]));
    for (size_t w = 0; w < area->word_count; w++, at += WORD_SIZE)
        bytes_put_u16(at, (uint16_t)area->words[w]);
    *size = word_count * WORD_SIZE;
    return STATUS_OK;
}

bool lump_read_grid(const unsigned char *bytes, size_t size, struct grid *grid)
{
    if (size < LUMP_HEADER_WORDS * WORD_SIZE)
        return false;
    *grid = (struct grid){bytes_get_i16(bytes), bytes_get_i16(bytes + 2),
                          bytes_get_u16(bytes + 4), bytes_get_u16(bytes + 6)};
    return grid->columns > 0 && grid->rows > 0;
}

enum status lump_open(struct context *context, const unsigned char *bytes,
                      size_t size, struct lump *lump)
{
    *lump = (struct lump){.bytes = bytes, .word_count = size / WORD_SIZE};
    if (size % WORD_SIZE != 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu bytes end inside a word; an even number was "
                            "expected",
                            size);
    if (!lump_read_grid(bytes, size, &lump->grid))
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu bytes hold no grid; a header with at least "
                            "one column and one row was expected",
                            size);
    uint64_t lists_begin =
        LUMP_HEADER_WORDS + (uint64_t)lump->grid.columns * lump->grid.rows;
    if (lists_begin > lump->word_count)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu words are too few for the offsets of "
                            "%lu x %lu blocks",
                            lump->word_count, (unsigned long)lump->grid.columns,
                            (unsigned long)lump->grid.rows);
    return STATUS_OK;
}

uint32_t lump_word(const struct lump *lump, size_t index)
{
    return bytes_get_u16(lump->bytes + index * WORD_SIZE);
}

enum status lump_find_list(struct context *context, const struct lump *lump,
                           size_t block, struct lump_list *list)
{
    size_t lists_begin = LUMP_HEADER_WORDS + grid_block_count(&lump->grid);
    size_t offset = lump_word(lump, LUMP_HEADER_WORDS + block);
    if (offset < lists_begin || offset >= lump->word_count)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "block %zu has offset %zu; the lists are at %zu "
                            "to %zu",
                            block, offset, lists_begin, lump->word_count);
    size_t end = offset;
    while (end < lump->word_count && lump_word(lump, end) != CLASSIC_END)
        end++;
    if (end == lump->word_count)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "the list of block %zu at offset %zu has no end",
                            block, offset);
    *list = (struct lump_list){offset, end - offset};
    return STATUS_OK;
}
