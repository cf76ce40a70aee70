// SPDX-License-Identifier: GPL-2.0-or-later
//
// First the words and the grid, then what stands at every offset, which tells
// whether lists have headers, then one walk over all lists, which see tails.c.

#include "config.h"

#include "blockmap/blockmap.h"

#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char xbm1[BLOCKMAP_XBM1_NAME_SIZE] = "XBM1\0\0\0";

// ---------------------------------------------------------------------------
// Words and grid

enum blockmap_form blockmap_form(const unsigned char *bytes, size_t size)
{
    if (size == 0)
        return BLOCKMAP_EMPTY;
    return size >= sizeof xbm1 && memcmp(bytes, xbm1, sizeof xbm1) == 0
               ? BLOCKMAP_XBM1
               : BLOCKMAP_CLASSIC;
}

struct words blockmap_words(const unsigned char *bytes, size_t size,
                            enum blockmap_form form)
{
    if (form == BLOCKMAP_XBM1)
        return (struct words){.bytes = bytes + sizeof xbm1,
                              .count = (size - sizeof xbm1) / 4,
                              .are_wide = true};
    return (struct words){.bytes = bytes, .count = size / 2};
}

const char *blockmap_form_name(enum blockmap_form form)
{
    static const char *const names[] = {"empty", "classic", "xbm1"};
    return names[form];
}

const char *blockmap_headers_name(enum blockmap_headers headers)
{
    static const char *const names[] = {"zero", "any", "mixed", "none"};
    return names[headers];
}

const char *blockmap_fault_name(enum blockmap_fault fault)
{
    static const char *const names[] = {"none", "no_grid", "no_table"};
    return names[fault];
}

const char *blockmap_list_fault_name(enum list_fault fault)
{
    static const char *const names[] = {"none", "in_table", "outside",
                                        "endless"};
    return names[fault];
}

// An origin in 16.16.
static int32_t read_origin(const struct words *words, size_t index)
{
    uint32_t bits = words_get(words, index);
    return (int32_t)(words->are_wide ? bits : bits << 16);
}

static enum blockmap_fault read_grid(struct blockmap *blockmap)
{
    const struct words *words = &blockmap->words;
    if (words->count < BLOCKMAP_GRID_WORDS)
        return BLOCKMAP_NO_GRID;
    blockmap->origin_x = read_origin(words, 0);
    blockmap->origin_y = read_origin(words, 1);
    blockmap->columns = words_get(words, 2);
    blockmap->rows = words_get(words, 3);
    uint64_t blocks = (uint64_t)blockmap->columns * blockmap->rows;
    if (blocks > words->count - BLOCKMAP_GRID_WORDS)
        return BLOCKMAP_NO_TABLE;
    blockmap->block_count = (size_t)blocks;
    return BLOCKMAP_SOUND;
}

bool blockmap_has_grid(const struct blockmap *blockmap)
{
    return blockmap->words.count >= BLOCKMAP_GRID_WORDS;
}

void blockmap_describe_grid(const struct blockmap *blockmap, char *text,
                            size_t size)
{
    if (blockmap_has_grid(blockmap))
        snprintf(text, size, "%.10g,%.10g %" PRIu32 "x%" PRIu32,
                 blockmap_edge(blockmap->origin_x, 0),
                 blockmap_edge(blockmap->origin_y, 0), blockmap->columns,
                 blockmap->rows);
    else
        snprintf(text, size, "none");
}

bool blockmap_has_table(const struct blockmap *blockmap)
{
    return blockmap->form != BLOCKMAP_EMPTY &&
           blockmap->fault == BLOCKMAP_SOUND;
}

bool blockmap_has_blocks(const struct blockmap *blockmap)
{
    return blockmap_has_table(blockmap) && blockmap->block_count > 0;
}

size_t blockmap_count_unreadable(const struct blockmap *blockmap)
{
    return blockmap->block_count - blockmap->fault_count[LIST_READABLE];
}

bool blockmap_has_unreadable(const struct blockmap *blockmap)
{
    return blockmap->fault != BLOCKMAP_SOUND ||
           blockmap_count_unreadable(blockmap) > 0 ||
           blockmap->too_large_count > 0;
}

static uint32_t clamp(int64_t index, uint32_t count)
{
    if (index < 0)
        return 0;
    return index < count ? (uint32_t)index : count;
}

// The columns, or rows, that lie across a block which begins at a place.
static struct blockmap_span find_span(int64_t place, int64_t origin,
                                      uint32_t count)
{
    int64_t distance = place - origin;
    int64_t rest = distance % BLOCKMAP_FIXED_SIDE;
    int64_t begin = distance / BLOCKMAP_FIXED_SIDE - (rest < 0);
    int64_t end = begin + 1 + (rest != 0);
    return (struct blockmap_span){clamp(begin, count), clamp(end, count)};
}

struct blockmap_area blockmap_across(const struct blockmap *blockmap, int64_t x,
                                     int64_t y)
{
    return (struct blockmap_area){
        find_span(x, blockmap->origin_x, blockmap->columns),
        find_span(y, blockmap->origin_y, blockmap->rows)};
}

bool blockmap_area_is_empty(const struct blockmap_area *area)
{
    return area->columns.begin == area->columns.end ||
           area->rows.begin == area->rows.end;
}

double blockmap_edge(int32_t origin, size_t index)
{
    return origin / (double)BLOCKMAP_UNIT + (double)index * BLOCKMAP_SIDE;
}

// ---------------------------------------------------------------------------
// Offsets

static size_t lists_begin(const struct blockmap *blockmap)
{
    return BLOCKMAP_GRID_WORDS + blockmap->block_count;
}

static void read_offset(struct blockmap *blockmap, struct blockmap_list *list,
                        uint32_t offset)
{
    list->offset = offset;
    if (offset >= blockmap->words.count)
        list->fault = LIST_OUTSIDE;
    else if (offset < lists_begin(blockmap))
        list->fault = LIST_IN_TABLE;
    else
        list->has_zero = words_get(&blockmap->words, offset) == 0;
}

// What lists begin with follows from their first words alone.
static enum blockmap_headers read_offsets(struct blockmap *blockmap)
{
    bool zero = false;
    bool other = false;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        read_offset(blockmap, list,
                    words_get(&blockmap->words, BLOCKMAP_GRID_WORDS + b));
        if (list->fault != LIST_READABLE)
            continue;
        if (list->has_zero)
            zero = true;
        else
            other = true;
    }
    if (!zero)
        return HEADERS_NONE;
    return other ? HEADERS_MIXED : HEADERS_ZERO;
}

// ---------------------------------------------------------------------------
// Lists

// A list that is stored.
struct stored {
    size_t begin;
    size_t end;
    uint64_t digest;
};

// A walk over the lists; it comes to those stored last first.
struct reading {
    struct blockmap *blockmap;
    struct stored *stored; // those read so far, once each
    uint32_t last_offset;  // of the last one
    size_t words_compared; // of lists that seem to be equal
};

// How many times the words of a lump its lists are compared, at most.  In sound
// lumps it is once or twice; damaged ones may have every word begin a list that
// seems to equal another.
enum { MOST_COMPARISONS = 64 };

// Lists that have come to the same terminator reach from the lowest of their
// offsets to it.
static void leave_run(struct reading *reading)
{
    struct blockmap *blockmap = reading->blockmap;
    if (blockmap->list_count == 0)
        return;
    size_t end = reading->stored[blockmap->list_count - 1].end;
    size_t behind = end < blockmap->words.count ? end + 1 : end;
    blockmap->unreached_words -= behind - reading->last_offset;
}

static void add_stored(struct reading *reading, uint32_t offset, size_t begin,
                       const struct list_view *list_view)
{
    struct blockmap *blockmap = reading->blockmap;
    size_t count = blockmap->list_count;
    if (count > 0 && reading->last_offset == offset)
        return;
    if (count > 0 && reading->stored[count - 1].end == list_view->end)
        blockmap->nested_count += begin < list_view->end;
    else
        leave_run(reading);
    if (offset > blockmap->largest_offset)
        blockmap->largest_offset = offset;
    blockmap->unsorted_count += !list_view->is_ascending;
    blockmap->repeating_count += list_view->repeats > 0;
    blockmap->too_large_count += list_view->too_large > 0;
    reading->stored[blockmap->list_count++] =
        (struct stored){begin, list_view->end, list_view->digest};
    reading->last_offset = offset;
}

static void read_list(void *context, size_t block,
                      const struct list_view *list_view)
{
    struct reading *reading = context;
    struct blockmap_list *list = &reading->blockmap->lists[block];
    add_stored(reading, list->offset, list->begin, list_view);
    list->fault = list_view->has_end ? LIST_READABLE : LIST_ENDLESS;
    list->end = list_view->has_end ? list_view->end : list->begin;
    list->is_unsorted = !list_view->is_ascending;
    list->repeats = list_view->repeats;
    list->too_large = list_view->too_large;
}

static int compare_stored(const void *a, const void *b)
{
    const struct stored *left = a;
    const struct stored *right = b;
    if (left->digest != right->digest)
        return left->digest < right->digest ? -1 : 1;
    size_t left_length = left->end - left->begin;
    size_t right_length = right->end - right->begin;
    return (left_length > right_length) - (left_length < right_length);
}

// Whether two lists have the same words.  Where that has been asked too often,
// lists of equal length and digest are taken for equal.
static bool are_equal(struct reading *reading, const struct stored *a,
                      const struct stored *b)
{
    const struct words *words = &reading->blockmap->words;
    size_t length = a->end - a->begin;
    size_t word_size = words->are_wide ? 4 : 2;
    if (length != b->end - b->begin || a->digest != b->digest)
        return false;
    if (reading->words_compared / MOST_COMPARISONS >= words->count)
        return true;
    reading->words_compared += length;
    return memcmp(words->bytes + a->begin * word_size,
                  words->bytes + b->begin * word_size, length * word_size) == 0;
}

static void count_duplicates(struct reading *reading)
{
    struct blockmap *blockmap = reading->blockmap;
    struct stored *stored = reading->stored;
    if (blockmap->list_count > 0)
        qsort(stored, blockmap->list_count, sizeof *stored, compare_stored);
    for (size_t i = 1; i < blockmap->list_count; i++)
        if (are_equal(reading, &stored[i - 1], &stored[i]))
            blockmap->duplicate_count++;
}

static void count_faults(struct blockmap *blockmap)
{
    for (size_t b = 0; b < blockmap->block_count; b++)
        blockmap->fault_count[blockmap->lists[b].fault]++;
}

// Whether a block's offset leads to words of its own kind.
static bool has_words(const struct blockmap_list *list)
{
    return list->fault == LIST_READABLE || list->fault == LIST_ENDLESS;
}

// Which words are headers to a walk over lists that begin as `place_lists` has
// it: of mixed ones each 0 that some list begins with.
static enum list_headers walked_headers(enum blockmap_headers headers)
{
    if (headers == HEADERS_MIXED)
        return LIST_HEADERS_AT;
    return headers == HEADERS_ZERO ? LIST_HEADERS_BEFORE : LIST_HEADERS_NONE;
}

void blockmap_read_lists(const struct blockmap *blockmap, size_t line_count,
                         list_visit *visit, void *context)
{
    uint32_t *start = memory_get(blockmap->block_count, sizeof *start);
    for (size_t b = 0; b < blockmap->block_count; b++)
        start[b] = has_words(&blockmap->lists[b])
                       ? (uint32_t)blockmap->lists[b].begin
                       : NO_START;
    struct list_starts starts = {start, blockmap->block_count,
                                 walked_headers(blockmap->headers)};
    lists_read(&blockmap->words, line_count, &starts, visit, context);
    free(start);
}

static void read_lists(struct blockmap *blockmap, size_t line_count)
{
    struct reading reading = {
        .blockmap = blockmap,
        .stored = memory_get(blockmap->block_count, sizeof *reading.stored),
    };
    blockmap->unreached_words = blockmap->words.count - lists_begin(blockmap);
    blockmap_read_lists(blockmap, line_count, read_list, &reading);
    leave_run(&reading);
    count_duplicates(&reading);
    count_faults(blockmap);
    free(reading.stored);
}

// Sets where the linedefs of each block begin.  A header in the last word has
// no list behind it.
static void place_lists(struct blockmap *blockmap)
{
    size_t headers =
        blockmap->headers == HEADERS_ZERO || blockmap->headers == HEADERS_ANY;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->begin = list->end = list->offset + headers;
        if (list->fault == LIST_READABLE &&
            list->begin >= blockmap->words.count)
            list->fault = LIST_ENDLESS;
    }
}

// ---------------------------------------------------------------------------

// Reads all but the lists.
static void open_lump(const unsigned char *bytes, size_t size,
                      struct blockmap *blockmap)
{
    *blockmap = (struct blockmap){.form = blockmap_form(bytes, size),
                                  .lump = bytes,
                                  .bytes = size,
                                  .headers = HEADERS_NONE};
    if (blockmap->form == BLOCKMAP_EMPTY)
        return;
    blockmap->words = blockmap_words(bytes, size, blockmap->form);
    blockmap->odd_bytes = size % (blockmap->words.are_wide ? 4 : 2);
    blockmap->fault = read_grid(blockmap);
}

// Reads the lists; *known are their headers unless it is NULL.
static void read_blocks(struct blockmap *blockmap, size_t line_count,
                        const enum blockmap_headers *known)
{
    if (blockmap->form == BLOCKMAP_EMPTY || blockmap->fault != BLOCKMAP_SOUND)
        return;
    blockmap->lists =
        memory_get(blockmap->block_count, sizeof *blockmap->lists);
    blockmap->headers = read_offsets(blockmap);
    if (known)
        blockmap->headers = *known;
    place_lists(blockmap);
    read_lists(blockmap, line_count);
}

void blockmap_read(const unsigned char *bytes, size_t size, size_t line_count,
                   struct blockmap *blockmap)
{
    open_lump(bytes, size, blockmap);
    read_blocks(blockmap, line_count, NULL);
}

void blockmap_read_as(const unsigned char *bytes, size_t size,
                      size_t line_count, enum blockmap_headers headers,
                      struct blockmap *blockmap)
{
    open_lump(bytes, size, blockmap);
    read_blocks(blockmap, line_count, &headers);
}

void blockmap_free(struct blockmap *blockmap)
{
    free(blockmap->lists);
    *blockmap = (struct blockmap){0};
}
