// SPDX-License-Identifier: GPL-2.0-or-later
//
// What --help and --version print.

#ifndef HELP_H
#define HELP_H

#include "arguments.h"

// Prints the help of a command, with the stage's options that it takes unless
// `stage` is NULL.
void help_print(enum command command, const struct nbstage *stage);

void help_print_version(void);

#endif
