// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which system calls a piece of work makes, as the kernel sees it.

#ifndef CALL_FILTER_H
#define CALL_FILTER_H

#include <stdbool.h>

// Does the work in a process of its own, where only system calls for memory,
// threads and the time are allowed.  Returns NULL if it came to its end that
// way, or else what happened instead, valid until the next call.
const char *call_filter_run(void (*work)(void));

// Whether this system has such filters.
bool call_filter_is_there(void);

#endif
