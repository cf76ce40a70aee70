// SPDX-License-Identifier: GPL-2.0-or-later

#include "blocklists.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRID_WORDS = 4,
    PREFIX_SIZE = 8, // bytes before the words of an XBM1 lump
    MOST_WORDS = 65535,
};

// --- Opening ---

static void read_words(struct blocklists *lists, const unsigned char *bytes,
                       size_t word_size)
{
    lists->words = allocate_zeros(lists->word_count, sizeof *lists->words);
    for (size_t w = 0; w < lists->word_count; w++)
        for (size_t i = 0; i < word_size; i++)
            lists->words[w] |= (uint32_t)bytes[w * word_size + i] << 8 * i;
}

// In 16.16 the whole part of an origin is its upper half.
static int32_t read_origin(uint32_t word, bool is_xbm1)
{
    return (int16_t)(is_xbm1 ? word >> 16 : word);
}

static void mark_begins(struct blocklists *lists)
{
    const uint32_t *offset = lists->words + GRID_WORDS;
    lists->begins = allocate_zeros(lists->word_count, sizeof *lists->begins);
    for (size_t b = 0; b < lists->block_count; b++) {
        if (offset[b] > lists->largest_offset)
            lists->largest_offset = offset[b];
        if (offset[b] >= lists->first_word && offset[b] < lists->word_count)
            lists->begins[offset[b]] = true;
    }
}

bool blocklists_open(const unsigned char *bytes, size_t size,
                     struct blocklists *lists)
{
    bool is_xbm1 = size >= PREFIX_SIZE && memcmp(bytes, "XBM1\0\0\0", 8) == 0;
    size_t prefix = is_xbm1 ? PREFIX_SIZE : 0;
    size_t word_size = is_xbm1 ? 4 : 2;
    *lists = (struct blocklists){.word_count = (size - prefix) / word_size,
                                 .odd_bytes = (size - prefix) % word_size};
    if (lists->word_count < GRID_WORDS)
        return false;
    read_words(lists, bytes + prefix, word_size);
    uint32_t *words = lists->words;
    uint64_t blocks = (uint64_t)words[2] * words[3];
    if (blocks > lists->word_count - GRID_WORDS) {
        free(words);
        return false;
    }
    lists->grid = (struct oracle_grid){read_origin(words[0], is_xbm1),
                                       read_origin(words[1], is_xbm1), words[2],
                                       words[3]};
    lists->block_count = (size_t)blocks;
    lists->first_word = GRID_WORDS + lists->block_count;
    for (size_t w = lists->first_word; w < lists->word_count && !is_xbm1; w++)
        if (words[w] == UINT16_MAX)
            words[w] = BLOCKLIST_END;
    mark_begins(lists);
    return true;
}

struct blocklists blocklists_read(const unsigned char *bytes, size_t size)
{
    struct blocklists lists;
    if (!blocklists_open(bytes, size, &lists) || lists.odd_bytes > 0 ||
        (lists.word_count > MOST_WORDS && memcmp(bytes, "XBM1", 4) != 0))
        abort_with("%zu bytes are no blockmap", size);
    return lists;
}

struct blocklists blocklists_from_words(const uint32_t *words,
                                        size_t word_count,
                                        const uint32_t *offset,
                                        size_t block_count)
{
    struct blocklists lists = {
        .block_count = block_count,
        .first_word = GRID_WORDS + block_count,
        .word_count = GRID_WORDS + block_count + word_count,
    };
    lists.words = allocate_zeros(lists.word_count, sizeof *lists.words);
    for (size_t b = 0; b < block_count; b++)
        lists.words[GRID_WORDS + b] = offset[b] + (uint32_t)lists.first_word;
    memcpy(lists.words + lists.first_word, words, word_count * sizeof *words);
    mark_begins(&lists);
    return lists;
}

void blocklists_free(struct blocklists *lists)
{
    free(lists->words);
    free(lists->begins);
    *lists = (struct blocklists){0};
}

// --- Lists ---

bool blocklists_all_begin_with_0(const struct blocklists *lists)
{
    for (size_t w = lists->first_word; w < lists->word_count; w++)
        if (lists->begins[w] && lists->words[w] != 0)
            return false;
    return true;
}

bool blocklists_find(const struct blocklists *lists,
                     enum blocklists_header header, size_t block, size_t *begin,
                     size_t *end)
{
    size_t offset = lists->words[GRID_WORDS + block];
    *begin = offset + (header != LISTS_NONE);
    if (offset < lists->first_word)
        return false;
    for (*end = *begin; *end < lists->word_count; ++*end)
        if (lists->words[*end] == BLOCKLIST_END)
            return true;
    return false;
}

static void find(const struct blocklists *lists, enum blocklists_header header,
                 size_t block, size_t *begin, size_t *end)
{
    if (!blocklists_find(lists, header, block, begin, end))
        abort_with("the list of block %zu is outside the lump or has no end",
                   block);
}

static int compare_words(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

struct oracle_entry_list blocklists_entries(const struct blocklists *lists,
                                            enum blocklists_header header)
{
    struct oracle_entry_list entries = {0};
    uint32_t *sorted = allocate_zeros(lists->word_count, sizeof *sorted);
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t begin, end;
        find(lists, header, b, &begin, &end);
        memcpy(sorted, lists->words + begin, (end - begin) * sizeof *sorted);
        qsort(sorted, end - begin, sizeof *sorted, compare_words);
        for (size_t i = 0; i < end - begin; i++)
            if (i == 0 || sorted[i] != sorted[i - 1])
                oracle_add_entry(&entries, (uint32_t)b, sorted[i]);
    }
    free(sorted);
    return entries;
}

// --- Comparing ---

// Whether a word may be the header of a list in the middle of another.
static bool may_be_header(const struct blocklists *lists,
                          enum blocklists_header header, size_t word)
{
    return header == LISTS_ZERO && lists->words[word] == 0 &&
           lists->begins[word];
}

// Of each linedef, the last block, counted from 1, that it is in.
struct marks {
    size_t *expected, *listed;
};

static void compare_block(const struct blocklists *lists,
                          enum blocklists_header header, size_t block,
                          size_t line_count, struct marks *marks,
                          struct blocklists_counts *counts)
{
    size_t begin, end;
    size_t extra = 0;
    if (!blocklists_find(lists, header, block, &begin, &end)) {
        counts->unreadable++;
        return;
    }
    for (size_t w = begin; w < end; w++) {
        uint32_t line = lists->words[w];
        if (line >= line_count) {
            counts->unknown++;
            continue;
        }
        bool is_extra = marks->listed[line] != block + 1 &&
                        marks->expected[line] != block + 1;
        marks->listed[line] = block + 1;
        extra += is_extra;
        counts->of_headers += is_extra && may_be_header(lists, header, w);
    }
    counts->extra += extra;
    if (extra > counts->extra_at_worst)
        counts->extra_at_worst = extra;
}

struct blocklists_counts
blocklists_compare(const struct blocklists *lists,
                   enum blocklists_header header,
                   const struct oracle_entry_list *truth, size_t line_count,
                   const uint8_t *optional)
{
    struct blocklists_counts counts = {0};
    struct marks marks = {allocate_zeros(line_count, sizeof(size_t)),
                          allocate_zeros(line_count, sizeof(size_t))};
    size_t first = 0;
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t past = first;
        size_t unreadable = counts.unreadable;
        for (; past < truth->count && truth->entry[past].block == b; past++)
            marks.expected[truth->entry[past].line] = b + 1;
        compare_block(lists, header, b, line_count, &marks, &counts);
        for (; first < past; first++) {
            uint32_t line = truth->entry[first].line;
            bool is_there =
                marks.listed[line] == b + 1 || (optional && optional[line]);
            counts.missing += !is_there && counts.unreadable == unreadable;
        }
    }
    free(marks.expected);
    free(marks.listed);
    return counts;
}

bool blocklists_judge(const struct blocklists *lists,
                      enum blocklists_header header,
                      const struct oracle_line *lines, size_t line_count,
                      const uint8_t *left_out, uint64_t most_tries,
                      struct judgement *judgement)
{
    struct oracle_entry_list truth = {0};
    uint64_t tries = 0;
    *judgement = (struct judgement){0};
    for (size_t i = 0; i < line_count && tries <= most_tries; i++) {
        size_t before = truth.count;
        tries += oracle_box_size(&lists->grid, &lines[i]);
        if (tries > most_tries)
            break;
        size_t outside =
            oracle_add_line(&lists->grid, &lines[i], (uint32_t)i, &truth);
        if (left_out && left_out[i])
            continue;
        judgement->outside += outside;
        judgement->entries += outside + truth.count - before;
    }
    oracle_sort_entries(&truth);
    if (tries <= most_tries)
        judgement->counts =
            blocklists_compare(lists, header, &truth, line_count, left_out);
    oracle_free_entries(&truth);
    return tries <= most_tries;
}

// --- Packing ---

// Whether a list begins in the middle of another.
static bool is_inside(const struct blocklists *lists, size_t offset)
{
    return offset > lists->first_word &&
           lists->words[offset - 1] != BLOCKLIST_END;
}

// Whether the word of a list that is no linedef of its own is as it should be.
static bool is_header_right(const struct blocklists *lists,
                            enum blocklists_header header, size_t begin,
                            size_t end)
{
    uint32_t word = lists->words[begin - 1];
    if (header == LISTS_ZERO || header == LISTS_APART)
        return word == 0;
    if (header != LISTS_ANY || begin == end || is_inside(lists, begin - 1))
        return true;
    for (size_t w = begin; w < end; w++)
        if (lists->words[w] == word)
            return true;
    return false;
}

static void check_block(const char *name, const struct blocklists *lists,
                        enum blocklists_header header, size_t block,
                        uint32_t *sorted)
{
    size_t begin, end;
    size_t count = 0;
    if (!blocklists_find(lists, header, block, &begin, &end) ||
        !is_header_right(lists, header, begin, end))
        abort_with("%s: block %zu: the list has no end, or another header",
                   name, block);
    for (size_t w = begin; w < end; w++)
        if (!may_be_header(lists, header, w))
            sorted[count++] = lists->words[w];
    if (header != LISTS_APART)
        qsort(sorted, count, sizeof *sorted, compare_words);
    for (size_t i = 1; i < count; i++)
        if (sorted[i] <= sorted[i - 1])
            abort_with("%s: block %zu: linedef %u is there twice, or out of "
                       "order",
                       name, block, (unsigned)sorted[i]);
}

// Each word up to the next end is reached from a word at which a list begins.
static void check_reached(const char *name, const struct blocklists *lists)
{
    bool is_reached = false;
    for (size_t w = lists->first_word; w < lists->word_count; w++) {
        is_reached = is_reached || lists->begins[w];
        if (!is_reached)
            abort_with("%s: word %zu is in no list", name, w);
        if (lists->words[w] == BLOCKLIST_END)
            is_reached = false;
    }
}

void blocklists_check(const char *name, const struct blocklists *lists,
                      enum blocklists_header header,
                      const struct oracle_entry_list *truth)
{
    uint32_t *sorted = allocate_zeros(lists->word_count, sizeof *sorted);
    size_t line_count = 0;
    for (size_t b = 0; b < lists->block_count; b++)
        check_block(name, lists, header, b, sorted);
    free(sorted);
    check_reached(name, lists);
    // Engines from MBF21 on would take the zeros to be headers.
    if (header == LISTS_NONE && blocklists_all_begin_with_0(lists))
        abort_with("%s: all lists begin with linedef 0 and have no header",
                   name);
    for (size_t i = 0; i < truth->count; i++)
        if (truth->entry[i].line >= line_count)
            line_count = (size_t)truth->entry[i].line + 1;
    const struct blocklists_counts counts =
        blocklists_compare(lists, header, truth, line_count, NULL);
    size_t extra = counts.extra - counts.of_headers;
    if (counts.missing + extra + counts.unknown > 0)
        abort_with("%s: %zu entries are missing, %zu extra, %zu of no line",
                   name, counts.missing, extra, counts.unknown);
}

void blocklists_check_lump(const char *name, const unsigned char *bytes,
                           size_t size, const struct oracle_line *lines,
                           size_t line_count, const bool *left_out)
{
    struct blocklists lists = blocklists_read(bytes, size);
    struct oracle_entry_list truth =
        oracle_find_entries(&lists.grid, lines, line_count);
    size_t kept = 0;
    for (size_t i = 0; i < truth.count; i++)
        if (!left_out[truth.entry[i].line])
            truth.entry[kept++] = truth.entry[i];
    truth.count = kept;
    blocklists_check(name, &lists, LISTS_APART, &truth);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
}

size_t blocklists_count(const struct blocklists *lists)
{
    size_t count = 0;
    for (size_t w = lists->first_word; w < lists->word_count; w++)
        count += lists->begins[w];
    return count;
}

size_t blocklists_count_nested(const struct blocklists *lists)
{
    size_t count = 0;
    for (size_t w = lists->first_word; w < lists->word_count; w++)
        count += lists->begins[w] && is_inside(lists, w);
    return count;
}
