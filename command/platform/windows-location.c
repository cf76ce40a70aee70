// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

// The kit searches beside the program.
char *location_add_stages(void)
{
    return NULL;
}

void location_restore_stages(char *before)
{
    (void)before;
}
