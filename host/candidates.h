// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the value of an option may become while it is typed.

#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "option-tables.h"

// A value that is being typed.
struct unfinished_value {
    const char *word; // the last one of the command line
    size_t begin;     // of the value, behind the "--name=" in the word
    const char *file; // the first in the command line; NULL if there is none
};

// Prints the words that the word may become with a value of this option.
void candidates_print(const struct unfinished_value *value,
                      const struct known_option *option);

#endif
