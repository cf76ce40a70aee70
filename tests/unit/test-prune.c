// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lines are left out of the blockmap: each rule both ways on a
// small map, in every format.

#include "context-for-tests.h"
#include "pruned-room.h"
#include "run-suite.h"

#include <stdlib.h>
#include <string.h>

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
    {"other field", 1 << FORM_DOOM_ARRAYS, SECTOR_FLAGS, 0, 8, INERT_BY_SECTOR},
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
    {"not known", DOOM, LINE_SPECIAL_7, 8, 272, INERT_BY_SECTOR},
    {"door", HEXEN | UDMF, LINE_SPECIAL, 8, 12, INERT},
    {"floor", HEXEN | UDMF, LINE_SPECIAL_7, 8, 21, INERT},
    {"floor, tag 0", HEXEN | UDMF, LINE_SPECIAL, 8, 21, INERT_BY_SECTOR},
    {"stairs", HEXEN | UDMF, LINE_SPECIAL_7, 8, 26, INERT_BY_SECTOR},
    {"script", HEXEN | UDMF, LINE_SPECIAL_7, 8, 80, INERT_BY_SECTOR},
    {"polyobject", HEXEN | UDMF, LINE_SPECIAL_7, 8, 1, 0},
    {"polyobject", HEXEN | UDMF, LINE_SPECIAL_7, 8, 5, 0},
    {"polyobject", DOOM, LINE_SPECIAL_7, 8, 348, 0},
    {"polyobject", DOOM, LINE_SPECIAL_7, 8, 349, 0},
    {"ExtraData", DOOM, LINE_SPECIAL_7, 8, 270, 0},
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
    struct room room = room_plain;
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
        room_expect_left_out(rule->name, &room, (enum form)form, "prune=inert",
                             rule->expected);
        room_expect_left_out(rule->name, &room, (enum form)form, "", 0);
        room_expect_left_out(rule->name, &room, (enum form)form,
                             "prune=inert grid=search", rule->expected);
    }
}
END_TEST

START_TEST(low_rooms_hold_things_up)
{
    struct room room = room_plain;
    for (int i = 0; i < SECTORS; i++)
        room.sectors[i].ceiling = 0;
    room_expect_left_out("low", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_SECTOR);
}
END_TEST

START_TEST(bosses_and_scripts_may_move_anything)
{
    struct room room = room_plain;
    room.name = "E4M8";
    room_expect_left_out("boss", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_SECTOR);
    room_expect_left_out("no boss", &room, FORM_HEXEN, "prune=inert", INERT);
    room.name = NULL;
    room_expect_left_out("boss", &room, FORM_DOOM_ARRAYS, "prune=inert",
                         INERT_BY_SECTOR);
    room.name = "MAP01";
    room.scripts = "BEHAVIOR";
    room_expect_left_out("script", &room, FORM_HEXEN, "prune=inert",
                         INERT_BY_SECTOR);
    room_expect_left_out("script", &room, FORM_UDMF, "prune=inert",
                         INERT_BY_SECTOR);
    room.scripts = "SCRIPTS";
    room_expect_left_out("script", &room, FORM_UDMF, "prune=inert",
                         INERT_BY_SECTOR);
}
END_TEST

// Line 7 turned, so that its beams run south and north; and the room around it
// with another sector than it says.
START_TEST(lines_have_to_lie_in_their_sectors)
{
    struct room room = room_plain;
    room.vertices[6][0] = 64;
    room.vertices[6][1] = room.vertices[7][1] = 300;
    room.vertices[7][0] = 200;
    room_expect_left_out("level", &room, FORM_DOOM, "prune=inert", INERT);
    room.lines[7].v1 = 7;
    room.lines[7].v2 = 6;
    room_expect_left_out("level", &room, FORM_DOOM, "prune=inert", INERT);
    room.lines[7].front = room.lines[7].back = 1;
    room_expect_left_out("elsewhere", &room, FORM_DOOM, "prune=inert",
                         INERT & ~(1u << 7));
    room = room_plain;
    room.lines[7].front = 1; // what parts two sectors, but does not enclose one
    room_expect_left_out("loose end", &room, FORM_DOOM, "prune=inert", 1 << 12);
    room = room_plain;
    room.vertices[6][0] = room.vertices[7][0] = 256; // on line 6
    room_expect_left_out("on another", &room, FORM_DOOM, "prune=inert",
                         1 << 12);
    room = room_plain;
    room.vertices[7][0] = room.vertices[6][0];
    room.vertices[7][1] = room.vertices[6][1]; // a point
    room_expect_left_out("point", &room, FORM_DOOM, "prune=inert",
                         INERT & ~(1u << 7));
}
END_TEST

START_TEST(nothing_is_inert_in_doom_64)
{
    room_expect_left_out("Doom 64", &room_plain, FORM_DOOM64, "prune=inert", 0);
}
END_TEST

// ---------------------------------------------------------------------------
// Tagged lines

static const struct {
    enum form form;
    unsigned flags, special, tag;
    bool asks;
} tagged[] = {
    {FORM_DOOM, 0, 0, 999, true},
    {FORM_DOOM, 0, 97, 999, false},
    {FORM_DOOM, 0, 0, 998, false},
    {FORM_DOOM, 0x180, 108, 1, false},
    {FORM_HEXEN, 0, 108, 1, true},
    {FORM_HEXEN, 0, 108, 0, false},
    {FORM_HEXEN, 0, 107, 1, false},
    {FORM_HEXEN, 0, 108, 2, false},
    {FORM_HEXEN, 0, 108, 255, false},
    {FORM_HEXEN_ARRAYS, 0, 108, 2, false},
    {FORM_HEXEN_ARRAYS, 0, 108, 0x10001, false},
    {FORM_DOOM64, 1 << 28, 0, 0, true},
    {FORM_DOOM64, 0x180, 0, 0, true},
    {FORM_DOOM64, 0x100, 0, 999, false},
    {FORM_DOOM64, 0x80, 108, 1, false},
    {FORM_UDMF, 0, 108, 999, false},
    {FORM_DOOM_ARRAYS, 0, 0, 999, true},
    {FORM_DOOM_ARRAYS, 0, 108, 1, false},
    {FORM_HEXEN_ARRAYS, 0, 108, 1, true},
    {FORM_HEXEN_ARRAYS, 0, 0, 1, false},
};

START_TEST(lines_ask_in_their_format)
{
    struct room room = room_plain;
    enum form form = tagged[_i].form;
    for (int i = 2; i <= 9; i += 7) { // one-sided and not
        room.lines[i].flags |= tagged[_i].flags;
        room.lines[i].special = tagged[_i].special;
        room.lines[i].tag = tagged[_i].tag;
    }
    unsigned expected = tagged[_i].asks ? 1u << 2 | 1u << 9 : 0;
    room_expect_left_out("asks", &room, form, "", expected);
    room_expect_left_out("asks", &room, form, "prune=tagged pack=none",
                         expected);
    room_expect_left_out("asks", &room, form, "prune=none", 0);
    room_expect_left_out("asks", &room, form, "prune=none grid=search", 0);
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
        room_check_lump("tags", &lump, segments, count, left_out);
        plugin_free(&lump);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(all_lines_may_be_left_out)
{
    struct room room = room_plain;
    static const char *const options[] = {"", "pack=none", "grid=search",
                                          "format=doom bounds=vertices",
                                          "prune=inert"};
    for (int i = 0; i < LINES; i++)
        room.lines[i].tag = 999;
    for (size_t i = 0; i < COUNT(options); i++)
        room_expect_left_out("all", &room, FORM_DOOM, options[i],
                             (1 << LINES) - 1);
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

static void expect_bad_map(const struct nbstage_map *map, const char *options)
{
    struct nbstage_instance *instance = plugin_create(options);
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(plugin_stage()->build(instance, map, &result),
                     NBSTAGE_BAD_MAP);
    plugin_stage()->destroy(instance);
}

// Segs of lines that are left out are passed over, and no others.
START_TEST(nodes_are_checked_for_the_others)
{
    struct lump_set set = room_make_lumps(&room_plain, FORM_DOOM);
    struct buffer segs = {0};
    for (unsigned i = 6; i < 8; i++) {
        buffer_put_u16(&segs, (unsigned)room_plain.lines[i].v1);
        buffer_put_u16(&segs, (unsigned)room_plain.lines[i].v2);
        buffer_put_u16(&segs, 0);
        buffer_put_u16(&segs, i);
        buffer_put_u32(&segs, 0);
    }
    lump_set_add(&set, "SEGS", segs);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert check-nodes=yes");
    room_check("segs", &room_plain, &lump, INERT);
    ck_assert_int_eq(plugin_number(&lump, "checked_segs"), 0);
    plugin_free(&lump);
    segs.bytes[0] = segs.bytes[2] = 0; // line 6, at the corner of the map
    expect_bad_map(&map, "check-nodes=yes");
    segs.bytes[6] = 3; // line 3, which stays
    expect_bad_map(&map, "prune=inert check-nodes=yes");
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Damage, and how lumps are stored

START_TEST(damage_makes_nothing_inert)
{
    static const char *const lumps[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    for (size_t i = 0; i < COUNT(lumps); i++) {
        struct lump_set set = room_make_lumps(&room_plain, FORM_DOOM);
        struct nbstage_map map = lump_set_map(&set);
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&set, lumps[i]);
        room_expect_warnings(&map, "prune=inert", INERT, 0, NULL);
        lump->data_size--;
        room_expect_warnings(&map, "prune=inert", 0, 1, lumps[i]);
        lump->data_size = 0;
        room_expect_warnings(&map, "prune=inert", 0, 1, lumps[i]);
        lump_set_remove(&set, lumps[i]);
        room_expect_warnings(&map, "prune=inert", 0, 1, lumps[i]);
        lump_set_free(&set);
    }
}
END_TEST

START_TEST(numbers_that_cannot_be_make_nothing_inert)
{
    struct lump_set set = room_make_lumps(&room_plain, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&set, "SIDEDEFS");
    sides->data_size -= 30;
    room_expect_warnings(&map, "prune=inert", 0, 1, "sidedef 25");
    sides->data_size += 30;
    struct nbstage_lump *sectors =
        (struct nbstage_lump *)lump_set_find(&set, "SECTORS");
    sectors->data_size -= 26;
    room_expect_warnings(&map, "prune=inert", 0, 1, "sector 2");
    lump_set_free(&set);
}
END_TEST

START_TEST(compressed_lumps_tell_the_same)
{
    for (int form = FORM_DOOM; form <= FORM_UDMF; form++) {
        struct lump_set plain = room_make_lumps(&room_plain, (enum form)form);
        struct lump_set set = lump_set_compressed(&plain, NBSTAGE_ZLIB);
        struct nbstage_map map = lump_set_map(&set);
        if (form == FORM_DOOM64)
            room_expect_warnings(&map, "prune=inert", 0, 1, "Doom 64");
        else
            room_expect_warnings(&map, "prune=inert", INERT, 0, NULL);
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
        struct room room = room_plain;
        room.lines[8].special = cases[i].special;
        room.lines[8].tag = 7;
        struct lump_set set = room_make_lumps(&room, FORM_UDMF);
        char *place = strstr((char *)set.owned[0].bytes, "ZDoom\"");
        ck_assert_ptr_nonnull(place);
        memcpy(place, cases[i].name, 6);
        memcpy(place + 6, ";", 1);
        struct nbstage_map map = lump_set_map(&set);
        struct plugin_lump lump = plugin_build(&map, "prune=inert");
        room_check(cases[i].name, &room, &lump, cases[i].expected);
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
        struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
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
    struct room_arrays arrays;
    room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
    room_expect_warnings(&map, "prune=inert", INERT, 0, NULL);
    map.sector_count = 2;
    room_expect_warnings(&map, "prune=inert", 0, 1, "sector 2");
    map.sectors = NULL;
    room_expect_warnings(&map, "prune=inert", 0, 1, "sectors");
    struct nbstage_vertex ends[LINES];
    for (int i = 0; i < LINES; i++)
        ends[i] = (struct nbstage_vertex){room_plain.lines[i].v1,
                                          room_plain.lines[i].v2};
    map.lines = (const struct nbstage_line *)(const void *)ends;
    map.line_size = sizeof *ends;
    room_expect_warnings(&map, "prune=inert", 0, 1, "lines");
}
END_TEST

START_TEST(sectors_are_explained)
{
    struct room room = room_plain;
    room.sectors[2].tag = 7;
    room.lines[0].special = 11;
    struct lump_set set = room_make_lumps(&room, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    static const char *const texts[SECTORS] = {
        ("borders on linedef 0, which has special 11; 1 of its 5 linedefs is "
         "left out; 4 stay: 3 one-sided, 1 beside what may move"),
        ("fixed; 0 of its 4 linedefs are left out; 4 stay: 3 one-sided, 1 "
         "beside what may move"),
        ("tag 7; 1 of its 5 linedefs is left out; 4 stay: 4 not seen to lie "
         "in its sectors"),
    };
    size_t first = lump.result.fact_count - SECTORS;
    for (size_t i = 0; i < SECTORS; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, lump.result.facts, first + i);
        ck_assert_str_eq(fact->name, "sector");
        ck_assert_int_eq(fact->value, (int64_t)i);
        ck_assert_str_eq(fact->text, texts[i]);
        ck_assert_uint_eq(fact->is_item, 1);
    }
    plugin_free(&lump);
    lump = plugin_build(&map, "");
    ck_assert_ptr_null(plugin_find_fact(&lump.result, "sector"));
    plugin_free(&lump);
    lump_set_free(&set);
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
    tcase_add_loop_test(tests, lines_ask_in_their_format, 0, COUNT(tagged));
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
    return run_tests(tests);
}
