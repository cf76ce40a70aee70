/* SPDX-License-Identifier: 0BSD */
/* A builder with the structures of ZokumBSP, which stay where they are:
   zokumbsp-host [--blockmap-plugin FILE[,OPTION=VALUE]...] */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* --- What the builder has --- */

struct vertex {
    int16_t x, y;
};
struct line {
    uint16_t start, end, flags;
    uint16_t type, tag; /* in the format of Doom */
    uint16_t sides[2];
    uint8_t special, args[5]; /* in the format of Hexen */
};
struct side {
    int16_t offsets[2];
    char textures[3][8];
    uint16_t sector;
};
struct sector {
    int16_t floor, ceiling;
    char floor_flat[8], ceiling_flat[8];
    uint16_t light, special, tag;
};
struct thing {
    int16_t x, y;
    uint16_t angle, type, flags, id, altitude;
    uint8_t special, args[5];
};
struct level {
    const char *name;
    const line *lines;
    bool is_hexen;
    const vertex *vertices;
    const side *sides;
    const sector *sectors;
    const thing *things;
    size_t line_count, vertex_count, side_count, sector_count, thing_count;
};

/* --- What you add: the stage --- */

#include "nbstage-host.h"

static struct nbstage stage; /* all zeros: none is loaded */

static void load_stage(const char *request)
{
    if (!nbstage_load(&stage, request, nullptr, nullptr, "BLOCKMAP", nullptr))
        fprintf(stderr, "--blockmap-plugin: %s\n", stage.error);
    if (stage.failure == NBSTAGE_FAILURE_OPTION)
        exit(2); /* a typo must not make another blockmap */
}

static const nbstage_lump *call_stage(const level &from)
{
    nbstage_map map = nbstage_new_map(
        from.name, from.is_hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM);
    nbstage_vertices vertices = {};
    NBSTAGE_SET_ARRAY(vertices, from.vertices, from.vertex_count);
    NBSTAGE_SET(vertices.x, NBSTAGE_I16, vertex, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_I16, vertex, y);
    nbstage_lines lines = {};
    NBSTAGE_SET_ARRAY(lines, from.lines, from.line_count);
    NBSTAGE_SET(lines.v1, NBSTAGE_U16, line, start);
    NBSTAGE_SET(lines.v2, NBSTAGE_U16, line, end);
    NBSTAGE_SET(lines.flags, NBSTAGE_U16, line, flags);
    NBSTAGE_SET(lines.front_side, NBSTAGE_U16, line, sides[0]);
    NBSTAGE_SET(lines.back_side, NBSTAGE_U16, line, sides[1]);
    if (from.is_hexen) {
        NBSTAGE_SET(lines.special, NBSTAGE_U8, line, special);
        NBSTAGE_SET(lines.args[0], NBSTAGE_U8, line, args[0]);
    } else {
        NBSTAGE_SET(lines.special, NBSTAGE_U16, line, type);
        NBSTAGE_SET(lines.tag, NBSTAGE_U16, line, tag);
    }
    nbstage_sides sides = {};
    NBSTAGE_SET_ARRAY(sides, from.sides, from.side_count);
    NBSTAGE_SET(sides.sector, NBSTAGE_U16, side, sector);
    nbstage_sectors sectors = {};
    NBSTAGE_SET_ARRAY(sectors, from.sectors, from.sector_count);
    NBSTAGE_SET(sectors.floor, NBSTAGE_I16, sector, floor);
    NBSTAGE_SET(sectors.ceiling, NBSTAGE_I16, sector, ceiling);
    NBSTAGE_SET(sectors.floor_flat, NBSTAGE_NAME, sector, floor_flat);
    NBSTAGE_SET(sectors.ceiling_flat, NBSTAGE_NAME, sector, ceiling_flat);
    NBSTAGE_SET(sectors.special, NBSTAGE_U16, sector, special);
    NBSTAGE_SET(sectors.tag, NBSTAGE_U16, sector, tag);
    nbstage_things things = {};
    NBSTAGE_SET_ARRAY(things, from.things, from.thing_count);
    NBSTAGE_SET(things.type, NBSTAGE_U16, thing, type);
    map.vertices = &vertices;
    map.lines = &lines;
    map.sides = &sides;
    map.sectors = &sectors;
    map.things = &things;
    const nbstage_lump *lump = nbstage_build(&stage, &map);
    if (stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
    return lump;
}

/* --- What the builder has, with two calls that you add --- */

static void build_blockmap(const level &from)
{
    /* --- What you add: its call --- */
    if (const nbstage_lump *lump = call_stage(from)) {
        fwrite(lump->data, 1, lump->data_size, stdout);
        return;
    }
    /* --- End --- */
    printf("the builder's own blockmap of %s\n", from.name);
}

/* Three rooms.  Of the lines between them one shows nothing, one has a special,
   and one asks to be left out. */
static const uint16_t NONE = 0xFFFF;
static const vertex vertices[] = {
    {-200, -100}, {-200, 500}, {100, 500},  {400, 560},
    {900, 650},   {700, -100}, {400, -100}, {100, -100},
};
static const line doom_lines[] = {
    {0, 1, 1, 0, 0, {0, NONE}, 0, {}}, {1, 2, 1, 0, 0, {0, NONE}, 0, {}},
    {2, 3, 1, 0, 0, {1, NONE}, 0, {}}, {3, 4, 1, 0, 0, {2, NONE}, 0, {}},
    {4, 5, 1, 0, 0, {2, NONE}, 0, {}}, {5, 6, 1, 0, 0, {2, NONE}, 0, {}},
    {6, 7, 1, 0, 0, {1, NONE}, 0, {}}, {7, 0, 1, 0, 0, {0, NONE}, 0, {}},
    {7, 2, 4, 0, 0, {1, 0}, 0, {}},    {6, 3, 4, 97, 7, {2, 1}, 0, {}},
    {6, 4, 4, 0, 999, {2, 2}, 0, {}},
};
static const line hexen_lines[] = {
    {0, 1, 1, 0, 0, {0, NONE}, 0, {}}, {1, 2, 1, 0, 0, {0, NONE}, 0, {}},
    {2, 3, 1, 0, 0, {1, NONE}, 0, {}}, {3, 4, 1, 0, 0, {2, NONE}, 0, {}},
    {4, 5, 1, 0, 0, {2, NONE}, 0, {}}, {5, 6, 1, 0, 0, {2, NONE}, 0, {}},
    {6, 7, 1, 0, 0, {1, NONE}, 0, {}}, {7, 0, 1, 0, 0, {0, NONE}, 0, {}},
    {7, 2, 4, 0, 0, {1, 0}, 0, {}},    {6, 3, 4, 0, 0, {2, 1}, 70, {7}},
    {6, 4, 4, 0, 0, {2, 2}, 108, {1}},
};
static const side sides[] = {{{}, {}, 0}, {{}, {}, 1}, {{}, {}, 2}};
static const sector sectors[] = {
    {0, 128, "FLOOR", "CEIL", 160, 0, 0},
    {0, 128, "FLOOR", "CEIL", 192, 0, 0},
    {0, 128, "FLOOR", "CEIL", 160, 0, 7},
};
static const thing things[] = {{0, 0, 0, 1, 7, 0, 0, 0, {}}};

static level use(const char *name, bool is_hexen, const line *lines)
{
    return {name,   lines, is_hexen, vertices, sides, sectors,
            things, 11,    8,        3,        3,     1};
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0)
        /* --- What you add: its option --- */
        load_stage(argv[2]);
    /* --- End --- */
    build_blockmap(use("MAP01", false, doom_lines));
    build_blockmap(use("MAP02", true, hexen_lines));
    nbstage_close(&stage);
    return 0;
}
