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
#include <stdlib.h>
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
// The lists that begin at words

struct blockmap_reader {
    const struct blockmap *blockmap;
    struct list_view view; // of the list that begins here
    uint32_t next;         // the word after this one
    size_t skipped;        // words before the linedefs of a list: 0 or 1
    size_t unvisited;      // of blockmap->by_offset, how many come from here on
};

// Whether a word is the header of a list: a 0 that a block's offset leads to,
// where such a 0 may be one.
static bool blockmap_is_header(const struct blockmap *blockmap, size_t index,
                               uint32_t word)
{
    return word == 0 &&
           (blockmap->headers == HEADER_ZERO ||
            blockmap->headers == HEADER_MIXED) &&
           blockmap_is_offset(blockmap, index);
}

static void blockmap_begin_run(struct list_view *view, size_t end, bool has_end)
{
    const struct list_view before = *view;
    *view = (struct list_view){.end = end,
                               .has_end = has_end,
                               .is_ascending = true,
                               .linedefs = before.linedefs,
                               .run_seen = before.run_seen,
                               .line_count = before.line_count,
                               .run = before.run + 1};
}

// Mixes a word into a digest, in one step of a multiplicative hash.
static uint64_t blockmap_mix(uint64_t digest, uint32_t word)
{
    digest = (digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
    return digest ^ digest >> 32;
}

// Puts a word before the list.
static void blockmap_extend(struct blockmap_reader *reader, size_t index,
                            uint32_t word)
{
    const struct blockmap *blockmap = reader->blockmap;
    struct list_view *view = &reader->view;
    if (index + 1 < view->end && word > reader->next)
        view->is_ascending = false;
    view->digest = blockmap_mix(view->digest, word);
    reader->next = word;
    if (blockmap_is_header(blockmap, index, word)) {
        view->has_header = true;
    } else if (word >= view->line_count) {
        view->too_large++;
    } else if (blockmap->run_seen[word] == view->run) {
        view->repeats++;
    } else {
        blockmap->run_seen[word] = view->run;
        blockmap->linedefs[view->distinct++] = word;
    }
}

// Whether the list of the last block that was not visited begins at a word.
static bool blockmap_begins(const struct blockmap_reader *reader, size_t index)
{
    const struct blockmap *blockmap = reader->blockmap;
    return reader->unvisited > blockmap->in_table_count &&
           blockmap->lists[blockmap->by_offset[reader->unvisited - 1]].offset +
                   reader->skipped ==
               index;
}

void blockmap_read_lists(const struct blockmap *blockmap, size_t line_count,
                         list_visit *visit, void *user)
{
    if (blockmap->by_offset_count == 0)
        return;
    const struct words *words = &blockmap->words;
    const uint32_t end = words_end(words);
    struct blockmap_reader reader = {
        .blockmap = blockmap,
        .view = {.linedefs = blockmap->linedefs,
                 .run_seen = blockmap->run_seen,
                 .line_count = line_count},
        .skipped =
            blockmap->headers == HEADER_ZERO || blockmap->headers == HEADER_ANY,
        .unvisited = blockmap->by_offset_count,
    };
    if (line_count > 0)
        memset(blockmap->run_seen, 0, line_count * sizeof(uint32_t));
    blockmap_begin_run(&reader.view, words->count, false);
    // No list follows a header in the last word.
    while (blockmap_begins(&reader, words->count))
        reader.unvisited--;
    for (size_t w = words->count;
         w > 0 && reader.unvisited > blockmap->in_table_count;) {
        uint32_t word = words_get(words, --w);
        if (word == end)
            blockmap_begin_run(&reader.view, w, true);
        else
            blockmap_extend(&reader, w, word);
        while (blockmap_begins(&reader, w))
            visit(user, blockmap->by_offset[--reader.unvisited], &reader.view);
    }
}

// ---------------------------------------------------------------------------
// The grid

// An origin in 16.16.
static int32_t blockmap_read_origin(const struct words *words, size_t index)
{
    uint32_t bits = words_get(words, index);
    return (int32_t)(words->are_wide ? bits : bits << 16);
}

static enum blockmap_fault blockmap_read_grid(struct blockmap *blockmap)
{
    const struct words *words = &blockmap->words;
    if (words->count < LUMP_HEADER_WORDS)
        return BLOCKMAP_NO_GRID;
    blockmap->origin_x = blockmap_read_origin(words, 0);
    blockmap->origin_y = blockmap_read_origin(words, 1);
    blockmap->columns = words_get(words, 2);
    blockmap->rows = words_get(words, 3);
    uint64_t blocks = (uint64_t)blockmap->columns * blockmap->rows;
    if (blocks > words->count - LUMP_HEADER_WORDS)
        return BLOCKMAP_NO_TABLE;
    blockmap->block_count = (size_t)blocks;
    return BLOCKMAP_SOUND;
}

bool blockmap_has_table(const struct blockmap *blockmap)
{
    return blockmap->form != LUMP_EMPTY && blockmap->fault == BLOCKMAP_SOUND;
}

bool blockmap_has_unreadable(const struct blockmap *blockmap)
{
    return blockmap->fault != BLOCKMAP_SOUND ||
           blockmap->unreadable_count > 0 || blockmap->too_large_count > 0;
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
    blockmap->odd_bytes = size % word_size;
    blockmap->words =
        (struct words){bytes + prefix, (size - prefix) / word_size, is_wide};
    blockmap->fault = blockmap_read_grid(blockmap);
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

// ---------------------------------------------------------------------------
// Offsets

// Reads where the list of each block begins, and what all of them begin with.
static enum list_header blockmap_read_offsets(struct blockmap *blockmap)
{
    const struct words *words = &blockmap->words;
    const size_t lists_begin = LUMP_HEADER_WORDS + blockmap->block_count;
    bool zero = false;
    bool other = false;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->offset = words_get(words, LUMP_HEADER_WORDS + b);
        list->fault = list->offset >= words->count ? LIST_OUTSIDE
                      : list->offset < lists_begin ? LIST_IN_TABLE
                                                   : LIST_READABLE;
        if (list->fault != LIST_READABLE)
            continue;
        list->has_zero = words_get(words, list->offset) == 0;
        *(list->has_zero ? &zero : &other) = true;
    }
    if (!zero)
        return HEADER_NONE;
    return other ? HEADER_MIXED : HEADER_ZERO;
}

// Sorts the blocks by their offsets, by counting them at each word.
static void blockmap_sort(struct blockmap *blockmap)
{
    uint32_t *ends = blockmap->offset_ends;
    uint32_t sum = 0;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        blockmap->in_table_count += list->fault == LIST_IN_TABLE;
        if (list->fault != LIST_OUTSIDE)
            ends[list->offset]++;
    }
    for (size_t w = 0; w < blockmap->words.count; w++) {
        const uint32_t count = ends[w];
        ends[w] = sum;
        sum += count;
    }
    blockmap->by_offset_count = sum;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault != LIST_OUTSIDE)
            blockmap->by_offset[ends[blockmap->lists[b].offset]++] =
                (uint32_t)b;
}

// Sets where the linedefs of each block begin.  No list follows a header in the
// last word.
static void blockmap_place_lists(struct blockmap *blockmap)
{
    uint32_t headers =
        blockmap->headers == HEADER_ZERO || blockmap->headers == HEADER_ANY;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->begin = list->end = list->offset + headers;
        if (list->fault == LIST_READABLE &&
            list->begin >= blockmap->words.count)
            list->fault = LIST_ENDLESS;
    }
}

// ---------------------------------------------------------------------------
// Lists

static void blockmap_read_list(void *user, size_t block,
                               const struct list_view *view)
{
    struct blockmap *blockmap = user;
    struct blockmap_list *list = &blockmap->lists[block];
    list->fault = view->has_end ? LIST_READABLE : LIST_ENDLESS;
    list->end = view->has_end ? (uint32_t)view->end : list->begin;
    list->distinct = view->has_end ? (uint32_t)view->distinct : 0;
    list->repeats = (uint32_t)view->repeats;
    list->too_large = (uint32_t)view->too_large;
    list->is_ascending = view->is_ascending;
    list->digest = view->digest;
}

static int blockmap_compare_digests(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// Counts the lists that are stored, in their order.  Lists with the same
// terminator are nested; lists with the same digest count as equal.
static void blockmap_count(struct blockmap *blockmap, uint64_t *digests)
{
    const size_t word_count = blockmap->words.count;
    size_t reached = LUMP_HEADER_WORDS + blockmap->block_count;
    size_t last_begin = 0, last_end = 0;
    blockmap->unreached_words = word_count - reached;
    for (size_t i = blockmap->in_table_count; i < blockmap->by_offset_count;
         i = blockmap->offset_ends[blockmap->largest_offset]) {
        const struct blockmap_list *list =
            &blockmap->lists[blockmap->by_offset[i]];
        const bool has_end = list->fault == LIST_READABLE;
        const size_t end = has_end ? list->end : word_count;
        const size_t begin = list->offset > reached ? list->offset : reached;
        if (list->begin >= word_count)
            break; // a header in the last word
        blockmap->largest_offset = list->offset;
        blockmap->nested_count += last_end == end && last_begin < end;
        blockmap->unsorted_count += !list->is_ascending;
        blockmap->repeating_count += list->repeats > 0;
        blockmap->too_large_count += list->too_large > 0;
        digests[blockmap->list_count++] = list->digest;
        last_begin = list->begin;
        last_end = end;
        if (end + has_end > begin) {
            blockmap->unreached_words -= end + has_end - begin;
            reached = end + has_end;
        }
    }
    if (blockmap->list_count > 0)
        qsort(digests, blockmap->list_count, sizeof *digests,
              blockmap_compare_digests);
    for (size_t i = 1; i < blockmap->list_count; i++)
        blockmap->duplicate_count += digests[i - 1] == digests[i];
    for (size_t b = 0; b < blockmap->block_count; b++)
        blockmap->unreadable_count += blockmap->lists[b].fault != LIST_READABLE;
}

nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, uint64_t memory,
                             enum list_header headers,
                             struct blockmap *blockmap)
{
    blockmap_open(bytes, size, blockmap);
    if (blockmap->fault == BLOCKMAP_SOUND)
        blockmap_apply_limit(memory, blockmap);
    if (!blockmap_has_table(blockmap))
        return NBSTAGE_OK;
    const size_t blocks = blockmap->block_count;
    uint64_t *digests;
    const struct context_array arrays[] = {
        {&blockmap->lists, blocks, sizeof *blockmap->lists},
        {&blockmap->by_offset, blocks, sizeof *blockmap->by_offset},
        {&blockmap->offset_ends, blockmap->words.count, sizeof(uint32_t)},
        {&blockmap->linedefs, line_count, sizeof *blockmap->linedefs},
        {&blockmap->run_seen, line_count, sizeof *blockmap->run_seen},
        {&digests, blocks, sizeof *digests},
    };
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    blockmap->headers = blockmap_read_offsets(blockmap);
    if (headers != HEADER_UNKNOWN)
        blockmap->headers = headers;
    blockmap_sort(blockmap);
    blockmap_place_lists(blockmap);
    blockmap_read_lists(blockmap, line_count, blockmap_read_list, blockmap);
    blockmap_count(blockmap, digests);
    return NBSTAGE_OK;
}

void blockmap_free(struct context *context, struct blockmap *blockmap)
{
    context_release(context, blockmap->lists);
    *blockmap = (struct blockmap){0};
}
