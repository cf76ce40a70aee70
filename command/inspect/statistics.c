// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are read in the order in which they are stored.  Those that overlap end
// at the same terminator: the later ones are nested in the first.

#include "config.h"

#include "inspect/inspect.h"

#include "lump/blockmap.h"
#include "lump/lump.h"
#include "inspect/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lists

// Returns a digest of the words of a list.
static uint64_t statistics_look(const struct blockmap *blockmap, size_t begin,
                                bool *ascends)
{
    uint64_t digest = 0;
    uint32_t last = 0;
    *ascends = true;
    for (size_t w = begin; w < blockmap->ends[begin]; w++) {
        const uint32_t word = blockmap_word(blockmap, w);
        // One step of a multiplicative hash.
        digest = (digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
        digest ^= digest >> 32;
        *ascends = *ascends && last <= word;
        last = word;
    }
    return digest;
}

// Counts the blocks of a list that can be read, from the first offset on.
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

// Marks the words of a list.  The word before a list can be its header and a
// linedef of another one, unless all headers are 0.
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

static int statistics_compare_digests(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// Reads each list once.  Lists with the same digest count as equal.
static void statistics_read_lists(const struct blockmap *blockmap,
                                  struct statistics *statistics)
{
    uint64_t *digests = memory_get(blockmap->block_count + 1, sizeof *digests);
    size_t reached = blockmap->lists_begin; // the word after the last list
    statistics->unreached_words = blockmap->word_count - reached;
    for (size_t w = reached; w < blockmap->word_count; w++) {
        const uint32_t at = blockmap->offset_at[w];
        if (at == 0)
            continue;
        const struct blockmap_list list =
            blockmap_list(blockmap, at - LUMP_HEADER_WORDS);
        if (list.begin == blockmap->word_count)
            break; // there is nothing behind its header
        const struct linedef_set set = blockmap_read_list(blockmap, list.begin);
        const bool is_whole = !list.fault;
        const size_t end = blockmap->ends[list.begin] + is_whole;
        bool ascends;
        digests[statistics->stored++] =
            statistics_look(blockmap, list.begin, &ascends);
        statistics->largest_offset = (uint32_t)w;
        statistics->too_large += set.too_large > 0;
        statistics->repeating += blockmap->ends[list.begin] - list.begin >
                                 set.count + set.headers + set.too_large;
        statistics->unsorted += !ascends;
        statistics->nested += end == reached;
        statistics->unreached_words -= end - (w > reached ? w : reached);
        reached = end;
        if (!is_whole)
            continue;
        statistics_mark(blockmap, &list, statistics->parts);
        statistics_count_sharers(blockmap, at, set.count, statistics);
    }
    qsort(digests, statistics->stored, sizeof *digests,
          statistics_compare_digests);
    for (size_t i = 1; i < statistics->stored; i++)
        statistics->duplicate += digests[i - 1] == digests[i];
    free(digests);
}

// ---------------------------------------------------------------------------
// Blocks and words

// Keeps the fullest blocks in order.  Blocks come in ascending order.
static void statistics_keep_fullest(size_t block, struct statistics *statistics)
{
    const uint32_t *lengths = statistics->lengths;
    size_t *fullest = statistics->fullest;
    size_t at = statistics->fullest_count;
    while (at > 0 && lengths[fullest[at - 1]] < lengths[block])
        at--;
    if (lengths[block] == 0 || at == MOST_FULLEST)
        return;
    if (statistics->fullest_count < MOST_FULLEST)
        statistics->fullest_count++;
    memmove(&fullest[at + 1], &fullest[at],
            (statistics->fullest_count - 1 - at) * sizeof *fullest);
    fullest[at] = block;
}

// All words of no part and the odd bytes are unreached.
static void statistics_count_words(const struct blockmap *blockmap,
                                   size_t line_count,
                                   struct statistics *statistics)
{
    size_t known = 0;
    statistics->bytes[PART_GRID] = (size_t)lump_size(blockmap->form, 0);
    for (size_t w = 0; w < blockmap->word_count; w++) {
        const uint32_t linedef = blockmap_word(blockmap, w);
        const unsigned char part = statistics->parts[w];
        statistics->bytes[part] += lump_word_size(blockmap->form);
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
    *statistics = (struct statistics){0};
    if (blockmap->lists_begin == 0)
        return;
    statistics->lengths =
        memory_get(blockmap->block_count, sizeof *statistics->lengths);
    statistics->parts = memory_get(blockmap->word_count, 1);
    statistics->is_listed =
        memory_get(line_count, sizeof *statistics->is_listed);
    memset(statistics->parts, PART_TABLE, blockmap->lists_begin);
    memset(statistics->parts, PART_GRID, LUMP_HEADER_WORDS);
    statistics_read_lists(blockmap, statistics);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        statistics->unreadable += blockmap_list(blockmap, b).fault != NULL;
        statistics_keep_fullest(b, statistics);
    }
    if (statistics->fullest_count > 0)
        statistics->longest = statistics->lengths[statistics->fullest[0]];
    statistics_count_words(blockmap, line_count, statistics);
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->lengths);
    free(statistics->parts);
    free(statistics->is_listed);
    *statistics = (struct statistics){0};
}
