// SPDX-License-Identifier: GPL-2.0-or-later
//
// A sector is fixed if
//  - it has no tag, no special but those known to leave it as it is, and no
//    slopes or other fields that may matter;
//  - no line beside it may move it: doors, and what else is pushed in Boom,
//    move the sector on the far side of the line, and so may all specials that
//    are not known to be Doom's own;
//  - nothing on the map may move any sector: no stairs or donuts, which move
//    what is next to the tagged sector; no action on tag 0, which stands for
//    all sectors without a tag; no special that is not known, on a line or on
//    a thing, which may act when it dies; no script; no thing that makes
//    slopes; no polyobject, whose lines look like any other; no boss of
//    Heretic, whose death on E1M8 and its like acts on tag 0; no macro of Doom
//    64.
// Actions from outside the map, such as a patch that gives actions to monsters,
// are not known.
//
// The tables have the sectors that a special is known to reach.  Specials that
// are not in them, such as those that begin a polyobject, may reach any sector.
//
// Nothing in a Doom-format map tells its game, so a number means the worst of
// its meanings in Doom, Boom, Heretic and Strife.  Boom and Strife share 142 to
// 235; those listed here reach tagged sectors in both.

#include "prune/line.h"

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/faces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Specials of lines and things

enum moving_reach {
    REACH_ANY,    // stairs, donuts, scripts; specials that are not known
    REACH_TAGGED, // the sectors with its tag
    REACH_ACROSS, // the sector across its line
    REACH_NONE,   // moves no sector: light, teleporter, exit, texture
    // ACROSS if its line is pushed, as the low bits tell, or else TAGGED
    REACH_PUSH,
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
// first range counts that has a special.  223 makes ice, on which MBF has
// things bounce off the first of several lines at a step.
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

// What a special of a line or thing, other than 0, may move by a tag.  0 stands
// for all sectors without a tag, and for a tag that is in doubt.
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

// Takes account of what the special of a line may move; returns whether that is
// any sector.  What those do beside their lines that have only tags is known of
// Doom's own, which Heretic and Strife share, and of Boom's generalised ones.
// Of the sectors beside it a pushed door moves only that behind it
// (EV_VerticalDoor of Doom, EV_DoGenDoor and others of Boom).
static bool moving_take_line(const struct attributes *attributes, size_t index,
                             bool *moves)
{
    const struct map_line *line = &attributes->lines[index];
    const bool is_dooms = attributes->specials == SPECIALS_DOOM;
    const bool is_known = is_dooms && (line->special <= DOOM_LAST ||
                                       line->special >= GENERALISED);
    // In UDMF ports differ over whether a tag of Doom's is the id or arg0.
    const uint32_t tag = attributes->format == NBSTAGE_FORMAT_DOOM ? line->tag
                         : is_dooms                                ? 0
                                    : line->args[0];
    const enum moving_reach reach =
        moving_reach(attributes->specials, line->special, tag);
    if (!is_known && line->front_sector != NBSTAGE_NONE)
        moves[line->front_sector] = true;
    if ((!is_known || reach == REACH_ACROSS) &&
        line->back_sector != NBSTAGE_NONE)
        moves[line->back_sector] = true;
    return reach == REACH_ANY;
}

// ---------------------------------------------------------------------------
// Sectors

// Whether a sector with the special is known to stay as it is.  Doom's are
// light, damage and secrets, from the Unofficial Doom Specs, and harmless in
// Heretic and Strife as well; 10 and 14 are doors that wait for their time.
// Hexen's are light, secrets and sky, from its specification.
static bool moving_leaves_sector(enum map_specials specials, uint32_t special)
{
    enum {
        LIGHT = 0x1F,          // Boom's generalised types: as before, and
        DAMAGE_SECRET = 0xE0,  // these bits
        STILL_LIGHTS = 0x33BBF // a bit for each of 0 to 5, 7 to 9, ...
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
    // Bosses may die whose deaths act on tag 0: on the eighth maps of Heretic's
    // episodes, such as E1M8.  A map without a name may be one.
    const bool has_bosses =
        attributes->specials != SPECIALS_HEXEN &&
        (!name || !*name || strstr(name, "M8") || strstr(name, "m8"));
    bool any = attributes->has_scripts || has_bosses ||
               attributes->format == NBSTAGE_FORMAT_DOOM64;
    nbstage_status status =
        context_allocate(context, count, sizeof **moves, moves);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        const struct map_sector *sector = &attributes->sectors[i];
        (*moves)[i] =
            sector->flags != 0 || sector->tag != 0 ||
            !moving_leaves_sector(attributes->specials, sector->special);
    }
    for (size_t i = 0; i < attributes->line_count; i++)
        if (attributes->lines[i].special != 0)
            any |= moving_take_line(attributes, i, *moves);
    // Some things make slopes or change heights of vertices in ZDoom.
    // Polyobjects need lines, too.
    for (size_t i = 0; i < attributes->thing_count && !any; i++) {
        const struct map_thing *thing = &attributes->things[i];
        any = (thing->type >= 1500 && thing->type <= 1505) ||
              (thing->type >= 9500 && thing->type <= 9511) ||
              (thing->special != 0 &&
               moving_reach(attributes->specials, thing->special, thing->tag) ==
                   REACH_ANY);
    }
    for (size_t i = 0; i < count && any; i++)
        (*moves)[i] = true;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The line

// The height between two planes in map units, rounded up.
static uint32_t line_step(int32_t a, int32_t b)
{
    const int64_t height = a < b ? (int64_t)b - a : (int64_t)a - b;
    return (uint32_t)((height + 0xFFFF) >> 16);
}

struct line_verdict line_judge(const struct attributes *attributes,
                               const bool *moves, size_t index)
{
    const struct map_line *line = &attributes->lines[index];
    const bool is_text = attributes->format == NBSTAGE_FORMAT_UDMF;
    const uint32_t two_sided =
        is_text ? NBSTAGE_LINE_TWO_SIDED : ATTRIBUTES_FLAG_TWO_SIDED;
    const uint32_t harmless = // a sound is not stopped by lists
        is_text ? two_sided
                : two_sided | ATTRIBUTES_FLAGS_HARMLESS |
                      ATTRIBUTES_FLAG_BLOCKS_SOUND;
    const struct map_sector *sectors[2] = {NULL, NULL};
    bool has_room = false, may_move = false;
    for (size_t back = 0; back < 2; back++) {
        const uint32_t sector = attributes_sector(attributes, 2 * index + back);
        if (sector == NBSTAGE_NONE)
            continue;
        sectors[back] = &attributes->sectors[sector];
        has_room |= sectors[back]->floor < sectors[back]->ceiling;
        may_move |= moves[sector];
    }
    const bool is_two_sided =
        line->flags & two_sided && sectors[0] && sectors[1];
    uint32_t step = 0;
    if (is_two_sided)
        step = line_step(sectors[0]->floor, sectors[1]->floor);
    if (is_two_sided && step == 0)
        step = line_step(sectors[0]->ceiling, sectors[1]->ceiling);
    if (!sectors[0] && !sectors[1])
        return (struct line_verdict){LINE_UNKNOWN, 0};
    if (!is_two_sided && has_room)
        return (struct line_verdict){LINE_ONE_SIDED, 0};
    if (is_two_sided && line->flags & ~harmless)
        return (struct line_verdict){LINE_IMPASSABLE, 0};
    if (line->special != 0)
        return (struct line_verdict){LINE_SPECIAL, line->special};
    if (step != 0)
        return (struct line_verdict){LINE_STEP, step};
    return (struct line_verdict){may_move ? LINE_MOVES : LINE_FREE, 0};
}

// The line is asked first, and the faces only if some line has no reason of its
// own.  A line that ends alone, as those that trigger something often do, has
// one face on both of its sides, and spoils it only if it shows another sector
// there.  The back of a one-sided line is not the map's, so its face is not
// asked.
nbstage_status solid_find(struct context *context, struct map *map,
                          const struct lines *lines,
                          struct line_verdict **verdicts)
{
    const size_t count = map->line_count;
    struct attributes attributes;
    struct faces faces = {0};
    struct line_verdict *found = NULL;
    bool *moves = NULL, *is_asked = NULL, is_needed = false, are_complete;
    nbstage_status status = attributes_read(context, map, NBSTAGE_LOG_INFO,
                                            "lines that are in doubt are solid",
                                            &attributes, &are_complete);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, count, sizeof *found, &found);
    if (status == NBSTAGE_OK)
        status = moving_find(context, &attributes, &moves);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(context, attributes.sector_count,
                                         sizeof *is_asked, &is_asked);
    for (size_t s = 0; status == NBSTAGE_OK && s < 2 * count; s++) {
        const uint32_t sector = attributes_sector(&attributes, s);
        if (s % 2 == 0)
            found[s / 2] = line_judge(&attributes, moves, s / 2);
        if (found[s / 2].reason == LINE_FREE && sector != NBSTAGE_NONE)
            is_asked[sector] = is_needed = true;
    }
    if (is_needed)
        status = faces_find(context, lines, &attributes, is_asked, NULL, true,
                            &faces);
    for (size_t s = 0; status == NBSTAGE_OK && s < 2 * count; s++)
        if (found[s / 2].reason == LINE_FREE &&
            attributes_sector(&attributes, s) != NBSTAGE_NONE &&
            !faces_agree(&faces, s))
            found[s / 2].reason =
                faces.is_early ? LINE_UNKNOWN : LINE_SELF_REFERENCING;
    context_release(context, moves);
    context_release(context, is_asked);
    faces_free(context, &faces);
    attributes_free(context, &attributes);
    *verdicts = found;
    return status;
}

void solid_describe(struct line_verdict verdict, char text[SOLID_TEXT])
{
    static const char *const reasons[] = {
        [LINE_FREE] = "",
        [LINE_ONE_SIDED] = "one-sided",
        [LINE_IMPASSABLE] = "impassable",
        [LINE_SPECIAL] = "special",
        [LINE_STEP] = "a step of",
        [LINE_MOVES] = "its sector may move",
        [LINE_SELF_REFERENCING] = "self-referencing",
        [LINE_UNKNOWN] = "what is beside it is not known",
    };
    if (verdict.reason == LINE_SPECIAL || verdict.reason == LINE_STEP)
        snprintf(text, SOLID_TEXT, "%s %lu", reasons[verdict.reason],
                 (unsigned long)verdict.number);
    else
        snprintf(text, SOLID_TEXT, "%s", reasons[verdict.reason]);
}
