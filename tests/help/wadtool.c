// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes, lists and damages WAD files for the tests of the command.  It reads
// and writes them by itself, so that a mistake of the command's is not made
// twice.
//
//   make KIND FILE    writes a WAD of this kind, IWAD or PWAD, from a recipe
//   list FILE         prints a line for each lump: its number, name, size,
//                     how many of its bytes are in the file, a hash of those
//   overlaps FILE     prints a line for each two lumps that share bytes: their
//                     numbers, how far the second begins behind the first
//   extract FILE LUMP         prints the bytes of a lump
//   blockmap FILE LUMP        prints origin x and y, columns, rows, words and
//                             the largest offset of a BLOCKMAP lump
//   set FILE FIELD N          sets a field of the header: count, directory
//   set FILE LUMP FIELD N     sets a field of an entry: position, size
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

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes in bytes.
enum {
    HEADER_SIZE = 12,
    ENTRY_SIZE = 16,
    NAME_SIZE = 8,
    // A name as it is printed, and its NUL.
    PRINTED_NAME_SIZE = 4 * NAME_SIZE + 1,
};

// Where the fields are in the header, and in an entry.
enum { COUNT_AT = 4, DIRECTORY_AT = 8 };
enum { POSITION_AT = 0, SIZE_AT = 4, NAME_AT = 8 };

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("wadtool: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static uint32_t get_u16(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t get_u32(const unsigned char *bytes)
{
    return get_u16(bytes) | get_u16(bytes + 2) << 16;
}

static void put_u32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> 8 * i & 0xFF);
}

static uint32_t parse_number(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || number > UINT32_MAX)
        fail("'%s': a number of 32 bits was expected", text);
    return (uint32_t)number;
}

// ---------------------------------------------------------------------------
// Files and their directories

struct file {
    unsigned char *bytes;
    size_t size;
};

static struct file read_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        fail("%s cannot be read", path);
    long size = ftell(stream);
    if (size < 0)
        fail("%s cannot be read", path);
    struct file file = {.bytes = malloc((size_t)size + 1),
                        .size = (size_t)size};
    rewind(stream);
    if (!file.bytes || fread(file.bytes, 1, file.size, stream) != file.size)
        fail("%s cannot be read", path);
    fclose(stream);
    return file;
}

static void write_file(const char *path, const struct file *file)
{
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(file->bytes, 1, file->size, stream) != file->size ||
        fclose(stream) != 0)
        fail("%s cannot be written", path);
}

struct entry {
    char name[PRINTED_NAME_SIZE];
    uint32_t position;
    uint32_t size;
    uint32_t size_inside; // how many of the bytes are in the file
};

static void print_name(const unsigned char *raw, char *name)
{
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

static size_t entry_count(const struct file *wad)
{
    return get_u32(wad->bytes + COUNT_AT);
}

static unsigned char *entry_at(const struct file *wad, size_t number)
{
    return wad->bytes + get_u32(wad->bytes + DIRECTORY_AT) +
           number * ENTRY_SIZE;
}

// Reads a file whose directory must be whole.
static struct file read_wad(const char *path)
{
    struct file wad = read_file(path);
    if (wad.size < HEADER_SIZE ||
        get_u32(wad.bytes + DIRECTORY_AT) > wad.size ||
        entry_count(&wad) >
            (wad.size - get_u32(wad.bytes + DIRECTORY_AT)) / ENTRY_SIZE)
        fail("%s: no header, or no whole directory", path);
    return wad;
}

static struct entry read_entry(const struct file *wad, size_t number)
{
    const unsigned char *bytes = entry_at(wad, number);
    struct entry entry = {.position = get_u32(bytes + POSITION_AT),
                          .size = get_u32(bytes + SIZE_AT)};
    print_name(bytes + NAME_AT, entry.name);
    if (entry.position < wad->size) {
        size_t available = wad->size - entry.position;
        entry.size_inside =
            available < entry.size ? (uint32_t)available : entry.size;
    }
    return entry;
}

static bool has_name(const struct file *wad, size_t number, const char *name,
                     size_t name_length)
{
    struct entry entry = read_entry(wad, number);
    return strlen(entry.name) == name_length &&
           memcmp(entry.name, name, name_length) == 0;
}

static size_t find_marker(const struct file *wad, const char *name,
                          size_t name_length)
{
    for (size_t i = 0; i + 1 < entry_count(wad); i++)
        if (has_name(wad, i, name, name_length))
            return i;
    fail("there is no marker %.*s", (int)name_length, name);
}

static size_t find_in_map(const struct file *wad, size_t marker,
                          const char *name)
{
    struct entry first = read_entry(wad, marker + 1);
    for (size_t i = marker + 1; i < entry_count(wad); i++) {
        if (has_name(wad, i, name, strlen(name)))
            return i;
        if (i > marker + 1 && has_name(wad, i, first.name, strlen(first.name)))
            break;
    }
    fail("there is no lump %s in the map", name);
}

static size_t find_lump(const struct file *wad, const char *lump)
{
    const char *slash = strchr(lump, '/');
    if (slash)
        return find_in_map(wad, find_marker(wad, lump, (size_t)(slash - lump)),
                           slash + 1);
    size_t number = parse_number(lump);
    if (number >= entry_count(wad))
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

static void list(const char *path)
{
    struct file wad = read_wad(path);
    for (size_t i = 0; i < entry_count(&wad); i++) {
        struct entry entry = read_entry(&wad, i);
        size_t begin = entry.size_inside > 0 ? entry.position : 0;
        printf("%zu %s %" PRIu32 " %" PRIu32 " %016" PRIx64 "\n", i, entry.name,
               entry.size, entry.size_inside,
               hash(wad.bytes + begin, entry.size_inside));
    }
    free(wad.bytes);
}

static void print_overlap(const struct file *wad, size_t a, size_t b)
{
    struct entry first = read_entry(wad, a);
    struct entry second = read_entry(wad, b);
    uint64_t first_end = (uint64_t)first.position + first.size;
    uint64_t second_end = (uint64_t)second.position + second.size;
    if (first.size > 0 && second.size > 0 && first.position < second_end &&
        second.position < first_end)
        printf("%zu %zu %" PRId64 "\n", a, b,
               (int64_t)second.position - (int64_t)first.position);
}

static void overlaps(const char *path)
{
    struct file wad = read_wad(path);
    for (size_t a = 0; a < entry_count(&wad); a++)
        for (size_t b = a + 1; b < entry_count(&wad); b++)
            print_overlap(&wad, a, b);
    free(wad.bytes);
}

static void extract(const char *path, const char *lump)
{
    struct file wad = read_wad(path);
    struct entry entry = read_entry(&wad, find_lump(&wad, lump));
    if (entry.size_inside > 0)
        fwrite(wad.bytes + entry.position, 1, entry.size_inside, stdout);
    free(wad.bytes);
}

static int to_signed(uint32_t word)
{
    return word < 0x8000 ? (int)word : (int)word - 0x10000;
}

static void blockmap(const char *path, const char *lump)
{
    struct file wad = read_wad(path);
    struct entry entry = read_entry(&wad, find_lump(&wad, lump));
    const unsigned char *bytes = wad.bytes + entry.position;
    uint32_t words = entry.size_inside / 2;
    uint32_t columns = words < 4 ? 0 : get_u16(bytes + 4);
    uint32_t rows = words < 4 ? 0 : get_u16(bytes + 6);
    if (words < 4 || columns * rows > words - 4)
        fail("%s: %s is no blockmap", path, lump);
    uint32_t largest = 0;
    for (size_t block = 0; block < columns * rows; block++) {
        uint32_t offset = get_u16(bytes + 8 + 2 * block);
        largest = offset > largest ? offset : largest;
    }
    printf("%d %d %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
           to_signed(get_u16(bytes)), to_signed(get_u16(bytes + 2)), columns,
           rows, words, largest);
    free(wad.bytes);
}

// ---------------------------------------------------------------------------
// Damaging

static void set_header(const char *path, const char *field, const char *value)
{
    struct file wad = read_wad(path);
    size_t at;
    if (strcmp(field, "count") == 0)
        at = COUNT_AT;
    else if (strcmp(field, "directory") == 0)
        at = DIRECTORY_AT;
    else
        fail("'%s': count or directory was expected", field);
    put_u32(wad.bytes + at, parse_number(value));
    write_file(path, &wad);
    free(wad.bytes);
}

static void set_entry(const char *path, const char *lump, const char *field,
                      const char *value)
{
    struct file wad = read_wad(path);
    unsigned char *entry = entry_at(&wad, find_lump(&wad, lump));
    if (strcmp(field, "position") == 0)
        put_u32(entry + POSITION_AT, parse_number(value));
    else if (strcmp(field, "size") == 0)
        put_u32(entry + SIZE_AT, parse_number(value));
    else
        fail("'%s': position or size was expected", field);
    write_file(path, &wad);
    free(wad.bytes);
}

// ---------------------------------------------------------------------------
// Making

enum { MOST_LUMPS = 32768, LINE_SIZE = 512 };

// A WAD in the making; `directory` has the entries as they will be in it.
struct recipe {
    FILE *stream;
    uint32_t position;
    unsigned char directory[MOST_LUMPS][ENTRY_SIZE];
    size_t count;
};

static void parse_name(const char *name, unsigned char *raw)
{
    size_t length = 0;
    memset(raw, 0, NAME_SIZE);
    for (const char *c = name; *c; c++) {
        unsigned byte = (unsigned char)*c;
        if (*c == '\\' && sscanf(c + 1, "%3o", &byte) == 1)
            c += 3;
        if (length == NAME_SIZE)
            fail("'%s' is too long for a name", name);
        raw[length++] = (unsigned char)byte;
    }
}

static void add_bytes(struct recipe *recipe, const char *path,
                      unsigned char *entry)
{
    struct file file = read_file(path);
    put_u32(entry + POSITION_AT, recipe->position);
    put_u32(entry + SIZE_AT, (uint32_t)file.size);
    fwrite(file.bytes, 1, file.size, recipe->stream);
    recipe->position += (uint32_t)file.size;
    free(file.bytes);
}

static void share_bytes(struct recipe *recipe, size_t lump, uint32_t skip,
                        uint32_t size, unsigned char *entry)
{
    if (lump >= recipe->count)
        fail("there is no earlier lump %zu", lump);
    uint32_t begin = get_u32(recipe->directory[lump] + POSITION_AT) + skip;
    if (begin > recipe->position || size > recipe->position - begin)
        fail("the bytes to share have not been written");
    put_u32(entry + POSITION_AT, begin);
    put_u32(entry + SIZE_AT, size);
}

static void add_lump(struct recipe *recipe, const char *line)
{
    char name[LINE_SIZE];
    char path[LINE_SIZE];
    size_t lump;
    uint32_t skip, size;
    if (recipe->count == MOST_LUMPS)
        fail("there are more than %d lumps", MOST_LUMPS);
    unsigned char *entry = recipe->directory[recipe->count];
    int words = sscanf(line, "%s %s", name, path);
    put_u32(entry + POSITION_AT, recipe->position);
    if (sscanf(line, "%*s @%zu %" SCNu32 " %" SCNu32, &lump, &skip, &size) == 3)
        share_bytes(recipe, lump, skip, size, entry);
    else if (words == 2)
        add_bytes(recipe, path, entry);
    parse_name(words > 0 ? name : "", entry + NAME_AT);
    recipe->count++;
}

static void make(const char *kind, const char *path)
{
    static struct recipe recipe;
    unsigned char header[HEADER_SIZE] = {0};
    char line[LINE_SIZE];
    if (strlen(kind) != 4)
        fail("'%s': IWAD or PWAD was expected", kind);
    recipe.stream = fopen(path, "wb");
    if (!recipe.stream)
        fail("%s cannot be written", path);
    fwrite(header, 1, sizeof header, recipe.stream);
    recipe.position = sizeof header;
    while (fgets(line, sizeof line, stdin))
        add_lump(&recipe, line);
    memcpy(header, kind, 4);
    put_u32(header + COUNT_AT, (uint32_t)recipe.count);
    put_u32(header + DIRECTORY_AT, recipe.position);
    fwrite(recipe.directory, ENTRY_SIZE, recipe.count, recipe.stream);
    rewind(recipe.stream);
    fwrite(header, 1, sizeof header, recipe.stream);
    if (ferror(recipe.stream) || fclose(recipe.stream) != 0)
        fail("%s cannot be written", path);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "make") == 0 && argc == 4)
        make(argv[2], argv[3]);
    else if (strcmp(command, "list") == 0 && argc == 3)
        list(argv[2]);
    else if (strcmp(command, "overlaps") == 0 && argc == 3)
        overlaps(argv[2]);
    else if (strcmp(command, "extract") == 0 && argc == 4)
        extract(argv[2], argv[3]);
    else if (strcmp(command, "blockmap") == 0 && argc == 4)
        blockmap(argv[2], argv[3]);
    else if (strcmp(command, "set") == 0 && argc == 5)
        set_header(argv[2], argv[3], argv[4]);
    else if (strcmp(command, "set") == 0 && argc == 6)
        set_entry(argv[2], argv[3], argv[4], argv[5]);
    else
        fail("usage: see the top of wadtool.c");
    if (fclose(stdout) != 0)
        fail("standard output cannot be written");
    return 0;
}
