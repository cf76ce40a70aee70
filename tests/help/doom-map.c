// SPDX-License-Identifier: GPL-2.0-or-later

#include "doom-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,    // a map unit in 16.16
    LINEDEF_SIZE = 14, // bytes
    VERTEX_SIZE = 4,   // bytes
    NO_SIDE = 0xFFFF,
    TWO_SIDED = 4, // linedef flags
    BLOCKING = 1,
};

static void decode_vertices(const struct wadfile_lump *lump,
                            struct doom_map *map)
{
    map->vertex_count = lump->size / VERTEX_SIZE;
    map->vertices = allocate_zeros(map->vertex_count, sizeof *map->vertices);
    for (size_t i = 0; i < map->vertex_count; i++) {
        const unsigned char *vertex = lump->data + i * VERTEX_SIZE;
        map->vertices[i] = (struct plain_vertex){wad_i16(vertex) * UNIT,
                                                 wad_i16(vertex + 2) * UNIT};
    }
}

static void decode_linedefs(const struct wadfile_lump *lump,
                            struct doom_map *map)
{
    map->linedef_count = lump->size / LINEDEF_SIZE;
    map->linedefs = allocate_zeros(map->linedef_count, sizeof *map->linedefs);
    for (size_t i = 0; i < map->linedef_count; i++) {
        const unsigned char *at = lump->data + i * LINEDEF_SIZE;
        map->linedefs[i] = (struct doom_linedef){
            wad_u16(at),      wad_u16(at + 2), wad_u16(at + 4),
            wad_u16(at + 6),  wad_u16(at + 8), wad_u16(at + 10),
            wad_u16(at + 12),
        };
        // An assertion that holds takes long, too: Check notes each.
        if (map->linedefs[i].v1 >= map->vertex_count ||
            map->linedefs[i].v2 >= map->vertex_count)
            abort_with("linedef %zu has no such vertex", i);
    }
}

struct doom_map doom_map_decode(const struct wadfile_map *wad_map)
{
    const struct wadfile_lump *blockmap =
        wadfile_find_lump(wad_map, "BLOCKMAP");
    struct doom_map map = {.name = wad_map->name,
                           .blockmap = blockmap->data,
                           .blockmap_size = blockmap->size};
    decode_vertices(wadfile_find_lump(wad_map, "VERTEXES"), &map);
    decode_linedefs(wadfile_find_lump(wad_map, "LINEDEFS"), &map);
    return map;
}

void doom_map_free(struct doom_map *map)
{
    free(map->vertices);
    free(map->linedefs);
    *map = (struct doom_map){0};
}

// --- Binary forms ---

enum binary_form { DOOM, HEXEN, DOOM_64 };

static struct buffer make_linedefs(const struct doom_map *map,
                                   enum binary_form form)
{
    struct buffer bytes = {0};
    for (size_t i = 0; i < map->linedef_count; i++) {
        const struct doom_linedef *linedef = &map->linedefs[i];
        buffer_put_u16(&bytes, linedef->v1);
        buffer_put_u16(&bytes, linedef->v2);
        buffer_put_u16(&bytes, linedef->flags);
        if (form == DOOM_64)
            buffer_put_u16(&bytes, 0); // upper half of the flags
        if (form == HEXEN) {
            buffer_put_u8(&bytes, linedef->special);
            buffer_put_u8(&bytes, linedef->tag); // the first argument of five
            buffer_put_u32(&bytes, 0);
        } else {
            buffer_put_u16(&bytes, linedef->special);
            buffer_put_u16(&bytes, linedef->tag);
        }
        buffer_put_u16(&bytes, linedef->right);
        buffer_put_u16(&bytes, linedef->left);
    }
    return bytes;
}

// Doom 64 has vertices in 16.16, other forms whole map units.
static struct buffer make_vertexes(const struct doom_map *map,
                                   enum binary_form form)
{
    struct buffer bytes = {0};
    for (size_t i = 0; i < map->vertex_count; i++) {
        const struct plain_vertex *vertex = &map->vertices[i];
        if (form == DOOM_64) {
            buffer_put_u32(&bytes, (uint32_t)vertex->x);
            buffer_put_u32(&bytes, (uint32_t)vertex->y);
        } else {
            buffer_put_u16(&bytes, (unsigned)(vertex->x / UNIT));
            buffer_put_u16(&bytes, (unsigned)(vertex->y / UNIT));
        }
    }
    return bytes;
}

static void add_blockmap(const struct doom_map *map, struct lump_set *set)
{
    if (map->blockmap_size > 0)
        lump_set_view(set, "BLOCKMAP", map->blockmap, map->blockmap_size);
}

static struct lump_set make_binary(const struct doom_map *map,
                                   enum binary_form form)
{
    struct lump_set set = {.map_name = map->name};
    lump_set_add(&set, "LINEDEFS", make_linedefs(map, form));
    lump_set_add(&set, "VERTEXES", make_vertexes(map, form));
    add_blockmap(map, &set);
    return set;
}

struct lump_set doom_map_to_doom(const struct doom_map *map)
{
    return make_binary(map, DOOM);
}

struct lump_set doom_map_to_hexen(const struct doom_map *map)
{
    struct lump_set set = make_binary(map, HEXEN);
    lump_set_view(&set, "BEHAVIOR", "ACS", 4);
    return set;
}

struct lump_set doom_map_to_doom64(const struct doom_map *map)
{
    struct lump_set set = make_binary(map, DOOM_64);
    lump_set_view(&set, "LEAFS", NULL, 0);
    lump_set_view(&set, "LIGHTS", NULL, 0);
    lump_set_view(&set, "MACROS", NULL, 0);
    return set;
}

// --- UDMF and arrays ---

// A 65,536th has 16 decimals; long division finds them one by one.
void doom_map_print_exactly(struct buffer *text, int32_t coordinate)
{
    int64_t magnitude = coordinate < 0 ? -(int64_t)coordinate : coordinate;
    buffer_print(text, "%s%" PRId64 ".", coordinate < 0 ? "-" : "",
                 magnitude / UNIT);
    int64_t rest = magnitude % UNIT;
    do {
        buffer_print(text, "%" PRId64, rest * 10 / UNIT);
        rest = rest * 10 % UNIT;
    } while (rest > 0);
}

static void print_vertices(const struct doom_map *map, struct buffer *text)
{
    for (size_t i = 0; i < map->vertex_count; i++) {
        buffer_print(text, "vertex // %zu\n{\nx = ", i);
        doom_map_print_exactly(text, map->vertices[i].x);
        buffer_print(text, ";\ny = ");
        doom_map_print_exactly(text, map->vertices[i].y);
        buffer_print(text, ";\n}\n\n");
    }
}

static void print_linedefs(const struct doom_map *map, struct buffer *text)
{
    for (size_t i = 0; i < map->linedef_count; i++) {
        const struct doom_linedef *linedef = &map->linedefs[i];
        buffer_print(text,
                     "linedef // %zu\n{\nid = %d;\nv1 = %d;\nv2 = %d;\n"
                     "sidefront = %d;\nspecial = %d;\n",
                     i, linedef->tag, linedef->v1, linedef->v2, linedef->right,
                     linedef->special);
        if (linedef->left != NO_SIDE)
            buffer_print(text, "sideback = %d;\n", linedef->left);
        if (linedef->flags & BLOCKING)
            buffer_print(text, "blocking = true;\n");
        if (linedef->flags & TWO_SIDED)
            buffer_print(text, "twosided = true;\n");
        buffer_print(text, "}\n\n");
    }
}

struct lump_set doom_map_to_udmf(const struct doom_map *map)
{
    struct lump_set set = {.map_name = map->name};
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"Doom\";\n\n");
    print_linedefs(map, &text);
    print_vertices(map, &text);
    lump_set_add(&set, "TEXTMAP", text);
    add_blockmap(map, &set);
    lump_set_view(&set, "ENDMAP", NULL, 0);
    return set;
}

struct plain_line *doom_map_to_lines(const struct doom_map *map)
{
    struct plain_line *lines =
        allocate_zeros(map->linedef_count, sizeof *lines);
    for (size_t i = 0; i < map->linedef_count; i++)
        lines[i] = (struct plain_line){
            .v1 = map->linedefs[i].v1,
            .v2 = map->linedefs[i].v2,
            .flags = map->linedefs[i].flags,
            .special = map->linedefs[i].special,
            .tag = map->linedefs[i].tag,
            .front_sector = NBSTAGE_NONE,
            .back_sector = NBSTAGE_NONE,
        };
    return lines;
}

struct oracle_line *doom_map_to_oracle(const struct doom_map *map)
{
    struct oracle_line *lines =
        allocate_zeros(map->linedef_count, sizeof *lines);
    for (size_t i = 0; i < map->linedef_count; i++) {
        struct plain_vertex start = map->vertices[map->linedefs[i].v1];
        struct plain_vertex end = map->vertices[map->linedefs[i].v2];
        lines[i] = (struct oracle_line){start.x, start.y, end.x, end.y};
    }
    return lines;
}
