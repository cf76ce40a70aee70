// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes, lists, converts, damages and judges WAD files for tests.  It reads and
// writes them by itself, so that a mistake of the command's is not made twice.
//
//   make KIND FILE            writes an IWAD or PWAD from a recipe
//   list FILE                 prints a line for each lump: number, name, size,
//                             bytes that are in the file, a hash of those
//   overlaps FILE             prints for each two lumps that share bytes: their
//                             numbers, the distance between their beginnings
//   extract FILE LUMP         prints the bytes of a lump
//   blockmap FILE LUMP        prints origin x and y, columns, rows, words and
//                             the largest offset of a BLOCKMAP lump
//   set FILE FIELD N          sets "count" or "directory" in the header
//   set FILE LUMP FIELD N     sets "position" or "size" in an entry
//
// LUMP is a number, or MARKER/NAME for the lump of this name behind the marker
// and before the name of the first lump there comes again.  Names are printed
// with \NNN, in octal, for bytes that are not graphic, and without the NULs at
// their end.
//
// A recipe, on standard input, has a line for each lump: its name, written as
// it is printed, and then nothing if the lump is empty, or the file that its
// bytes are in, or "@LUMP SKIP SIZE" to share SIZE bytes of those written so
// far, the first of them SKIP behind the first of an earlier lump.
//
// All else is for maps in Doom format.
//
//   convert IN OUT MAP=FORM...  writes a WAD of maps of IN as doom, hexen,
//       doom64, udmf, tenths (UDMF, coordinates divided by ten) or copies
//       (UDMF, the map 64 times side by side).  UDMF has all that node builders
//       want, and BLOCKMAP if coordinates are kept; only LINEDEFS and VERTEXES
//       get the form of Hexen or Doom 64
//   ends FILE MAP  prints the linedefs farthest to the west and to the east
//   segs FILE  prints for each lump with segs: its map, its name, its signature
//       or - for vanilla SEGS, and how many of its segs have a linedef
//   damage-segs FILE MAP LUMP FROM TO
//       makes all segs of linedef FROM segs of TO; prints the first's number
//   damage IN COUNT SEED OUT  writes a WAD of COUNT maps: those of IN in turn,
//       each BLOCKMAP damaged in another way
//   judge FILE HEADERS
//       prints for each map: its name; how many linedefs are missing in lists
//       that can be read, are in blocks outside the grid, and are listed in
//       blocks that they are not in, and how many lists cannot be read, or
//       "- - - -" without a grid; then a word for each engine family.  The file
//       HEADERS has for each map its name and what its lists begin with:
//       "zero", "any", "mixed" or "none"
//   engines  prints the names of the engine families, in that order
//   compare OLD NEW
//       compares BLOCKMAP lumps of the same maps.  Each of NEW must have the
//       grid of the one in OLD, for every block the same set of linedefs,
//       headers of 0 and no more bytes; in OLD the first words of lists are
//       headers if all are 0.  Prints how many maps there are
//   plain FILE OUT
//       the lists of all blockmaps as plain ones, word by word the same: equal
//       ones stored once, none inside another
//   tame FILE OUT [MAP...]
//       all maps, or these, without exits and without floors that hurt
//   drop FILE MAP LINEDEF OUT
//       a map with linedef 0 instead of this one in the lists of its blockmap
//   closets CELLS COUNT SEED OUT
//       so many maps of CELLS x CELLS rooms, within a border of sky, many of
//       them closed for good; see closed-map.h
//   crowd KIND COUNT SAME OUT
//       a file of so many maps that share their linedefs and, where SAME is
//       "alike" and not "different", all lumps: "tiny" ones, such with large
//       "grids", or "grids-with-lumps" of one block, or with many long "lines"
//   random COUNT SEED KIND OUT
//       so many random maps, at most 32, that engines load: with lines of no
//       length, "points", or with vertices of no line, "spare"
//   vast-lump KIND MEBIBYTES OUT
//       a map with a large lump: "zeros", a table of them; "classic", 57,600
//       blocks with the same list; "xbm1", 262,144 with a list each; these
//       lists end at the end of the lump
//   sectors COUNT OUT
//       a map in UDMF with so many empty sectors
//   tile FILE MAP COLUMNS ROWS OUT
//       a map so many times side by side, for a node builder; only the last
//       tile, in the north-east, has specials and the player, who starts at its
//       northernmost start for deathmatch

#include "wadtool.h"

#include "blocklists.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_SIZE = 8, // bytes
    // A name as it is printed, and its NUL.
    PRINTED_NAME_SIZE = 4 * NAME_SIZE + 1,
    LINE_SIZE = 512,
};

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("wadtool: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void put_number(unsigned char *bytes, size_t size, uint32_t value)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> 8 * i & 0xFF);
}

uint32_t parse_number(const char *text, uint32_t lowest, uint32_t highest)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || number < lowest || number > highest)
        fail("'%s' is no number from %" PRIu32 " to %" PRIu32, text, lowest,
             highest);
    return (uint32_t)number;
}

// ---------------------------------------------------------------------------
// Names

static void print_name(const struct wadfile_lump *lump, char *name)
{
    const unsigned char *raw = (const unsigned char *)lump->name;
    size_t length = NAME_SIZE;
    while (length > 0 && raw[length - 1] == '\0')
        length--;
    for (size_t i = 0; i < length; i++)
        if (raw[i] > ' ' && raw[i] < 0x7F && raw[i] != '\\')
            *name++ = (char)raw[i];
        else
            name += sprintf(name, "\\%03o", (unsigned)raw[i]);
    *name = '\0';
}

static void parse_name(const char *name, char *raw)
{
    size_t length = 0;
    memset(raw, 0, NAME_SIZE + 1);
    for (const char *c = name; *c; c++) {
        unsigned byte = (unsigned char)*c;
        if (*c == '\\' && sscanf(c + 1, "%3o", &byte) == 1)
            c += 3;
        if (length == NAME_SIZE)
            fail("'%s' is too long for a name", name);
        raw[length++] = (char)byte;
    }
}

static bool has_name(const struct wadfile *wad, size_t number, const char *name,
                     size_t length)
{
    char printed[PRINTED_NAME_SIZE];
    print_name(&wad->lumps[number], printed);
    return strlen(printed) == length && memcmp(printed, name, length) == 0;
}

static size_t find_marker(const struct wadfile *wad, const char *name,
                          size_t length)
{
    for (size_t i = 0; i + 1 < wad->lump_count; i++)
        if (has_name(wad, i, name, length))
            return i;
    fail("there is no marker %.*s", (int)length, name);
}

static size_t find_in_map(const struct wadfile *wad, size_t marker,
                          const char *name)
{
    const char *first = wad->lumps[marker + 1].name;
    for (size_t i = marker + 1; i < wad->lump_count; i++) {
        if (has_name(wad, i, name, strlen(name)))
            return i;
        if (i > marker + 1 && strcmp(wad->lumps[i].name, first) == 0)
            break;
    }
    fail("there is no lump %s in the map", name);
}

static size_t find_lump(const struct wadfile *wad, const char *lump)
{
    const char *slash = strchr(lump, '/');
    if (slash)
        return find_in_map(wad, find_marker(wad, lump, (size_t)(slash - lump)),
                           slash + 1);
    size_t number = parse_number(lump, 0, UINT32_MAX);
    if (number >= wad->lump_count)
        fail("there is no lump %zu", number);
    return number;
}

// ---------------------------------------------------------------------------
// Looking

// FNV-1a.
static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0xCBF29CE484222325;
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * 0x100000001B3;
    return value;
}

static void list(struct wadfile *wad, char **arguments)
{
    (void)arguments;
    for (size_t i = 0; i < wad->lump_count; i++) {
        const struct wadfile_lump *lump = &wad->lumps[i];
        char name[PRINTED_NAME_SIZE];
        print_name(lump, name);
        printf("%zu %s %zu %zu %016" PRIx64 "\n", i, name, lump->size_told,
               lump->size, hash(lump->data, lump->size));
    }
}

static void overlaps(struct wadfile *wad, char **arguments)
{
    (void)arguments;
    for (size_t i = 0; i < wad->lump_count; i++) {
        const struct wadfile_lump *a = &wad->lumps[i];
        for (size_t j = i + 1; j < wad->lump_count; j++) {
            const struct wadfile_lump *b = &wad->lumps[j];
            if (a->size_told > 0 && b->size_told > 0 &&
                a->position < (uint64_t)b->position + b->size_told &&
                b->position < (uint64_t)a->position + a->size_told)
                printf("%zu %zu %" PRId64 "\n", i, j,
                       (int64_t)b->position - (int64_t)a->position);
        }
    }
}

static void extract(struct wadfile *wad, char **arguments)
{
    const struct wadfile_lump *lump = &wad->lumps[find_lump(wad, arguments[1])];
    fwrite(lump->data, 1, lump->size, stdout);
}

static void blockmap(struct wadfile *wad, char **arguments)
{
    const struct wadfile_lump *lump = &wad->lumps[find_lump(wad, arguments[1])];
    struct blocklists lists;
    if (!blocklists_open(lump->data, lump->size, &lists))
        fail("%s: %s is no blockmap", arguments[0], arguments[1]);
    printf("%" PRId32 " %" PRId32 " %" PRIu32 " %" PRIu32 " %zu %zu\n",
           lists.grid.origin_x, lists.grid.origin_y, lists.grid.columns,
           lists.grid.rows, lists.word_count, lists.largest_offset);
    blocklists_free(&lists);
}

// ---------------------------------------------------------------------------
// Changing

// The names of two fields of 4 bytes, one after the other.
struct fields {
    const char *first, *second;
};

static void set_field(unsigned char *bytes, struct fields fields,
                      const char *field, const char *value)
{
    bool is_second = strcmp(field, fields.second) == 0;
    if (!is_second && strcmp(field, fields.first) != 0)
        fail("'%s': %s or %s was expected", field, fields.first, fields.second);
    put_number(bytes + 4 * is_second, 4, parse_number(value, 0, UINT32_MAX));
}

static void set(struct wadfile *wad, char **arguments)
{
    if (!arguments[3])
        set_field(wad->bytes + 4, (struct fields){"count", "directory"},
                  arguments[1], arguments[2]);
    else
        set_field(wadfile_entry(wad, find_lump(wad, arguments[1])),
                  (struct fields){"position", "size"}, arguments[2],
                  arguments[3]);
    wadfile_write_bytes(arguments[0], wad->bytes, wad->size);
}

// ---------------------------------------------------------------------------
// Making

static void share_bytes(struct wadwriter *output, const char *name, size_t lump,
                        size_t skip, size_t size)
{
    enum { ENTRY_SIZE = 16 };
    if (lump >= output->count)
        fail("there is no earlier lump %zu", lump);
    size_t begin =
        wad_number(output->directory.bytes + lump * ENTRY_SIZE, 4) + skip;
    if (begin + size > wadwriter_position(output))
        fail("the bytes to share have not been written");
    wadwriter_put_entry(output, name, begin, size);
}

static void put_lump(struct wadwriter *output, const char *line)
{
    char word[LINE_SIZE] = "";
    char path[LINE_SIZE];
    char name[NAME_SIZE + 1];
    size_t lump, skip, size;
    struct buffer bytes = {0};
    if (sscanf(line, "%s %s", word, path) == 2 && path[0] != '@')
        bytes = buffer_read_file(path);
    parse_name(word, name);
    if (sscanf(line, "%*s @%zu %zu %zu", &lump, &skip, &size) == 3)
        share_bytes(output, name, lump, skip, size);
    else
        wadwriter_put(output, name, bytes.bytes, bytes.size);
    buffer_free(&bytes);
    // There may be NULs in the middle of it.
    memcpy(output->directory.bytes + output->directory.size - NAME_SIZE, name,
           NAME_SIZE);
}

static void make(struct wadfile *none, char **arguments)
{
    (void)none;
    struct wadwriter output = {0};
    char line[LINE_SIZE];
    if (strlen(arguments[0]) != 4)
        fail("'%s': IWAD or PWAD was expected", arguments[0]);
    while (fgets(line, sizeof line, stdin))
        put_lump(&output, line);
    struct buffer wad = wadwriter_finish(&output, arguments[0]);
    wadfile_write_bytes(arguments[1], wad.bytes, wad.size);
    buffer_free(&wad);
}

// ---------------------------------------------------------------------------

static struct wadfile read_none(const char *argument)
{
    (void)argument;
    return (struct wadfile){0};
}

static const struct {
    const char *name;
    int least, most; // arguments
    void (*run)(struct wadfile *wad, char **arguments);
    struct wadfile (*read)(const char *path);
} commands[] = {
    {"make", 2, 2, make, read_none},
    {"list", 1, 1, list, wadfile_read_damaged},
    {"overlaps", 1, 1, overlaps, wadfile_read_damaged},
    {"extract", 2, 2, extract, wadfile_read_damaged},
    {"blockmap", 2, 2, blockmap, wadfile_read_damaged},
    {"set", 3, 4, set, wadfile_read_damaged},
    {"convert", 3, 100, wadtool_convert, wadfile_read},
    {"ends", 2, 2, wadtool_ends, wadfile_read},
    {"segs", 1, 1, wadtool_segs, wadfile_read},
    {"damage-segs", 5, 5, wadtool_damage_segs, wadfile_read},
    {"damage", 4, 4, wadtool_damage, wadfile_read},
    {"judge", 2, 2, wadtool_judge, wadfile_read},
    {"engines", 0, 0, wadtool_engines, read_none},
    {"compare", 2, 2, wadtool_compare, wadfile_read},
    {"plain", 2, 2, wadtool_plain, wadfile_read},
    {"tame", 2, 100, wadtool_tame, wadfile_read},
    {"drop", 4, 4, wadtool_drop, wadfile_read},
    {"tile", 5, 5, wadtool_tile, wadfile_read},
    {"closets", 4, 4, wadtool_closets, read_none},
    {"crowd", 4, 4, wadtool_crowd, read_none},
    {"random", 4, 4, wadtool_random, read_none},
    {"vast-lump", 3, 3, wadtool_vast_lump, read_none},
    {"sectors", 2, 2, wadtool_sectors, read_none},
};

int main(int argc, char **argv)
{
    int count = argc - 2;
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[1]) == 0 &&
            count >= commands[i].least && count <= commands[i].most) {
            struct wadfile wad = commands[i].read(argv[2]);
            commands[i].run(&wad, argv + 2);
            wadfile_free(&wad);
            if (fclose(stdout) != 0)
                fail("standard output cannot be written");
            return 0;
        }
    fail("usage: see the top of wadtool.c");
}
