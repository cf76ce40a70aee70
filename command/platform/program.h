// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program that runs: the part of process_run that differs between systems.

#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRAM_FAILURE_SIZE = 160 }; // bytes of a sentence about its end

// PIDs and a descriptor; on Windows, handles.
struct program {
    intptr_t process;
    intptr_t group;
    intptr_t pipe; // carries the program's output
};

// Starts the program `words[0]` with these arguments, up to NULL.  With `shown`
// its output goes to standard error, else to the pipe.  False with a sentence
// that begins with "it".
bool program_start(struct program *program, char *const *words, bool shown,
                   char failure[PROGRAM_FAILURE_SIZE]);

// Waits at most `wait` milliseconds for output.  Returns its size in bytes.
size_t program_read(struct program *program, char *text, size_t size, int wait);

bool program_has_ended(const struct program *program);

// Kills the rest of the group and says how the program ended; true if its exit
// status was 0.
bool program_end(struct program *program, char how[PROGRAM_FAILURE_SIZE]);

void program_close(struct program *program);

#endif
