// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node builder that works on the file before blocksweep does.

#ifndef BUILDER_H
#define BUILDER_H

#include "arguments.h"
#include "build/build.h"
#include "builder/builder-command.h"

struct builder {
    struct builder_command command;
    unsigned seconds_allowed; // 0 for no limit
    bool shown;               // show what it prints as it comes

    // Runs the builder on a copy of the input, and reads what it has written.
    // What it prints goes to standard error, all of it as it comes or, if it
    // fails, the end of it.
    //
    // STATUS_MAP_FAILED with a message if the builder fails, does not end in
    // time, or does not write a WAD that is whole, with all the maps of the
    // input and lines in them; STATUS_USAGE if it cannot be started;
    // STATUS_FILE if the copy cannot be written, or the temporary folder cannot
    // be removed.  Nothing temporary is left, even if a signal ends the
    // command, unless that is SIGKILL.
    struct build_step step;
};

// Takes the builder from the options, of which --builder is one.  STATUS_USAGE
// with a message if they do not take these values.  The builder must not be
// moved, and is for builder_free either way.
enum exit_status builder_parse(const struct arguments *arguments,
                               struct builder *builder);

void builder_free(struct builder *builder);

#endif
