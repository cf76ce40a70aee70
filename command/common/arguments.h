// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parsed command line, and the commands that main.c runs.

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "common/commands.h"
#include "nbstage.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>

// An option of the stage that was given.
struct stage_setting {
    const char *name;
    const char *value;
};

struct nbstage;
struct report;

// The parsed command line: a member for each option, NULL or false if it is not
// given.
struct arguments {
    // The files, if the command takes any.
    const char *input; // the first
    const char *const *files;
    size_t file_count;

    const char *output; // with in_place the input, or NULL before the build
    bool output_is_new; // it did not exist when the command began
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
    const char *plugin; // the stage and options of it; NULL: blocksweep
    bool help;
    bool version;
    struct report *report; // where reports go

    // In the order given; the arrays are freed by arguments_free.  Settings
    // override options in `plugin`.
    char **map_lists;
    size_t map_list_count;
    struct stage_setting *settings;
    size_t setting_count;
};

// The kind of a command line.
enum request {
    REQUEST_COMMAND,
    REQUEST_SHORT_HELP,
    REQUEST_HELP,
    REQUEST_VERSION,
};

// Removes the name of a command from the arguments and returns the command; the
// default is COMMAND_BUILD.  There must be an argument.  "help", alone or
// before the name of a command, becomes --help, and "version" becomes
// --version.
enum command arguments_take_command(int *argc, char ***argv);

// Looks for --help, --version and --plugin before the stage, and with it the
// stage's options, is known.  *plugin is NULL without --plugin.
enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin);

// Reads the command line.  `arguments` keeps pointers into argv; call
// arguments_free in any case.  STATUS_USAGE with a message on wrong usage.
enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage_descriptor *stage,
                                struct arguments *arguments);

void arguments_free(struct arguments *arguments);

// ---------------------------------------------------------------------------
// The commands.  Each returns its exit status; see blocksweep(1).

// Builds each file by itself with a loaded stage.  Several files need a folder
// as output.  Returns the worst status.
enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage);

enum exit_status verify_run(const struct arguments *arguments);
enum exit_status show_run(const struct arguments *arguments);
enum exit_status diff_run(const struct arguments *arguments);

#endif
