// SPDX-License-Identifier: GPL-2.0-or-later
//
// A build under way: its steps to the lists, which can be repeated for other
// grids, and what is done about limits that are not met.

#ifndef BUILD_LISTS_H
#define BUILD_LISTS_H

#include "build-options.h"

// A build under way.
struct build {
    struct context *context;
    struct map *map;
    const struct build_options *asked;
    struct build_options options; // where engines or the map decide, decided
    struct build_output *output;

    size_t tried;                   // choices of options.overflow
    bool may_merge;                 // lists of a lump over the limit
    enum build_overflow over_limit; // what it becomes if nothing helps
    enum lump_limit limit;          // that a classic lump has to meet
    enum lump_limit wanted;         // that the map's own lump seems to meet
    uint64_t own_offset;            // its largest

    struct nodes nodes;
    bool nodes_read;
    bool pruned;    // output->pruning is decided
    bool is_repeat; // what pruning has to say is said
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

// Makes the lists and output->grid that a builder makes.  With `repeats` lists
// have a line twice where the builder's do, so that they are no sets.
nbstage_status build_imitated_lists(struct build *build, bool repeats,
                                    struct lists *lists);

// Makes lists once more, those of the build's grid or of another.
nbstage_status build_lists_again(struct build *build,
                                 enum grid_placement placement,
                                 struct lists *lists);

// Tells the output what the lists came to.
void build_take_area(struct build *build, const struct list_area *area);

// ---------------------------------------------------------------------------
// The map's own lump; see own-lump.c

// Sets build->wanted to the limit that the map's own lump seems to meet by its
// size and its offsets.
void own_lump_want_limit(struct build *build);

// Where the map's own lump meets a limit that the new one does not: nests
// lists, if that meets it.  Otherwise output->lost_limit is set.  Only with
// BUILD_LIMIT_AUTO lists are nested.
nbstage_status own_lump_keep_limit(struct build *build, struct list_area *area);

// With `keeps_smaller`: where the new lump would be larger than the map's own,
// be left empty, or miss a limit that this meets, the output is the map's own.
nbstage_status own_lump_keep(struct build *build);

// ---------------------------------------------------------------------------
// Over the limit; see over-limit.c

// Says by how much the lump misses the limit, and which options would meet it.
// Where it may be empty that is a warning, otherwise NBSTAGE_OVER_LIMIT.
nbstage_status over_limit_fail_or_warn(struct build *build);

// Warns that the lump misses a limit that the map's own meets, and says which
// engines will fail and which options would meet it.
nbstage_status over_limit_warn_of_loss(struct build *build);

void build_free(struct build *build);

#endif
