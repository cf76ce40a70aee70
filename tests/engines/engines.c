// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines differ in how they read words, in what they do with the first word
// of a list, and in the lumps that they refuse; each family is a row of a
// table.  All lists are read when a lump is loaded.  An engine that would read
// outside the lump, or test a line that the map has not got, crashes.

#include "engines.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    HEADER_WORDS = 4,
    MOST_WORDS = 65535, // of a lump that ports take
    LIST_END = -1,
};

static const unsigned char xbm1[8] = "XBM1";

const struct engine engines[ENGINE_COUNT] = {
    {"Doom 1.9, Chocolate Doom", "doom19", FIRST_WORD_READ,
     .signed_words = true},
    {"Crispy, International Doom", "crispy-doom", FIRST_WORD_READ, .least = 8},
    {"Boom family, vanilla level", "boom", FIRST_WORD_READ, .least = 8},
    {"Boom family, below MBF21", "boom", FIRST_WORD_SKIPPED, .least = 8},
    {"Boom family, MBF21", "mbf21", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .least = 8},
    {"Eternity 3.42 and later", "eternity", FIRST_WORD_SKIPPED_IF_ALL_ZERO,
     LOOKS_AT_LISTS, .least = 8},
    {"Doom Retro 2.4 and later", "doom-retro", FIRST_WORD_SKIPPED_IF_ALL_ZERO,
     LOOKS_AT_LISTS, .least = 8},
    {"ZDoom 2.8.1, Zandronum", "zandronum", FIRST_WORD_SKIPPED,
     LOOKS_AT_OFFSETS, .least = 1},
    {"GZDoom 2.4 and later, UZDoom", "gzdoom", FIRST_WORD_SKIPPED,
     LOOKS_AT_HEADERS, .least = 1},
    {"SRB2 2.2, k8vavoom", "srb2", FIRST_WORD_SKIPPED, .least = 1},
    {"EDGE-Classic, Helion", "helion", FIRST_WORD_READ, .makes_its_own = true},
    {"Odamex 10.6", "odamex", FIRST_WORD_READ, .least = 8},
    {"Odamex 10.6, co_blockmapfix", "odamex", FIRST_WORD_SKIPPED, .least = 8},
    {"Odamex, unreleased, demos", "odamex-dev", FIRST_WORD_READ, .least = 8,
     .reads_xbm1 = true},
    {"Odamex, unreleased", "odamex-dev", FIRST_WORD_SKIPPED_IF_ALL_ZERO,
     .least = 8, .reads_xbm1 = true},
    {"Woof, unreleased, vanilla", "woof-dev", FIRST_WORD_READ, .least = 8,
     .reads_xbm1 = true},
    {"Woof, unreleased, below MBF21", "woof-dev", FIRST_WORD_SKIPPED,
     .least = 8, .reads_xbm1 = true},
    {"Woof, unreleased, MBF21", "woof-dev", FIRST_WORD_SKIPPED_IF_ALL_ZERO,
     .least = 8, .reads_xbm1 = true},
};

// --- Words ---

struct words {
    const unsigned char *bytes;
    size_t count;
    bool are_wide; // 32 bits, else 16
    bool are_signed;
};

static bool is_xbm1(const unsigned char *bytes, size_t size)
{
    return size >= sizeof xbm1 && memcmp(bytes, xbm1, sizeof xbm1) == 0;
}

static struct words find_words(const struct engine *engine,
                               const unsigned char *bytes, size_t size)
{
    if (engine->reads_xbm1 && is_xbm1(bytes, size))
        return (struct words){.bytes = bytes + sizeof xbm1,
                              .count = (size - sizeof xbm1) / 4,
                              .are_wide = true};
    return (struct words){
        .bytes = bytes, .count = size / 2, .are_signed = engine->signed_words};
}

static uint32_t read_bits(const struct words *words, size_t index)
{
    size_t size = words->are_wide ? 4 : 2;
    const unsigned char *byte = words->bytes + size * index;
    uint32_t bits = 0;
    for (size_t i = size; i-- > 0;)
        bits = bits << 8 | byte[i];
    return bits;
}

// An offset or a word of a list.
static int64_t read_word(const struct words *words, size_t index)
{
    uint32_t bits = read_bits(words, index);
    if (bits == (words->are_wide ? UINT32_MAX : UINT16_MAX))
        return LIST_END;
    if (words->are_signed && bits > INT16_MAX)
        return (int64_t)bits - UINT16_MAX - 1;
    return bits;
}

static bool is_inside(const struct words *words, int64_t index)
{
    return index >= 0 && (uint64_t)index < words->count;
}

static int32_t read_origin(const struct words *words, size_t index)
{
    int64_t bits = read_bits(words, index);
    int64_t past = words->are_wide ? (int64_t)1 << 32 : 1 << 16;
    int64_t origin = bits < past / 2 ? bits : bits - past;
    return (int32_t)(words->are_wide ? origin : origin * UNIT);
}

// --- Lists ---

static bool read_header(const struct words *words,
                        struct engine_blockmap *blockmap)
{
    if (words->count < HEADER_WORDS)
        return false;
    blockmap->origin_x = read_origin(words, 0);
    blockmap->origin_y = read_origin(words, 1);
    blockmap->columns = read_bits(words, 2);
    blockmap->rows = read_bits(words, 3);
    return blockmap->rows == 0 ||
           blockmap->columns <= (words->count - HEADER_WORDS) / blockmap->rows;
}

static bool all_lists_begin_with_zero(const struct words *words,
                                      size_t block_count)
{
    for (size_t b = 0; b < block_count; b++) {
        int64_t offset = read_word(words, HEADER_WORDS + b);
        if (!is_inside(words, offset) || read_word(words, (size_t)offset) != 0)
            return false;
    }
    return true;
}

static bool has_offset_into_header(const struct words *words,
                                   size_t block_count)
{
    for (size_t b = 0; b < block_count; b++)
        if (read_word(words, HEADER_WORDS + b) < HEADER_WORDS)
            return true;
    return false;
}

static bool skips_first_word(const struct engine *engine,
                             const struct words *words, size_t block_count)
{
    if (engine->first_word == FIRST_WORD_SKIPPED_IF_ALL_ZERO)
        return all_lists_begin_with_zero(words, block_count);
    return engine->first_word == FIRST_WORD_SKIPPED;
}

// Reads the list of a block.  False if it leads out of the lump or the map.
static bool read_list(const struct words *words, size_t block, bool skips,
                      size_t line_count, struct engine_blockmap *blockmap)
{
    int64_t at = read_word(words, HEADER_WORDS + block) + skips;
    for (; is_inside(words, at); at++) {
        int64_t line = read_word(words, (size_t)at);
        if (line == LIST_END)
            return true;
        if (line < 0 || (uint64_t)line >= line_count)
            return false;
        oracle_add_entry(&blockmap->tested, (uint32_t)block, (uint32_t)line);
    }
    return false;
}

static bool read_lists(const struct words *words, bool skips, size_t line_count,
                       struct engine_blockmap *blockmap)
{
    size_t block_count = blockmap->columns * blockmap->rows;
    for (size_t b = 0; b < block_count; b++)
        if (!read_list(words, b, skips, line_count, blockmap))
            return false;
    return true;
}

// Whether an engine that looks at a lump takes it.
static bool is_taken(const struct engine *engine, const struct words *words,
                     size_t line_count)
{
    struct engine_blockmap looked = {0};
    if (engine->looks == LOOKS_AT_NOTHING || words->count < HEADER_WORDS)
        return true;
    bool taken = read_header(words, &looked) &&
                 read_lists(words, false, line_count, &looked);
    size_t block_count = looked.columns * looked.rows;
    engine_blockmap_free(&looked);
    return taken &&
           (engine->looks < LOOKS_AT_OFFSETS ||
            !has_offset_into_header(words, block_count)) &&
           (engine->looks < LOOKS_AT_HEADERS ||
            all_lists_begin_with_zero(words, block_count));
}

// --- Lumps ---

enum engine_verdict engine_load(const struct engine *engine,
                                const unsigned char *bytes, size_t size,
                                size_t line_count,
                                struct engine_blockmap *blockmap)
{
    *blockmap = (struct engine_blockmap){0};
    struct words words = find_words(engine, bytes, size);
    bool is_refused =
        size < engine->least || (!words.are_wide && words.count > MOST_WORDS);
    if (engine->makes_its_own || (engine->least > 0 && is_refused) ||
        !is_taken(engine, &words, line_count))
        return ENGINE_REBUILDS;
    if (read_header(&words, blockmap) &&
        read_lists(&words,
                   skips_first_word(engine, &words,
                                    blockmap->columns * blockmap->rows),
                   line_count, blockmap))
        return ENGINE_LOADS;
    engine_blockmap_free(blockmap);
    return ENGINE_CRASHES;
}

size_t engine_count_missed(const struct engine_blockmap *blockmap,
                           const struct oracle_entry_list *truth,
                           size_t line_count)
{
    const struct oracle_entry_list *tested = &blockmap->tested;
    // For each line, how many blocks are done with the last that lists it.
    size_t *done = calloc(line_count + 1, sizeof *done);
    size_t missed = 0;
    if (!done)
        ck_abort_msg("no memory for %zu linedefs", line_count);
    for (size_t t = 0, e = 0; e < truth->count; e++) {
        uint32_t block = truth->entry[e].block;
        for (; t < tested->count && tested->entry[t].block <= block; t++)
            done[tested->entry[t].line] = tested->entry[t].block + 1;
        missed += done[truth->entry[e].line] != block + 1;
    }
    free(done);
    return missed;
}

void engine_blockmap_free(struct engine_blockmap *blockmap)
{
    oracle_free_entries(&blockmap->tested);
    *blockmap = (struct engine_blockmap){0};
}
