// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files that pictures are written to.

#ifndef TARGETS_H
#define TARGETS_H

#include "arguments.h"

// Refuses to write over a file that is read, or two things to one file, under
// whatever names: STATUS_USAGE with a message.
enum exit_status targets_check(const struct arguments *arguments);

#endif
