// SPDX-License-Identifier: GPL-2.0-or-later
//
// Damages BLOCKMAP lumps, and judges them by plain means: the tests' model of
// the engines, and lists read one by one against the oracle's truth.
//
//   damage IN.wad COUNT SEED OUT.wad
//       writes a WAD of COUNT maps.  They are those of IN.wad in turn, each
//       with its BLOCKMAP damaged in another way.
//   judge FILE.wad
//       prints for each map: its name; how many linedefs are missing in lists
//       that can be read, are in blocks outside the grid, and are listed in
//       blocks that they are not in, or "- - -" where the lists do not all
//       begin with a 0 or the lump is not a classic one; then a word for each
//       engine family.
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
    END = 0xFFFF,
    LINEDEF_SIZE = 14,
    VERTEX_SIZE = 4,
    XBM1_PREFIX = 8,
};

static uint32_t get_word(const unsigned char *bytes, size_t index)
{
    return bytes[2 * index] + 256u * bytes[2 * index + 1];
}

static void put_word(unsigned char *bytes, size_t index, uint32_t word)
{
    bytes[2 * index] = (unsigned char)(word & 0xFF);
    bytes[2 * index + 1] = (unsigned char)(word >> 8 & 0xFF);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        ck_abort_msg("no memory for %zu elements", count);
    return memory;
}

// ---------------------------------------------------------------------------
// Damage

// Steele, Lea and Flood's SplitMix64, below a limit.
static uint64_t random_state;

static size_t random_below(size_t limit)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (size_t)((z ^ z >> 31) % limit);
}

// A lump to damage; `first` is the byte of its origin word.
struct victim {
    unsigned char *bytes;
    size_t size;
    size_t first;
    size_t word_size;
    size_t block_count;
};

static struct victim take_victim(const struct wadfile_lump *lump)
{
    struct victim victim = {
        .bytes = allocate(lump->size, 1), .size = lump->size, .word_size = 2};
    memcpy(victim.bytes, lump->data, lump->size);
    if (memcmp(lump->data, "XBM1", 4) == 0)
        victim = (struct victim){victim.bytes, victim.size, XBM1_PREFIX, 4, 0};
    const unsigned char *grid = victim.bytes + victim.first;
    victim.block_count = (size_t)get_word(grid, victim.word_size) *
                         get_word(grid, victim.word_size / 2 * 3);
    return victim;
}

static unsigned char *word_at(const struct victim *victim, size_t index)
{
    return victim->bytes + victim->first + index * victim->word_size;
}

static unsigned char *random_offset(const struct victim *victim)
{
    return word_at(victim, HEADER_WORDS + random_below(victim->block_count));
}

static size_t count_words(const struct victim *victim)
{
    return (victim->size - victim->first) / victim->word_size;
}

static void flip_bits(struct victim *victim)
{
    for (size_t i = random_below(8) + 1; i > 0; i--)
        victim->bytes[random_below(victim->size)] ^=
            (unsigned char)(1u << random_below(8));
}

static void truncate_lump(struct victim *victim)
{
    victim->size = random_below(victim->size);
}

static void swap_offsets(struct victim *victim)
{
    unsigned char kept[4];
    for (size_t i = random_below(8) + 1; i > 0; i--) {
        unsigned char *a = random_offset(victim);
        unsigned char *b = random_offset(victim);
        memcpy(kept, a, victim->word_size);
        memmove(a, b, victim->word_size);
        memcpy(b, kept, victim->word_size);
    }
}

static void replace_words(struct victim *victim)
{
    for (size_t i = random_below(4) + 1; i > 0; i--)
        put_word(victim->bytes, random_below(victim->size / 2),
                 (uint32_t)random_below(1 << 16));
}

// Points blocks anywhere in the lump.
static void move_offsets(struct victim *victim)
{
    for (size_t i = random_below(victim->block_count) + 1; i > 0; i--)
        put_word(random_offset(victim), 0,
                 (uint32_t)random_below(count_words(victim)));
}

// Takes the end from many lists, so that they run on into others.
static void remove_ends(struct victim *victim)
{
    size_t begin = HEADER_WORDS + victim->block_count;
    for (size_t w = begin; w < count_words(victim); w++)
        if (get_word(word_at(victim, w), 0) == END && random_below(10) > 0)
            memset(word_at(victim, w), 0, victim->word_size);
}

static void damage_lump(struct victim *victim, size_t way)
{
    static void (*const ways[])(struct victim *) = {
        flip_bits,     truncate_lump, swap_offsets,
        replace_words, move_offsets,  remove_ends,
    };
    ways[way % (sizeof ways / sizeof *ways)](victim);
}

// ---------------------------------------------------------------------------
// Writing

struct output {
    struct buffer data; // from the start of the file
    struct buffer directory;
    size_t count;
};

static size_t put_data(struct output *output, const void *bytes, size_t size)
{
    size_t position = output->data.size;
    buffer_put(&output->data, bytes, size);
    return position;
}

static void put_entry(struct output *output, const char *name, size_t position,
                      size_t size)
{
    char raw[8] = {0};
    memcpy(raw, name, strlen(name));
    buffer_put_u32(&output->directory, (uint32_t)position);
    buffer_put_u32(&output->directory, (uint32_t)size);
    buffer_put(&output->directory, raw, sizeof raw);
    output->count++;
}

static void put_map(struct output *output, const struct wadfile *wad,
                    const struct wadfile_map *map, size_t number)
{
    char name[9];
    snprintf(name, sizeof name, "M%07zu", number % 10000000);
    put_entry(output, name, 0, 0);
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct wadfile_lump *lump = &map->lumps[i];
        if (strcmp(lump->name, "BLOCKMAP") != 0) {
            put_entry(output, lump->name, (size_t)(lump->data - wad->bytes),
                      lump->size);
            continue;
        }
        struct victim victim = take_victim(lump);
        damage_lump(&victim, number);
        put_entry(output, lump->name,
                  put_data(output, victim.bytes, victim.size), victim.size);
        free(victim.bytes);
    }
}

// The old file goes first, so that lumps that are not damaged stay in place.
static void damage(const char *in, size_t count, const char *out)
{
    struct wadfile wad = wadfile_read(in);
    struct output output = {0};
    put_data(&output, wad.bytes, wad.size);
    for (size_t i = 0; i < count; i++)
        put_map(&output, &wad, &wad.maps[i % wad.map_count], i);
    struct buffer header = {0};
    buffer_print(&header, "PWAD");
    buffer_put_u32(&header, (uint32_t)output.count);
    buffer_put_u32(&header, (uint32_t)output.data.size);
    memcpy(output.data.bytes, header.bytes, header.size);
    FILE *file = fopen(out, "wb");
    if (!file ||
        fwrite(output.data.bytes, 1, output.data.size, file) !=
            output.data.size ||
        fwrite(output.directory.bytes, 1, output.directory.size, file) !=
            output.directory.size ||
        fclose(file) != 0)
        ck_abort_msg("%s cannot be written", out);
    buffer_free(&header);
    buffer_free(&output.data);
    buffer_free(&output.directory);
    wadfile_free(&wad);
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
    struct oracle_facts facts;
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
    truth.facts = oracle_find_facts(&truth.grid, truth.lines, truth.line_count);
    return truth;
}

static void free_truth(struct truth *truth)
{
    oracle_free_facts(&truth->facts);
    free(truth->lines);
}

#define OUTSIDE SIZE_MAX

// The block of a grid at the truth's shift that a fact is about, or OUTSIDE.
static size_t block_of(const struct truth *truth, size_t fact, size_t columns,
                       size_t rows)
{
    uint32_t block = truth->facts.fact[fact].block;
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
    for (size_t f = 0; f < truth->facts.count; f++) {
        size_t block = block_of(truth, f, blockmap->columns, blockmap->rows);
        if (block == OUTSIDE)
            return true;
        size_t i = blockmap->begin[block];
        while (i < blockmap->begin[block + 1] &&
               blockmap->line[i] != truth->facts.fact[f].line)
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
    const unsigned char *bytes;
    size_t word_count;
    size_t columns, rows, block_count;
    bool *begins; // for each word, whether a list has its header there
};

static bool is_inside(const struct reading *reading, uint32_t offset)
{
    return offset >= HEADER_WORDS + reading->block_count &&
           offset < reading->word_count;
}

static uint32_t offset_of(const struct reading *reading, size_t block)
{
    return get_word(reading->bytes, HEADER_WORDS + block);
}

// Whether it is a classic lump with a whole table whose lists begin with a 0.
static bool open_reading(const struct wadfile_lump *lump,
                         struct reading *reading)
{
    *reading =
        (struct reading){.bytes = lump->data, .word_count = lump->size / 2};
    if (reading->word_count < HEADER_WORDS ||
        memcmp(lump->data, "XBM1\0\0\0", XBM1_PREFIX) == 0)
        return false;
    reading->columns = get_word(lump->data, 2);
    reading->rows = get_word(lump->data, 3);
    reading->block_count = reading->columns * reading->rows;
    if (reading->block_count > reading->word_count - HEADER_WORDS)
        return false;
    reading->begins = allocate(reading->word_count, sizeof(bool));
    size_t count = 0;
    for (size_t b = 0; b < reading->block_count; b++) {
        uint32_t offset = offset_of(reading, b);
        if (!is_inside(reading, offset))
            continue;
        if (get_word(reading->bytes, offset) != 0)
            return false;
        reading->begins[offset] = true;
        count++;
    }
    return count > 0;
}

struct counts {
    size_t missing, outside, extra;
};

enum mark { TRUE_LINE = 1, LISTED = 2, LISTED_PLAINLY = 4 };

// Counts what a block lists; `marks` has TRUE_LINE for its lines.
static void count_list(const struct reading *reading, size_t block,
                       size_t line_count, unsigned char *marks,
                       struct counts *counts)
{
    uint32_t offset = offset_of(reading, block);
    if (!is_inside(reading, offset))
        return;
    size_t end = offset + 1;
    while (end < reading->word_count && get_word(reading->bytes, end) != END)
        end++;
    if (end >= reading->word_count)
        return;
    for (size_t w = offset + 1; w < end; w++) {
        uint32_t line = get_word(reading->bytes, w);
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
    size_t f = 0; // facts outside come in between; the others go by block
    for (size_t b = 0; b < reading->block_count; b++) {
        memset(marks, 0, truth->line_count);
        for (; f < truth->facts.count; f++) {
            size_t block = block_of(truth, f, reading->columns, reading->rows);
            if (block == OUTSIDE)
                continue;
            if (block > b)
                break;
            marks[truth->facts.fact[f].line] |= TRUE_LINE;
        }
        count_list(reading, b, truth->line_count, marks, &counts);
    }
    for (f = 0; f < truth->facts.count; f++)
        counts.outside +=
            block_of(truth, f, reading->columns, reading->rows) == OUTSIDE;
    free(marks);
    return counts;
}

static void judge_lists(const struct wadfile_lump *lump,
                        const struct truth *truth)
{
    struct reading reading;
    if (open_reading(lump, &reading)) {
        struct counts counts = count_lists(&reading, truth);
        printf(" %zu %zu %zu", counts.missing, counts.outside, counts.extra);
    } else {
        printf(" - - -");
    }
    free(reading.begins);
}

// ---------------------------------------------------------------------------

static int32_t read_origin(const struct wadfile_lump *lump, size_t index)
{
    bool is_xbm1 = lump->size >= XBM1_PREFIX &&
                   memcmp(lump->data, "XBM1\0\0\0", XBM1_PREFIX) == 0;
    // The whole part of a number in 16.16 is its upper word.
    size_t at = is_xbm1 ? XBM1_PREFIX / 2 + 2 * index + 1 : index;
    if (lump->size < 2 * at + 2)
        return 0;
    return read_coordinate(lump->data, at) / UNIT;
}

static void judge(const char *path)
{
    struct wadfile wad = wadfile_read(path);
    for (size_t i = 0; i < wad.map_count; i++) {
        const struct wadfile_lump *lump =
            wadfile_find_lump(&wad.maps[i], "BLOCKMAP");
        struct truth truth = find_truth(&wad.maps[i], read_origin(lump, 0),
                                        read_origin(lump, 1));
        printf("%s", wad.maps[i].name);
        judge_lists(lump, &truth);
        judge_engines(lump, &truth);
        putchar('\n');
        free_truth(&truth);
    }
    wadfile_free(&wad);
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "damage") == 0) {
        random_state = strtoull(argv[4], NULL, 10);
        damage(argv[2], strtoul(argv[3], NULL, 10), argv[5]);
    } else if (argc == 3 && strcmp(argv[1], "judge") == 0) {
        judge(argv[2]);
    } else if (argc == 2 && strcmp(argv[1], "engines") == 0) {
        for (size_t e = 0; e < ENGINE_COUNT; e++)
            puts(engines[e].name);
    } else {
        fputs("judgetool: see the top of judgetool.c\n", stderr);
        return 2;
    }
    return 0;
}
