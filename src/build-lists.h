// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first half of the corridor, from the map to its lists, with what is made
// on the way.

#ifndef WALK_H
#define WALK_H

#include "build.h"

struct walk {
    struct context *context;
    struct map *map;
    const struct stage_options *options;
    struct stage_output *output;

    struct nodes nodes;
    bool nodes_read;
    bool pruned;
    struct lines lines;
};

// Gathers the lines, less those that are left out, which output->pruning tells.
enum status walk_to_lines(struct walk *walk);

// Finds the grid that the options ask for, and its lists.
enum status walk_to_lists(struct walk *walk, struct lists *lists);

// Finds the lists that another grid would have; with STAGE_SOURCE_LUMP there is
// none but that of the lump.
enum status walk_to_other_lists(struct walk *walk,
                                enum grid_placement placement,
                                struct lists *lists);

void walk_free(struct walk *walk);

#endif
