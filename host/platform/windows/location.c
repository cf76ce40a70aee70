// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kit looks beside the program by itself, so nothing has been moved.

#include "config.h"

#include "platform/location.h"

#include "platform/file.h"

bool location_is_same(const char *a, const char *b)
{
    struct file_status first, second;
    return file_find(a, &first) && file_find(b, &second) &&
           file_is_same(&first, &second);
}

const char *location_of_stages(void)
{
    return "";
}

const char *location_stage_ending(void)
{
    return ".dll";
}
