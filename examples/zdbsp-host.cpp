/* SPDX-License-Identifier: 0BSD */
/* A builder with the structures of ZDBSP, which stay where they are:
   zdbsp-host [--blockmap-plugin FILE[,OPTION=VALUE]...] */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* --- What the builder has --- */

struct vertex {
    int32_t x, y; /* 16.16 */
    int index;
};
struct line {
    uint32_t v1, v2;
    int flags, special;
    int args[5]; /* in the format of Doom: special and tag */
    uint32_t sides[2];
    void *fields;
};
struct side {
    short offsets[2];
    char textures[3][8];
    int sector;
    void *fields;
};
struct sector {
    struct {
        short floor, ceiling;
        char floor_flat[8], ceiling_flat[8];
        short light, special, tag;
    } data;
    void *fields;
};
struct thing {
    unsigned short id;
    int32_t x, y;
    short z, angle, type, flags;
    char special, args[5];
    void *fields;
};
struct level {
    const char *name;
    bool is_hexen;
    const vertex *vertices;
    const line *lines;
    const side *sides;
    const sector *sectors;
    const thing *things;
    size_t vertex_count, line_count, side_count, sector_count, thing_count;
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
    NBSTAGE_SET(vertices.x, NBSTAGE_FIXED, vertex, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_FIXED, vertex, y);
    nbstage_lines lines = {};
    NBSTAGE_SET_ARRAY(lines, from.lines, from.line_count);
    NBSTAGE_SET(lines.v1, NBSTAGE_U32, line, v1);
    NBSTAGE_SET(lines.v2, NBSTAGE_U32, line, v2);
    NBSTAGE_SET(lines.flags, NBSTAGE_I32, line, flags);
    NBSTAGE_SET(lines.front_side, NBSTAGE_U32, line, sides[0]);
    NBSTAGE_SET(lines.back_side, NBSTAGE_U32, line, sides[1]);
    nbstage_things things = {};
    NBSTAGE_SET_ARRAY(things, from.things, from.thing_count);
    NBSTAGE_SET(things.type, NBSTAGE_I16, thing, type);
    if (from.is_hexen) {
        NBSTAGE_SET(lines.special, NBSTAGE_I32, line, special);
        NBSTAGE_SET(lines.args[0], NBSTAGE_I32, line, args[0]);
    } else { /* where ZDBSP keeps them */
        NBSTAGE_SET(lines.special, NBSTAGE_I32, line, args[0]);
        NBSTAGE_SET(lines.tag, NBSTAGE_I32, line, args[1]);
    }
    nbstage_sides sides = {};
    NBSTAGE_SET_ARRAY(sides, from.sides, from.side_count);
    NBSTAGE_SET(sides.sector, NBSTAGE_I32, side, sector);
    nbstage_sectors sectors = {};
    NBSTAGE_SET_ARRAY(sectors, from.sectors, from.sector_count);
    NBSTAGE_SET(sectors.floor, NBSTAGE_I16, sector, data.floor);
    NBSTAGE_SET(sectors.ceiling, NBSTAGE_I16, sector, data.ceiling);
    NBSTAGE_SET(sectors.floor_flat, NBSTAGE_NAME, sector, data.floor_flat);
    NBSTAGE_SET(sectors.ceiling_flat, NBSTAGE_NAME, sector, data.ceiling_flat);
    NBSTAGE_SET(sectors.special, NBSTAGE_I16, sector, data.special);
    NBSTAGE_SET(sectors.tag, NBSTAGE_I16, sector, data.tag);
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
static const uint32_t NONE = 0xFFFFFFFF;
static const vertex vertices[] = {
    {-200 * 65536, -100 * 65536, 0}, {-200 * 65536, 500 * 65536, 0},
    {100 * 65536, 500 * 65536, 0},   {400 * 65536, 560 * 65536, 0},
    {900 * 65536, 650 * 65536, 0},   {700 * 65536, -100 * 65536, 0},
    {400 * 65536, -100 * 65536, 0},  {100 * 65536, -100 * 65536, 0},
};
static const line doom_lines[] = {
    {0, 1, 1, 0, {}, {0, NONE}, nullptr},
    {1, 2, 1, 0, {}, {0, NONE}, nullptr},
    {2, 3, 1, 0, {}, {1, NONE}, nullptr},
    {3, 4, 1, 0, {}, {2, NONE}, nullptr},
    {4, 5, 1, 0, {}, {2, NONE}, nullptr},
    {5, 6, 1, 0, {}, {2, NONE}, nullptr},
    {6, 7, 1, 0, {}, {1, NONE}, nullptr},
    {7, 0, 1, 0, {}, {0, NONE}, nullptr},
    {7, 2, 4, 0, {}, {1, 0}, nullptr},
    {6, 3, 4, 0, {97, 7}, {2, 1}, nullptr},
    {6, 4, 4, 0, {0, 999}, {2, 2}, nullptr},
};
static const line hexen_lines[] = {
    {0, 1, 1, 0, {}, {0, NONE}, nullptr}, {1, 2, 1, 0, {}, {0, NONE}, nullptr},
    {2, 3, 1, 0, {}, {1, NONE}, nullptr}, {3, 4, 1, 0, {}, {2, NONE}, nullptr},
    {4, 5, 1, 0, {}, {2, NONE}, nullptr}, {5, 6, 1, 0, {}, {2, NONE}, nullptr},
    {6, 7, 1, 0, {}, {1, NONE}, nullptr}, {7, 0, 1, 0, {}, {0, NONE}, nullptr},
    {7, 2, 4, 0, {}, {1, 0}, nullptr},    {6, 3, 4, 70, {7}, {2, 1}, nullptr},
    {6, 4, 4, 108, {1}, {2, 2}, nullptr},
};
static const side sides[] = {
    {{}, {}, 0, nullptr}, {{}, {}, 1, nullptr}, {{}, {}, 2, nullptr}};
static const sector sectors[] = {
    {{0, 128, "FLOOR", "CEIL", 160, 0, 0}, nullptr},
    {{0, 128, "FLOOR", "CEIL", 192, 0, 0}, nullptr},
    {{0, 128, "FLOOR", "CEIL", 160, 0, 7}, nullptr},
};
static const thing things[] = {{0, 0, 0, 0, 0, 1, 7, 0, {}, nullptr}};

static level use(const char *name, bool is_hexen, const line *lines)
{
    return {name,   is_hexen, vertices, lines, sides, sectors,
            things, 8,        11,       3,     3,     1};
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
