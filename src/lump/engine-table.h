// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables of engines, of the names that the option `for` takes, and of
// games, which it refuses:
//
//   ENGINE(id, name in reports, word for `for`, FIRST_WORD_ of it, minimum lump
//          size in bytes, members of struct engine that are not 0)
//   NAME(word for `for`, its set of engines, help text)
//   GAME(name, the ports that play it)
//
// doc/engines.md has the source of each fact.
//
// Include this file with ENGINE, NAME and GAME defined; it undefines them.

ENGINE(DOOM19, "Doom 1.9, Chocolate Doom", "doom19", READ, 0,
       .has_signed_words = true, .reach = 256)
ENGINE(CRISPY, "Crispy Doom, International Doom", "crispy-doom", READ, 8,
       .reach = 256)
ENGINE(BOOM_VANILLA, "PrBoom+, DSDA-Doom", "boom", READ, 8, .level = "vanilla",
       .reach = 256)
ENGINE(WOOF_VANILLA, "Woof, Nugget Doom", "boom", READ, 8, .level = "vanilla",
       .find = FIND_PLACE_NAMED, .reach = 256)
ENGINE(BOOM, "PrBoom+, DSDA-Doom", "boom", SKIPPED, 8, .level = "below MBF21",
       .reach = 256)
ENGINE(WOOF, "Woof, Nugget Doom", "boom", SKIPPED, 8, .level = "below MBF21",
       .find = FIND_PLACE_NAMED, .reach = 256)
ENGINE(MBF21, "DSDA-Doom", "mbf21", SKIPPED_IF_ALL_ZERO, 8, .level = "MBF21",
       .reach = 256)
ENGINE(WOOF_MBF21, "Woof, Nugget Doom", "mbf21", SKIPPED_IF_ALL_ZERO, 8,
       .level = "MBF21", .find = FIND_PLACE_NAMED, .reach = 256)
ENGINE(ETERNITY, "Eternity", "eternity", SKIPPED_IF_ALL_ZERO, 8,
       .checks = CHECKS_LISTS, .find = FIND_ALL_NAMES, .reach = 256)
ENGINE(RETRO, "Doom Retro", "doom-retro", SKIPPED_IF_ALL_ZERO, 8,
       .checks = CHECKS_LISTS, .reach = 512)
ENGINE(ZDOOM, "ZDoom 2.8.1, Zandronum", "zdoom", SKIPPED, 1,
       .checks = CHECKS_OFFSETS, .find = FIND_ORDER, .reach = 512)
ENGINE(GZDOOM, "GZDoom, UZDoom", "gzdoom", SKIPPED, 1, .checks = CHECKS_HEADERS,
       .find = FIND_ORDER)
ENGINE(SRB2, "SRB2", "srb2", SKIPPED, 1, .find = FIND_NAME, .reach = 512)
ENGINE(EDGE, "EDGE-Classic, Helion, k8vavoom", "edge-classic", READ, 0,
       .find = FIND_NEVER)
ENGINE(ODAMEX, "Odamex 10.6", "odamex", READ, 8, .level = "usual", .reach = 256)
ENGINE(ODAMEX_FIX, "Odamex 10.6", "odamex", SKIPPED, 8,
       .level = "co_blockmapfix", .reach = 256)
ENGINE(NEXT_ODAMEX_DEMO, "unreleased Odamex", "odamex-dev", READ, 8,
       .level = "demos", .reads_xbm1 = true, .reach = 256)
ENGINE(NEXT_ODAMEX, "unreleased Odamex", "odamex-dev", SKIPPED_IF_ALL_ZERO, 8,
       .level = "no demos", .reads_xbm1 = true, .reach = 256)
ENGINE(NEXT_WOOF_VANILLA, "unreleased Woof", "woof-dev", READ, 8,
       .level = "vanilla", .reads_xbm1 = true, .find = FIND_ALL_NAMES,
       .reach = 256)
ENGINE(NEXT_WOOF, "unreleased Woof", "woof-dev", SKIPPED, 8,
       .level = "below MBF21", .reads_xbm1 = true, .find = FIND_ALL_NAMES,
       .reach = 256)
ENGINE(NEXT_WOOF_MBF21, "unreleased Woof", "woof-dev", SKIPPED_IF_ALL_ZERO, 8,
       .level = "MBF21", .reads_xbm1 = true, .find = FIND_ALL_NAMES,
       .reach = 256)

NAME("any", ENGINES_ANY, "every port; Doom 1.9, too, if the map fits")
NAME("everywhere", ENGINES_ALL, "every port and Doom 1.9: any,doom19")
NAME("limit-removing", ENGINES_ALL & ~E(DOOM19), "every port but Doom 1.9")
NAME("doom19", E(DOOM19), "Doom 1.9")
NAME("vanilla", E(DOOM19), "Doom 1.9")
NAME("chocolate-doom", E(DOOM19), "Chocolate Doom, all its games")
NAME("chocolate-heretic", E(DOOM19) | ENGINES_HERETIC, "Chocolate Heretic")
NAME("chocolate-strife", E(DOOM19) | ENGINES_STRIFE, "Chocolate Strife")
NAME("chocolate-hexen", E(DOOM19), "Chocolate Hexen")
NAME("crispy-doom", E(CRISPY), "Crispy Doom")
NAME("crispy", E(CRISPY), "Crispy Doom")
NAME("crispy-heretic", E(CRISPY) | ENGINES_HERETIC, "Crispy Heretic")
NAME("crispy-strife", E(CRISPY) | ENGINES_STRIFE, "Crispy Strife")
NAME("crispy-hexen", E(CRISPY), "Crispy Hexen")
NAME("international-doom", E(CRISPY), "International Doom")
NAME("boom", E(BOOM_VANILLA) | E(BOOM) | E(WOOF_VANILLA) | E(WOOF),
     "Boom's family below MBF21")
NAME("mbf", E(BOOM_VANILLA) | E(BOOM) | E(WOOF_VANILLA) | E(WOOF),
     "MBF's family below MBF21")
NAME("prboom+", E(BOOM_VANILLA) | E(BOOM), "PrBoom+ 2.6.66")
NAME("prboom-plus", E(BOOM_VANILLA) | E(BOOM), "PrBoom+ 2.6.66")
NAME("mbf21", E(MBF21) | E(WOOF_MBF21), "DSDA-Doom and Woof, at MBF21 only")
NAME("dsda-doom", E(BOOM_VANILLA) | E(BOOM) | E(MBF21),
     "DSDA-Doom 0.29, all complevels")
NAME("woof", E(WOOF_VANILLA) | E(WOOF) | E(WOOF_MBF21),
     "Woof 15.3 and Nugget Doom, all complevels")
NAME("nugget-doom", E(WOOF_VANILLA) | E(WOOF) | E(WOOF_MBF21),
     "Woof 15.3 and Nugget Doom, all complevels")
NAME("eternity", E(ETERNITY), "Eternity 3.42 and later, its own games")
NAME("doom-retro", E(RETRO), "Doom Retro 2.4 and later")
NAME("zdoom", E(ZDOOM), "ZDoom 2.8.1 and earlier")
NAME("zandronum", E(ZDOOM), "Zandronum")
NAME("q-zandronum", E(ZDOOM), "Q-Zandronum")
NAME("gzdoom", E(GZDOOM), "GZDoom 2.4 and later")
NAME("uzdoom", E(GZDOOM), "UZDoom")
NAME("srb2", E(SRB2), "Sonic Robo Blast 2 2.2")
NAME("k8vavoom", E(EDGE), "k8vavoom since April 2021, which ignores the lump")
NAME("edge-classic", E(EDGE), "EDGE-Classic 1.52, which ignores the lump")
NAME("helion", E(EDGE), "Helion 0.9, which ignores the lump")
NAME("odamex", E(ODAMEX) | E(ODAMEX_FIX), "Odamex 10.6")
NAME("odamex-dev", E(NEXT_ODAMEX_DEMO) | E(NEXT_ODAMEX),
     "Odamex dev builds since August 2026")
NAME("woof-dev", E(NEXT_WOOF_VANILLA) | E(NEXT_WOOF) | E(NEXT_WOOF_MBF21),
     "Woof dev builds since April 2026")

#define DOOM_PORTS \
    "doom19, chocolate-doom, crispy-doom, international-doom, boom, mbf, " \
    "prboom+, dsda-doom, woof, eternity, doom-retro, zdoom, zandronum, " \
    "q-zandronum, gzdoom, uzdoom, k8vavoom, edge-classic, helion, odamex"
GAME("doom", DOOM_PORTS)
GAME("doom2", DOOM_PORTS)
GAME("heretic",
     "chocolate-heretic, crispy-heretic, international-doom, dsda-doom, "
     "eternity, zdoom, zandronum, q-zandronum, gzdoom, uzdoom, k8vavoom, "
     "edge-classic")
GAME("hexen", "chocolate-hexen, crispy-hexen, international-doom, dsda-doom, "
              "zdoom, zandronum, q-zandronum, gzdoom, uzdoom, k8vavoom")
GAME("strife", "chocolate-strife, crispy-strife, zdoom, zandronum, "
               "q-zandronum, gzdoom, uzdoom, k8vavoom")
#undef DOOM_PORTS

#undef ENGINE
#undef NAME
#undef GAME
