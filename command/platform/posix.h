// SPDX-License-Identifier: GPL-2.0-or-later
//
// Declarations that only the sources for POSIX share.

#ifndef POSIX_H
#define POSIX_H

#include "platform/file.h"

#include <signal.h>
#include <stdbool.h>

// fstatat().  False with errno.
bool file_find_at(int folder, const char *name, int flags,
                  struct file_status *status);

// The signals that were blocked before system_hold_signals.
extern sigset_t system_signals_before;

#endif
