// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which sectors each special moves, in each game and at each level;
// which games a map is for; and what makes a linedef free though its sector
// moves.

#include "base/macros.h"
#include "context-for-tests.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/flat.h"
#include "map/map.h"
#include "prune/games.h"
#include "prune/line.h"
#include "prune/moving.h"
#include "pruned-room.h"

#include <stdio.h>
#include <string.h>

// Six sectors in a row.  Linedef i has sector i in front of it and i + 1 behind
// it; the last has sector 5 in front of it only, and no part in what moves but
// by its special.  Sector 1 has tag 7, sector 3 another flat.
enum {
    ROW = 6,
    TAGGED = 1 << 1,
    BESIDE = 1 << 0 | 1 << 2,
    STAIRS = 1 << 1 | 1 << 2,
    ALL_STAIRS = 0x3E,
    EVERY = 0x3F,
};

struct row {
    struct map_line lines[ROW];
    struct map_sector sectors[ROW];
    struct attributes attributes;
};

static void row_make(struct row *row, uint32_t special, uint32_t tag)
{
    *row = (struct row){.attributes = {.format = NBSTAGE_FORMAT_DOOM,
                                       .specials = SPECIALS_DOOM,
                                       .lines = row->lines,
                                       .line_count = ROW,
                                       .sectors = row->sectors,
                                       .sector_count = ROW}};
    for (unsigned i = 0; i < ROW; i++) {
        row->lines[i].front_sector = i;
        row->lines[i].back_sector = i + 1 < ROW ? i + 1 : MAP_NONE;
        row->sectors[i].floor_flat = flat_of_name(i == 3 ? "LAVA" : "ROCK", 4);
    }
    row->sectors[1].tag = 7;
    row->lines[ROW - 1].special = special;
    row->lines[ROW - 1].tag = row->lines[ROW - 1].args[0] = tag;
}

// A bit for each sector that may move.
static unsigned row_moves(const struct row *row, game_set games)
{
    bool *moves;
    unsigned bits = 0;
    ck_assert_int_eq(
        moving_find(&test_context, &row->attributes, games, &moves),
        NBSTAGE_OK);
    for (unsigned i = 0; i < ROW; i++)
        bits |= (unsigned)moves[i] << i;
    context_release(&test_context, moves);
    return bits;
}

// Specials of the last line with tag 7.
static const struct {
    unsigned special;
    unsigned doom, heretic, strife;
} specials[] = {
    {1, TAGGED, TAGGED, TAGGED},
    {7, STAIRS, STAIRS, STAIRS},
    {8, STAIRS, STAIRS, STAIRS},
    {9, TAGGED | BESIDE, TAGGED | BESIDE, TAGGED | BESIDE},
    {11, TAGGED, TAGGED, TAGGED},
    {99, TAGGED, TAGGED, TAGGED},
    {100, STAIRS, TAGGED, STAIRS},
    {105, TAGGED, TAGGED, TAGGED},
    {106, TAGGED, STAIRS, TAGGED},
    {107, TAGGED, STAIRS, TAGGED},
    {127, STAIRS, STAIRS, STAIRS},
    {146, TAGGED | BESIDE, TAGGED | BESIDE, STAIRS},
    {155, TAGGED | BESIDE, TAGGED | BESIDE, TAGGED},
    {178, TAGGED, TAGGED, STAIRS},
    {191, TAGGED | BESIDE, TAGGED | BESIDE, TAGGED},
    {207, TAGGED, TAGGED, TAGGED | BESIDE},
    {209, TAGGED, TAGGED, STAIRS},
    {229, TAGGED, TAGGED, TAGGED | BESIDE},
    {223, TAGGED, TAGGED, TAGGED},
    {255, TAGGED, TAGGED, TAGGED},
    {256, STAIRS, STAIRS, STAIRS},
    {259, STAIRS, STAIRS, STAIRS},
    {270, EVERY, EVERY, EVERY},
    {271, TAGGED, TAGGED, TAGGED},
    {666, EVERY, EVERY, EVERY},
    {0x2F7F, EVERY, EVERY, EVERY},
    {0x2F80, TAGGED, TAGGED, TAGGED},
    {0x3000, STAIRS, STAIRS, STAIRS},
    {0x3105, STAIRS, STAIRS, STAIRS},
    {0x3200, ALL_STAIRS, ALL_STAIRS, ALL_STAIRS},
    {0x33FD, ALL_STAIRS, ALL_STAIRS, ALL_STAIRS},
    {0x3400, TAGGED, TAGGED, TAGGED},
    {0x7FFD, TAGGED, TAGGED, TAGGED},
    {0x8000, EVERY, EVERY, EVERY},
};

LOOP_TEST(specials_move_what_their_game_says, COUNT(specials))
{
    struct row row;
    row_make(&row, specials[_i].special, 7);
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), specials[_i].doom);
    ck_assert_uint_eq(row_moves(&row, GAME_HERETIC), specials[_i].heretic);
    ck_assert_uint_eq(row_moves(&row, GAME_STRIFE), specials[_i].strife);
    ck_assert_uint_eq(row_moves(&row, GAMES_WORST), specials[_i].doom |
                                                        specials[_i].heretic |
                                                        specials[_i].strife);
}

// Specials of line 3, which has sector 4 behind it, and a tag that no sector
// has: manual doors, and generalised types that are pushed.
static const struct {
    unsigned special;
    unsigned doom, strife; // besides sector 1
} doors[] = {
    {1, 1 << 4, 1 << 4},
    {31, 1 << 4, 1 << 4},
    {117, 1 << 4, 1 << 4},
    {144, 0, 1 << 4},
    {156, 0, 1 << 4},
    {232, 0, 1 << 4},
    {103, 0, 0},
    {7, 0, 0},
    {9, 0, 0},
    {0x3C06, 1 << 4, 1 << 4},
    {0x3C05, 0, 0},
    {0x3C07, 1 << 4, 1 << 4},
    {0x3006, 3 << 4, 3 << 4},
    {0x3004, 0, 0},
};

LOOP_TEST(doors_move_what_is_behind_them, COUNT(doors))
{
    struct row row;
    row_make(&row, 0, 0);
    row.lines[3].special = doors[_i].special;
    row.lines[3].tag = 5;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM | GAMES_ZERO_TAGS),
                      TAGGED | doors[_i].doom);
    ck_assert_uint_eq(row_moves(&row, GAME_STRIFE | GAMES_ZERO_TAGS),
                      TAGGED | doors[_i].strife);
}

// The fast doors of fast.wad, with a tag that no sector has.
TEST(fast_doors_move_no_other_sector)
{
    struct row row;
    row_make(&row, 106, 1);
    row.lines[0].special = 107;
    row.lines[0].tag = 1;
    row.sectors[1].tag = 0;
    ck_assert_uint_eq(row_moves(&row, GAMES_WORST), 0);
}

// Line 3 has a special without a tag.
static const struct {
    unsigned special;
    unsigned vanilla, boom; // besides sector 1
} zero_tags[] = {
    {103, EVERY, 1 << 4},
    {7, EVERY, 3 << 4},
    {9, EVERY, 7 << 3},
    {11, 0, 0},
    {97, 0, 0},
    {1, 1 << 4, 1 << 4},
    {156, 0, 0},
    {0x3000, EVERY, 3 << 4},
    {0x3006, 3 << 4, 3 << 4},
};

LOOP_TEST(tag_0_is_for_all_at_the_vanilla_level, COUNT(zero_tags))
{
    struct row row;
    row_make(&row, 0, 0);
    row.lines[3].special = zero_tags[_i].special;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM | GAMES_ZERO_TAGS),
                      TAGGED | zero_tags[_i].vanilla);
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), TAGGED | zero_tags[_i].boom);
}

// Stairs go from front to back only, and on over a floor that may get another
// flat: by type 59, or by a generalised one, but not by type 36.
static const struct {
    unsigned special; // for sector 3
    unsigned expected;
} changes[] = {
    {0, STAIRS | 1 << 3},      {36, STAIRS | 1 << 3}, {59, ALL_STAIRS},
    {0x6000, STAIRS | 1 << 3}, {0x6400, ALL_STAIRS},  {0x6800, ALL_STAIRS},
};

LOOP_TEST(stairs_go_on_over_flats_that_may_change, COUNT(changes))
{
    struct row row;
    row_make(&row, 7, 7);
    row.sectors[3].tag = 8;
    row.lines[4].special = changes[_i].special;
    row.lines[4].tag = 8;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), changes[_i].expected);
}

// The numbers for which Boom calls a mover that gives the floor another flat,
// in EV_DoPlat, EV_DoFloor, EV_DoChange or EV_DoDonut.
static const char flats[] =
    " 9 14 15 20 22 37 47 59 66 67 68 78 84 93 95 143 144 146 148 149 153 154 "
    "155 159 160 177 179 189 190 191 239 240 241 ";

TEST(only_some_specials_change_a_flat)
{
    for (unsigned special = 0; special < 270; special++) {
        struct row row;
        char word[8];
        row_make(&row, 7, 7);
        row.sectors[3].tag = 8;
        row.lines[0].special = special;
        row.lines[0].tag = 8;
        snprintf(word, sizeof word, " %u ", special);
        ck_assert_msg(row_moves(&row, GAME_DOOM) >> 5 == !!strstr(flats, word),
                      "special %u", special);
    }
}

TEST(stairs_may_branch_and_run_in_circles)
{
    struct row row;
    row_make(&row, 8, 7);
    row.lines[4].front_sector = 2; // from sector 2 to 5
    row.lines[3].front_sector = 5; // from sector 5 to 4
    row.lines[0].front_sector = 4; // from sector 4 to 1
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), EVERY & ~(1 << 0 | 1 << 3));
}

// An unknown flat may be the same as that of the stairs.
TEST(stairs_go_on_over_unknown_flats)
{
    struct row row;
    row_make(&row, 8, 7);
    row.sectors[3].floor_flat = flat_of_number(UINT64_C(1) << 32 | 3);
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), ALL_STAIRS);
}

TEST(bosses_of_heretic_move_what_has_tag_0)
{
    static const char *const names[] = {"E1M8", "e5m8", "",
                                        NULL,   "E1M1", "MAP08"};
    struct row row;
    row_make(&row, 0, 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        test_context.map_name = names[i];
        ck_assert_uint_eq(row_moves(&row, GAME_DOOM | GAMES_ZERO_TAGS), TAGGED);
        ck_assert_uint_eq(row_moves(&row, GAME_STRIFE), TAGGED);
        ck_assert_uint_eq(row_moves(&row, GAME_HERETIC),
                          i < 4 ? EVERY : TAGGED);
    }
}

// Hexen's stairs go on over sectors that have a special themselves; its lines
// may move the sectors on both sides.
TEST(specials_of_hexen_have_a_table_of_their_own)
{
    static const unsigned known[] = {1, 8, 26, 27, 31, 32, 90, 93};
    struct row row;
    for (size_t i = 0; i < COUNT(known); i++) {
        row_make(&row, known[i], 7);
        row.attributes.format = NBSTAGE_FORMAT_HEXEN;
        row.attributes.specials = SPECIALS_HEXEN;
        row.sectors[3].special = 26;
        ck_assert_uint_eq(row_moves(&row, GAMES_WORST),
                          TAGGED | 1 << 3 | 1 << 5);
    }
    row.lines[5].special = 9;
    ck_assert_uint_eq(row_moves(&row, GAMES_WORST), EVERY);
}

TEST(any_sector_may_move_where_the_map_does_not_tell)
{
    struct map_thing thing = {.type = 1500};
    struct row row;
    row_make(&row, 0, 0);
    row.attributes.has_scripts = true;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), EVERY);
    row_make(&row, 0, 0);
    row.attributes.format = NBSTAGE_FORMAT_DOOM64;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), EVERY);
    row_make(&row, 0, 0);
    row.attributes.things = &thing;
    row.attributes.thing_count = 1;
    ck_assert_uint_eq(row_moves(&row, GAME_DOOM), EVERY);
}

// --- Games ---

// Things; the games that have all of them, as games_find tells; 0 ends them.
static const struct {
    uint32_t types[4];
    game_set games;
} things[] = {
    {{0}, GAME_DOOM},
    {{1, 2, 11, 14}, GAME_DOOM},               // starts, in all three
    {{1, 3004, 2001}, GAME_DOOM},              // in Doom and Strife
    {{1, 66, 90}, GAME_HERETIC | GAME_STRIFE}, // a Heretic and Strife thing
    {{1, 1, 96, 1200}, GAME_HERETIC},
    {{1, 5, 92, 1299}, GAME_HERETIC},
    {{1, 118, 9}, GAME_STRIFE},
    {{1, 236, 3005}, GAME_STRIFE},
    {{2035, 2049}, GAME_DOOM},
    {{888, 9}, GAME_DOOM},
    {{9001, 9500, 96, 1201}, GAME_HERETIC}, // ZDoom's tell nothing
    {{9001, 20000}, GAME_DOOM},
    {{88, 96}, GAME_DOOM}, // of different games
    {{236, 1200}, GAME_DOOM},
};

LOOP_TEST(things_tell_the_game, COUNT(things))
{
    struct map_thing all[4] = {{0}};
    struct attributes attributes = {.things = all};
    for (; attributes.thing_count < 4; attributes.thing_count++) {
        all[attributes.thing_count].type =
            things[_i].types[attributes.thing_count];
        if (all[attributes.thing_count].type == 0)
            break;
    }
    ck_assert_uint_eq(games_find(&attributes, 0), things[_i].games);
    ck_assert_uint_eq(games_find(&attributes, GAMES_ZERO_TAGS),
                      things[_i].games | GAMES_ZERO_TAGS);
    ck_assert_uint_eq(games_find(&attributes, GAME_HERETIC), GAME_HERETIC);
    ck_assert_uint_eq(games_find(&attributes, GAME_STRIFE | GAMES_ZERO_TAGS),
                      GAME_STRIFE | GAMES_ZERO_TAGS);
}

// --- Linedefs of one sector ---

// What is changed of the room, in which sector 0 has a tag, so that it may
// move; then the verdict on line 7, which has sector 0 on both sides.
static const struct {
    unsigned forms; // a bit for each
    unsigned flags, special, tag, id;
    const char *fields, *scripts;
    enum line_reason reason;
} linedefs[] = {
    {ALL, 0, 0, 0, 0, NULL, NULL, LINE_FREE},
    {DOOM | HEXEN, 0x1F8, 0, 5, 0, NULL, NULL, LINE_FREE},
    {ALL, 1, 0, 0, 0, NULL, NULL, LINE_IMPASSABLE},
    {DOOM | HEXEN, 2, 0, 0, 0, NULL, NULL, LINE_IMPASSABLE},
    {DOOM | HEXEN, 0x200, 0, 0, 0, NULL, NULL, LINE_IMPASSABLE},
    {DOOM | HEXEN, 0x8000, 0, 0, 0, NULL, NULL, LINE_IMPASSABLE},
    {ALL, 0, 97, 0, 0, NULL, NULL, LINE_SPECIAL},
    {UDMF, 0, 0, 0, 0, "blocksound = true; secret = true;", NULL, LINE_FREE},
    {UDMF, 0, 0, 0, 0, "mapped = true; dontdraw = true;", NULL, LINE_FREE},
    {UDMF, 0, 0, 0, 0, "blocksight = true;", NULL, LINE_IMPASSABLE},
    {UDMF, 0, 0, 0, 0, "playeruse = true;", NULL, LINE_IMPASSABLE},
    {UDMF, 0, 0, 0, 0, "wrapmidtex = true;", NULL, LINE_IMPASSABLE},
    {UDMF, 0, 0, 0, 0, "wrapmidtex = false;", NULL, LINE_FREE},
    {UDMF, 0, 0, 0, 5, NULL, NULL, LINE_FREE},
    {UDMF, 0, 0, 0, 5, NULL, "SCRIPTS", LINE_IMPASSABLE},
    {UDMF, 0, 0, 0, 0, NULL, "SCRIPTS", LINE_FREE},
    {1 << FORM_DOOM, 0, 0, 5, 0, NULL, "SCRIPTS", LINE_IMPASSABLE},
    {1 << FORM_DOOM, 0, 0, 0, 0, NULL, "SCRIPTS", LINE_FREE},
    {ALL, TWO_SIDED, 0, 0, 0, NULL, NULL, LINE_ONE_SIDED},
};

// Judges all lines of a room.
static void judge_room(const struct room *room, enum form form,
                       struct line_verdict verdicts[LINES])
{
    struct lump_set set = room_make_lumps(room, form);
    struct nbstage_map given = lump_set_map(&set), unused;
    struct room_arrays arrays;
    struct map map;
    struct lines lines = {0};
    struct line_verdict *judged;
    room_make_arrays(room, form, &arrays, form > FORM_UDMF ? &given : &unused);
    ck_assert_int_eq(map_read(&test_context, &given, true, &map), NBSTAGE_OK);
    ck_assert_int_eq(lines_gather(&test_context, &map, NULL, &lines),
                     NBSTAGE_OK);
    ck_assert_int_eq(
        line_judge_all(&test_context, &map, &lines, games_named(0), &judged),
        NBSTAGE_OK);
    memcpy(verdicts, judged, LINES * sizeof *verdicts);
    context_release(&test_context, judged);
    lines_free(&test_context, &lines);
    map_free(&test_context, &map);
    lump_set_free(&set);
}

LOOP_TEST(a_line_of_one_sector_is_free_also_if_it_moves, COUNT(linedefs))
{
    for (int form = 0; form < FORM_COUNT; form++) {
        struct line_verdict verdicts[LINES];
        struct room room = room_plain;
        if (form == FORM_DOOM64 || !(linedefs[_i].forms >> form & 1))
            continue;
        room.sectors[0].tag = 7;
        room.lines[7].flags ^= linedefs[_i].flags;
        room.lines[7].special = linedefs[_i].special;
        room.lines[7].tag = linedefs[_i].tag;
        room.lines[7].id = linedefs[_i].id;
        room.scripts = linedefs[_i].scripts;
        room.more.block = "linedef";
        room.more.index = 7;
        room.more.fields = linedefs[_i].fields;
        if (!linedefs[_i].fields)
            room.more.block = NULL;
        judge_room(&room, (enum form)form, verdicts);
        ck_assert_msg(verdicts[7].reason == linedefs[_i].reason,
                      "form %d: %d, not %d", form, verdicts[7].reason,
                      linedefs[_i].reason);
        if (linedefs[_i].special == 0 && !linedefs[_i].scripts) {
            ck_assert_int_eq(verdicts[6].reason, LINE_MOVES);
            ck_assert_int_eq(verdicts[12].reason, LINE_FREE);
        }
    }
}

// Floors and ceilings on both sides, in 16.16, and the step in whole units; the
// first that is not 0.
static const struct {
    int32_t floors[2], ceilings[2];
    uint32_t step;
} steps[] = {
    {{0, 24 << 16}, {64 << 16, 64 << 16}, 24},
    {{24 << 16, 0}, {64 << 16, 96 << 16}, 24},
    {{0, 0}, {96 << 16, 64 << 16}, 32},
    {{0, 1}, {64 << 16, 64 << 16}, 1},
    {{(1 << 16) + 1, 0}, {64 << 16, 64 << 16}, 2},
    {{0, 0}, {64 << 16, (66 << 16) - 1}, 2},
    {{INT32_MIN, INT32_MAX}, {0, 0}, 65536},
    {{8 << 16, 8 << 16}, {64 << 16, 64 << 16}, 0},
};

LOOP_TEST(steps_are_rounded_up, COUNT(steps))
{
    struct row row;
    struct line_verdict verdict;
    bool moves[ROW] = {false};
    row_make(&row, 0, 0);
    row.lines[0].flags = ATTRIBUTES_FLAG_TWO_SIDED;
    for (int i = 0; i < 2; i++) {
        row.sectors[i].floor = steps[_i].floors[i];
        row.sectors[i].ceiling = steps[_i].ceilings[i];
    }
    verdict = line_judge(&row.attributes, moves, 0);
    ck_assert_int_eq(verdict.reason, steps[_i].step ? LINE_STEP : LINE_FREE);
    ck_assert_uint_eq(verdict.number, steps[_i].step);
}

// The faces beside it have to be that sector.
TEST(a_line_of_another_sector_is_self_referencing)
{
    struct line_verdict verdicts[LINES];
    struct room room = room_plain;
    room.sectors[2].tag = 7;
    judge_room(&room, FORM_DOOM, verdicts);
    for (int i = 8; i < 12; i++)
        ck_assert_int_eq(verdicts[i].reason, LINE_SELF_REFERENCING);
    ck_assert_int_eq(verdicts[12].reason, LINE_FREE);
    ck_assert_int_eq(verdicts[7].reason, LINE_FREE);
    room.lines[7].front = room.lines[7].back = 1;
    judge_room(&room, FORM_DOOM, verdicts);
    ck_assert_int_eq(verdicts[7].reason, LINE_SELF_REFERENCING);
}
