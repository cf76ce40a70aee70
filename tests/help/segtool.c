// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists and damages the segs that node builders make.
//
//   list FILE   prints a line for each lump with segs: its map, its name, its
//               signature or - for vanilla SEGS, and how many of its segs
//               have a linedef
//   damage FILE MAP LUMP FROM TO
//               makes all segs of linedef FROM in a lump segs of linedef TO,
//               and prints the number of the first

#include "buffer.h"
#include "wadfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("segtool: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static uint32_t get_number(const unsigned char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static void put_number(unsigned char *bytes, size_t size, uint32_t value)
{
    for (size_t i = 0; i < size; i++)
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
// The forms of segs

// Sizes and places in bytes.
struct form {
    const char *signature; // of the form that is not compressed
    size_t seg_size;
    size_t linedef_at; // in a seg
    size_t linedef_size;
};

enum { SIGNATURE_SIZE = 4 };

static const struct form vanilla = {"-", 12, 6, 2};

static const struct form extended[] = {
    {"XNOD", 11, 8, 2},
    {"XGLN", 11, 8, 2},
    {"XGL2", 13, 8, 4},
    {"XGL3", 13, 8, 4},
};

// NULL if the lump has no segs.
static const struct form *find_form(const struct wadfile_lump *lump)
{
    if (strcmp(lump->name, "SEGS") == 0)
        return lump->size > 0 ? &vanilla : NULL;
    if (lump->size < SIGNATURE_SIZE ||
        (lump->data[0] != 'X' && lump->data[0] != 'Z'))
        return NULL;
    for (size_t i = 0; i < sizeof extended / sizeof *extended; i++)
        if (memcmp(lump->data + 1, extended[i].signature + 1,
                   SIGNATURE_SIZE - 1) == 0)
            return &extended[i];
    return NULL;
}

static bool is_compressed(const struct wadfile_lump *lump,
                          const struct form *form)
{
    return form != &vanilla && lump->data[0] == 'Z';
}

// ---------------------------------------------------------------------------
// Opening a lump

struct segs {
    const struct form *form;
    struct buffer bytes; // of the lump, inflated behind the signature
    size_t first;        // where they are in `bytes`
    size_t count;
};

static void inflate_nodes(const struct wadfile_lump *lump, struct buffer *bytes)
{
    enum { MOST = 1 << 24 }; // bytes
    uLongf size = MOST;
    if (uncompress(buffer_reserve(bytes, MOST), &size,
                   lump->data + SIGNATURE_SIZE,
                   (uLong)lump->size - SIGNATURE_SIZE) != Z_OK)
        fail("%s cannot be inflated to at most %d bytes", lump->name, MOST);
    bytes->size += size;
}

// Takes a number at *at and passes it.
static size_t take_number(const struct buffer *bytes, size_t *at)
{
    if (*at + sizeof(uint32_t) > bytes->size)
        fail("the extended nodes are cut off");
    *at += sizeof(uint32_t);
    return get_number(bytes->bytes + *at - sizeof(uint32_t), sizeof(uint32_t));
}

// Passes the vertices and the subsectors of extended nodes.
static void find_extended_segs(struct segs *segs)
{
    enum { VERTEX_SIZE = 8, SUBSECTOR_SIZE = 4 }; // bytes
    size_t at = SIGNATURE_SIZE;
    take_number(&segs->bytes, &at); // of the map's own vertices
    size_t vertices = take_number(&segs->bytes, &at);
    at += vertices * VERTEX_SIZE;
    size_t subsectors = take_number(&segs->bytes, &at);
    at += subsectors * SUBSECTOR_SIZE;
    segs->count = take_number(&segs->bytes, &at);
    segs->first = at;
}

// Opens a lump; its bytes are the caller's to free.
static struct segs open_segs(const struct wadfile_lump *lump)
{
    struct segs segs = {.form = find_form(lump)};
    if (!segs.form)
        fail("%s has no segs", lump->name);
    if (is_compressed(lump, segs.form)) {
        buffer_put(&segs.bytes, lump->data, SIGNATURE_SIZE);
        inflate_nodes(lump, &segs.bytes);
    } else {
        buffer_put(&segs.bytes, lump->data, lump->size);
    }
    if (segs.form == &vanilla)
        segs.count = segs.bytes.size / vanilla.seg_size;
    else
        find_extended_segs(&segs);
    if (segs.first + segs.count * segs.form->seg_size > segs.bytes.size)
        fail("%s is cut off in its segs", lump->name);
    return segs;
}

// ---------------------------------------------------------------------------
// list

// Whether the lump before this one is the marker of a map.
static bool follows_marker(const struct wadfile *wad, size_t index)
{
    return index > 0 && (strcmp(wad->lumps[index].name, "THINGS") == 0 ||
                         strcmp(wad->lumps[index].name, "TEXTMAP") == 0);
}

static size_t count_with_linedef(const struct segs *segs)
{
    const struct form *form = segs->form;
    const uint32_t none = form->linedef_size == 2 ? 0xFFFF : UINT32_MAX;
    const unsigned char *linedef =
        segs->bytes.bytes + segs->first + form->linedef_at;
    size_t count = 0;
    for (size_t i = 0; i < segs->count; i++, linedef += form->seg_size)
        count += get_number(linedef, form->linedef_size) != none;
    return count;
}

static void list(const char *path)
{
    struct wadfile wad = wadfile_read(path);
    const char *map = "-";
    for (size_t i = 0; i < wad.lump_count; i++) {
        const struct wadfile_lump *lump = &wad.lumps[i];
        if (follows_marker(&wad, i))
            map = wad.lumps[i - 1].name;
        if (!find_form(lump))
            continue;
        struct segs segs = open_segs(lump);
        const char *signature = segs.form == &vanilla
                                    ? vanilla.signature
                                    : (const char *)segs.bytes.bytes;
        printf("%s %s %.*s %zu\n", map, lump->name, SIGNATURE_SIZE, signature,
               count_with_linedef(&segs));
        buffer_free(&segs.bytes);
    }
    wadfile_free(&wad);
}

// ---------------------------------------------------------------------------
// damage

// Relabels segs and returns the number of the first.
static size_t relabel(struct segs *segs, uint32_t from, uint32_t to)
{
    const struct form *form = segs->form;
    size_t first = segs->count;
    for (size_t i = segs->count; i-- > 0;) {
        unsigned char *linedef = segs->bytes.bytes + segs->first +
                                 i * form->seg_size + form->linedef_at;
        if (get_number(linedef, form->linedef_size) == from) {
            put_number(linedef, form->linedef_size, to);
            first = i;
        }
    }
    if (first == segs->count)
        fail("linedef %" PRIu32 " has no seg", from);
    return first;
}

// Compresses what is behind the signature.
static void deflate_nodes(struct buffer *bytes)
{
    struct buffer deflated = {0};
    uLong size = (uLong)bytes->size - SIGNATURE_SIZE;
    uLongf room = compressBound(size);
    buffer_put(&deflated, bytes->bytes, SIGNATURE_SIZE);
    if (compress(buffer_reserve(&deflated, room), &room,
                 bytes->bytes + SIGNATURE_SIZE, size) != Z_OK)
        fail("the nodes cannot be deflated");
    deflated.size += room;
    buffer_free(bytes);
    *bytes = deflated;
}

// Appends bytes to the file and makes them those of a lump.
static void replace_lump(const char *path, const struct wadfile *wad,
                         size_t index, const struct buffer *bytes)
{
    enum { DIRECTORY_AT = 8, ENTRY_SIZE = 16 }; // bytes
    unsigned char *entry = wad->bytes + index * ENTRY_SIZE +
                           get_number(wad->bytes + DIRECTORY_AT, 4);
    put_number(entry, 4, (uint32_t)wad->size);
    put_number(entry + 4, 4, (uint32_t)bytes->size);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(wad->bytes, 1, wad->size, file) != wad->size ||
        fwrite(bytes->bytes, 1, bytes->size, file) != bytes->size ||
        fclose(file) != 0)
        fail("%s cannot be written", path);
}

// The first lump of a name at or behind `index`.
static size_t find_lump(const struct wadfile *wad, size_t index,
                        const char *name)
{
    while (index < wad->lump_count && strcmp(wad->lumps[index].name, name) != 0)
        index++;
    if (index == wad->lump_count)
        fail("there is no lump %s", name);
    return index;
}

static void damage(const char *path, const char *map, const char *lump_name,
                   uint32_t from, uint32_t to)
{
    struct wadfile wad = wadfile_read(path);
    size_t index = find_lump(&wad, find_lump(&wad, 0, map), lump_name);
    struct segs segs = open_segs(&wad.lumps[index]);
    printf("%zu\n", relabel(&segs, from, to));
    if (is_compressed(&wad.lumps[index], segs.form))
        deflate_nodes(&segs.bytes);
    replace_lump(path, &wad, index, &segs.bytes);
    buffer_free(&segs.bytes);
    wadfile_free(&wad);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "list") == 0 && argc == 3)
        list(argv[2]);
    else if (strcmp(command, "damage") == 0 && argc == 7)
        damage(argv[2], argv[3], argv[4], parse_number(argv[5]),
               parse_number(argv[6]));
    else
        fail("usage: see the top of segtool.c");
    if (fclose(stdout) != 0)
        fail("standard output cannot be written");
    return 0;
}
