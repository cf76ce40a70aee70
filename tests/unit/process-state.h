// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a guest in a process has to leave as it is: signals, the floating-point
// environment, the locale, the working folder, descriptors and more.

#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include <stddef.h>

// All of it as text, a line each, for free().  Two that are equal tell that
// nothing has changed between them.
char *process_state(void);

// How many descriptors are open, and how many threads have not begun to end; 0
// where the system does not tell.
size_t process_count_descriptors(void);
size_t process_count_threads(void);

// How many parts of the address space are in use; 0 where the system does not
// tell.
size_t process_count_mappings(void);

#endif
