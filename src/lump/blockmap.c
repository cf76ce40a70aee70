// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list ends at the first terminator after its beginning.  So the list that
// begins at a word is the list that begins at the next word, with this word
// before it.  Reading the words once, from the last to the first, therefore
// gives every list that there could be, one after the other.  A damaged lump
// may have every block begin in the same long run of words; reading each list
// by itself would take the product of both.
//
// For each linedef the reader keeps the run of words between terminators in
// which it saw the linedef last.  The linedef is in the list that begins here
// if that is the current run.

#include "lump/blockmap.h"

#include "base/bytes.h"
#include "base/context.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint32_t words_get(const struct words *words, size_t index)
{
    return words->are_wide ? bytes_get_u32(words->bytes + 4 * index)
                           : bytes_get_u16(words->bytes + 2 * index);
}

uint32_t words_end(const struct words *words)
{
    return words->are_wide ? UINT32_MAX : UINT16_MAX;
}

// ---------------------------------------------------------------------------
// The grid

// An origin in 16.16.
static int32_t blockmap_read_origin(const struct words *words, size_t index)
{
    const uint32_t bits = words_get(words, index);
    return (int32_t)(words->are_wide ? bits : bits << 16);
}

void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap)
{
    const bool is_wide =
        size >= LUMP_XBM1_PREFIX_SIZE &&
        memcmp(bytes, LUMP_XBM1_PREFIX, LUMP_XBM1_PREFIX_SIZE) == 0;
    const size_t prefix = is_wide ? LUMP_XBM1_PREFIX_SIZE : 0;
    *blockmap = (struct blockmap){.form = size == 0 ? LUMP_EMPTY
                                          : is_wide ? LUMP_XBM1
                                                    : LUMP_CLASSIC,
                                  .lump = bytes,
                                  .bytes = size,
                                  .headers = HEADER_NONE};
    if (size == 0)
        return;
    const size_t word_size = lump_word_size(blockmap->form);
    const struct words words = {bytes + prefix, (size - prefix) / word_size,
                                is_wide};
    blockmap->words = words;
    blockmap->odd_bytes = size % word_size;
    blockmap->fault = BLOCKMAP_NO_GRID;
    if (words.count < LUMP_HEADER_WORDS)
        return;
    blockmap->origin_x = blockmap_read_origin(&words, 0);
    blockmap->origin_y = blockmap_read_origin(&words, 1);
    blockmap->columns = words_get(&words, 2);
    blockmap->rows = words_get(&words, 3);
    const uint64_t blocks = (uint64_t)blockmap->columns * blockmap->rows;
    const bool has_table = blocks <= words.count - LUMP_HEADER_WORDS;
    blockmap->fault = has_table ? BLOCKMAP_SOUND : BLOCKMAP_NO_TABLE;
    blockmap->block_count = has_table ? (size_t)blocks : 0;
}

bool blockmap_get_grid(const struct blockmap *blockmap, struct grid *grid)
{
    *grid = (struct grid){blockmap->origin_x / BLOCKMAP_UNIT,
                          blockmap->origin_y / BLOCKMAP_UNIT, blockmap->columns,
                          blockmap->rows};
    return blockmap->origin_x % BLOCKMAP_UNIT == 0 &&
           blockmap->origin_y % BLOCKMAP_UNIT == 0 && grid->columns > 0 &&
           grid->rows > 0;
}

bool blockmap_has_table(const struct blockmap *blockmap)
{
    return blockmap->form != LUMP_EMPTY && blockmap->fault == BLOCKMAP_SOUND;
}

// Gives a lump over the limit a fault, and no blocks.
static void blockmap_apply_limit(uint64_t memory, struct blockmap *blockmap)
{
    enum { FOR_BYTE = 16, FOR_BLOCK = 64, MOST_BLOCKS = 512 * 512 };
    const uint64_t for_bytes = FOR_BYTE * (uint64_t)blockmap->bytes;
    blockmap->limit = memory > 0 ? memory : for_bytes + FOR_BLOCK * MOST_BLOCKS;
    if (for_bytes + FOR_BLOCK * (uint64_t)blockmap->block_count <=
        blockmap->limit)
        return;
    blockmap->fault = BLOCKMAP_TOO_MUCH_MEMORY;
    blockmap->block_count = 0;
}

// Reads where the list of each block begins.  Returns what all lists begin
// with.
static enum list_header blockmap_read_offsets(struct blockmap *blockmap)
{
    const struct words *words = &blockmap->words;
    bool zero = false, other = false;
    for (size_t b = blockmap->block_count; b-- > 0;) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->offset = words_get(words, LUMP_HEADER_WORDS + b);
        if (list->offset >= words->count)
            continue;
        list->next = blockmap->first_block[list->offset];
        blockmap->first_block[list->offset] = (uint32_t)b + 1;
        if (list->offset < LUMP_HEADER_WORDS + blockmap->block_count)
            continue;
        const bool is_zero = words_get(words, list->offset) == 0;
        zero |= is_zero;
        other |= !is_zero;
    }
    return !zero ? HEADER_NONE : other ? HEADER_MIXED : HEADER_ZERO;
}

// ---------------------------------------------------------------------------
// The lists that begin at words

struct list_view list_after_last(const struct blockmap *blockmap)
{
    const enum list_header headers = blockmap->headers;
    if (blockmap->line_count > 0)
        memset(blockmap->run_seen, 0, blockmap->line_count * sizeof(uint32_t));
    return (struct list_view){
        .begin = blockmap->block_count > 0 ? blockmap->words.count : 0,
        .end = blockmap->words.count,
        .is_ascending = true,
        .linedefs = blockmap->linedefs,
        .run_seen = blockmap->run_seen,
        .run = 1,
        .blockmap = blockmap,
        .line_count = blockmap->line_count,
        .least_offset = LUMP_HEADER_WORDS + blockmap->block_count,
        .skips_word = headers == HEADER_ZERO || headers == HEADER_ANY,
        .may_have_header = headers == HEADER_ZERO || headers == HEADER_MIXED,
    };
}

// Puts the word before the list, or begins another one with a terminator.
static void list_extend(struct list_view *view)
{
    const struct words *words = &view->blockmap->words;
    const uint32_t word = words_get(words, --view->begin);
    if (word == words_end(words)) {
        view->end = view->begin;
        view->has_end = view->is_ascending = true;
        view->has_header = false;
        view->distinct = view->repeats = view->too_large = 0;
        view->digest = 0;
        view->run++;
        return;
    }
    if (view->begin + 1 < view->end && word > words_get(words, view->begin + 1))
        view->is_ascending = false;
    // One step of a multiplicative hash.
    view->digest = (view->digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
    view->digest ^= view->digest >> 32;
    if (word == 0 && view->may_have_header &&
        view->blockmap->first_block[view->begin] != 0) {
        view->has_header = true;
    } else if (word >= view->line_count) {
        view->too_large++;
    } else if (view->run_seen[word] == view->run) {
        view->repeats++;
    } else {
        view->run_seen[word] = view->run;
        view->linedefs[view->distinct++] = word;
    }
}

bool list_next(struct list_view *view)
{
    const struct blockmap *blockmap = view->blockmap;
    const size_t least_begin = view->least_offset + view->skips_word;
    while (view->next_block == 0 && view->begin > view->least_offset) {
        list_extend(view);
        if (view->begin >= least_begin)
            view->next_block =
                blockmap->first_block[view->begin - view->skips_word];
    }
    if (view->next_block == 0)
        return false;
    view->block = view->next_block - 1;
    view->next_block = blockmap->lists[view->block].next;
    return true;
}

// ---------------------------------------------------------------------------
// All lists

void blockmap_read_as(struct blockmap *blockmap, enum list_header headers)
{
    const size_t lists_begin = LUMP_HEADER_WORDS + blockmap->block_count;
    size_t last_begin = 0;
    blockmap->headers = headers;
    blockmap->list_count = blockmap->too_large_count = 0;
    blockmap->largest_offset = 0;
    blockmap->unreadable_count = blockmap->block_count;
    struct list_view view = list_after_last(blockmap);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->begin = list->end = list->offset + view.skips_word;
        list->distinct = list->too_large = 0;
        list->fault = list->offset >= blockmap->words.count ? LIST_OUTSIDE
                      : list->offset < lists_begin          ? LIST_IN_TABLE
                                                            : LIST_ENDLESS;
    }
    while (list_next(&view)) {
        struct blockmap_list *list = &blockmap->lists[view.block];
        list->too_large = (uint32_t)view.too_large;
        if (view.has_end) {
            list->fault = LIST_READABLE;
            list->end = (uint32_t)view.end;
            list->distinct = (uint32_t)view.distinct;
            blockmap->unreadable_count--;
        }
        if (view.begin == last_begin)
            continue; // it was that of another block
        if (blockmap->list_count++ == 0)
            blockmap->largest_offset = list->offset;
        blockmap->too_large_count += view.too_large > 0;
        last_begin = view.begin;
    }
}

nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, uint64_t memory,
                             struct blockmap *blockmap)
{
    blockmap_open(bytes, size, blockmap);
    if (blockmap->fault == BLOCKMAP_SOUND)
        blockmap_apply_limit(memory, blockmap);
    if (!blockmap_has_table(blockmap))
        return NBSTAGE_OK;
    const struct context_array arrays[] = {
        {&blockmap->lists, blockmap->block_count, sizeof *blockmap->lists},
        {&blockmap->first_block, blockmap->words.count, sizeof(uint32_t)},
        {&blockmap->linedefs, line_count, sizeof(uint32_t)},
        {&blockmap->run_seen, line_count, sizeof(uint32_t)},
    };
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    blockmap->line_count = line_count;
    blockmap_read_as(blockmap, blockmap_read_offsets(blockmap));
    return NBSTAGE_OK;
}

void blockmap_free(struct context *context, struct blockmap *blockmap)
{
    context_release(context, blockmap->lists);
    *blockmap = (struct blockmap){0};
}
