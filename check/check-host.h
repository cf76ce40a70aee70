// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests of a host: it runs with a stage that misbehaves.

#ifndef CHECK_HOST_H
#define CHECK_HOST_H

#include "check.h"

// Prepares tests of the host with this command line.  If it cannot, it ends the
// program with a sentence, and status 2 if the command is wrong or else 3.
void host_begin(const char *command);

// Removes what host_begin and the tests have made.
void host_end(void);

// Whether there is a host at all; the other tests need what it leaves.
extern const struct test host_load_test;
extern const struct test host_tests[];

#endif
