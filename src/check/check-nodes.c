// SPDX-License-Identifier: GPL-2.0-or-later
//
// A seg lies on its linedef, so the block at each end of the seg must list the
// linedef.

#include "check/check-nodes.h"

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECK_NODES_TOLERANCE = 65536 }; // one map unit in 16.16

static size_t check_nodes_block(const struct grid *grid, int64_t x, int64_t y)
{
    return grid_nearest(y, grid->origin_y, grid->rows) * grid->columns +
           grid_nearest(x, grid->origin_x, grid->columns);
}

// Lower bound: the first of ascending numbers that is at least `number`, or
// `end`.
static const uint32_t *check_nodes_find(const uint32_t *numbers,
                                        const uint32_t *end, uint32_t number)
{
    while (numbers < end) {
        const uint32_t *middle = numbers + (end - numbers) / 2;
        if (*middle < number)
            numbers = middle + 1;
        else
            end = middle;
    }
    return numbers;
}

// Whether a block within the tolerance of a point lists a linedef.
static bool check_nodes_near(const struct map_vertex *point, uint32_t linedef,
                             const struct grid *grid, const struct lists *lists)
{
    for (int corner = 0; corner < 4; corner++) {
        const int64_t east = (corner % 2 * 2 - 1) * CHECK_NODES_TOLERANCE;
        const int64_t north = (corner / 2 * 2 - 1) * CHECK_NODES_TOLERANCE;
        const size_t block =
            check_nodes_block(grid, point->x + east, point->y + north);
        const uint32_t *start =
            check_nodes_find(lists->start, lists->start + lists->list_count,
                             lists->place[block]);
        if (*check_nodes_find(lists->words + start[0] + 1,
                              lists->words + start[1] - 1, linedef) == linedef)
            return true;
    }
    return false;
}

nbstage_status check_nodes(struct context *context, const struct map *map,
                           const struct nodes *nodes, const struct grid *grid,
                           const struct lists *lists, const uint8_t *left_out,
                           struct nodes_check *check)
{
    if (nodes->seg_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "SEGS",
                            "the map has no nodes to check the blockmap "
                            "against; run a node builder first");
    for (size_t i = 0; i < 2 * nodes->seg_count; i++) {
        const struct nodes_seg *seg = &nodes->segs[i / 2];
        struct map_vertex end;
        map_get_vertex(&map->vertices, i % 2 ? seg->v2 : seg->v1, &end);
        if (seg->linedef == NODES_NO_LINEDEF ||
            (left_out && left_out[seg->linedef]))
            continue;
        check->seg_count += i % 2 == 0;
        if (check_nodes_near(&end, seg->linedef, grid, lists))
            continue;
        check->has_failed = true;
        check->seg = i / 2;
        check->linedef = seg->linedef;
        check->block = check_nodes_block(grid, end.x, end.y);
        return context_fail(context, NBSTAGE_BAD_MAP, nodes->lump_name,
                            "seg %zu of linedef %lu ends at %.5f,%.5f, but "
                            "block %zu there does not list the linedef",
                            check->seg, (unsigned long)check->linedef,
                            end.x / 65536.0, end.y / 65536.0, check->block);
    }
    return NBSTAGE_OK;
}
