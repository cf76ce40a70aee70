// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds missing and extra entries, and gives the verdict.
//
// The judgement marks missing entries, but only counts extra ones.  So the
// lists are read again to collect the extra entries.
//
// Segs are checked against the lists as a build with lists=lump reads them.

#include "config.h"

#include "inspect/inspect.h"

#include "base/context.h"
#include "check/check-nodes.h"
#include "check/judge.h"
#include "common/arguments.h"
#include "inspect/memory.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Findings

static int examine_compare(const void *a, const void *b)
{
    const struct finding *left = a, *right = b;
    if (left->place.y != right->place.y)
        return left->place.y < right->place.y ? -1 : 1;
    if (left->place.x != right->place.x)
        return left->place.x < right->place.x ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

static void examine_find_missing(struct inspect_map *map)
{
    const struct expected *expected = &map->expected;
    const struct grid *grid = &expected->grid;
    struct findings *missing = &map->missing;
    size_t left[] = {MOST_FINDINGS, MOST_FINDINGS}; // harmless, solid
    missing->finding =
        memory_get(2 * (size_t)MOST_FINDINGS, sizeof *missing->finding);
    for (size_t b = 0; b < expected->block_count; b++) {
        const struct lump_place place = {
            (int64_t)grid->origin_x * BLOCKMAP_UNIT +
                (int64_t)(b % grid->columns) * BLOCK_FIXED_SIZE,
            (int64_t)grid->origin_y * BLOCKMAP_UNIT +
                (int64_t)(b / grid->columns) * BLOCK_FIXED_SIZE};
        for (size_t e = expected->starts[b]; e < expected->starts[b + 1]; e++) {
            const uint32_t linedef = expected->linedefs[e];
            const bool is_solid = expected_is_solid(expected, linedef);
            if (!expected->are_missing[e] || left[is_solid] == 0)
                continue;
            left[is_solid]--;
            missing->finding[missing->count++] =
                (struct finding){linedef, is_solid, place};
        }
    }
}

static void examine_find_extra(struct inspect_map *map)
{
    const struct expected *expected = &map->expected;
    const struct blockmap *present = &map->present;
    struct findings *extra = &map->extra;
    const size_t most = map->judgement.extra_count < MOST_FINDINGS
                            ? map->judgement.extra_count
                            : MOST_FINDINGS;
    extra->finding = memory_get(most + map->line_count, sizeof *extra->finding);
    for (size_t b = 0; extra->count < most; b++) {
        const struct blockmap_list list = blockmap_list(present, b);
        const size_t own = expected_block(expected, b);
        if (list.fault)
            continue;
        struct linedef_set set = blockmap_read_list(present, list.begin);
        for (size_t e = expected->starts[own]; e < expected->starts[own + 1];
             e++)
            set.places[expected->linedefs[e]] = UINT32_MAX; // not extra
        for (size_t i = 0; i < set.count; i++)
            if (linedef_set_has(&set, set.linedefs[i]))
                extra->finding[extra->count++] = (struct finding){
                    set.linedefs[i], false, lump_block_place(present, b)};
    }
    qsort(extra->finding, extra->count, sizeof *extra->finding,
          examine_compare);
    extra->count = most;
}

static void examine_lists(struct inspect_file *file, struct inspect_map *map)
{
    if (map->present.lists_begin == 0)
        return;
    map->judgement = judge_lump(&map->expected, &map->present);
    map->missing_count = judge_missing(&map->judgement);
    map->solid_count = judge_solid(&map->judgement);
    if (map->missing_count > 0)
        examine_find_missing(map);
    if (file->arguments->verbose)
        examine_find_extra(map);
}

// ---------------------------------------------------------------------------
// Segs

static nbstage_status examine_read_lists(struct context *context,
                                         const struct inspect_map *map,
                                         struct grid *grid, struct lists *lists)
{
    const struct map_bytes *lump = &map->map.blockmap;
    struct entries entries = {0};
    nbstage_status status = blockmap_read_entries(
        context, lump->bytes, lump->size, map->line_count, grid, &entries);
    if (status == NBSTAGE_OK)
        status = lists_build(context, grid, &entries, lists);
    entries_free(context, &entries);
    return status;
}

struct examine_segs {
    struct nodes nodes;
    struct grid grid;
    struct lists lists;
    struct nodes_check check;
};

static nbstage_status examine_check_segs(struct context *context,
                                         struct inspect_map *map,
                                         struct examine_segs *segs)
{
    NEED(nodes_read(context, &map->map, &segs->nodes));
    NEED(examine_read_lists(context, map, &segs->grid, &segs->lists));
    return check_nodes(context, &map->map, &segs->nodes, &segs->grid,
                       &segs->lists, map->pruned.fates, &segs->check);
}

// Returns a sentence about the first seg in a block that does not list its
// linedef, or about why the segs cannot be checked; NULL if all are good.
static const char *examine_segs(struct inspect_file *file,
                                struct inspect_map *map)
{
    struct context *context = &file->context;
    struct examine_segs segs = {0};
    if (lump_has_unreadable(map))
        return "not all of the lump can be read";
    if (map->present.block_count == 0)
        return "there are no lists";
    inspect_begin(file, map);
    const nbstage_status status = examine_check_segs(context, map, &segs);
    lists_free(context, &segs.lists);
    nodes_free(context, &segs.nodes);
    map->checked_segs = segs.check.seg_count;
    return inspect_end(file, status);
}

// ---------------------------------------------------------------------------
// Verdicts

static enum verify_status examine_status(const struct inspect_map *map)
{
    if (!map->has_expected)
        return VERIFY_FAILED;
    const bool fails_named = map->groups.named && map->groups.wrong_for;
    if (map->present.form == LUMP_EMPTY && !*map->misplaced && !fails_named)
        return VERIFY_EMPTY;
    if (map->groups.wrong_for || map->present.exceeded_memory > 0 ||
        (!map->groups.named && lump_has_unreadable(map)))
        return VERIFY_WRONG;
    return map->groups.miss_any ||
                   (!map->groups.named && map->missing_count > 0)
               ? VERIFY_HARMLESS
               : VERIFY_GOOD;
}

static bool examine_is_rejected(const struct arguments *arguments,
                                const struct inspect_map *map)
{
    if (map->status == VERIFY_WRONG || map->status == VERIFY_FAILED)
        return true;
    if (arguments->strict &&
        (map->status != VERIFY_GOOD || map->judgement.extra_count > 0))
        return true;
    return map->status != VERIFY_EMPTY && map->segs_error;
}

static void examine_find_solid(struct inspect_file *file,
                               struct inspect_map *map)
{
    inspect_begin(file, map);
    const char *sentence = inspect_end(
        file, line_judge_all(&file->context, &map->map, &map->lines,
                             file->options.build.games, &map->solid));
    map->has_expected = !sentence;
    map->expected.verdicts = map->solid;
    if (sentence)
        inspect_fail(file, map, sentence);
}

void inspect_judge(struct inspect_file *file, size_t index,
                   struct inspect_map *map)
{
    const struct arguments *arguments = file->arguments;
    const char *segs_error = NULL;
    inspect_read(file, index, map);
    if (map->has_expected)
        examine_find_solid(file, map);
    places_find(file, index, map);
    groups_find(file, map);
    if (map->has_expected) {
        examine_lists(file, map);
        if (arguments->nodes)
            segs_error = examine_segs(file, map);
    }
    if (segs_error)
        map->segs_error = memory_copy_text(segs_error);
    map->status = examine_status(map);
    map->rejected = examine_is_rejected(arguments, map);
}
