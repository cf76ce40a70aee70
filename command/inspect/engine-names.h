// SPDX-License-Identifier: GPL-2.0-or-later
//
// The names of engines.  A row of the table has several, separated by commas;
// an engine with several levels has a row for each.

#ifndef ENGINE_NAMES_H
#define ENGINE_NAMES_H

#include "common/message.h"
#include "lump/engines.h"

#include <stddef.h>

// Writes them for people, with levels unless all levels of an engine are in the
// set: "Eternity, Doom Retro; DSDA-Doom, Woof (MBF21)".
void engine_names_write(engine_set engines, char *text, size_t size);

// Adds them for programs, each with its level: "DSDA-Doom (MBF21)".
void engine_names_add(engine_set engines, struct sentences *names);

#endif
