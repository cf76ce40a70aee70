// SPDX-License-Identifier: GPL-2.0-or-later
//
// From the map to lines, those left out that are to be, to a grid, and to its
// lists; or to the lists of the present lump.  Lines can be gathered again, as
// lists take their memory.

#include "build-lists.h"

#include "lump/lump.h"

// ---------------------------------------------------------------------------
// Lines

static nbstage_status read_nodes(struct build *build, enum nodes_need need)
{
    build->nodes_read = true;
    return nodes_read(build->context, build->map, need, &build->nodes);
}

// Leaves out lines as the policy says, which is decided once for a map.
static nbstage_status prune(struct build *build)
{
    struct pruning *pruning = &build->output->pruning;
    nbstage_status status = NBSTAGE_OK;
    if (!build->pruned)
        status = prune_lines(build->context, build->map, &build->lines,
                             build->options->prune, pruning);
    build->pruned = true;
    if (status == NBSTAGE_OK && pruning->fates)
        status = lines_leave_out(build->context, pruning->fates, &build->lines);
    return status;
}

// A vertex that the map has not got may be one that the node builder added, so
// the nodes are read when one is missed.
nbstage_status build_lines(struct build *build)
{
    nbstage_status status = NBSTAGE_OK;
    lines_free(build->context, &build->lines);
    if (build->options->check_nodes && !build->nodes_read)
        status = read_nodes(build, NODES_SEGS);
    if (status == NBSTAGE_OK)
        status = lines_gather(build->context, build->map, &build->nodes,
                              &build->lines);
    if (status == NBSTAGE_BAD_MAP && !build->nodes_read) {
        status = read_nodes(build, NODES_VERTICES);
        if (status == NBSTAGE_OK)
            status = lines_gather(build->context, build->map, &build->nodes,
                                  &build->lines);
    }
    if (status == NBSTAGE_OK && build->options->bounds == BUILD_BOUNDS_VERTICES)
        lines_span_vertices(build->map, &build->lines);
    return status == NBSTAGE_OK ? prune(build) : status;
}

// ---------------------------------------------------------------------------
// From a grid to its lists

// Uses the lines' coordinates up.
static nbstage_status make_lists(struct build *build, const struct grid *grid,
                                 struct lists *lists)
{
    struct entries entries;
    nbstage_status status =
        entries_find(build->context, &build->lines, grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    lines_free_coordinates(build->context, &build->lines); // room for the lists
    status = lists_build(build->context, grid, &entries, lists);
    entries_free(build->context, &entries);
    return status;
}

// ---------------------------------------------------------------------------
// The search

static nbstage_status search(struct build *build)
{
    const struct build_options *options = build->options;
    const struct search_request request = {
        .goal = options->goal,
        .pack = options->pack,
        .limit = build_limit_of(options) == BUILD_LIMIT_VANILLA
                     ? SEARCH_VANILLA
                     : SEARCH_EXTENDED,
        .thread_count = options->threads,
    };
    struct search_answer answer;
    // None that is found has fewer blocks.
    const struct grid least =
        grid_from(build->lines.min_x, build->lines.min_y, &build->lines);
    nbstage_status status = grid_check_limit(build->context, NULL, &least);
    if (status == NBSTAGE_OK)
        status = search_grid(build->context, &build->lines, &request, &answer);
    if (status != NBSTAGE_OK)
        return status;
    build->output->placement = GRID_SEARCH;
    build->output->grid = answer.grid;
    build->output->scored_count = answer.scored_count;
    build->output->built_count = answer.built_count;
    if (answer.is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search was ended early, as this map takes too much of "
                    "it; another grid may be better");
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The present lump

static nbstage_status read_present(struct build *build, struct lists *lists)
{
    const struct map *map = build->map;
    build->lines.count = map->line_count;
    build->output->placement = GRID_KEEP;
    return lump_read_lists(build->context, map->blockmap.bytes,
                           map->blockmap.size, map->line_count,
                           &build->output->grid, lists);
}

static nbstage_status take_present(struct build *build, struct lists *lists)
{
    enum grid_placement placement = build->options->grid.placement;
    if (placement != GRID_AUTO && placement != GRID_KEEP)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the grid of the lump; that of the "
                    "options is not used");
    if (build->options->prune == PRUNE_INERT)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the lists of the lump; prune=inert is "
                    "not used");
    // A check has to know which lines may not be there.
    nbstage_status status = NBSTAGE_OK;
    if (build->options->check_nodes)
        status = build_lines(build);
    lines_free(build->context, &build->lines);
    return status == NBSTAGE_OK ? read_present(build, lists) : status;
}

// ---------------------------------------------------------------------------
// The grid

static nbstage_status choose_grid(struct build *build)
{
    struct build_output *output = build->output;
    struct grid present;
    if (build->options->grid.placement == GRID_SEARCH)
        return search(build);

    bool has_present = lump_read_grid(build->map->blockmap.bytes,
                                      build->map->blockmap.size, &present);
    return grid_choose(build->context, &build->options->grid, &build->lines,
                       has_present ? &present : NULL, &output->grid,
                       &output->placement);
}

// ---------------------------------------------------------------------------

nbstage_status build_lists(struct build *build, struct lists *lists)
{
    if (build->options->source == BUILD_SOURCE_LUMP)
        return take_present(build, lists);
    nbstage_status status = build_lines(build);
    if (status == NBSTAGE_OK)
        status = choose_grid(build);
    if (status == NBSTAGE_OK)
        status = grid_check_limit(build->context, NULL, &build->output->grid);
    if (status == NBSTAGE_OK)
        status = make_lists(build, &build->output->grid, lists);
    return status;
}

nbstage_status build_other_lists(struct build *build,
                                 enum grid_placement placement,
                                 struct lists *lists)
{
    const struct grid_request request = {.placement = placement};
    struct grid grid = build->output->grid;
    enum grid_placement taken;
    if (build->options->source == BUILD_SOURCE_LUMP)
        return read_present(build, lists);
    nbstage_status status = build_lines(build);
    if (status == NBSTAGE_OK && placement != build->output->placement)
        status = grid_choose(build->context, &request, &build->lines, NULL,
                             &grid, &taken);
    if (status == NBSTAGE_OK)
        status = grid_check_limit(build->context, NULL, &grid);
    if (status == NBSTAGE_OK)
        status = make_lists(build, &grid, lists);
    return status;
}

void build_free(struct build *build)
{
    lines_free(build->context, &build->lines);
    nodes_free(build->context, &build->nodes);
}
