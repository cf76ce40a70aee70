// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands that main.c runs, each with a command line and a loaded stage.
// Their exit statuses are those of blocksweep(1).

#ifndef COMMANDS_H
#define COMMANDS_H

#include "arguments.h"

// build: each file by itself, into the folder that is the output if there are
// several or it is one.  The worst status of all files.
enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage);

// One file with --builder; without it, see build_run.  STATUS_MAP_FAILED if the
// builder fails, does not end in time, or does not write a whole WAD with all
// maps of the input; STATUS_USAGE if it cannot be started; STATUS_FILE if its
// temporary folder cannot be written or removed.
enum exit_status builder_build(const struct arguments *arguments,
                               const struct nbstage *stage);

enum exit_status verify_run(const struct arguments *arguments,
                            const struct nbstage *stage);
enum exit_status show_run(const struct arguments *arguments,
                          const struct nbstage *stage);
enum exit_status diff_run(const struct arguments *arguments,
                          const struct nbstage *stage);

// Loads each stage in its turn; `stage` is none.
enum exit_status plugins_run(const struct arguments *arguments,
                             const struct nbstage *stage);

// `blocksweep --complete -- WORD...`, which shells call.
enum exit_status complete_run(int argc, char **argv);

#endif
