// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its lump, one way and once:
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// Lists take the memory of the lines' coordinates, so each attempt begins with
// the map.  Nodes are read, pruning is decided and the grid is chosen once.

#include "attempt.h"

#include "base/context.h"
#include "lines/entries.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/merge.h"
#include "map/map.h"
#include "search/search.h"

// ---------------------------------------------------------------------------
// Lines

static nbstage_status attempt_read_nodes(struct attempt_base *base,
                                         enum nodes_need need)
{
    base->has_nodes = true;
    return nodes_read(base->context, base->map, need, &base->nodes);
}

// Gathers all lines.  A vertex that the map does not have may be one that the
// node builder added, so the nodes are read when one is missing.
static nbstage_status attempt_gather_all(struct attempt_base *base,
                                         struct lines *lines)
{
    nbstage_status status = NBSTAGE_OK;
    if (base->check_nodes && !base->has_nodes)
        status = attempt_read_nodes(base, NODES_SEGS);
    if (status == NBSTAGE_OK)
        status = lines_gather(base->context, base->map, &base->nodes, lines);
    if (status != NBSTAGE_BAD_MAP || base->has_nodes)
        return status;
    status = attempt_read_nodes(base, NODES_VERTICES);
    return status == NBSTAGE_OK
               ? lines_gather(base->context, base->map, &base->nodes, lines)
               : status;
}

// Gathers the lines without those that are pruned.  They are to be freed, also
// on failure.
static nbstage_status attempt_gather_lines(struct attempt_base *base,
                                           enum prune_policy policy,
                                           struct lines *lines)
{
    struct pruning *pruning = &base->pruning;
    *lines = (struct lines){0};
    nbstage_status status = attempt_gather_all(base, lines);
    if (status == NBSTAGE_OK && base->grid_request.placement == GRID_ID)
        lines_span_vertices(base->map, lines);
    if (status == NBSTAGE_OK && !base->has_pruning) {
        status = prune_lines(base->context, base->map, lines, policy, pruning);
        base->has_pruning = true;
    }
    if (status == NBSTAGE_OK && pruning->fates)
        status = lines_leave_out(base->context, pruning->fates, lines);
    return status;
}

// ---------------------------------------------------------------------------
// The grid

static nbstage_status attempt_search_grid(struct attempt_base *base,
                                          const struct attempt *attempt,
                                          const struct lines *lines)
{
    const struct search_request request = {.limit = base->search_limit,
                                           .pack = attempt->pack};
    struct search_answer answer;
    nbstage_status status =
        grid_check_limit(base->context, NULL, &base->least_grid);
    if (status == NBSTAGE_OK)
        status = search_grid(base->context, lines, &request, &answer);
    if (status != NBSTAGE_OK)
        return status;
    base->placement = GRID_SEARCH;
    base->grid = answer.grid;
    base->scored_count = answer.scored_count;
    base->built_count = answer.built_count;
    if (answer.is_early)
        context_log(base->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search stopped at its work limit; raise max-memory "
                    "to search on");
    return NBSTAGE_OK;
}

static nbstage_status attempt_choose_grid(struct attempt_base *base,
                                          const struct attempt *attempt,
                                          const struct lines *lines)
{
    const struct map_bytes *lump = &base->map->blockmap;
    struct grid present;
    if (base->grid.columns > 0)
        return NBSTAGE_OK;
    base->least_grid = grid_fit(lines);
    if (base->grid_request.placement == GRID_SEARCH)
        return attempt_search_grid(base, attempt, lines);
    const bool is_there = lump_read_grid(lump->bytes, lump->size, &present);
    nbstage_status status =
        grid_choose(base->context, &base->grid_request, lines,
                    is_there ? &present : NULL, &base->grid, &base->placement);
    return status == NBSTAGE_OK
               ? grid_check_limit(base->context, NULL, &base->grid)
               : status;
}

// ---------------------------------------------------------------------------
// The lists of the map's own lump

static nbstage_status attempt_read_lists(struct attempt_base *base,
                                         struct lists *lists)
{
    const struct map *map = base->map;
    base->placement = GRID_KEEP;
    nbstage_status status =
        lump_read_lists(base->context, map->blockmap.bytes, map->blockmap.size,
                        map->line_count, &base->grid, lists);
    base->least_grid = base->grid;
    return status;
}

// ---------------------------------------------------------------------------
// All of it

// With the lists of the lump, lines are gathered only for the check, which has
// to know those that are pruned.
nbstage_status attempt_make(struct attempt_base *base,
                            const struct attempt *attempt, struct made *made)
{
    struct context *context = base->context;
    const bool is_exact = attempt->lists == ATTEMPT_LISTS_EXACT;
    struct lines lines = {0};
    struct entries entries = {0};
    struct lists lists = {0};
    nbstage_status status = NBSTAGE_OK;
    *made = (struct made){0};
    if (is_exact || base->check_nodes)
        status = attempt_gather_lines(base, attempt->prune, &lines);
    if (status == NBSTAGE_OK && is_exact)
        status = attempt_choose_grid(base, attempt, &lines);
    if (status == NBSTAGE_OK && is_exact)
        status = entries_find(context, &lines, &base->grid, &entries);
    lines_free_coordinates(context, &lines); // room for the lists
    if (status == NBSTAGE_OK)
        status = is_exact ? lists_build(context, &base->grid, &entries, &lists)
                          : attempt_read_lists(base, &lists);
    entries_free(context, &entries);
    lines_free(context, &lines);
    base->check = (struct nodes_check){0};
    if (status == NBSTAGE_OK && base->check_nodes)
        status = check_nodes(context, base->map, &base->nodes, &base->grid,
                             &lists, base->pruning.fates, &base->check);
    made->entry_count = lists.entry_count;
    if (status == NBSTAGE_OK) {
        context_begin_work(context, context->limits.work / 2);
        status = merge_pack(context, &base->grid, &lists, attempt->pack,
                            attempt->merge, &made->area);
    }
    lists_free(context, &lists);
    if (status == NBSTAGE_OK)
        made->measure = lump_measure(&made->area);
    return status;
}

void attempt_base_free(struct attempt_base *base)
{
    nodes_free(base->context, &base->nodes);
    prune_free(base->context, &base->pruning);
}
