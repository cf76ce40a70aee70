// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps in the forms that tests of builders need.

#include "wadtool.h"

#include "doom-map.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// convert, binary forms

static bool has_lump(const struct wadfile_map *map, const char *name)
{
    for (size_t i = 0; i < map->lump_count; i++)
        if (strcmp(map->lumps[i].name, name) == 0)
            return true;
    return false;
}

// Puts a map with the lumps that it has in another form, too.
static void put_binary(struct wadwriter *output, const struct wadfile_map *map,
                       struct lump_set (*convert)(const struct doom_map *))
{
    struct doom_map decoded = doom_map_decode(map);
    struct lump_set set = convert(&decoded);
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct wadfile_lump *lump = &map->lumps[i];
        const struct nbstage_lump *other = NULL;
        for (size_t l = 0; l < set.count; l++)
            if (strcmp(set.lumps[l].name, lump->name) == 0)
                other = &set.lumps[l];
        wadwriter_put(output, lump->name, other ? other->data : lump->data,
                      other ? other->data_size : lump->size);
    }
    for (size_t l = 0; l < set.count; l++)
        if (!has_lump(map, set.lumps[l].name))
            wadwriter_put(output, set.lumps[l].name, set.lumps[l].data,
                          set.lumps[l].data_size);
    lump_set_free(&set);
    doom_map_free(&decoded);
}

// ---------------------------------------------------------------------------
// convert, UDMF

const struct element elements[ELEMENT_KINDS] = {
    {"thing",
     "THINGS",
     THING_SIZE,
     {{"x", 0, WORD_X},
      {"y", 2, WORD_Y},
      {"angle", 4, WORD_UNSIGNED},
      {"type", 6, WORD_UNSIGNED}},
     "skill3 = true;\nsingle = true;\n"},
    {"vertex",
     "VERTEXES",
     VERTEX_SIZE,
     {{"x", 0, WORD_X}, {"y", 2, WORD_Y}},
     ""},
    {"linedef",
     "LINEDEFS",
     LINEDEF_SIZE,
     {{"v1", 0, WORD_VERTEX},
      {"v2", 2, WORD_VERTEX},
      {"special", 6, WORD_UNSIGNED},
      {"id", 8, WORD_UNSIGNED},
      {"sidefront", 10, WORD_SIDE},
      {"sideback", 12, WORD_SIDE}},
     ""},
    {"sidedef",
     "SIDEDEFS",
     SIDEDEF_SIZE,
     {{"offsetx", 0, WORD_SIGNED},
      {"offsety", 2, WORD_SIGNED},
      {"sector", 28, WORD_SECTOR}},
     "texturemiddle = \"-\";\n"},
    {"sector",
     "SECTORS",
     SECTOR_SIZE,
     {{"heightfloor", 0, WORD_SIGNED},
      {"heightceiling", 2, WORD_SIGNED},
      {"lightlevel", 20, WORD_SIGNED},
      {"special", 22, WORD_UNSIGNED},
      {"id", 24, WORD_UNSIGNED}},
     "texturefloor = \"-\";\ntextureceiling = \"-\";\n"},
};

static void print_block(struct buffer *text, const struct tiling *tiling,
                        bool in_tenths, const struct element *block,
                        const unsigned char *record)
{
    buffer_print(text, "%s\n{\n", block->name);
    for (size_t i = 0; i < MOST_FIELDS && block->fields[i].name; i++) {
        const struct element_field *field = &block->fields[i];
        int32_t value = tiling_word(tiling, record, field);
        if (field->kind == WORD_SIDE && wad_u16(record + field->at) == NO_SIDE)
            continue;
        if (in_tenths && (field->kind == WORD_X || field->kind == WORD_Y))
            buffer_print(text, "%s = %s%d.%d;\n", field->name,
                         value < 0 ? "-" : "", abs(value) / 10,
                         abs(value) % 10);
        else
            buffer_print(text, "%s = %d;\n", field->name, value);
    }
    buffer_print(text, "%s}\n\n", block->constant);
}

static void print_copy(struct buffer *text, const struct tiling *tiling,
                       bool in_tenths)
{
    for (size_t i = 0; i < ELEMENT_KINDS; i++) {
        const struct element *block = &elements[i];
        const struct wadfile_lump *lump =
            wadfile_find_lump(tiling->map, block->lump);
        for (size_t r = 0; r < lump->size / block->record_size; r++)
            print_block(text, tiling, in_tenths, block,
                        lump->data + r * block->record_size);
    }
}

// ---------------------------------------------------------------------------
// convert

static const struct form {
    const char *name;
    struct lump_set (*convert)(const struct doom_map *); // NULL: to UDMF
    bool tenths;
    int32_t copies; // in a row, and rows of them
} forms[] = {
    {"doom", doom_map_to_doom, false, 0},
    {"hexen", doom_map_to_hexen, false, 0},
    {"doom64", doom_map_to_doom64, false, 0},
    {"udmf", NULL, false, 1},
    {"tenths", NULL, true, 1},
    {"copies", NULL, false, 8},
};

static void put_udmf(struct wadwriter *output, const struct wadfile_map *map,
                     const struct form *form)
{
    const struct wadfile_lump *blockmap = wadfile_find_lump(map, "BLOCKMAP");
    struct buffer text = {0};
    struct tiling tiling = {.map = map, .count = {form->copies, form->copies}};
    if (form->copies > 1)
        tiling_place(&tiling);
    buffer_print(&text, "namespace = \"Doom\";\n\n");
    for (; tiling.tile < form->copies * form->copies; tiling.tile++)
        print_copy(&text, &tiling, form->tenths);
    wadwriter_put(output, "TEXTMAP", text.bytes, text.size);
    buffer_free(&text);
    if (!form->tenths && form->copies == 1)
        wadwriter_put(output, "BLOCKMAP", blockmap->data, blockmap->size);
    wadwriter_put(output, "ENDMAP", NULL, 0);
}

// `item` is MAP=FORM, and is taken apart.
static void put_item(struct wadwriter *output, const struct wadfile *wad,
                     char *item)
{
    char *form = strchr(item, '=');
    if (!form)
        fail("'%s': MAP=FORM was expected", item);
    *form++ = '\0';
    const struct wadfile_map *map = wadfile_find_map(wad, item);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(forms[i].name, form) == 0) {
            wadwriter_put(output, map->name, NULL, 0);
            if (forms[i].convert)
                put_binary(output, map, forms[i].convert);
            else
                put_udmf(output, map, &forms[i]);
            return;
        }
    }
    fail("'%s': see the top of wadtool.c for forms", form);
}

void wadtool_convert(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    for (int i = 2; arguments[i]; i++)
        put_item(&output, wad, arguments[i]);
    wadwriter_write(&output, arguments[1]);
}

// ---------------------------------------------------------------------------
// ends

void wadtool_ends(struct wadfile *wad, char **arguments)
{
    struct doom_map map = doom_map_decode(wadfile_find_map(wad, arguments[1]));
    size_t west = 0;
    size_t east = 0;
    int west_x = INT_MAX;
    int east_x = INT_MIN;
    for (size_t i = 0; i < map.linedef_count; i++) {
        int x1 = map.vertices[map.linedefs[i].v1].x;
        int x2 = map.vertices[map.linedefs[i].v2].x;
        int low = x1 < x2 ? x1 : x2;
        int high = x1 < x2 ? x2 : x1;
        if (high < west_x) {
            west_x = high;
            west = i;
        }
        if (low > east_x) {
            east_x = low;
            east = i;
        }
    }
    printf("%zu %zu\n", west, east);
    doom_map_free(&map);
}
