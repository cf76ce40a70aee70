// SPDX-License-Identifier: GPL-2.0-or-later
//
// A build under way: its steps to the lists, which can be repeated for other
// grids, and its end if the lump is over the limit.

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

// Says by how much the lump misses the limit, and which options would meet it.
// With BUILD_OVERFLOW_EMPTY that is a warning, otherwise NBSTAGE_OVER_LIMIT.
nbstage_status over_limit_fail_or_warn(struct build *build);

void build_free(struct build *build);

#endif
