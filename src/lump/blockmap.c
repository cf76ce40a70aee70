// SPDX-License-Identifier: GPL-2.0-or-later
//
// A damaged lump may have every block begin in the same long run of words.  So
// the words are read once, from the last to the first, to find where a list
// that begins at each of them would end.  Then the lengths of all lists can be
// added up, and only if they are within a limit are lists read, one by one.
//
// The set of a list is two arrays: its linedefs, and for each linedef its place
// among these.  What is in the places of other linedefs does not matter, so the
// arrays are never cleared.

#include "lump/blockmap.h"

#include <stdio.h>
#include <string.h>

void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap)
{
    const bool is_xbm1 =
        size >= LUMP_XBM1_PREFIX_SIZE &&
        memcmp(bytes, LUMP_XBM1_PREFIX, LUMP_XBM1_PREFIX_SIZE) == 0;
    const enum lump_form form = size == 0 ? LUMP_EMPTY
                                : is_xbm1 ? LUMP_XBM1
                                          : LUMP_CLASSIC;
    const size_t word_size = lump_word_size(form);
    const unsigned shift = is_xbm1 ? 0 : 16;
    *blockmap = (struct blockmap){
        .form = form,
        .fault = size == 0 ? BLOCKMAP_SOUND : BLOCKMAP_NO_GRID,
        .lump = bytes,
        .bytes = size,
        .odd_bytes = size % word_size,
        .word_count = (size - (size_t)lump_size(form, 0)) / word_size,
        .terminator = is_xbm1 ? UINT32_MAX : UINT16_MAX,
        .headers = HEADER_NONE};
    if (blockmap->word_count < LUMP_HEADER_WORDS)
        return;
    const int32_t x = (int32_t)(blockmap_word(blockmap, 0) << shift);
    const int32_t y = (int32_t)(blockmap_word(blockmap, 1) << shift);
    const uint32_t columns = blockmap_word(blockmap, 2);
    const uint32_t rows = blockmap_word(blockmap, 3);
    const uint64_t blocks = (uint64_t)columns * rows;
    blockmap->origin_x = x;
    blockmap->origin_y = y;
    blockmap->grid =
        (struct grid){x / BLOCKMAP_UNIT, y / BLOCKMAP_UNIT, columns, rows};
    blockmap->has_grid =
        x % BLOCKMAP_UNIT == 0 && y % BLOCKMAP_UNIT == 0 && blocks > 0;
    blockmap->fault = BLOCKMAP_NO_TABLE;
    if (blocks > blockmap->word_count - LUMP_HEADER_WORDS)
        return;
    blockmap->fault = BLOCKMAP_SOUND;
    blockmap->block_count = (size_t)blocks;
    blockmap->lists_begin = LUMP_HEADER_WORDS + (size_t)blocks;
}

// Finds where lists begin and end, how long they are together, and what they
// begin with.  Lengths are the most that any reading gives: if the first word
// of a list is skipped, and is its end, the next list follows; and an offset
// that is all ones may stand for -1.
static void blockmap_find_lists(struct blockmap *blockmap)
{
    const size_t count = blockmap->word_count;
    bool zero = false, other = false;
    blockmap->ends[count] = (uint32_t)count;
    for (size_t w = count; w-- > 0;)
        blockmap->ends[w] = blockmap_word(blockmap, w) == blockmap->terminator
                                ? (uint32_t)w
                                : blockmap->ends[w + 1];
    for (size_t b = blockmap->block_count; b-- > 0;) {
        const size_t offset = blockmap_list(blockmap, b).offset;
        if (offset == blockmap->terminator)
            blockmap->linedef_count += blockmap->ends[0];
        if (offset >= count)
            continue;
        const bool is_zero = blockmap_word(blockmap, offset) == 0;
        blockmap->linedef_count +=
            blockmap->ends[offset + 1] - offset - is_zero;
        blockmap->next_block[b] = blockmap->first_block[offset];
        blockmap->first_block[offset] = (uint32_t)b + 1;
        zero |= is_zero && offset >= blockmap->lists_begin;
        other |= !is_zero && offset >= blockmap->lists_begin;
    }
    blockmap->headers = !zero   ? HEADER_NONE
                        : other ? HEADER_MIXED
                                : HEADER_ZERO;
}

nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, struct blockmap *blockmap)
{
    enum { FOR_BYTE = 16, FOR_BLOCK = 64, FOR_LINEDEF = 64 }; // bytes
    enum { STEPS_FOR_LINEDEF = 8 }; // in a list, which is read a few times
    blockmap_open(bytes, size, blockmap);
    const struct context_array arrays[] = {
        {&blockmap->ends, blockmap->word_count + 1, sizeof(uint32_t)},
        {&blockmap->first_block, blockmap->word_count, sizeof(uint32_t)},
        {&blockmap->next_block, blockmap->block_count, sizeof(uint32_t)},
        {&blockmap->linedefs, line_count, sizeof(uint32_t)},
        {&blockmap->places, line_count, sizeof(uint32_t)},
    };
    const uint64_t most = context_most(context, 1),
                   known = FOR_BYTE * (uint64_t)size +
                           FOR_BLOCK * (uint64_t)blockmap->block_count;
    const uint64_t for_lists = known < most ? most - known : 0;
    nbstage_status status = NBSTAGE_OK;
    blockmap->most_memory = most;
    blockmap->line_count = line_count;
    if (blockmap->lists_begin == 0)
        return NBSTAGE_OK;
    if (for_lists > 0)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK && for_lists > 0)
        blockmap_find_lists(blockmap);
    if (blockmap->linedef_count > for_lists / FOR_LINEDEF || for_lists == 0) {
        blockmap->fault = BLOCKMAP_TOO_MUCH_MEMORY;
        blockmap->block_count = blockmap->lists_begin = 0;
    } else {
        context->work += STEPS_FOR_LINEDEF * blockmap->linedef_count;
    }
    return status;
}

void blockmap_free(struct context *context, struct blockmap *blockmap)
{
    context_release(context, blockmap->ends);
    *blockmap = (struct blockmap){0};
}

// ---------------------------------------------------------------------------
// Lists

const char *const list_fault_texts[] = {
    [LIST_READABLE] = NULL,
    [LIST_IN_TABLE] = "its offset is in the table of offsets",
    [LIST_OUTSIDE] = "its offset is past the end of the lump",
    [LIST_ENDLESS] = "its list has no end",
};

struct blockmap_list blockmap_list(const struct blockmap *blockmap,
                                   size_t block)
{
    const bool skips_word =
        blockmap->headers == HEADER_ZERO || blockmap->headers == HEADER_ANY;
    const uint32_t offset = blockmap_word(blockmap, LUMP_HEADER_WORDS + block);
    const size_t begin = (size_t)offset + skips_word;
    struct blockmap_list list = {LIST_READABLE, offset, begin, begin};
    if (offset >= blockmap->word_count)
        list.fault = LIST_OUTSIDE;
    else if (offset < blockmap->lists_begin)
        list.fault = LIST_IN_TABLE;
    else if (blockmap->ends[begin] == blockmap->word_count)
        list.fault = LIST_ENDLESS;
    else
        list.end = blockmap->ends[begin];
    return list;
}

struct linedef_set blockmap_read_list(const struct blockmap *blockmap,
                                      size_t begin)
{
    const bool may_have_header =
        blockmap->headers == HEADER_ZERO || blockmap->headers == HEADER_MIXED;
    struct linedef_set set = {.linedefs = blockmap->linedefs,
                              .places = blockmap->places};
    for (size_t w = begin; w < blockmap->ends[begin]; w++) {
        const uint32_t word = blockmap_word(blockmap, w);
        if (word == 0 && may_have_header && blockmap->first_block[w] != 0) {
            set.headers++;
        } else if (word >= blockmap->line_count) {
            set.too_large++;
        } else if (!linedef_set_has(&set, word)) {
            set.places[word] = (uint32_t)set.count;
            set.linedefs[set.count++] = word;
        }
    }
    return set;
}

bool linedef_set_remove(struct linedef_set *set, uint32_t linedef)
{
    if (!linedef_set_has(set, linedef))
        return false;
    const uint32_t last = set->linedefs[--set->count];
    set->linedefs[set->places[linedef]] = last;
    set->places[last] = set->places[linedef];
    return true;
}

// ---------------------------------------------------------------------------
// Flaws

static bool blockmap_find_list_flaw(const struct blockmap *blockmap,
                                    char text[BLOCKMAP_TEXT_SIZE])
{
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list list = blockmap_list(blockmap, b);
        const unsigned long offset = list.offset;
        size_t w = list.begin;
        while (w < list.end &&
               blockmap_word(blockmap, w) < blockmap->line_count)
            w++;
        if (list.fault != LIST_READABLE)
            snprintf(text, BLOCKMAP_TEXT_SIZE,
                     "block %zu with offset %lu: %s; lists were expected in "
                     "words %zu to %zu",
                     b, offset, list_fault_texts[list.fault],
                     blockmap->lists_begin, blockmap->word_count - 1);
        else if (w < list.end)
            snprintf(text, BLOCKMAP_TEXT_SIZE,
                     "the list of block %zu at offset %lu has linedef %lu as "
                     "word %zu; the map has %zu linedefs",
                     b, offset, (unsigned long)blockmap_word(blockmap, w), w,
                     blockmap->line_count);
        else
            continue;
        return true;
    }
    return false;
}

bool blockmap_find_flaw(const struct blockmap *blockmap,
                        char text[BLOCKMAP_TEXT_SIZE])
{
    const unsigned long columns = blockmap->grid.columns;
    const unsigned long rows = blockmap->grid.rows;
    const size_t most_blocks = (size_t)1 << ENTRY_BLOCK_BITS;
    if (blockmap->fault == BLOCKMAP_NO_GRID)
        snprintf(text, BLOCKMAP_TEXT_SIZE, "%zu bytes hold no grid",
                 blockmap->bytes);
    else if (blockmap->fault == BLOCKMAP_NO_TABLE)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "%zu words are too few for the offsets of %lu x %lu blocks",
                 blockmap->word_count, columns, rows);
    else if (blockmap->fault == BLOCKMAP_TOO_MUCH_MEMORY)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "its %zu bytes and the lists of its %lu x %lu blocks may take "
                 "more than the %llu MiB of memory that max-memory allows for",
                 blockmap->bytes, columns, rows,
                 (unsigned long long)blockmap->most_memory >> 20);
    else if (blockmap->form == LUMP_EMPTY)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "the map has no blockmap, or an empty one; one to take the "
                 "lists from was expected");
    else if (!blockmap->has_grid || blockmap->odd_bytes > 0 ||
             blockmap->block_count > most_blocks)
        snprintf(text, BLOCKMAP_TEXT_SIZE,
                 "a grid of %lu x %lu blocks in %zu bytes; 1 to %zu blocks in "
                 "whole words, and an origin in whole map units were expected",
                 columns, rows, blockmap->bytes, most_blocks);
    else
        return blockmap_find_list_flaw(blockmap, text);
    return true;
}

// ---------------------------------------------------------------------------
// Entries

// Says which block shows that lists have no header, if one does.
static void blockmap_tell_headers(struct context *context,
                                  const struct blockmap *blockmap)
{
    size_t bare = 0;
    if (blockmap->headers == HEADER_ZERO)
        return;
    while (blockmap_word(blockmap, blockmap_list(blockmap, bare).offset) == 0)
        bare++;
    context_log(context, NBSTAGE_LOG_INFO, "BLOCKMAP",
                "the list of block %zu at offset %lu does not begin with a 0, "
                "so the first word of every list is a linedef",
                bare, (unsigned long)blockmap_list(blockmap, bare).offset);
}

nbstage_status blockmap_read_entries(struct context *context,
                                     const unsigned char *bytes, size_t size,
                                     size_t line_count, struct grid *grid,
                                     struct entries *entries)
{
    struct blockmap blockmap;
    char text[BLOCKMAP_TEXT_SIZE];
    size_t *next = NULL; // for entries_place
    *entries = (struct entries){0};
    nbstage_status status =
        blockmap_read(context, bytes, size, line_count, &blockmap);
    *grid = blockmap.grid;
    if (status == NBSTAGE_OK && blockmap_find_flaw(&blockmap, text))
        status = context_fail(context,
                              blockmap.fault == BLOCKMAP_TOO_MUCH_MEMORY
                                  ? NBSTAGE_OVER_LIMIT
                                  : NBSTAGE_BAD_MAP,
                              "BLOCKMAP", "%s", text);
    if (status == NBSTAGE_OK)
        status = grid_check_limit(context, "BLOCKMAP", grid);
    if (status == NBSTAGE_OK) {
        blockmap_tell_headers(context, &blockmap);
        status = context_progress(context, 1, 2);
    }
    if (status == NBSTAGE_OK)
        status =
            context_allocate_zeroed(context, line_count, sizeof *next, &next);
    // Engines take a 0 inside a list, where another one begins, for linedef 0.
    const size_t skipped = blockmap.headers == HEADER_ZERO;
    blockmap.headers = HEADER_NONE;
    for (size_t b = 0; b < blockmap.block_count && status == NBSTAGE_OK; b++) {
        const struct linedef_set set = blockmap_read_list(
            &blockmap, blockmap_list(&blockmap, b).begin + skipped);
        for (size_t i = 0; i < set.count; i++)
            next[set.linedefs[i]]++;
        entries->count += set.count;
    }
    if (status == NBSTAGE_OK)
        status = entries_check_limit(context, entries->count, line_count);
    if (status == NBSTAGE_OK)
        status = entries_place(context, next, line_count, entries);
    for (size_t b = 0; b < blockmap.block_count && status == NBSTAGE_OK; b++) {
        const struct linedef_set set = blockmap_read_list(
            &blockmap, blockmap_list(&blockmap, b).begin + skipped);
        for (size_t i = 0; i < set.count; i++)
            entries_add(entries, next, (uint32_t)b, set.linedefs[i]);
    }
    context_release(context, next);
    blockmap_free(context, &blockmap);
    return status;
}
