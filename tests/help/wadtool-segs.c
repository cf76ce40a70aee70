// SPDX-License-Identifier: GPL-2.0-or-later
//
// The segs that node builders make.

#include "wadtool.h"

#include "compress.h"

#include "nbstage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

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
    return wad_number(bytes->bytes + *at - sizeof(uint32_t), sizeof(uint32_t));
}

// Passes the vertices and the subsectors of extended nodes.
static void find_extended_segs(struct segs *segs)
{
    enum { ADDED_VERTEX_SIZE = 8, SUBSECTOR_SIZE = 4 }; // bytes
    size_t at = SIGNATURE_SIZE;
    take_number(&segs->bytes, &at); // of the map's own vertices
    size_t vertices = take_number(&segs->bytes, &at);
    at += vertices * ADDED_VERTEX_SIZE;
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
// segs

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
        count += wad_number(linedef, form->linedef_size) != none;
    return count;
}

void wadtool_segs(struct wadfile *wad, char **arguments)
{
    (void)arguments;
    const char *map = "-";
    for (size_t i = 0; i < wad->lump_count; i++) {
        const struct wadfile_lump *lump = &wad->lumps[i];
        if (follows_marker(wad, i))
            map = wad->lumps[i - 1].name;
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
}

// ---------------------------------------------------------------------------
// damage-segs

// Relabels segs and returns the number of the first.
static size_t relabel(struct segs *segs, uint32_t from, uint32_t to)
{
    const struct form *form = segs->form;
    size_t first = segs->count;
    for (size_t i = segs->count; i-- > 0;) {
        unsigned char *linedef = segs->bytes.bytes + segs->first +
                                 i * form->seg_size + form->linedef_at;
        if (wad_number(linedef, form->linedef_size) == from) {
            put_number(linedef, form->linedef_size, to);
            first = i;
        }
    }
    if (first == segs->count)
        fail("linedef %" PRIu32 " has no seg", from);
    return first;
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

void wadtool_damage_segs(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    size_t index =
        find_lump(wad, find_lump(wad, 0, arguments[1]), arguments[2]);
    struct segs segs = open_segs(&wad->lumps[index]);
    printf("%zu\n", relabel(&segs, parse_number(arguments[3], 0, UINT32_MAX),
                            parse_number(arguments[4], 0, UINT32_MAX)));
    if (is_compressed(&wad->lumps[index], segs.form)) {
        struct buffer stream =
            compress_bytes(NBSTAGE_ZLIB, segs.bytes.bytes + SIGNATURE_SIZE,
                           segs.bytes.size - SIGNATURE_SIZE);
        segs.bytes.size = SIGNATURE_SIZE;
        buffer_put(&segs.bytes, stream.bytes, stream.size);
        buffer_free(&stream);
    }
    for (size_t i = 0; i < wad->lump_count; i++)
        if (i == index)
            wadwriter_put(&output, wad->lumps[i].name, segs.bytes.bytes,
                          segs.bytes.size);
        else
            wadwriter_put(&output, wad->lumps[i].name, wad->lumps[i].data,
                          wad->lumps[i].size);
    wadwriter_write(&output, arguments[0]);
    buffer_free(&segs.bytes);
}
