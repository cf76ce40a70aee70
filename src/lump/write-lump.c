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

const struct lump_measure lump_most[] = {
    [LIMIT_NONE] = {LUMP_EXTENDED_WORDS, UINT32_MAX, LUMP_CLASSIC_LINES},
    [LIMIT_VANILLA] = {LUMP_EXTENDED_WORDS, LUMP_VANILLA_OFFSET,
                       LUMP_VANILLA_LINES},
    [LIMIT_EXTENDED] = {LUMP_EXTENDED_WORDS, UINT32_MAX, LUMP_CLASSIC_LINES},
};

struct lump_measure lump_measure(const struct list_area *area)
{
    const uint64_t lists_begin =
        LUMP_HEADER_WORDS + (uint64_t)area->block_count;
    return (struct lump_measure){lists_begin + area->word_count,
                                 lists_begin + area->largest_offset,
                                 area->linedef_end};
}

uint64_t lump_words_over(const struct lump_measure *measure,
                         enum lump_limit limit)
{
    const struct lump_measure *most = &lump_most[limit];
    uint64_t over = 0;
    if (measure->word_count > most->word_count)
        over = measure->word_count - most->word_count;
    if (measure->largest_offset > most->largest_offset + over)
        over = measure->largest_offset - most->largest_offset;
    return over;
}

bool lump_meets(const struct lump_measure *measure, enum lump_limit limit)
{
    return measure->linedef_end <= lump_most[limit].linedef_end &&
           lump_words_over(measure, limit) == 0;
}

// ---------------------------------------------------------------------------
// Words

VECTOR_FUNCTION
static void lump_put_classic_words(unsigned char *restrict at,
                                   const uint32_t *restrict words, size_t count,
                                   uint32_t more)
{
    for (size_t w = 0; w < count; w++)
        bytes_put_u16(at + w * sizeof(uint16_t), (uint16_t)(words[w] + more));
}

// Writes words to which a number is added; returns where they end.
static unsigned char *lump_put(enum lump_form form, unsigned char *at,
                               const uint32_t *words, size_t count,
                               uint32_t more)
{
    if (form == LUMP_CLASSIC)
        lump_put_classic_words(at, words, count, more);
    else
        for (size_t w = 0; w < count; w++)
            bytes_put_u32(at + w * sizeof *words, words[w] + more);
    return at + count * lump_word_size(form);
}

// The lists of an XBM1 lump stay where they are, if its words are those of this
// machine.
nbstage_status lump_write(struct context *context, enum lump_form form,
                          const struct grid *grid, struct list_area *area,
                          unsigned char **bytes, size_t *size)
{
    const uint64_t word_count = lump_measure(area).word_count;
    const unsigned shift = form == LUMP_XBM1 ? 16 : 0;
    const uint32_t header[LUMP_HEADER_WORDS] = {
        (uint32_t)grid->origin_x << shift, (uint32_t)grid->origin_y << shift,
        grid->columns, grid->rows};
    const uint32_t lists_begin = (uint32_t)(word_count - area->word_count);
    const uint32_t one = 1;
    *size = (size_t)lump_size(form, word_count);
    if (form == LUMP_XBM1) {
        *bytes = (unsigned char *)area->memory;
        area->memory = NULL;
        memcpy(*bytes, LUMP_XBM1_PREFIX, LUMP_XBM1_PREFIX_SIZE);
    } else {
        nbstage_status status = context_allocate(context, *size, 1, bytes);
        if (status != NBSTAGE_OK)
            return status;
    }
    unsigned char *at = lump_put(form, *bytes + lump_size(form, 0), header,
                                 LUMP_HEADER_WORDS, 0);
    at = lump_put(form, at, area->offset, area->block_count, lists_begin);
    if (form == LUMP_CLASSIC || bytes_get_u32((const void *)&one) != one)
        lump_put(form, at, area->words, area->word_count, 0);
    return NBSTAGE_OK;
}
