// SPDX-License-Identifier: GPL-2.0-or-later
//
// A sector may move if
//  - it has a tag, a special that is not known to be harmless, a slope, or
//    another field that may matter;
//  - a line moves the sector behind it, as manual doors and Boom's other push
//    types do, or has a special outside Doom's format, which may move the
//    sectors on both sides;
//  - a donut moves it, with the tagged sector beside it;
//  - stairs reach it: they begin at the tagged sectors and go on from the front
//    of a line to its back, while the floor's flat is the same;
//  - it has no tag, and at the vanilla level an action has tag 0, see games.h.
//
// If the map does not tell what moves, any sector may: an unknown special on a
// line, or on a thing, which may act when it dies; scripts; things that make
// slopes; macros of Doom 64.  Actions from outside the map, such as a DeHackEd
// patch, are unknown.
//
// The tables say which sectors a special may reach.  A special without a row
// may reach any sector.

#include "prune/moving.h"

#include "base/context.h"
#include "base/macros.h"
#include "map/attributes.h"
#include "map/flat.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/games.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Specials of lines and things

enum moving_reach {
    REACH_ANY,        // unknown
    REACH_NONE,       // moves no sector: light, teleporter, exit, texture
    REACH_TAGGED,     // the sectors with its tag
    REACH_ACROSS,     // the sector behind its line
    REACH_NEIGHBOURS, // the tagged, and the sectors beside them
    REACH_STAIRS,     // the tagged, and on over equal floors
    REACH_ALL_STAIRS, // the tagged, and on over all floors; STAIRS by a bit
};

// Boom's generalised linedef types.
enum {
    GENERALISED = 0x2F80, // the first; the stairs are 0x3000 to 0x33FF
    GENERALISED_END = 0x8000,
    GENERALISED_TRIGGER = 7,
    GENERALISED_PUSH = 6, // and 7: the sector behind the line, not the tagged
    STAIRS_IGNORE_FLOORS = 0x200,
    FLOORS = 0x6000, // the first type that moves floors
    FLOORS_CHANGE = 0xC00,
};

struct moving_range {
    uint32_t first, last;
    enum moving_reach reach;
};

// Doom's linedef types, from the Unofficial Doom Specs, and Boom's and MBF's
// from their references.  The first matching range wins.
static const struct moving_range moving_in_doom[] = {
    {1, 1, REACH_ACROSS},           {7, 8, REACH_STAIRS},
    {9, 9, REACH_NEIGHBOURS},       {11, 13, REACH_NONE},
    {17, 17, REACH_NONE},           {26, 28, REACH_ACROSS},
    {31, 34, REACH_ACROSS},         {35, 35, REACH_NONE},
    {39, 39, REACH_NONE},           {48, 48, REACH_NONE},
    {51, 52, REACH_NONE},           {79, 81, REACH_NONE},
    {85, 85, REACH_NONE},           {97, 97, REACH_NONE},
    {100, 100, REACH_STAIRS},       {104, 104, REACH_NONE},
    {117, 118, REACH_ACROSS},       {124, 126, REACH_NONE},
    {127, 127, REACH_STAIRS},       {138, 139, REACH_NONE},
    {146, 146, REACH_NEIGHBOURS},   {155, 155, REACH_NEIGHBOURS},
    {156, 157, REACH_NONE},         {169, 174, REACH_NONE},
    {191, 191, REACH_NEIGHBOURS},   {192, 195, REACH_NONE},
    {197, 198, REACH_NONE},         {207, 210, REACH_NONE},
    {213, 218, REACH_NONE},         {223, 226, REACH_NONE},
    {242, 255, REACH_NONE},         {256, 259, REACH_STAIRS},
    {260, 269, REACH_NONE},         {271, 272, REACH_NONE},
    {1, 269, REACH_TAGGED},         {0x3000, 0x33FF, REACH_ALL_STAIRS},
    {0x2F80, 0x7FFF, REACH_TAGGED}, {0, 0, REACH_ANY},
};

// Where Heretic and Strife differ from Doom, from P_CrossSpecialLine,
// P_UseSpecialLine and P_ShootSpecialLine.  207 and 229 of Strife move the
// sectors behind the lines of the tagged ones (EV_RemoteSlidingDoor).
static const struct moving_range moving_in_heretic[] = {
    {99, 99, REACH_NONE},     {100, 100, REACH_TAGGED}, {105, 105, REACH_NONE},
    {106, 107, REACH_STAIRS}, {0, 0, REACH_ANY},
};

static const struct moving_range moving_in_strife[] = {
    {142, 143, REACH_NONE},
    {144, 144, REACH_ACROSS},
    {146, 146, REACH_STAIRS},
    {147, 150, REACH_NONE},
    {156, 161, REACH_ACROSS},
    {165, 166, REACH_ACROSS},
    {169, 170, REACH_ACROSS},
    {175, 175, REACH_NONE},
    {178, 178, REACH_STAIRS},
    {182, 182, REACH_NONE},
    {185, 185, REACH_NONE},
    {187, 187, REACH_NONE},
    {190, 190, REACH_ACROSS},
    {195, 195, REACH_NONE},
    {198, 198, REACH_NONE},
    {201, 204, REACH_NONE},
    {205, 205, REACH_ACROSS},
    {206, 206, REACH_NONE},
    {207, 207, REACH_NEIGHBOURS},
    {208, 208, REACH_NONE},
    {209, 209, REACH_STAIRS},
    {210, 211, REACH_NONE},
    {213, 213, REACH_ACROSS},
    {215, 215, REACH_NONE},
    {217, 217, REACH_ACROSS},
    {221, 221, REACH_ACROSS},
    {224, 225, REACH_ACROSS},
    {228, 228, REACH_NONE},
    {229, 229, REACH_NEIGHBOURS},
    {231, 231, REACH_NONE},
    {232, 232, REACH_ACROSS},
    {142, 235, REACH_TAGGED},
    {0, 0, REACH_ANY},
};

// Hexen's action specials, from its specification.  The stairs, 26, 27, 31 and
// 32, go on over sectors with a special of their own.  1 to 8 and 90 to 93
// move polyobjects, whose lines are not tested by the lump.
static const struct moving_range moving_in_hexen[] = {
    {1, 8, REACH_NONE},     {10, 13, REACH_ACROSS},   {20, 32, REACH_TAGGED},
    {35, 36, REACH_TAGGED}, {40, 46, REACH_TAGGED},   {60, 69, REACH_TAGGED},
    {70, 75, REACH_NONE},   {90, 93, REACH_NONE},     {94, 96, REACH_TAGGED},
    {100, 103, REACH_NONE}, {108, 116, REACH_NONE},   {120, 121, REACH_NONE},
    {130, 137, REACH_NONE}, {138, 138, REACH_TAGGED}, {140, 140, REACH_NONE},
    {0, 0, REACH_ANY},
};

// Where in a table a special is, or the end.
static const struct moving_range *
moving_find_range(const struct moving_range *range, uint32_t special)
{
    while (range->last > 0 && (special < range->first || special > range->last))
        range++;
    return range;
}

// Tells which sectors a special other than 0 may move in a game; `game` has no
// meaning for Hexen's specials.
static enum moving_reach moving_reach(enum map_specials specials, game_set game,
                                      uint32_t special)
{
    const struct moving_range *own = game == GAME_HERETIC  ? moving_in_heretic
                                     : game == GAME_STRIFE ? moving_in_strife
                                                           : moving_in_doom;
    if (specials == SPECIALS_UNKNOWN)
        return REACH_ANY;
    if (specials == SPECIALS_HEXEN)
        return moving_find_range(moving_in_hexen, special)->reach;
    enum moving_reach reach = moving_find_range(own, special)->reach;
    if (reach == REACH_ANY)
        reach = moving_find_range(moving_in_doom, special)->reach;
    if (reach == REACH_ALL_STAIRS && !(special & STAIRS_IGNORE_FLOORS))
        return REACH_STAIRS;
    return reach;
}

// Whether one of Doom's or Boom's specials also gives the floor another flat,
// over which stairs may then go on.
static bool moving_changes_flat(uint32_t special)
{
    static const struct moving_range changes[] = {
        {9, 9, REACH_ANY},     {14, 15, REACH_ANY},   {20, 20, REACH_ANY},
        {22, 22, REACH_ANY},   {37, 37, REACH_ANY},   {47, 47, REACH_ANY},
        {59, 59, REACH_ANY},   {66, 68, REACH_ANY},   {78, 78, REACH_ANY},
        {84, 84, REACH_ANY},   {93, 93, REACH_ANY},   {95, 95, REACH_ANY},
        {143, 144, REACH_ANY}, {146, 146, REACH_ANY}, {148, 149, REACH_ANY},
        {153, 155, REACH_ANY}, {159, 160, REACH_ANY}, {177, 177, REACH_ANY},
        {179, 179, REACH_ANY}, {189, 191, REACH_ANY}, {239, 241, REACH_ANY},
        {0, 0, REACH_ANY},
    };
    if (special >= FLOORS && special < GENERALISED_END)
        return (special & FLOORS_CHANGE) != 0;
    return moving_find_range(changes, special)->last > 0;
}

// ---------------------------------------------------------------------------
// The search

// What may begin at a sector.
enum {
    ROLE_STAIRS = 1,
    ROLE_ALL_STAIRS = 2,
    ROLE_NEIGHBOURS = 4,
    ROLE_OTHER_FLAT = 8, // its floor may get another flat, or is unknown
};

// Roles are kept by the low bits of the tag, so that tags that share them have
// each other's roles.
enum { MOVING_TAGS = 1 << 16 };

struct moving_search {
    const struct attributes *attributes;
    game_set game;  // one of them; no meaning for Hexen's specials
    bool zero_tags; // an action on tag 0 moves all sectors without a tag
    bool *moves;    // of each sector
    bool any;       // any sector may move
    uint8_t *roles; // of each sector
    uint8_t *tag_roles;

    // The lines with a sector in front of them are a linked list: line + 1, or
    // 0 at the end.
    uint32_t *first_lines, *next_lines;
    uint32_t *queue; // of sectors
};

// Whether a special moves the sector behind its line, not the tagged ones.
static bool moving_is_pushed(uint32_t special)
{
    return special >= GENERALISED && special < GENERALISED_END &&
           (special & GENERALISED_TRIGGER) >= GENERALISED_PUSH;
}

// What else a special does where it moves sectors.
static uint8_t moving_find_role(enum moving_reach reach, uint32_t special,
                                bool is_dooms)
{
    const uint8_t flat =
        is_dooms && moving_changes_flat(special) ? ROLE_OTHER_FLAT : 0;
    if (reach == REACH_NEIGHBOURS)
        return ROLE_NEIGHBOURS | flat;
    if (reach == REACH_STAIRS)
        return ROLE_STAIRS;
    return reach == REACH_ALL_STAIRS ? ROLE_ALL_STAIRS : flat;
}

static void moving_take_special(struct moving_search *search,
                                const struct map_line *line)
{
    const struct attributes *attributes = search->attributes;
    const bool is_dooms = attributes->specials == SPECIALS_DOOM;
    const enum moving_reach reach =
        moving_reach(attributes->specials, search->game, line->special);
    const uint8_t role = moving_find_role(reach, line->special, is_dooms);
    const uint32_t tag = is_dooms ? line->tag : line->args[0];
    // In UDMF ports disagree whether the tag of a Doom type is id or arg0.
    const bool is_unknown =
        is_dooms && attributes->format == NBSTAGE_FORMAT_UDMF;
    if (reach == REACH_ANY)
        search->any = true;
    if (reach == REACH_ANY || reach == REACH_NONE)
        return;
    const bool is_across =
        reach == REACH_ACROSS || (is_dooms && moving_is_pushed(line->special));
    if (!is_across && (is_unknown || (tag == 0 && search->zero_tags)))
        search->any = true;
    if (!is_across && tag != 0) {
        search->tag_roles[tag % MOVING_TAGS] |= role;
    } else if (line->back_sector != MAP_NONE) {
        search->moves[line->back_sector] = true;
        search->roles[line->back_sector] |= role;
    }
}

static void moving_take_lines(struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    for (size_t i = 0; i < attributes->line_count; i++) {
        const struct map_line *line = &attributes->lines[i];
        if (line->special == 0)
            continue;
        moving_take_special(search, line);
        // Only Doom's types are known to leave the sectors beside their line
        // alone, but for manual doors.
        if (attributes->specials == SPECIALS_DOOM)
            continue;
        for (size_t side = 2 * i; side < 2 * i + 2; side++)
            if (attributes_sector(attributes, side) != MAP_NONE)
                search->moves[attributes_sector(attributes, side)] = true;
    }
}

// Whether the special of a thing may move any sector.  Things of Doom have
// none.
static bool moving_is_unknown(const struct attributes *attributes,
                              const struct map_thing *thing)
{
    if (thing->special == 0)
        return false;
    if (attributes->specials != SPECIALS_HEXEN)
        return true;
    const enum moving_reach reach =
        moving_find_range(moving_in_hexen, thing->special)->reach;
    return reach == REACH_ANY || (reach == REACH_TAGGED && thing->tag == 0);
}

// Some things of ZDoom make slopes or change heights of vertices.
static void moving_take_things(struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    for (size_t i = 0; i < attributes->thing_count && !search->any; i++) {
        const struct map_thing *thing = &attributes->things[i];
        search->any = (thing->type >= 1500 && thing->type <= 1505) ||
                      (thing->type >= 9500 && thing->type <= 9511) ||
                      moving_is_unknown(attributes, thing);
    }
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

// Marks the sectors that move by themselves or by their tag, and finds their
// roles.
static void moving_take_sectors(struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    for (size_t i = 0; i < attributes->sector_count; i++) {
        const struct map_sector *sector = &attributes->sectors[i];
        search->moves[i] |=
            sector->flags != 0 || sector->tag != 0 ||
            !moving_leaves_sector(attributes->specials, sector->special);
        if (sector->tag != 0)
            search->roles[i] |= search->tag_roles[sector->tag % MOVING_TAGS];
        if (sector->flags != 0 || flat_is_unknown(sector->floor_flat))
            search->roles[i] |= ROLE_OTHER_FLAT;
    }
}

// Marks the sectors beside those with ROLE_NEIGHBOURS.
static void moving_mark_neighbours(struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    for (size_t side = 0; side < 2 * attributes->line_count; side++) {
        const uint32_t from = attributes_sector(attributes, side);
        const uint32_t to = attributes_sector(attributes, side ^ 1);
        if (from == MAP_NONE || to == MAP_NONE ||
            !(search->roles[from] & ROLE_NEIGHBOURS))
            continue;
        search->moves[to] = true;
        search->roles[to] |= ROLE_OTHER_FLAT;
    }
}

// Whether stairs may go on from a sector to another with the same flat.
static bool moving_may_match(const struct moving_search *search, uint32_t a,
                             uint32_t b)
{
    const struct map_sector *sectors = search->attributes->sectors;
    return flat_is_same(sectors[a].floor_flat, sectors[b].floor_flat) ||
           ((search->roles[a] | search->roles[b]) & ROLE_OTHER_FLAT) != 0;
}

// Marks the sectors that stairs reach from those with the role.
static void moving_mark_stairs(struct moving_search *search, uint8_t role)
{
    const struct attributes *attributes = search->attributes;
    size_t count = 0;
    for (uint32_t i = 0; i < attributes->sector_count; i++)
        if (search->roles[i] & role)
            search->queue[count++] = i;
    for (size_t done = 0; done < count; done++) {
        const uint32_t at = search->queue[done];
        for (uint32_t link = search->first_lines[at]; link != 0;
             link = search->next_lines[link - 1]) {
            const uint32_t to = attributes->lines[link - 1].back_sector;
            if (to == MAP_NONE || search->roles[to] & role ||
                (role == ROLE_STAIRS && !moving_may_match(search, at, to)))
                continue;
            search->moves[to] = true;
            search->roles[to] |= role;
            search->queue[count++] = to;
        }
    }
}

static void moving_link_lines(struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    for (uint32_t i = 0; i < attributes->line_count; i++) {
        const uint32_t front = attributes->lines[i].front_sector;
        if (front == MAP_NONE)
            continue;
        search->next_lines[i] = search->first_lines[front];
        search->first_lines[front] = i + 1;
    }
}

// Whether a boss of Heretic may be on the map, whose death on the eighth maps
// of episodes, such as E1M8, counts as an action on tag 0.  A map without a
// name may be one.
static bool moving_has_bosses(const char *name)
{
    return !name || !*name || strstr(name, "M8") || strstr(name, "m8");
}

// Marks what moves in one game.  The caller releases search->first_lines, also
// after a failure.
static nbstage_status moving_find_in_game(struct context *context,
                                          struct moving_search *search)
{
    const struct attributes *attributes = search->attributes;
    const size_t count = attributes->sector_count;
    const struct context_array arrays[] = {
        {&search->first_lines, count, sizeof *search->first_lines},
        {&search->queue, count, sizeof *search->queue},
        {&search->next_lines, attributes->line_count,
         sizeof *search->next_lines},
        {&search->roles, count, sizeof *search->roles},
        {&search->tag_roles, MOVING_TAGS, sizeof *search->tag_roles},
    };
    NEED(context_allocate_arrays(context, arrays, COUNT(arrays)));
    search->any =
        attributes->has_scripts ||
        attributes->format == NBSTAGE_FORMAT_DOOM64 ||
        (attributes->specials == SPECIALS_DOOM &&
         search->game == GAME_HERETIC && moving_has_bosses(context->map_name));
    moving_take_lines(search);
    moving_take_things(search);
    moving_take_sectors(search);
    moving_mark_neighbours(search);
    moving_link_lines(search);
    moving_mark_stairs(search, ROLE_ALL_STAIRS);
    moving_mark_stairs(search, ROLE_STAIRS);
    if (search->any)
        memset(search->moves, true, count * sizeof *search->moves);
    return NBSTAGE_OK;
}

nbstage_status moving_find(struct context *context,
                           const struct attributes *attributes, game_set games,
                           bool **moves)
{
    const size_t count = attributes->sector_count;
    const bool is_dooms = attributes->specials == SPECIALS_DOOM;
    NEED(context_allocate_zeroed(context, count, sizeof **moves, moves));
    for (game_set game = GAME_DOOM; game & GAMES_EVERY; game <<= 1) {
        struct moving_search search = {
            .attributes = attributes,
            .game = game,
            .zero_tags = (games & GAMES_ZERO_TAGS) != 0,
            .moves = *moves,
        };
        if (count == 0 || !(is_dooms ? games & game : game == GAME_DOOM))
            continue;
        const nbstage_status status = moving_find_in_game(context, &search);
        context_release(context, search.first_lines);
        NEED(status);
    }
    return NBSTAGE_OK;
}
