// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of a node builder.

#ifndef BUILDER_COMMAND_H
#define BUILDER_COMMAND_H

#include "message.h"

#include <stdbool.h>

struct builder_command {
    const char *line; // with {in} and {out}
    char **words;     // of the line, without its quotes, then NULL; to be freed
    bool has_out;     // else the builder writes over {in}
};

// Reads a command line, or the name of a known builder in place of one.
// STATUS_USAGE with a message if it has no {in} or is wrong otherwise.
enum exit_status builder_command_parse(const char *given,
                                       struct builder_command *command);

// The words with paths in place of {in} and {out}, then NULL, in one piece of
// memory to be freed; NULL if memory runs out.
char **builder_command_fill_in(const struct builder_command *command,
                               const char *in, const char *out);

#endif
