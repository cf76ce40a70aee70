// SPDX-License-Identifier: GPL-2.0-or-later
//
// The diff command: the blockmaps of two files are held against each other,
// map by map.

#ifndef DIFF_H
#define DIFF_H

#include "arguments.h"

enum exit_status diff_run(const struct arguments *arguments,
                          const struct nbstage *stage);

#endif
