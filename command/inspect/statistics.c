// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are read in the order in which they are stored.  Lists that overlap end
// at the same terminator: the later ones are nested in the first.

#include "config.h"

#include "inspect/inspect.h"

#include "inspect/memory.h"
#include "lump/blockmap.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lists

// What is of note about the order of a list.
struct statistics_order {
    bool ascends;
    bool has_0;     // that is no header
    size_t headers; // 0s that are headers of lists nested in it
};

static struct statistics_order
statistics_find_order(const struct blockmap *blockmap, size_t begin)
{
    struct statistics_order order = {true, false, 0};
    uint32_t last = 0;
    for (size_t w = begin; w < blockmap->ends[begin]; w++) {
        const uint32_t word = blockmap_word(blockmap, w);
        if (word == 0 && blockmap->headers == HEADER_ZERO &&
            blockmap->offset_at[w] > 0) {
            order.headers++;
            last = 0;
            continue;
        }
        if (w > begin &&
            (blockmap->offset_at[w] > 0 || blockmap->offset_at[w - 1] > 0))
            last = 0; // a nested list begins
        order.ascends &= word >= last;
        order.has_0 |= word == 0;
        last = word;
    }
    return order;
}

// Counts the blocks that share a list, which must be readable.  `at` is the
// first word of the table with its offset.
static void statistics_count_sharers(const struct blockmap *blockmap,
                                     uint32_t at, size_t length,
                                     struct statistics *statistics)
{
    size_t count = 0;
    for (; at > 0; at = blockmap->offset_at[at], count++)
        statistics->lengths[at - LUMP_HEADER_WORDS] = (uint32_t)length;
    statistics->listed += count * length;
    statistics->shared_lists += count > 1;
    statistics->shared_blocks += count > 1 ? count : 0;
}

// Marks the words of a list.  The word before it can be its header and at the
// same time a linedef of another list, unless all headers are 0.
static void statistics_mark(const struct blockmap *blockmap,
                            const struct blockmap_list *list,
                            unsigned char *parts)
{
    memset(parts + list->begin, PART_LINEDEF, list->end - list->begin);
    parts[list->end] = PART_TERMINATOR;
    if (list->begin > list->offset && (parts[list->offset] != PART_LINEDEF ||
                                       blockmap->headers == HEADER_ZERO))
        parts[list->offset] = PART_HEADER;
}

// Reads each list once.
static void statistics_read_lists(const struct blockmap *blockmap,
                                  struct statistics *statistics)
{
    size_t reached = blockmap->lists_begin; // the word after the last list
    statistics->unreached_words = blockmap->word_count - reached;
    for (size_t w = reached; w < blockmap->word_count; w++) {
        const uint32_t at = blockmap->offset_at[w];
        if (at == 0)
            continue;
        const struct blockmap_list list =
            blockmap_list(blockmap, at - LUMP_HEADER_WORDS);
        if (list.begin == blockmap->word_count)
            break; // nothing follows its header
        const struct linedef_set set = blockmap_read_list(blockmap, list.begin);
        const struct statistics_order order =
            statistics_find_order(blockmap, list.begin);
        const bool is_whole = !list.fault;
        const size_t end = blockmap->ends[list.begin] + is_whole;
        statistics->stored++;
        statistics->largest_offset = (uint32_t)w;
        statistics->too_large += set.too_large > 0;
        statistics->repeating += blockmap->ends[list.begin] - list.begin >
                                 set.count + order.headers + set.too_large -
                                     (order.headers > 0 && !order.has_0);
        statistics->unsorted += !order.ascends;
        statistics->nested += end == reached;
        statistics->unreached_words -= end - (w > reached ? w : reached);
        reached = end;
        if (!is_whole)
            continue;
        statistics_mark(blockmap, &list, statistics->parts);
        statistics_count_sharers(blockmap, at, set.count, statistics);
    }
}

// ---------------------------------------------------------------------------
// All of a lump

static void statistics_mark_listed(const struct blockmap *blockmap,
                                   size_t line_count,
                                   struct statistics *statistics)
{
    for (size_t w = blockmap->lists_begin; w < blockmap->word_count; w++) {
        const uint32_t linedef = blockmap_word(blockmap, w);
        if (statistics->parts[w] == PART_LINEDEF && linedef < line_count)
            statistics->is_listed[linedef] = true;
    }
}

void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics)
{
    *statistics = (struct statistics){0};
    if (blockmap->lists_begin == 0)
        return;
    statistics->lengths =
        memory_get(blockmap->block_count, sizeof *statistics->lengths);
    statistics->parts = memory_get(blockmap->word_count, 1);
    statistics->is_listed =
        memory_get(line_count, sizeof *statistics->is_listed);
    statistics_read_lists(blockmap, statistics);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        statistics->unreadable += blockmap_list(blockmap, b).fault != NULL;
        if (statistics->lengths[b] > statistics->longest)
            statistics->longest = statistics->lengths[b];
    }
    statistics_mark_listed(blockmap, line_count, statistics);
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->lengths);
    free(statistics->parts);
    free(statistics->is_listed);
    *statistics = (struct statistics){0};
}
