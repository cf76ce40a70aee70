// SPDX-License-Identifier: GPL-2.0-or-later
//
// The report of a build, declared in build/build.h, through the functions of
// the program that called libglbsp, between a begin and an end.

#ifndef DISPLAY_H
#define DISPLAY_H

#include "glbsp-types.h"

// From now on, reports go to these functions, and `comms` says whether to
// cancel.
void display_begin(const struct glbsp_info *info,
                   const struct glbsp_functions *functions,
                   const volatile struct glbsp_comms *comms);

void display_end(void);

#endif
