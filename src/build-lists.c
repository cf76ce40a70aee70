// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists take the memory of the lines' coordinates, so another grid begins with
// the lines again.  Nodes are read, and pruning is decided, once for a map.

#include "build-lists.h"

#include "lump/lump.h"

static nbstage_status read_nodes(struct build *build, enum nodes_need need)
{
    build->nodes_read = true;
    return nodes_read(build->context, build->map, need, &build->nodes);
}

static nbstage_status prune(struct build *build)
{
    struct pruning *pruning = &build->output->pruning;
    nbstage_status status = NBSTAGE_OK;
    const struct context context = *build->context;
    if (build->is_repeat)
        build->context->log = NULL;
    if (!build->pruned)
        status = prune_lines(build->context, build->map, &build->lines,
                             build->options.prune, pruning);
    build->context->log = context.log;
    build->pruned = true;
    if (status == NBSTAGE_OK && pruning->fates)
        status = lines_leave_out(build->context, pruning->fates, &build->lines);
    return status;
}

// Gathers all lines.  A vertex that the map does not have may be one that the
// node builder added, so the nodes are read when one is missing.
static nbstage_status build_all_lines(struct build *build)
{
    nbstage_status status = NBSTAGE_OK;
    lines_free(build->context, &build->lines);
    if (build->options.check_nodes && !build->nodes_read)
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
    return status;
}

nbstage_status build_lines(struct build *build)
{
    nbstage_status status = build_all_lines(build);
    if (status == NBSTAGE_OK && build->options.bounds == BUILD_BOUNDS_VERTICES)
        lines_span_vertices(build->map, &build->lines);
    return status == NBSTAGE_OK ? prune(build) : status;
}

nbstage_status build_lists(struct build *build, const struct grid *grid,
                           struct lists *lists)
{
    struct entries entries;
    nbstage_status status = grid_check_limit(build->context, NULL, grid);
    if (status == NBSTAGE_OK)
        status = entries_find(build->context, &build->lines, grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    lines_free_coordinates(build->context, &build->lines); // room for the lists
    status = lists_build(build->context, grid, &entries, lists);
    entries_free(build->context, &entries);
    return status;
}

static void warn_of_left_out(const struct build *build, const char *reason)
{
    if (build->map->left_out)
        context_log(build->context, NBSTAGE_LOG_WARNING, NULL,
                    "lines that the host leaves out may stay in the lists, "
                    "because %s",
                    reason);
}

nbstage_status build_own_lists(struct build *build, struct lists *lists)
{
    const struct map *map = build->map;
    build->lines.count = map->line_count;
    build->output->placement = GRID_KEEP;
    warn_of_left_out(build, "lists=lump keeps these as they are");
    return lump_read_lists(build->context, map->blockmap.bytes,
                           map->blockmap.size, map->line_count,
                           &build->output->grid, lists);
}

nbstage_status build_imitated_lists(struct build *build, bool repeats,
                                    struct lists *lists)
{
    const struct build_options *options = &build->options;
    struct build_output *output = build->output;
    nbstage_status status = build_all_lines(build);
    output->placement = GRID_FIT;
    warn_of_left_out(build, "the builder that is imitated lists all lines");
    if (status == NBSTAGE_OK)
        status = builder_make_lists(
            build->context,
            (enum builder_name)(options->lists - BUILD_LISTS_BUILDER), repeats,
            build->map, &build->lines, &output->grid, lists);
    return status;
}

nbstage_status build_lists_again(struct build *build,
                                 enum grid_placement placement,
                                 struct lists *lists)
{
    const struct grid_request request = {.placement = placement};
    struct grid grid = build->output->grid;
    enum grid_placement taken;
    if (build->options.lists == BUILD_LISTS_LUMP)
        return build_own_lists(build, lists);
    if (build_imitates(build->options.lists))
        return build_imitated_lists(build, false, lists);
    nbstage_status status = build_lines(build);
    if (status == NBSTAGE_OK && placement != build->output->placement)
        status = grid_choose(build->context, &request, &build->lines, NULL,
                             &grid, &taken);
    return status == NBSTAGE_OK ? build_lists(build, &grid, lists) : status;
}

void build_free(struct build *build)
{
    lines_free(build->context, &build->lines);
    nodes_free(build->context, &build->nodes);
}
