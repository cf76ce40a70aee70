// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands, and the options that each takes: the command's own and those
// of the stage.  Reading the command line and --help use these tables.

#ifndef COMMANDS_H
#define COMMANDS_H

#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>

enum command {
    COMMAND_BUILD, // also a command line that names none
    COMMAND_VERIFY,
    COMMAND_SHOW,
    COMMAND_DIFF,
    COMMAND_COUNT,
};

struct command_entry {
    const char *name;
    const char *usage; // and what it does, for --help

    // The options of the stage that it takes, separated by spaces; NULL for all
    // of them.
    const char *stage_options;
    // What -h tells of: names of options, as above.
    const char *common_options;
    size_t most_files;
    const char *failure; // what exit status 1 stands for
};

extern const struct command_entry command_table[COMMAND_COUNT];

// "build, verify, ..."
enum { COMMAND_NAMES_SIZE = 128 };
const char *command_names(char names[COMMAND_NAMES_SIZE]);

// An option of the stage that was given.
struct stage_setting {
    const char *name;
    const char *value;
};

struct report;

// What a command line says: a member for each option, NULL or false if it is
// not given.
struct arguments {
    // The files, if the command takes any.
    const char *input; // the first
    char *const *files;
    size_t file_count;

    const char *output; // with in_place NULL, but the input while it is built
    bool output_is_new; // whether there was none when the command began
    bool in_place;
    bool backup;
    bool dry_run;
    bool quiet;
    bool json;
    bool verbose;
    bool strict;
    bool nodes;
    const char *list;    // the block to print, "BLOCK" or "X,Y"
    const char *svg;     // the file for a picture
    const char *html;    // the file for a page
    const char *builder; // the command to run first
    const char *builder_timeout;
    const char *plugin; // the stage that is named
    bool help;
    bool version;
    struct report *report; // where reports go

    // Options of the stage as one text, such as "grid=8,8,pack=nest", below
    // those in `settings`: what NBSTAGE_OPTIONS has.
    const char *options;

    // In the order given; the arrays are freed by arguments_free.
    char **map_lists;
    size_t map_list_count;
    struct stage_setting *settings;
    size_t setting_count;
};

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
    int number;        // its letter; for one of the stage past all letters
    const char *value; // as --help calls it; NULL if it takes none
    size_t member;     // of struct arguments: its offset
    unsigned commands; // which take it, as bits
    const char *help;  // may be NULL
    const struct nbstage_option *of_stage; // NULL if it is the command's own
};

// More options than any command and stage have; those beyond are unknown.
enum { MOST_OPTIONS = 256 };

// Lists the options that a command takes: first its own, then those of the
// stage unless that is NULL.  Returns how many.
size_t commands_list_options(enum command command,
                             const struct nbstage_descriptor *stage,
                             struct command_option options[MOST_OPTIONS]);

// Whether the value of an option may be left out.
bool commands_is_flag(const struct command_option *option);

static inline const struct nbstage_choice *
commands_choice(const struct nbstage_option *option, size_t index)
{
    return NBSTAGE_AT(struct nbstage_choice, option->choices, index);
}

// Prints what an option of the stage takes if its value asks for that: "help".
// False if it does not.
bool commands_explain(const struct nbstage_option *option, const char *value);

// Prints the help of a command, with the options of the stage unless that is
// NULL; if it is short, only the options that most people need.
void commands_print_help(enum command command,
                         const struct nbstage_descriptor *stage, bool is_short);

#endif
