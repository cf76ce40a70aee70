// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables of engines, of the names that the option `for` takes, and of
// games, which it refuses:
//
//   ENGINE(id, name in reports, word for `for`, FIRST_WORD_ of it, minimum lump
//          size in bytes, nonzero members of struct engine)
//   NAME(word for `for`, its set of engines, help text)
//   GAME(name, the ports that play it)
//
// doc/engines.md has the source of each fact.
//
// Include this file with ENGINE, NAME and GAME defined; it undefines them.

ENGINE(DOOM19, "Doom 1.9, Chocolate Doom", "doom19", READ, 0,
       .has_signed_words = true)
ENGINE(CRISPY, "Crispy, International Doom", "crispy-doom", READ, 8)
ENGINE(BOOM_VANILLA, "Boom family, vanilla level", "boom", READ, 8)
ENGINE(BOOM, "Boom family, below MBF21", "boom", SKIPPED, 8)
ENGINE(MBF21, "Boom family, MBF21", "mbf21", SKIPPED_IF_ALL_ZERO, 8)
ENGINE(ETERNITY, "Eternity 3.42 and later", "eternity", SKIPPED_IF_ALL_ZERO, 8,
       .checks = CHECKS_LISTS)
ENGINE(RETRO, "Doom Retro 2.4 and later", "doom-retro", SKIPPED_IF_ALL_ZERO, 8,
       .checks = CHECKS_LISTS)
ENGINE(ZDOOM, "ZDoom 2.8.1, Zandronum", "zdoom", SKIPPED, 1,
       .checks = CHECKS_OFFSETS)
ENGINE(GZDOOM, "GZDoom 2.4 and later, UZDoom", "gzdoom", SKIPPED, 1,
       .checks = CHECKS_HEADERS)
ENGINE(SRB2, "SRB2 2.2, k8vavoom", "srb2", SKIPPED, 1)
ENGINE(EDGE, "EDGE-Classic, Helion", "edge-classic", READ, 0,
       .builds_its_own = true)
ENGINE(ODAMEX, "Odamex 10.6", "odamex", READ, 8)
ENGINE(ODAMEX_FIX, "Odamex 10.6, co_blockmapfix", "odamex", SKIPPED, 8)
ENGINE(NEXT_ODAMEX_DEMO, "Odamex, unreleased, demos", "odamex-dev", READ, 8,
       .reads_xbm1 = true)
ENGINE(NEXT_ODAMEX, "Odamex, unreleased", "odamex-dev", SKIPPED_IF_ALL_ZERO, 8,
       .reads_xbm1 = true)
ENGINE(NEXT_WOOF_VANILLA, "Woof, unreleased, vanilla", "woof-dev", READ, 8,
       .reads_xbm1 = true)
ENGINE(NEXT_WOOF, "Woof, unreleased, below MBF21", "woof-dev", SKIPPED, 8,
       .reads_xbm1 = true)
ENGINE(NEXT_WOOF_MBF21, "Woof, unreleased, MBF21", "woof-dev",
       SKIPPED_IF_ALL_ZERO, 8, .reads_xbm1 = true)

NAME("any", ENGINES_ANY, "every port; Doom 1.9, too, if the map fits")
NAME("everywhere", ENGINES_ALL, "every port and Doom 1.9: any,doom19")
NAME("limit-removing", ENGINES_ALL & ~E(DOOM19), "every port but Doom 1.9")
NAME("doom19", E(DOOM19), "Doom 1.9")
NAME("vanilla", E(DOOM19), "Doom 1.9")
NAME("chocolate-doom", E(DOOM19), "Chocolate Doom, all its games")
NAME("crispy-doom", E(CRISPY), "Crispy Doom")
NAME("crispy", E(CRISPY), "Crispy Doom")
NAME("international-doom", E(CRISPY), "International Doom")
NAME("boom", E(BOOM_VANILLA) | E(BOOM), "Boom, and its family below MBF21")
NAME("mbf", E(BOOM_VANILLA) | E(BOOM), "MBF, and its family below MBF21")
NAME("prboom+", E(BOOM_VANILLA) | E(BOOM), "PrBoom+ 2.6.66")
NAME("prboom-plus", E(BOOM_VANILLA) | E(BOOM), "PrBoom+ 2.6.66")
NAME("mbf21", E(MBF21), "DSDA-Doom and Woof at MBF21")
NAME("dsda-doom", E(BOOM_VANILLA) | E(BOOM) | E(MBF21),
     "DSDA-Doom 0.29, all levels")
NAME("woof", E(BOOM_VANILLA) | E(BOOM) | E(MBF21), "Woof 15.3, all levels")
NAME("eternity", E(ETERNITY), "Eternity 3.42 and later, its own games")
NAME("doom-retro", E(RETRO), "Doom Retro 2.4 and later")
NAME("zdoom", E(ZDOOM), "ZDoom 2.8.1 and earlier")
NAME("zandronum", E(ZDOOM), "Zandronum")
NAME("q-zandronum", E(ZDOOM), "Q-Zandronum")
NAME("gzdoom", E(GZDOOM), "GZDoom 2.4 and later")
NAME("uzdoom", E(GZDOOM), "UZDoom")
NAME("srb2", E(SRB2), "Sonic Robo Blast 2 2.2")
NAME("k8vavoom", E(SRB2), "k8vavoom, February 2021")
NAME("edge-classic", E(EDGE), "EDGE-Classic 1.52, which ignores the lump")
NAME("helion", E(EDGE), "Helion 0.9, which ignores the lump")
NAME("odamex", E(ODAMEX) | E(ODAMEX_FIX), "Odamex 10.6")
NAME("odamex-dev", E(NEXT_ODAMEX_DEMO) | E(NEXT_ODAMEX),
     "Odamex, unreleased since August 2026")
NAME("woof-dev", E(NEXT_WOOF_VANILLA) | E(NEXT_WOOF) | E(NEXT_WOOF_MBF21),
     "Woof, unreleased since April 2026")

#define DOOM_PORTS \
    "doom19, chocolate-doom, crispy-doom, international-doom, boom, mbf, " \
    "prboom+, dsda-doom, woof, eternity, doom-retro, zdoom, zandronum, " \
    "q-zandronum, gzdoom, uzdoom, k8vavoom, edge-classic, helion, odamex"
GAME("doom", DOOM_PORTS)
GAME("doom2", DOOM_PORTS)
GAME("heretic",
     "chocolate-doom, crispy-doom, international-doom, dsda-doom, eternity, "
     "zdoom, zandronum, q-zandronum, gzdoom, uzdoom, k8vavoom, edge-classic")
GAME("hexen", "chocolate-doom, crispy-doom, international-doom, dsda-doom, "
              "zdoom, zandronum, q-zandronum, gzdoom, uzdoom, k8vavoom")
GAME("strife", "chocolate-doom, crispy-doom, zdoom, zandronum, q-zandronum, "
               "gzdoom, uzdoom, k8vavoom")
#undef DOOM_PORTS

#undef ENGINE
#undef NAME
#undef GAME
