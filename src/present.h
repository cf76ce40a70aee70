// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the lump that a map has is worth, before it is kept.

#ifndef PRESENT_H
#define PRESENT_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

// Counts the solid entries that the present lump of a map lacks.  Linedefs with
// a fate that is not 0 may be missing; NULL is for none.  *count is 0 if there
// is no lump, or its grid is none that lines can be put on.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT, NBSTAGE_BAD_MAP.
nbstage_status present_count_missing(struct context *context, struct map *map,
                                     const uint8_t *fates, size_t *count);

#endif
