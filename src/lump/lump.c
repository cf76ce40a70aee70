// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures the lump of packed lists, and writes it.

#include "lump/lump.h"

#include "base/bytes.h"
#include "base/context.h"
#include "base/vector.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct lump_measure lump_measure(const struct lists *lists)
{
    const uint64_t table_end = LUMP_HEADER_WORDS + (uint64_t)lists->block_count;
    return (struct lump_measure){table_end + lists->word_count,
                                 table_end + lists->largest_place,
                                 lists->linedef_end};
}

uint64_t lump_words_over(const struct lump_measure *measure,
                         enum lump_limit limit)
{
    uint64_t over = 0;
    if (measure->word_count > LUMP_EXTENDED_WORDS)
        over = measure->word_count - LUMP_EXTENDED_WORDS;
    if (limit == LIMIT_VANILLA &&
        measure->largest_offset > LUMP_VANILLA_OFFSET + over)
        over = measure->largest_offset - LUMP_VANILLA_OFFSET;
    return over;
}

bool lump_meets(const struct lump_measure *measure, enum lump_limit limit)
{
    const size_t most_lines =
        limit == LIMIT_VANILLA ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    return measure->linedef_end <= most_lines &&
           lump_words_over(measure, limit) == 0;
}

// Writes each word plus an addend in 16 bits; returns the end.
VECTOR_FUNCTION
static unsigned char *lump_put_classic(unsigned char *at, const uint32_t *words,
                                       size_t count, uint32_t addend)
{
    for (size_t w = 0; w < count; w++)
        bytes_put_u16(at + w * sizeof(uint16_t), (uint16_t)(words[w] + addend));
    return at + count * sizeof(uint16_t);
}

// Writes each word plus an addend in 32 bits; returns the end.
VECTOR_FUNCTION
static unsigned char *lump_put_xbm1(unsigned char *at, const uint32_t *words,
                                    size_t count, uint32_t addend)
{
    for (size_t w = 0; w < count; w++)
        bytes_put_u32(at + w * sizeof(uint32_t), words[w] + addend);
    return at + count * sizeof(uint32_t);
}

nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, const struct lists *lists,
                          unsigned char **bytes, size_t *size)
{
    const uint64_t word_count = lump_measure(lists).word_count;
    const uint32_t unit = form == LUMP_XBM1 ? 1 << 16 : 1;
    const uint32_t header[LUMP_HEADER_WORDS] = {(uint32_t)grid->origin_x * unit,
                                                (uint32_t)grid->origin_y * unit,
                                                grid->columns, grid->rows};
    const uint32_t table_end = (uint32_t)(word_count - lists->word_count);
    unsigned char *(*const put)(unsigned char *, const uint32_t *, size_t,
                                uint32_t) =
        form == LUMP_XBM1 ? lump_put_xbm1 : lump_put_classic;
    NEED(context_allocate(context, lump_size(form, word_count), 1, bytes));
    *size = (size_t)lump_size(form, word_count);
    memcpy(*bytes, LUMP_XBM1_PREFIX, (size_t)lump_size(form, 0));
    unsigned char *at = *bytes + lump_size(form, 0);
    at = put(at, header, LUMP_HEADER_WORDS, 0);
    at = put(at, lists->place, lists->block_count, table_end);
    put(at, lists->words, lists->word_count, 0);
    return NBSTAGE_OK;
}
