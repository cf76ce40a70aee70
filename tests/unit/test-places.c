// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lump each kind of engine takes for a map's BLOCKMAP, and what
// the command says where an engine does not take it.  Both are worked out by
// hand from the table "How each engine finds the lump" of doc/engines.md.

#include "config.h"

#include "base/macros.h"
#include "context-for-tests.h"
#include "directory.h"
#include "lump/engines.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

// An engine of each kind, in the order of the columns below.
static const int engines[] = {ENGINE_DOOM19,   ENGINE_CRISPY, ENGINE_WOOF,
                              ENGINE_ETERNITY, ENGINE_GZDOOM, ENGINE_SRB2};

// The lumps up to NODES, up to SECTORS and up to REJECT.
#define NODES "MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES"
#define SECTORS NODES " SECTORS=78"
#define REJECT SECTORS " REJECT"

// A directory, see directory.h, with a map's marker first.  `added` is where a
// BLOCKMAP is to be inserted.  Then what each engine does: it Finds or Misreads
// a lump, Builds its own, Ends, or Refuses.
static const struct {
    const char *lumps;
    size_t added;
    const char *expected[COUNT(engines)];
} cases[] = {
    {REJECT " BLOCKMAP", NONE, {"F10", "F10", "F10", "F10", "F10", "F10"}},
    {REJECT " BLOCKMAP BLOCKMAP",
     NONE,
     {"F10", "F10", "F10", "F10", "F10", "F10"}},
    {REJECT " BLOCKMAP NOTE", NONE, {"F10", "F10", "F10", "F10", "F10", "F10"}},
    {REJECT, 10, {"F10", "F10", "F10", "F10", "F10", "F10"}},
    {REJECT " MAP02 THINGS", 10, {"F10", "F10", "F10", "F10", "F10", "F10"}},
    // Without a BLOCKMAP.
    {REJECT, NONE, {"E", "B", "B", "R", "B", "B"}},
    {REJECT " NOTE=7", NONE, {"M10", "B", "B", "R", "B", "B"}},
    {REJECT " NOTE=8", NONE, {"M10", "M10", "B", "R", "B", "B"}},
    {REJECT " MAP02 BLOCKMAP", NONE, {"M10", "B", "B", "R", "B", "B"}},
    {REJECT " NOTE BLOCKMAP", NONE, {"M10", "B", "B", "R", "B", "F11"}},
    // Without REJECT.  Three sectors need two bytes of it.
    {SECTORS " BLOCKMAP=2", NONE, {"E", "B", "B", "R", "F9", "F9"}},
    {SECTORS " BLOCKMAP=3", NONE, {"E", "B", "E", "R", "F9", "F9"}},
    {SECTORS " BLOCKMAP=3 NOTE=8", NONE, {"M10", "M10", "E", "R", "F9", "F9"}},
    {SECTORS, 9, {"E", "B", "E", "R", "F9", "F9"}},
    {SECTORS " NOTE=8", 9, {"M9", "M9", "E", "R", "F9", "F9"}},
    {SECTORS " NOTE=2 BLOCKMAP", NONE, {"F10", "F10", "F10", "R", "B", "F10"}},
    {SECTORS " NOTE=3 BLOCKMAP", NONE, {"F10", "F10", "E", "R", "B", "F10"}},
    {SECTORS " BLOCKMAP=2 REJECT=8",
     NONE,
     {"M10", "M10", "B", "R", "F9", "F9"}},
    {SECTORS, NONE, {"E", "B", "E", "R", "B", "B"}},
    // Another lump in the place of one of the others.
    {"MAP01 THINGS NOTE LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS "
     "REJECT BLOCKMAP",
     NONE,
     {"E", "E", "E", "R", "R", "F11"}},
    {NODES " NOTE SECTORS REJECT BLOCKMAP",
     NONE,
     {"E", "E", "E", "R", "R", "F11"}},
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS REJECT BLOCKMAP",
     NONE,
     {"E", "E", "E", "R", "F7", "F7"}},
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS SEGS SSECTORS NODES "
     "REJECT BLOCKMAP",
     NONE,
     {"E", "E", "E", "R", "B", "F10"}},
    {"MAP01 THINGS LINEDEFS SIDEDEFS SEGS SSECTORS NODES SECTORS BLOCKMAP",
     NONE,
     {"E", "E", "E", "R", "R", "F8"}},
    // Text maps.
    {"MAP01 TEXTMAP BLOCKMAP ENDMAP",
     NONE,
     {"F2", "F2", "F2", "F2", "F2", "F2"}},
    {"MAP01 TEXTMAP BLOCKMAP BLOCKMAP ENDMAP BLOCKMAP",
     NONE,
     {"F3", "F3", "F3", "F3", "F3", "F3"}},
    {"MAP01 TEXTMAP ENDMAP BLOCKMAP", NONE, {"B", "B", "B", "B", "B", "B"}},
    {"MAP01 TEXTMAP ENDMAP", 2, {"F2", "F2", "F2", "F2", "F2", "F2"}},
};

// Makes a directory of one map at least, which is the first.
static void make_map(const char *words, struct wad *wad)
{
    directory_make(words, wad);
    ck_assert_int_eq(maps_find(wad), STATUS_DONE);
    ck_assert_uint_ge(wad->map_count, 1);
    ck_assert_uint_eq(wad->maps[0].marker, 0);
}

LOOP_TEST(each_engine_takes_its_lump, COUNT(cases))
{
    const size_t added = cases[_i].added == NONE ? NO_LUMP : cases[_i].added;
    struct wad wad;
    make_map(cases[_i].lumps, &wad);
    for (size_t e = 0; e < COUNT(engines); e++) {
        const struct engine *engine = &engine_table[engines[e]];
        const char *expected = cases[_i].expected[e];
        struct maps_found found;
        maps_find_blockmap(&wad, &wad.maps[0], added, engine, &found);
        char text[24] = {"FMBERN"[found.finding]};
        if (found.lump != NO_LUMP)
            snprintf(text + 1, sizeof text - 1, "%zu", found.lump);
        ck_assert_msg(strcmp(text, expected) == 0, "%s: %s: %s, expected %s",
                      cases[_i].lumps, engine->name, text, expected);
        ck_assert_int_eq(*found.why == '\0', *expected == 'F');
        if (*expected == 'M')
            ck_assert_str_eq(found.tenth, wad.lumps[found.lump].name);
    }
    free(wad.maps);
}

TEST(some_engines_never_look)
{
    struct wad wad;
    struct maps_found found;
    make_map(REJECT " BLOCKMAP", &wad);
    maps_find_blockmap(&wad, &wad.maps[0], NO_LUMP, &engine_table[ENGINE_EDGE],
                       &found);
    ck_assert_int_eq(found.finding, MAPS_NEVER);
    ck_assert_uint_eq(found.lump, NO_LUMP);
    free(wad.maps);
}

// --- What is said ---

// A directory, where a BLOCKMAP is to be inserted, and the sentence; NULL if
// all engines take it.
static const struct {
    const char *lumps;
    size_t added;
    const char *sentence;
} sentences[] = {
    {REJECT " BLOCKMAP", NONE, NULL},
    {REJECT, 10, NULL},
    // A map that is not built yet.
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS", 6, NULL},
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS BEHAVIOR", 6, NULL},
    {"MAP01 TEXTMAP ENDMAP", 2, NULL},
    {SECTORS " BLOCKMAP", NONE,
     "the map has no REJECT: Doom 1.9 reads BLOCKMAP as REJECT"},
    {SECTORS, 9, "the map has no REJECT: Doom 1.9 reads BLOCKMAP as REJECT"},
    {SECTORS " BLOCKMAP REJECT", NONE,
     "BLOCKMAP stands before REJECT: Doom 1.9 reads BLOCKMAP as REJECT and "
     "REJECT as BLOCKMAP"},
    {REJECT " NOTE BLOCKMAP", NONE,
     "NOTE stands inside the map: ZDoom 2.8.1 does not see BLOCKMAP, and "
     "Doom 1.9 reads NOTE as BLOCKMAP"},
    {SECTORS " NOTE REJECT BLOCKMAP", NONE,
     "NOTE stands inside the map: ZDoom 2.8.1 does not see REJECT and "
     "BLOCKMAP, and Doom 1.9 reads NOTE as REJECT and REJECT as BLOCKMAP"},
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS SECTORS REJECT "
     "BLOCKMAP",
     NONE, "the map has no NODES: Doom 1.9 reads SECTORS as NODES"},
    {"MAP01 THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS SEGS SSECTORS NODES "
     "REJECT BLOCKMAP",
     NONE,
     "SECTORS stands before SEGS: ZDoom 2.8.1 does not see SEGS, SSECTORS, "
     "NODES, REJECT and BLOCKMAP, and Doom 1.9 reads SECTORS as SEGS"},
    {"MAP01 BLOCKMAP LINEDEFS NODES REJECT SECTORS SEGS SIDEDEFS SSECTORS "
     "THINGS VERTEXES",
     NONE,
     "the lumps are in alphabetical order, and only SRB2 finds them there; try "
     "--for=srb2"},
};

LOOP_TEST(what_stands_in_the_way_is_told, COUNT(sentences))
{
    const size_t added =
        sentences[_i].added == NONE ? NO_LUMP : sentences[_i].added;
    struct wad wad;
    char sentence[WAD_FLAW_SIZE] = "";
    make_map(sentences[_i].lumps, &wad);
    const size_t blockmap =
        added == NO_LUMP ? maps_present_blockmap(&wad, &wad.maps[0]) : added;
    const bool in_place = maps_are_in_place(&wad, &wad.maps[0], blockmap, added,
                                            ENGINES_ALL, sentence);
    ck_assert_int_eq(in_place, !sentences[_i].sentence);
    ck_assert_str_eq(sentence, in_place ? "" : sentences[_i].sentence);
    free(wad.maps);
}
