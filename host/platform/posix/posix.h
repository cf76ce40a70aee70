// SPDX-License-Identifier: GPL-2.0-or-later
//
// What only the parts for POSIX share.

#ifndef POSIX_H
#define POSIX_H

#include "platform/file.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define st_atim st_atimespec
#define st_mtim st_mtimespec
#endif

// Takes over what stat has found, unless it has failed; returns whether.
bool file_take_status(int failed, const struct stat *found,
                      struct file_status *status);

// The signals that were blocked before signals_hold.
const sigset_t *signals_before(void);

#endif
