// SPDX-License-Identifier: GPL-2.0-or-later
//
// A sector is fixed if
//  - it has no tag, no special but harmless ones, and no slopes or other fields
//    that may matter;
//  - no line beside it may move it: manual doors, and Boom's other push types,
//    move the sector behind the line, and any special but Doom's own and Boom's
//    generalised ones may move the sectors on both sides;
//  - nothing on the map may move any sector: no stairs or donuts, which move
//    neighbours of the tagged sector; no action on tag 0, which stands for all
//    untagged sectors; no unknown special on a line, or on a thing, which may
//    act when it dies; no script; no thing that makes slopes; no polyobject,
//    whose lines look like any other; no boss of Heretic, whose death on E1M8
//    and other eighth maps acts on tag 0; no macro of Doom 64.
// Actions from outside the map, such as a DeHackEd patch, are unknown.
//
// The tables say which sectors a special may reach.  A special without a row,
// such as the start of a polyobject, may reach any sector.
//
// Nothing in a Doom-format map tells its game, so each number gets the worst of
// its meanings in Doom, Boom, Heretic and Strife.  Boom and Strife share 142 to
// 235; those listed here reach tagged sectors in both.

#include "prune/moving.h"

#include "base/context.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Specials of lines and things

enum moving_reach {
    REACH_ANY,    // stairs, donuts, scripts; unknown specials
    REACH_TAGGED, // the sectors with its tag
    REACH_ACROSS, // the sector across its line
    REACH_NONE,   // moves no sector: light, teleporter, exit, texture
    REACH_PUSH,   // ACROSS if its low bits mean push, else TAGGED
};

enum {
    TRIGGER_MASK = 7,
    TRIGGER_PUSH = 6, // and 7
    DOOM_LAST = 141,
    GENERALISED = 0x2F80, // the first of Boom's generalised linedef types
};

struct moving_range {
    uint32_t first, last;
    enum moving_reach reach;
};

// Doom's linedef types, from the Unofficial Doom Specs, and Boom's from its
// reference.  7, 8, 9, 100, 106, 107 and 127 build stairs or donuts in Doom or
// Heretic, and 146, 155, 191 and 256 to 259 in Boom.  In Strife 146, 178 and
// 209 build stairs, and Boom's generalised stairs are 0x3000 to 0x33FF.  The
// first matching range wins.  223 sets friction: in MBF things that slide on
// ice bounce off the first line hit.
static const struct moving_range moving_in_doom[] = {
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
static const struct moving_range moving_in_hexen[] = {
    {10, 13, REACH_ACROSS},   {20, 25, REACH_TAGGED}, {28, 30, REACH_TAGGED},
    {35, 36, REACH_TAGGED},   {40, 46, REACH_TAGGED}, {60, 69, REACH_TAGGED},
    {70, 75, REACH_NONE},     {94, 96, REACH_TAGGED}, {100, 103, REACH_NONE},
    {108, 116, REACH_NONE},   {120, 121, REACH_NONE}, {130, 137, REACH_NONE},
    {138, 138, REACH_TAGGED}, {140, 140, REACH_NONE}, {0, 0, REACH_ANY},
};

// Tells which sectors a special other than 0 may move.  A tag of 0 stands for
// all untagged sectors, or for an unknown tag.
static enum moving_reach moving_reach(enum map_specials specials,
                                      uint32_t special, uint32_t tag)
{
    const struct moving_range *range =
        specials == SPECIALS_HEXEN ? moving_in_hexen : moving_in_doom;
    if (specials == SPECIALS_UNKNOWN)
        return REACH_ANY;
    while (range->last > 0 && (special < range->first || special > range->last))
        range++;
    enum moving_reach reach = range->reach;
    if (reach == REACH_PUSH)
        reach = (special & TRIGGER_MASK) >= TRIGGER_PUSH ? REACH_ACROSS
                                                         : REACH_TAGGED;
    return reach == REACH_TAGGED && tag == 0 ? REACH_ANY : reach;
}

// Marks the sectors that the special of a line may move; returns whether it may
// move any sector.  Only Doom's types, which Heretic and Strife share, and
// Boom's generalised ones are known to leave the sectors beside their line
// alone, except that a manual door moves the sector behind the line
// (EV_VerticalDoor of Doom, EV_DoGenDoor and others of Boom).
static bool moving_take_line(const struct attributes *attributes, size_t index,
                             bool *moves)
{
    const struct map_line *line = &attributes->lines[index];
    const bool is_dooms = attributes->specials == SPECIALS_DOOM;
    const bool is_known = is_dooms && (line->special <= DOOM_LAST ||
                                       line->special >= GENERALISED);
    // In UDMF ports disagree whether the tag of a Doom type is id or arg0.
    const uint32_t tag = attributes->format == NBSTAGE_FORMAT_DOOM ? line->tag
                         : is_dooms                                ? 0
                                    : line->args[0];
    const enum moving_reach reach =
        moving_reach(attributes->specials, line->special, tag);
    if (!is_known && line->front_sector != MAP_NONE)
        moves[line->front_sector] = true;
    if ((!is_known || reach == REACH_ACROSS) &&
        line->back_sector != MAP_NONE)
        moves[line->back_sector] = true;
    return reach == REACH_ANY;
}

// ---------------------------------------------------------------------------
// Sectors

// Whether a sector with the special is known to stay still.  Doom's harmless
// specials are light, damage and secrets, from the Unofficial Doom Specs, which
// are harmless in Heretic and Strife as well; 10 and 14 are timed doors.
// Hexen's are light, secrets and sky, from its specification.
static bool moving_leaves_sector(enum map_specials specials, uint32_t special)
{
    enum {
        LIGHT = 0x1F,          // Doom's special in Boom's generalised ones
        DAMAGE_SECRET = 0xE0,  // other harmless bits of these
        STILL_LIGHTS = 0x33BBF // bit n: Doom's special n moves nothing
    };
    if (specials == SPECIALS_DOOM)
        return !(special & ~(uint32_t)(LIGHT | DAMAGE_SECRET)) &&
               (uint32_t)STILL_LIGHTS >> (special & LIGHT) & 1;
    return special == 0 ||
           (specials == SPECIALS_HEXEN && (special <= 4 || special == 9 ||
                                           (special >= 198 && special <= 200)));
}

nbstage_status moving_find(struct context *context,
                           const struct attributes *attributes, bool **moves)
{
    const size_t count = attributes->sector_count;
    const char *name = context->map_name;
    // A boss death acts on tag 0 on the eighth maps of Heretic's episodes, such
    // as E1M8.  A map without a name may be one.
    const bool has_bosses =
        attributes->specials != SPECIALS_HEXEN &&
        (!name || !*name || strstr(name, "M8") || strstr(name, "m8"));
    bool any = attributes->has_scripts || has_bosses ||
               attributes->format == NBSTAGE_FORMAT_DOOM64;
    NEED(context_allocate(context, count, sizeof **moves, moves));
    for (size_t i = 0; i < count; i++) {
        const struct map_sector *sector = &attributes->sectors[i];
        (*moves)[i] =
            sector->flags != 0 || sector->tag != 0 ||
            !moving_leaves_sector(attributes->specials, sector->special);
    }
    for (size_t i = 0; i < attributes->line_count; i++)
        if (attributes->lines[i].special != 0)
            any |= moving_take_line(attributes, i, *moves);
    // Some things of ZDoom make slopes or change heights of vertices.  Things
    // of polyobjects need no test, as their lines have specials without a row.
    for (size_t i = 0; i < attributes->thing_count && !any; i++) {
        const struct map_thing *thing = &attributes->things[i];
        any = (thing->type >= 1500 && thing->type <= 1505) ||
              (thing->type >= 9500 && thing->type <= 9511) ||
              (thing->special != 0 &&
               moving_reach(attributes->specials, thing->special, thing->tag) ==
                   REACH_ANY);
    }
    if (any)
        memset(*moves, true, count * sizeof **moves);
    return NBSTAGE_OK;
}
