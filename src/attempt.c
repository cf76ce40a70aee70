// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its lump, one way and once:
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// Up to the entries, the way is the same for all attempts at a map.

#include "build.h"

#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "merge/merge.h"

#include <string.h>

// A search tries to meet a limit before size counts.
static nbstage_status attempt_choose_grid(struct build *build,
                                          const struct lines *lines)
{
    struct context *context = build->context;
    const struct search_request request = {
        build->form == LUMP_XBM1              ? LIMIT_NONE
        : build->needs.limit == LIMIT_VANILLA ? LIMIT_VANILLA
                                              : build->present.limit,
        {build->options->pack, build->needs.header}};
    const struct blockmap *present = &build->present.blockmap;
    build->least_grid = grid_fit(lines);
    build->placement = build->options->placement;
    build->grid = build->options->grid;
    nbstage_status status =
        grid_choose(context, lines, present->has_grid ? &present->grid : NULL,
                    &build->placement, &build->grid);
    if (status != NBSTAGE_OK || build->options->placement != GRID_SEARCH)
        return status;
    status = search_grid(context, lines, &request, &build->search);
    build->placement = GRID_SEARCH;
    build->grid = build->search.grid;
    if (status == NBSTAGE_OK && build->search.is_early)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search stopped at its work limit; raise max-memory "
                    "to search on");
    return status;
}

// With the lists of the lump, lines are gathered only for the check, which has
// to know those that are pruned.
nbstage_status attempt_begin(struct build *build)
{
    struct context *context = build->context;
    struct map *map = build->map;
    const struct build_options *options = build->options;
    const struct lines_mark mark = prune_find_mark(map);
    const bool is_exact = options->lists == BUILD_LISTS_EXACT;
    const bool needs_lines = is_exact || options->check_nodes;
    struct lines lines = {0};
    nbstage_status status = NBSTAGE_OK;
    if (options->check_nodes)
        status = nodes_read(context, map, NODES_SEGS, &build->nodes);
    if (status == NBSTAGE_OK && needs_lines)
        status = lines_gather(context, map, &mark, &lines);
    if (status == NBSTAGE_OK && options->placement == GRID_ID)
        lines_span_vertices(map, &lines);
    if (status == NBSTAGE_OK && needs_lines)
        status =
            prune_lines(context, map, &lines, options->prune, &build->pruning);
    lines.left_out = build->pruning.fates;
    if (status == NBSTAGE_OK && is_exact)
        status = attempt_choose_grid(build, &lines);
    if (status == NBSTAGE_OK && is_exact) {
        status = entries_find(context, &lines, &build->grid, &build->entries);
    } else if (status == NBSTAGE_OK) {
        status = blockmap_read_entries(context, map->blockmap.bytes,
                                       map->blockmap.size, map->line_count,
                                       &build->grid, &build->entries);
        build->placement = GRID_KEEP;
        build->least_grid = build->grid;
        memset(build->pruning.counts, 0, sizeof build->pruning.counts);
    }
    lines_free(context, &lines); // room for the lists
    return status;
}

nbstage_status attempt_make(struct build *build, const struct attempt *attempt,
                            struct lists *lists)
{
    struct context *context = build->context;
    const struct pack_form form = {attempt->mode, build->needs.header};
    build->check = (struct nodes_check){0};
    nbstage_status status =
        lists_build(context, &build->grid, &build->entries, lists);
    if (status == NBSTAGE_OK && build->options->check_nodes)
        status = check_nodes(context, build->map, &build->nodes, &build->grid,
                             lists, build->pruning.fates, &build->check);
    build->entry_count = lists->entry_count;
    context_begin_work(context, context->limits.work / 2);
    if (status == NBSTAGE_OK && attempt->merges)
        status = merge_lists(context, &build->grid, form.header, attempt->limit,
                             lists);
    else if (status == NBSTAGE_OK)
        status = pack_lists(context, form, lists);
    if (status != NBSTAGE_OK)
        lists_free(context, lists);
    return status;
}
