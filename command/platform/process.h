// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program to its end, or to the end of its time.

#ifndef PROCESS_H
#define PROCESS_H

#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes.
enum { PROCESS_KEPT_OUTPUT = 16384, PROCESS_FAILURE_SIZE = 160 };

struct process {
    // Set by the caller.
    char *const *words;       // the program and its arguments, then NULL
    unsigned seconds_allowed; // 0 for no limit
    bool shown;               // what it prints goes to standard error

    double seconds; // that it took

    // Why it has failed, as a sentence that begins with "it"; "" if it has not,
    // or was killed because a signal is about to end us.
    char failure[PROCESS_FAILURE_SIZE];

    // The end of what it printed, unless that was shown, and a NUL.
    char output[PROCESS_KEPT_OUTPUT + 1];
    size_t output_size;
    bool output_is_cut; // there was more before these
};

// Runs a program in a process group of its own, with an empty standard input
// and, where the system allows it, no terminal.  The program is looked for in
// PATH unless its name has a slash.  Signals are held.  When it has ended, all
// processes that are still in its group are killed.
//
// STATUS_MAP_FAILED if the program does not end by itself, in time and with
// exit status 0; STATUS_USAGE if it cannot be started.
enum exit_status process_run(struct process *process);

// ---------------------------------------------------------------------------
// What differs between systems, for process_run

// Numbers of the system, or handles.
struct program {
    intptr_t process;
    intptr_t group;
    intptr_t pipe; // that it prints to
};

// Starts the program; false with the failure of the process.
bool program_start(struct program *program, struct process *process);

// Waits some milliseconds for what it prints.  Returns how many bytes it takes.
size_t program_read(struct program *program, char *text, size_t size, int wait);

bool program_has_ended(const struct program *program);

// Kills all that is left of the group, and says how the program ended; true if
// that was with exit status 0.
bool program_end(struct program *program, char how[PROCESS_FAILURE_SIZE]);

void program_close(struct program *program);

#endif
