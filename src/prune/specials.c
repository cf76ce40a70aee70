// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables have the sectors that a special is known to reach.  Specials that
// are not in them may reach any sector.
//
// Nothing in a Doom-format map tells its game, so a number means the worst of
// its meanings in Doom, Boom, Heretic and Strife.  Boom and Strife share 142 to
// 235; those listed here reach tagged sectors in both.

#include "prune/attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum special_reach {
    REACH_ANY,    // stairs, donuts, scripts; specials that are not known
    REACH_TAGGED, // the sectors with its tag
    REACH_DOOR,   // the same; without a tag, the sector across its line
    REACH_ACROSS, // the sector across its line
    REACH_NONE,   // moves no sector: light, teleporter, exit, texture
    // ACROSS if its line is pushed, as the low bits tell, or else TAGGED
    REACH_PUSH,
};

enum {
    TRIGGER_MASK = 7,
    TRIGGER_PUSH = 6,     // and 7
    GENERALISED = 0x2F80, // the first of Boom's generalised linedef types
};

struct special_range {
    uint32_t first, last;
    enum special_reach reach;
};

// Doom's linedef types, from the Unofficial Doom Specs, and Boom's from its
// reference.  7, 8, 9, 100, 106, 107 and 127 build stairs or donuts in Doom or
// Heretic, and 146, 155, 191 and 256 to 259 in Boom.  In Strife 146, 178 and
// 209 build stairs, and Boom's generalised stairs are 0x3000 to 0x33FF.  The
// first range counts that has a special.  223 makes ice, on which MBF has
// things bounce off the first of several lines at a step.
static const struct special_range special_doom_reach[] = {
    {1, 1, REACH_ACROSS},         {7, 9, REACH_ANY},
    {11, 13, REACH_NONE},         {17, 17, REACH_NONE},
    {26, 28, REACH_ACROSS},       {31, 34, REACH_ACROSS},
    {35, 35, REACH_NONE},         {39, 39, REACH_NONE},
    {48, 48, REACH_NONE},         {51, 52, REACH_NONE},
    {79, 81, REACH_NONE},         {97, 97, REACH_NONE},
    {100, 100, REACH_ANY},        {104, 104, REACH_NONE},
    {106, 107, REACH_ANY},        {117, 118, REACH_ACROSS},
    {124, 126, REACH_NONE},       {127, 127, REACH_ANY},
    {138, 139, REACH_NONE},       {146, 146, REACH_ANY},
    {155, 155, REACH_ANY},        {178, 178, REACH_ANY},
    {181, 181, REACH_ANY},        {191, 191, REACH_ANY},
    {209, 209, REACH_ANY},        {223, 223, REACH_ANY},
    {243, 243, REACH_NONE},       {244, 244, REACH_NONE},
    {255, 255, REACH_NONE},       {256, 259, REACH_ANY},
    {260, 260, REACH_NONE},       {262, 269, REACH_NONE},
    {1, 269, REACH_TAGGED},       {0x2F80, 0x2FFF, REACH_PUSH},
    {0x3400, 0x7FFF, REACH_PUSH}, {0, 0, REACH_ANY},
};

// Hexen's action specials, from its specification.
static const struct special_range special_hexen_reach[] = {
    {10, 13, REACH_DOOR},     {20, 25, REACH_TAGGED}, {28, 30, REACH_TAGGED},
    {35, 36, REACH_TAGGED},   {40, 46, REACH_TAGGED}, {60, 69, REACH_TAGGED},
    {70, 75, REACH_NONE},     {94, 96, REACH_TAGGED}, {100, 103, REACH_NONE},
    {108, 116, REACH_NONE},   {120, 121, REACH_NONE}, {130, 137, REACH_NONE},
    {138, 138, REACH_TAGGED}, {140, 140, REACH_NONE}, {0, 0, REACH_ANY},
};

static enum special_reach special_reach(enum attributes_specials specials,
                                        uint32_t special)
{
    const struct special_range *range =
        specials == SPECIALS_HEXEN ? special_hexen_reach : special_doom_reach;
    if (specials == SPECIALS_UNKNOWN)
        return REACH_ANY;
    while (range->last > 0 && (special < range->first || special > range->last))
        range++;
    if (range->reach == REACH_PUSH)
        return (special & TRIGGER_MASK) >= TRIGGER_PUSH ? REACH_ACROSS
                                                        : REACH_TAGGED;
    return range->reach;
}

bool special_may_move_any(enum attributes_specials specials, uint32_t special,
                          uint32_t tag)
{
    if (special == 0)
        return false;
    enum special_reach reach = special_reach(specials, special);
    return reach == REACH_ANY || (reach == REACH_TAGGED && tag == 0);
}

// Whether a number is known to be Doom's own, or a generalised one of Boom.
static bool special_is_known(enum attributes_specials specials,
                             uint32_t special)
{
    enum { DOOM_LAST = 141 };
    return specials == SPECIALS_DOOM &&
           (special <= DOOM_LAST || special >= GENERALISED);
}

bool special_may_move_beside(enum attributes_specials specials,
                             uint32_t special)
{
    const enum special_reach reach = special_reach(specials, special);
    return special != 0 && (!special_is_known(specials, special) ||
                            (reach != REACH_TAGGED && reach != REACH_NONE));
}

bool special_moves_behind(enum attributes_specials specials, uint32_t special)
{
    return special_is_known(specials, special) &&
           special_reach(specials, special) == REACH_ACROSS;
}

bool special_makes_polyobject(enum attributes_specials specials,
                              uint32_t special)
{
    // Polyobj_StartLine and Polyobj_ExplicitLine: Hexen's, and Eternity's in
    // Doom format.  There, 270 takes its special from ExtraData, outside of the
    // map.
    bool in_hexen = special == 1 || special == 5;
    bool in_doom = special == 348 || special == 349 || special == 270;
    return (specials != SPECIALS_DOOM && in_hexen) ||
           (specials != SPECIALS_HEXEN && in_doom);
}

bool thing_makes_slopes(uint32_t type)
{
    // ZDoom: slopes, and heights of vertices.  Its polyobjects and Hexen's
    // need lines, too.
    return (type >= 1500 && type <= 1505) || (type >= 9500 && type <= 9511);
}

// ---------------------------------------------------------------------------
// Sectors

// Light, damage, secrets: from the Unofficial Doom Specs, and harmless in
// Heretic and Strife as well.  10 and 14 are doors that wait for their time.
static bool special_leaves_in_doom(uint32_t special)
{
    enum {
        LIGHT = 0x1F,          // Boom's generalised types: as before, and
        DAMAGE_SECRET = 0xE0,  // these bits
        STILL_LIGHTS = 0x33BBF // a bit for each of 0 to 5, 7 to 9, ...
    };
    return !(special & ~(uint32_t)(LIGHT | DAMAGE_SECRET)) &&
           (uint32_t)STILL_LIGHTS >> (special & LIGHT) & 1;
}

bool special_leaves_sector(enum attributes_specials specials, uint32_t special)
{
    if (specials == SPECIALS_DOOM)
        return special_leaves_in_doom(special);
    // Light, secrets and sky, from Hexen's specification.
    bool is_hexens =
        special <= 4 || special == 9 || (special >= 198 && special <= 200);
    return special == 0 || (specials == SPECIALS_HEXEN && is_hexens);
}
