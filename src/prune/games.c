// SPDX-License-Identifier: GPL-2.0-or-later

#include "prune/games.h"

#include "base/macros.h"
#include "lump/engines.h"
#include "map/attributes.h"

#include <stddef.h>
#include <stdint.h>

game_set games_named(engine_set named)
{
    const engine_set above_vanilla =
        ENGINE_BIT(ENGINE_BOOM) | ENGINE_BIT(ENGINE_WOOF) |
        ENGINE_BIT(ENGINE_MBF21) | ENGINE_BIT(ENGINE_WOOF_MBF21) |
        ENGINE_BIT(ENGINE_ZDOOM) | ENGINE_BIT(ENGINE_GZDOOM) |
        ENGINE_BIT(ENGINE_NEXT_WOOF) | ENGINE_BIT(ENGINE_NEXT_WOOF_MBF21);
    const engine_set engines = named & (ENGINES_ALL | ENGINES_ANY);
    game_set games = 0;
    if (named & ENGINES_HERETIC)
        games |= GAME_HERETIC;
    if (named & ENGINES_STRIFE)
        games |= GAME_STRIFE;
    if (engines == 0 || engines & ~above_vanilla)
        games |= GAMES_ZERO_TAGS;
    return games;
}

// The numbers of things in maps, from each game's mobjinfo and
// P_SpawnMapThing.  888, 5001 and 5002 are MBF's and Boom's.  A number without
// a row, such as one of ZDoom's, is ignored.
static const struct games_things {
    game_set game;
    uint16_t first, last;
} games_things[] = {
    {GAME_DOOM, 1, 89},         {GAME_DOOM, 888, 888},
    {GAME_DOOM, 2001, 2008},    {GAME_DOOM, 2010, 2015},
    {GAME_DOOM, 2018, 2019},    {GAME_DOOM, 2022, 2026},
    {GAME_DOOM, 2028, 2028},    {GAME_DOOM, 2035, 2035},
    {GAME_DOOM, 2045, 2049},    {GAME_DOOM, 3001, 3006},
    {GAME_DOOM, 5001, 5002},

    {GAME_HERETIC, 1, 56},      {GAME_HERETIC, 64, 66},
    {GAME_HERETIC, 68, 70},     {GAME_HERETIC, 73, 76},
    {GAME_HERETIC, 79, 87},     {GAME_HERETIC, 90, 90},
    {GAME_HERETIC, 92, 92},     {GAME_HERETIC, 94, 96},
    {GAME_HERETIC, 1200, 1299}, {GAME_HERETIC, 2001, 2005},
    {GAME_HERETIC, 2035, 2035},

    {GAME_STRIFE, 1, 48},       {GAME_STRIFE, 50, 83},
    {GAME_STRIFE, 85, 86},      {GAME_STRIFE, 90, 170},
    {GAME_STRIFE, 172, 236},    {GAME_STRIFE, 2001, 2007},
    {GAME_STRIFE, 2010, 2012},  {GAME_STRIFE, 2014, 2014},
    {GAME_STRIFE, 2018, 2019},  {GAME_STRIFE, 2024, 2028},
    {GAME_STRIFE, 2046, 2048},  {GAME_STRIFE, 3001, 3006},
};

// The games that have a thing of this number.
static game_set games_with_thing(uint32_t type)
{
    game_set games = 0;
    for (size_t i = 0; i < COUNT(games_things); i++)
        if (type >= games_things[i].first && type <= games_things[i].last)
            games |= games_things[i].game;
    return games;
}

game_set games_find(const struct attributes *attributes, game_set named)
{
    const game_set zero_tags = named & GAMES_ZERO_TAGS;
    game_set games = GAMES_EVERY;
    if (named & GAMES_EVERY)
        return named;
    for (size_t i = 0; i < attributes->thing_count && games != 0; i++) {
        const game_set having = games_with_thing(attributes->things[i].type);
        games &= having != 0 ? having : GAMES_EVERY;
    }
    return zero_tags |
           (games == 0 || games & GAME_DOOM ? (game_set)GAME_DOOM : games);
}
