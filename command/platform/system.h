// SPDX-License-Identifier: GPL-2.0-or-later
//
// The clock, the signals that end the command, and standard input and output.

#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>

// The monotonic clock, in seconds.
double system_now(void);

// Installs a handler, for the rest of the process, for all signals that end the
// command.  Only the first call does something.
void system_handle_signals(void (*handler)(int));

// Blocks the signals that end the command, except ignored ones.  Calls do not
// nest.
void system_hold_signals(void);

// Whether a signal that will end the command is pending.
bool system_has_signal(void);

// Unblocks the signals; pending ones are delivered now.
void system_release_signals(void);

// Opens /dev/null in place of closed standard streams, so that no other file
// gets their descriptors; reading and writing these streams fails.  False if
// it cannot.
bool system_hold_standard(void);

// Whether Windows opened a console for this program alone, as when files are
// dropped on it.  The console closes when the program ends.
bool system_owns_console(void);

// Waits for a key, so that the user can read that console.
void system_wait_for_key(void);

// Whether wildcards such as "*" were expanded before the command began, so that
// it cannot tell which names were typed.
#ifdef _WIN32
enum { SYSTEM_HIDES_WILDCARDS = false };
#else
enum { SYSTEM_HIDES_WILDCARDS = true };
#endif

// Where the system can tell, drops names of backups, which end in "~", that
// wildcards brought into the command line.
void system_drop_backups(int *argc, char **argv);

// The shell's quote character for words with blanks.
#ifdef _WIN32
enum { SYSTEM_QUOTE = '"' };
#else
enum { SYSTEM_QUOTE = '\'' };
#endif

// Whether terminals show UTF-8, as far as the system tells.
bool system_shows_utf8(void);

#endif
