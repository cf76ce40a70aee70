// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first half of the corridor, from the map to its lists, with what is made
// on the way.

#ifndef BUILD_LISTS_H
#define BUILD_LISTS_H

#include "build.h"

struct build {
    struct context *context;
    struct map *map;
    const struct build_options *options;
    struct build_output *output;

    struct nodes nodes;
    bool nodes_read;
    bool pruned;
    struct lines lines;
};

// Gathers the lines, less those that are left out, which output->pruning tells.
nbstage_status build_lines(struct build *build);

// Finds the grid that the options ask for, and its lists.
nbstage_status build_lists(struct build *build, struct lists *lists);

// Finds the lists that another grid would have; with STAGE_SOURCE_LUMP there is
// none but that of the lump.
nbstage_status build_other_lists(struct build *build,
                                 enum grid_placement placement,
                                 struct lists *lists);

void build_free(struct build *build);

#endif
