// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its lump, one way and once:
//
//     map -> lines -> grid -> entries -> lists -> pack -> lump
//
// Up to the entries, the way is the same for all attempts at a map.

#include "attempt.h"

#include "lists/lists.h"
#include "lists/merge.h"
#include "lump/blockmap.h"
#include "search/search.h"

// ---------------------------------------------------------------------------
// Lines

// Gathers the lines without those that are pruned.
static nbstage_status attempt_gather_lines(struct attempt_base *base)
{
    struct context *context = base->context;
    struct lines *lines = &base->lines;
    const struct lines_mark mark = prune_find_mark(base->map);
    nbstage_status status = NBSTAGE_OK;
    if (base->check_nodes)
        status = nodes_read(context, base->map, NODES_SEGS, &base->nodes);
    if (status == NBSTAGE_OK)
        status = lines_gather(context, base->map, &base->nodes, &mark, lines);
    if (status == NBSTAGE_OK && base->grid_request.placement == GRID_ID)
        lines_span_vertices(base->map, lines);
    if (status == NBSTAGE_OK)
        status =
            prune_lines(context, base->map, lines, base->prune, &base->pruning);
    if (status == NBSTAGE_OK && base->pruning.fates)
        status = lines_leave_out(context, base->pruning.fates, lines);
    return status;
}

// ---------------------------------------------------------------------------
// The grid

static nbstage_status attempt_choose_grid(struct attempt_base *base,
                                          struct pack_form pack)
{
    struct context *context = base->context;
    const struct map_bytes *lump = &base->map->blockmap;
    const struct search_request request = {base->search_limit, pack};
    struct blockmap blockmap;
    struct grid present;
    base->least_grid = grid_fit(&base->lines);
    blockmap_open(lump->bytes, lump->size, &blockmap);
    const bool is_there = blockmap_get_grid(&blockmap, &present);
    nbstage_status status =
        grid_choose(context, &base->grid_request, &base->lines,
                    is_there ? &present : NULL, &base->grid, &base->placement);
    if (status == NBSTAGE_OK)
        status = grid_check_limit(context, NULL, &base->grid);
    if (status != NBSTAGE_OK || base->grid_request.placement != GRID_SEARCH)
        return status;
    status = search_grid(context, &base->lines, &request, &base->search);
    base->placement = GRID_SEARCH;
    base->grid = base->search.grid;
    if (status == NBSTAGE_OK && base->search.is_early)
        context_log(context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "the search stopped at its work limit; raise max-memory "
                    "to search on");
    return status;
}

// ---------------------------------------------------------------------------
// The entries

// With the lists of the lump, lines are gathered only for the check, which has
// to know those that are pruned.
nbstage_status attempt_begin(struct attempt_base *base, struct pack_form pack)
{
    struct context *context = base->context;
    const struct map_bytes *lump = &base->map->blockmap;
    const bool is_exact = base->lists == ATTEMPT_LISTS_EXACT;
    nbstage_status status = NBSTAGE_OK;
    if (is_exact || base->check_nodes)
        status = attempt_gather_lines(base);
    if (status == NBSTAGE_OK && is_exact)
        status = attempt_choose_grid(base, pack);
    if (status == NBSTAGE_OK && is_exact) {
        status =
            entries_find(context, &base->lines, &base->grid, &base->entries);
    } else if (status == NBSTAGE_OK) {
        base->placement = GRID_KEEP;
        status = lump_read_entries(context, lump->bytes, lump->size,
                                   base->map->line_count, &base->grid,
                                   &base->entries);
        base->least_grid = base->grid;
    }
    lines_free_coordinates(context, &base->lines); // room for the lists
    return status;
}

// ---------------------------------------------------------------------------
// The lump

nbstage_status attempt_make(struct attempt_base *base,
                            const struct attempt *attempt, struct made *made)
{
    struct context *context = base->context;
    struct lists lists = {0};
    *made = (struct made){0};
    base->check = (struct nodes_check){0};
    nbstage_status status =
        lists_build(context, &base->grid, &base->entries, &lists);
    if (status == NBSTAGE_OK && base->check_nodes)
        status = check_nodes(context, base->map, &base->nodes, &base->grid,
                             &lists, base->pruning.fates, &base->check);
    made->entry_count = lists.entry_count;
    if (status == NBSTAGE_OK) {
        context_begin_work(context, context->limits.work / 2);
        status = attempt->merge == LIMIT_NONE
                     ? pack_lists(context, &lists, attempt->pack, &made->area)
                     : merge_lists(context, &base->grid, &lists,
                                   attempt->pack.header, attempt->merge,
                                   &made->area);
    }
    lists_free(context, &lists);
    if (status == NBSTAGE_OK)
        made->measure = lump_measure(&made->area);
    return status;
}

void attempt_end(struct attempt_base *base)
{
    entries_free(base->context, &base->entries);
    lines_free(base->context, &base->lines);
}

void attempt_base_free(struct attempt_base *base)
{
    attempt_end(base);
    nodes_free(base->context, &base->nodes);
    prune_free(base->context, &base->pruning);
}
