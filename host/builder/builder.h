// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds with a node builder, which works on the file before blocksweep does.

#ifndef BUILDER_H
#define BUILDER_H

#include "build/build.h"

// Runs the node builder of --builder on a copy of the input, and then builds as
// build_run does, with what the builder wrote in place of the input.  What the
// builder prints goes to standard error: with --verbose all of it as it comes;
// else, if it fails, the end of it.
//
// STATUS_MAP_FAILED with a message if the builder fails, does not end in time,
// or does not write a WAD that is whole, with all the maps of the input and
// lines in them; STATUS_USAGE if it cannot be started; STATUS_FILE if the copy
// cannot be written, or the temporary folder cannot be removed.  A signal that
// ends the command, other than SIGKILL, kills the builder and removes the
// folder first.
enum exit_status builder_build(const struct arguments *arguments,
                               const struct nbstage *stage);

#endif
