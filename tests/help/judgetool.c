// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges BLOCKMAP lumps by plain means: the tests' model of the engines, and
// lists read one by one against the oracle's truth.
//
//   judge FILE.wad HEADERS
//       prints for each map: its name; how many linedefs are missing in lists
//       that can be read, are in blocks outside the grid, and are listed in
//       blocks that they are not in, and how many lists cannot be read, or
//       "- - - -" without a grid; then a word for each engine family.  The file
//       HEADERS has a line for each map: its name, and what its lists begin
//       with, "zero", "any", "mixed" or "none".
//   engines
//       prints the names of the engine families, in that order.
//
// Maps are in Doom format.

#include "buffer.h"
#include "engines.h"
#include "oracle.h"
#include "wadfile.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    HEADER_WORDS = 4,
    LINEDEF_SIZE = 14,
    VERTEX_SIZE = 4,
    XBM1_PREFIX = 8,
};

static uint32_t get_word(const unsigned char *bytes, size_t index)
{
    return bytes[2 * index] + 256u * bytes[2 * index + 1];
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        ck_abort_msg("no memory for %zu elements", count);
    return memory;
}

static bool is_xbm1(const struct wadfile_lump *lump)
{
    return lump->size >= XBM1_PREFIX &&
           memcmp(lump->data, "XBM1\0\0\0", XBM1_PREFIX) == 0;
}

// ---------------------------------------------------------------------------
// The truth

// A map and all its lines in the blocks of a grid that encloses them; block
// 0,0 of its lump is block west,south there.
struct truth {
    struct oracle_line *lines;
    size_t line_count;
    struct oracle_grid grid;
    uint32_t west, south;
    struct oracle_entry_list entries;
};

static int32_t read_coordinate(const unsigned char *bytes, size_t index)
{
    int32_t word = (int32_t)get_word(bytes, index);
    return (word < 32768 ? word : word - 65536) * UNIT;
}

static void read_lines(const struct wadfile_map *map, struct truth *truth)
{
    const struct wadfile_lump *linedefs = wadfile_find_lump(map, "LINEDEFS");
    const unsigned char *vertexes = wadfile_find_lump(map, "VERTEXES")->data;
    truth->line_count = linedefs->size / LINEDEF_SIZE;
    truth->lines = allocate(truth->line_count, sizeof *truth->lines);
    for (size_t i = 0; i < truth->line_count; i++) {
        const unsigned char *linedef = linedefs->data + i * LINEDEF_SIZE;
        const unsigned char *v1 = vertexes + VERTEX_SIZE * get_word(linedef, 0);
        const unsigned char *v2 = vertexes + VERTEX_SIZE * get_word(linedef, 1);
        truth->lines[i] = (struct oracle_line){
            read_coordinate(v1, 0), read_coordinate(v1, 1),
            read_coordinate(v2, 0), read_coordinate(v2, 1)};
    }
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Moves an origin to before the lowest coordinate by whole blocks, and tells
// how many blocks it takes from there to the highest.
static void enclose(int32_t *origin, uint32_t *blocks, uint32_t *shift,
                    int32_t lowest, int32_t highest)
{
    *shift = 0;
    for (; *origin > lowest; *origin -= BLOCK)
        ++*shift;
    *blocks = (uint32_t)((highest - *origin) / BLOCK) + 1;
}

static struct truth find_truth(const struct wadfile_map *map, int32_t x,
                               int32_t y)
{
    struct truth truth = {.grid = {.origin_x = x, .origin_y = y}};
    read_lines(map, &truth);
    int32_t west = INT16_MAX, south = INT16_MAX;
    int32_t east = INT16_MIN, north = INT16_MIN;
    for (size_t i = 0; i < truth.line_count; i++) {
        const struct oracle_line *line = &truth.lines[i];
        west = lesser(west, lesser(line->x1, line->x2) / UNIT);
        south = lesser(south, lesser(line->y1, line->y2) / UNIT);
        east = greater(east, greater(line->x1, line->x2) / UNIT);
        north = greater(north, greater(line->y1, line->y2) / UNIT);
    }
    enclose(&truth.grid.origin_x, &truth.grid.columns, &truth.west, west, east);
    enclose(&truth.grid.origin_y, &truth.grid.rows, &truth.south, south, north);
    truth.entries =
        oracle_find_entries(&truth.grid, truth.lines, truth.line_count);
    return truth;
}

static void free_truth(struct truth *truth)
{
    oracle_free_entries(&truth->entries);
    free(truth->lines);
}

#define OUTSIDE SIZE_MAX

// The block of a grid at the truth's shift that an entry is about, or OUTSIDE.
static size_t block_of(const struct truth *truth, size_t entry, size_t columns,
                       size_t rows)
{
    uint32_t block = truth->entries.entry[entry].block;
    size_t column = block % truth->grid.columns;
    size_t row = block / truth->grid.columns;
    if (column < truth->west || column - truth->west >= columns ||
        row < truth->south || row - truth->south >= rows)
        return OUTSIDE;
    return (row - truth->south) * columns + column - truth->west;
}

// ---------------------------------------------------------------------------
// Engines

static bool engine_misses(const struct engine_blockmap *blockmap,
                          const struct truth *truth)
{
    for (size_t f = 0; f < truth->entries.count; f++) {
        size_t block = block_of(truth, f, blockmap->columns, blockmap->rows);
        if (block == OUTSIDE)
            return true;
        size_t i = blockmap->begin[block];
        while (i < blockmap->begin[block + 1] &&
               blockmap->line[i] != truth->entries.entry[f].line)
            i++;
        if (i == blockmap->begin[block + 1])
            return true;
    }
    return false;
}

static void judge_engines(const struct wadfile_lump *lump,
                          const struct truth *truth)
{
    static const char *const words[] = {"loads", "rebuilds", "crashes"};
    unsigned char *bytes = buffer_copy_exactly(lump->data, lump->size);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct engine_blockmap blockmap;
        enum engine_verdict verdict = engine_load(
            &engines[e], bytes, lump->size, truth->line_count, &blockmap);
        bool misses =
            verdict == ENGINE_LOADS && engine_misses(&blockmap, truth);
        printf(" %s", misses ? "wrong" : words[verdict]);
        engine_blockmap_free(&blockmap);
    }
    free(bytes);
}

// ---------------------------------------------------------------------------
// Lists, one by one

struct reading {
    const unsigned char *bytes; // from the origin word
    size_t word_size;
    size_t word_count;
    uint32_t columns, rows;
    size_t block_count;
    size_t skipped; // words before the linedefs of each list
    bool *begins;   // for each word, whether a 0 there is a list's header
};

static uint32_t word_at(const struct reading *reading, size_t index)
{
    size_t half = reading->word_size / 2;
    uint32_t low = get_word(reading->bytes, index * half);
    return half == 1 ? low
                     : low | get_word(reading->bytes, index * half + 1) << 16;
}

static bool is_end(const struct reading *reading, size_t index)
{
    return word_at(reading, index) ==
           (reading->word_size == 4 ? UINT32_MAX : UINT16_MAX);
}

static uint32_t offset_of(const struct reading *reading, size_t block)
{
    return word_at(reading, HEADER_WORDS + block);
}

static bool is_inside(const struct reading *reading, uint32_t offset)
{
    return offset >= HEADER_WORDS + reading->block_count &&
           offset < reading->word_count;
}

// Whether there are a grid and a whole table.
static bool read_grid(const struct wadfile_lump *lump, struct reading *reading)
{
    size_t prefix = is_xbm1(lump) ? XBM1_PREFIX : 0;
    size_t word_size = prefix > 0 ? 4 : 2;
    *reading =
        (struct reading){.bytes = lump->data + prefix,
                         .word_size = word_size,
                         .word_count = (lump->size - prefix) / word_size};
    if (reading->word_count < HEADER_WORDS)
        return false;
    reading->columns = word_at(reading, 2);
    reading->rows = word_at(reading, 3);
    uint64_t blocks = (uint64_t)reading->columns * reading->rows;
    reading->block_count = (size_t)blocks;
    return blocks <= reading->word_count - HEADER_WORDS;
}

// `headers` is what the lists begin with.
static bool open_reading(const struct wadfile_lump *lump, const char *headers,
                         struct reading *reading)
{
    if (!read_grid(lump, reading))
        return false;
    bool are_zero = strcmp(headers, "zero") == 0;
    reading->skipped = are_zero || strcmp(headers, "any") == 0;
    reading->begins = allocate(reading->word_count, sizeof(bool));
    for (size_t b = 0; b < reading->block_count; b++)
        if ((are_zero || strcmp(headers, "mixed") == 0) &&
            is_inside(reading, offset_of(reading, b)))
            reading->begins[offset_of(reading, b)] = true;
    return true;
}

struct counts {
    size_t missing, outside, extra, unreadable;
};

enum mark { TRUE_LINE = 1, LISTED = 2, LISTED_PLAINLY = 4 };

// Counts what a block lists; `marks` has TRUE_LINE for its lines.
static void count_list(const struct reading *reading, size_t block,
                       size_t line_count, unsigned char *marks,
                       struct counts *counts)
{
    size_t begin = offset_of(reading, block) + reading->skipped;
    size_t end = begin;
    counts->unreadable++;
    if (!is_inside(reading, offset_of(reading, block)))
        return;
    while (end < reading->word_count && !is_end(reading, end))
        end++;
    if (end >= reading->word_count)
        return;
    counts->unreadable--;
    for (size_t w = begin; w < end; w++) {
        uint32_t line = word_at(reading, w);
        if (line >= line_count)
            continue;
        marks[line] |= LISTED;
        if (line != 0 || !reading->begins[w])
            marks[line] |= LISTED_PLAINLY;
    }
    for (size_t i = 0; i < line_count; i++) {
        counts->missing += (marks[i] & TRUE_LINE) && !(marks[i] & LISTED);
        counts->extra += !(marks[i] & TRUE_LINE) && (marks[i] & LISTED_PLAINLY);
    }
}

static struct counts count_lists(const struct reading *reading,
                                 const struct truth *truth)
{
    struct counts counts = {0};
    unsigned char *marks = allocate(truth->line_count, 1);
    size_t f = 0; // entries outside come in between; the others go by block
    for (size_t b = 0; b < reading->block_count; b++) {
        memset(marks, 0, truth->line_count);
        for (; f < truth->entries.count; f++) {
            size_t block = block_of(truth, f, reading->columns, reading->rows);
            if (block == OUTSIDE)
                continue;
            if (block > b)
                break;
            marks[truth->entries.entry[f].line] |= TRUE_LINE;
        }
        count_list(reading, b, truth->line_count, marks, &counts);
    }
    for (f = 0; f < truth->entries.count; f++)
        counts.outside +=
            block_of(truth, f, reading->columns, reading->rows) == OUTSIDE;
    free(marks);
    return counts;
}

static void judge_lists(const struct wadfile_lump *lump,
                        const struct truth *truth, const char *headers)
{
    struct reading reading;
    if (open_reading(lump, headers, &reading)) {
        struct counts counts = count_lists(&reading, truth);
        printf(" %zu %zu %zu %zu", counts.missing, counts.outside, counts.extra,
               counts.unreadable);
        free(reading.begins);
    } else {
        printf(" - - - -");
    }
}

// ---------------------------------------------------------------------------

static int32_t read_origin(const struct wadfile_lump *lump, size_t index)
{
    // The whole part of a number in 16.16 is its upper word.
    size_t at = is_xbm1(lump) ? XBM1_PREFIX / 2 + 2 * index + 1 : index;
    if (lump->size < 2 * at + 2)
        return 0;
    return read_coordinate(lump->data, at) / UNIT;
}

static void judge_map(const struct wadfile_map *map, const char *headers)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, "BLOCKMAP");
    struct truth truth =
        find_truth(map, read_origin(lump, 0), read_origin(lump, 1));
    printf("%s", map->name);
    judge_lists(lump, &truth, headers);
    judge_engines(lump, &truth);
    putchar('\n');
    free_truth(&truth);
}

static void judge(const char *path, const char *headers_path)
{
    struct wadfile wad = wadfile_read(path);
    FILE *file = fopen(headers_path, "r");
    if (!file)
        ck_abort_msg("%s cannot be read", headers_path);
    for (size_t i = 0; i < wad.map_count; i++) {
        char name[16];
        char headers[16];
        if (fscanf(file, "%15s %15s", name, headers) != 2 ||
            strcmp(name, wad.maps[i].name) != 0)
            ck_abort_msg("%s has no headers of %s", headers_path,
                         wad.maps[i].name);
        judge_map(&wad.maps[i], headers);
    }
    fclose(file);
    wadfile_free(&wad);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "judge") == 0) {
        judge(argv[2], argv[3]);
    } else if (argc == 2 && strcmp(argv[1], "engines") == 0) {
        for (size_t e = 0; e < ENGINE_COUNT; e++)
            puts(engines[e].name);
    } else {
        fputs("judgetool: see the top of judgetool.c\n", stderr);
        return 2;
    }
    return 0;
}
