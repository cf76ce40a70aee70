// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line: a command, the host's own options and those of the stage.

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "load-stage.h"

#include <stdbool.h>

// An option of the stage that was given.
struct stage_setting {
    const char *name;
    const char *value;
};

enum command {
    COMMAND_BUILD, // also a command line that names none
    COMMAND_VERIFY,
    COMMAND_SHOW,
    COMMAND_DIFF,
    COMMAND_PLUGINS,
    COMMAND_COUNT,
};

// The stage that is loaded where none is named.
#define DEFAULT_STAGE "blocksweep"

struct arguments {
    // Of commands that take one, the first file.
    const char *input;
    char *const *files;
    size_t file_count;
    const char *output; // NULL with in_place
    bool in_place;
    bool backup;
    bool quiet;
    bool json;
    bool verbose;
    bool strict;
    bool nodes;
    bool shared;         // mark blocks that share a list
    const char *list;    // the block to print, "BLOCK" or "X,Y"; or NULL
    const char *svg;     // the file for a picture; or NULL
    const char *html;    // the file for a page; or NULL
    const char *builder; // the command to run first; or NULL
    const char *builder_timeout;
    const char *plugin; // the stage that is named; or NULL

    // Of the stage, as one text such as "grid=8,8,pack=nest", which no command
    // line has; or NULL.
    const char *options;

    // In the order given; the arrays are freed by arguments_free.
    char **map_lists;
    size_t map_list_count;
    struct stage_setting *settings;
    size_t setting_count;
};

// What the command line asks for.
enum request {
    REQUEST_COMMAND,
    REQUEST_HELP,
    REQUEST_VERSION,
    REQUEST_OUT_OF_MEMORY,
};

// The command that the first argument names, which is taken off; without one
// it is build.
enum command arguments_take_command(int *argc, char ***argv);

// A first look, before the stage and so its options are known: what is asked
// for, and the stage that is named, or the default one.
enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin);

// Reads the command line, to which `arguments` then points.  STATUS_USAGE with
// a message on wrong usage.
enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage *stage,
                                struct arguments *arguments);

void arguments_free(struct arguments *arguments);

#endif
