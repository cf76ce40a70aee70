// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the command line, and the commands that main.c runs.

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "common/commands.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"

// What the command line asks for.
enum request {
    REQUEST_COMMAND,
    REQUEST_SHORT_HELP,
    REQUEST_HELP,
    REQUEST_VERSION,
};

// Takes the command off that the first argument, which must be there, names;
// else it is build.
// "help", before the name of a command or alone, becomes --help, and "version"
// --version.
enum command arguments_take_command(int *argc, char ***argv);

// Looks for --help, --version and --plugin before the stage, and so its
// options, are known.  *plugin is NULL if no stage is named.
enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin);

// Reads the command line, to which `arguments` then points, for arguments_free
// either way.  STATUS_USAGE with a message on wrong usage.
enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage_descriptor *stage,
                                struct arguments *arguments);

void arguments_free(struct arguments *arguments);

// ---------------------------------------------------------------------------
// The commands, each with a command line; build has a loaded stage, too.  Their
// exit statuses are those of blocksweep(1).

// build: each file by itself, into the folder that is the output if there are
// several or it is one.  The worst status of all files.
enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage);

enum exit_status verify_run(const struct arguments *arguments);
enum exit_status show_run(const struct arguments *arguments);
enum exit_status diff_run(const struct arguments *arguments);

#endif
