// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lumps of a directory are maps, where each map ends, and where
// its BLOCKMAP is or goes, on directories written as words; and which word is
// suggested for one that is misspelled.

#include "config.h"

#include "base/macros.h"
#include "common/suggest.h"
#include "context-for-tests.h"
#include "directory.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdlib.h>
#include <string.h>

// Names of lumps, separated by spaces; then each map, from the marker to before
// `end`, its BLOCKMAP (`end` if it has none), and where one would go.
static const struct {
    const char *lumps;
    struct {
        size_t marker, end, present, place;
    } maps[3];
    size_t count;
} directories[] = {
    {"MAP01 THINGS LINEDEFS VERTEXES SECTORS BLOCKMAP", {{0, 6, 5, 5}}, 1},
    {"MAP01 THINGS LINEDEFS VERTEXES SECTORS", {{0, 5, 5, 5}}, 1},
    {"MAP01 BLOCKMAP LINEDEFS", {{0, 3, 1, 3}}, 1},
    // BLOCKMAP alone proves nothing, nor does a map lump that another follows.
    {"MAP01 BLOCKMAP THINGS", {{0, 0, 0, 0}}, 0},
    {"THINGS LINEDEFS VERTEXES", {{0, 0, 0, 0}}, 0},
    {"SECTORS THINGS MAP01 THINGS", {{2, 4, 4, 4}}, 1},
    // A marker is the last lump, or the one before.
    {"MAP01", {{0, 0, 0, 0}}, 0},
    {"DEMO1 MAP01", {{0, 0, 0, 0}}, 0},
    {"DEMO1 MAP01 THINGS", {{1, 3, 3, 3}}, 1},
    {"MAP01 THINGS MAP02 VERTEXES", {{0, 4, 4, 4}}, 1},
    {"MAP01 THINGS VERTEXES MAP02 VERTEXES", {{0, 3, 3, 3}, {3, 5, 5, 5}}, 2},
    {"MAP01 THINGS MAP02 THINGS", {{0, 2, 2, 2}, {2, 4, 4, 4}}, 2},
    // A lump twice ends a map; one of another name does if nothing is missing.
    {"MAP01 THINGS LINEDEFS THINGS VERTEXES", {{0, 3, 3, 3}}, 1},
    {"MAP01 THINGS LINEDEFS NOTE VERTEXES", {{0, 5, 5, 5}}, 1},
    {"MAP01 THINGS SECTORS NOTE SECTORS", {{0, 3, 3, 3}}, 1},
    {"MAP01 THINGS LINEDEFS NOTE BEHAVIOR", {{0, 3, 3, 3}}, 1},
    // Text maps go to ENDMAP; of two blockmaps the last counts.
    {"MAP01 TEXTMAP BLOCKMAP ZNODES BLOCKMAP ENDMAP", {{0, 6, 4, 5}}, 1},
    {"MAP01 TEXTMAP ENDMAP MAP02 TEXTMAP ENDMAP",
     {{0, 3, 3, 2}, {3, 6, 6, 5}},
     2},
    {"MAP01 TEXTMAP BLOCKMAP MAP02 TEXTMAP ENDMAP",
     {{0, 2, 2, 1}, {3, 6, 6, 5}},
     2},
};

LOOP_TEST(maps_are_found, COUNT(directories))
{
    struct wad wad;
    directory_make(directories[_i].lumps, &wad);
    ck_assert_int_eq(maps_find(&wad), STATUS_DONE);
    ck_assert_uint_eq(wad.map_count, directories[_i].count);
    for (size_t m = 0; m < wad.map_count; m++) {
        const struct map_place *map = &wad.maps[m];
        ck_assert_uint_eq(map->marker, directories[_i].maps[m].marker);
        ck_assert_uint_eq(map->end, directories[_i].maps[m].end);
        ck_assert_uint_eq(maps_present_blockmap(&wad, map),
                          directories[_i].maps[m].present);
        ck_assert_uint_eq(maps_blockmap_place(&wad, map),
                          directories[_i].maps[m].place);
    }
    free(wad.maps);
}

// --- Suggestions ---

// A word as typed, words that are known, and the one that is nearest; of those
// that are equally near, the first.  A word of n characters allows
// (n + 1) / 4 edits.
static const struct {
    const char *typed, *known[3], *nearest;
} suggestions[] = {
    {"verfy", {"verify"}, "verify"},   // an insertion
    {"verrify", {"verify"}, "verify"}, // a deletion
    {"verofy", {"verify"}, "verify"},  // a replacement
    {"veirfy", {"verify"}, "verify"},  // a swap, of one edit
    {"VERIFY", {"verify"}, "verify"},
    {"vrify", {"build", "verify"}, "verify"},
    {"bat", {"cat", "hat"}, "cat"}, // one edit each
    {"bat", {"hat", "cat"}, "hat"},
    {"bat", {"chat", "hat"}, "hat"}, // two edits, and one
    {"ba", {"ca"}, NULL},            // no edits
    {"bat", {"cut"}, NULL},
    {"abcdefg", {"abcdefxy"}, "abcdefxy"}, // two of seven characters
    {"abcdef", {"abcdexyz"}, NULL},
    {"abcdef", {"abcdxy"}, NULL},
    {"ve", {"verify"}, "verify"}, // it continues
    {"v", {"verify"}, NULL},
    {"12345678901234567890123456789012",
     {"12345678901234567890123456789013"},
     "12345678901234567890123456789013"}, // of 32 characters
    {"123456789012345678901234567890123",
     {"123456789012345678901234567890124"},
     NULL},
};

LOOP_TEST(the_nearest_word_is_suggested, COUNT(suggestions))
{
    const char *typed = suggestions[_i].typed;
    struct suggestion suggestion = suggest_begin(typed, strlen(typed));
    for (size_t i = 0; i < COUNT(suggestions[_i].known); i++)
        if (suggestions[_i].known[i])
            suggest_offer(&suggestion, suggestions[_i].known[i]);
    ck_assert_pstr_eq(suggestion.nearest, suggestions[_i].nearest);
    ck_assert(!suggestion.is_known);
}

TEST(a_known_word_needs_no_suggestion)
{
    struct suggestion suggestion = suggest_begin("verify=x", 6);
    suggest_offer(&suggestion, "verity");
    suggest_offer(&suggestion, "verify");
    ck_assert(suggestion.is_known);
    ck_assert_ptr_null(suggestion.nearest);
}
