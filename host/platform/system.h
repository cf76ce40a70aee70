// SPDX-License-Identifier: GPL-2.0-or-later
//
// A clock, the signals that end the command, and what terminals show.

#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>

// Seconds on a clock that only runs forward.
double clock_now(void);

// Sets a handler for the signals that would end the command without one.
void signals_catch(void (*handler)(int));

// Has the signals with this handler end the process again, as before: an
// adapter runs in the program of somebody else.
void signals_let_go(void (*handler)(int));

// Holds the signals that end the command, except those that are ignored.  Not
// to be called again before signals_release.
void signals_hold(void);

// Whether a signal has come since signals_hold that will end the command.
bool signals_are_waiting(void);

// Ends this.  A signal that has come takes effect now.
void signals_release(void);

// Whether terminals show UTF-8, as far as the system tells.
bool system_shows_utf8(void);

#endif
