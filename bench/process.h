// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a command in a process of its own and measures all of it.

#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>

// Nanoseconds, then bytes.  PEAK is the memory of the largest process.  READ
// and WRITTEN count system calls, not mapped memory.  DISK is what goes to a
// disk.
enum figure { WALL, PROCESSOR, PEAK, READ, WRITTEN, DISK, FIGURES };

enum { NOT_INSTALLED = 127 };

// Runs a command, which ends with NULL, without standard streams.  Before its
// words are the path of the benchmark and --run.  Returns its status, or
// NOT_INSTALLED; a signal that ended it counts as 128 and its number.
int process_measure(char *const *words, uint64_t figures[FIGURES]);

// What the benchmark does if its arguments are --run and a command.  Returns
// the status.
int process_run(char *const *command);

#endif
