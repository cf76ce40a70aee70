// SPDX-License-Identifier: GPL-2.0-or-later
//
// In a damaged lump every block may point into one long run of words.  So the
// words are read once, from last to first, to find the end of a list that
// begins at each of them.  Then the lengths of all lists are added up, and
// lists are read, one by one, only if the sum is within the limit.

#include "lump/blockmap.h"

#include "base/context.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap)
{
    enum lump_form form = size > 0 ? LUMP_CLASSIC : LUMP_EMPTY;
    if (size >= sizeof LUMP_XBM1_PREFIX &&
        memcmp(bytes, LUMP_XBM1_PREFIX, sizeof LUMP_XBM1_PREFIX) == 0)
        form = LUMP_XBM1;
    const size_t word_size = lump_word_size(form);
    const unsigned shift = form == LUMP_XBM1 ? 0 : 16;
    *blockmap = (struct blockmap){
        .form = form,
        .lump = bytes,
        .bytes = size,
        .odd_bytes = size % word_size,
        .word_count = (size - (size_t)lump_size(form, 0)) / word_size,
        .terminator = form == LUMP_XBM1 ? UINT32_MAX : UINT16_MAX,
        .headers = HEADER_NONE};
    if (blockmap->word_count < LUMP_HEADER_WORDS)
        return;
    const int32_t x = (int32_t)(blockmap_word(blockmap, 0) << shift);
    const int32_t y = (int32_t)(blockmap_word(blockmap, 1) << shift);
    const struct grid grid = {x / BLOCKMAP_UNIT, y / BLOCKMAP_UNIT,
                              blockmap_word(blockmap, 2),
                              blockmap_word(blockmap, 3)};
    const uint64_t blocks = (uint64_t)grid.columns * grid.rows;
    blockmap->origin_x = x;
    blockmap->origin_y = y;
    blockmap->grid = grid;
    blockmap->has_grid = blocks > 0 && (x | y) % BLOCKMAP_UNIT == 0;
    if (blocks > blockmap->word_count - LUMP_HEADER_WORDS)
        return;
    blockmap->block_count = (size_t)blocks;
    blockmap->lists_begin = LUMP_HEADER_WORDS + (size_t)blocks;
}

// Finds the ends of lists and the offsets that lead to them, guesses the
// headers, and counts each list's longest reading without a leading 0.  A list
// whose first word is skipped, and is a terminator, runs on to the next one; an
// offset of all ones may mean -1.
static void blockmap_find_lists(struct blockmap *blockmap)
{
    const size_t count = blockmap->word_count;
    uint32_t *ends = blockmap->ends;
    bool all_zero = true, have_lists = false;
    ends[count] = (uint32_t)count;
    for (size_t w = count; w-- > 0;)
        ends[w] = blockmap_word(blockmap, w) == blockmap->terminator
                      ? (uint32_t)w
                      : ends[w + 1];
    for (size_t at = LUMP_HEADER_WORDS; at < blockmap->lists_begin; at++) {
        const size_t offset = blockmap_word(blockmap, at);
        if (offset == blockmap->terminator)
            blockmap->linedef_count += ends[0];
        if (offset >= count)
            continue;
        const bool is_zero = blockmap_word(blockmap, offset) == 0;
        blockmap->linedef_count += ends[offset + 1] - offset - is_zero;
        if (offset < blockmap->lists_begin)
            continue;
        blockmap->offset_at[at] = blockmap->offset_at[offset];
        blockmap->offset_at[offset] = (uint32_t)at;
        all_zero &= is_zero;
        have_lists = true;
    }
    blockmap->headers = have_lists && all_zero ? HEADER_ZERO : HEADER_NONE;
}

// Drops the lists of a lump, as they may need more memory than the limit.
static void blockmap_exceed(struct blockmap *blockmap, uint64_t memory,
                            uint64_t needed)
{
    blockmap->exceeded_memory = memory;
    blockmap->needed_memory = needed;
    blockmap->linedef_count = blockmap->block_count = 0;
    blockmap->lists_begin = 0;
}

nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, struct blockmap *blockmap)
{
    enum { FOR_BYTE = 16, FOR_BLOCK = 64, FOR_LINEDEF = 64 }; // bytes
    enum { STEPS_FOR_LINEDEF = 4 * 32 }; // 4 entries at 32 steps each
    blockmap_open(bytes, size, blockmap);
    blockmap->line_count = line_count;
    if (blockmap->lists_begin == 0)
        return NBSTAGE_OK;
    const uint64_t memory = context_most(context, 1);
    const uint64_t known =
        FOR_BYTE * (uint64_t)size + FOR_BLOCK * (uint64_t)blockmap->block_count;
    if (known >= memory) {
        blockmap_exceed(blockmap, memory, known);
        return NBSTAGE_OK;
    }
    const struct context_array arrays[] = {
        {&blockmap->ends, blockmap->word_count + 1, sizeof(uint32_t)},
        {&blockmap->offset_at, blockmap->word_count, sizeof(uint32_t)},
        {&blockmap->set.linedefs, line_count, sizeof(uint32_t)},
        {&blockmap->set.places, line_count, sizeof(uint32_t)},
    };
    NEED(context_allocate_arrays(context, arrays, COUNT(arrays)));
    blockmap_find_lists(blockmap);
    if (blockmap->linedef_count > (memory - known) / FOR_LINEDEF)
        blockmap_exceed(blockmap, memory,
                        known + FOR_LINEDEF * blockmap->linedef_count);
    context->work += STEPS_FOR_LINEDEF * blockmap->linedef_count;
    return NBSTAGE_OK;
}

void blockmap_free(struct context *context, struct blockmap *blockmap)
{
    context_release(context, blockmap->ends);
    *blockmap = (struct blockmap){0};
}

// ---------------------------------------------------------------------------
// Lists

struct blockmap_list blockmap_list(const struct blockmap *blockmap,
                                   size_t block)
{
    const bool skips_word = blockmap->headers != HEADER_NONE;
    const size_t offset = blockmap_word(blockmap, LUMP_HEADER_WORDS + block);
    const size_t begin = offset + skips_word;
    struct blockmap_list list = {NULL, offset, begin, begin};
    if (offset >= blockmap->word_count)
        list.fault = "its offset is past the end of the lump";
    else if (offset < blockmap->lists_begin)
        list.fault = "its offset is in the table of offsets";
    else if (blockmap->ends[begin] == blockmap->word_count)
        list.fault = "its list has no end";
    else
        list.end = blockmap->ends[begin];
    return list;
}

struct linedef_set blockmap_read_list(const struct blockmap *blockmap,
                                      size_t begin)
{
    struct linedef_set set = blockmap->set;
    for (size_t w = begin; w < blockmap->ends[begin]; w++) {
        const uint32_t word = blockmap_word(blockmap, w);
        if (word >= blockmap->line_count) {
            set.too_large++;
        } else if (!linedef_set_has(&set, word)) {
            set.places[word] = (uint32_t)set.count;
            set.linedefs[set.count++] = word;
        }
    }
    return set;
}

static void blockmap_find_list_flaw(const struct blockmap *blockmap,
                                    char text[BLOCKMAP_TEXT_SIZE])
{
    for (size_t b = 0; b < blockmap->block_count && !*text; b++) {
        const struct blockmap_list list = blockmap_list(blockmap, b);
        size_t w = list.begin;
        while (w < list.end &&
               blockmap_word(blockmap, w) < blockmap->line_count)
            w++;
        if (list.fault)
            snprintf(text, BLOCKMAP_TEXT_SIZE,
                     "block %zu with offset %zu: %s; lists were expected in "
                     "words %zu to %zu",
                     b, list.offset, list.fault, blockmap->lists_begin,
                     blockmap->word_count - 1);
        else if (w < list.end)
            snprintf(text, BLOCKMAP_TEXT_SIZE,
                     "the list of block %zu at offset %zu has linedef %lu as "
                     "word %zu; the map has %zu linedefs",
                     b, list.offset, (unsigned long)blockmap_word(blockmap, w),
                     w, blockmap->line_count);
    }
}

bool blockmap_find_flaw(const struct blockmap *blockmap,
                        char text[BLOCKMAP_TEXT_SIZE])
{
    const unsigned long columns = blockmap->grid.columns;
    const unsigned long rows = blockmap->grid.rows;
    const size_t most_blocks = (size_t)1 << ENTRY_BLOCK_BITS;
    text[0] = '\0';
    if (blockmap->form == LUMP_EMPTY)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "the map has no blockmap, or an empty one; lists=lump needs "
                 "lists");
    else if (blockmap->word_count < LUMP_HEADER_WORDS)
        snprintf(text, BLOCKMAP_TEXT_SIZE, "%zu bytes are too few for a grid",
                 blockmap->bytes);
    else if (blockmap->exceeded_memory > 0)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "its %zu bytes and the lists of its %lu x %lu blocks may take "
                 "%llu MiB of memory; max-memory allows for %llu MiB",
                 blockmap->bytes, columns, rows,
                 ((unsigned long long)blockmap->needed_memory >> 20) + 1,
                 (unsigned long long)blockmap->exceeded_memory >> 20);
    else if (blockmap->lists_begin == 0)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "%zu words are too few for the offsets of %lu x %lu blocks",
                 blockmap->word_count, columns, rows);
    else if (blockmap->block_count == 0 || blockmap->block_count > most_blocks)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "the grid has %lu x %lu blocks; 1 to %zu were expected",
                 columns, rows, most_blocks);
    else if (blockmap->odd_bytes > 0)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "%zu bytes are not a whole number of words", blockmap->bytes);
    else if (!blockmap->has_grid)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "the origin %.10g,%.10g is not in whole map units",
                 (double)blockmap->origin_x / (double)BLOCKMAP_UNIT,
                 (double)blockmap->origin_y / (double)BLOCKMAP_UNIT);
    else
        blockmap_find_list_flaw(blockmap, text);
    return *text != '\0';
}

// Collects the entries of a lump that was read.
static nbstage_status blockmap_collect_entries(struct context *context,
                                               struct blockmap *blockmap,
                                               struct entries *entries)
{
    // linedef_count does not count leading 0s.
    const uint64_t most = blockmap->linedef_count + blockmap->block_count;
    char text[BLOCKMAP_TEXT_SIZE];
    uint64_t *pairs; // for entries_of_pairs
    size_t count = 0;
    if (blockmap_find_flaw(blockmap, text))
        return context_fail(context,
                            blockmap->exceeded_memory > 0 ? NBSTAGE_OVER_LIMIT
                                                          : NBSTAGE_BAD_MAP,
                            "BLOCKMAP", "%s", text);
    NEED(context_check_count(context, "BLOCKMAP", blockmap->block_count,
                             "blocks", BYTES_OF_BLOCK));
    NEED(context_progress(context, 1, 1));
    NEED(context_allocate(context, most, sizeof *pairs, &pairs));
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct linedef_set set =
            blockmap_read_list(blockmap, blockmap_list(blockmap, b).begin);
        for (size_t i = 0; i < set.count; i++)
            pairs[count++] = (uint64_t)set.linedefs[i] << 32 | b;
    }
    nbstage_status status = context_check_count(context, "BLOCKMAP", count,
                                                "entries", BYTES_OF_ENTRY);
    if (status != NBSTAGE_OK)
        goto out;
    status =
        entries_of_pairs(context, pairs, count, blockmap->line_count, entries);
out:
    context_release(context, pairs);
    return status;
}

nbstage_status blockmap_read_entries(struct context *context,
                                     const unsigned char *bytes, size_t size,
                                     size_t line_count, struct grid *grid,
                                     struct entries *entries)
{
    struct blockmap blockmap;
    *entries = (struct entries){0};
    nbstage_status status =
        blockmap_read(context, bytes, size, line_count, &blockmap);
    *grid = blockmap.grid;
    if (status != NBSTAGE_OK)
        goto out;
    status = blockmap_collect_entries(context, &blockmap, entries);
out:
    blockmap_free(context, &blockmap);
    return status;
}
