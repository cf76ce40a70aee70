// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the lump that the map has.  Each linedef in a block's list becomes an
// entry, so that the lists are then built as those of lines are.
//
// Entries have to be in linedef order.  The first pass over the lists of all
// blocks counts each linedef, the second one puts each entry in its place.
// What a list has twice comes together in this way, and is dropped.
//
// Lists may overlap in any way, so a small lump can stand for very many
// entries.  The first pass stops where there are more than a limit.

#include "lump/lump.h"

#include "base/bytes.h"

#include <string.h>

static const char name[] = "BLOCKMAP";

enum {
    CLASSIC_END = 0xFFFF,
    PROGRESS_WORDS = 1 << 20, // between two reports of progress
};

uint32_t lump_word(const struct lump *lump, size_t index)
{
    const unsigned char *at = lump->words + index * lump_word_size(lump->form);
    return lump->form == LUMP_XBM1 ? bytes_get_u32(at) : bytes_get_u16(at);
}

// ---------------------------------------------------------------------------
// The header

// Splits bytes into words; the bytes of an incomplete last word are left out.
static struct lump view_words(const unsigned char *bytes, size_t size)
{
    struct lump lump = {.form = LUMP_CLASSIC, .words = bytes};
    if (size >= LUMP_XBM1_PREFIX_SIZE &&
        memcmp(bytes, LUMP_XBM1_PREFIX, LUMP_XBM1_PREFIX_SIZE) == 0) {
        lump.form = LUMP_XBM1;
        lump.words = bytes + LUMP_XBM1_PREFIX_SIZE;
        size -= LUMP_XBM1_PREFIX_SIZE;
    }
    lump.word_count = size / lump_word_size(lump.form);
    return lump;
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
    if (size % lump_word_size(lump->form) != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes end inside a word; a multiple of %zu "
                            "was expected",
                            size, lump_word_size(lump->form));
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

// ---------------------------------------------------------------------------
// A list

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

// ---------------------------------------------------------------------------
// All lists

struct lump_reading {
    struct context *context;
    struct lump lump;
    size_t block_count;
    size_t line_count;
    size_t header_words; // before the linedefs of each list: 1 or 0
    size_t unreported;   // words read since the last report of progress
    size_t *next;        // for entries_place
    struct entries entries;
};

static nbstage_status open_lump(struct lump_reading *reading,
                                const unsigned char *bytes, size_t size)
{
    if (size == 0)
        return context_fail(reading->context, NBSTAGE_BAD_MAP, name,
                            "the map has no blockmap, or an empty one; one to "
                            "take the lists from was expected");
    nbstage_status status =
        lump_open(reading->context, bytes, size, &reading->lump);
    if (status != NBSTAGE_OK)
        return status;
    const struct grid *grid = &reading->lump.grid;
    reading->block_count = grid_block_count(grid);
    if (reading->block_count > (size_t)1 << ENTRY_BLOCK_BITS)
        return context_fail(
            reading->context, NBSTAGE_BAD_MAP, name,
            "the grid has %lu x %lu blocks; at most %lu in all were expected",
            (unsigned long)grid->columns, (unsigned long)grid->rows,
            1UL << ENTRY_BLOCK_BITS);
    return grid_check_limit(reading->context, name, grid);
}

// Finds whether lists begin with a header.  Offsets outside the lump are
// reported later.
static void find_headers(struct lump_reading *reading)
{
    const struct lump *lump = &reading->lump;
    reading->header_words = 1;
    for (size_t b = 0; b < reading->block_count; b++) {
        size_t offset = lump_word(lump, LUMP_HEADER_WORDS + b);
        if (offset >= lump->word_count || lump_word(lump, offset) == 0)
            continue;
        reading->header_words = 0;
        context_log(reading->context, NBSTAGE_LOG_INFO, name,
                    "the list of block %zu at offset %zu does not begin with "
                    "a 0, so the first word of every list is a linedef",
                    b, offset);
        return;
    }
}

// Finds the linedefs of a block.
static nbstage_status find_linedefs(struct lump_reading *reading, size_t block,
                                    struct lump_list *linedefs)
{
    nbstage_status status =
        lump_find_list(reading->context, &reading->lump, block, linedefs);
    if (status != NBSTAGE_OK)
        return status;
    linedefs->first_word += reading->header_words;
    linedefs->length -= reading->header_words;
    reading->unreported += linedefs->length;
    if (reading->unreported < PROGRESS_WORDS)
        return NBSTAGE_OK;
    reading->unreported = 0;
    return context_progress(reading->context, block, reading->block_count);
}

static nbstage_status check_count(struct lump_reading *reading, size_t block,
                                  size_t count)
{
    uint64_t most = reading->context->limits.entries;
    if (most == 0 || count <= most)
        return NBSTAGE_OK;
    return context_fail(reading->context, NBSTAGE_OVER_LIMIT, name,
                        "blocks 0 to %zu have %zu linedefs in their lists; "
                        "max-entries allows for %llu",
                        block, count, (unsigned long long)most);
}

static nbstage_status count_list(struct lump_reading *reading, size_t block,
                                 const struct lump_list *linedefs)
{
    size_t end = linedefs->first_word + linedefs->length;
    for (size_t w = linedefs->first_word; w < end; w++) {
        uint32_t linedef = lump_word(&reading->lump, w);
        if (linedef >= reading->line_count)
            return context_fail(
                reading->context, NBSTAGE_BAD_MAP, name,
                "the list of block %zu at offset %zu has linedef %lu as word "
                "%zu; the map has %zu linedefs",
                block, linedefs->first_word - reading->header_words,
                (unsigned long)linedef, w, reading->line_count);
        reading->next[linedef]++;
    }
    reading->entries.count += linedefs->length;
    return check_count(reading, block, reading->entries.count);
}

// Counts the linedefs of all lists, or writes their entries.
static nbstage_status pass(struct lump_reading *reading, bool writes)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t b = 0; b < reading->block_count && status == NBSTAGE_OK; b++) {
        struct lump_list linedefs;
        status = find_linedefs(reading, b, &linedefs);
        if (status != NBSTAGE_OK)
            return status;
        if (!writes)
            status = count_list(reading, b, &linedefs);
        for (size_t i = 0; writes && i < linedefs.length; i++)
            entries_add(&reading->entries, reading->next, (uint32_t)b,
                        lump_word(&reading->lump, linedefs.first_word + i));
    }
    return status;
}

static nbstage_status find_entries(struct lump_reading *reading)
{
    find_headers(reading);
    nbstage_status status =
        context_allocate_zeroed(reading->context, reading->line_count,
                                sizeof *reading->next, &reading->next);
    if (status == NBSTAGE_OK)
        status = pass(reading, false);
    if (status == NBSTAGE_OK)
        status = entries_place(reading->context, reading->next,
                               reading->line_count, &reading->entries);
    if (status == NBSTAGE_OK)
        status = pass(reading, true);
    if (status == NBSTAGE_OK)
        entries_end(&reading->entries, reading->next);
    context_release(reading->context, reading->next);
    return status;
}

nbstage_status lump_read_lists(struct context *context,
                               const unsigned char *bytes, size_t size,
                               size_t line_count, struct grid *grid,
                               struct lists *lists)
{
    struct lump_reading reading = {.context = context,
                                   .line_count = line_count};
    nbstage_status status = open_lump(&reading, bytes, size);
    if (status == NBSTAGE_OK)
        status = find_entries(&reading);
    *grid = reading.lump.grid;
    if (status == NBSTAGE_OK)
        status = lists_build(context, grid, &reading.entries, lists);
    entries_free(context, &reading.entries);
    return status;
}
