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

#include "config.h"

#include "blockmap/blockmap.h"

#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char xbm1[BLOCKMAP_XBM1_NAME_SIZE] = "XBM1\0\0\0";

const char *const blockmap_form_names[] = {"empty", "classic", "xbm1"};
const char *const blockmap_headers_names[] = {"zero", "any", "mixed", "none"};
const char *const blockmap_fault_names[] = {
    "none", "no_grid", "no_table", "too_many_blocks", "too_much_memory"};
const char *const blockmap_list_fault_names[] = {"none", "in_table", "outside",
                                                 "endless"};

// ---------------------------------------------------------------------------
// Words, and the lists that begin at them

struct list_reader {
    const struct blockmap *blockmap;
    size_t line_count;
    uint32_t *run_seen; // for each linedef; 0 stands for none
    uint32_t *linedefs; // those seen in this run, once each
    uint32_t run;
    uint32_t next;    // the word after this one
    bool has_header;  // whether the list has a header in it
    size_t skipped;   // words before the linedefs of a list: 0 or 1
    size_t unvisited; // of blockmap->by_offset, how many come from here on
};

uint32_t words_get(const struct words *words, size_t index)
{
    const unsigned char *at = words->bytes + index * (words->are_wide ? 4 : 2);
    uint32_t low = at[0] | (uint32_t)at[1] << 8;
    return words->are_wide ? low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24
                           : low;
}

uint32_t words_end(const struct words *words)
{
    return words->are_wide ? UINT32_MAX : UINT16_MAX;
}

bool list_has_linedef(const struct list_view *list_view, uint32_t linedef)
{
    const struct list_reader *reader = list_view->reader;
    return linedef < reader->line_count &&
           reader->run_seen[linedef] == reader->run;
}

bool list_has(const struct list_view *list_view, uint32_t linedef)
{
    return list_has_linedef(list_view, linedef) ||
           (linedef == 0 && list_view->reader->has_header);
}

uint32_t list_linedef_at(const struct list_view *list_view, size_t number)
{
    return list_view->reader->linedefs[number];
}

static uint32_t offset_at(const struct blockmap *blockmap, size_t place)
{
    return blockmap->lists[blockmap->by_offset[place]].offset;
}

// Whether a word is the header of a list: a 0 that a block's offset leads to,
// where such a 0 may be one.
static bool is_header(const struct blockmap *blockmap, size_t index,
                      uint32_t word)
{
    return word == 0 &&
           (blockmap->headers == HEADERS_ZERO ||
            blockmap->headers == HEADERS_MIXED) &&
           blockmap->is_offset[index];
}

static void begin_run(struct list_reader *reader, struct list_view *list_view,
                      size_t end, bool has_end)
{
    reader->run++;
    reader->has_header = false;
    *list_view = (struct list_view){
        .end = end, .has_end = has_end, .is_ascending = true, .reader = reader};
}

// Mixes a word into a digest, in one step of a multiplicative hash.
static uint64_t mix(uint64_t digest, uint32_t word)
{
    digest = (digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
    return digest ^ digest >> 32;
}

// Puts a word before the list.
static void extend(struct list_reader *reader, struct list_view *list_view,
                   size_t index, uint32_t word)
{
    if (index + 1 < list_view->end && word > reader->next)
        list_view->is_ascending = false;
    list_view->digest = mix(list_view->digest, word);
    reader->next = word;
    if (is_header(reader->blockmap, index, word)) {
        reader->has_header = true;
    } else if (word >= reader->line_count) {
        list_view->too_large++;
    } else if (reader->run_seen[word] == reader->run) {
        list_view->repeats++;
    } else {
        reader->run_seen[word] = reader->run;
        reader->linedefs[list_view->distinct++] = word;
    }
}

// Visits the blocks whose lists begin at a word.
static void visit_blocks(struct list_reader *reader, size_t index,
                         const struct list_view *list_view, list_visit *visit,
                         void *context)
{
    const struct blockmap *blockmap = reader->blockmap;
    while (reader->unvisited > blockmap->in_table_count &&
           offset_at(blockmap, reader->unvisited - 1) + reader->skipped ==
               index)
        visit(context, blockmap->by_offset[--reader->unvisited], list_view);
}

static void read_words(struct list_reader *reader, list_visit *visit,
                       void *context)
{
    const struct blockmap *blockmap = reader->blockmap;
    const struct words *words = &blockmap->words;
    const uint32_t end = words_end(words);
    struct list_view list_view;
    begin_run(reader, &list_view, words->count, false);
    // No list follows a header in the last word.
    while (reader->unvisited > blockmap->in_table_count &&
           offset_at(blockmap, reader->unvisited - 1) + reader->skipped ==
               words->count)
        reader->unvisited--;
    for (size_t w = words->count;
         w > 0 && reader->unvisited > blockmap->in_table_count;) {
        uint32_t word = words_get(words, --w);
        if (word == end)
            begin_run(reader, &list_view, w, true);
        else
            extend(reader, &list_view, w, word);
        visit_blocks(reader, w, &list_view, visit, context);
    }
}

void blockmap_read_lists(const struct blockmap *blockmap, size_t line_count,
                         list_visit *visit, void *context)
{
    struct list_reader reader = {
        .blockmap = blockmap,
        .line_count = line_count,
        .run_seen = memory_get(line_count, sizeof *reader.run_seen),
        .linedefs = memory_get(line_count, sizeof *reader.linedefs),
        .skipped = blockmap->headers == HEADERS_ZERO ||
                   blockmap->headers == HEADERS_ANY,
        .unvisited = blockmap->by_offset_count,
    };
    read_words(&reader, visit, context);
    free(reader.run_seen);
    free(reader.linedefs);
}

// ---------------------------------------------------------------------------
// The grid

static enum blockmap_form find_form(const unsigned char *bytes, size_t size)
{
    if (size == 0)
        return BLOCKMAP_EMPTY;
    return size >= sizeof xbm1 && memcmp(bytes, xbm1, sizeof xbm1) == 0
               ? BLOCKMAP_XBM1
               : BLOCKMAP_CLASSIC;
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

void blockmap_describe_grid(const struct blockmap *blockmap, char *text,
                            size_t size)
{
    if (blockmap->words.count >= BLOCKMAP_GRID_WORDS)
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

bool blockmap_is_over_limits(const struct blockmap *blockmap)
{
    return blockmap->fault == BLOCKMAP_TOO_MANY_BLOCKS ||
           blockmap->fault == BLOCKMAP_TOO_MUCH_MEMORY;
}

bool blockmap_has_unreadable(const struct blockmap *blockmap)
{
    return blockmap->fault != BLOCKMAP_SOUND ||
           blockmap->unreadable_count > 0 || blockmap->too_large_count > 0;
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

bool blockmap_find_cell(const struct blockmap *blockmap, int64_t x, int64_t y,
                        int64_t *column, int64_t *row)
{
    x -= blockmap->origin_x;
    y -= blockmap->origin_y;
    *column = x / BLOCKMAP_FIXED_SIDE;
    *row = y / BLOCKMAP_FIXED_SIDE;
    return x % BLOCKMAP_FIXED_SIDE == 0 && y % BLOCKMAP_FIXED_SIDE == 0;
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

static int compare_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void sort_by_offset(struct blockmap *blockmap)
{
    uint64_t *sorted = memory_get(blockmap->block_count, sizeof *sorted);
    size_t count = 0;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list *list = &blockmap->lists[b];
        blockmap->in_table_count += list->fault == LIST_IN_TABLE;
        if (list->fault != LIST_OUTSIDE)
            sorted[count++] = (uint64_t)list->offset << 32 | b;
    }
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, compare_numbers);
    blockmap->by_offset = memory_get(count, sizeof *blockmap->by_offset);
    blockmap->by_offset_count = count;
    for (size_t i = 0, first = 0; i < count; i++) {
        uint32_t block = (uint32_t)sorted[i];
        if (sorted[first] >> 32 != sorted[i] >> 32)
            first = i;
        blockmap->by_offset[i] = block;
        blockmap->lists[block].first_sharer = (uint32_t)first;
        blockmap->lists[blockmap->by_offset[first]].sharer_count++;
    }
    free(sorted);
}

// ---------------------------------------------------------------------------
// Lists

// A reading of all lists, those stored last first.
struct list_reading {
    struct blockmap *blockmap;
    uint64_t *digests;    // of the lists read so far, once each
    uint32_t last_offset; // of the last one
    size_t last_end;
};

// Lists with the same terminator reach from the lowest of their offsets to it.
static void leave_run(struct list_reading *reading)
{
    struct blockmap *blockmap = reading->blockmap;
    if (blockmap->list_count == 0)
        return;
    size_t end = reading->last_end;
    size_t after = end < blockmap->words.count ? end + 1 : end;
    blockmap->unreached_words -= after - reading->last_offset;
}

static void add_stored(struct list_reading *reading, uint32_t offset,
                       size_t begin, const struct list_view *list_view)
{
    struct blockmap *blockmap = reading->blockmap;
    size_t count = blockmap->list_count;
    if (count > 0 && reading->last_offset == offset)
        return;
    if (count > 0 && reading->last_end == list_view->end)
        blockmap->nested_count += begin < list_view->end;
    else
        leave_run(reading);
    if (offset > blockmap->largest_offset)
        blockmap->largest_offset = offset;
    blockmap->unsorted_count += !list_view->is_ascending;
    blockmap->repeating_count += list_view->repeats > 0;
    blockmap->too_large_count += list_view->too_large > 0;
    reading->digests[blockmap->list_count++] = list_view->digest;
    reading->last_offset = offset;
    reading->last_end = list_view->end;
}

static void read_list(void *context, size_t block,
                      const struct list_view *list_view)
{
    struct list_reading *reading = context;
    struct blockmap_list *list = &reading->blockmap->lists[block];
    add_stored(reading, list->offset, list->begin, list_view);
    list->fault = list_view->has_end ? LIST_READABLE : LIST_ENDLESS;
    list->end = list_view->has_end ? (uint32_t)list_view->end : list->begin;
    list->distinct = list_view->has_end ? (uint32_t)list_view->distinct : 0;
    list->repeats = (uint32_t)list_view->repeats;
    list->too_large = (uint32_t)list_view->too_large;
}

// Lists with the same digest count as equal.
static void count_duplicates(struct list_reading *reading)
{
    struct blockmap *blockmap = reading->blockmap;
    uint64_t *digests = reading->digests;
    if (blockmap->list_count > 0)
        qsort(digests, blockmap->list_count, sizeof *digests, compare_numbers);
    for (size_t i = 1; i < blockmap->list_count; i++)
        blockmap->duplicate_count += digests[i - 1] == digests[i];
}

static void read_lists(struct blockmap *blockmap, size_t line_count)
{
    struct list_reading reading = {
        .blockmap = blockmap,
        .digests = memory_get(blockmap->block_count, sizeof *reading.digests),
    };
    blockmap->unreached_words = blockmap->words.count - lists_begin(blockmap);
    blockmap_read_lists(blockmap, line_count, read_list, &reading);
    leave_run(&reading);
    count_duplicates(&reading);
    for (size_t b = 0; b < blockmap->block_count; b++)
        blockmap->unreadable_count += blockmap->lists[b].fault != LIST_READABLE;
    free(reading.digests);
}

// Sets where the linedefs of each block begin.  No list follows a header in the
// last word.
static void place_lists(struct blockmap *blockmap)
{
    uint32_t headers =
        blockmap->headers == HEADERS_ZERO || blockmap->headers == HEADERS_ANY;
    for (size_t b = 0; b < blockmap->block_count; b++) {
        struct blockmap_list *list = &blockmap->lists[b];
        list->begin = list->end = list->offset + headers;
        if (list->fault == LIST_READABLE &&
            list->begin >= blockmap->words.count)
            list->fault = LIST_ENDLESS;
        if (list->fault == LIST_READABLE)
            blockmap->is_offset[list->offset] = true;
    }
}

void blockmap_open(const unsigned char *bytes, size_t size,
                   enum blockmap_form form, struct blockmap *blockmap)
{
    bool is_wide = form == BLOCKMAP_XBM1;
    size_t word_size = is_wide ? 4 : 2;
    *blockmap = (struct blockmap){.form = form,
                                  .lump = bytes,
                                  .bytes = size,
                                  .headers = HEADERS_NONE,
                                  .odd_bytes = size % word_size};
    if (form == BLOCKMAP_EMPTY)
        return;
    blockmap->words = (struct words){bytes, size / word_size, is_wide};
    if (is_wide) {
        blockmap->words.bytes += sizeof xbm1;
        blockmap->words.count -= sizeof xbm1 / word_size;
    }
    blockmap->fault = read_grid(blockmap);
}

static void read_table(struct blockmap *blockmap, size_t line_count,
                       enum blockmap_headers headers)
{
    if (!blockmap_has_table(blockmap))
        return;
    blockmap->lists =
        memory_get(blockmap->block_count, sizeof *blockmap->lists);
    blockmap->is_offset =
        memory_get(blockmap->words.count, sizeof *blockmap->is_offset);
    blockmap->headers = read_offsets(blockmap);
    if (headers != HEADERS_UNKNOWN)
        blockmap->headers = headers;
    sort_by_offset(blockmap);
    place_lists(blockmap);
    read_lists(blockmap, line_count);
}

void blockmap_read_as(const unsigned char *bytes, size_t size,
                      size_t line_count, enum blockmap_headers headers,
                      struct blockmap *blockmap)
{
    blockmap_open(bytes, size, find_form(bytes, size), blockmap);
    read_table(blockmap, line_count, headers);
}

// Gives a lump over the limits a fault, and no blocks.
static void apply_limits(const struct blockmap_limits *limits,
                         struct blockmap *blockmap)
{
    enum { MEMORY_FOR_BYTE = 16, MEMORY_FOR_BLOCK = 64 };
    uint64_t memory = MEMORY_FOR_BYTE * (uint64_t)blockmap->bytes +
                      MEMORY_FOR_BLOCK * (uint64_t)blockmap->block_count;
    if (blockmap->block_count > limits->blocks) {
        blockmap->fault = BLOCKMAP_TOO_MANY_BLOCKS;
        blockmap->limit = limits->blocks;
    } else if (memory > limits->memory) {
        blockmap->fault = BLOCKMAP_TOO_MUCH_MEMORY;
        blockmap->limit = limits->memory;
    }
    if (blockmap->fault != BLOCKMAP_SOUND)
        blockmap->block_count = 0;
}

void blockmap_read(const unsigned char *bytes, size_t size, size_t line_count,
                   const struct blockmap_limits *limits,
                   struct blockmap *blockmap)
{
    blockmap_open(bytes, size, find_form(bytes, size), blockmap);
    if (limits && blockmap->fault == BLOCKMAP_SOUND)
        apply_limits(limits, blockmap);
    read_table(blockmap, line_count, HEADERS_UNKNOWN);
}

void blockmap_free(struct blockmap *blockmap)
{
    free(blockmap->lists);
    free(blockmap->by_offset);
    free(blockmap->is_offset);
    *blockmap = (struct blockmap){0};
}
