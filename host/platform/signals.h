// SPDX-License-Identifier: GPL-2.0-or-later
//
// The signals that end the command, and what has to be done before they do.

#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// Has a handler called for them until signals_let_go.  Those that are ignored
// stay so, and those that the process handles itself stay with it.
void signals_catch(void (*handler)(int));

// Has them do again what they did before.
void signals_let_go(void);

// Holds back those that are not ignored, and the terminal's stop; *before is
// for signals_release.
void signals_hold(sigset_t *before);

// Whether one has come since they are held and is going to end the command.
bool signals_are_waiting(const sigset_t *before);

// Whether a terminal's stop, as Ctrl-Z sends it, has come.
bool signals_stop_is_waiting(const sigset_t *before);

// Lets that stop the process now, until it is continued.
void signals_stop(void);

// Lets them through again.  One that has come does its work now.
void signals_release(const sigset_t *before);

#endif
