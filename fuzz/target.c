// SPDX-License-Identifier: GPL-2.0-or-later

#include "target.h"

#include <stdio.h>
#include <stdlib.h>

void target_fail(const char *file, int line, const char *sentence)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, sentence);
    abort();
}
