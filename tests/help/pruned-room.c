// SPDX-License-Identifier: GPL-2.0-or-later
//
// Line i has the sides 2 i and 2 i + 1.  What is listed must be what the oracle
// finds, less the lines that are left out.

#include "pruned-room.h"

#include "base/macros.h"
#include "compress.h"
#include "context-for-tests.h"

#include <stdlib.h>
#include <string.h>

const struct room room_plain = {
    .name = "MAP01",
    .vertices = {{0, 0},
                 {0, 512},
                 {256, 512},
                 {512, 512},
                 {512, 0},
                 {256, 0},
                 {600, 64},
                 {600, 192},
                 {728, 192},
                 {728, 64}},
    .lines = {{0, 1, 0, -1, 1, 0, 0, 0},
              {1, 2, 0, -1, 1, 0, 0, 0},
              {2, 3, 1, -1, 1, 0, 0, 0},
              {3, 4, 1, -1, 1, 0, 0, 0},
              {4, 5, 1, -1, 1, 0, 0, 0},
              {5, 0, 0, -1, 1, 0, 0, 0},
              {5, 2, 1, 0, 4, 0, 0, 0},
              {0, 2, 0, 0, 4, 0, 0, 0},
              {6, 7, 2, 2, 4, 0, 0, 0},
              {7, 8, 2, 2, 4, 0, 0, 0},
              {8, 9, 2, 2, 4, 0, 0, 0},
              {9, 6, 2, 2, 4, 0, 0, 0},
              {6, 8, 2, 2, 4, 0, 0, 0}},
    .sectors = {{0, 128, 0, 0, 0, "GRASS", "ROCK"},
                {0, 128, 0, 0, 0, "grass", "ROCK"},
                {0, 128, 0, 0, 0, "LAVA", "F_SKY1"}},
    .thing_type = 1,
};

// --- The room in all forms ---

static void put_vertices(const struct room *room, bool fixed,
                         struct buffer *buffer)
{
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 2; axis++)
            if (fixed)
                buffer_put_u32(buffer, (uint32_t)room->vertices[i][axis] << 16);
            else
                buffer_put_u16(buffer, (unsigned)room->vertices[i][axis]);
}

// Side numbers: the front of line i is 2 i, its back 2 i + 1.
static void put_sides(const struct line *line, int i, struct buffer *buffer)
{
    buffer_put_u16(buffer, line->front < 0 ? NO_SIDE : 2u * (unsigned)i);
    buffer_put_u16(buffer, line->back < 0 ? NO_SIDE : 2u * (unsigned)i + 1);
}

static void put_linedef(const struct room *room, int i, enum form form,
                        struct buffer *buffer)
{
    const struct line *line = &room->lines[i];
    buffer_put_u16(buffer, (unsigned)line->v1);
    buffer_put_u16(buffer, (unsigned)line->v2);
    if (form == FORM_DOOM64)
        buffer_put_u32(buffer, line->flags);
    else
        buffer_put_u16(buffer, line->flags);
    if (form == FORM_HEXEN) {
        buffer_put_u8(buffer, line->special);
        buffer_put_u8(buffer, line->tag);
        buffer_put_u32(buffer, 0);
    } else {
        buffer_put_u16(buffer, line->special);
        buffer_put_u16(buffer, line->tag);
    }
    put_sides(line, i, buffer);
}

static void add_binary(const struct room *room, enum form form,
                       struct lump_set *set)
{
    static const unsigned char no_script[16] = {'A', 'C', 'S', 0, 8};
    static const unsigned char zeros[28] = {0};
    struct buffer things = {0}, linedefs = {0}, sides = {0};
    struct buffer vertices = {0}, sectors = {0};
    bool is_doom64 = form == FORM_DOOM64;
    buffer_put(&things, zeros, form == FORM_DOOM ? 6 : 10);
    buffer_put_u16(&things, room->thing_type);
    buffer_put_u16(&things, 7);
    if (form == FORM_HEXEN) {
        buffer_put_u8(&things, room->thing_special);
        buffer_put_u8(&things, room->thing_tag);
        buffer_put(&things, zeros, 4);
    }
    for (int i = 0; i < LINES; i++)
        put_linedef(room, i, form, &linedefs);
    put_vertices(room, is_doom64, &vertices);
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_put(&sides, zeros, is_doom64 ? 10 : 28);
        buffer_put_u16(&sides, sector < 0 ? 0 : (unsigned)sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        buffer_put_u16(&sectors, (unsigned)sector->floor);
        buffer_put_u16(&sectors, (unsigned)sector->ceiling);
        for (int plane = 0; plane < 2; plane++) {
            char flat[8] = "";
            memcpy(flat, plane ? sector->ceiling_flat : sector->floor_flat,
                   strlen(plane ? sector->ceiling_flat : sector->floor_flat));
            buffer_put(&sectors, flat, is_doom64 ? 6 : 8);
        }
        buffer_put(&sectors, zeros, 2);
        buffer_put_u16(&sectors, sector->special);
        buffer_put_u16(&sectors, sector->tag);
        buffer_put(&sectors, zeros, is_doom64 ? 2 : 0);
    }
    lump_set_add(set, "THINGS", things);
    lump_set_add(set, "LINEDEFS", linedefs);
    lump_set_add(set, "SIDEDEFS", sides);
    lump_set_add(set, "VERTEXES", vertices);
    lump_set_add(set, "SECTORS", sectors);
    if (form == FORM_HEXEN && !room->scripts)
        lump_set_view(set, "BEHAVIOR", no_script, sizeof no_script);
    if (is_doom64)
        lump_set_view(set, "LEAFS", no_script, 0);
}

// Begins a block of a text, with what the room has for it.
static void open_block(const struct room *room, const char *block, int i,
                       struct buffer *text)
{
    bool has_more = room->more.block && strcmp(room->more.block, block) == 0 &&
                    room->more.index == i;
    buffer_print(text, "%s { %s ", block, has_more ? room->more.fields : "");
}

static void print_line(const struct room *room, int i, struct buffer *text)
{
    static const struct {
        unsigned flag;
        const char *field;
    } fields[] = {{1, "blocking"},       {2, "blockmonsters"}, {4, "twosided"},
                  {8, "dontpegtop"},     {64, "blocksound"},   {256, "mapped"},
                  {0x200, "blocksight"}, {0x400, "something"}};
    const struct line *line = &room->lines[i];
    open_block(room, "linedef", i, text);
    buffer_print(text, "v1 = %d; v2 = %d; sidefront = %d;", line->v1, line->v2,
                 2 * i);
    if (line->back >= 0)
        buffer_print(text, "sideback = %d;", 2 * i + 1);
    if (line->id != 0)
        buffer_print(text, "id = %d;", (int)line->id);
    buffer_print(text, "special = %u; arg0 = %u; passuse = false;",
                 line->special, line->tag);
    for (size_t f = 0; f < COUNT(fields); f++)
        if (line->flags & fields[f].flag)
            buffer_print(text, "%s = true;", fields[f].field);
    buffer_print(text, "}\n");
}

static void add_text(const struct room *room, struct lump_set *set)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"%s\";\n",
                 room->name_space ? room->name_space : "ZDoom");
    for (int i = 0; i < VERTICES; i++) {
        open_block(room, "vertex", i, &text);
        buffer_print(&text, "x = %d; y = %d; }\n", room->vertices[i][0],
                     room->vertices[i][1]);
    }
    for (int i = 0; i < LINES; i++)
        print_line(room, i, &text);
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_print(&text, "sidedef { offsetx = 4; sector = %d; }\n",
                     sector < 0 ? 0 : sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        open_block(room, "sector", i, &text);
        buffer_print(&text,
                     "heightfloor = %d; heightceiling = %d; special = %u; "
                     "id = %d; texturefloor = \"%s\"; "
                     "textureceiling = \"%s\"; %s }\n",
                     sector->floor, sector->ceiling, sector->special,
                     (int)sector->tag, sector->floor_flat, sector->ceiling_flat,
                     sector->flags ? "floorplane_a = 1.0;" : "");
    }
    buffer_print(&text, "thing { type = %u; special = %u; arg0 = %u; }\n",
                 room->thing_type, room->thing_special, room->thing_tag);
    buffer_print(&text, "version = 1;\nunknown { type = 1; }\n");
    lump_set_add(set, "TEXTMAP", text);
}

struct lump_set room_make_lumps(const struct room *room, enum form form)
{
    struct lump_set set = {.map_name = room->name};
    if (form == FORM_UDMF)
        add_text(room, &set);
    else if (form < FORM_UDMF)
        add_binary(room, form, &set);
    // The marker tells that there are no lumps but these.
    if (!room->scripts || *room->scripts != '\0')
        lump_set_view(&set, "", NULL, 0);
    if (room->scripts)
        lump_set_view(&set, room->scripts, "ACS", 3);
    if (form == FORM_HEXEN_ARRAYS &&
        (!room->scripts || strcmp(room->scripts, "BEHAVIOR") != 0))
        lump_set_view(&set, "BEHAVIOR", "", 0);
    return set;
}

static void put_added_vertices(const struct room *room, struct buffer *bytes)
{
    for (size_t i = 0; i < LINES; i++) {
        const struct line *line = &room->lines[i];
        const int *v1 = room->vertices[line->v1];
        // One that ends at such a vertex itself has another at its beginning.
        const int *v2 =
            room->vertices[line->v2 < VERTICES ? line->v2 : line->v1];
        buffer_put_u32(bytes, (uint32_t)((v1[0] + v2[0]) * (UNIT / 2)));
        buffer_put_u32(bytes, (uint32_t)((v1[1] + v2[1]) * (UNIT / 2)));
    }
}

// Segs of GL nodes have a partner instead of an end; from the second form of
// these on, linedefs have 4 bytes.
static void put_seg(const char *form, int v1, int v2, uint32_t linedef,
                    struct buffer *bytes)
{
    bool is_gl = form[0] == 'G';
    buffer_put_u32(bytes, (uint32_t)v1);
    buffer_put_u32(bytes, is_gl ? UINT32_MAX : (uint32_t)v2);
    buffer_put_u16(bytes, linedef & 0xFFFF);
    if (is_gl && form[2] != 'N')
        buffer_put_u16(bytes, linedef >> 16);
    buffer_put_u8(bytes, 0);
}

static void put_segs(const struct room *room, const char *form,
                     struct buffer *bytes)
{
    const uint32_t length = form[0] == 'G' ? 3 : 2; // of a subsector
    buffer_put_u32(bytes, LINES);
    for (int i = 0; i < LINES; i++)
        buffer_put_u32(bytes, length);
    buffer_put_u32(bytes, LINES * length);
    for (int i = 0; i < LINES; i++) {
        const struct line *line = &room->lines[i];
        put_seg(form, line->v1, VERTICES + i, (uint32_t)i, bytes);
        put_seg(form, VERTICES + i, line->v2, (uint32_t)i, bytes);
        if (length == 3)
            put_seg(form, line->v2, line->v1, UINT32_MAX, bytes);
    }
}

struct buffer room_make_nodes(const struct room *room, const char *signature)
{
    static const unsigned char node[40];
    const char *form = signature + 1;
    struct buffer parts = {0}, lump = {0};
    buffer_put_u32(&parts, VERTICES);
    buffer_put_u32(&parts, LINES);
    put_added_vertices(room, &parts);
    put_segs(room, form, &parts);
    buffer_put_u32(&parts, 1); // node
    buffer_put(&parts, node, strcmp(form, "GL3") == 0 ? 40 : 32);
    buffer_put(&lump, signature, 4);
    struct buffer stored =
        signature[0] == 'Z' ? compress_bytes(parts.bytes, parts.size) : parts;
    buffer_put(&lump, stored.bytes, stored.size);
    buffer_free(&stored);
    if (signature[0] == 'Z')
        buffer_free(&parts);
    return lump;
}

void room_make_arrays(const struct room *room, enum form form,
                      struct room_arrays *arrays, struct nbstage_map *map)
{
    *arrays = (struct room_arrays){0};
    for (int i = 0; i < VERTICES; i++)
        arrays->vertices[i] = (struct plain_vertex){
            room->vertices[i][0] * UNIT, room->vertices[i][1] * UNIT};
    for (int i = 0; i < LINES; i++) {
        const struct line *line = &room->lines[i];
        struct plain_line *made = &arrays->lines[i];
        *made = (struct plain_line){
            .v1 = (uint32_t)line->v1,
            .v2 = (uint32_t)line->v2,
            .flags = line->flags,
            .special = line->special,
            .tag = form == FORM_DOOM_ARRAYS ? line->tag : line->id,
            .args = {form == FORM_DOOM_ARRAYS ? 0 : (int32_t)line->tag},
            .front_sector = (uint32_t)line->front,
            .back_sector = (uint32_t)line->back,
        };
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        struct plain_sector *made = &arrays->sectors[i];
        *made = (struct plain_sector){.floor = sector->floor * UNIT,
                                      .ceiling = sector->ceiling * UNIT,
                                      .special = sector->special,
                                      .tag = sector->tag};
        memcpy(made->floor_flat, sector->floor_flat,
               strlen(sector->floor_flat));
        memcpy(made->ceiling_flat, sector->ceiling_flat,
               strlen(sector->ceiling_flat));
    }
    arrays->thing.type = (uint16_t)room->thing_type;
    arrays->thing.special = (uint16_t)room->thing_special;
    arrays->thing.tag = (uint16_t)room->thing_tag;
    arrays->all_vertices = *PLAIN_VERTICES(arrays->vertices, VERTICES);
    arrays->all_lines = *PLAIN_LINES(arrays->lines, LINES);
    arrays->all_sectors = *PLAIN_SECTORS(arrays->sectors, SECTORS);
    NBSTAGE_SET_ARRAY(arrays->all_things, &arrays->thing, 1);
    arrays->all_things.type = (struct nbstage_member){NBSTAGE_U16, 0};
    arrays->all_things.special = (struct nbstage_member){NBSTAGE_U16, 2};
    arrays->all_things.args[0] = (struct nbstage_member){NBSTAGE_U16, 4};
    map->vertices = &arrays->all_vertices;
    map->lines = &arrays->all_lines;
    map->sectors = &arrays->all_sectors;
    map->things = &arrays->all_things;
    map->format =
        form == FORM_DOOM_ARRAYS ? NBSTAGE_FORMAT_DOOM : NBSTAGE_FORMAT_HEXEN;
}
