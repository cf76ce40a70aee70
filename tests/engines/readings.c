// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints which lump an engine takes for the BLOCKMAP of a map and how it reads
// it, as `verify` has it, and makes a plain lump that says the same to this
// engine.
//
//   readings ENGINE WAD LINES MADE [FACT VALUE]
//
// ENGINE is one of play.sh; Woof since 14 is woof-named, with a level or
// without.  The first map of the WAD counts, and LINES is the number of its
// linedefs.  Prints "lists", "rebuilds" or "crashes"; if it is "lists", writes
// the file MADE, a lump where each block has a list of its linedefs, in the
// order in which the engine meets them, after a 0 if it skips the first word.
// Equal lists are stored once, none inside another, and blocks out of reach are
// not in the grid.  Columns and rows in the west and south that have no linedef
// are not either, but for some, so that all that stay are in reach.
//
// With a FACT the engine's row of the table is made wrong: FACT gets VALUE.
// "finds_0" is not of the table but follows from it; VALUE is then what it is.

#include "lump/engines.h"

// The reading is that of the program, but for its table.
static struct engine readings_table[ENGINE_COUNT];
#define engine_table readings_table
#include "check/reading.c"
#undef engine_table

#include "base/macros.h"
#include "context-for-tests.h"
#include "lump/blockmap.h"
#include "nbstage.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = UINT16_MAX + 1,
    MARGIN = 32, // columns and rows that stay
    END_MARK = UINT16_MAX,
};

static const struct {
    const char *name; // in play.sh
    size_t engine;
} names[] = {
    {"chocolate-doom", ENGINE_DOOM19},
    {"crispy-doom", ENGINE_CRISPY},
    {"dsda-doom", ENGINE_BOOM_VANILLA},
    {"dsda-doom+9", ENGINE_BOOM},
    {"dsda-doom+21", ENGINE_MBF21},
    {"woof", ENGINE_BOOM_VANILLA},
    {"woof+9", ENGINE_BOOM},
    {"woof+21", ENGINE_MBF21},
    {"woof-named", ENGINE_WOOF_VANILLA},
    {"woof-named+9", ENGINE_WOOF},
    {"woof-named+21", ENGINE_WOOF_MBF21},
};

static _Noreturn void stop(const char *what)
{
    fprintf(stderr, "readings: %s\n", what);
    exit(2);
}

static size_t find_engine(const char *name)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].engine;
    stop("no such engine");
}

// Makes a fact of the table wrong; false if it is not one of the table.
static bool set_fact(struct engine *engine, const char *fact, unsigned value)
{
    if (strcmp(fact, "first_word") == 0)
        engine->first_word = (enum engine_first_word)value;
    else if (strcmp(fact, "least_bytes") == 0)
        engine->least_bytes = (unsigned char)value;
    else if (strcmp(fact, "checks") == 0)
        engine->checks = (enum engine_checks)value;
    else if (strcmp(fact, "has_signed_words") == 0)
        engine->has_signed_words = value;
    else if (strcmp(fact, "reads_xbm1") == 0)
        engine->reads_xbm1 = value;
    else if (strcmp(fact, "find") == 0)
        engine->find = (enum engine_find)value;
    else if (strcmp(fact, "reach") == 0)
        engine->reach = (uint16_t)value;
    else
        return false;
    return true;
}

// --- The made lump ---

static struct made {
    uint16_t words[MOST_WORDS];
    size_t count;
} made;

static void put(uint32_t word)
{
    if (made.count == MOST_WORDS)
        stop("the made lump is too large");
    made.words[made.count++] = (uint16_t)word;
}

// What is told of a lump.
struct told {
    const struct blockmap *blockmap;
    const struct reading *reading;
    bool has_header; // lists of the made lump
};

// Puts the list of a block behind the words that are there, and returns the
// number of its linedefs but 0.
static size_t put_list(const struct told *told, size_t block)
{
    const struct linedef_set set = blockmap_read_list(
        told->blockmap,
        reading_find_list(told->reading, told->blockmap, block));
    size_t others = 0;
    if (told->has_header)
        put(0);
    if (told->reading->finds_0)
        put(0);
    for (size_t i = 0; i < set.count; i++)
        if (set.linedefs[i] > 0 || !told->reading->finds_0) {
            put(set.linedefs[i]);
            others += set.linedefs[i] > 0;
        }
    put(END_MARK);
    return others;
}

// The offset of the list that was put last, from `begin` on; the list goes if
// there is an equal one from `lists` on.
static size_t share_list(size_t lists, size_t begin)
{
    const size_t size = made.count - begin;
    for (size_t at = lists; at < begin; at++)
        if ((at == lists || made.words[at - 1] == END_MARK) &&
            memcmp(made.words + at, made.words + begin,
                   size * sizeof *made.words) == 0) {
            made.count = begin;
            return at;
        }
    return begin;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// How many columns, or rows with `is_row`, of the grid have no linedef before
// the first that has one; all within reach if none has.
static uint32_t count_bare(const struct told *told, bool is_row)
{
    const struct grid *grid = &told->blockmap->grid;
    uint32_t bare =
        least(is_row ? grid->rows : grid->columns, told->reading->reach);
    for (size_t b = 0; b < told->blockmap->block_count; b++) {
        const uint32_t at =
            (uint32_t)(is_row ? b / grid->columns : b % grid->columns);
        made.count = 0;
        if (at < bare && reading_reaches(told->reading, told->blockmap, b) &&
            put_list(told, b) > 0)
            bare = at;
    }
    return bare;
}

static void make_lump(const struct told *told)
{
    const struct blockmap *blockmap = told->blockmap;
    const struct grid *grid = &blockmap->grid;
    const uint32_t reach = told->reading->reach;
    const uint32_t bare[] = {count_bare(told, false), count_bare(told, true)};
    const uint32_t west = bare[0] > MARGIN ? bare[0] - MARGIN : 0;
    const uint32_t south = bare[1] > MARGIN ? bare[1] - MARGIN : 0;
    const uint32_t columns = least(grid->columns, reach) - west;
    const uint32_t rows = least(grid->rows, reach) - south;
    made.count = 0;
    put((uint32_t)grid->origin_x + 128 * west);
    put((uint32_t)grid->origin_y + 128 * south);
    put(columns);
    put(rows);
    const size_t lists = made.count + (size_t)columns * rows;
    while (made.count < lists)
        put(0);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const size_t begin = made.count;
            put_list(told,
                     (size_t)(south + row) * grid->columns + west + column);
            made.words[LUMP_HEADER_WORDS + (size_t)row * columns + column] =
                (uint16_t)share_list(lists, begin);
        }
    if (made.count > MOST_WORDS / 2)
        stop("the made lump is over the limit of Doom 1.9");
}

// What an engine that does not know XBM1 makes of its prefix.
static void make_blind_lump(const unsigned char *bytes)
{
    made.count = 0;
    for (size_t i = 0; i < LUMP_HEADER_WORDS; i++)
        put(bytes_get_u16(bytes + 2 * i));
}

static void write_made(const char *name)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        stop("the made lump cannot be written");
    for (size_t i = 0; i < made.count; i++) {
        unsigned char bytes[2];
        bytes_put_u16(bytes, made.words[i]);
        fwrite(bytes, 1, sizeof bytes, file);
    }
    if (ferror(file) || fclose(file) != 0)
        stop("the made lump cannot be written");
}

// ---

// Finds the lump that an engine takes.  What it does if it takes none is the
// kind of the reading; READING_LISTS if it takes one.
static enum reading_kind find_lump(const struct wad *wad, size_t engine,
                                   struct wad_lump *lump)
{
    struct maps_found found;
    if (wad->map_count == 0)
        stop("the file has no map");
    maps_find_blockmap(wad, &wad->maps[0], NO_LUMP, &readings_table[engine],
                       &found);
    switch (found.finding) {
    case MAPS_FINDS:
    case MAPS_MISREADS:
        *lump = wad->lumps[found.lump];
        break;
    case MAPS_BUILDS:
    case MAPS_NEVER:
        return READING_REBUILDS;
    case MAPS_ENDS:
    case MAPS_REFUSES:
        return READING_CRASHES;
    }
    return READING_LISTS;
}

// Reads the lump as an engine does; if that has lists, writes the made lump.
static enum reading_kind read_lump(const unsigned char *bytes, size_t size,
                                   size_t line_count, size_t engine,
                                   const unsigned *finds_0, const char *name)
{
    test_set_up();
    struct blockmap blockmap;
    if (blockmap_read(&test_context, bytes, size, line_count, &blockmap) !=
        NBSTAGE_OK)
        stop("there is not enough memory");
    struct readings readings =
        readings_find(&blockmap, line_count, ENGINE_BIT(engine));
    struct reading *reading = &readings.reading[0];
    if (finds_0)
        reading->finds_0 = *finds_0;
    const struct told told = {
        &blockmap, reading, engine_table[engine].first_word != FIRST_WORD_READ};
    if (reading->kind == READING_LISTS) {
        if (blockmap.form == LUMP_XBM1 && !readings_table[engine].reads_xbm1)
            make_blind_lump(bytes);
        else
            make_lump(&told);
        write_made(name);
    }
    blockmap_free(&test_context, &blockmap);
    return reading->kind;
}

int main(int argument_count, char **arguments)
{
    static const char *const kinds[] = {
        [READING_LISTS] = "lists",
        [READING_REBUILDS] = "rebuilds",
        [READING_CRASHES] = "crashes",
        [READING_UNKNOWN] = "unknown",
    };
    if (argument_count != 5 && argument_count != 7)
        stop("usage: readings ENGINE WAD LINES MADE [FACT VALUE]");
    memcpy(readings_table, engine_table, sizeof readings_table);
    const size_t engine = find_engine(arguments[1]);
    const unsigned *finds_0 = NULL;
    unsigned value = 0;
    if (argument_count == 7) {
        value = (unsigned)strtoul(arguments[6], NULL, 10);
        if (strcmp(arguments[5], "finds_0") == 0)
            finds_0 = &value;
        else if (!set_fact(&readings_table[engine], arguments[5], value))
            stop("no such fact");
    }
    struct wad wad = {0};
    struct wad_lump lump = {.size = 0};
    if (maps_read(arguments[2], -1, &wad) != STATUS_DONE ||
        wad_get_all(&wad) != STATUS_DONE)
        return 2;
    enum reading_kind kind = find_lump(&wad, engine, &lump);
    if (kind == READING_LISTS)
        kind = read_lump(wad.bytes + lump.position, lump.size,
                         strtoul(arguments[3], NULL, 10), engine, finds_0,
                         arguments[4]);
    puts(kinds[kind]);
    wad_free(&wad);
    return 0;
}
