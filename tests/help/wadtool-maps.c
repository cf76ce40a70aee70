// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps for runs of engines.

#include "wadtool.h"

#include <stdlib.h>
#include <string.h>

// Where fields are in an element, in bytes.
enum {
    THING_TYPE = 6,
    LINEDEF_SPECIAL = 6,
    LINEDEF_RIGHT = 10,
    SIDEDEF_SECTOR = 28,
    SECTOR_SPECIAL = 22,
};

enum { PLAYER_1 = 1, DEATHMATCH_START = 11 };

enum {
    LOWEST = -32768, // coordinates, map units
    HIGHEST = 32767,
    GAP = 40, // between two tiles, map units: blocks fall differently on each
    NONE = 0xFFFF, // in place of a sidedef
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
static void clear_specials(unsigned char *elements, size_t size,
                           size_t element_size, size_t special,
                           bool (*is_one)(unsigned special))
{
    for (size_t at = 0; at + element_size <= size; at += element_size)
        if (is_one(get_u16(elements + at + special)))
            put_u16(elements + at + special, 0);
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

int wadtool_tame(char **arguments, int count)
{
    struct wadfile wad = wadfile_read(arguments[0]);
    struct wadwriter output = {0};
    const struct change changes[] = {{"LINEDEFS", remove_exits, 0},
                                     {"SECTORS", remove_hurting, 0}};
    for (int i = 2; i < count; i++)
        put_map(&output, wadfile_find_map(&wad, arguments[i]), changes, 2);
    for (size_t i = 0; count == 2 && i < wad.map_count; i++)
        put_map(&output, &wad.maps[i], changes, 2);
    wadwriter_write(&output, arguments[1]);
    wadfile_free(&wad);
    return 0;
}

// ---------------------------------------------------------------------------
// drop

static void drop_linedef(unsigned char *blockmap, size_t size, unsigned linedef)
{
    size_t count = size / 2;
    if (count < GRID_WORDS)
        fail("a blockmap of %zu bytes", size);
    size_t lists = (size_t)get_u16(blockmap + 4) * get_u16(blockmap + 6);
    size_t dropped = 0;
    for (size_t i = GRID_WORDS + lists; i < count; i++) {
        if (get_u16(blockmap + 2 * i) == linedef) {
            put_u16(blockmap + 2 * i, 0);
            dropped++;
        }
    }
    if (dropped == 0)
        fail("linedef %u is in no list", linedef);
}

int wadtool_drop(char **arguments, int count)
{
    (void)count;
    struct wadfile wad = wadfile_read(arguments[0]);
    struct wadwriter output = {0};
    const struct change change = {"BLOCKMAP", drop_linedef,
                                  parse_number(arguments[2], 1, NONE - 1)};
    put_map(&output, wadfile_find_map(&wad, arguments[1]), &change, 1);
    wadwriter_write(&output, arguments[3]);
    wadfile_free(&wad);
    return 0;
}

// ---------------------------------------------------------------------------
// tile

// The tiles of a map.
struct tiling {
    const struct wadfile_map *map;
    unsigned columns, rows;
    int32_t west, south;   // where the map begins
    int32_t width, height; // from one tile to the next
    int32_t move_x, move_y;
    unsigned start_x, start_y; // of the player, as in THINGS
};

static void find_frame(struct tiling *tiling)
{
    const struct wadfile_lump *lump =
        wadfile_find_lump(tiling->map, "VERTEXES");
    int32_t west = HIGHEST, south = HIGHEST, east = LOWEST, north = LOWEST;
    for (size_t at = 0; at + VERTEX_SIZE <= lump->size; at += VERTEX_SIZE) {
        int32_t x = get_i16(lump->data + at);
        int32_t y = get_i16(lump->data + at + 2);
        west = x < west ? x : west;
        east = x > east ? x : east;
        south = y < south ? y : south;
        north = y > north ? y : north;
    }
    tiling->west = west;
    tiling->south = south;
    tiling->width = east - west + GAP;
    tiling->height = north - south + GAP;
    // All of it around the middle of the coordinates.
    tiling->move_x = -(tiling->width * (int32_t)tiling->columns / 2);
    tiling->move_y = -(tiling->height * (int32_t)tiling->rows / 2);
}

// Finds the northernmost start for deathmatch.
static void find_start(struct tiling *tiling)
{
    const struct wadfile_lump *lump = wadfile_find_lump(tiling->map, "THINGS");
    int32_t north = LOWEST - 1;
    for (size_t at = 0; at + THING_SIZE <= lump->size; at += THING_SIZE) {
        const unsigned char *thing = lump->data + at;
        if (get_u16(thing + THING_TYPE) != DEATHMATCH_START ||
            get_i16(thing + 2) <= north)
            continue;
        north = get_i16(thing + 2);
        tiling->start_x = get_u16(thing);
        tiling->start_y = get_u16(thing + 2);
    }
    if (north < LOWEST)
        fail("%s has no start for deathmatch", tiling->map->name);
}

// Coordinates beyond the range of 16 bits are an error.
static unsigned move_coordinate(int32_t coordinate, int32_t distance)
{
    int32_t moved = coordinate + distance;
    if (moved < LOWEST || moved > HIGHEST)
        fail("the tiles go beyond the range of coordinates");
    return (unsigned)moved & 0xFFFF;
}

// A tile, and what its elements' numbers begin with.
struct tile {
    int32_t move_x, move_y;
    bool is_last;
    unsigned start_x, start_y; // of the player in the last one, as in THINGS
    unsigned first_vertex, first_sidedef, first_sector;
};

static size_t count_of(const struct tiling *tiling, const char *name,
                       size_t size)
{
    return wadfile_find_lump(tiling->map, name)->size / size;
}

static struct tile find_tile(const struct tiling *tiling, unsigned number)
{
    unsigned column = number % tiling->columns;
    unsigned row = number / tiling->columns;
    return (struct tile){
        .move_x =
            tiling->move_x - tiling->west + (int32_t)column * tiling->width,
        .move_y =
            tiling->move_y - tiling->south + (int32_t)row * tiling->height,
        .is_last = number + 1 == tiling->columns * tiling->rows,
        .start_x = tiling->start_x,
        .start_y = tiling->start_y,
        .first_vertex =
            number * (unsigned)count_of(tiling, "VERTEXES", VERTEX_SIZE),
        .first_sidedef =
            number * (unsigned)count_of(tiling, "SIDEDEFS", SIDEDEF_SIZE),
        .first_sector =
            number * (unsigned)count_of(tiling, "SECTORS", SECTOR_SIZE),
    };
}

// Changes an element of a lump as a tile has it; tells whether it stays.
typedef bool change_element(unsigned char *bytes, const struct tile *tile);

static void move_point(unsigned char *bytes, const struct tile *tile)
{
    put_u16(bytes, move_coordinate(get_i16(bytes), tile->move_x));
    put_u16(bytes + 2, move_coordinate(get_i16(bytes + 2), tile->move_y));
}

static bool is_start(unsigned type)
{
    return (type >= 1 && type <= 4) || type == DEATHMATCH_START;
}

static bool change_thing(unsigned char *bytes, const struct tile *tile)
{
    unsigned type = get_u16(bytes + THING_TYPE);
    bool is_players = tile->is_last && type == DEATHMATCH_START &&
                      get_u16(bytes) == tile->start_x &&
                      get_u16(bytes + 2) == tile->start_y;
    if (is_start(type) && !is_players)
        return false;
    move_point(bytes, tile);
    if (is_players)
        put_u16(bytes + THING_TYPE, PLAYER_1);
    return true;
}

static bool change_vertex(unsigned char *bytes, const struct tile *tile)
{
    move_point(bytes, tile);
    return true;
}

static bool change_linedef(unsigned char *bytes, const struct tile *tile)
{
    put_u16(bytes, get_u16(bytes) + tile->first_vertex);
    put_u16(bytes + 2, get_u16(bytes + 2) + tile->first_vertex);
    if (!tile->is_last)
        put_u16(bytes + LINEDEF_SPECIAL, 0);
    for (size_t at = LINEDEF_RIGHT; at < LINEDEF_SIZE; at += 2)
        if (get_u16(bytes + at) != NONE)
            put_u16(bytes + at, get_u16(bytes + at) + tile->first_sidedef);
    return true;
}

static bool change_sidedef(unsigned char *bytes, const struct tile *tile)
{
    put_u16(bytes + SIDEDEF_SECTOR,
            get_u16(bytes + SIDEDEF_SECTOR) + tile->first_sector);
    return true;
}

static bool change_sector(unsigned char *bytes, const struct tile *tile)
{
    if (!tile->is_last)
        put_u16(bytes + SECTOR_SPECIAL, 0);
    return true;
}

static void put_tiles(struct wadwriter *output, const struct tiling *tiling,
                      const char *name, size_t size, change_element *change)
{
    const struct wadfile_lump *lump = wadfile_find_lump(tiling->map, name);
    struct buffer bytes = {0};
    for (unsigned i = 0; i < tiling->columns * tiling->rows; i++) {
        struct tile tile = find_tile(tiling, i);
        for (size_t at = 0; at + size <= lump->size; at += size) {
            unsigned char element[SIDEDEF_SIZE];
            memcpy(element, lump->data + at, size);
            if (change(element, &tile))
                buffer_put(&bytes, element, size);
        }
    }
    if (bytes.size / size > MOST_ELEMENTS)
        fail("%zu elements are too many for %s", bytes.size / size, name);
    wadwriter_put(output, name, bytes.bytes, bytes.size);
    buffer_free(&bytes);
}

int wadtool_tile(char **arguments, int count)
{
    (void)count;
    struct wadfile wad = wadfile_read(arguments[0]);
    const struct wadfile_map *map = wadfile_find_map(&wad, arguments[1]);
    struct wadwriter output = {0};
    struct tiling tiling = {
        .map = map,
        .columns = parse_number(arguments[2], 1, MOST_TILES),
        .rows = parse_number(arguments[3], 1, MOST_TILES),
    };
    find_frame(&tiling);
    find_start(&tiling);
    wadwriter_put(&output, map->name, NULL, 0);
    put_tiles(&output, &tiling, "THINGS", THING_SIZE, change_thing);
    put_tiles(&output, &tiling, "LINEDEFS", LINEDEF_SIZE, change_linedef);
    put_tiles(&output, &tiling, "SIDEDEFS", SIDEDEF_SIZE, change_sidedef);
    put_tiles(&output, &tiling, "VERTEXES", VERTEX_SIZE, change_vertex);
    wadwriter_put(&output, "SEGS", NULL, 0);
    wadwriter_put(&output, "SSECTORS", NULL, 0);
    wadwriter_put(&output, "NODES", NULL, 0);
    put_tiles(&output, &tiling, "SECTORS", SECTOR_SIZE, change_sector);
    wadwriter_put(&output, "REJECT", NULL, 0);
    wadwriter_put(&output, "BLOCKMAP", NULL, 0);
    wadwriter_write(&output, arguments[4]);
    wadfile_free(&wad);
    return 0;
}
