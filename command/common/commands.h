// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands, and the options that each takes: the command's own and the
// stage's.  arguments.c and --help use these tables.

#ifndef COMMANDS_H
#define COMMANDS_H

#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>

enum command {
    COMMAND_BUILD, // the default
    COMMAND_VERIFY,
    COMMAND_SHOW,
    COMMAND_DIFF,
    COMMAND_COUNT,
};

struct command_entry {
    const char *name;
    const char *usage; // with a description, for --help

    // The options of the stage that it takes, separated by spaces; NULL: all.
    const char *stage_options;
    // The options that -h lists, in the same form.
    const char *common_options;
    size_t most_files;
    const char *failure; // the meaning of exit status 1
};

extern const struct command_entry command_table[COMMAND_COUNT];

// "build, verify, ..."
enum { COMMAND_NAMES_SIZE = 128 };
const char *command_names(char names[COMMAND_NAMES_SIZE]);

// The node builders that --builder knows; the last has no name.
struct known_builder {
    const char *name, *command;
};
extern const struct known_builder known_builders[];

// "zdbsp, glbsp, ..."
enum { BUILDER_NAMES_SIZE = 80 };
const char *commands_builders(char names[BUILDER_NAMES_SIZE]);

// An option that a command takes: its own, or one of the stage.
struct command_option {
    const char *group; // the heading in --help; NULL if there is none
    const char *name;  // without hyphens
    int number;        // its letter; options of the stage come after letters
    const char *value; // as --help calls it; NULL if it takes none
    unsigned commands; // which take it, as bits
    const char *help;  // may be NULL
    const struct nbstage_option *of_stage; // NULL if it is the command's own
};

// Upper bound; further options are ignored.
enum { MOST_OPTIONS = 256 };

// Lists the options that a command takes: its own, then those of the stage,
// which may be NULL.  Returns the number of options.
size_t commands_list_options(enum command command,
                             const struct nbstage_descriptor *stage,
                             struct command_option options[MOST_OPTIONS]);

// Whether the value of an option may be left out.
bool commands_is_flag(const struct command_option *option);

// Prints the choices of an option if its value is "help"; else returns false.
bool commands_explain(const struct nbstage_option *option, const char *value);

// Prints all options of a command, and of the stage, which may be NULL.
void commands_print_help(enum command command,
                         const struct nbstage_descriptor *stage);

// Prints the options that most people need, for -h.
void commands_print_short_help(enum command command,
                               const struct nbstage_descriptor *stage);

#endif
