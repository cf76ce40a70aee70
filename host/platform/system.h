// SPDX-License-Identifier: GPL-2.0-or-later
//
// A clock, and the signals that end the command.

#ifndef SYSTEM_H
#define SYSTEM_H

#include <signal.h>
#include <stdbool.h>

// Seconds on a clock that only runs forward.
double clock_now(void);

// Sets a handler for the signals that would end the command without one.
void signals_catch(void (*handler)(int));

// Has the signals with this handler end the command again.
void signals_let_go(void (*handler)(int));

// Blocks the signals that end the command, except those that are ignored.
// *before is for signals_release.
void signals_hold(sigset_t *before);

// Whether a signal has come since signals_hold that will end the command.
bool signals_are_waiting(const sigset_t *before);

// Unblocks the signals.  One that has come takes effect now.
void signals_release(const sigset_t *before);

#endif
