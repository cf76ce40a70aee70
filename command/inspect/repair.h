// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command that builds the blockmaps of files anew.

#ifndef REPAIR_H
#define REPAIR_H

#include "common/arguments.h"
#include "inspect/inspect.h"

#include <stdbool.h>

enum { REPAIR_SIZE = 8192 };

// Whether a build may mend more than what lines far from the grid's origin do.
bool repair_may_help(const struct inspect_map *map);

// Begins the command, for the games that the arguments name.  It ends at
// REPAIR_SIZE; a text that is nearly as long may not be whole.
void repair_begin(const struct arguments *arguments, char text[REPAIR_SIZE]);

// Appends `before` and a word, quoted for the shell.
void repair_append(char text[REPAIR_SIZE], const char *before,
                   const char *word);

// Appends a file; false for standard input, which cannot be repaired.
bool repair_append_file(char text[REPAIR_SIZE], const char *path);

#endif
