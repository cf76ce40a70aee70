// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its BLOCKMAP lump.

#ifndef BUILD_H
#define BUILD_H

#include "build-options.h"

// Builds the lump of a map.  With BUILD_SOURCE_LUMP grid, goal, threads,
// bounds and prune do not matter.  output->bytes is to be freed with
// context_release, output->pruning with prune_free.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output);

#endif
