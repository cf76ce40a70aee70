// SPDX-License-Identifier: GPL-2.0-or-later
//
// What commands there are, and the options that each takes: the host's own and
// those of the stage.  Reading the command line, --help and completion go by
// these tables.

#ifndef OPTION_TABLES_H
#define OPTION_TABLES_H

#include "arguments.h"

#include <getopt.h>

struct command_entry {
    const char *name;
    const char *usage;   // and summary, for --help
    const char *summary; // a few words

    bool needs_stage; // one that is loaded for it

    // The options of that stage that it takes, separated by spaces; NULL stands
    // for all of them, "" for none.
    const char *stage_options;
    size_t most_files;
    const char *failure; // what exit status 1 stands for
};

extern const struct command_entry command_table[COMMAND_COUNT];

// Room for "build, verify, show, diff, plugins", which command_names writes.
enum { COMMAND_NAMES_SIZE = 128 };

const char *command_names(char names[COMMAND_NAMES_SIZE]);

// What the value of one of the host's options stands for.
enum value_kind {
    VALUE_NONE, // it takes none
    VALUE_FILE,
    VALUE_MAPS,
    VALUE_STAGE,
    VALUE_BUILDER,
    VALUE_OTHER,
};

struct host_option {
    const char *name;
    char letter;
    enum value_kind kind;
    const char *value; // as --help calls it; NULL for VALUE_NONE
    unsigned commands; // which take it, as bits
    const char *help;
};

// An option that a command takes.  One of these is NULL, or both for none.
struct known_option {
    const struct host_option *host;
    const struct nbstage_option *stage;
};

// The options that a command takes, those of the stage, which may be NULL,
// behind those of the host.  Takes an index from 0 on; false behind the last.
bool option_tables_get(enum command command, const struct nbstage *stage,
                       size_t index, struct known_option *option);

const char *option_name(const struct known_option *option);

// Flags may be given without a value, which then is yes.
bool option_is_flag(const struct nbstage_option *option);

// Whether there has to be a value.
bool option_needs_value(const struct known_option *option);

// Reads the options of a command line, in any order, with getopt and its
// variables.
struct option_reader {
    enum command command;
    const struct nbstage *stage;
    char *letters; // getopt's view of the tables
    struct option *options;

    // What was read: the letter of a host's option, some other number of a
    // stage's, '?' for an unknown option or a value for one that takes none,
    // ':' for a missing value.
    int letter;
    struct known_option option; // neither if it is unknown
};

// False if memory runs out.
bool option_reader_begin(struct option_reader *reader, enum command command,
                         const struct nbstage *stage);

// Reads the next option; false behind the last, when the files begin at
// argv[optind].
bool option_reader_next(struct option_reader *reader, int argc, char **argv);

void option_reader_end(struct option_reader *reader);

#endif
