// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program to its end, or to the end of its time.

#ifndef PROCESS_H
#define PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum process_end {
    PROCESS_EXITED,      // with a status
    PROCESS_DIED,        // of a signal
    PROCESS_TIMED_OUT,   // and was killed
    PROCESS_INTERRUPTED, // killed because a signal is about to end us
};

enum { PROCESS_KEPT_OUTPUT = 16384 }; // bytes

struct process {
    // Set by the caller.
    char *const *words;       // the program and its arguments, then NULL
    unsigned seconds_allowed; // 0 for no limit
    bool shown;               // what it prints goes to standard error
    // Signals are held by signals_hold; these were blocked before.
    const sigset_t *signals_before;

    // How it ended.
    enum process_end end;
    int number; // its exit status, or the signal
    double seconds;

    // The end of what it printed, unless that was shown.
    char output[PROCESS_KEPT_OUTPUT];
    size_t output_size;
    size_t output_left_out; // bytes before these
};

// Runs a program in a process group of its own, with an empty standard input
// and, where the system allows it, no terminal.  The program is looked for in
// PATH unless its name has a slash.  When it has ended, all processes that are
// still in its group are killed.
//
// Returns 0, or an error number if the program cannot be started.
int process_run(struct process *process);

#endif
