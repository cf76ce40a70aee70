// SPDX-License-Identifier: GPL-2.0-or-later
//
// What only the parts for POSIX share.

#ifndef POSIX_H
#define POSIX_H

#include "platform/file.h"

#include <signal.h>
#include <stdbool.h>

// Gets what is known of a file, as fstatat() finds it.  False with errno if
// there is none.
bool file_find_at(int folder, const char *name, int flags,
                  struct file_status *status);

// The signals that were blocked before signals_hold.
extern sigset_t signals_before;

#endif
