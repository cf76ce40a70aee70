// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that maps in the structures of three node builders, read where they
// lie, make the same lumps as the maps' own lumps: structures laid out as
// ZDBSP's, ZokumBSP's and ELFBSP's, with lines that are tagged, and with inert
// ones pruned.

#include "buffer.h"
#include "context-for-tests.h"
#include "freedoom.h"
#include "plugin.h"

#include <stdlib.h>

enum { UNIT = 1 << 16, NO_SIDE = 0xFFFF };

// A linedef as any of them has it.
struct line {
    uint16_t v1, v2, flags, special, tag, sides[2];
    uint8_t args[5];
};

// A map and what is made of it; Hexen's has no specials but one that asks.
static struct level {
    const struct doom_map *map;
    bool is_hexen;
    struct line *lines;
    const unsigned char *sides, *sectors, *things; // lumps
    size_t side_count, sector_count, thing_count;
    struct lump_set set;
} level;

static const unsigned char *open_lump(const struct freedoom_map *from,
                                      const char *name, size_t size,
                                      size_t *count)
{
    const struct nbstage_lump *lump = lump_set_find(&from->set, name);
    lump_set_view(&level.set, name, lump->data, lump->data_size);
    *count = lump->data_size / size;
    return lump->data;
}

static void put_line(const struct line *line, struct buffer *lump)
{
    buffer_put_u16(lump, line->v1);
    buffer_put_u16(lump, line->v2);
    buffer_put_u16(lump, line->flags);
    if (level.is_hexen)
        buffer_put_u8(lump, line->special);
    else
        buffer_put_u16(lump, line->special);
    for (int i = 0; i < 5 && level.is_hexen; i++)
        buffer_put_u8(lump, line->args[i]);
    if (!level.is_hexen)
        buffer_put_u16(lump, line->tag);
    buffer_put_u16(lump, line->sides[0]);
    buffer_put_u16(lump, line->sides[1]);
}

// One in seven lines asks to be left out.
static void open_level(const struct freedoom_map *from, bool is_hexen)
{
    struct buffer linedefs = {0}, things = {0};
    const size_t count = from->map.linedef_count;
    level = (struct level){.map = &from->map, .is_hexen = is_hexen};
    level.set.map_name = from->map.name;
    level.set.format = is_hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
    level.lines = allocate_zeros(count, sizeof *level.lines);
    for (size_t i = 0; i < count; i++) {
        const struct doom_linedef *of = &from->map.linedefs[i];
        struct line *line = &level.lines[i];
        *line = (struct line){of->v1,      of->v2,  of->flags,
                              of->special, of->tag, {of->right, of->left},
                              {0}};
        const bool asks = i % 7 == 3 && of->special == 0;
        if (is_hexen) {
            line->tag = 0;
            line->special = asks ? 108 : 0;
            line->args[0] = asks;
        } else if (asks) {
            line->tag = 999;
        }
        put_line(line, &linedefs);
    }
    lump_set_add(&level.set, "LINEDEFS", linedefs);
    open_lump(from, "VERTEXES", 4, &(size_t){0});
    level.sides = open_lump(from, "SIDEDEFS", 30, &level.side_count);
    level.sectors = open_lump(from, "SECTORS", 26, &level.sector_count);
    if (!is_hexen) {
        level.things = open_lump(from, "THINGS", 10, &level.thing_count);
        return;
    }
    for (int i = 0; i < 5; i++)
        buffer_put_u32(&things, 0);
    lump_set_add(&level.set, "THINGS", things);
    lump_set_view(&level.set, "BEHAVIOR", "", 0);
}

static void close_level(void)
{
    free(level.lines);
    lump_set_free(&level.set);
}

// What is handed over of a map in the structures of a builder.
static struct given {
    void *vertices, *lines, *sides, *sectors, *things;
    struct nbstage_vertices of_vertices;
    struct nbstage_lines of_lines;
    struct nbstage_sides of_sides;
    struct nbstage_sectors of_sectors;
    struct nbstage_things of_things;
} given;

static void free_given(void)
{
    free(given.vertices);
    free(given.lines);
    free(given.sides);
    free(given.sectors);
    free(given.things);
}

// Builds with the arrays, and the lumps beside them, as from the lumps alone.
static void check(const char *shape, const struct lump_set *all,
                  const struct lump_set *beside, bool describes_all)
{
    static const char *const options[] = {"", "prune=inert", "prune=none"};
    for (size_t i = 0; i < COUNT(options); i++) {
        char what[64];
        struct nbstage_map map = lump_set_map(beside);
        struct plugin_lump expected = lump_set_build(all, options[i]);
        map.format = all->format;
        map.vertices = &given.of_vertices;
        map.lines = &given.of_lines;
        if (describes_all) {
            map.sides = &given.of_sides;
            map.sectors = &given.of_sectors;
            map.things = &given.of_things;
        }
        struct plugin_lump lump = plugin_build(&map, options[i]);
        snprintf(what, sizeof what, "%s %s %s", all->map_name, shape,
                 options[i]);
        plugin_check_same(what, &lump, &expected);
        plugin_free(&expected);
        plugin_free(&lump);
    }
}

// --- ZDBSP ---

struct zdbsp_vertex {
    int32_t x, y; // 16.16
    int index;
};
struct zdbsp_line {
    uint32_t v1, v2;
    int flags, special, args[5];
    uint32_t sidenum[2];
    void *props;
    int number;
};
struct zdbsp_side {
    short offsets[2];
    char textures[3][8];
    int sector;
    void *props;
};
struct zdbsp_sector {
    short floor, ceiling;
    char flats[2][8];
    short light, special, tag;
    void *props;
};
struct zdbsp_thing {
    int32_t x, y;
    short angle, type, flags;
    char special, args[5];
};

static void fill_zdbsp(void)
{
    const struct doom_map *map = level.map;
    struct zdbsp_vertex *vertices =
        allocate_zeros(map->vertex_count, sizeof *vertices);
    struct zdbsp_line *lines =
        allocate_zeros(map->linedef_count, sizeof *lines);
    struct zdbsp_side *sides = allocate_zeros(level.side_count, sizeof *sides);
    struct zdbsp_sector *sectors =
        allocate_zeros(level.sector_count, sizeof *sectors);
    struct zdbsp_thing *things =
        allocate_zeros(level.thing_count + 1, sizeof *things);
    given = (struct given){vertices, lines,  sides,
                           sectors,  things, .of_lines = {.array = {0}}};
    for (size_t i = 0; i < map->vertex_count; i++)
        vertices[i] = (struct zdbsp_vertex){map->vertices[i].x,
                                            map->vertices[i].y, (int)i};
    // In Doom's format args[0] is the special and args[1] the tag.
    for (size_t i = 0; i < map->linedef_count; i++) {
        const struct line *from = &level.lines[i];
        struct zdbsp_line *line = &lines[i];
        *line = (struct zdbsp_line){.v1 = from->v1, .v2 = from->v2};
        line->flags = from->flags;
        line->special = level.is_hexen ? from->special : 0;
        line->args[0] = level.is_hexen ? from->args[0] : from->special;
        line->args[1] = level.is_hexen ? from->args[1] : from->tag;
        for (int s = 0; s < 2; s++)
            line->sidenum[s] =
                from->sides[s] == NO_SIDE ? UINT32_MAX : from->sides[s];
    }
    for (size_t i = 0; i < level.side_count; i++)
        sides[i].sector = wad_u16(level.sides + 30 * i + 28);
    for (size_t i = 0; i < level.sector_count; i++) {
        const unsigned char *from = level.sectors + 26 * i;
        sectors[i].floor = (short)wad_u16(from);
        sectors[i].ceiling = (short)wad_u16(from + 2);
        memcpy(sectors[i].flats, from + 4, sizeof sectors[i].flats);
        sectors[i].special = (short)wad_u16(from + 22);
        sectors[i].tag = (short)wad_u16(from + 24);
    }
    for (size_t i = 0; i < level.thing_count; i++)
        things[i].type = (short)wad_u16(level.things + 10 * i + 6);
}

static void describe_zdbsp(void)
{
    struct nbstage_lines *lines = &given.of_lines;
    struct nbstage_sectors *sectors = &given.of_sectors;
    NBSTAGE_SET_ARRAY(given.of_vertices, (struct zdbsp_vertex *)given.vertices,
                      level.map->vertex_count);
    NBSTAGE_SET(given.of_vertices.x, NBSTAGE_FIXED, struct zdbsp_vertex, x);
    NBSTAGE_SET(given.of_vertices.y, NBSTAGE_FIXED, struct zdbsp_vertex, y);
    NBSTAGE_SET_ARRAY(*lines, (struct zdbsp_line *)given.lines,
                      level.map->linedef_count);
    NBSTAGE_SET(lines->v1, NBSTAGE_U32, struct zdbsp_line, v1);
    NBSTAGE_SET(lines->v2, NBSTAGE_U32, struct zdbsp_line, v2);
    NBSTAGE_SET(lines->flags, NBSTAGE_I32, struct zdbsp_line, flags);
    NBSTAGE_SET(lines->front_side, NBSTAGE_U32, struct zdbsp_line, sidenum[0]);
    NBSTAGE_SET(lines->back_side, NBSTAGE_U32, struct zdbsp_line, sidenum[1]);
    if (level.is_hexen) {
        NBSTAGE_SET(lines->special, NBSTAGE_I32, struct zdbsp_line, special);
        NBSTAGE_SET(lines->args[0], NBSTAGE_I32, struct zdbsp_line, args[0]);
    } else {
        NBSTAGE_SET(lines->special, NBSTAGE_I32, struct zdbsp_line, args[0]);
        NBSTAGE_SET(lines->tag, NBSTAGE_I32, struct zdbsp_line, args[1]);
    }
    NBSTAGE_SET_ARRAY(given.of_sides, (struct zdbsp_side *)given.sides,
                      level.side_count);
    NBSTAGE_SET(given.of_sides.sector, NBSTAGE_I32, struct zdbsp_side, sector);
    NBSTAGE_SET_ARRAY(*sectors, (struct zdbsp_sector *)given.sectors,
                      level.sector_count);
    NBSTAGE_SET(sectors->floor, NBSTAGE_I16, struct zdbsp_sector, floor);
    NBSTAGE_SET(sectors->ceiling, NBSTAGE_I16, struct zdbsp_sector, ceiling);
    NBSTAGE_SET(sectors->floor_flat, NBSTAGE_NAME, struct zdbsp_sector,
                flats[0]);
    NBSTAGE_SET(sectors->ceiling_flat, NBSTAGE_NAME, struct zdbsp_sector,
                flats[1]);
    NBSTAGE_SET(sectors->special, NBSTAGE_I16, struct zdbsp_sector, special);
    NBSTAGE_SET(sectors->tag, NBSTAGE_I16, struct zdbsp_sector, tag);
    NBSTAGE_SET_ARRAY(given.of_things, (struct zdbsp_thing *)given.things,
                      level.thing_count);
    NBSTAGE_SET(given.of_things.type, NBSTAGE_I16, struct zdbsp_thing, type);
    NBSTAGE_SET(given.of_things.special, NBSTAGE_U8, struct zdbsp_thing,
                special);
    NBSTAGE_SET(given.of_things.args[0], NBSTAGE_U8, struct zdbsp_thing,
                args[0]);
}

// --- ZokumBSP ---

// In Hexen's format the special is behind the sides.
struct zokum_vertex {
    int16_t x, y;
};
struct zokum_line {
    uint16_t start, end, flags, type, tag, sides[2];
    uint8_t special, args[5];
};

static void fill_zokum(void)
{
    const struct doom_map *map = level.map;
    struct zokum_vertex *vertices =
        allocate_zeros(map->vertex_count, sizeof *vertices);
    struct zokum_line *lines =
        allocate_zeros(map->linedef_count, sizeof *lines);
    free(given.vertices);
    free(given.lines);
    given.vertices = vertices;
    given.lines = lines;
    for (size_t i = 0; i < map->vertex_count; i++)
        vertices[i] =
            (struct zokum_vertex){(int16_t)(map->vertices[i].x / UNIT),
                                  (int16_t)(map->vertices[i].y / UNIT)};
    for (size_t i = 0; i < map->linedef_count; i++) {
        const struct line *from = &level.lines[i];
        lines[i] =
            (struct zokum_line){from->v1,    from->v2,
                                from->flags, 0,
                                0,           {from->sides[0], from->sides[1]},
                                0,           {from->args[0]}};
        if (level.is_hexen)
            lines[i].special = (uint8_t)from->special;
        else
            lines[i].type = from->special;
        lines[i].tag = from->tag;
    }
}

// The others are as ZDBSP's.
static void describe_zokum(void)
{
    struct nbstage_lines *lines = &given.of_lines;
    *lines = (struct nbstage_lines){.array = {0}};
    NBSTAGE_SET_ARRAY(given.of_vertices, (struct zokum_vertex *)given.vertices,
                      level.map->vertex_count);
    NBSTAGE_SET(given.of_vertices.x, NBSTAGE_I16, struct zokum_vertex, x);
    NBSTAGE_SET(given.of_vertices.y, NBSTAGE_I16, struct zokum_vertex, y);
    NBSTAGE_SET_ARRAY(*lines, (struct zokum_line *)given.lines,
                      level.map->linedef_count);
    NBSTAGE_SET(lines->v1, NBSTAGE_U16, struct zokum_line, start);
    NBSTAGE_SET(lines->v2, NBSTAGE_U16, struct zokum_line, end);
    NBSTAGE_SET(lines->flags, NBSTAGE_U16, struct zokum_line, flags);
    NBSTAGE_SET(lines->front_side, NBSTAGE_U16, struct zokum_line, sides[0]);
    NBSTAGE_SET(lines->back_side, NBSTAGE_U16, struct zokum_line, sides[1]);
    if (level.is_hexen) {
        NBSTAGE_SET(lines->special, NBSTAGE_U8, struct zokum_line, special);
        NBSTAGE_SET(lines->args[0], NBSTAGE_U8, struct zokum_line, args[0]);
    } else {
        NBSTAGE_SET(lines->special, NBSTAGE_U16, struct zokum_line, type);
        NBSTAGE_SET(lines->tag, NBSTAGE_U16, struct zokum_line, tag);
    }
}

// --- ELFBSP ---

struct elf_vertex {
    double x, y;
    bool is_new;
    size_t index;
};
struct elf_line {
    struct elf_line *next;
    struct elf_vertex *start, *end;
    void *right, *left;
    int32_t special;
    uint16_t tag;
};

// Arrays of pointers to elements, which are in the opposite order.
static void fill_elf(void)
{
    const size_t vertex_count = level.map->vertex_count;
    const size_t line_count = level.map->linedef_count;
    struct elf_vertex **vertices = allocate_zeros(
        vertex_count, sizeof(struct elf_vertex) + sizeof *vertices);
    struct elf_line **lines =
        allocate_zeros(line_count, sizeof(struct elf_line) + sizeof *lines);
    struct elf_vertex *vertex = (void *)(vertices + vertex_count);
    struct elf_line *line = (void *)(lines + line_count);
    given = (struct given){.vertices = vertices, .lines = lines};
    for (size_t i = vertex_count; i-- > 0; vertex++) {
        const struct plain_vertex *from = &level.map->vertices[i];
        *vertex = (struct elf_vertex){(double)from->x / UNIT,
                                      (double)from->y / UNIT, false, i};
        vertices[i] = vertex;
    }
    for (size_t i = line_count; i-- > 0; line++) {
        const struct line *from = &level.lines[i];
        *line = (struct elf_line){.start = vertices[from->v1],
                                  .end = vertices[from->v2],
                                  .special = from->special,
                                  .tag = from->tag};
        lines[i] = line;
    }
    NBSTAGE_SET_ARRAY(given.of_vertices, vertices, vertex_count);
    given.of_vertices.array.is_indirect = 1;
    NBSTAGE_SET(given.of_vertices.x, NBSTAGE_DOUBLE, struct elf_vertex, x);
    NBSTAGE_SET(given.of_vertices.y, NBSTAGE_DOUBLE, struct elf_vertex, y);
    NBSTAGE_SET_ARRAY(given.of_lines, lines, line_count);
    given.of_lines.array.is_indirect = 1;
    NBSTAGE_SET_BEHIND(given.of_lines.v1, NBSTAGE_SIZE, struct elf_line, start,
                       struct elf_vertex, index);
    NBSTAGE_SET_BEHIND(given.of_lines.v2, NBSTAGE_SIZE, struct elf_line, end,
                       struct elf_vertex, index);
    NBSTAGE_SET(given.of_lines.special, NBSTAGE_I32, struct elf_line, special);
    NBSTAGE_SET(given.of_lines.tag, NBSTAGE_U16, struct elf_line, tag);
}

// --- All maps ---

LOOP_TEST(maps_are_read_in_the_structures_of_builders, FREEDOOM_MAPS)
{
    const struct freedoom_map *from = &freedoom_maps[_i];
    for (int is_hexen = 0; is_hexen < 2; is_hexen++) {
        struct lump_set scripts = {.map_name = from->map.name};
        if (is_hexen)
            lump_set_view(&scripts, "BEHAVIOR", "", 0);
        open_level(from, is_hexen);
        fill_zdbsp();
        describe_zdbsp();
        check("ZDBSP", &level.set, &scripts, true);
        fill_zokum();
        describe_zokum();
        check("ZokumBSP", &level.set, &scripts, true);
        free_given();
        fill_elf();
        check("ELFBSP", &level.set, &level.set, false);
        free_given();
        close_level();
    }
}

// Without flags and lumps no line is inert, and the others stay tagged.
LOOP_TEST(what_is_not_known_prunes_no_more, FREEDOOM_MAPS)
{
    const struct freedoom_map *from = &freedoom_maps[_i];
    open_level(from, false);
    fill_elf();
    struct nbstage_map map = {.size = sizeof map,
                              .name = from->map.name,
                              .vertices = &given.of_vertices,
                              .lines = &given.of_lines};
    struct plugin_lump expected = lump_set_build(&level.set, "");
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    plugin_check_same(from->map.name, &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
    free_given();
    close_level();
}

// In UDMF all but the geometry is in the text.
LOOP_TEST(texts_tell_what_arrays_do_not, FREEDOOM_MAPS)
{
    const struct freedoom_map *from = &freedoom_maps[_i];
    struct lump_set text = doom_map_to_udmf(&from->map, doom_map_print_exactly);
    text.format = NBSTAGE_FORMAT_UDMF;
    open_level(from, false);
    fill_elf();
    check("UDMF", &text, &text, false);
    free_given();
    close_level();
    lump_set_free(&text);
}

int main(void)
{
    TCase *tests = all_tests();
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    tcase_add_unchecked_fixture(tests, freedoom_load, freedoom_unload);
    tcase_add_checked_fixture(tests, test_set_up, test_tear_down);
    return run_suite(tests);
}
