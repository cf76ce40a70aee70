// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of engines: a row for each family, the choices of the option `for`,
// and below it a row for each engine, or a level of one.  A family has a name
// and a line of help; an engine the name that reports have, what it does with
// the first word, and the members of struct engine that are true.  The facts
// are those of ENGINES in blocksweep-stage(7).
//
// Include this file with FAMILY and ENGINE defined; it undefines them.

FAMILY(DOOM19, "doom19", "Doom 1.9, Chocolate Doom")
ENGINE(DOOM19, "Doom 1.9, Chocolate Doom", READ, .has_signed_words = true)

FAMILY(CRISPY, "crispy", "Crispy Doom")
ENGINE(CRISPY, "Crispy Doom", READ, .rebuilds = true)

FAMILY(BOOM, "boom", "Boom, PrBoom+, DSDA-Doom and others below MBF21; SRB2")
ENGINE(BOOM, "Boom family, vanilla level", READ, .rebuilds = true)
ENGINE(BOOM, "Boom family, below MBF21", SKIPPED, .rebuilds = true)
ENGINE(BOOM, "SRB2", SKIPPED, .rebuilds = true)

FAMILY(MBF21, "mbf21", "DSDA-Doom and others at MBF21; Eternity")
ENGINE(MBF21, "Boom family, MBF21", SKIPPED_IF_ALL_ZERO, .rebuilds = true)
ENGINE(MBF21, "Eternity since 2016", SKIPPED_IF_ALL_ZERO, .rebuilds = true)

FAMILY(ZDOOM, "zdoom", "ZDoom, GZDoom and others")
ENGINE(ZDOOM, "ZDoom family", SKIPPED, .rebuilds = true, .checks_lists = true)

FAMILY(WOOF, "woof", "Woof since 2026")
ENGINE(WOOF, "Woof since 2026, vanilla level", READ, .rebuilds = true,
       .reads_xbm1 = true)
ENGINE(WOOF, "Woof since 2026, below MBF21", SKIPPED, .rebuilds = true,
       .reads_xbm1 = true)
ENGINE(WOOF, "Woof since 2026, MBF21", SKIPPED_IF_ALL_ZERO, .rebuilds = true,
       .reads_xbm1 = true)

FAMILY(ODAMEX, "odamex", "Odamex since August 2026")
ENGINE(ODAMEX, "Odamex since 2026, demos", READ, .rebuilds = true,
       .reads_xbm1 = true)
ENGINE(ODAMEX, "Odamex since 2026", SKIPPED_IF_ALL_ZERO, .rebuilds = true,
       .reads_xbm1 = true)

#undef FAMILY
#undef ENGINE
