// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists that overlap end at the same terminator, so the words before it are
// linedefs from where the first of these lists begins.  The time does not
// depend on how many there are.

#include "config.h"

#include "blockmap/statistics.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lengths

// Keeps the fullest blocks in order.  Blocks come in ascending order.
static void keep_fullest(struct statistics *statistics, size_t block)
{
    size_t length = statistics->lengths[block];
    size_t at = statistics->fullest_count;
    while (at > 0 && statistics->lengths[statistics->fullest[at - 1]] < length)
        at--;
    if (length == 0 || at == MOST_FULLEST)
        return;
    if (statistics->fullest_count < MOST_FULLEST)
        statistics->fullest_count++;
    memmove(&statistics->fullest[at + 1], &statistics->fullest[at],
            (statistics->fullest_count - 1 - at) * sizeof *statistics->fullest);
    statistics->fullest[at] = block;
}

static void count_lengths(const struct blockmap *blockmap,
                          struct statistics *statistics)
{
    statistics->lengths = memory_get(blockmap->block_count, sizeof(size_t));
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault == LIST_READABLE)
            statistics->lengths[b] = list->distinct;
        keep_fullest(statistics, b);
        statistics->listed += statistics->lengths[b];
    }
    if (statistics->fullest_count > 0)
        statistics->longest = statistics->lengths[statistics->fullest[0]];
    statistics->blocks_of_length =
        memory_get(statistics->longest + 1, sizeof(size_t));
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE)
            statistics->blocks_of_length[statistics->lengths[b]]++;
}

// ---------------------------------------------------------------------------
// Sharing

static int compare_placed(const void *a, const void *b)
{
    const struct placed_block *left = a;
    const struct placed_block *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return (left->block > right->block) - (left->block < right->block);
}

// The first in the order of offsets with at least this one.
static size_t find_offset(const struct statistics *statistics, uint64_t offset)
{
    size_t low = 0;
    size_t high = statistics->placed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (statistics->placed[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many blocks from the first one with its offset have that offset.
static size_t count_equal(const struct statistics *statistics, size_t first)
{
    uint64_t offset = statistics->placed[first].offset;
    return find_offset(statistics, offset + 1) - first;
}

static void count_shared(const struct blockmap *blockmap,
                         struct statistics *statistics)
{
    statistics->placed =
        memory_get(blockmap->block_count, sizeof *statistics->placed);
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE)
            statistics->placed[statistics->placed_count++] =
                (struct placed_block){blockmap->lists[b].offset, b};
    if (statistics->placed_count > 0)
        qsort(statistics->placed, statistics->placed_count,
              sizeof *statistics->placed, compare_placed);
    for (size_t i = 0; i < statistics->placed_count;) {
        size_t count = count_equal(statistics, i);
        if (count > 1) {
            statistics->shared_lists++;
            statistics->shared_blocks += count;
        }
        i += count;
    }
}

size_t statistics_find_sharers(const struct statistics *statistics,
                               const struct blockmap *blockmap, size_t block,
                               const struct placed_block **first)
{
    const struct blockmap_list *list = &blockmap->lists[block];
    *first = NULL;
    if (list->fault != LIST_READABLE)
        return 0;
    size_t index = find_offset(statistics, list->offset);
    *first = &statistics->placed[index];
    return count_equal(statistics, index);
}

// ---------------------------------------------------------------------------
// Bytes

// For each word that ends lists, where the first of them begins; for any other
// word the word itself.
static size_t *find_begins(const struct blockmap *blockmap)
{
    size_t *begins = memory_get(blockmap->words.count, sizeof *begins);
    for (size_t w = 0; w < blockmap->words.count; w++)
        begins[w] = w;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault == LIST_READABLE && list->begin < begins[list->end])
            begins[list->end] = list->begin;
    }
    return begins;
}

// The word before a list can be its header and a linedef of another one, unless
// all headers are 0.
static void mark_parts(const struct blockmap *blockmap, const size_t *begins,
                       unsigned char *parts)
{
    size_t table = BLOCKMAP_GRID_WORDS + blockmap->block_count;
    memset(parts, PART_GRID, BLOCKMAP_GRID_WORDS);
    memset(parts + BLOCKMAP_GRID_WORDS, PART_TABLE, blockmap->block_count);
    for (size_t w = table; w < blockmap->words.count; w++)
        memset(parts + begins[w], PART_LINEDEF, w - begins[w]);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault != LIST_READABLE)
            continue;
        parts[list->end] = PART_TERMINATOR;
        if (list->begin > list->offset &&
            (parts[list->offset] != PART_LINEDEF ||
             blockmap->headers == HEADERS_ZERO))
            parts[list->offset] = PART_HEADER;
    }
}

// All other words and the odd bytes are unreached.
static void count_bytes(const struct blockmap *blockmap,
                        struct statistics *statistics)
{
    size_t word_bytes = blockmap->words.are_wide ? 4 : 2;
    size_t known = 0;
    if (blockmap->form == BLOCKMAP_XBM1)
        statistics->bytes[PART_GRID] = BLOCKMAP_XBM1_NAME_SIZE;
    for (size_t w = 0; w < blockmap->words.count; w++)
        statistics->bytes[statistics->parts[w]] += word_bytes;
    for (size_t p = PART_UNREACHED + 1; p < PART_COUNT; p++)
        known += statistics->bytes[p];
    statistics->bytes[PART_UNREACHED] = blockmap->bytes - known;
}

static void find_parts(const struct blockmap *blockmap,
                       struct statistics *statistics)
{
    size_t *begins = find_begins(blockmap);
    statistics->parts = memory_get(blockmap->words.count, 1);
    mark_parts(blockmap, begins, statistics->parts);
    count_bytes(blockmap, statistics);
    free(begins);
}

// ---------------------------------------------------------------------------
// Roles

// The role of a word depends only on the words after it, not on where its list
// begins.
static void find_roles(const struct blockmap *blockmap, size_t line_count,
                       struct statistics *statistics)
{
    // For each linedef the last terminator after it, and 1.
    size_t *met = memory_get(line_count, sizeof *met);
    size_t terminator = 0;
    statistics->roles = memory_get(blockmap->words.count, 1);
    for (size_t w = blockmap->words.count; w-- > 0;) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (statistics->parts[w] == PART_TERMINATOR)
            terminator = w + 1;
        if (statistics->parts[w] == PART_HEADER) {
            statistics->roles[w] = ROLE_HEADER;
        } else if (statistics->parts[w] != PART_LINEDEF) {
            continue;
        } else if (linedef >= line_count) {
            statistics->roles[w] = ROLE_TOO_LARGE;
        } else {
            statistics->roles[w] =
                met[linedef] == terminator ? ROLE_REPEATED : ROLE_LINEDEF;
            met[linedef] = terminator;
        }
    }
    free(met);
}

enum word_role statistics_role_at(const struct statistics *statistics,
                                  size_t word)
{
    return (enum word_role)statistics->roles[word];
}

// ---------------------------------------------------------------------------

void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics)
{
    *statistics = (struct statistics){0};
    count_lengths(blockmap, statistics);
    count_shared(blockmap, statistics);
    find_parts(blockmap, statistics);
    find_roles(blockmap, line_count, statistics);
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->lengths);
    free(statistics->blocks_of_length);
    free(statistics->placed);
    free(statistics->parts);
    free(statistics->roles);
    *statistics = (struct statistics){0};
}
