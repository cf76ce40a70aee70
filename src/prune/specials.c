// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables have the sectors that a special is known to reach.  Specials that
// are not in them may reach any sector.
//
// Nothing in a Doom-format map tells its game, so a number means the worst of
// its meanings in Doom, Boom, Heretic and Strife.  Boom and Strife share 142 to
// 235; those listed here reach tagged sectors in both.

#include "prune/attributes.h"

enum reach {
    REACH_ANY,    // stairs, donuts, scripts; specials that are not known
    REACH_TAGGED, // the sectors with its tag
    REACH_DOOR,   // the same; without a tag, the sector across its line
    REACH_ACROSS, // the sector across its line
    REACH_NONE,   // moves no sector: light, teleporter, exit, texture
};

struct range {
    uint32_t first, last;
    enum reach reach;
};

// Doom's linedef types, from the Unofficial Doom Specs, and Boom's from its
// reference.  7, 8, 9, 100, 106, 107 and 127 build stairs or donuts in Doom or
// Heretic, and 146, 155, 191 and 256 to 259 in Boom.  In Strife 146, 178 and
// 209 build stairs.
static const struct range doom_lines[] = {
    {1, 1, REACH_ACROSS},     {2, 6, REACH_TAGGED},
    {10, 10, REACH_TAGGED},   {11, 13, REACH_NONE},
    {14, 16, REACH_TAGGED},   {17, 17, REACH_NONE},
    {18, 25, REACH_TAGGED},   {26, 28, REACH_ACROSS},
    {29, 30, REACH_TAGGED},   {31, 34, REACH_ACROSS},
    {35, 35, REACH_NONE},     {36, 38, REACH_TAGGED},
    {39, 39, REACH_NONE},     {40, 47, REACH_TAGGED},
    {48, 48, REACH_NONE},     {49, 50, REACH_TAGGED},
    {51, 52, REACH_NONE},     {53, 78, REACH_TAGGED},
    {79, 81, REACH_NONE},     {82, 96, REACH_TAGGED},
    {97, 97, REACH_NONE},     {98, 99, REACH_TAGGED},
    {101, 103, REACH_TAGGED}, {104, 104, REACH_NONE},
    {105, 105, REACH_TAGGED}, {108, 116, REACH_TAGGED},
    {117, 118, REACH_ACROSS}, {119, 123, REACH_TAGGED},
    {124, 126, REACH_NONE},   {128, 137, REACH_TAGGED},
    {138, 139, REACH_NONE},   {140, 145, REACH_TAGGED},
    {147, 154, REACH_TAGGED}, {156, 177, REACH_TAGGED},
    {179, 180, REACH_TAGGED}, {182, 190, REACH_TAGGED},
    {192, 208, REACH_TAGGED}, {210, 242, REACH_TAGGED},
    {243, 244, REACH_NONE},   {245, 254, REACH_TAGGED},
    {255, 255, REACH_NONE},   {260, 260, REACH_NONE},
    {261, 261, REACH_TAGGED}, {262, 269, REACH_NONE},
};

// Boom's generalised linedef types from its reference.  All except stairs are
// alike: to push a line moves the sector across it.
enum {
    GENERALISED_FIRST = 0x2F80,
    GENERALISED_STAIRS_FIRST = 0x3000,
    GENERALISED_STAIRS_LAST = 0x33FF,
    GENERALISED_LAST = 0x7FFF,
    GENERALISED_TRIGGER = 7, // mask
    GENERALISED_PUSH = 6,    // and 7
};

// Hexen's action specials, from its specification.
static const struct range hexen_lines[] = {
    {10, 13, REACH_DOOR},     {20, 25, REACH_TAGGED}, {28, 30, REACH_TAGGED},
    {35, 36, REACH_TAGGED},   {40, 46, REACH_TAGGED}, {60, 69, REACH_TAGGED},
    {70, 75, REACH_NONE},     {94, 96, REACH_TAGGED}, {100, 103, REACH_NONE},
    {108, 116, REACH_NONE},   {120, 121, REACH_NONE}, {130, 137, REACH_NONE},
    {138, 138, REACH_TAGGED}, {140, 140, REACH_NONE},
};

static enum reach find_reach(const struct range *ranges, size_t count,
                             uint32_t special)
{
    for (size_t i = 0; i < count; i++)
        if (special >= ranges[i].first && special <= ranges[i].last)
            return ranges[i].reach;
    return REACH_ANY;
}

static enum reach reach_of_line(enum attributes_specials specials,
                                uint32_t special)
{
    if (specials == SPECIALS_UNKNOWN)
        return REACH_ANY;
    if (specials == SPECIALS_HEXEN)
        return find_reach(hexen_lines, sizeof hexen_lines / sizeof *hexen_lines,
                          special);
    if (special < GENERALISED_FIRST || special > GENERALISED_LAST)
        return find_reach(doom_lines, sizeof doom_lines / sizeof *doom_lines,
                          special);
    if (special >= GENERALISED_STAIRS_FIRST &&
        special <= GENERALISED_STAIRS_LAST)
        return REACH_ANY;
    return (special & GENERALISED_TRIGGER) >= GENERALISED_PUSH ? REACH_ACROSS
                                                               : REACH_TAGGED;
}

bool special_may_carry(uint32_t special)
{
    static const struct range known[] = {
        {0, 213, REACH_NONE},
        {227, 242, REACH_NONE},
        {255, 261, REACH_NONE},
        {268, 272, REACH_NONE},
        {GENERALISED_FIRST, GENERALISED_LAST, REACH_NONE},
    };
    return find_reach(known, sizeof known / sizeof *known, special) ==
           REACH_ANY;
}

bool special_may_move_any(enum attributes_specials specials, uint32_t special,
                          uint32_t tag)
{
    if (special == 0)
        return false;
    enum reach reach = reach_of_line(specials, special);
    return reach == REACH_ANY || (reach == REACH_TAGGED && tag == 0);
}

bool special_may_move_beside(enum attributes_specials specials,
                             uint32_t special)
{
    enum { DOOM_LAST = 141 };
    const enum reach reach = reach_of_line(specials, special);
    const bool is_shared = special > DOOM_LAST && special < GENERALISED_FIRST;
    return special != 0 && (specials != SPECIALS_DOOM || is_shared ||
                            (reach != REACH_TAGGED && reach != REACH_NONE));
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

bool thing_stays(uint32_t type)
{
    // From the games' tables of things, without places that others come to, as
    // the pods of Heretic's 43.
    static const uint16_t ranges[][2] = {
        {10, 10}, {13, 13}, {17, 24}, {28, 42}, {44, 44},     {47, 55},
        {57, 57}, {60, 63}, {77, 81}, {83, 83}, {2001, 2028}, {2045, 2049}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (type >= ranges[i][0] && type <= ranges[i][1])
            return true;
    return false;
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
static bool doom_special_leaves_sector(uint32_t special)
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
        return doom_special_leaves_sector(special);
    // Light, secrets and sky, from Hexen's specification.
    bool is_hexens =
        special <= 4 || special == 9 || (special >= 198 && special <= 200);
    return special == 0 || (specials == SPECIALS_HEXEN && is_hexens);
}
