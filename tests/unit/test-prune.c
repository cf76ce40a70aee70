// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lines are left out of the blockmap on a small map in every form
// that it may come in: rules that need a format, Hexen's specials, fields of
// text, tags, what a host tells; and that lines stay where there is a doubt:
// every thing and lump that may matter, damage, maps that take too much work.
// Faces, and all rules for Doom's format, are in test-inert.sh.

#include "blocklists.h"
#include "context-for-tests.h"
#include "pruned-room.h"
#include "random-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WITHOUT_LINE_7 = INERT & ~(1 << 7),
    BESIDE_SECTOR_0 = 1 << 7 | 1 << 12, // where its floor is another
    BESIDE_SECTOR_2 = 1 << 6 | 1 << 7,
    OUTSIDE = 1 << 12, // what does not touch sector 0
};

// --- What is left out ---

// Builds a map of a room with a host that listens.  `expected` has a bit for
// each line that is left out; `told` is in the one message, or NULL for none.
static void expect_of_map(const char *name, const struct nbstage_map *map,
                          const struct room_arrays *arrays, const char *options,
                          unsigned expected, const char *told)
{
    struct oracle_line segments[LINES];
    bool left_out[LINES];
    int64_t count = 0;
    for (int i = 0; i < LINES; i++) {
        struct plain_vertex start = arrays->vertices[arrays->lines[i].v1];
        struct plain_vertex end = arrays->vertices[arrays->lines[i].v2];
        segments[i] = (struct oracle_line){start.x, start.y, end.x, end.y};
        left_out[i] = expected >> i & 1;
        count += left_out[i];
    }
    test_host.message_count = 0;
    struct plugin_lump lump = plugin_build_for(&test_callbacks, map, options);
    ck_assert_msg(test_host.message_count == (told != NULL) &&
                      (!told || strstr(test_host.message, told)),
                  "%s, %s: %zu messages, the last '%s', expected '%s'", name,
                  options, test_host.message_count, test_host.message,
                  told ? told : "");
    blocklists_check_lump(name, lump.bytes, lump.size, segments, LINES,
                          left_out);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_by_host") +
                         plugin_number(&lump, "pruned_inert"),
                     count);
    ck_assert_int_eq(plugin_number(&lump, "linedefs"), LINES);
    plugin_free(&lump);
}

// The same of a room, in all forms that have a bit.
static void expect_of(const char *name, const struct room *room, unsigned forms,
                      const char *options, unsigned expected, const char *told)
{
    for (int form = 0; form < FORM_COUNT; form++) {
        if (!(forms >> form & 1))
            continue;
        struct lump_set set = room_make_lumps(room, (enum form)form);
        struct nbstage_map map = lump_set_map(&set), unused;
        struct room_arrays arrays;
        char text[160];
        snprintf(text, sizeof text, "%s, form %d", name, form);
        room_make_arrays(room, (enum form)form, &arrays,
                         form > FORM_UDMF ? &map : &unused);
        expect_of_map(text, &map, &arrays, options, expected, told);
        lump_set_free(&set);
    }
}

static void expect(const char *name, const struct room *room, unsigned forms,
                   unsigned expected)
{
    expect_of(name, room, forms, "prune=inert", expected, NULL);
}

// --- Inert lines, rule by rule ---

// What a rule changes: nothing, or a member, by its place in a room; members of
// lines and sectors are those of the first one.
enum target {
    NOTHING = 0,
    LINE_FLAGS = offsetof(struct room, lines[0].flags), // exclusive or
    ITS_SPECIAL = offsetof(struct room, lines[0].special),
    LINE_TAG = offsetof(struct room, lines[0].tag),
    LINE_ID = offsetof(struct room, lines[0].id),
    ROOM_SECTOR_FLOOR = offsetof(struct room, sectors[0].floor),
    ROOM_SECTOR_CEILING = offsetof(struct room, sectors[0].ceiling),
    ROOM_SECTOR_SPECIAL = offsetof(struct room, sectors[0].special),
    ROOM_SECTOR_TAG = offsetof(struct room, sectors[0].tag),
    ROOM_SECTOR_FLAGS = offsetof(struct room, sectors[0].flags),
    ROOM_THING_TYPE = offsetof(struct room, thing_type),
    ROOM_THING_SPECIAL = offsetof(struct room, thing_special),
    LINE_SPECIAL_7 = 1, // with tag 7
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
    {"blocking", ALL, LINE_FLAGS, 7, 1, WITHOUT_LINE_7},
    {"blocks sound", ALL, LINE_FLAGS, 12, 64, INERT & ~(1u << 12)},
    {"another flag", ALL, LINE_FLAGS, 6, 0x200, BESIDE_SECTOR_0},
    {"not two-sided", ALL, LINE_FLAGS, 7, TWO_SIDED, WITHOUT_LINE_7},
    {"a tag", DOOM, LINE_TAG, 7, 5, WITHOUT_LINE_7},
    {"an id", UDMF, LINE_ID, 7, 5, WITHOUT_LINE_7},
    {"lower floor", ALL, ROOM_SECTOR_FLOOR, 0, 1, BESIDE_SECTOR_0},
    {"lower ceiling", ALL, ROOM_SECTOR_CEILING, 1, 127, BESIDE_SECTOR_0},
    {"a timed door", ALL, ROOM_SECTOR_SPECIAL, 0, 10, OUTSIDE},
    {"a secret", DOOM | HEXEN, ROOM_SECTOR_SPECIAL, 0, 9, INERT},
    {"friction", ALL, ROOM_SECTOR_SPECIAL, 0, 256, OUTSIDE},
    {"tag", ALL, ROOM_SECTOR_TAG, 0, 7, OUTSIDE},
    {"tag -1", UDMF | 1 << FORM_DOOM_ARRAYS, ROOM_SECTOR_TAG, 0, UINT32_MAX,
     OUTSIDE},
    {"tag elsewhere", ALL, ROOM_SECTOR_TAG, 2, 7, BESIDE_SECTOR_2},
    {"slope", UDMF, ROOM_SECTOR_FLAGS, 0, 1, OUTSIDE},
    // On line 8, which borders on sector 2 alone.
    {"pushed door", DOOM, ITS_SPECIAL, 8, 1, BESIDE_SECTOR_2},
    {"switch", DOOM, LINE_SPECIAL_7, 8, 103, INERT},
    {"switch, tag 0", DOOM, ITS_SPECIAL, 8, 103, 0},
    {"special on it", HEXEN | UDMF, ITS_SPECIAL, 7, 100, OUTSIDE},
    {"special beside it", HEXEN | UDMF, LINE_SPECIAL_7, 3, 11, BESIDE_SECTOR_0},
    {"monster", 1 << FORM_DOOM | 1 << FORM_HEXEN | UDMF, ROOM_THING_TYPE, 0,
     3001, INERT},
};

// A member of a line or a sector, or with index 0 of the room.
static unsigned *find_member(struct room *room, enum target target, int index)
{
    size_t size = target < ROOM_SECTOR_FLOOR ? sizeof *room->lines
                                             : sizeof *room->sectors;
    return (unsigned *)(void *)((char *)room + target + (size_t)index * size);
}

static struct room room_with(struct room room, const struct rule *rule)
{
    switch (rule->target) {
    case NOTHING:
        break;
    case LINE_FLAGS:
        room.lines[rule->index].flags ^= rule->value;
        break;
    case LINE_SPECIAL_7:
        room.lines[rule->index].special = rule->value;
        room.lines[rule->index].tag = 7;
        break;
    default:
        *find_member(&room, rule->target, rule->index) = rule->value;
    }
    return room;
}

LOOP_TEST(inert_lines_follow_the_rules, COUNT(rules))
{
    const struct rule *rule = &rules[_i];
    struct room room = room_with(room_plain, rule);
    expect(rule->name, &room, rule->forms, rule->expected);
    expect_of(rule->name, &room, rule->forms, "", 0, NULL);
}

// How line 6 is beside the small square.
struct wall {
    int gap;  // map units between it and the square
    int lean; // map units that its north end is further east than the south one
    int turns; // quarter turns of the whole
};

// The small square is in sector 0, and behind line 6 is a higher sky.
static struct room room_beside_sky(struct wall wall)
{
    static const int square[4][2] = {{0, 0}, {0, 40}, {40, 40}, {40, 0}};
    struct room room = room_plain;
    room.sectors[1].ceiling = 192;
    room.sectors[1].ceiling_flat = "F_SKY1";
    room.lines[6] = (struct line){2, 5, 0, 1, TWO_SIDED, 0, 0, 0};
    room.vertices[2][0] += wall.lean > 0 ? wall.lean : 0;
    room.vertices[5][0] -= wall.lean < 0 ? wall.lean : 0;
    for (int i = 0; i < 4; i++) { // beside the end that is further west
        room.vertices[6 + i][0] = 256 - wall.gap - 40 + square[i][0];
        room.vertices[6 + i][1] = (wall.lean < 0 ? 460 : 10) + square[i][1];
    }
    for (int i = 8; i < LINES; i++)
        room.lines[i].front = room.lines[i].back = 0;
    for (int i = 0; i < wall.turns * VERTICES; i++) {
        int *at = room.vertices[i % VERTICES];
        const int x = at[0];
        at[0] = -at[1];
        at[1] = x;
    }
    return room;
}

// A missile is up to 64 map units wide, and may hit the ceiling at one of two
// lines only.  The wall is in its reach with its whole, or with one end.
TEST(lines_stay_where_a_missile_may_reach_the_sky)
{
    enum { SQUARE = 31 << 8, ITS_FAR_SIDE = 1 << 8 };
    for (int i = 0; i < 12; i++) {
        struct wall wall = {65, 44 * (i / 4 - 1), i % 4};
        struct room room = room_beside_sky(wall);
        expect("out of reach", &room, DOOM, SQUARE);
        wall.gap = 64;
        room = room_beside_sky(wall);
        expect("in reach", &room, DOOM, ITS_FAR_SIDE);
    }
}

// A missile vanishes where the sector behind the line that it hits has sky.  If
// that sector may move, line 6 does not do what line 7 does, so line 7 stays.
TEST(a_line_stays_beside_a_sky_that_may_move)
{
    struct room room = room_plain;
    room.sectors[0].ceiling_flat = room.sectors[1].ceiling_flat = "F_SKY1";
    room.sectors[1].tag = 7;
    room.lines[8].special = 103;
    room.lines[8].tag = 7;
    expect("before line 6", &room, DOOM, 1 << 7 | 1 << 12);
    room.lines[6] = (struct line){2, 5, 0, 1, TWO_SIDED, 0, 0, 0};
    expect("behind line 6", &room, DOOM, 1 << 12);
}

// Line 12 has no length and is of another sector: the lines that its square is
// among may not be what they seem.
TEST(a_line_without_length_is_a_doubt_for_its_face)
{
    struct room room = room_beside_sky((struct wall){100, 0, 0});
    room.sectors[1] = room.sectors[0];
    expect("with its length", &room, DOOM, INERT | 15 << 8);
    room.lines[12] = (struct line){6, 6, 2, 2, TWO_SIDED, 0, 0, 0};
    expect("without", &room, DOOM, 0);
}

TEST(nothing_is_inert_in_doom_64)
{
    expect_of("Doom 64", &room_plain, 1 << FORM_DOOM64, "prune=inert", 0,
              "Doom 64");
}

// --- Specials: every number, against lists written for this test ---

// Those of polyobjects move no sector, but their lines look like any other.
static const char hexen_polyobjects[] = " 1 2 3 4 5 6 7 8 90 91 92 93 ";
static const char hexen_none[] =
    " 10 11 12 13 70 71 72 73 74 75 100 101 102 103 108 109 110 111 112 113 "
    "114 115 116 120 121 130 131 132 133 134 135 136 137 140 ";
static const char hexen_tagged[] = " 20 21 22 23 24 25 26 27 28 29 30 31 32 35 "
                                   "36 40 41 42 43 44 45 46 60 61 62 63 64 65 "
                                   "66 67 68 69 94 95 96 138 ";
static const char hexen_still[] = " 0 1 2 3 4 9 198 199 200 ";
static const char slopes[] = " 1500 1501 1502 1503 1504 1505 9500 9501 9502 "
                             "9503 9504 9505 9506 9507 9508 9509 9510 9511 ";

static bool is_among(unsigned number, const char *list)
{
    char text[16];
    snprintf(text, sizeof text, " %u ", number);
    return strstr(list, text);
}

// A line moves what is beside it, and a thing nothing more than with its tag.
LOOP_TEST(specials_of_hexen_move_what_they_are_known_to, 256)
{
    const unsigned special = (unsigned)_i;
    for (unsigned tag = 0; tag <= 7; tag += 7) {
        const bool is_known = special == 0 || is_among(special, hexen_none) ||
                              (is_among(special, hexen_tagged) && tag > 0);
        struct room room = room_plain;
        room.thing_special = special;
        room.thing_tag = tag;
        expect("thing", &room, HEXEN | UDMF,
               is_known || is_among(special, hexen_polyobjects) ? INERT : 0);
        room = room_plain;
        room.lines[8].special = special;
        room.lines[8].tag = tag;
        expect("line", &room, HEXEN | UDMF,
               !is_known      ? 0
               : special == 0 ? INERT
                              : BESIDE_SECTOR_2);
    }
    struct room room = room_plain;
    room.sectors[2].special = special;
    expect("sector", &room, HEXEN | UDMF,
           is_among(special, hexen_still) ? INERT : BESIDE_SECTOR_2);
}

TEST(things_may_make_slopes)
{
    struct room room = room_plain;
    for (unsigned type = 1490; type < 9520; type += type == 1510 ? 7980 : 1) {
        room.thing_type = type;
        expect("thing", &room, ALL, is_among(type, slopes) ? 0 : INERT);
    }
}

TEST(flats_that_matter_keep_their_lines)
{
    struct room room = room_plain;
    room.sectors[1].ceiling_flat = "f_Sky1";
    expect("a sky", &room, ALL, INERT & ~(1U << 6));
    room.sectors[1].ceiling_flat = "WOOD";
    expect("ceilings", &room, ALL, INERT);
    room.sectors[1].floor_flat = "GRASS2";
    expect("floors", &room, ALL, INERT & ~(1U << 6));
}

TEST(a_tagged_line_is_a_doubt_for_those_beside_it)
{
    struct room room = room_plain;
    room.lines[5].tag = 999; // left out itself
    expect("beside a tagged line", &room, DOOM, OUTSIDE | 1 << 5);
}

// --- Text ---

// Namespaces with Doom's specials, where ports do not agree what the tag is,
// and with others that are not known; and a second one, which a reader may go
// by.
static const struct {
    const char *name;
    unsigned special; // of line 8, with tag 7
    unsigned expected;
} texts[] = {
    {"Doom", 11, INERT},
    {"Doom", 1, BESIDE_SECTOR_2},
    {"Doom", 103, 0},
    {"dsda", 0, INERT},
    {"dsda", 11, 0},
    {"dsda", 1, 0},
    {"ZDoom", 12, BESIDE_SECTOR_2},
    {"ZDoom\"; namespace = \"ZDOOM", 12, BESIDE_SECTOR_2},
    {"ZDoom\"; namespace = \"doom", 12, 0},
    {"ZDoom\"; namespace = \"hexen", 12, 0},
    {"ZDoom\"; namespace = \"more", 12, 0},
    {"ZDoom\"; namespace = \"doom\"; namespace = \"zdoom", 12, 0},
};

LOOP_TEST(texts_may_leave_a_doubt, COUNT(texts))
{
    struct room room = room_plain;
    room.name_space = texts[_i].name;
    room.lines[8].special = texts[_i].special;
    room.lines[8].tag = 7;
    expect(texts[_i].name, &room, UDMF, texts[_i].expected);
}

// What fields change: of linedef 7, of sector 0, or of vertex 0 and with it of
// all sectors.
static const struct {
    const char *block, *fields;
    bool is_harmless;
} fields[] = {
    {"linedef", "mapped = true; comment = \"yes\"; secret = true;", true},
    {"linedef", "dontpegtop = true; dontpegbottom = true; dontdraw = true;",
     true},
    {"linedef", "jumpover = false; playeruse = false; blocking = false;", true},
    {"linedef", "id = -1;", true},
    {"linedef", "id = 0x10;", false},
    {"linedef", "id = -2;", false},
    {"linedef", "blockmonsters = true;", false},
    {"linedef", "BlockSight = true;", false},
    {"linedef", "blocking = \"false\";", false},
    {"linedef", "moreids = \"7\"; blockuse = true;", false},
    {"linedef", "midtex3d = true;", false},
    {"linedef", "locknumber = 1;", false},
    {"linedef", "arg0str = \"x\";", false},
    {"linedef", "user_something = true;", false},
    {"sector", "lightlevel = 160; lightfloor = 5; lightceiling = 5;", true},
    {"sector", "xpanningfloor = 1.5; ypanningceiling = 1; hidden = false;",
     true},
    {"sector", "ceilingplane_d = 0;", false},
    {"sector", "user_x = 7;", false},
    {"sector", "damageamount = 5;", false},
    {"sector", "moreids = \"7 8\";", false},
    {"sector", "gravity = 0.5;", false},
    {"vertex", "zfloor = 8.0;", false},
    {"vertex", "zceiling = 8.5;", false},
};

LOOP_TEST(fields_that_are_not_known_to_be_harmless_keep_lines, COUNT(fields))
{
    struct room room = room_plain;
    const char block = *fields[_i].block;
    room.more.block = fields[_i].block;
    room.more.index = block == 'l' ? 7 : 0;
    room.more.fields = fields[_i].fields;
    expect(fields[_i].fields, &room, UDMF,
           fields[_i].is_harmless ? INERT
           : block == 'l'         ? WITHOUT_LINE_7
           : block == 's'         ? OUTSIDE
                                  : 0);
}

// --- Damage ---

// Lumps without their last byte, without any, and not there; and a side that is
// not there, the back of line 12.
LOOP_TEST(damaged_lumps_keep_lines, FORM_DOOM64)
{
    static const char *const names[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    struct lump_set set = room_make_lumps(&room_plain, (enum form)_i);
    struct nbstage_map map = lump_set_map(&set), unused;
    struct room_arrays arrays;
    room_make_arrays(&room_plain, (enum form)_i, &arrays, &unused);
    for (size_t n = 0; n < COUNT(names); n++) {
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&set, names[n]);
        const struct nbstage_lump whole = *lump;
        lump->data_size--;
        expect_of_map("cut", &map, &arrays, "prune=inert", 0, names[n]);
        lump->data_size = 0;
        expect_of_map("empty", &map, &arrays, "prune=inert", 0, names[n]);
        lump->name = "REMOVED";
        expect_of_map("removed", &map, &arrays, "prune=inert", 0, names[n]);
        *lump = whole;
    }
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&set, "SIDEDEFS");
    sides->data_size -= 30;
    expect_of_map("a side", &map, &arrays, "prune=inert", 0, "sidedef 25");
    lump_set_free(&set);
}

// --- Tagged lines ---

static const struct {
    unsigned forms;
    unsigned flags, special, tag;
    bool asks;
} tagged[] = {
    {DOOM, 0, 0, 999, true},
    {DOOM, 0, 97, 999, false},
    {DOOM, 0, 0, 998, false},
    {DOOM, 0x180, 108, 1, false},
    {DOOM, 0, 108, 1, false},
    {HEXEN, 0, 108, 1, true},
    {HEXEN, 0, 108, 0, false},
    {HEXEN, 0, 107, 1, false},
    {HEXEN, 0, 108, 2, false},
    {HEXEN, 0, 108, 255, false},
    {1 << FORM_HEXEN_ARRAYS, 0, 108, 0x10001, true}, // of 8 bits
    {1 << FORM_HEXEN_ARRAYS, 0, 0x16C, 1, true},
    {1 << FORM_DOOM_ARRAYS, 0, 0x10000, 0x103E7, true}, // of 16 bits
    {1 << FORM_DOOM64, 1 << 28, 0, 0, true},
    {1 << FORM_DOOM64, 0x180, 0, 0, true},
    {1 << FORM_DOOM64, 0x100, 0, 999, false},
    {1 << FORM_DOOM64, 0x80, 108, 1, false},
    {UDMF, 0, 108, 999, false},
    {1 << FORM_HEXEN_ARRAYS, 0, 0, 1, false},
};

LOOP_TEST(lines_ask_in_their_format, COUNT(tagged))
{
    struct room room = room_plain;
    const unsigned forms = tagged[_i].forms;
    for (int i = 2; i <= 9; i += 7) { // one-sided and not
        room.lines[i].flags |= tagged[_i].flags;
        room.lines[i].special = tagged[_i].special;
        room.lines[i].tag = tagged[_i].tag;
    }
    unsigned expected = tagged[_i].asks ? 1u << 2 | 1u << 9 : 0;
    expect_of("asks", &room, forms, "", expected, NULL);
    expect_of("asks", &room, forms, "prune=none", 0, NULL);
}

TEST(a_tag_in_use_asks_for_nothing)
{
    struct room room = room_plain;
    room.lines[3].tag = 999;
    room.lines[3].special = 97;
    for (int asking = 0; asking < 3; asking++) {
        expect_of("in use", &room, DOOM, "", 0,
                  asking > 0 ? "linedef 3 has a special and tag 999" : NULL);
        expect_of("in use", &room, DOOM, "prune=none", 0, NULL);
        room.lines[asking == 0 ? 0 : 9].tag = 999; // before it and behind
    }
}

// Linedefs of any number, some with the tag and some with its number elsewhere,
// as a lump and as arrays.
TEST(tags_are_found_wherever_they_are)
{
    enum { MOST = 300 };
    static struct oracle_line segments[MOST];
    static bool left_out[MOST];
    static struct plain_line lines[MOST];
    static const struct plain_vertex ends[] = {{0, 0}, {UNIT, 0}};
    for (unsigned count = 1; count < MOST; count += 1 + count / 8) {
        struct buffer linedefs = {0}, vertices = {0};
        for (unsigned i = 0; i < count; i++) {
            left_out[i] = (i % 64 == 63 || i % 129 == 0 || i + 1 == count) &&
                          i % 32 != 5; // which has a special
            segments[i] = (struct oracle_line){0, 0, UNIT, 0};
            lines[i] = (struct plain_line){.v2 = 1};
            lines[i].special = i % 32 == 5 ? 999 : 0;
            lines[i].tag = left_out[i] ? 999 : i;
            buffer_put_u32(&linedefs, 1 << 16);
            buffer_put_u16(&linedefs, 0);
            buffer_put_u16(&linedefs, lines[i].special);
            buffer_put_u16(&linedefs, lines[i].tag);
            buffer_put_u32(&linedefs, i % 16 == 7 ? 999 : 0);
        }
        buffer_put_u32(&vertices, 0);
        buffer_put_u32(&vertices, 1);
        struct lump_set set = {.map_name = "MAP01"};
        lump_set_add(&set, "LINEDEFS", linedefs);
        lump_set_add(&set, "VERTEXES", vertices);
        struct nbstage_map maps[] = {lump_set_map(&set),
                                     PLAIN_MAP("MAP01", ends, 2, lines, count)};
        for (size_t form = 0; form < COUNT(maps); form++) {
            struct plugin_lump lump = plugin_build(&maps[form], "");
            blocklists_check_lump("tags", lump.bytes, lump.size, segments,
                                  count, left_out);
            plugin_free(&lump);
        }
        lump_set_free(&set);
    }
}

TEST(all_lines_may_be_left_out)
{
    struct room room = room_plain;
    static const char *const options[] = {"", "pack=nest", "grid=search",
                                          "format=doom grid=id", "prune=inert"};
    for (int i = 0; i < LINES; i++)
        room.lines[i].tag = 999;
    for (size_t i = 0; i < COUNT(options); i++)
        expect_of("all", &room, DOOM, options[i], (1 << LINES) - 1, NULL);
}

// Only numbers that are listed have to be numbers of 16 bits.
TEST(limit_is_for_numbers_that_are_listed)
{
    enum { COUNT_OF_LINES = 65540 };
    static const struct plain_vertex vertices[] = {{0, 0}, {UNIT, 0}};
    struct plain_line *lines = calloc(COUNT_OF_LINES, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (uint32_t i = 0; i < COUNT_OF_LINES; i++)
        lines[i] = (struct plain_line){.v2 = 1, .tag = i == 5 ? 0 : 999};
    struct nbstage_map map =
        PLAIN_MAP("MAP01", vertices, 2, lines, COUNT_OF_LINES);
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

// Segs of lines that are left out are passed over, and no others.
TEST(nodes_are_checked_for_the_others)
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
    ck_assert_int_eq(plugin_number(&lump, "pruned_inert"), 3);
    ck_assert_int_eq(plugin_number(&lump, "checked_segs"), 0);
    plugin_free(&lump);
    segs.bytes[0] = segs.bytes[2] = 0; // line 6, at the corner of the map
    plugin_check_failure(NULL, &map, "check-nodes=yes", NBSTAGE_BAD_MAP,
                         "seg 0 of linedef 6");
    segs.bytes[6] = 3; // line 3, which stays
    plugin_check_failure(NULL, &map, "prune=inert check-nodes=yes",
                         NBSTAGE_BAD_MAP, "seg 0 of linedef 3");
    lump_set_free(&set);
}

// --- Names, things and scripts ---

TEST(names_tell_of_bosses)
{
    static const char *const names[] = {"E1M8", "e5m8",  "E1M81", "XM8B",
                                        "",     NULL,    "E1M1",  "MAP08",
                                        "M",    "E8M18", "8M"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct room room = room_plain;
        room.name = names[i];
        expect("name", &room, HEXEN, INERT);
        expect("name", &room, DOOM, i < 6 ? 0 : INERT);
    }
}

TEST(every_lump_of_scripts_may_move_anything)
{
    static const char *const lumps[] = {"BEHAVIOR", "SCRIPTS", "DIALOGUE"};
    struct room room = room_plain;
    for (size_t i = 0; i < COUNT(lumps); i++) {
        room.scripts = lumps[i];
        expect(lumps[i], &room,
               UDMF | 1 << FORM_DOOM_ARRAYS | 1 << FORM_HEXEN_ARRAYS, 0);
    }
    room.scripts = "BEHAVIOR";
    expect("script", &room, HEXEN, 0);
    room.scripts = ""; // the marker, with FraggleScript
    expect("marker", &room, DOOM | UDMF | 1 << FORM_HEXEN_ARRAYS, 0);
}

// --- Arrays ---

// The marker, without which nobody knows whether there are scripts.
static const struct nbstage_lump marker = {.name = ""};

TEST(lumps_that_are_unknown_may_be_scripts)
{
    struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};
    struct room_arrays arrays;
    room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
    expect_of_map("unknown", &map, &arrays, "prune=inert", 0,
                  "lumps are unknown");
    map.lumps = &marker;
    expect_of_map("unknown", &map, &arrays, "prune=inert", 0,
                  "lumps are unknown");
    map.lump_count = 1;
    expect_of_map("none", &map, &arrays, "prune=inert", INERT, NULL);
}

// Sectors without a member; fewer sectors; none; lines without a member.
TEST(absent_members_are_a_doubt)
{
    struct nbstage_map map = map_of_lumps("MAP01", &marker, 1);
    struct room_arrays arrays;
    room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
    struct nbstage_member *const of_sectors[] = {
        &arrays.all_sectors.floor, &arrays.all_sectors.ceiling,
        &arrays.all_sectors.special, &arrays.all_sectors.tag};
    struct nbstage_member *const of_lines[] = {
        &arrays.all_lines.flags, &arrays.all_lines.special,
        &arrays.all_lines.tag, &arrays.all_lines.front_sector,
        &arrays.all_lines.back_sector};
    static const char *const names[] = {"flags", "special", "tag",
                                        "front_sector", "back_sector"};
    expect_of_map("all", &map, &arrays, "prune=inert", INERT, NULL);
    for (size_t i = 0; i < COUNT(of_sectors); i++) {
        const struct nbstage_member there = *of_sectors[i];
        of_sectors[i]->type = NBSTAGE_ABSENT;
        expect_of_map("sectors", &map, &arrays, "prune=inert", 0, NULL);
        *of_sectors[i] = there;
    }
    for (size_t i = 0; i < COUNT(of_lines); i++) {
        const struct nbstage_member there = *of_lines[i];
        of_lines[i]->type = NBSTAGE_ABSENT;
        expect_of_map("lines", &map, &arrays, "prune=inert", 0, names[i]);
        *of_lines[i] = there;
    }
    arrays.all_sectors.array.count = 2;
    plugin_check_failure(NULL, &map, "prune=inert", NBSTAGE_BAD_MAP, "line 8",
                         "sector 2");
    map.sectors = NULL;
    expect_of_map("none", &map, &arrays, "prune=inert", 0, "SECTORS");
    map.sectors = &arrays.all_sectors;
    map.things = NULL;
    arrays.all_sectors.array.count = SECTORS;
    expect_of_map("things", &map, &arrays, "prune=inert", 0, "THINGS");
}

// The host leaves out lines 2 and 6, whatever prune does besides.  Beside lumps
// it tells no more than the ends of lines.
TEST(hosts_may_leave_lines_out)
{
    struct left_line {
        struct plain_line line;
        uint8_t left_out;
    } lines[LINES];
    const unsigned expected = 1u << 2 | 1u << 6;
    struct room room = room_plain;
    room.lines[9].tag = 999;
    for (int form = 0; form < FORM_COUNT; form++) {
        const bool asks = (DOOM >> form & 1) != 0;
        const bool has_inert = form != FORM_DOOM64;
        struct lump_set set = room_make_lumps(&room, (enum form)form);
        struct nbstage_map map = lump_set_map(&set), unused;
        struct room_arrays arrays;
        room_make_arrays(&room, (enum form)form, &arrays,
                         form > FORM_UDMF ? &map : &unused);
        struct nbstage_lines described = {0};
        if (form > FORM_UDMF)
            described = *map.lines;
        for (int i = 0; i < LINES; i++)
            lines[i] = (struct left_line){arrays.lines[i], i == 2   ? 1
                                                           : i == 6 ? 0x80
                                                                    : 0};
        NBSTAGE_SET_ARRAY(described, lines, LINES);
        NBSTAGE_SET(described.v1, NBSTAGE_U32, struct left_line, line.v1);
        NBSTAGE_SET(described.v2, NBSTAGE_U32, struct left_line, line.v2);
        NBSTAGE_SET(described.left_out, NBSTAGE_U8, struct left_line, left_out);
        map.lines = &described;
        expect_of_map("none", &map, &arrays, "prune=none", expected, NULL);
        expect_of_map("tagged", &map, &arrays, "",
                      asks ? expected | 1u << 9 : expected, NULL);
        if (has_inert)
            expect_of_map("inert", &map, &arrays, "prune=inert",
                          asks ? expected | 1u << 9 : expected | OUTSIDE, NULL);
        lump_set_free(&set);
    }
}

// A line that has its tag asks, if its special is there, too.
TEST(lines_ask_by_what_is_described)
{
    struct nbstage_map map = map_of_lumps("MAP01", &marker, 1);
    struct room_arrays arrays;
    struct room room = room_plain;
    room.lines[9].tag = 999;
    room_make_arrays(&room, FORM_DOOM_ARRAYS, &arrays, &map);
    expect_of_map("complete", &map, &arrays, "prune=inert",
                  BESIDE_SECTOR_2 | 1u << 9, NULL);
    arrays.all_lines.flags.type = NBSTAGE_ABSENT;
    expect_of_map("no flags", &map, &arrays, "prune=inert", 1u << 9, "flags");
    arrays.all_lines.flags.type = NBSTAGE_U32;
    arrays.all_lines.special.type = NBSTAGE_ABSENT;
    expect_of_map("no special", &map, &arrays, "", 0, NULL);
}

// In UDMF a host's lines have their ends only; the rest is the text's.
TEST(texts_tell_of_the_lines_of_hosts)
{
    static const struct {
        unsigned flags, id;
        unsigned expected;
    } cases[] = {
        {TWO_SIDED, 0, INERT},
        {TWO_SIDED, 7, WITHOUT_LINE_7},
        {0, 0, WITHOUT_LINE_7},
        {TWO_SIDED | 1, 0, WITHOUT_LINE_7},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct room room = room_plain;
        struct room_arrays arrays;
        room.lines[7].flags = cases[i].flags;
        room.lines[7].id = cases[i].id;
        struct lump_set set = room_make_lumps(&room, FORM_UDMF);
        struct nbstage_map map = lump_set_map(&set), unused;
        room_make_arrays(&room_plain, FORM_HEXEN_ARRAYS, &arrays, &unused);
        for (int n = 0; n < LINES; n++) { // of another kind of map
            arrays.lines[n].flags = 0xFFFF;
            arrays.lines[n].special = 11;
            arrays.lines[n].front_sector = arrays.lines[n].back_sector = 2;
        }
        map.lines = &arrays.all_lines;
        expect_of_map("UDMF", &map, &arrays, "prune=inert", cases[i].expected,
                      NULL);
        map.vertices = &arrays.all_vertices;
        expect_of_map("UDMF", &map, &arrays, "prune=inert", cases[i].expected,
                      NULL);
        lump_set_free(&set);
    }
}

// Without a text nothing but their ends is known.
TEST(lines_without_a_text_are_a_doubt)
{
    struct nbstage_map map = map_of_lumps("MAP01", &marker, 1);
    struct room_arrays arrays;
    room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
    expect_of_map("Doom", &map, &arrays, "prune=inert", INERT, NULL);
    map.format = NBSTAGE_FORMAT_UDMF;
    expect_of_map("UDMF", &map, &arrays, "prune=inert", 0, "flags");
}

// --- Work ---

enum { CROWD = 3000 };

// A closed zigzag of lines beside each other, all of them in the same sector.
TEST(work_has_a_limit)
{
    static const struct plain_sector sector = {.ceiling = 128 * UNIT};
    struct random_map crowd;
    random_map_allocate_pairs(&crowd, CROWD);
    for (int i = 0; i < CROWD; i++) {
        for (int n = i; n <= i + 1; n++) {
            struct plain_vertex *at = &crowd.vertices[i + n];
            at->x = n % CROWD * 64;
            at->y = (n % CROWD % (CROWD - 1) == 0 ? -1 : n % 2 * 3200) * UNIT;
        }
        crowd.lines[i].flags = TWO_SIDED;
        crowd.lines[i].front_sector = crowd.lines[i].back_sector = 0;
    }
    struct nbstage_map map = RANDOM_MAP(&crowd, "MAP01");
    map.lumps = &marker;
    map.lump_count = 1;
    map.sectors = PLAIN_SECTORS(&sector, 1);
    map.things = NO_THINGS;
    struct plugin_lump lump =
        plugin_build_for(&test_callbacks, &map, "prune=inert");
    ck_assert_int_eq(plugin_number(&lump, "pruned_inert"), 0);
    ck_assert_uint_eq(test_host.message_count, 1);
    assert_tells(test_host.message, "work limit", "inert");
    ck_assert_uint_ge(test_host.progress_count, CROWD / 1024);
    plugin_free(&lump);
    random_map_free(&crowd);
}
