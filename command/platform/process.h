// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program until it ends or exceeds its time limit.

#ifndef PROCESS_H
#define PROCESS_H

#include "platform/program.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROCESS_KEPT_OUTPUT = 16384 }; // bytes

struct process {
    // Set by the caller.
    char *const *words;       // the program and its arguments, then NULL
    unsigned seconds_allowed; // 0 for no limit
    bool shown;               // its output goes to standard error

    double seconds; // elapsed

    // Why it failed, as a sentence that begins with "it"; "" if it succeeded or
    // was killed because of a pending signal.
    char failure[PROGRAM_FAILURE_SIZE];

    // The end of its output, unless that was shown, and a NUL.
    char output[PROCESS_KEPT_OUTPUT + 1];
    size_t output_size;
    bool output_is_cut; // earlier output is missing
};

// Runs a program in a process group of its own, with an empty standard input
// and, where the system allows it, no terminal.  A name without a slash is
// searched for in PATH.  The caller holds signals.  When the program has ended,
// all processes that are still in its group are killed.
//
// STATUS_MAP_FAILED unless the program ends by itself, in time and with exit
// status 0; STATUS_USAGE if it cannot be started.
enum exit_status process_run(struct process *process);

#endif
