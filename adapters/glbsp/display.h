// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is told of a build through the functions of the program that called
// libglbsp: report.h, between a begin and an end.

#ifndef DISPLAY_H
#define DISPLAY_H

#include "glbsp-types.h"

// Where it is told from now on, and where cancelling is asked for.
void display_begin(const struct glbsp_info *info,
                   const struct glbsp_functions *functions,
                   const volatile struct glbsp_comms *comms);

void display_end(void);

#endif
