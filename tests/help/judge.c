// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps judged by plain means: the tests' model of the engines, and
// lists read one by one and compared with brute force.
//
//   judge FILE HEADERS
//       prints for each map: its name; how many linedefs are missing in lists
//       that can be read, are in blocks outside the grid, and are listed in
//       blocks that they are not in, and how many lists cannot be read, or
//       "- - - -" without a grid; then a word for each engine.  The file
//       HEADERS has for each map its name and what its lists begin with:
//       "zero", "any" or "none"
//   judge   prints the names of the engines, in that order
//
// Engines differ in how they read words, in what they do with the first word
// of a list, and in the lumps that they refuse; each family is a row of a
// table.  All lists are read when a lump is loaded.  An engine that would read
// outside the lump, or test a line that the map has not got, crashes.

#include "blocklists.h"
#include "buffer.h"
#include "wadfile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    HEADER_WORDS = 4,
    MOST_WORDS = 65535, // of a lump that ports take
    LIST_END = -1,
};

enum engine_first_word {
    FIRST_WORD_READ, // as a line like any other
    FIRST_WORD_SKIPPED,
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // if every list of the map begins with 0
};

// What of a lump an engine looks at before it uses it, else it makes its own;
// each looks at what those before it do.
enum engine_look {
    LOOKS_AT_NOTHING,
    LOOKS_AT_LISTS,   // their ends, and whether the lines exist
    LOOKS_AT_OFFSETS, // none into the header
    LOOKS_AT_HEADERS, // all lists begin with 0
};

struct engine {
    const char *name; // as blocksweep-stage(7) has it
    enum engine_first_word first_word;
    enum engine_look looks;
    bool signed_words; // above 32767 they are negative
    size_t least;      // bytes that it takes; 0: it takes any lump, also those
                       // of 65536 words or more
    bool reads_xbm1;
    bool makes_its_own; // always
    size_t reach; // columns and rows from the origin that it finds; 0: all
};

static const unsigned char xbm1[8] = "XBM1";

static const struct engine engines[] = {
    {"Doom 1.9, Chocolate Doom", FIRST_WORD_READ, .signed_words = true,
     .reach = 256},
    {"Crispy Doom, International Doom", FIRST_WORD_READ, .least = 8,
     .reach = 256},
    {"PrBoom+, DSDA-Doom (vanilla)", FIRST_WORD_READ, .least = 8, .reach = 256},
    {"Woof, Nugget Doom (vanilla)", FIRST_WORD_READ, .least = 8, .reach = 256},
    {"PrBoom+, DSDA-Doom (below MBF21)", FIRST_WORD_SKIPPED, .least = 8,
     .reach = 256},
    {"Woof, Nugget Doom (below MBF21)", FIRST_WORD_SKIPPED, .least = 8,
     .reach = 256},
    {"DSDA-Doom (MBF21)", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .least = 8,
     .reach = 256},
    {"Woof, Nugget Doom (MBF21)", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .least = 8,
     .reach = 256},
    {"Eternity", FIRST_WORD_SKIPPED_IF_ALL_ZERO, LOOKS_AT_LISTS, .least = 8,
     .reach = 256},
    {"Doom Retro", FIRST_WORD_SKIPPED_IF_ALL_ZERO, LOOKS_AT_LISTS, .least = 8,
     .reach = 512},
    {"ZDoom 2.8.1, Zandronum", FIRST_WORD_SKIPPED, LOOKS_AT_OFFSETS, .least = 1,
     .reach = 512},
    {"GZDoom, UZDoom", FIRST_WORD_SKIPPED, LOOKS_AT_HEADERS, .least = 1},
    {"SRB2", FIRST_WORD_SKIPPED, .least = 1, .reach = 512},
    {"EDGE-Classic, Helion, k8vavoom", FIRST_WORD_READ, .makes_its_own = true},
    {"Odamex 10.6 (usual)", FIRST_WORD_READ, .least = 8, .reach = 256},
    {"Odamex 10.6 (co_blockmapfix)", FIRST_WORD_SKIPPED, .least = 8,
     .reach = 256},
    {"unreleased Odamex (demos)", FIRST_WORD_READ, .least = 8,
     .reads_xbm1 = true, .reach = 256},
    {"unreleased Odamex (no demos)", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .least = 8,
     .reads_xbm1 = true, .reach = 256},
    {"unreleased Woof (vanilla)", FIRST_WORD_READ, .least = 8,
     .reads_xbm1 = true, .reach = 256},
    {"unreleased Woof (below MBF21)", FIRST_WORD_SKIPPED, .least = 8,
     .reads_xbm1 = true, .reach = 256},
    {"unreleased Woof (MBF21)", FIRST_WORD_SKIPPED_IF_ALL_ZERO, .least = 8,
     .reads_xbm1 = true, .reach = 256},
};

enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

enum engine_verdict {
    ENGINE_LOADS,
    ENGINE_REBUILDS, // leaves the lump and makes its own
    ENGINE_CRASHES,  // at the latest when something comes to a certain block
};

// A lump as an engine reads it.
struct engine_blockmap {
    int32_t origin_x, origin_y; // 16.16
    size_t columns, rows;
    struct oracle_entry_list tested; // lines by block, in the engine's order
};

static void engine_blockmap_free(struct engine_blockmap *blockmap)
{
    oracle_free_entries(&blockmap->tested);
    *blockmap = (struct engine_blockmap){0};
}

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

// Reads a lump of a map with so many lines; the blockmap is for
// engine_blockmap_free, and empty unless the engine loads the lump.  Nothing
// outside the lump is read, be it ever so damaged.
static enum engine_verdict engine_load(const struct engine *engine,
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

// Whether an engine finds a block, so far from the origin.
static bool engine_reaches(const struct engine *engine, size_t columns,
                           size_t block)
{
    return engine->reach == 0 ||
           (block % columns < engine->reach && block / columns < engine->reach);
}

// How many of the true entries an engine does not test.
static size_t engine_count_missed(const struct engine *engine,
                                  const struct engine_blockmap *blockmap,
                                  const struct oracle_entry_list *truth,
                                  size_t line_count)
{
    const struct oracle_entry_list *tested = &blockmap->tested;
    // For each line, how many blocks are done with the last that lists it.
    size_t *done = allocate_zeros(line_count + 1, sizeof *done);
    size_t missed = 0;
    for (size_t t = 0, e = 0; e < truth->count; e++) {
        uint32_t block = truth->entry[e].block;
        for (; t < tested->count && tested->entry[t].block <= block; t++)
            done[tested->entry[t].line] = tested->entry[t].block + 1;
        missed += done[truth->entry[e].line] != block + 1 ||
                  !engine_reaches(engine, blockmap->columns, block);
    }
    free(done);
    return missed;
}

// --- Maps ---

static void judge_lists(const struct wadfile_lump *lump,
                        const struct oracle_line *lines, size_t line_count,
                        const char *headers)
{
    static const char *const names[] = {"zero", "any", "none"};
    struct blocklists lists;
    struct judgement judgement;
    size_t header = 0;
    while (header < LISTS_NONE && strcmp(names[header], headers) != 0)
        header++;
    if (!blocklists_open(lump->data, lump->size, &lists)) {
        printf(" - - - -");
        return;
    }
    blocklists_judge(&lists, (enum blocklists_header)header, lines, line_count,
                     NULL, UINT64_MAX, &judgement);
    printf(" %zu %zu %zu %zu", judgement.counts.missing, judgement.outside,
           judgement.counts.extra, judgement.counts.unreadable);
    blocklists_free(&lists);
}

// Whether an engine does not test a line in a block that it touches.
static bool engine_misses(const struct engine *engine,
                          const struct engine_blockmap *blockmap,
                          const struct oracle_line *lines, size_t line_count)
{
    const struct oracle_grid grid = {
        blockmap->origin_x / UNIT, blockmap->origin_y / UNIT,
        (uint32_t)blockmap->columns, (uint32_t)blockmap->rows};
    if (!oracle_encloses(&grid, lines, line_count))
        return true;
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, lines, line_count);
    size_t missed = engine_count_missed(engine, blockmap, &truth, line_count);
    oracle_free_entries(&truth);
    return missed > 0;
}

static void judge_engines(const struct wadfile_lump *lump,
                          const struct oracle_line *lines, size_t line_count)
{
    static const char *const words[] = {"loads", "rebuilds", "crashes"};
    unsigned char *bytes = buffer_copy_exactly(lump->data, lump->size);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct engine_blockmap blockmap;
        enum engine_verdict verdict =
            engine_load(&engines[e], bytes, lump->size, line_count, &blockmap);
        bool misses = verdict == ENGINE_LOADS &&
                      engine_misses(&engines[e], &blockmap, lines, line_count);
        printf(" %s", misses ? "wrong" : words[verdict]);
        engine_blockmap_free(&blockmap);
    }
    free(bytes);
}

static void judge_map(const struct wadfile_map *map, const char *headers)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, "BLOCKMAP");
    struct random_map arrays = wadfile_arrays(map);
    struct oracle_line *lines = random_map_oracle_lines(&arrays);
    printf("%s", map->name);
    judge_lists(lump, lines, arrays.line_count, headers);
    judge_engines(lump, lines, arrays.line_count);
    putchar('\n');
    free(lines);
    random_map_free(&arrays);
}

int main(int argc, char **argv)
{
    for (size_t e = 0; argc == 1 && e < ENGINE_COUNT; e++)
        puts(engines[e].name);
    if (argc == 1)
        return 0;
    struct wadfile wad = wadfile_read(argv[1]);
    FILE *file = fopen(argv[2], "r");
    for (size_t i = 0; i < wad.map_count; i++) {
        char name[16];
        char headers[16];
        if (!file || fscanf(file, "%15s %15s", name, headers) != 2 ||
            strcmp(name, wad.maps[i].name) != 0) {
            fprintf(stderr, "judge: no headers of %s\n", wad.maps[i].name);
            return 2;
        }
        judge_map(&wad.maps[i], headers);
    }
    fclose(file);
    wadfile_free(&wad);
    return 0;
}
