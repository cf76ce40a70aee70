// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures the lump and writes it, in the classic form or as XBM1.

#include "lump/lump.h"

#include "base/bytes.h"
#include "base/context.h"
#include "base/vector.h"
#include "lines/grid.h"
#include "lists/pack.h"
#include "nbstage.h"

#include <stdint.h>
#include <string.h>

struct lump_measure lump_measure_words(uint64_t word_count,
                                       uint64_t largest_offset,
                                       size_t linedef_end)
{
    const bool meets_extended =
        word_count <= LUMP_EXTENDED_WORDS && linedef_end <= LUMP_CLASSIC_LINES;
    return (struct lump_measure){
        .word_count = word_count,
        .largest_offset = largest_offset,
        .meets_extended = meets_extended,
        .meets_vanilla = meets_extended &&
                         largest_offset <= LUMP_VANILLA_OFFSET &&
                         linedef_end <= LUMP_VANILLA_LINES,
    };
}

struct lump_measure lump_measure(const struct list_area *area)
{
    const uint64_t lists_begin =
        LUMP_HEADER_WORDS + (uint64_t)area->block_count;
    return lump_measure_words(lists_begin + area->word_count,
                              lists_begin + area->largest_offset,
                              area->linedef_end);
}

uint64_t lump_words_over(const struct lump_measure *measure,
                         enum lump_limit limit)
{
    uint64_t over = 0;
    if (limit != LIMIT_NONE && measure->word_count > LUMP_EXTENDED_WORDS)
        over = measure->word_count - LUMP_EXTENDED_WORDS;
    if (limit == LIMIT_VANILLA &&
        measure->largest_offset > LUMP_VANILLA_OFFSET + over)
        over = measure->largest_offset - LUMP_VANILLA_OFFSET;
    return over;
}

// ---------------------------------------------------------------------------
// Classic

VECTOR_BODY void lump_put_classic_words_body(unsigned char *restrict at,
                                             const uint32_t *restrict words,
                                             size_t count, uint32_t more)
{
    for (size_t w = 0; w < count; w++)
        bytes_put_u16(at + w * sizeof(uint16_t), (uint16_t)(words[w] + more));
}

VECTOR_FUNCTION(lump_put_classic_words,
                (unsigned char *at, const uint32_t *words, size_t count,
                 uint32_t more),
                (at, words, count, more))

static nbstage_status lump_write_classic(struct context *context,
                                         const struct grid *grid,
                                         const struct list_area *area,
                                         size_t word_count,
                                         unsigned char **bytes)
{
    const uint32_t header[LUMP_HEADER_WORDS] = {(uint32_t)grid->origin_x,
                                                (uint32_t)grid->origin_y,
                                                grid->columns, grid->rows};
    const uint32_t lists_begin = (uint32_t)(word_count - area->word_count);
    nbstage_status status =
        context_allocate(context, word_count, sizeof(uint16_t), bytes);
    if (status != NBSTAGE_OK)
        return status;
    lump_put_classic_words(*bytes, header, LUMP_HEADER_WORDS, 0);
    lump_put_classic_words(*bytes + sizeof(uint16_t) * LUMP_HEADER_WORDS,
                           area->offset, area->block_count, lists_begin);
    lump_put_classic_words(*bytes + sizeof(uint16_t) * lists_begin, area->words,
                           area->word_count, 0);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// XBM1

static unsigned char *lump_put_xbm1_words(unsigned char *at,
                                          const uint32_t *words, size_t count,
                                          uint32_t more)
{
    for (size_t w = 0; w < count; w++, at += sizeof *words)
        bytes_put_u32(at, words[w] + more);
    return at;
}

// Makes the lump in the memory of the lists, which stay where they are.
static unsigned char *lump_make_xbm1(const struct grid *grid,
                                     struct list_area *area)
{
    const uint32_t header[LUMP_HEADER_WORDS] = {(uint32_t)grid->origin_x << 16,
                                                (uint32_t)grid->origin_y << 16,
                                                grid->columns, grid->rows};
    const uint32_t one = 1;
    uint32_t lists_begin = LUMP_HEADER_WORDS + (uint32_t)area->block_count;
    unsigned char *bytes = (unsigned char *)area->memory;
    memcpy(bytes, LUMP_XBM1_PREFIX, LUMP_XBM1_PREFIX_SIZE);
    unsigned char *at = bytes + LUMP_XBM1_PREFIX_SIZE;
    at = lump_put_xbm1_words(at, header, LUMP_HEADER_WORDS, 0);
    at = lump_put_xbm1_words(at, area->offset, area->block_count, lists_begin);
    if (bytes_get_u32((const unsigned char *)&one) != one) // big-endian
        lump_put_xbm1_words(at, area->words, area->word_count, 0);
    area->memory = NULL;
    return bytes;
}

nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, struct list_area *area,
                          unsigned char **bytes, size_t *size)
{
    uint64_t word_count = lump_measure(area).word_count;
    if (word_count > UINT32_MAX)
        return context_fail(context, NBSTAGE_OVER_LIMIT, "BLOCKMAP",
                            "the lump would have %llu words; XBM1 can number "
                            "%lu",
                            (unsigned long long)word_count,
                            (unsigned long)UINT32_MAX);
    *size = (size_t)lump_size(form, word_count);
    if (form == LUMP_CLASSIC)
        return lump_write_classic(context, grid, area, (size_t)word_count,
                                  bytes);
    *bytes = lump_make_xbm1(grid, area);
    return NBSTAGE_OK;
}
