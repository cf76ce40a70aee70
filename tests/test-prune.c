// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lines are left out of the blockmap: each rule both ways on a
// map of thirteen lines, in every format; and on Freedoom's maps against the
// rules written once more, plainly, from the raw lumps.  What is listed must
// be what the oracle finds, less the lines that are left out.
//
//     +-------+-------+     One room of two sectors, 0 and 1, parted by line
//     |   |   6  +-+  |     6.  Line 7 has sector 0 on both sides.  Lines 8 to
//     |   7   |  |:|  |     11 are the outline of sector 2, which refers to
//     |   |   |  +-+  |     itself, and 12 is inside of it.
//     +-------+-------+

#include "context-for-tests.h"
#include "freedoom.h"
#include "lump-set.h"
#include "oracle.h"
#include "run-suite.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    LINES = 13,
    VERTICES = 14,
    SECTORS = 3,
    MOST_LINES = 65536,
    NO_SIDE = 0xFFFF,
    TWO_SIDED = 4,
    INERT_BY_HEIGHT = 1 << 6,           // rule 2
    INERT_BY_SECTOR = 1 << 7 | 1 << 12, // rule 1
    INERT = INERT_BY_HEIGHT | INERT_BY_SECTOR,
};

enum form {
    FORM_DOOM,
    FORM_HEXEN,
    FORM_DOOM64,
    FORM_UDMF, // namespace zdoom
    FORM_DOOM_ARRAYS,
    FORM_HEXEN_ARRAYS,
    FORM_COUNT
};

enum {
    DOOM = 1 << FORM_DOOM | 1 << FORM_DOOM_ARRAYS,
    HEXEN = 1 << FORM_HEXEN | 1 << FORM_HEXEN_ARRAYS,
    UDMF = 1 << FORM_UDMF,
    ALL = DOOM | HEXEN | UDMF,
};

struct line {
    int v1, v2, front, back; // sectors; -1: none
    unsigned flags, special, tag, id;
};

struct sector {
    int floor, ceiling;
    unsigned special, tag, flags;
};

struct room {
    const char *name;
    int vertices[VERTICES][2]; // map units
    struct line lines[LINES];
    struct sector sectors[SECTORS];
    unsigned thing_type, thing_special, thing_tag;
    const char *scripts; // the name of a lump that has some
};

static const struct room plain_room = {
    .name = "MAP01",
    .vertices = {{0, 0},
                 {0, 512},
                 {256, 512},
                 {512, 512},
                 {512, 0},
                 {256, 0},
                 {128, 128},
                 {128, 384},
                 {320, 192},
                 {320, 256},
                 {384, 256},
                 {384, 192},
                 {352, 208},
                 {352, 240}},
    .lines = {{0, 1, 0, -1, 1, 0, 0, 0},
              {1, 2, 0, -1, 1, 0, 0, 0},
              {2, 3, 1, -1, 1, 0, 0, 0},
              {3, 4, 1, -1, 1, 0, 0, 0},
              {4, 5, 1, -1, 1, 0, 0, 0},
              {5, 0, 0, -1, 1, 0, 0, 0},
              {5, 2, 1, 0, 4, 0, 0, 0},
              {6, 7, 0, 0, 4, 0, 0, 0},
              {8, 9, 2, 2, 4, 0, 0, 0},
              {9, 10, 2, 2, 4, 0, 0, 0},
              {10, 11, 2, 2, 4, 0, 0, 0},
              {11, 8, 2, 2, 4, 0, 0, 0},
              {12, 13, 2, 2, 4, 0, 0, 0}},
    .sectors = {{0, 128, 0, 0, 0}, {0, 128, 0, 0, 0}, {0, 128, 0, 0, 0}},
    .thing_type = 1,
};

// ---------------------------------------------------------------------------
// The room in all forms

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

static void put_linedef(const struct line *line, int i, enum form form,
                        struct buffer *buffer)
{
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

static void add_binary_records(const struct room *room, enum form form,
                               struct lump_set *set)
{
    struct buffer things = {0}, sides = {0}, sectors = {0};
    static const unsigned char zeros[24] = {0};
    buffer_put(&things, zeros, form == FORM_HEXEN ? 10 : 6);
    buffer_put_u16(&things, room->thing_type);
    buffer_put_u16(&things, 7);
    if (form == FORM_HEXEN) {
        buffer_put_u8(&things, room->thing_special);
        buffer_put_u8(&things, room->thing_tag);
        buffer_put(&things, zeros, 4);
    }
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_put(&sides, zeros, 4);
        buffer_put(&sides, zeros, 24);
        buffer_put_u16(&sides, sector < 0 ? 0 : (unsigned)sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        buffer_put_u16(&sectors, (unsigned)sector->floor);
        buffer_put_u16(&sectors, (unsigned)sector->ceiling);
        buffer_put(&sectors, zeros, 18);
        buffer_put_u16(&sectors, sector->special);
        buffer_put_u16(&sectors, sector->tag);
    }
    lump_set_add(set, "THINGS", things);
    lump_set_add(set, "SIDEDEFS", sides);
    lump_set_add(set, "SECTORS", sectors);
}

static void add_binary(const struct room *room, enum form form,
                       struct lump_set *set)
{
    static const unsigned char no_script[16] = {'A', 'C', 'S', 0, 8};
    struct buffer linedefs = {0}, vertices = {0};
    for (int i = 0; i < LINES; i++)
        put_linedef(&room->lines[i], i, form, &linedefs);
    put_vertices(room, form == FORM_DOOM64, &vertices);
    lump_set_add(set, "LINEDEFS", linedefs);
    lump_set_add(set, "VERTEXES", vertices);
    add_binary_records(room, form, set);
    if (form == FORM_HEXEN && !room->scripts)
        lump_set_view(set, "BEHAVIOR", no_script, sizeof no_script);
    if (form == FORM_DOOM64)
        lump_set_view(set, "LEAFS", no_script, 0);
}

static void print_line(const struct line *line, int i, struct buffer *text)
{
    static const struct {
        unsigned flag;
        const char *field;
    } fields[] = {{1, "blocking"},       {2, "blockmonsters"}, {4, "twosided"},
                  {8, "dontpegtop"},     {64, "blocksound"},   {256, "mapped"},
                  {0x200, "blocksight"}, {0x400, "something"}};
    buffer_print(text, "linedef { v1 = %d; v2 = %d; sidefront = %d;", line->v1,
                 line->v2, 2 * i);
    if (line->back >= 0)
        buffer_print(text, "sideback = %d;", 2 * i + 1);
    buffer_print(text, "special = %u; arg0 = %u; id = %d; passuse = false;",
                 line->special, line->tag, line->id ? (int)line->id : -1);
    for (size_t f = 0; f < COUNT(fields); f++)
        if (line->flags & fields[f].flag)
            buffer_print(text, "%s = true;", fields[f].field);
    buffer_print(text, "}\n");
}

static void add_text(const struct room *room, struct lump_set *set)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"ZDoom\";\n");
    for (int i = 0; i < VERTICES; i++)
        buffer_print(&text, "vertex { x = %d; y = %d; }\n",
                     room->vertices[i][0], room->vertices[i][1]);
    for (int i = 0; i < LINES; i++)
        print_line(&room->lines[i], i, &text);
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_print(&text, "sidedef { sector = %d; }\n",
                     sector < 0 ? 0 : sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        buffer_print(&text,
                     "sector { heightfloor = %d; heightceiling = %d; "
                     "special = %u; id = %u; %s }\n",
                     sector->floor, sector->ceiling, sector->special,
                     sector->tag, sector->flags ? "floorplane_a = 1.0;" : "");
    }
    buffer_print(&text, "thing { type = %u; special = %u; arg0 = %u; }\n",
                 room->thing_type, room->thing_special, room->thing_tag);
    lump_set_add(set, "TEXTMAP", text);
}

static struct lump_set make_lumps(const struct room *room, enum form form)
{
    struct lump_set set = {.map_name = room->name};
    if (form == FORM_UDMF)
        add_text(room, &set);
    else if (form < FORM_UDMF)
        add_binary(room, form, &set);
    if (room->scripts)
        lump_set_view(&set, room->scripts, "ACS", 3);
    return set;
}

struct arrays {
    struct nbstage_vertex vertices[VERTICES];
    struct nbstage_line lines[LINES];
    struct nbstage_sector sectors[SECTORS];
};

static void make_arrays(const struct room *room, enum form form,
                        struct arrays *arrays, struct nbstage_map *map)
{
    *arrays = (struct arrays){0};
    for (int i = 0; i < VERTICES; i++)
        arrays->vertices[i] = (struct nbstage_vertex){
            room->vertices[i][0] * UNIT, room->vertices[i][1] * UNIT};
    for (int i = 0; i < LINES; i++) {
        const struct line *line = &room->lines[i];
        arrays->lines[i] = (struct nbstage_line){
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
    for (int i = 0; i < SECTORS; i++)
        arrays->sectors[i] = (struct nbstage_sector){
            room->sectors[i].floor * UNIT, room->sectors[i].ceiling * UNIT,
            room->sectors[i].special, room->sectors[i].tag,
            room->sectors[i].flags};
    map->vertices = arrays->vertices;
    map->vertex_count = VERTICES;
    map->vertex_size = sizeof *arrays->vertices;
    map->lines = arrays->lines;
    map->line_count = LINES;
    map->line_size = sizeof *arrays->lines;
    map->sectors = arrays->sectors;
    map->sector_count = SECTORS;
    map->sector_size = sizeof *arrays->sectors;
    map->format =
        form == FORM_DOOM_ARRAYS ? NBSTAGE_FORMAT_DOOM : NBSTAGE_FORMAT_HEXEN;
}

// ---------------------------------------------------------------------------
// What is left out

static struct oracle_line *room_segments(const struct room *room)
{
    static struct oracle_line segments[LINES];
    for (int i = 0; i < LINES; i++) {
        const int *start = room->vertices[room->lines[i].v1];
        const int *end = room->vertices[room->lines[i].v2];
        segments[i] = (struct oracle_line){start[0] * UNIT, start[1] * UNIT,
                                           end[0] * UNIT, end[1] * UNIT};
    }
    return segments;
}

// Holds a lump against the oracle's facts about the lines that are kept.
static void check_lump(const char *name, const struct plugin_lump *lump,
                       const struct oracle_line *lines, size_t count,
                       const bool *left_out)
{
    struct oracle_report report = {.file = stderr, .map = name};
    struct oracle_grid grid;
    ck_assert_msg(oracle_read_grid(lump->bytes, lump->size, &grid), "%s", name);
    ck_assert_msg(oracle_encloses(&grid, lines, count), "%s", name);
    struct oracle_facts truth = oracle_find_facts(&grid, lines, count);
    struct oracle_facts found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    size_t kept = 0;
    for (size_t i = 0; i < truth.count; i++)
        if (!left_out[truth.fact[i].line])
            truth.fact[kept++] = truth.fact[i];
    truth.count = kept;
    oracle_compare(&grid, &truth, &found, &report);
    oracle_free_facts(&truth);
    oracle_free_facts(&found);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above", name,
                  report.fault_count);
}

static void check_room(const char *name, const struct room *room,
                       const struct plugin_lump *lump, unsigned expected)
{
    bool left_out[LINES];
    for (int i = 0; i < LINES; i++)
        left_out[i] = expected >> i & 1;
    check_lump(name, lump, room_segments(room), LINES, left_out);
}

static int64_t count_bits(unsigned bits)
{
    int64_t count = 0;
    for (; bits; bits >>= 1)
        count += bits & 1;
    return count;
}

// Builds a room in a form and checks what is left out of it.
static void expect_left_out(const char *name, const struct room *room,
                            enum form form, const char *options,
                            unsigned expected)
{
    struct lump_set set = make_lumps(room, form);
    struct nbstage_map map = lump_set_map(&set);
    struct arrays arrays;
    char text[160];
    snprintf(text, sizeof text, "%s, form %d, %s", name, (int)form, options);
    if (form > FORM_UDMF)
        make_arrays(room, form, &arrays, &map);
    struct plugin_lump lump = plugin_build(&map, options);
    check_room(text, room, &lump, expected);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     count_bits(expected));
    ck_assert_int_eq(plugin_number(&lump, "linedefs"), LINES);
    plugin_free(&lump);
    lump_set_free(&set);
}

// ---------------------------------------------------------------------------
// Inert lines, rule by rule

enum target {
    NOTHING,
    LINE_FLAGS, // exclusive or
    LINE_SPECIAL,
    LINE_SPECIAL_7, // with tag 7
    LINE_ID,
    SECTOR_FLOOR,
    SECTOR_CEILING,
    SECTOR_SPECIAL,
    SECTOR_TAG,
    SECTOR_FLAGS,
    THING_TYPE,
    THING_SPECIAL,
};

static const struct rule {
    const char *name;
    unsigned forms; // a bit for each
    enum target target;
    int index;
    unsigned value;
    unsigned expected;
} rules[] = {
    {"plain", ALL, NOTHING, 0, 0, INERT},
    {"harmless flags", ALL, LINE_FLAGS, 7, 8 | 256, INERT},
    {"blocking", ALL, LINE_FLAGS, 7, 1, INERT & ~(1u << 7)},
    {"blocks monsters", ALL, LINE_FLAGS, 7, 2, INERT & ~(1u << 7)},
    {"blocks sound", ALL, LINE_FLAGS, 12, 64, INERT & ~(1u << 12)},
    {"another flag", ALL, LINE_FLAGS, 6, 0x200, INERT_BY_SECTOR},
    {"one more", ALL, LINE_FLAGS, 7, 0x400, INERT & ~(1u << 7)},
    {"not two-sided", ALL, LINE_FLAGS, 7, TWO_SIDED, INERT & ~(1u << 7)},
    {"an id", DOOM | UDMF | 1 << FORM_HEXEN_ARRAYS, LINE_ID, 7, 5,
     INERT & ~(1u << 7)},
    {"lower floor", ALL, SECTOR_FLOOR, 0, 1, INERT_BY_SECTOR},
    {"lower ceiling", ALL, SECTOR_CEILING, 1, 127, INERT_BY_SECTOR},
    {"a timed door", ALL, SECTOR_SPECIAL, 0, 10, INERT_BY_SECTOR},
    {"another one", ALL, SECTOR_SPECIAL, 1, 14, INERT_BY_SECTOR},
    {"light", DOOM | HEXEN, SECTOR_SPECIAL, 0, 2, INERT},
    {"a secret", DOOM | HEXEN, SECTOR_SPECIAL, 0, 9, INERT},
    {"friction", ALL, SECTOR_SPECIAL, 0, 256, INERT_BY_SECTOR},
    {"damage", DOOM, SECTOR_SPECIAL, 0, 0x60, INERT},
    {"tag", ALL, SECTOR_TAG, 0, 7, INERT_BY_SECTOR},
    {"tag elsewhere", ALL, SECTOR_TAG, 2, 7, INERT},
    {"slope", UDMF | 1 << FORM_DOOM_ARRAYS | 1 << FORM_HEXEN_ARRAYS,
     SECTOR_FLAGS, 0, 1, INERT_BY_SECTOR},
    {"moves", 1 << FORM_DOOM_ARRAYS, SECTOR_FLAGS, 1, 4, INERT_BY_SECTOR},
    {"flag not known", 1 << FORM_DOOM_ARRAYS, SECTOR_FLAGS, 0, 64, 1 << 12},
    // On line 8, which borders on sector 2 alone.
    {"pushed door", DOOM, LINE_SPECIAL, 8, 1, INERT},
    {"switch", DOOM, LINE_SPECIAL_7, 8, 103, INERT},
    {"switch, tag 0", DOOM, LINE_SPECIAL, 8, 103, INERT_BY_SECTOR},
    {"exit", DOOM, LINE_SPECIAL, 8, 11, INERT},
    {"teleporter", DOOM, LINE_SPECIAL, 8, 97, INERT},
    {"stairs", DOOM, LINE_SPECIAL_7, 8, 8, INERT_BY_SECTOR},
    {"donut", DOOM, LINE_SPECIAL_7, 8, 9, INERT_BY_SECTOR},
    {"Heretic's stairs", DOOM, LINE_SPECIAL_7, 8, 106, INERT_BY_SECTOR},
    {"Boom's stairs", DOOM, LINE_SPECIAL_7, 8, 256, INERT_BY_SECTOR},
    {"Boom's donut", DOOM, LINE_SPECIAL_7, 8, 191, INERT_BY_SECTOR},
    {"Strife's stairs", DOOM, LINE_SPECIAL_7, 8, 178, INERT_BY_SECTOR},
    {"generalised stairs", DOOM, LINE_SPECIAL_7, 8, 0x3006, INERT_BY_SECTOR},
    {"generalised floor", DOOM, LINE_SPECIAL_7, 8, 0x6000, INERT},
    {"the same, tag 0", DOOM, LINE_SPECIAL, 8, 0x6000, INERT_BY_SECTOR},
    {"pushed floor", DOOM, LINE_SPECIAL, 8, 0x6006, INERT},
    {"not known", DOOM, LINE_SPECIAL_7, 8, 270, INERT_BY_SECTOR},
    {"door", HEXEN | UDMF, LINE_SPECIAL, 8, 12, INERT},
    {"floor", HEXEN | UDMF, LINE_SPECIAL_7, 8, 21, INERT},
    {"floor, tag 0", HEXEN | UDMF, LINE_SPECIAL, 8, 21, INERT_BY_SECTOR},
    {"stairs", HEXEN | UDMF, LINE_SPECIAL_7, 8, 26, INERT_BY_SECTOR},
    {"script", HEXEN | UDMF, LINE_SPECIAL_7, 8, 80, INERT_BY_SECTOR},
    {"polyobject", HEXEN | UDMF, LINE_SPECIAL_7, 8, 1, 0},
    {"polyobject", HEXEN | UDMF, LINE_SPECIAL_7, 8, 5, 0},
    // On others.
    {"special on it", DOOM, LINE_SPECIAL, 7, 48, 1 << 12},
    {"special on it", HEXEN | UDMF, LINE_SPECIAL, 7, 100, 1 << 12},
    {"special beside it", ALL, LINE_SPECIAL_7, 3, 11, INERT_BY_SECTOR},
    {"slope", 1 << FORM_DOOM | 1 << FORM_HEXEN | UDMF, THING_TYPE, 0, 9502,
     INERT_BY_SECTOR},
    {"death", 1 << FORM_HEXEN | UDMF, THING_SPECIAL, 0, 21, INERT_BY_SECTOR},
    {"death", 1 << FORM_HEXEN | UDMF, THING_SPECIAL, 0, 70, INERT},
};

static struct room room_with(const struct rule *rule, enum form form)
{
    struct room room = plain_room;
    struct line *line = &room.lines[rule->index];
    struct sector *sector = &room.sectors[rule->index % SECTORS];
    switch (rule->target) {
    case NOTHING:
        break;
    case LINE_FLAGS:
        line->flags ^= rule->value;
        break;
    case LINE_SPECIAL_7:
        line->tag = 7;
        line->special = rule->value;
        break;
    case LINE_SPECIAL:
        line->special = rule->value;
        break;
    case LINE_ID:
        if (1 << form & DOOM)
            line->tag = rule->value;
        else
            line->id = rule->value;
        break;
    case SECTOR_FLOOR:
        sector->floor = (int)rule->value;
        break;
    case SECTOR_CEILING:
        sector->ceiling = (int)rule->value;
        break;
    case SECTOR_SPECIAL:
        sector->special = rule->value;
        break;
    case SECTOR_TAG:
        sector->tag = rule->value;
        break;
    case SECTOR_FLAGS:
        sector->flags = rule->value;
        break;
    case THING_TYPE:
        room.thing_type = rule->value;
        break;
    case THING_SPECIAL:
        room.thing_special = rule->value;
        break;
    }
    return room;
}

START_TEST(inert_lines_follow_the_rules)
{
    const struct rule *rule = &rules[_i];
    for (int form = 0; form < FORM_COUNT; form++) {
        if (!(rule->forms >> form & 1))
            continue;
        struct room room = room_with(rule, (enum form)form);
        expect_left_out(rule->name, &room, (enum form)form, "prune=inert",
                        rule->expected);
        expect_left_out(rule->name, &room, (enum form)form, "", 0);
        expect_left_out(rule->name, &room, (enum form)form,
                        "prune=inert grid=search", rule->expected);
    }
}
END_TEST

START_TEST(low_rooms_hold_things_up)
{
    struct room room = plain_room;
    for (int i = 0; i < SECTORS; i++)
        room.sectors[i].ceiling = 0;
    expect_left_out("low", &room, FORM_DOOM, "prune=inert", INERT_BY_SECTOR);
}
END_TEST

START_TEST(bosses_and_scripts_may_move_anything)
{
    struct room room = plain_room;
    room.name = "E4M8";
    expect_left_out("boss", &room, FORM_DOOM, "prune=inert", INERT_BY_SECTOR);
    expect_left_out("no boss", &room, FORM_HEXEN, "prune=inert", INERT);
    room.name = NULL;
    expect_left_out("boss", &room, FORM_DOOM_ARRAYS, "prune=inert",
                    INERT_BY_SECTOR);
    room.name = "MAP01";
    room.scripts = "BEHAVIOR";
    expect_left_out("script", &room, FORM_HEXEN, "prune=inert",
                    INERT_BY_SECTOR);
    expect_left_out("script", &room, FORM_UDMF, "prune=inert", INERT_BY_SECTOR);
    room.scripts = "SCRIPTS";
    expect_left_out("script", &room, FORM_UDMF, "prune=inert", INERT_BY_SECTOR);
}
END_TEST

// Line 7 turned, so that its beams run south and north; and the room around it
// with another sector than it says.
START_TEST(lines_have_to_lie_in_their_sectors)
{
    struct room room = plain_room;
    room.vertices[6][0] = 64;
    room.vertices[6][1] = room.vertices[7][1] = 300;
    room.vertices[7][0] = 200;
    expect_left_out("level", &room, FORM_DOOM, "prune=inert", INERT);
    room.lines[7].v1 = 7;
    room.lines[7].v2 = 6;
    expect_left_out("level", &room, FORM_DOOM, "prune=inert", INERT);
    room.lines[7].front = room.lines[7].back = 1;
    expect_left_out("elsewhere", &room, FORM_DOOM, "prune=inert",
                    INERT & ~(1u << 7));
    room = plain_room;
    room.lines[7].front = 1; // what parts two sectors, but does not enclose one
    expect_left_out("loose end", &room, FORM_DOOM, "prune=inert", 1 << 12);
    room = plain_room;
    room.vertices[6][0] = room.vertices[7][0] = 256; // on line 6
    expect_left_out("on another", &room, FORM_DOOM, "prune=inert", 1 << 12);
    room = plain_room;
    room.vertices[7][0] = room.vertices[6][0];
    room.vertices[7][1] = room.vertices[6][1]; // a point
    expect_left_out("point", &room, FORM_DOOM, "prune=inert",
                    INERT & ~(1u << 7));
}
END_TEST

START_TEST(nothing_is_inert_in_doom_64)
{
    expect_left_out("Doom 64", &plain_room, FORM_DOOM64, "prune=inert", 0);
}
END_TEST

// ---------------------------------------------------------------------------
// Tagged lines

static const struct {
    enum form form;
    unsigned flags, special, tag;
    bool asks;
} askers[] = {
    {FORM_DOOM, 0, 0, 999, true},         {FORM_DOOM, 0, 97, 999, false},
    {FORM_DOOM, 0, 0, 998, false},        {FORM_DOOM, 0x180, 108, 1, false},
    {FORM_HEXEN, 0, 108, 1, true},        {FORM_HEXEN, 0, 108, 0, false},
    {FORM_HEXEN, 0, 107, 1, false},       {FORM_DOOM64, 1 << 28, 0, 0, true},
    {FORM_DOOM64, 0x180, 0, 0, true},     {FORM_DOOM64, 0x100, 0, 999, false},
    {FORM_DOOM64, 0x80, 108, 1, false},   {FORM_UDMF, 0, 108, 999, false},
    {FORM_DOOM_ARRAYS, 0, 0, 999, true},  {FORM_DOOM_ARRAYS, 0, 108, 1, false},
    {FORM_HEXEN_ARRAYS, 0, 108, 1, true}, {FORM_HEXEN_ARRAYS, 0, 0, 1, false},
};

START_TEST(lines_ask_in_their_format)
{
    struct room room = plain_room;
    enum form form = askers[_i].form;
    for (int i = 2; i <= 9; i += 7) { // one-sided and not
        room.lines[i].flags |= askers[_i].flags;
        room.lines[i].special = askers[_i].special;
        room.lines[i].tag = askers[_i].tag;
    }
    unsigned expected = askers[_i].asks ? 1u << 2 | 1u << 9 : 0;
    expect_left_out("asks", &room, form, "", expected);
    expect_left_out("asks", &room, form, "prune=tagged pack=none", expected);
    expect_left_out("asks", &room, form, "prune=none", 0);
    expect_left_out("asks", &room, form, "prune=none grid=search", 0);
}
END_TEST

// Linedefs of any number, some with the tag and some with its number elsewhere.
START_TEST(tags_are_found_wherever_they_are)
{
    enum { MOST = 300 };
    static struct oracle_line segments[MOST];
    static bool left_out[MOST];
    for (unsigned count = 1; count < MOST; count += 1 + count / 8) {
        struct buffer linedefs = {0}, vertices = {0};
        for (unsigned i = 0; i < count; i++) {
            left_out[i] = (i % 64 == 63 || i % 129 == 0 || i + 1 == count) &&
                          i % 32 != 5; // which has a special
            segments[i] = (struct oracle_line){0, 0, UNIT, 0};
            buffer_put_u32(&linedefs, 1 << 16);
            buffer_put_u16(&linedefs, 0);
            buffer_put_u16(&linedefs, i % 32 == 5 ? 999 : 0);
            buffer_put_u16(&linedefs, left_out[i] ? 999 : i);
            buffer_put_u32(&linedefs, i % 16 == 7 ? 999 : 0);
        }
        buffer_put_u32(&vertices, 0);
        buffer_put_u32(&vertices, 1);
        struct lump_set set = {.map_name = "MAP01"};
        lump_set_add(&set, "LINEDEFS", linedefs);
        lump_set_add(&set, "VERTEXES", vertices);
        struct nbstage_map map = lump_set_map(&set);
        struct plugin_lump lump = plugin_build(&map, "");
        check_lump("tags", &lump, segments, count, left_out);
        plugin_free(&lump);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(all_lines_may_be_left_out)
{
    struct room room = plain_room;
    static const char *const options[] = {"", "pack=none", "grid=search",
                                          "format=doom bounds=vertices",
                                          "prune=inert"};
    for (int i = 0; i < LINES; i++)
        room.lines[i].tag = 999;
    for (size_t i = 0; i < COUNT(options); i++)
        expect_left_out("all", &room, FORM_DOOM, options[i], (1 << LINES) - 1);
}
END_TEST

// Only numbers that are listed have to be numbers of 16 bits.
START_TEST(limit_is_for_numbers_that_are_listed)
{
    enum { COUNT_OF_LINES = 65540 };
    static const struct nbstage_vertex vertices[] = {{0, 0}, {UNIT, 0}};
    struct nbstage_line *lines = calloc(COUNT_OF_LINES, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (uint32_t i = 0; i < COUNT_OF_LINES; i++)
        lines[i] = (struct nbstage_line){.v2 = 1, .tag = i == 5 ? 0 : 999};
    struct nbstage_map map =
        plugin_map_from_arrays("MAP01", vertices, 2, lines, COUNT_OF_LINES);
    for (int last = 0; last < 2; last++) {
        lines[COUNT_OF_LINES - 1].tag = last ? 0 : 999;
        struct plugin_lump lump = plugin_build(&map, "");
        ck_assert_int_eq(plugin_number(&lump, "over_limit"), last);
        ck_assert_uint_eq(lump.size, last ? 0 : 2 * (4 + 1 + 3));
        ck_assert_int_eq(plugin_number(&lump, "pruned_tagged"),
                         COUNT_OF_LINES - 1 - last);
        plugin_free(&lump);
    }
    free(lines);
}
END_TEST

// Segs of lines that are left out are passed over, and no others.
START_TEST(nodes_are_checked_for_the_others)
{
    struct lump_set set = make_lumps(&plain_room, FORM_DOOM);
    struct buffer segs = {0};
    for (unsigned i = 6; i < 8; i++) {
        buffer_put_u16(&segs, (unsigned)plain_room.lines[i].v1);
        buffer_put_u16(&segs, (unsigned)plain_room.lines[i].v2);
        buffer_put_u16(&segs, 0);
        buffer_put_u16(&segs, i);
        buffer_put_u32(&segs, 0);
    }
    lump_set_add(&set, "SEGS", segs);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert check-nodes=yes");
    check_room("segs", &plain_room, &lump, INERT);
    plugin_free(&lump);
    segs.bytes[0] = segs.bytes[2] = 0; // line 6, at the corner of the map
    struct nbstage_instance *instance = plugin_create("check-nodes=yes");
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(plugin_stage()->build(instance, &map, &result),
                     NBSTAGE_BAD_MAP);
    plugin_stage()->destroy(instance);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Damage, and how lumps are stored

// Builds with a host that listens; expects so many warnings.
static void expect_warnings(const struct nbstage_map *map, unsigned expected,
                            size_t warnings, const char *told)
{
    const struct nbstage_host host = {
        .size = sizeof host, .context = &test_host, .log = test_log};
    struct nbstage_instance *instance = plugin_create_for(&host, "prune=inert");
    struct plugin_lump lump = {instance, {.size = sizeof lump.result}, NULL, 0};
    test_host.message_count = 0;
    ck_assert_int_eq(plugin_stage()->build(instance, map, &lump.result),
                     NBSTAGE_OK);
    lump.bytes = lump.result.lumps->data;
    lump.size = lump.result.lumps->data_size;
    ck_assert_uint_eq(test_host.message_count, warnings);
    if (warnings > 0)
        assert_tells(test_host.message, told, "inert");
    ck_assert_str_eq(plugin_stage()->last_error(instance), "");
    check_room("damage", &plain_room, &lump, expected);
    plugin_free(&lump);
}

START_TEST(damage_makes_nothing_inert)
{
    static const char *const lumps[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    for (size_t i = 0; i < COUNT(lumps); i++) {
        struct lump_set set = make_lumps(&plain_room, FORM_DOOM);
        struct nbstage_map map = lump_set_map(&set);
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&set, lumps[i]);
        expect_warnings(&map, INERT, 0, NULL);
        lump->data_size--;
        expect_warnings(&map, 0, 1, lumps[i]);
        lump->data_size = 0;
        expect_warnings(&map, 0, 1, lumps[i]);
        lump_set_remove(&set, lumps[i]);
        expect_warnings(&map, 0, 1, lumps[i]);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(numbers_that_cannot_be_make_nothing_inert)
{
    struct lump_set set = make_lumps(&plain_room, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&set, "SIDEDEFS");
    sides->data_size -= 30;
    expect_warnings(&map, 0, 1, "sidedef 25");
    sides->data_size += 30;
    struct nbstage_lump *sectors =
        (struct nbstage_lump *)lump_set_find(&set, "SECTORS");
    sectors->data_size -= 26;
    expect_warnings(&map, 0, 1, "sector 2");
    lump_set_free(&set);
}
END_TEST

START_TEST(compressed_lumps_tell_the_same)
{
    for (int form = FORM_DOOM; form <= FORM_UDMF; form++) {
        struct lump_set plain = make_lumps(&plain_room, (enum form)form);
        struct lump_set set = lump_set_compressed(&plain, NBSTAGE_ZLIB);
        struct nbstage_map map = lump_set_map(&set);
        if (form == FORM_DOOM64)
            expect_warnings(&map, 0, 1, "Doom 64");
        else
            expect_warnings(&map, INERT, 0, NULL);
        lump_set_free(&set);
        lump_set_free(&plain);
    }
}
END_TEST

// Namespaces with Doom's specials, where ports do not agree what the tag is,
// and with others that are not known.
START_TEST(namespaces_tell_what_specials_are)
{
    static const struct {
        const char *name; // as long as "ZDoom"
        unsigned special;
        unsigned expected;
    } cases[] = {
        {"Doom\" ", 11, INERT},
        {"Doom\" ", 1, INERT},
        {"Doom\" ", 103, INERT_BY_SECTOR},
        {"dsda\" ", 0, INERT},
        {"dsda\" ", 11, INERT_BY_SECTOR},
        {"dsda\" ", 1, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct room room = plain_room;
        room.lines[8].special = cases[i].special;
        room.lines[8].tag = 7;
        struct lump_set set = make_lumps(&room, FORM_UDMF);
        char *place = strstr((char *)set.owned[0].bytes, "ZDoom\"");
        ck_assert_ptr_nonnull(place);
        memcpy(place, cases[i].name, 6);
        memcpy(place + 6, ";", 1);
        struct nbstage_map map = lump_set_map(&set);
        struct plugin_lump lump = plugin_build(&map, "prune=inert");
        check_room(cases[i].name, &room, &lump, cases[i].expected);
        plugin_free(&lump);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(damaged_text_makes_nothing_inert)
{
    static const char *const texts[] = {
        "sidedef { sector { } }",
        "linedef { v1 = 0; v2 = 1; sidefront = 99; }",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct lump_set set = make_lumps(&plain_room, FORM_UDMF);
        buffer_print(&set.owned[0], "%s", texts[i]);
        set.lumps[0].data = set.owned[0].bytes;
        set.lumps[0].data_size = set.owned[0].size;
        struct nbstage_map map = lump_set_map(&set);
        struct plugin_lump lump = plugin_build(&map, "prune=inert");
        ck_assert_int_eq(plugin_number(&lump, "pruned_inert"), 0);
        ck_assert_ptr_null(plugin_find_fact(&lump.result, "sector"));
        plugin_free(&lump);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(short_arrays_are_unknown)
{
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct arrays arrays;
    make_arrays(&plain_room, FORM_DOOM_ARRAYS, &arrays, &map);
    expect_warnings(&map, INERT, 0, NULL);
    map.sector_count = 2;
    expect_warnings(&map, 0, 1, "sector 2");
    map.sectors = NULL;
    expect_warnings(&map, 0, 1, "sectors");
    struct nbstage_vertex ends[LINES];
    for (int i = 0; i < LINES; i++)
        ends[i] = (struct nbstage_vertex){plain_room.lines[i].v1,
                                          plain_room.lines[i].v2};
    map.lines = (const struct nbstage_line *)(const void *)ends;
    map.line_size = sizeof *ends;
    expect_warnings(&map, 0, 1, "lines");
}
END_TEST

START_TEST(sectors_are_explained)
{
    struct room room = plain_room;
    room.sectors[2].tag = 7;
    room.lines[0].special = 11;
    struct lump_set set = make_lumps(&room, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    static const char *const texts[SECTORS] = {
        ("borders on linedef 0, which has special 11; 1 of its 5 linedefs are "
         "left out"),
        "fixed; 0 of its 4 linedefs are left out",
        "tag 7; 1 of its 5 linedefs are left out",
    };
    size_t first = lump.result.fact_count - SECTORS;
    for (size_t i = 0; i < SECTORS; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, lump.result.facts, first + i);
        ck_assert_str_eq(fact->name, "sector");
        ck_assert_int_eq(fact->value, (int64_t)i);
        ck_assert_str_eq(fact->text, texts[i]);
    }
    plugin_free(&lump);
    lump = plugin_build(&map, "");
    ck_assert_ptr_null(plugin_find_fact(&lump.result, "sector"));
    plugin_free(&lump);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Freedoom, and the rules once more

// A map as its lumps have it, in Doom format.
struct raw {
    const struct wadfile_lump *lines, *sides, *vertices, *sectors;
    size_t count; // lines
};

struct raw_line {
    int64_t x1, y1, x2, y2; // map units
    unsigned flags, special, tag;
    int front, back; // sectors; -1: none
};

static unsigned word(const struct wadfile_lump *lump, size_t at)
{
    ck_assert_uint_le(at + 2, lump->size);
    return lump->data[at] + 256u * lump->data[at + 1];
}

static int signed_word(const struct wadfile_lump *lump, size_t at)
{
    int value = (int)word(lump, at);
    return value < 32768 ? value : value - 65536;
}

static int side_sector(const struct raw *raw, unsigned side)
{
    return side == NO_SIDE ? -1 : (int)word(raw->sides, 30 * side + 28);
}

static struct raw_line raw_line(const struct raw *raw, size_t index)
{
    size_t at = 14 * index;
    size_t start = word(raw->lines, at);
    size_t end = word(raw->lines, at + 2);
    return (struct raw_line){
        signed_word(raw->vertices, 4 * start),
        signed_word(raw->vertices, 4 * start + 2),
        signed_word(raw->vertices, 4 * end),
        signed_word(raw->vertices, 4 * end + 2),
        word(raw->lines, at + 4),
        word(raw->lines, at + 6),
        word(raw->lines, at + 8),
        side_sector(raw, word(raw->lines, at + 10)),
        side_sector(raw, word(raw->lines, at + 12)),
    };
}

static bool is_among(unsigned number, const char *list)
{
    char text[16];
    snprintf(text, sizeof text, " %u ", number);
    return strstr(list, text);
}

// Whether a line of Doom or Boom moves nothing but, at most, what it borders
// on or what has its tag.
static bool is_local(const struct raw_line *line)
{
    unsigned special = line->special;
    if (is_among(special, " 0 1 11 12 13 17 26 27 28 31 32 33 34 35 39 48 51 "
                          "52 79 80 81 97 104 117 118 124 125 126 138 139 243 "
                          "244 255 260 262 263 264 265 266 267 268 269 "))
        return true;
    if (is_among(special,
                 " 7 8 9 100 106 107 127 146 155 178 181 191 256 257 258 "
                 "259 "))
        return false;
    if (special >= 0x3000 && special < 0x3400)
        return false;
    if (special >= 0x2F80 && special < 0x8000 && special % 8 >= 6)
        return true;
    return line->tag != 0 &&
           (special <= 261 || (special >= 0x2F80 && special < 0x8000));
}

// Where a line is at a height, in 65536ths of a unit; false if it does not
// reach it.  With `turned`, x and y are exchanged.
static bool place_at(struct raw_line line, bool turned, int64_t v, int64_t *u)
{
    int64_t u1 = turned ? line.y1 : line.x1, v1 = turned ? line.x1 : line.y1;
    int64_t u2 = turned ? line.y2 : line.x2, v2 = turned ? line.x2 : line.y2;
    int64_t low = (v1 < v2 ? v1 : v2) * UNIT, high = (v1 < v2 ? v2 : v1) * UNIT;
    if (v < low || v >= high)
        return false;
    int64_t rise = v2 - v1, product = (v - v1 * UNIT) * (u2 - u1);
    if (rise < 0) {
        rise = -rise;
        product = -product;
    }
    int64_t quotient = product / rise;
    *u = u1 * UNIT + quotient - (product < 0 && quotient * rise != product);
    return true;
}

// The sector that a line shows to the west, or to the east; turned, to the
// south, or to the north.
static int shown(const struct raw_line *line, bool turned, bool east)
{
    bool front =
        turned ? (line->x1 < line->x2) != east : (line->y1 < line->y2) == east;
    return front ? line->front : line->back;
}

// Whether all lines that are nearest in a direction show the line its sector.
static bool agrees(const struct raw_line *lines, size_t count, size_t index,
                   bool turned, int64_t v, bool east)
{
    int64_t own, at, nearest = 0;
    bool met = false, same = true;
    if (!place_at(lines[index], turned, v, &own))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i == index || !place_at(lines[i], turned, v, &at))
            continue;
        int64_t distance = east ? at - own : own - at;
        if (distance < 0 || (met && distance > nearest))
            continue;
        if (distance != nearest)
            same = true;
        met = true;
        nearest = distance;
        if (distance == 0 || shown(&lines[i], turned, !east) !=
                                 shown(&lines[index], turned, east))
            same = false;
    }
    return met && same;
}

static bool agrees_everywhere(const struct raw_line *lines, size_t count,
                              size_t index)
{
    struct raw_line line = lines[index];
    bool turned = llabs(line.x2 - line.x1) > llabs(line.y2 - line.y1);
    int64_t v1 = UNIT * (turned ? line.x1 : line.y1);
    int64_t v2 = UNIT * (turned ? line.x2 : line.y2);
    int64_t low = v1 < v2 ? v1 : v2;
    for (int quarter = 1; quarter <= 3; quarter++)
        for (int east = 0; east < 2; east++)
            if (!agrees(lines, count, index, turned,
                        low + llabs(v2 - v1) * quarter / 4, east))
                return false;
    return true;
}

// Whether a sector stays as it is, but for what acts on any sector.
static bool is_fixed(const struct raw *raw, const struct raw_line *lines,
                     int sector)
{
    size_t at = 26 * (size_t)sector;
    for (size_t i = 0; i < raw->count; i++)
        if (lines[i].special &&
            (lines[i].front == sector || lines[i].back == sector))
            return false;
    return word(raw->sectors, at + 24) == 0 &&
           is_among(word(raw->sectors, at + 22) & ~0xE0u,
                    " 0 1 2 3 4 5 7 8 9 11 12 13 16 17 ");
}

static bool are_even(const struct raw *raw, int a, int b)
{
    size_t left = 26 * (size_t)a, right = 26 * (size_t)b;
    int floor = signed_word(raw->sectors, left);
    int ceiling = signed_word(raw->sectors, left + 2);
    return floor == signed_word(raw->sectors, right) &&
           ceiling == signed_word(raw->sectors, right + 2) && floor < ceiling;
}

// Which lines may be left out, by brute force.
static void find_left_out(const struct raw *raw, const struct raw_line *lines,
                          const char *name, bool *left_out)
{
    bool calm = strlen(name) != 4 || name[3] != '8'; // not E1M8
    for (size_t i = 0; i < raw->count; i++)
        calm = calm && is_local(&lines[i]);
    for (size_t i = 0; i < raw->count; i++) {
        const struct raw_line *line = &lines[i];
        left_out[i] = line->tag == 999 && line->special == 0;
        if (line->tag != 0 || line->special != 0 || line->front < 0 ||
            line->back < 0 || (line->flags & ~0x1B8u) != TWO_SIDED)
            continue;
        if (line->front == line->back ||
            (calm && are_even(raw, line->front, line->back) &&
             is_fixed(raw, lines, line->front) &&
             is_fixed(raw, lines, line->back)))
            left_out[i] = agrees_everywhere(lines, raw->count, i);
    }
}

static size_t check_freedoom_map(const struct wadfile_map *map)
{
    static struct oracle_line segments[MOST_LINES];
    static struct raw_line lines[MOST_LINES];
    static bool left_out[MOST_LINES];
    struct raw raw = {wadfile_find_lump(map, "LINEDEFS"),
                      wadfile_find_lump(map, "SIDEDEFS"),
                      wadfile_find_lump(map, "VERTEXES"),
                      wadfile_find_lump(map, "SECTORS"), 0};
    size_t count = 0;
    raw.count = raw.lines->size / 14;
    for (size_t i = 0; i < raw.count; i++) {
        lines[i] = raw_line(&raw, i);
        segments[i] = (struct oracle_line){
            (int32_t)lines[i].x1 * UNIT, (int32_t)lines[i].y1 * UNIT,
            (int32_t)lines[i].x2 * UNIT, (int32_t)lines[i].y2 * UNIT};
    }
    find_left_out(&raw, lines, map->name, left_out);
    for (size_t i = 0; i < raw.count; i++)
        count += left_out[i];
    struct lump_set set = lump_set_from_wad(map);
    struct nbstage_map given = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&given, "prune=inert");
    check_lump(map->name, &lump, segments, raw.count, left_out);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     (int64_t)count);
    plugin_free(&lump);
    lump_set_free(&set);
    return count;
}

START_TEST(freedoom_agrees_with_brute_force)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t count = 0;
    for (size_t m = 0; m < wad.map_count; m++)
        count += check_freedoom_map(&wad.maps[m]);
    printf("%s: %zu linedefs are left out\n", freedoom_name((size_t)_i), count);
    wadfile_free(&wad);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("prune");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, inert_lines_follow_the_rules, 0, COUNT(rules));
    tcase_add_test(tests, low_rooms_hold_things_up);
    tcase_add_test(tests, bosses_and_scripts_may_move_anything);
    tcase_add_test(tests, lines_have_to_lie_in_their_sectors);
    tcase_add_test(tests, nothing_is_inert_in_doom_64);
    tcase_add_loop_test(tests, lines_ask_in_their_format, 0, COUNT(askers));
    tcase_add_test(tests, tags_are_found_wherever_they_are);
    tcase_add_test(tests, all_lines_may_be_left_out);
    tcase_add_test(tests, limit_is_for_numbers_that_are_listed);
    tcase_add_test(tests, nodes_are_checked_for_the_others);
    tcase_add_test(tests, damage_makes_nothing_inert);
    tcase_add_test(tests, numbers_that_cannot_be_make_nothing_inert);
    tcase_add_test(tests, compressed_lumps_tell_the_same);
    tcase_add_test(tests, namespaces_tell_what_specials_are);
    tcase_add_test(tests, damaged_text_makes_nothing_inert);
    tcase_add_test(tests, short_arrays_are_unknown);
    tcase_add_test(tests, sectors_are_explained);
    if (freedoom_is_there())
        tcase_add_loop_test(tests, freedoom_agrees_with_brute_force, 0,
                            FREEDOOM_FILES);
    return run_tests(tests);
}
