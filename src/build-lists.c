// SPDX-License-Identifier: GPL-2.0-or-later
//
// From the map to lines, those left out that are to be, to a grid, and to its
// lists; or to the lists of the present lump.  Lines can be gathered again, as
// lists take their memory.

#include "build-lists.h"

#include "lump/read-lump.h"

// ---------------------------------------------------------------------------
// Lines

static enum status read_nodes(struct walk *walk, enum nodes_need need)
{
    walk->nodes_read = true;
    return nodes_read(walk->context, walk->map, need, &walk->nodes);
}

// Leaves out lines as the policy says, which is decided once for a map.
static enum status prune(struct walk *walk)
{
    struct pruning *pruning = &walk->output->pruning;
    enum status status = STATUS_OK;
    if (!walk->pruned)
        status = prune_lines(walk->context, walk->map, &walk->lines,
                             walk->options->prune, pruning);
    walk->pruned = true;
    if (status == STATUS_OK && pruning->fates)
        status = lines_leave_out(walk->context, pruning->fates, &walk->lines);
    return status;
}

// A vertex that the map has not got may be one that the node builder added, so
// the nodes are read when one is missed.
enum status walk_to_lines(struct walk *walk)
{
    enum status status = STATUS_OK;
    lines_free(walk->context, &walk->lines);
    if (walk->options->check_nodes && !walk->nodes_read)
        status = read_nodes(walk, NODES_SEGS);
    if (status == STATUS_OK)
        status =
            lines_gather(walk->context, walk->map, &walk->nodes, &walk->lines);
    if (status == STATUS_BAD_MAP && !walk->nodes_read) {
        status = read_nodes(walk, NODES_VERTICES);
        if (status == STATUS_OK)
            status = lines_gather(walk->context, walk->map, &walk->nodes,
                                  &walk->lines);
    }
    if (status == STATUS_OK && walk->options->bounds == STAGE_BOUNDS_VERTICES)
        lines_span_vertices(walk->map, &walk->lines);
    return status == STATUS_OK ? prune(walk) : status;
}

// ---------------------------------------------------------------------------
// From a grid to its lists

// Uses the lines' coordinates up.
static enum status make_lists(struct walk *walk, const struct grid *grid,
                              struct lists *lists)
{
    struct touches touches;
    enum status status =
        touches_find(walk->context, &walk->lines, grid, &touches);
    if (status != STATUS_OK)
        return status;
    lines_free_coordinates(walk->context, &walk->lines); // room for the lists
    status = lists_build(walk->context, grid, &touches, lists);
    touches_free(walk->context, &touches);
    return status;
}

// ---------------------------------------------------------------------------
// The search

static enum status search(struct walk *walk)
{
    const struct stage_options *options = walk->options;
    const struct search_request request = {
        .goal = options->goal,
        .pack = options->pack,
        .limit = stage_limit_of(options) == STAGE_LIMIT_VANILLA
                     ? SEARCH_VANILLA
                     : SEARCH_EXTENDED,
        .thread_count = options->threads,
    };
    struct search_answer answer;
    // None that is found has fewer blocks.
    const struct grid least =
        grid_from(walk->lines.min_x, walk->lines.min_y, &walk->lines);
    enum status status = grid_check_limit(walk->context, NULL, &least);
    if (status == STATUS_OK)
        status = search_grid(walk->context, &walk->lines, &request, &answer);
    if (status != STATUS_OK)
        return status;
    walk->output->placement = GRID_SEARCH;
    walk->output->grid = answer.grid;
    walk->output->scored_count = answer.scored_count;
    walk->output->built_count = answer.built_count;
    if (answer.is_early)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "the search was ended early, as this map takes too much of "
                    "it; another grid may be better");
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// The present lump

static enum status read_present(struct walk *walk, struct lists *lists)
{
    const struct map *map = walk->map;
    walk->lines.count = map->line_count;
    walk->output->placement = GRID_KEEP;
    return present_read(walk->context, map->blockmap.bytes, map->blockmap.size,
                        map->line_count, &walk->output->grid, lists);
}

static enum status take_present(struct walk *walk, struct lists *lists)
{
    enum grid_placement placement = walk->options->grid.placement;
    if (placement != GRID_AUTO && placement != GRID_KEEP)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the grid of the lump; that of the "
                    "options is not used");
    if (walk->options->prune == PRUNE_INERT)
        context_log(walk->context, LOG_WARNING, "BLOCKMAP",
                    "source=lump keeps the lists of the lump; prune=inert is "
                    "not used");
    // A check has to know which lines may not be there.
    enum status status = STATUS_OK;
    if (walk->options->check_nodes)
        status = walk_to_lines(walk);
    lines_free(walk->context, &walk->lines);
    return status == STATUS_OK ? read_present(walk, lists) : status;
}

// ---------------------------------------------------------------------------
// The grid

static enum status choose_grid(struct walk *walk)
{
    struct stage_output *output = walk->output;
    struct grid present;
    if (walk->options->grid.placement == GRID_SEARCH)
        return search(walk);

    bool has_present = lump_read_grid(walk->map->blockmap.bytes,
                                      walk->map->blockmap.size, &present);
    return grid_choose(walk->context, &walk->options->grid, &walk->lines,
                       has_present ? &present : NULL, &output->grid,
                       &output->placement);
}

// ---------------------------------------------------------------------------

enum status walk_to_lists(struct walk *walk, struct lists *lists)
{
    if (walk->options->source == STAGE_SOURCE_LUMP)
        return take_present(walk, lists);
    enum status status = walk_to_lines(walk);
    if (status == STATUS_OK)
        status = choose_grid(walk);
    if (status == STATUS_OK)
        status = grid_check_limit(walk->context, NULL, &walk->output->grid);
    if (status == STATUS_OK)
        status = make_lists(walk, &walk->output->grid, lists);
    return status;
}

enum status walk_to_other_lists(struct walk *walk,
                                enum grid_placement placement,
                                struct lists *lists)
{
    const struct grid_request request = {.placement = placement};
    struct grid grid = walk->output->grid;
    enum grid_placement taken;
    if (walk->options->source == STAGE_SOURCE_LUMP)
        return read_present(walk, lists);
    enum status status = walk_to_lines(walk);
    if (status == STATUS_OK && placement != walk->output->placement)
        status = grid_choose(walk->context, &request, &walk->lines, NULL, &grid,
                             &taken);
    if (status == STATUS_OK)
        status = grid_check_limit(walk->context, NULL, &grid);
    if (status == STATUS_OK)
        status = make_lists(walk, &grid, lists);
    return status;
}

void walk_free(struct walk *walk)
{
    lines_free(walk->context, &walk->lines);
    nodes_free(walk->context, &walk->nodes);
}
