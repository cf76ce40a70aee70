// SPDX-License-Identifier: GPL-2.0-or-later

#include "packed.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 4, // of a lump
    XBM1_BYTES = 8,   // before its words
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

// Engines from MBF21 on take lists that all begin with a 0 to have headers.
static void assert_not_taken_for_headers(const struct packed *packed)
{
    for (size_t b = 0; b < packed->block_count; b++)
        if (packed->words[packed->offset[b]] != 0)
            return;
    ck_abort_msg("all lists begin with linedef 0 and have no header");
}

struct packed packed_open(const uint32_t *words, size_t word_count,
                          const uint32_t *offset, size_t block_count,
                          enum pack_header header)
{
    struct packed packed = {
        .words = words,
        .word_count = word_count,
        .offset = offset,
        .block_count = block_count,
        .header = header,
        .begins = allocate(word_count, sizeof *packed.begins),
        .is_reached = allocate(word_count, sizeof *packed.is_reached),
    };
    for (size_t w = 0; w < word_count; w++)
        if (words[w] != LIST_END && words[w] >= packed.line_count)
            packed.line_count = (size_t)words[w] + 1;
    packed.found_by = allocate(packed.line_count, sizeof *packed.found_by);
    for (size_t b = 0; b < block_count; b++) {
        if (offset[b] >= word_count)
            ck_abort_msg("block %zu has its list outside the lump", b);
        packed.begins[offset[b]] = true;
    }
    if (header == HEADER_NONE)
        assert_not_taken_for_headers(&packed);
    return packed;
}

// ---------------------------------------------------------------------------
// Lists

static bool has_found(const struct packed *packed, uint32_t line)
{
    return line < packed->line_count &&
           packed->found_by[line] == packed->reading;
}

// Where the linedefs begin of the list at an offset.
static size_t first_linedef(const struct packed *packed, size_t offset)
{
    return offset + (packed->header != HEADER_NONE);
}

// Whether a list begins in the middle of another.
static bool is_inside(const struct packed *packed, size_t offset)
{
    return offset > 0 && packed->words[offset - 1] != LIST_END;
}

static bool is_empty(const struct packed *packed, size_t offset)
{
    return packed->words[first_linedef(packed, offset)] == LIST_END;
}

// Reads the linedefs from a word on; returns how many there are.  A header of
// another list is told by *has_header.
static size_t read_linedefs(struct packed *packed, size_t word,
                            bool *has_header)
{
    size_t count = 0;
    packed->reading++;
    *has_header = false;
    for (;; word++) {
        if (word >= packed->word_count)
            ck_abort_msg("a list has no end");
        uint32_t line = packed->words[word];
        packed->is_reached[word] = true;
        if (line == LIST_END)
            return count;
        if (packed->header == HEADER_ZERO && line == 0 &&
            packed->begins[word]) {
            *has_header = true;
            continue;
        }
        if (has_found(packed, line))
            ck_abort_msg("linedef %u is there twice", line);
        packed->found_by[line] = packed->reading;
        count++;
    }
}

static void check_header(const struct packed *packed, size_t offset)
{
    uint32_t header = packed->words[offset];
    if (packed->header == HEADER_ZERO)
        ck_assert_uint_eq(header, 0);
    if (packed->header == HEADER_ANY && !is_inside(packed, offset))
        ck_assert_msg(has_found(packed, header) || is_empty(packed, offset),
                      "header %u is not a linedef of its list", header);
}

size_t packed_read(struct packed *packed, size_t block,
                   const uint32_t *linedefs, size_t length)
{
    size_t offset = packed->offset[block];
    size_t missing = 0;
    bool has_header;
    size_t count =
        read_linedefs(packed, first_linedef(packed, offset), &has_header);
    packed->is_reached[offset] = true;
    check_header(packed, offset);
    for (size_t i = 0; i < length; i++) {
        bool found = has_found(packed, linedefs[i]);
        bool serves = has_header && linedefs[i] == 0;
        if (!found && !serves)
            ck_abort_msg("block %zu misses linedef %u", block, linedefs[i]);
        missing += !found;
    }
    return count + missing - length;
}

// ---------------------------------------------------------------------------
// All of them

size_t packed_count_lists(const struct packed *packed)
{
    size_t count = 0;
    for (size_t w = 0; w < packed->word_count; w++)
        count += packed->begins[w];
    return count;
}

size_t packed_count_nested(const struct packed *packed)
{
    size_t count = 0;
    for (size_t w = 0; w < packed->word_count; w++)
        count +=
            packed->begins[w] && is_inside(packed, w) && !is_empty(packed, w);
    return count;
}

uint32_t packed_largest_offset(const struct packed *packed)
{
    uint32_t largest = 0;
    for (size_t b = 0; b < packed->block_count; b++)
        if (packed->offset[b] > largest)
            largest = packed->offset[b];
    return largest;
}

void packed_close(struct packed *packed)
{
    for (size_t w = 0; w < packed->word_count; w++)
        if (!packed->is_reached[w])
            ck_abort_msg("word %zu is in no list", w);
    free(packed->begins);
    free(packed->is_reached);
    free(packed->found_by);
    *packed = (struct packed){0};
}

// ---------------------------------------------------------------------------
// Lumps

static uint32_t *read_words(const unsigned char *bytes, size_t count,
                            size_t width)
{
    uint32_t *words = allocate(count, sizeof *words);
    for (size_t w = 0; w < count; w++) {
        for (size_t i = 0; i < width; i++)
            words[w] |= (uint32_t)bytes[w * width + i] << 8 * i;
        if (width == 2 && words[w] == 0xFFFF)
            words[w] = LIST_END;
    }
    return words;
}

struct packed_area packed_area_read(const unsigned char *bytes, size_t size)
{
    struct packed_area area = {0};
    ck_assert_uint_gt(size, XBM1_BYTES);
    bool is_xbm1 = memcmp(bytes, "XBM1", 4) == 0;
    size_t width = is_xbm1 ? 4 : 2;
    size_t skipped = is_xbm1 ? XBM1_BYTES : 0;
    ck_assert_uint_eq((size - skipped) % width, 0);
    area.total_words = (size - skipped) / width;
    area.memory = read_words(bytes + skipped, area.total_words, width);
    area.block_count = (size_t)area.memory[2] * area.memory[3];
    area.first_word = HEADER_WORDS + area.block_count;
    ck_assert_uint_lt(area.first_word, area.total_words);
    area.words = area.memory + area.first_word;
    area.word_count = area.total_words - area.first_word;
    area.offset = area.memory + HEADER_WORDS;
    for (size_t b = 0; b < area.block_count; b++) {
        if (area.offset[b] < area.first_word)
            ck_abort_msg("block %zu has its list before the lists", b);
        area.offset[b] -= (uint32_t)area.first_word;
    }
    return area;
}

struct packed packed_area_open(const struct packed_area *area,
                               enum pack_header header)
{
    return packed_open(area->words, area->word_count, area->offset,
                       area->block_count, header);
}

const uint32_t *packed_area_list(const struct packed_area *area, size_t block,
                                 size_t *length)
{
    const uint32_t *linedefs = area->words + area->offset[block] + 1;
    *length = 0;
    while (linedefs[*length] != LIST_END)
        ++*length;
    return linedefs;
}

void packed_area_free(struct packed_area *area)
{
    free(area->memory);
    *area = (struct packed_area){0};
}
