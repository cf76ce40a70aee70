// SPDX-License-Identifier: GPL-2.0-or-later
//
// A clock, the signals that end the command, and what terminals show.

#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>

// Seconds on a clock that only runs forward.
double clock_now(void);

// Has the signals that end the command, and have this handler, get another one.
// SIG_DFL is that of those that nobody handles.
void signals_pass(void (*from)(int), void (*to)(int));

// Holds the signals that end the command, except those that are ignored.  Not
// to be called again before signals_release.
void signals_hold(void);

// Whether a signal has come since signals_hold that will end the command.
bool signals_are_waiting(void);

// Ends this.  A signal that has come takes effect now.
void signals_release(void);

// Has standard input, output and error open, so that no other file takes the
// place of one that was closed: reading from that, or writing to it, fails.
// False if it cannot.
bool system_hold_standard(void);

// Whether a console was opened for this program alone, as for one that a file
// is dropped on.  It closes when the program ends.
bool system_owns_console(void);

// Waits for a key, so that what is in that console can be read.
void system_wait_for_key(void);

// The mark that a word with blanks is put in on a command line.
#ifdef _WIN32
enum { SYSTEM_QUOTE = '"' };
#else
enum { SYSTEM_QUOTE = '\'' };
#endif

// Whether terminals show UTF-8, as far as the system tells.
bool system_shows_utf8(void);

#endif
