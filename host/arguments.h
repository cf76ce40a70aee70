// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line: the host's own options and those of the stage.

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "loader.h"

#include <stdbool.h>

// An option of the stage that was given.
struct stage_setting {
    const char *name;
    const char *value;
};

struct arguments {
    const char *input;
    const char *output; // NULL with in_place
    bool in_place;
    bool backup;
    bool quiet;
    bool json;

    // In the order given; the arrays are freed by arguments_free.
    char **map_lists;
    size_t map_list_count;
    struct stage_setting *settings;
    size_t setting_count;
};

// What the command line asks for.
enum request {
    REQUEST_BUILD,
    REQUEST_HELP,
    REQUEST_VERSION,
};

// A first look, before the stage and so its options are known: what is asked
// for, and the stage that is named, or the default one.
enum request arguments_preview(int argc, char **argv, const char **plugin);

// Reads the command line.  STATUS_USAGE with a message on wrong usage.
enum exit_status arguments_read(int argc, char **argv,
                                const struct stage *stage,
                                struct arguments *arguments);

void arguments_free(struct arguments *arguments);

// Prints the help, with the stage's options unless `stage` is NULL.
void arguments_print_help(const struct stage *stage);

void arguments_print_version(void);

#endif
