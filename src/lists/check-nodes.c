// SPDX-License-Identifier: GPL-2.0-or-later
//
// A seg lies on its linedef, so the linedef is in every block that an end of
// the seg is in.

#include "lists/check-nodes.h"

enum { CHECK_NODES_TOLERANCE = 65536 }; // one map unit in 16.16

// Whether a block's list, which is in ascending order, has a linedef.
static bool check_nodes_block_lists(const struct lists *lists, size_t block,
                                    uint32_t linedef)
{
    const size_t list = lists_number(lists, lists->place[block]);
    size_t low = lists->start[list] + 1;
    const size_t end = lists->start[list + 1] - 1;
    size_t high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lists->words[middle] < linedef)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && lists->words[low] == linedef;
}

// The column or row of a 16.16 coordinate, at least 0 and below `blocks`.
static size_t check_nodes_block(int64_t coordinate, int32_t origin,
                                uint32_t blocks)
{
    int64_t block =
        (coordinate - (int64_t)origin * 65536) / ((int64_t)BLOCK_SIZE * 65536);
    if (coordinate < (int64_t)origin * 65536)
        return 0;
    return block < blocks ? (size_t)block : blocks - 1;
}

// Whether a block within the tolerance of a point lists a linedef.
static bool check_nodes_near(const struct map_vertex *point, uint32_t linedef,
                             const struct grid *grid, const struct lists *lists)
{
    size_t west = check_nodes_block((int64_t)point->x - CHECK_NODES_TOLERANCE,
                                    grid->origin_x, grid->columns);
    size_t east = check_nodes_block((int64_t)point->x + CHECK_NODES_TOLERANCE,
                                    grid->origin_x, grid->columns);
    size_t south = check_nodes_block((int64_t)point->y - CHECK_NODES_TOLERANCE,
                                     grid->origin_y, grid->rows);
    size_t north = check_nodes_block((int64_t)point->y + CHECK_NODES_TOLERANCE,
                                     grid->origin_y, grid->rows);
    for (size_t row = south; row <= north; row++)
        for (size_t column = west; column <= east; column++)
            if (check_nodes_block_lists(lists, row * grid->columns + column,
                                        linedef))
                return true;
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
        const struct map_vertex end =
            nodes_vertex_at(map, nodes, i % 2 ? seg->v2 : seg->v1);
        if (seg->linedef == NODES_NO_LINEDEF ||
            (left_out && seg->linedef < map->line_count &&
             left_out[seg->linedef]))
            continue;
        check->seg = i / 2;
        check->seg_count += i % 2 == 0;
        if (check_nodes_near(&end, seg->linedef, grid, lists))
            continue;
        check->has_failed = true;
        check->linedef = seg->linedef;
        check->block = check_nodes_block(end.y, grid->origin_y, grid->rows) *
                           grid->columns +
                       check_nodes_block(end.x, grid->origin_x, grid->columns);
        return context_fail(context, NBSTAGE_BAD_MAP, nodes->lump_name,
                            "seg %zu of linedef %lu ends at %.5f,%.5f, but "
                            "block %zu there does not list the linedef",
                            check->seg, (unsigned long)check->linedef,
                            end.x / 65536.0, end.y / 65536.0, check->block);
    }
    return NBSTAGE_OK;
}
