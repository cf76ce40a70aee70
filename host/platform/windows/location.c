// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kit looks beside the program by itself, so nothing has been moved.

#include "config.h"

#include "platform/location.h"

const char *location_of_stages(void)
{
    return "";
}

const char *location_stage_ending(void)
{
    return ".dll";
}
