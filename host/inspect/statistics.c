// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists that overlap end at the same terminator, so the words before it are
// linedefs from where the first of these lists begins.

#include "config.h"

#include "inspect/inspect.h"

#include "lump/blockmap.h"
#include "lump/lump.h"
#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Blocks

// Keeps the fullest blocks in order.  Blocks come in ascending order.
static void statistics_keep_fullest(const struct blockmap *blockmap,
                                    size_t block, struct statistics *statistics)
{
    const struct blockmap_list *lists = blockmap->lists;
    size_t *fullest = statistics->fullest;
    size_t at = statistics->fullest_count;
    while (at > 0 && lists[fullest[at - 1]].distinct < lists[block].distinct)
        at--;
    if (lists[block].distinct == 0 || at == MOST_FULLEST)
        return;
    if (statistics->fullest_count < MOST_FULLEST)
        statistics->fullest_count++;
    memmove(&fullest[at + 1], &fullest[at],
            (statistics->fullest_count - 1 - at) * sizeof *fullest);
    fullest[at] = block;
}

size_t statistics_count_sharers(const struct blockmap *blockmap, size_t block)
{
    const struct blockmap_list *lists = blockmap->lists;
    size_t count = 0;
    if (lists[block].fault != LIST_READABLE)
        return 0;
    for (uint32_t next = blockmap->first_block[lists[block].offset]; next > 0;
         next = lists[next - 1].next)
        count++;
    return count;
}

static void statistics_count_blocks(const struct blockmap *blockmap,
                                    struct statistics *statistics)
{
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        const bool is_first = list->fault == LIST_READABLE &&
                              blockmap->first_block[list->offset] == b + 1;
        statistics_keep_fullest(blockmap, b, statistics);
        statistics->listed += list->distinct;
        if (is_first && list->next > 0) {
            statistics->shared_lists++;
            statistics->shared_blocks += statistics_count_sharers(blockmap, b);
        }
    }
    if (statistics->fullest_count > 0)
        statistics->longest = blockmap->lists[statistics->fullest[0]].distinct;
}

// ---------------------------------------------------------------------------
// Lists

static int statistics_compare_digests(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// Lists with the same terminator are nested, and those with the same digest
// count as equal.
struct list_counts statistics_count_lists(const struct blockmap *blockmap)
{
    struct list_counts counts = {0};
    size_t list_count = 0;
    size_t last_end = SIZE_MAX, last_offset = blockmap->words.count;
    if (!blockmap_has_table(blockmap))
        return counts;
    uint64_t *digests = memory_get(blockmap->block_count + 1, sizeof *digests);
    counts.unreached_words =
        blockmap->words.count - LUMP_HEADER_WORDS - blockmap->block_count;
    struct list_view view = list_after_last(blockmap);
    while (list_next(&view)) {
        const size_t offset = blockmap->lists[view.block].offset;
        const size_t end = view.end + view.has_end;
        if (offset == last_offset)
            continue;
        digests[list_count++] = view.digest;
        counts.nested += last_end == view.end;
        counts.unsorted += !view.is_ascending;
        counts.repeating += view.repeats > 0;
        counts.unreached_words -=
            (end < last_offset ? end : last_offset) - offset;
        last_end = view.end;
        last_offset = offset;
    }
    qsort(digests, list_count, sizeof *digests, statistics_compare_digests);
    for (size_t i = 1; i < list_count; i++)
        counts.duplicate += digests[i - 1] == digests[i];
    free(digests);
    return counts;
}

// ---------------------------------------------------------------------------
// Words

// The word before a list can be its header and a linedef of another one, unless
// all headers are 0.
static void statistics_find_parts(const struct blockmap *blockmap,
                                  unsigned char *parts)
{
    size_t table = LUMP_HEADER_WORDS + blockmap->block_count;
    bool is_in_list = false;
    memset(parts, PART_GRID, LUMP_HEADER_WORDS);
    memset(parts + LUMP_HEADER_WORDS, PART_TABLE, blockmap->block_count);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault != LIST_READABLE)
            continue;
        parts[list->begin] = PART_LINEDEF;
        parts[list->end] = PART_TERMINATOR;
    }
    for (size_t w = table; w < blockmap->words.count; w++) {
        if (parts[w] != PART_UNREACHED)
            is_in_list = parts[w] == PART_LINEDEF;
        if (is_in_list)
            parts[w] = PART_LINEDEF;
    }
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        if (list->fault == LIST_READABLE && list->begin > list->offset &&
            (parts[list->offset] != PART_LINEDEF ||
             blockmap->headers == HEADER_ZERO))
            parts[list->offset] = PART_HEADER;
    }
}

// All other words and the odd bytes are unreached.
static void statistics_count_words(const struct blockmap *blockmap,
                                   size_t line_count,
                                   struct statistics *statistics)
{
    size_t word_bytes = blockmap->words.are_wide ? 4 : 2;
    size_t known = 0;
    if (blockmap->form == LUMP_XBM1)
        statistics->bytes[PART_GRID] = LUMP_XBM1_PREFIX_SIZE;
    for (size_t w = 0; w < blockmap->words.count; w++) {
        const uint32_t linedef = words_get(&blockmap->words, w);
        const unsigned char part = statistics->parts[w];
        statistics->bytes[part] += word_bytes;
        if (part == PART_LINEDEF && linedef < line_count)
            statistics->is_listed[linedef] = true;
    }
    for (size_t p = PART_UNREACHED + 1; p < PART_COUNT; p++)
        known += statistics->bytes[p];
    statistics->bytes[PART_UNREACHED] = blockmap->bytes - known;
}

void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics)
{
    *statistics = (struct statistics){
        .parts = memory_get(blockmap->words.count, 1),
        .is_listed = memory_get(line_count, sizeof *statistics->is_listed),
    };
    statistics_count_blocks(blockmap, statistics);
    statistics_find_parts(blockmap, statistics->parts);
    statistics_count_words(blockmap, line_count, statistics);
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->parts);
    free(statistics->is_listed);
    *statistics = (struct statistics){0};
}
