// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares the linedefs of a map before and after a node builder, and the other
// blocks of a text that are not reached over linedefs.

#ifndef KEPT_LINES_H
#define KEPT_LINES_H

#include "platform/status.h"
#include "wad/maps.h"
#include "wad/wad.h"

struct map_pair {
    const struct wad *before, *after;
    const struct map_place *map_before, *map_after;
    const char *program; // of the builder
};

// At the first difference that no builder, or not this one, may make returns
// STATUS_MAP_FAILED with a sentence; STATUS_FILE with a message if memory runs
// out.  Takes n log n steps for n linedefs, and n for equal ones in order.
enum exit_status kept_lines_check(const struct map_pair *pair,
                                  char flaw[WAD_FLAW_SIZE]);

#endif
