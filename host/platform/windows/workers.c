// SPDX-License-Identifier: GPL-2.0-or-later
//
// No process can be divided on Windows, so files are built one after the other.

#include "config.h"

#include "platform/workers.h"

void workers_run(const struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        work->begin(work->context, i);
        work->end(work->context, i, work->run(work->context, i));
    }
}

size_t workers_count_processors(void)
{
    return 1;
}

bool workers_can_divide(void)
{
    return false;
}
