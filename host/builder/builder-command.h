// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of a node builder.

#ifndef BUILDER_COMMAND_H
#define BUILDER_COMMAND_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>

struct builder_command {
    const char *line; // with {in} and {out}; one of our own, or the caller's
    char **words;     // of the line, without its quotes; NULL at the end
    char *text;       // what they are in
    bool has_out;     // else the builder writes over {in}
};

// Reads a command line, or the name of a builder whose command line is known.
// STATUS_USAGE with a message if it has no {in} or another flaw.  The command
// is for builder_command_free either way.
enum exit_status builder_command_parse(const char *given,
                                       struct builder_command *command);

void builder_command_free(struct builder_command *command);

// The words with paths in place of {in} and {out}, and NULL behind them; for
// builder_command_free_words.  NULL if memory runs out.
char **builder_command_fill_in(const struct builder_command *command,
                               const char *in, const char *out);

void builder_command_free_words(char **words);

// The names that can stand for commands, from index 0 on, each with its
// command; NULL behind the last.
const char *builder_command_known(size_t index, const char **command);

enum { BUILDER_NAMES_SIZE = 80 };

// All of these names, as "zdbsp, glbsp".
void builder_command_list_names(char *text, size_t size);

#endif
