// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds which walls a group of engines misses, and how much of each can be
// crossed.  A wall is a solid linedef that some block should list, but does not
// in the group's reading of the lump.

#include "config.h"

#include "inspect/inspect.h"

#include "check/expected.h"
#include "check/reading.h"
#include "inspect/memory.h"
#include "inspect/pass.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { WALLS_WORK = 256 }; // a step of pass_find in the budget's steps

// ---------------------------------------------------------------------------
// The order of walls

double wall_length(const struct inspect_wall *wall)
{
    const double lengths[] = {[WALL_PLAYERS] = wall->lengths.player,
                              [WALL_MISSILES] = wall->lengths.missile,
                              [WALL_SHOTS] = wall->lengths.shot,
                              [WALL_SLIDES] = 0};
    return lengths[wall->kind];
}

static enum wall_kind wall_find_kind(const struct pass_lengths *lengths)
{
    return lengths->player > 0    ? WALL_PLAYERS
           : lengths->missile > 0 ? WALL_MISSILES
           : lengths->shot > 0    ? WALL_SHOTS
                                  : WALL_SLIDES;
}

static int wall_compare(const void *a, const void *b)
{
    const struct inspect_wall *left = a, *right = b;
    const double length = wall_length(left) - wall_length(right);
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->is_one_sided != right->is_one_sided)
        return left->is_one_sided ? -1 : 1;
    if (length != 0)
        return length > 0 ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

// ---------------------------------------------------------------------------
// The blocks that list each wall

#define NO_WALL UINT32_MAX

struct walls {
    struct inspect_wall *wall;
    size_t count;
    uint32_t *wall_at; // for each linedef, the number of its wall, or NO_WALL
    size_t *starts;    // blocks[starts[w]] to blocks[starts[w + 1] - 1] list w
    uint32_t *blocks;
};

static void walls_add_missing(const struct inspect_map *map,
                              struct walls *walls)
{
    const struct expected *expected = &map->expected;
    const size_t entry_count = expected->starts[expected->block_count];
    for (size_t l = 0; l < map->line_count; l++)
        walls->wall_at[l] = NO_WALL;
    for (size_t e = 0; e < entry_count; e++) {
        const uint32_t linedef = expected->linedefs[e];
        if (!expected->are_missing[e] || walls->wall_at[linedef] != NO_WALL ||
            !expected_is_solid(expected, linedef))
            continue;
        walls->wall_at[linedef] = (uint32_t)walls->count;
        walls->wall[walls->count++] = (struct inspect_wall){
            .linedef = linedef,
            .is_one_sided = map->solid[linedef].reason == LINE_ONE_SIDED};
    }
}

// Adds a block to a wall, or with no `blocks` counts it, for the wall after it.
static void walls_add_block(struct walls *walls, uint32_t linedef, size_t block)
{
    const uint32_t wall = walls->wall_at[linedef];
    if (wall == NO_WALL)
        return;
    if (walls->blocks)
        walls->blocks[walls->starts[wall]++] = (uint32_t)block;
    else
        walls->starts[wall + 1]++;
}

static void walls_visit_lists(struct walls *walls,
                              const struct blockmap *blockmap,
                              const struct reading *reading)
{
    for (size_t b = 0; b < blockmap->block_count; b++) {
        if (!reading_reaches(reading, blockmap, b))
            continue;
        const struct linedef_set set = blockmap_read_list(
            blockmap, reading_find_list(reading, blockmap, b));
        for (size_t i = 0; i < set.count; i++)
            walls_add_block(walls, set.linedefs[i], b);
        if (reading->finds_0 && !linedef_set_has(&set, 0))
            walls_add_block(walls, 0, b);
    }
}

static void walls_find_blocks(struct walls *walls,
                              const struct blockmap *blockmap,
                              const struct reading *reading)
{
    walls_visit_lists(walls, blockmap, reading); // counts
    for (size_t w = 0; w < walls->count; w++)
        walls->starts[w + 1] += walls->starts[w];
    walls->blocks =
        memory_get(walls->starts[walls->count] + 1, sizeof *walls->blocks);
    walls_visit_lists(walls, blockmap, reading); // moves starts to the ends
    for (size_t w = walls->count; w > 0; w--)
        walls->starts[w] = walls->starts[w - 1];
    walls->starts[0] = 0;
}

// ---------------------------------------------------------------------------
// The walls of a group

static void walls_measure(struct walls *walls, const struct inspect_map *map,
                          const struct reading *reading, uint64_t *steps_left)
{
    for (size_t w = 0; w < walls->count; w++) {
        struct inspect_wall *wall = &walls->wall[w];
        wall->lengths = pass_find(
            lines_fixed_at(&map->lines, wall->linedef), &map->present.grid,
            walls->blocks + walls->starts[w],
            walls->starts[w + 1] - walls->starts[w],
            reading->reach == REACH_ALL ? 0 : reading->reach, steps_left);
        wall->kind = wall_find_kind(&wall->lengths);
    }
}

void walls_find(struct inspect_file *file, struct inspect_map *map,
                struct inspect_group *group)
{
    const size_t solid = judge_solid(&group->judgement);
    const size_t most = solid < map->line_count ? solid : map->line_count;
    if (solid == 0)
        return;
    struct walls walls = {
        .wall = memory_get(most, sizeof *walls.wall),
        .wall_at = memory_get(map->line_count, sizeof *walls.wall_at),
        .starts = memory_get(most + 1, sizeof *walls.starts)};
    walls_add_missing(map, &walls);
    walls_find_blocks(&walls, &map->present, &group->reading);
    const uint64_t before = map->groups.steps_left;
    walls_measure(&walls, map, &group->reading, &map->groups.steps_left);
    file->budget.used[BUDGET_STEPS] +=
        (before - map->groups.steps_left) * WALLS_WORK;
    group->are_at_most = map->groups.steps_left == 0;
    qsort(walls.wall, walls.count, sizeof *walls.wall, wall_compare);
    for (size_t w = 0; w < walls.count; w++)
        group->wall_counts[walls.wall[w].kind]++;
    group->walls = walls.wall;
    group->wall_count = walls.count;
    free(walls.wall_at);
    free(walls.starts);
    free(walls.blocks);
}
