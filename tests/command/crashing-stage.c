// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage that crashes while it is loaded, with the process that loads it.

#include "config.h"

#include <stdlib.h>

__attribute__((__constructor__)) static void crash(void)
{
    abort();
}
