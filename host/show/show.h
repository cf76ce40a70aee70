// SPDX-License-Identifier: GPL-2.0-or-later
//
// The show command: what is in the blockmaps that maps have.

#ifndef SHOW_H
#define SHOW_H

#include "arguments.h"

enum exit_status show_run(const struct arguments *arguments,
                          const struct nbstage *stage);

#endif
