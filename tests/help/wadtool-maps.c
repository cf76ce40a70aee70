// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps for runs of engines.

#include "wadtool.h"

#include "closed-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where fields are in an element, in bytes.
enum {
    THING_TYPE = 6,
    LINEDEF_SPECIAL = 6,
    SECTOR_SPECIAL = 22,
};

enum { PLAYER_1 = 1, DEATHMATCH_START = 11 };

enum {
    LOWEST = -32768, // coordinates, map units
    HIGHEST = 32767,
    GAP = 40, // between two tiles, map units: blocks fall differently on each
    // Elements of a lump: in Doom their numbers are signed (r_defs.h).
    MOST_ELEMENTS = 32767,
    MOST_TILES = 16, // in a row, and rows of them
    GRID_WORDS = 4,
};

static void put_u16(unsigned char *bytes, uint32_t word)
{
    put_number(bytes, 2, word);
}

// ---------------------------------------------------------------------------
// Copies of maps

// Changes a copy of a lump.
typedef void change_lump(unsigned char *bytes, size_t size, unsigned argument);

// What is done to the lump of this name.
struct change {
    const char *name;
    change_lump *function;
    unsigned argument;
};

// Copies a map with these changes.
static void put_map(struct wadwriter *output, const struct wadfile_map *map,
                    const struct change *changes, size_t change_count)
{
    wadwriter_put(output, map->name, NULL, 0);
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct wadfile_lump *lump = &map->lumps[i];
        unsigned char *bytes = buffer_copy_exactly(lump->data, lump->size);
        for (size_t c = 0; c < change_count; c++)
            if (strcmp(changes[c].name, lump->name) == 0)
                changes[c].function(bytes, lump->size, changes[c].argument);
        wadwriter_put(output, lump->name, bytes, lump->size);
        free(bytes);
    }
}

// ---------------------------------------------------------------------------
// tame

// Switches and walk-over lines that end a level (P_UseSpecialLine of
// p_switch.c, P_CrossSpecialLine of p_spec.c).
static bool is_exit(unsigned special)
{
    return special == 11 || special == 51 || special == 52 || special == 124;
}

// Sectors in which a player loses health (P_PlayerInSpecialSector of p_spec.c).
static bool hurts(unsigned special)
{
    return special == 4 || special == 5 || special == 7 || special == 11 ||
           special == 16;
}

// Takes the special from each element whose special is one of those.
static void clear_specials(unsigned char *bytes, size_t size,
                           size_t element_size, size_t special,
                           bool (*is_one)(unsigned special))
{
    for (size_t at = 0; at + element_size <= size; at += element_size)
        if (is_one(wad_u16(bytes + at + special)))
            put_u16(bytes + at + special, 0);
}

static void remove_exits(unsigned char *linedefs, size_t size,
                         unsigned argument)
{
    (void)argument;
    clear_specials(linedefs, size, LINEDEF_SIZE, LINEDEF_SPECIAL, is_exit);
}

static void remove_hurting(unsigned char *sectors, size_t size,
                           unsigned argument)
{
    (void)argument;
    clear_specials(sectors, size, SECTOR_SIZE, SECTOR_SPECIAL, hurts);
}

void wadtool_tame(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    const struct change changes[] = {{"LINEDEFS", remove_exits, 0},
                                     {"SECTORS", remove_hurting, 0}};
    for (int i = 2; arguments[i]; i++)
        put_map(&output, wadfile_find_map(wad, arguments[i]), changes, 2);
    for (size_t i = 0; !arguments[2] && i < wad->map_count; i++)
        put_map(&output, &wad->maps[i], changes, 2);
    wadwriter_write(&output, arguments[1]);
}

// ---------------------------------------------------------------------------
// drop

static void drop_linedef(unsigned char *blockmap, size_t size, unsigned linedef)
{
    size_t count = size / 2;
    if (count < GRID_WORDS)
        fail("a blockmap of %zu bytes", size);
    size_t lists = (size_t)wad_u16(blockmap + 4) * wad_u16(blockmap + 6);
    size_t dropped = 0;
    for (size_t i = GRID_WORDS + lists; i < count; i++) {
        if (wad_u16(blockmap + 2 * i) == linedef) {
            put_u16(blockmap + 2 * i, 0);
            dropped++;
        }
    }
    if (dropped == 0)
        fail("linedef %u is in no list", linedef);
}

void wadtool_drop(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    const struct change change = {
        "BLOCKMAP", drop_linedef,
        parse_number(arguments[2], 1, UINT16_MAX - 1)};
    put_map(&output, wadfile_find_map(wad, arguments[1]), &change, 1);
    wadwriter_write(&output, arguments[3]);
}

// ---------------------------------------------------------------------------
// tile

// The lowest x and y of a map's vertices, and the highest.
struct frame {
    int32_t low[2], high[2];
};

static struct frame find_frame(const struct wadfile_map *map)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, "VERTEXES");
    struct frame frame = {{HIGHEST, HIGHEST}, {LOWEST, LOWEST}};
    for (size_t i = 0; i < lump->size / 2; i++) {
        int32_t coordinate = wad_i16(lump->data + 2 * i);
        if (coordinate < frame.low[i % 2])
            frame.low[i % 2] = coordinate;
        if (coordinate > frame.high[i % 2])
            frame.high[i % 2] = coordinate;
    }
    return frame;
}

void tiling_place(struct tiling *tiling)
{
    struct frame frame = find_frame(tiling->map);
    for (int axis = 0; axis < 2; axis++) {
        int32_t step = frame.high[axis] - frame.low[axis] + GAP;
        tiling->step[axis] = step;
        tiling->move[axis] =
            -(step * tiling->count[axis] / 2) - frame.low[axis];
    }
}

int32_t tiling_word(const struct tiling *tiling, const unsigned char *element,
                    const struct element_field *field)
{
    // What a word is the number of one of.
    static const struct {
        const char *lump;
        int32_t size; // bytes
    } kinds[] = {[WORD_VERTEX] = {"VERTEXES", VERTEX_SIZE},
                 [WORD_SIDE] = {"SIDEDEFS", SIDEDEF_SIZE},
                 [WORD_SECTOR] = {"SECTORS", SECTOR_SIZE}};
    const unsigned char *bytes = element + field->at;
    int32_t word = (int32_t)wad_u16(bytes);
    if (field->kind == WORD_X || field->kind == WORD_Y) {
        int axis = field->kind == WORD_Y;
        int32_t place = axis ? tiling->tile / tiling->count[0]
                             : tiling->tile % tiling->count[0];
        word = wad_i16(bytes) + tiling->move[axis] + place * tiling->step[axis];
        if (word < LOWEST || word > HIGHEST)
            fail("copies of %s go beyond the coordinates", tiling->map->name);
    } else if (field->kind == WORD_SIGNED) {
        word = wad_i16(bytes);
    } else if (field->kind != WORD_UNSIGNED &&
               (field->kind != WORD_SIDE || word != NO_SIDE)) {
        const struct wadfile_lump *lump =
            wadfile_find_lump(tiling->map, kinds[field->kind].lump);
        word += tiling->tile * ((int32_t)lump->size / kinds[field->kind].size);
    }
    return word;
}

// Finds the northernmost start for deathmatch.
static void find_start(struct tiling *tiling)
{
    const struct wadfile_lump *lump = wadfile_find_lump(tiling->map, "THINGS");
    int32_t north = LOWEST - 1;
    for (size_t at = 0; at + THING_SIZE <= lump->size; at += THING_SIZE) {
        const unsigned char *thing = lump->data + at;
        if (wad_u16(thing + THING_TYPE) != DEATHMATCH_START ||
            wad_i16(thing + 2) <= north)
            continue;
        north = wad_i16(thing + 2);
        tiling->start_x = wad_u16(thing);
        tiling->start_y = wad_u16(thing + 2);
    }
    if (north < LOWEST)
        fail("%s has no start for deathmatch", tiling->map->name);
}

static bool is_start(unsigned type)
{
    return (type >= 1 && type <= 4) || type == DEATHMATCH_START;
}

// Of all starts only the player's stays.
static bool take_thing(unsigned char *bytes, const struct tiling *tiling,
                       bool is_last)
{
    unsigned type = wad_u16(bytes + THING_TYPE);
    if (!is_start(type))
        return true;
    put_u16(bytes + THING_TYPE, PLAYER_1);
    return is_last && type == DEATHMATCH_START &&
           wad_u16(bytes) == tiling->start_x &&
           wad_u16(bytes + 2) == tiling->start_y;
}

static void put_tiles(struct wadwriter *output, struct tiling *tiling,
                      const char *name)
{
    const struct wadfile_lump *lump = wadfile_find_lump(tiling->map, name);
    const struct element *element = elements;
    struct buffer bytes = {0};
    while (strcmp(element->lump, name) != 0)
        element++;
    size_t size = element->record_size;
    int32_t tiles = tiling->count[0] * tiling->count[1];
    for (tiling->tile = 0; tiling->tile < tiles; tiling->tile++) {
        bool is_last = tiling->tile + 1 == tiles;
        for (size_t at = 0; at + size <= lump->size; at += size) {
            unsigned char copy[SIDEDEF_SIZE];
            memcpy(copy, lump->data + at, size);
            if (strcmp(name, "THINGS") == 0 &&
                !take_thing(copy, tiling, is_last))
                continue;
            for (int i = 0; i < MOST_FIELDS && element->fields[i].name; i++) {
                const struct element_field *field = &element->fields[i];
                bool is_lost = !is_last && strcmp(field->name, "special") == 0;
                int32_t word = is_lost ? 0 : tiling_word(tiling, copy, field);
                put_u16(copy + field->at, (uint32_t)word & 0xFFFF);
            }
            buffer_put(&bytes, copy, size);
        }
    }
    if (bytes.size / size > MOST_ELEMENTS)
        fail("%zu elements are too many for %s", bytes.size / size, name);
    wadwriter_put(output, name, bytes.bytes, bytes.size);
    buffer_free(&bytes);
}

void wadtool_tile(struct wadfile *wad, char **arguments)
{
    const struct wadfile_map *map = wadfile_find_map(wad, arguments[1]);
    struct wadwriter output = {0};
    struct tiling tiling = {
        .map = map,
        .count = {(int32_t)parse_number(arguments[2], 1, MOST_TILES),
                  (int32_t)parse_number(arguments[3], 1, MOST_TILES)},
    };
    tiling_place(&tiling);
    find_start(&tiling);
    wadwriter_put(&output, map->name, NULL, 0);
    put_tiles(&output, &tiling, "THINGS");
    put_tiles(&output, &tiling, "LINEDEFS");
    put_tiles(&output, &tiling, "SIDEDEFS");
    put_tiles(&output, &tiling, "VERTEXES");
    wadwriter_put(&output, "SEGS", NULL, 0);
    wadwriter_put(&output, "SSECTORS", NULL, 0);
    wadwriter_put(&output, "NODES", NULL, 0);
    put_tiles(&output, &tiling, "SECTORS");
    wadwriter_put(&output, "REJECT", NULL, 0);
    wadwriter_put(&output, "BLOCKMAP", NULL, 0);
    wadwriter_write(&output, arguments[4]);
}

// ---------------------------------------------------------------------------
// closets

void wadtool_closets(struct wadfile *none, char **arguments)
{
    const int cells = (int)parse_number(arguments[0], 3, 64);
    const uint32_t count = parse_number(arguments[1], 1, 99);
    struct random_stream stream = {parse_number(arguments[2], 0, UINT32_MAX)};
    const struct closed_shape shape = {cells, cells, 64, 192, true, true};
    struct wadwriter output = {0};
    (void)none;
    for (uint32_t i = 1; i <= count; i++) {
        struct closed_map map = closed_map_make(&shape, &stream);
        struct lump_set set = closed_map_lumps(&map);
        char name[9];
        snprintf(name, sizeof name, "MAP%02u", (unsigned)(i % 100));
        wadwriter_put(&output, name, NULL, 0);
        for (size_t lump = 0; lump < set.count; lump++)
            wadwriter_put(&output, set.lumps[lump].name, set.lumps[lump].data,
                          set.lumps[lump].data_size);
        lump_set_free(&set);
        closed_map_free(&map);
    }
    wadwriter_write(&output, arguments[3]);
}
