// SPDX-License-Identifier: GPL-2.0-or-later
//
// The steps from a map to its lists that can be repeated, to try other grids.

#ifndef BUILD_LISTS_H
#define BUILD_LISTS_H

#include "build-options.h"

// A build under way.
struct build {
    struct context *context;
    struct map *map;
    const struct build_options *options;
    struct build_output *output;

    struct nodes nodes;
    bool nodes_read;
    bool pruned; // output->pruning is decided
    struct lines lines;
};

// Gathers the lines, without those that are pruned.
nbstage_status build_lines(struct build *build);

// Makes the lists of a grid.  The coordinates of the lines are used up.
// NBSTAGE_OVER_LIMIT: more blocks or entries than the context's limits.
nbstage_status build_lists(struct build *build, const struct grid *grid,
                           struct lists *lists);

// Reads the lists and output->grid from the map's own lump.
nbstage_status build_own_lists(struct build *build, struct lists *lists);

void build_free(struct build *build);

#endif
