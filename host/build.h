// SPDX-License-Identifier: GPL-2.0-or-later
//
// The build command: every map of a WAD goes through the stage, and the
// result is written.

#ifndef BUILD_H
#define BUILD_H

#include "arguments.h"

enum exit_status build_run(const struct arguments *arguments,
                           const struct stage *stage);

#endif
