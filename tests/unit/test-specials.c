// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what is known of specials: every number there is against lists that
// were written for this test, in another form, from the same references.

#include "context-for-tests.h"
#include "prune/attributes.h"
#include "run-suite.h"

#include <string.h>

static bool is_among(uint32_t number, const char *list)
{
    char text[16];
    snprintf(text, sizeof text, " %lu ", (unsigned long)number);
    return strstr(list, text);
}

// Lines that move no sector but, at most, the one behind them.
static const char doom_local[] =
    " 1 11 12 13 17 26 27 28 31 32 33 34 35 39 48 51 52 79 80 81 97 104 117 "
    "118 "
    "124 125 126 138 139 243 244 255 260 262 263 264 265 266 267 268 269 ";

// Stairs and donuts, and numbers that no game has.
static const char doom_far[] =
    " 7 8 9 100 106 107 127 146 155 178 181 191 256 257 258 259 ";

static bool doom_may_move_any(uint32_t special, uint32_t tag)
{
    if (special == 0 || is_among(special, doom_local))
        return false;
    if (special >= 0x2F80 && special < 0x8000) {
        bool stairs = special >> 10 == 12;
        bool pushed = special % 8 == 6 || special % 8 == 7;
        return stairs || (!pushed && tag == 0);
    }
    return special > 269 || is_among(special, doom_far) || tag == 0;
}

static const char hexen_local[] =
    " 10 11 12 13 70 71 72 73 74 75 100 101 102 103 108 109 110 111 112 113 "
    "114 "
    "115 116 120 121 130 131 132 133 134 135 136 137 140 ";
static const char hexen_tagged[] =
    " 20 21 22 23 24 25 28 29 30 35 36 40 41 42 43 44 45 46 60 61 62 63 64 65 "
    "66 67 68 69 94 95 96 138 ";

static bool hexen_may_move_any(uint32_t special, uint32_t tag)
{
    if (special == 0 || is_among(special, hexen_local))
        return false;
    return !is_among(special, hexen_tagged) || tag == 0;
}

START_TEST(lines_move_what_they_are_known_to)
{
    static const uint32_t tags[] = {0, 1, 7, 65535, UINT32_MAX};
    for (uint32_t special = 0; special < 65540; special++) {
        for (size_t i = 0; i < COUNT(tags); i++) {
            uint32_t tag = tags[i];
            ck_assert_msg(special_may_move_any(SPECIALS_DOOM, special, tag) ==
                              doom_may_move_any(special, tag),
                          "Doom's %u with tag %u", special, tag);
            ck_assert_msg(special_may_move_any(SPECIALS_HEXEN, special, tag) ==
                              hexen_may_move_any(special, tag),
                          "Hexen's %u with tag %u", special, tag);
            ck_assert(special_may_move_any(SPECIALS_UNKNOWN, special, tag) ==
                      (special != 0));
        }
    }
    ck_assert(special_may_move_any(SPECIALS_HEXEN, UINT32_MAX, 1));
}
END_TEST

static const char hexen_polyobjects[] = " 1 5 ";
static const char doom_polyobjects[] = " 270 348 349 ";
static const char hexen_still[] = " 0 1 2 3 4 9 198 199 200 ";
static const char doom_still[] = " 0 1 2 3 4 5 7 8 9 11 12 13 16 17 ";
static const char slopes[] = " 1500 1501 1502 1503 1504 1505 9500 9501 9502 "
                             "9503 9504 9505 9506 9507 9508 9509 9510 9511 ";

// Specials of lines and of sectors, and types of things.
START_TEST(polyobjects_slopes_and_still_sectors_are_known)
{
    for (uint32_t n = 0; n < 65540; n++) {
        bool hexen = is_among(n, hexen_polyobjects);
        bool doom = is_among(n, doom_polyobjects);
        bool is_still = n < 256 && is_among(n % 32, doom_still);
        ck_assert_msg(special_makes_polyobject(SPECIALS_HEXEN, n) == hexen &&
                          special_makes_polyobject(SPECIALS_DOOM, n) == doom &&
                          special_makes_polyobject(SPECIALS_UNKNOWN, n) ==
                              (hexen || doom),
                      "polyobject %u", n);
        ck_assert_msg(thing_makes_slopes(n) == is_among(n, slopes), "thing %u",
                      n);
        ck_assert_msg(special_leaves_sector(SPECIALS_DOOM, n) == is_still &&
                          special_leaves_sector(SPECIALS_HEXEN, n) ==
                              is_among(n, hexen_still) &&
                          special_leaves_sector(SPECIALS_UNKNOWN, n) ==
                              (n == 0),
                      "sector's special %u", n);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("specials");
    tcase_add_test(tests, lines_move_what_they_are_known_to);
    tcase_add_test(tests, polyobjects_slopes_and_still_sectors_are_known);
    return run_tests(tests);
}
