// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lengths come from one walk over the lists.  Lists that overlap end at the
// same terminator, so the words before it are linedefs from where the first of
// these lists begins; the time does not depend on how many there are.

#include "config.h"

#include "blockmap/statistics.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lengths

struct counting {
    const struct blockmap *blockmap;
    struct census *census;
};

static void count_list(void *context, size_t block, const struct tail *tail)
{
    const struct counting *counting = context;
    if (counting->blockmap->lists[block].fault == LIST_READABLE)
        counting->census->lengths[block] = tail->distinct;
}

// Keeps the fullest blocks in order.  Blocks come in ascending order.
static void keep_fullest(struct census *census, size_t block)
{
    size_t length = census->lengths[block];
    size_t at = census->fullest_count;
    while (at > 0 && census->lengths[census->fullest[at - 1]] < length)
        at--;
    if (length == 0 || at == MOST_FULLEST)
        return;
    if (census->fullest_count < MOST_FULLEST)
        census->fullest_count++;
    memmove(&census->fullest[at + 1], &census->fullest[at],
            (census->fullest_count - 1 - at) * sizeof *census->fullest);
    census->fullest[at] = block;
}

static bool count_lengths(const struct blockmap *blockmap, size_t line_count,
                          struct census *census)
{
    struct counting counting = {blockmap, census};
    census->lengths = calloc(blockmap->block_count + 1, sizeof(size_t));
    if (!census->lengths ||
        !blockmap_walk(blockmap, line_count, count_list, &counting))
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        keep_fullest(census, b);
        census->listed += census->lengths[b];
    }
    if (census->fullest_count > 0)
        census->longest = census->lengths[census->fullest[0]];
    census->blocks_of_length = calloc(census->longest + 1, sizeof(size_t));
    if (!census->blocks_of_length)
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE)
            census->blocks_of_length[census->lengths[b]]++;
    return true;
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
static size_t find_offset(const struct census *census, uint64_t offset)
{
    size_t low = 0;
    size_t high = census->placed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (census->placed[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many blocks from the first one with its offset have that offset.
static size_t count_equal(const struct census *census, size_t first)
{
    uint64_t offset = census->placed[first].offset;
    return find_offset(census, offset + 1) - first;
}

static bool count_shared(const struct blockmap *blockmap, struct census *census)
{
    census->placed =
        malloc((blockmap->block_count + 1) * sizeof *census->placed);
    if (!census->placed)
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE)
            census->placed[census->placed_count++] =
                (struct placed_block){blockmap->lists[b].offset, b};
    if (census->placed_count > 0)
        qsort(census->placed, census->placed_count, sizeof *census->placed,
              compare_placed);
    for (size_t i = 0; i < census->placed_count;) {
        size_t count = count_equal(census, i);
        if (count > 1) {
            census->shared_lists++;
            census->shared_blocks += count;
        }
        i += count;
    }
    return true;
}

size_t census_find_sharers(const struct census *census,
                           const struct blockmap *blockmap, size_t block,
                           const struct placed_block **first)
{
    const struct blockmap_list *list = &blockmap->lists[block];
    *first = NULL;
    if (list->fault != LIST_READABLE)
        return 0;
    size_t index = find_offset(census, list->offset);
    *first = &census->placed[index];
    return count_equal(census, index);
}

// ---------------------------------------------------------------------------
// Bytes

// For each word that a list ends at, where the first of the lists that do
// begins; elsewhere the word itself.
static size_t *find_begins(const struct blockmap *blockmap)
{
    size_t *begins = malloc((blockmap->words.count + 1) * sizeof *begins);
    for (size_t w = 0; begins && w < blockmap->words.count; w++)
        begins[w] = w;
    for (size_t b = 0; begins && b < blockmap->block_count; b++) {
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

// Everything that is no word of a known kind is unreached: odd bytes, too.
static void count_bytes(const struct blockmap *blockmap, struct census *census)
{
    size_t word_bytes = blockmap->words.are_wide ? 4 : 2;
    size_t known = 0;
    if (blockmap->form == BLOCKMAP_XBM1)
        census->bytes[PART_GRID] = BLOCKMAP_XBM1_NAME_SIZE;
    for (size_t w = 0; w < blockmap->words.count; w++)
        census->bytes[census->parts[w]] += word_bytes;
    for (size_t p = PART_UNREACHED + 1; p < PART_COUNT; p++)
        known += census->bytes[p];
    census->bytes[PART_UNREACHED] = blockmap->bytes - known;
}

static bool tell_parts(const struct blockmap *blockmap, struct census *census)
{
    size_t *begins = find_begins(blockmap);
    census->parts = calloc(blockmap->words.count + 1, 1);
    bool told = begins && census->parts;
    if (told) {
        mark_parts(blockmap, begins, census->parts);
        count_bytes(blockmap, census);
    }
    free(begins);
    return told;
}

// ---------------------------------------------------------------------------
// Entries

// What a word is to a list does not depend on where that begins, as it is about
// the words behind it.
static bool tell_entries(const struct blockmap *blockmap, size_t line_count,
                         struct census *census)
{
    // For each linedef the last terminator before which it was met, and 1.
    size_t *met = calloc(line_count + 1, sizeof *met);
    size_t terminator = 0;
    census->entries = calloc(blockmap->words.count + 1, 1);
    bool told = met && census->entries;
    for (size_t w = blockmap->words.count; told && w-- > 0;) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (census->parts[w] == PART_TERMINATOR)
            terminator = w + 1;
        if (census->parts[w] == PART_HEADER) {
            census->entries[w] = ENTRY_HEADER;
        } else if (census->parts[w] != PART_LINEDEF) {
            continue;
        } else if (linedef >= line_count) {
            census->entries[w] = ENTRY_TOO_LARGE;
        } else {
            census->entries[w] =
                met[linedef] == terminator ? ENTRY_REPEATED : ENTRY_LINEDEF;
            met[linedef] = terminator;
        }
    }
    free(met);
    return told;
}

enum census_entry census_entry_at(const struct census *census, size_t word)
{
    return (enum census_entry)census->entries[word];
}

// ---------------------------------------------------------------------------

bool census_take(const struct blockmap *blockmap, size_t line_count,
                 struct census *census)
{
    *census = (struct census){0};
    return count_lengths(blockmap, line_count, census) &&
           count_shared(blockmap, census) && tell_parts(blockmap, census) &&
           tell_entries(blockmap, line_count, census);
}

void census_free(struct census *census)
{
    free(census->lengths);
    free(census->blocks_of_length);
    free(census->placed);
    free(census->parts);
    free(census->entries);
    *census = (struct census){0};
}
