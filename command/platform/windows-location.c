// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/location.h"

// The kit searches beside the program.
void location_add_stages(void)
{
}
