// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

// None: the kit searches beside the program anyway.
void location_of_stages(char folders[2 * LOCATION_SIZE])
{
    *folders = '\0';
}
