// SPDX-License-Identifier: GPL-2.0-or-later
//
// One straight pass from map to lump:
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// Attempts on the same grid share the entries.

#include "attempt.h"

#include "check/check-nodes.h"
#include "merge/merge.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

// Reads the linedefs, then decides which are left out.  With lists=lump only
// check-nodes needs the second.
static nbstage_status attempt_read_lines(struct build *build,
                                         enum grid_placement placement)
{
    struct context *context = build->context;
    const struct build_request *request = build->request;
    const struct lines_mark mark = prune_find_mark(build->map);
    if (request->check_nodes)
        NEED(nodes_read(context, build->map, &build->nodes));
    NEED(lines_gather(context, build->map, &mark, &build->lines));
    const struct grid least = grid_fit(&build->lines);
    build->highest_x = build->lines.max_x;
    build->highest_y = build->lines.max_y;
    build->result->least_distance =
        grid_distance(&least, build->highest_x, build->highest_y);
    if (request->lists == BUILD_LISTS_LUMP && !request->check_nodes)
        return NBSTAGE_OK;
    if (placement == GRID_ID)
        lines_span_vertices(build->map, &build->lines);
    NEED(prune_lines(context, build->map, &build->lines, request->prune,
                     &build->pruning));
    build->lines.left_out = build->pruning.fates;
    return NBSTAGE_OK;
}

// The search meets the limit first, then minimises size.
static nbstage_status attempt_search_grid(struct build *build,
                                          const struct attempt *attempt)
{
    struct build_result *result = build->result;
    const struct search_request request = {
        result->form == LUMP_XBM1             ? LIMIT_NONE
        : build->needs.limit == LIMIT_VANILLA ? LIMIT_VANILLA
                                              : build->present.limit,
        {attempt->mode, build->needs.header}};
    NEED(search_grid(build->context, &build->lines, &request, build->searches,
                     &result->search));
    result->placement = GRID_SEARCH;
    result->grid = result->search.grid;
    if (result->search.is_early)
        context_log(build->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search stopped at the work limit for "
                    "max-memory=%llu; a higher value lets it go on",
                    (unsigned long long)build->context->limits.memory >> 20);
    return NBSTAGE_OK;
}

// Finds the entries of the lines on the grid of an attempt.
static nbstage_status attempt_find_entries(struct build *build,
                                           const struct attempt *attempt)
{
    struct context *context = build->context;
    struct build_result *result = build->result;
    const struct blockmap *present = &build->present.blockmap;
    memcpy(result->pruned, build->pruning.counts, sizeof result->pruned);
    result->least_grid = grid_fit(&build->lines);
    result->placement = attempt->placement;
    result->grid = build->request->grid;
    NEED(grid_choose(context, &build->lines,
                     present->has_grid ? &present->grid : NULL,
                     &result->placement, &result->grid));
    if (attempt->placement == GRID_SEARCH)
        NEED(attempt_search_grid(build, attempt));
    return entries_find(context, &build->lines, &result->grid, &build->entries);
}

// Reads the entries of the present lump.
static nbstage_status attempt_read_entries(struct build *build)
{
    const struct map *map = build->map;
    struct grid *grid = &build->result->grid;
    char *message = build->context->message;
    const nbstage_status status = blockmap_read_entries(
        build->context, map->blockmap.bytes, map->blockmap.size,
        map->line_count, grid, &build->entries);
    const size_t length = strlen(message);
    if (status == NBSTAGE_BAD_MAP)
        snprintf(message + length, CONTEXT_MESSAGE_SIZE - length,
                 "; leave out lists=lump");
    NEED(status);
    build->result->placement = GRID_KEEP;
    build->result->least_grid = *grid;
    return NBSTAGE_OK;
}

nbstage_status attempt_begin(struct build *build, const struct attempt *attempt)
{
    struct share left = build->context->share;
    const bool searches = attempt->placement == GRID_SEARCH;
    attempt_end(build);
    context_begin_step(build->context, &left, 1, searches ? 8 : 2);
    NEED(attempt_read_lines(build, attempt->placement));
    context_begin_step(build->context, &left, 1, 1);
    if (build->request->lists == BUILD_LISTS_EXACT)
        NEED(attempt_find_entries(build, attempt));
    else
        NEED(attempt_read_entries(build));
    lines_free(build->context, &build->lines); // room for the lists
    return NBSTAGE_OK;
}

void attempt_end(struct build *build)
{
    struct context *context = build->context;
    nodes_free(context, &build->nodes);
    lines_free(context, &build->lines);
    prune_free(context, &build->pruning);
    entries_free(context, &build->entries);
}

nbstage_status attempt_make(struct build *build, const struct attempt *attempt,
                            struct lists *lists)
{
    struct context *context = build->context;
    struct build_result *result = build->result;
    struct share left = context->share;
    const struct pack_form form = {attempt->mode, build->needs.header};
    result->check = (struct nodes_check){0};
    context_begin_step(context, &left, 1, 4);
    NEED(lists_build(context, &result->grid, &build->entries, lists));
    if (build->request->check_nodes)
        NEED(check_nodes(context, build->map, &build->nodes, &result->grid,
                         lists, build->pruning.fates, &result->check));
    result->entry_count = lists->entry_count;
    context_begin_step(context, &left, 1, 1);
    context_begin_work(context, context->limits.work / 2);
    if (attempt->merges)
        return merge_lists(context, &result->grid, form.header, attempt->limit,
                           lists);
    return pack_lists(context, form, lists);
}
