// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that lines stay where there is a doubt: every flag, every field, every
// thing and lump that may matter, whatever form the map comes in; lines that
// others touch, to the last 65536th of a unit; and maps that take too much work
// or memory.

#include "context-for-tests.h"
#include "pruned-room.h"
#include "run-suite.h"

#include <stdlib.h>
#include <string.h>

enum { WITHOUT_LINE_7 = INERT & ~(1 << 7) };

// ---------------------------------------------------------------------------
// Lines that others touch

// Sector 2 is a pit between two beams of line 7, which it has an edge along.
static struct room room_with_pit(void)
{
    static const int pit[4][2] = {
        {128, 200}, {128, 250}, {190, 250}, {190, 200}};
    struct room room = room_plain;
    memcpy(room.vertices[8], pit, sizeof pit);
    room.vertices[12][0] = 160;
    room.vertices[12][1] = 210;
    room.vertices[13][0] = 160;
    room.vertices[13][1] = 240;
    for (int i = 8; i <= 11; i++)
        room.lines[i].back = 0;
    room.sectors[2].floor = -64;
    return room;
}

START_TEST(pits_against_a_part_of_a_line_are_seen)
{
    struct room room = room_with_pit();
    // What is in the pit faces two lines at once.
    room_expect_left_out("pit", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_HEIGHT);
    // The same without the edge along line 7.
    room.lines[8].v1 = room.lines[8].v2 = 0;
    room_expect_left_out("open pit", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_HEIGHT);
    // And away from it.
    room.vertices[8][0] = room.vertices[9][0] = 129;
    room.lines[8] = room_with_pit().lines[8];
    room_expect_left_out("pit beside it", &room, FORM_DOOM, "prune=inert",
                         INERT);
}
END_TEST

// Line 12 lies on a part of line 7, between its beams; then it is a point.
START_TEST(lines_on_each_other_are_a_doubt)
{
    struct room room = room_plain;
    room.lines[12].front = room.lines[12].back = 0;
    room.vertices[12][0] = room.vertices[13][0] = 128;
    room.vertices[12][1] = 200;
    room.vertices[13][1] = 250;
    room_expect_left_out("part", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_HEIGHT);
    room.vertices[13][1] = 200;
    room_expect_left_out("point", &room, FORM_DOOM, "prune=inert",
                         INERT_BY_HEIGHT);
    // Behind the end of line 7, and at it.
    room.vertices[12][1] = 400;
    room.vertices[13][1] = 384;
    room_expect_left_out("behind", &room, FORM_DOOM, "prune=inert", INERT);
    room.vertices[12][1] = 384;
    room_expect_left_out("end", &room, FORM_DOOM, "prune=inert",
                         INERT & ~(1u << 12));
}
END_TEST

// All of the room 120 times as wide, to the ends of the coordinates, and 30
// times as high; line 7 not quite upright, with line 12 ending at its middle or
// `beside` it.
static void spread_room(struct room_arrays *arrays, int32_t beside)
{
    static const int ends[4][2] = {{100, 128}, {101, 384}, {0, 0}, {104, 300}};
    static const int index[4] = {6, 7, 12, 13};
    for (int i = 0; i < VERTICES; i++) {
        const int *from = room_plain.vertices[i];
        for (int k = 0; k < 4; k++)
            if (index[k] == i)
                from = ends[k];
        arrays->vertices[i] = (struct nbstage_vertex){
            (from[0] * 120 - 30720) * UNIT, (from[1] * 30 - 7680) * UNIT};
    }
    arrays->vertices[12] = (struct nbstage_vertex){
        (12060 - 30720) * UNIT + beside, (256 * 30 - 7680) * UNIT};
    arrays->lines[12].front_sector = arrays->lines[12].back_sector = 0;
}

// The bits of the lines that are not in any block.
static unsigned find_left_out(const struct plugin_lump *lump)
{
    unsigned left_out = (1 << LINES) - 1;
    struct oracle_report report = {.file = stderr, .map = "found"};
    struct oracle_entry_list found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    for (size_t i = 0; i < found.count; i++)
        left_out &= ~(1u << found.entry[i].line);
    oracle_free_entries(&found);
    return left_out;
}

static void expect_left_out_of_arrays(const struct nbstage_map *map,
                                      unsigned expected)
{
    struct plugin_lump lump = plugin_build(map, "prune=inert");
    ck_assert_uint_eq(find_left_out(&lump), expected);
    plugin_free(&lump);
}

START_TEST(touching_is_exact)
{
    static const struct {
        int32_t beside;
        unsigned expected;
    } cases[] = {
        {1, INERT}, {0, WITHOUT_LINE_7}, {-1, INERT_BY_HEIGHT}}; // they cross
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct room_arrays arrays;
    for (size_t i = 0; i < COUNT(cases); i++) {
        room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
        spread_room(&arrays, cases[i].beside);
        expect_left_out_of_arrays(&map, cases[i].expected);
        for (int line = 7; line <= 12; line += 5) { // the other way round
            uint32_t v1 = arrays.lines[line].v1;
            arrays.lines[line].v1 = arrays.lines[line].v2;
            arrays.lines[line].v2 = v1;
            expect_left_out_of_arrays(&map, cases[i].expected);
        }
    }
}
END_TEST

// Line 12 leaves line 7's start in nearly the same direction.
START_TEST(lines_less_than_a_step_apart_are_a_doubt)
{
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct room_arrays arrays;
    for (int steps = 1; steps <= 4; steps += 3) {
        room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
        arrays.vertices[12] = arrays.vertices[6];
        arrays.vertices[13] = arrays.vertices[7];
        arrays.vertices[13].x += steps;
        arrays.lines[12].front_sector = arrays.lines[12].back_sector = 0;
        expect_left_out_of_arrays(&map, steps == 1 ? INERT_BY_HEIGHT : INERT);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Flags, fields and tags

START_TEST(every_flag_is_harmless_or_keeps_the_line)
{
    static const enum form forms[] = {FORM_DOOM, FORM_HEXEN, FORM_DOOM_ARRAYS,
                                      FORM_HEXEN_ARRAYS};
    const unsigned harmless = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8;
    for (size_t i = 0; i < COUNT(forms); i++) {
        unsigned bits = forms[i] < FORM_UDMF ? 16 : 32;
        for (unsigned bit = 0; bit < bits; bit++) {
            struct room room = room_plain;
            room.lines[7].flags ^= 1u << bit;
            room_expect_left_out("flag", &room, forms[i], "prune=inert",
                                 harmless >> bit & 1 ? INERT : WITHOUT_LINE_7);
        }
    }
}
END_TEST

// The room's text with something put behind the brace of a block.
static struct lump_set text_with(const char *block, int index, const char *put)
{
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    struct buffer text = {0};
    char opening[32];
    buffer_print(&set.owned[0], "%c", 0);
    snprintf(opening, sizeof opening, "\n%s {", block);
    const char *begin = (const char *)set.owned[0].bytes;
    const char *place = begin;
    for (int i = 0; i <= index; i++) {
        place = strstr(place, opening);
        ck_assert_ptr_nonnull(place);
        place += strlen(opening);
    }
    buffer_put(&text, begin, (size_t)(place - begin));
    buffer_print(&text, " %s ", put);
    buffer_put(&text, place, strlen(place));
    lump_set_replace(&set, "TEXTMAP", text);
    return set;
}

static void expect_of_text(const char *block, int index, const char *put,
                           unsigned expected)
{
    struct lump_set set = text_with(block, index, put);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    room_check(put, &room_plain, &lump, expected);
    plugin_free(&lump);
    lump_set_free(&set);
}

// Fields of ZDoom and others that block, move or act; as true as they get.
START_TEST(fields_of_lines_are_harmless_or_keep_the_line)
{
    static const char *const booleans[] = {
        "blocking",          "blockmonsters",
        "blockplayers",      "blockeverything",
        "blockprojectiles",  "blockfloaters",
        "blocklandmonsters", "blockhitscan",
        "blockuse",          "blocksight",
        "blocksound",        "jumpover",
        "midtex3d",          "midtex3dimpassible",
        "clipmidtex",        "impassable",
        "passuse",           "repeatspecial",
        "playercross",       "playeruse",
        "playerpush",        "monstercross",
        "monsteruse",        "monsterpush",
        "missilecross",      "impact",
        "anycross",          "monsteractivate",
        "checkswitchrange",  "firstsideonly",
        "zoneboundary",      "damagespecial",
        "deathspecial",      "user_something",
    };
    static const char *const others[] = {
        "moreids = \"5\";",
        "moreids = \"\";",
        "locknumber = 1;",
        "health = 5;",
        "healthgroup = 1;",
        "arg0str = \"x\";",
        "id = 0;",
        "id = 7;",
        "id = 1.5;",
        "automapstyle = 1;",
        "blocking = \"false\";",
    };
    static const char *const harmless[] = {
        "id = -1;",         "ID = -1;",       "dontpegtop = true;",
        "secret = true;",   "mapped = true;", "dontpegbottom = true;",
        "dontdraw = true;", "arg1 = 5;",      "comment = \"a door\";",
        "Arg4 = 0x10;",     "arg2 = 1;",      "arg3 = 1;",
    };
    char text[64];
    for (size_t i = 0; i < COUNT(booleans); i++) {
        snprintf(text, sizeof text, "%s = true;", booleans[i]);
        expect_of_text("linedef", 7, text, WITHOUT_LINE_7);
        snprintf(text, sizeof text, "%s = false;", booleans[i]);
        expect_of_text("linedef", 7, text, INERT);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        expect_of_text("linedef", 7, others[i], WITHOUT_LINE_7);
    for (size_t i = 0; i < COUNT(harmless); i++)
        expect_of_text("linedef", 7, harmless[i], INERT);
}
END_TEST

START_TEST(fields_of_sectors_are_harmless_or_a_doubt)
{
    static const char *const doubts[] = {
        "moreids = \"3\";",      "floorplane_a = 1.0;",
        "ceilingplane_d = 0;",   "gravity = 0.5;",
        "damageamount = 5;",     "nofallingdamage = true;",
        "portal_ceil_x = true;", "health3d = 1;",
        "user_x = 7;",           "heightfloor = \"0\";",
        "heightceiling = true;",
    };
    static const char *const harmless[] = {
        "texturefloor = \"A\";",   "lightlevel = 5;",
        "comment = \"\";",         "texturefloor = \"A\";",
        "lightfloor = 5;",         "lightceiling = 5;",
        "xpanningfloor = 1.5;",    "ypanningfloor = 1;",
        "xpanningceiling = 1;",    "ypanningceiling = 1;",
        "textureceiling = \"B\";", "hidden = false;",
    };
    for (size_t i = 0; i < COUNT(doubts); i++)
        expect_of_text("sector", 0, doubts[i], INERT_BY_SECTOR);
    for (size_t i = 0; i < COUNT(harmless); i++)
        expect_of_text("sector", 0, harmless[i], INERT);
    expect_of_text("vertex", 3, "zfloor = 0;", INERT_BY_SECTOR);
    expect_of_text("vertex", 3, "zceiling = 8.5;", INERT_BY_SECTOR);
}
END_TEST

START_TEST(only_0_is_no_tag_of_a_sector)
{
    struct room room = room_plain;
    room.sectors[0].tag = UINT32_MAX;
    room_expect_left_out("tag", &room, FORM_DOOM_ARRAYS, "prune=inert",
                         INERT_BY_SECTOR);
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    char *place = strstr((char *)set.owned[0].bytes, "id = 0;");
    ck_assert_ptr_nonnull(place);
    memcpy(place, "id =-1;", 7);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    room_check("tag", &room_plain, &lump, INERT_BY_SECTOR);
    const struct nbstage_fact *fact = plugin_find_fact(&lump.result, "sector");
    ck_assert_ptr_nonnull(fact);
    assert_tells(fact->text, "tag -1");
    plugin_free(&lump);
    lump_set_free(&set);
}
END_TEST

// The second of two is what a reader may go by, or the first.
START_TEST(namespaces_that_differ_make_specials_unknown)
{
    static const struct {
        const char *more;
        unsigned expected;
    } cases[] = {
        {"", INERT},
        {"namespace = \"ZDOOM\";", INERT},
        {"namespace = \"doom\";", INERT_BY_SECTOR},
        {"namespace = \"hexen\";", INERT_BY_SECTOR},
        {"namespace = \"more\";", INERT_BY_SECTOR},
        {"namespace = \"doom\"; namespace = \"zdoom\";", INERT_BY_SECTOR},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct room room = room_plain;
        room.lines[8].special = 12;
        room.lines[8].tag = 7;
        struct lump_set set = room_make_lumps(&room, FORM_UDMF);
        buffer_print(&set.owned[0], "%s", cases[i].more);
        set.lumps[0].data = set.owned[0].bytes;
        set.lumps[0].data_size = set.owned[0].size;
        struct nbstage_map map = lump_set_map(&set);
        struct plugin_lump lump = plugin_build(&map, "prune=inert");
        room_check(cases[i].more, &room, &lump, cases[i].expected);
        plugin_free(&lump);
        lump_set_free(&set);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Tag 999 in use

START_TEST(a_tag_in_use_asks_for_nothing)
{
    static const enum form forms[] = {FORM_DOOM, FORM_DOOM_ARRAYS};
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct room room = room_plain;
        struct room_arrays arrays;
        room.lines[3].tag = 999;
        room.lines[3].special = 97;
        for (int asking = 0; asking < 3; asking++) {
            struct lump_set set = room_make_lumps(&room, forms[i]);
            struct nbstage_map map = lump_set_map(&set);
            if (forms[i] == FORM_DOOM_ARRAYS)
                room_make_arrays(&room, forms[i], &arrays, &map);
            room_expect_warnings(&map, "", 0, asking > 0,
                                 "linedef 3 has a special and tag 999");
            room_expect_warnings(&map, "prune=none", 0, 0, NULL);
            lump_set_free(&set);
            room.lines[asking == 0 ? 0 : 9].tag = 999; // before it and behind
        }
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Names, things and scripts

START_TEST(names_tell_of_bosses)
{
    static const struct {
        const char *name;
        bool may_have_bosses;
    } names[] = {{"E1M8", true},   {"e5m8", true},   {"E1M81", true},
                 {"XM8B", true},   {"", true},       {NULL, true},
                 {"E1M1", false},  {"MAP08", false}, {"M", false},
                 {"E8M18", false}, {"8M", false}};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct room room = room_plain;
        room.name = names[i].name;
        room_expect_left_out("name", &room, FORM_DOOM, "prune=inert",
                             names[i].may_have_bosses ? INERT_BY_SECTOR
                                                      : INERT);
        room_expect_left_out("name", &room, FORM_HEXEN, "prune=inert", INERT);
    }
}
END_TEST

START_TEST(things_that_move_planes_are_seen)
{
    static const unsigned movers[] = {1500, 1501, 1502, 1503, 1504, 1505,
                                      9500, 9501, 9502, 9503, 9504, 9505,
                                      9506, 9507, 9508, 9509, 9510, 9511};
    static const unsigned others[] = {1499, 1506, 9499, 9512, 3001};
    for (int form = FORM_DOOM; form <= FORM_UDMF; form++) {
        struct room room = room_plain;
        if (form == FORM_DOOM64)
            continue;
        for (size_t i = 0; i < COUNT(movers); i++) {
            room.thing_type = movers[i];
            room_expect_left_out("mover", &room, (enum form)form, "prune=inert",
                                 INERT_BY_SECTOR);
        }
        for (size_t i = 0; i < COUNT(others); i++) {
            room.thing_type = others[i];
            room_expect_left_out("other", &room, (enum form)form, "prune=inert",
                                 INERT);
        }
    }
}
END_TEST

// A THINGS lump of a binary format may be beside arrays.
START_TEST(things_beside_arrays_are_seen)
{
    static const enum form lump_forms[] = {FORM_DOOM, FORM_HEXEN};
    for (int i = 0; i < 2; i++) {
        enum form arrays_form = i ? FORM_HEXEN_ARRAYS : FORM_DOOM_ARRAYS;
        struct room room = room_plain;
        for (int moves = 0; moves < 3; moves++) {
            room.thing_type = moves == 1 ? 9502 : 1;
            room.thing_special = moves == 2 ? 80 : 0; // which Doom has not got
            unsigned expected =
                moves == 1 || (moves == 2 && i == 1) ? INERT_BY_SECTOR : INERT;
            struct lump_set set = room_make_lumps(&room, lump_forms[i]);
            struct nbstage_map map = lump_set_map(&set);
            struct room_arrays arrays;
            room_make_arrays(&room, arrays_form, &arrays, &map);
            room_expect_warnings(&map, "prune=inert", expected, 0, NULL);
            struct nbstage_lump *things =
                (struct nbstage_lump *)lump_set_find(&set, "THINGS");
            things->data_size--;
            room_expect_warnings(&map, "prune=inert", 0, 1, "THINGS");
            things->data_size = 0;
            room_expect_warnings(&map, "prune=inert", INERT, 0, NULL);
            lump_set_free(&set);
        }
    }
}
END_TEST

START_TEST(every_lump_of_scripts_may_move_anything)
{
    static const char *const lumps[] = {"BEHAVIOR", "SCRIPTS", "DIALOGUE"};
    static const enum form forms[] = {FORM_UDMF, FORM_DOOM_ARRAYS,
                                      FORM_HEXEN_ARRAYS};
    struct room room = room_plain;
    for (size_t form = 0; form < COUNT(forms); form++) {
        for (size_t i = 0; i < COUNT(lumps); i++) {
            room.scripts = lumps[i];
            room_expect_left_out(lumps[i], &room, forms[form], "prune=inert",
                                 INERT_BY_SECTOR);
        }
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Arrays

START_TEST(short_sectors_are_a_doubt)
{
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct room_arrays arrays;
    for (size_t words = 2; words <= 5; words++) {
        uint32_t sectors[5 * SECTORS] = {0};
        room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
        for (size_t i = 0; i < SECTORS; i++)
            sectors[i * words + 1] = 128 * UNIT;
        map.sectors = (const struct nbstage_sector *)(const void *)sectors;
        map.sector_size = words * sizeof *sectors;
        room_expect_warnings(&map, "prune=inert",
                             words == 5 ? INERT : INERT_BY_SECTOR, 0, NULL);
    }
}
END_TEST

// UDMF's flags and ids; without a namespace any special may do anything.
START_TEST(arrays_can_follow_the_rules_of_udmf)
{
    static const struct {
        uint32_t flags, id, special;
        unsigned expected;
    } cases[] = {
        {1, UINT32_MAX, 0, INERT},          {1, 0, 0, WITHOUT_LINE_7},
        {1, 7, 0, WITHOUT_LINE_7},          {0, UINT32_MAX, 0, WITHOUT_LINE_7},
        {3, UINT32_MAX, 0, WITHOUT_LINE_7}, {9, UINT32_MAX, 0, WITHOUT_LINE_7},
        {1, UINT32_MAX, 12, 1 << 12},       {1, UINT32_MAX, 1, 0},
    };
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct room_arrays arrays;
    room_make_arrays(&room_plain, FORM_HEXEN_ARRAYS, &arrays, &map);
    map.format = NBSTAGE_FORMAT_UDMF;
    for (int i = 0; i < LINES; i++) {
        arrays.lines[i].flags = arrays.lines[i].flags == TWO_SIDED;
        arrays.lines[i].tag = UINT32_MAX;
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        arrays.lines[7].flags = cases[i].flags;
        arrays.lines[7].tag = cases[i].id;
        arrays.lines[7].special = cases[i].special;
        room_expect_warnings(&map, "prune=inert", cases[i].expected, 0, NULL);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// Too much work, too little memory

enum { CROWD = 3000 };

// Upright lines beside each other, all of them in the same sector, which would
// be inert but for the outer ones.
static struct nbstage_map make_crowd(void)
{
    static struct nbstage_vertex vertices[2 * CROWD];
    static struct nbstage_line lines[CROWD];
    static const struct nbstage_sector sector = {0, 128 * UNIT, 0, 0, 0};
    for (uint32_t i = 0; i < CROWD; i++) {
        vertices[2 * i] = (struct nbstage_vertex){(int32_t)i * 64, 0};
        vertices[2 * i + 1] =
            (struct nbstage_vertex){(int32_t)i * 64, 3200 * UNIT};
        lines[i] = (struct nbstage_line){
            .v1 = 2 * i, .v2 = 2 * i + 1, .flags = TWO_SIDED};
    }
    struct nbstage_map map = plugin_map_from_arrays(
        "MAP01", vertices, COUNT(vertices), lines, CROWD);
    map.sectors = &sector;
    map.sector_count = 1;
    map.sector_size = sizeof sector;
    return map;
}

static struct nbstage_host listening_host(void)
{
    return (struct nbstage_host){.size = sizeof(struct nbstage_host),
                                 .context = &test_host,
                                 .allocate = test_allocate,
                                 .release = test_release,
                                 .log = test_log,
                                 .progress = test_progress};
}

// Builds with a host that listens.
static nbstage_status build_listening(const struct nbstage_map *map,
                                      int64_t *inert)
{
    const struct nbstage_host host = listening_host();
    struct nbstage_instance *instance = plugin_create_for(&host, "prune=inert");
    struct nbstage_result result = {.size = sizeof result};
    nbstage_status status = plugin_stage()->build(instance, map, &result);
    const struct nbstage_fact *fact = plugin_find_fact(&result, "pruned_inert");
    *inert = fact ? fact->value : -1;
    if (status != NBSTAGE_OK)
        ck_assert_uint_eq(result.fact_count, 0);
    plugin_stage()->destroy(instance);
    return status;
}

START_TEST(work_has_a_limit_and_can_be_cancelled)
{
    struct nbstage_map map = make_crowd();
    int64_t inert;
    ck_assert_int_eq(build_listening(&map, &inert), NBSTAGE_OK);
    ck_assert_int_gt(inert, 1);
    ck_assert_int_lt(inert, CROWD / 2);
    ck_assert_uint_eq(test_host.message_count, 1);
    assert_tells(test_host.message, "work limit", "inert");
    size_t reports = test_host.progress_count;
    ck_assert_uint_ge(reports, CROWD / 1024);
    for (size_t i = 1; i <= reports; i++) {
        test_host = (struct test_host){.cancelled_report = i};
        ck_assert_int_eq(build_listening(&map, &inert), NBSTAGE_CANCELLED);
        ck_assert_uint_eq(test_host.progress_count, i);
        ck_assert_ptr_null(test_host.blocks);
    }
}
END_TEST

// Refuses the request for memory behind that of the instance itself, then the
// next, until none is refused.
static void refuse_memory(enum form form)
{
    struct lump_set plain = room_make_lumps(&room_plain, form);
    struct lump_set set = form < FORM_DOOM_ARRAYS
                              ? lump_set_compressed(&plain, NBSTAGE_ZLIB)
                              : (struct lump_set){.map_name = "MAP01"};
    struct nbstage_map map = lump_set_map(&set);
    struct room_arrays arrays;
    if (form >= FORM_DOOM_ARRAYS)
        room_make_arrays(&room_plain, form, &arrays, &map);
    size_t refused = 1, failures = 0;
    int64_t inert;
    do {
        const struct nbstage_host host = listening_host();
        struct nbstage_instance *instance;
        struct nbstage_result result = {.size = sizeof result};
        test_host = (struct test_host){.refused_request = ++refused};
        if (plugin_stage()->create(&host, &instance) != NBSTAGE_OK)
            ck_abort_msg("the first request is not refused");
        ck_assert_int_eq(plugin_stage()->set_option(instance, "prune", "inert"),
                         NBSTAGE_OK);
        nbstage_status status = plugin_stage()->build(instance, &map, &result);
        if (status != NBSTAGE_OK) {
            failures++;
            ck_assert_int_eq(status, NBSTAGE_OUT_OF_MEMORY);
            assert_tells(plugin_stage()->last_error(instance), "MAP01",
                         "memory");
        } else {
            inert = plugin_find_fact(&result, "pruned_inert")->value;
            ck_assert_int_eq(inert, form == FORM_DOOM64 ? 0 : 3);
        }
        plugin_stage()->destroy(instance);
        ck_assert_ptr_null(test_host.blocks);
    } while (test_host.request_count >= refused);
    ck_assert_uint_ge(failures, 5);
    lump_set_free(&set);
    lump_set_free(&plain);
}

START_TEST(out_of_memory_is_told)
{
    refuse_memory((enum form)_i);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("prune-doubts");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, pits_against_a_part_of_a_line_are_seen);
    tcase_add_test(tests, lines_on_each_other_are_a_doubt);
    tcase_add_test(tests, touching_is_exact);
    tcase_add_test(tests, lines_less_than_a_step_apart_are_a_doubt);
    tcase_add_test(tests, every_flag_is_harmless_or_keeps_the_line);
    tcase_add_test(tests, fields_of_lines_are_harmless_or_keep_the_line);
    tcase_add_test(tests, fields_of_sectors_are_harmless_or_a_doubt);
    tcase_add_test(tests, only_0_is_no_tag_of_a_sector);
    tcase_add_test(tests, namespaces_that_differ_make_specials_unknown);
    tcase_add_test(tests, a_tag_in_use_asks_for_nothing);
    tcase_add_test(tests, names_tell_of_bosses);
    tcase_add_test(tests, things_that_move_planes_are_seen);
    tcase_add_test(tests, things_beside_arrays_are_seen);
    tcase_add_test(tests, every_lump_of_scripts_may_move_anything);
    tcase_add_test(tests, short_sectors_are_a_doubt);
    tcase_add_test(tests, arrays_can_follow_the_rules_of_udmf);
    tcase_add_test(tests, work_has_a_limit_and_can_be_cancelled);
    tcase_add_loop_test(tests, out_of_memory_is_told, 0, FORM_COUNT);
    return run_tests(tests);
}
