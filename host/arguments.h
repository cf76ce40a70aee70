// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the command line.

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "instance.h"

#include <getopt.h>

// What the command line asks for.
enum request {
    REQUEST_COMMAND,
    REQUEST_SHORT_HELP,
    REQUEST_HELP,
    REQUEST_VERSION,
};

// Takes the command off that the first argument names; without one it is build.
// "help", before the name of a command or alone, becomes --help, and "version"
// --version.
enum command arguments_take_command(int *argc, char ***argv);

// Looks for --help, --version and --plugin before the stage, and so its
// options, are known.  *plugin is NULL if no stage is named.
enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin);

// Reads the command line, to which `arguments` then points.  STATUS_USAGE with
// a message on wrong usage.
enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage_descriptor *stage,
                                struct arguments *arguments);

void arguments_free(struct arguments *arguments);

// Reads the value of an option: a number up to `most`, of a unit that messages
// have.  *number stays if the option was not given.
enum exit_status arguments_number(const char *name, const char *value,
                                  unsigned most, const char *unit,
                                  unsigned *number);

enum {
    MOST_OPTIONS = 256, // of a command and a stage; more are unknown
    MOST_LETTERS = 64,  // of a command
};

// Reads the options of a command line, in any order, with getopt and its
// variables.
struct option_reader {
    enum command command;
    const struct nbstage_descriptor *stage; // or NULL

    // The tables as getopt wants them.
    char letters[MOST_LETTERS];
    struct option options[MOST_OPTIONS + 1];

    // What was read: the letter of an option of the command, some other number
    // for one of the stage, '?' for an unknown option or a value for an option
    // that takes none, ':' for a missing value.
    int letter;
    bool is_letter; // whether it was given as a letter, not as a word
    struct known_option option; // neither if it is unknown
};

// With `in_order`, words that are no options are read as options of the number
// 1; else all options are read first, and the words are reordered.
void option_reader_begin(struct option_reader *reader, enum command command,
                         const struct nbstage_descriptor *stage, bool in_order);

// Reads the next option; false after the last, when the files begin at
// argv[optind].
bool option_reader_next(struct option_reader *reader, int argc, char **argv);

#endif
