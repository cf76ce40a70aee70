// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program to its end, or to the end of the time it is given.

#ifndef PROCESS_H
#define PROCESS_H

#include <limits.h>
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
    // What the caller sets.
    char *const *words;     // the program and its arguments, then NULL
    double seconds_allowed; // 0 for no limit
    bool shown;             // pass its output on as it comes
    // Signals are held by signals_hold; these were blocked before.
    const sigset_t *signals_before;

    // How it ended, and what it printed last.
    enum process_end end;
    int number;     // its exit status, or the signal
    double seconds; // without those that we were stopped for
    int pipe_end;   // where more of what it printed is, or -1
    char output[PROCESS_KEPT_OUTPUT];
    size_t output_size;
    size_t output_left_out; // bytes before these

    // How it is shown.
    int shown_on; // a descriptor, or -1 if it is not shown as it comes
    char piece[PIPE_BUF];
    size_t piece_begin, piece_end; // what is still to be shown of it
};

// Runs a program that is looked for in PATH unless it has a slash in it.  It
// reads nothing, inherits no descriptors, has no terminal, and what it prints
// there and on standard output is kept or goes to standard error; where nobody
// takes it there, the program waits, and we do not.  When a terminal stops us,
// it is stopped, too.
//
// On a terminal that we are not allowed to open, as after su, what it prints is
// shown when it has ended, and only what is kept of it.
//
// When it has ended nothing is left of it or of the processes that it started;
// except, on systems other than Linux, those that went to groups of their own,
// and, if we are killed by SIGKILL, all of them.
// Returns 0, or the error number if it cannot be started.  What it printed last
// is for process_close either way.
int process_run(struct process *process);

// Shows what is still to be shown, however long standard error takes; of a
// program that has failed and was not shown as it went, the kept output with a
// note on what is missing of it.
void process_close(struct process *process, bool failed);

#endif
