// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes and reads the lump.  Everything that looks into a lump goes through
// the reading half.

#include "lump/lump.h"

#include "base/bytes.h"
#include "base/vector.h"

#include <string.h>

static const char name[] = "BLOCKMAP";

enum { CLASSIC_END = 0xFFFF };

static const unsigned char xbm1_prefix[8] = "XBM1\0\0\0";

// ---------------------------------------------------------------------------
// Words

static size_t word_size(enum lump_form form)
{
    return form == LUMP_XBM1 ? sizeof(uint32_t) : sizeof(uint16_t);
}

// Whether 32-bit words lie in the machine's memory as they do in a lump.
static inline bool words_are_bytes(void)
{
    const uint32_t word = 1;
    unsigned char first;
    memcpy(&first, &word, 1);
    return first == 1;
}

static inline unsigned char *put_word(unsigned char *at, enum lump_form form,
                                      uint32_t word)
{
    if (form == LUMP_XBM1)
        bytes_put_u32(at, word);
    else
        bytes_put_u16(at, (uint16_t)(word & 0xFFFF));
    return at + word_size(form);
}

VECTOR_BODY void put_classic_words_body(unsigned char *restrict at,
                                        const uint32_t *restrict words,
                                        size_t count, uint32_t more)
{
    for (size_t w = 0; w < count; w++)
        bytes_put_u16(at + w * sizeof(uint16_t), (uint16_t)(words[w] + more));
}

VECTOR_FUNCTION(put_classic_words,
                (unsigned char *at, const uint32_t *words, size_t count,
                 uint32_t more),
                (at, words, count, more))

uint32_t lump_word(const struct lump *lump, size_t index)
{
    const unsigned char *at = lump->words + index * word_size(lump->form);
    return lump->form == LUMP_XBM1 ? bytes_get_u32(at) : bytes_get_u16(at);
}

// ---------------------------------------------------------------------------
// Writing

struct lump_measure lump_measure(const struct list_area *area)
{
    uint64_t lists_begin = LUMP_HEADER_WORDS + (uint64_t)area->block_count;
    struct lump_measure measure = {
        .word_count = lists_begin + area->word_count,
        .largest_offset = lists_begin + area->largest_offset,
    };
    measure.meets_extended = measure.word_count <= LUMP_EXTENDED_WORDS &&
                             area->linedef_end <= LUMP_CLASSIC_LINES;
    measure.meets_vanilla = measure.meets_extended &&
                            measure.largest_offset <= LUMP_VANILLA_OFFSET &&
                            area->linedef_end <= LUMP_VANILLA_LINES;
    return measure;
}

// An origin as XBM1 has it.
static uint32_t origin_word(enum lump_form form, int32_t whole)
{
    return form == LUMP_XBM1 ? (uint32_t)whole << 16 : (uint32_t)whole;
}

static unsigned char *put_header(unsigned char *at, enum lump_form form,
                                 const struct grid *grid)
{
    at = put_word(at, form, origin_word(form, grid->origin_x));
    at = put_word(at, form, origin_word(form, grid->origin_y));
    at = put_word(at, form, grid->columns);
    return put_word(at, form, grid->rows);
}

static nbstage_status write_classic(struct context *context,
                                    const struct grid *grid,
                                    const struct list_area *area,
                                    size_t word_count, unsigned char **bytes)
{
    uint32_t lists_begin = (uint32_t)(word_count - area->word_count);
    nbstage_status status =
        context_allocate(context, word_count, sizeof(uint16_t), bytes);
    if (status != NBSTAGE_OK)
        return status;
    unsigned char *at = put_header(*bytes, LUMP_CLASSIC, grid);
    put_classic_words(at, area->offset, area->block_count, lists_begin);
    put_classic_words(*bytes + lists_begin * sizeof(uint16_t), area->words,
                      area->word_count, 0);
    return NBSTAGE_OK;
}

// Makes the lump around the lists where they are.
static unsigned char *make_xbm1(const struct grid *grid, struct list_area *area)
{
    uint32_t lists_begin = LUMP_HEADER_WORDS + (uint32_t)area->block_count;
    unsigned char *bytes = (unsigned char *)area->memory;
    memcpy(bytes, xbm1_prefix, sizeof xbm1_prefix);
    unsigned char *at = put_header(bytes + sizeof xbm1_prefix, LUMP_XBM1, grid);
    for (size_t b = 0; b < area->block_count; b++)
        at = put_word(at, LUMP_XBM1, area->offset[b] + lists_begin);
    for (size_t w = 0; !words_are_bytes() && w < area->word_count; w++)
        at = put_word(at, LUMP_XBM1, area->words[w]);
    area->memory = NULL;
    return bytes;
}

nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, struct list_area *area,
                          unsigned char **bytes, size_t *size)
{
    uint64_t word_count = lump_measure(area).word_count;
    if (word_count > UINT32_MAX)
        return context_fail(context, NBSTAGE_OVER_LIMIT, name,
                            "the lump would have %llu words; XBM1 can number "
                            "%lu",
                            (unsigned long long)word_count,
                            (unsigned long)UINT32_MAX);
    *size = (size_t)word_count * word_size(form);
    if (form == LUMP_CLASSIC)
        return write_classic(context, grid, area, (size_t)word_count, bytes);
    *size += sizeof xbm1_prefix;
    *bytes = make_xbm1(grid, area);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Reading

// Splits bytes into words; a rest that is no word is left out.
static struct lump view_words(const unsigned char *bytes, size_t size)
{
    if (size >= sizeof xbm1_prefix &&
        memcmp(bytes, xbm1_prefix, sizeof xbm1_prefix) == 0)
        return (struct lump){.form = LUMP_XBM1,
                             .words = bytes + sizeof xbm1_prefix,
                             .word_count = (size - sizeof xbm1_prefix) /
                                           sizeof(uint32_t)};
    return (struct lump){.form = LUMP_CLASSIC,
                         .words = bytes,
                         .word_count = size / sizeof(uint16_t)};
}

static bool read_header(struct lump *lump)
{
    if (lump->word_count < LUMP_HEADER_WORDS)
        return false;
    uint32_t x = lump_word(lump, 0);
    uint32_t y = lump_word(lump, 1);
    if (lump->form == LUMP_XBM1) {
        if ((x | y) & 0xFFFF)
            return false;
        x >>= 16;
        y >>= 16;
    }
    lump->grid = (struct grid){(int16_t)x, (int16_t)y, lump_word(lump, 2),
                               lump_word(lump, 3)};
    return lump->grid.columns > 0 && lump->grid.rows > 0;
}

bool lump_read_grid(const unsigned char *bytes, size_t size, struct grid *grid)
{
    struct lump lump = view_words(bytes, size);
    bool read = read_header(&lump);
    *grid = lump.grid;
    return read;
}

nbstage_status lump_open(struct context *context, const unsigned char *bytes,
                         size_t size, struct lump *lump)
{
    *lump = view_words(bytes, size);
    if (size % word_size(lump->form) != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes end inside a word; a multiple of %zu "
                            "was expected",
                            size, word_size(lump->form));
    if (!read_header(lump))
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes hold no grid; a header with an origin "
                            "in whole units, a column and a row at least was "
                            "expected",
                            size);
    // Neither factor of the product is 2^32, so it fits with room for 4.
    uint64_t lists_begin =
        (uint64_t)lump->grid.columns * lump->grid.rows + LUMP_HEADER_WORDS;
    if (lists_begin > lump->word_count)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu words are too few for the offsets of "
                            "%lu x %lu blocks",
                            lump->word_count, (unsigned long)lump->grid.columns,
                            (unsigned long)lump->grid.rows);
    return NBSTAGE_OK;
}

nbstage_status lump_find_list(struct context *context, const struct lump *lump,
                              size_t block, struct lump_list *list)
{
    const uint32_t end_word =
        lump->form == LUMP_XBM1 ? LIST_END : (uint32_t)CLASSIC_END;
    size_t lists_begin = LUMP_HEADER_WORDS + grid_block_count(&lump->grid);
    size_t offset = lump_word(lump, LUMP_HEADER_WORDS + block);
    if (offset < lists_begin || offset >= lump->word_count)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "block %zu has offset %zu; the lists are at %zu "
                            "to %zu",
                            block, offset, lists_begin, lump->word_count);
    size_t end = offset;
    while (end < lump->word_count && lump_word(lump, end) != end_word)
        end++;
    if (end == lump->word_count)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "the list of block %zu at offset %zu has no end",
                            block, offset);
    *list = (struct lump_list){offset, end - offset};
    return NBSTAGE_OK;
}
