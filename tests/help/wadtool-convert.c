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

// A text in the making: a map, or copies of it side by side.
struct text {
    struct buffer text;
    const struct wadfile_map *map;
    bool tenths;   // coordinates are divided by ten
    size_t copies; // in a row, and rows of them
    int distance;  // from one to the next, map units
    size_t copy;   // the one being printed
};

size_t count_records(const struct wadfile_map *map, const char *lump,
                     size_t record_size)
{
    return wadfile_find_lump(map, lump)->size / record_size;
}

struct frame find_frame(const struct wadfile_map *map)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, "VERTEXES");
    struct frame frame = {{INT16_MAX, INT16_MAX}, {INT16_MIN, INT16_MIN}};
    for (size_t i = 0; i < lump->size / 2; i++) {
        int32_t coordinate = get_i16(lump->data + 2 * i);
        if (coordinate < frame.low[i % 2])
            frame.low[i % 2] = coordinate;
        if (coordinate > frame.high[i % 2])
            frame.high[i % 2] = coordinate;
    }
    return frame;
}

// How far apart copies are: the longer side of the map and some more.
static int copy_distance(const struct wadfile_map *map)
{
    enum { GAP = 100 };
    struct frame frame = find_frame(map);
    int width = frame.high[0] - frame.low[0];
    int height = frame.high[1] - frame.low[1];
    return (width > height ? width : height) + GAP;
}

// Prints a coordinate; `place` is that of the copy in its row or among them.
static void print_coordinate(struct text *text, int coordinate, size_t place)
{
    coordinate += ((int)place - (int)text->copies / 2) * text->distance;
    if (coordinate < INT16_MIN || coordinate > INT16_MAX)
        fail("%s is too large for copies", text->map->name);
    if (text->tenths)
        buffer_print(&text->text, "%s%d.%d", coordinate < 0 ? "-" : "",
                     abs(coordinate) / 10, abs(coordinate) % 10);
    else
        buffer_print(&text->text, "%d", coordinate);
}

// Prints the number of a record of which each copy has `count`.
static void print_number(struct text *text, size_t number, size_t count)
{
    buffer_print(&text->text, "%zu", number + text->copy * count);
}

static void print_value(struct text *text, const unsigned char *word,
                        enum word_kind kind)
{
    switch (kind) {
    case WORD_SIGNED:
        buffer_print(&text->text, "%d", get_i16(word));
        break;
    case WORD_UNSIGNED:
        buffer_print(&text->text, "%d", get_u16(word));
        break;
    case WORD_X:
        print_coordinate(text, get_i16(word), text->copy % text->copies);
        break;
    case WORD_Y:
        print_coordinate(text, get_i16(word), text->copy / text->copies);
        break;
    case WORD_VERTEX:
        print_number(text, get_u16(word),
                     count_records(text->map, "VERTEXES", VERTEX_SIZE));
        break;
    case WORD_SIDE:
        print_number(text, get_u16(word),
                     count_records(text->map, "SIDEDEFS", SIDEDEF_SIZE));
        break;
    case WORD_SECTOR:
        print_number(text, get_u16(word),
                     count_records(text->map, "SECTORS", SECTOR_SIZE));
        break;
    }
}

static void print_block(struct text *text, const struct element *block,
                        const unsigned char *record)
{
    buffer_print(&text->text, "%s\n{\n", block->name);
    for (size_t i = 0; i < MOST_FIELDS && block->fields[i].name; i++) {
        const struct element_field *field = &block->fields[i];
        if (field->kind == WORD_SIDE && get_u16(record + field->at) == NO_SIDE)
            continue;
        buffer_print(&text->text, "%s = ", field->name);
        print_value(text, record + field->at, field->kind);
        buffer_print(&text->text, ";\n");
    }
    buffer_print(&text->text, "%s}\n\n", block->constant);
}

static void print_copy(struct text *text)
{
    for (size_t i = 0; i < ELEMENT_KINDS; i++) {
        const struct element *block = &elements[i];
        const struct wadfile_lump *lump =
            wadfile_find_lump(text->map, block->lump);
        for (size_t r = 0; r < lump->size / block->record_size; r++)
            print_block(text, block, lump->data + r * block->record_size);
    }
}

// ---------------------------------------------------------------------------
// convert

static const struct form {
    const char *name;
    struct lump_set (*convert)(const struct doom_map *); // NULL: to UDMF
    bool tenths;
    size_t copies; // in a row, and rows of them
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
    struct text text = {
        .map = map, .tenths = form->tenths, .copies = form->copies};
    if (text.copies > 1)
        text.distance = copy_distance(map);
    buffer_print(&text.text, "namespace = \"Doom\";\n\n");
    for (; text.copy < text.copies * text.copies; text.copy++)
        print_copy(&text);
    wadwriter_put(output, "TEXTMAP", text.text.bytes, text.text.size);
    buffer_free(&text.text);
    if (!text.tenths && text.copies == 1)
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

int wadtool_convert(char **arguments, int count)
{
    struct wadfile wad = wadfile_read(arguments[0]);
    struct wadwriter output = {0};
    for (int i = 2; i < count; i++)
        put_item(&output, &wad, arguments[i]);
    wadwriter_write(&output, arguments[1]);
    wadfile_free(&wad);
    return 0;
}

// ---------------------------------------------------------------------------
// ends

int wadtool_ends(char **arguments, int arguments_count)
{
    (void)arguments_count;
    struct wadfile wad = wadfile_read(arguments[0]);
    struct doom_map map = doom_map_decode(wadfile_find_map(&wad, arguments[1]));
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
    wadfile_free(&wad);
    return 0;
}
