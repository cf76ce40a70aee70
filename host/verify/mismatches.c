// SPDX-License-Identifier: GPL-2.0-or-later
//
// A walk over the lists of a map tells for each block how many different
// linedefs its list has and, for each true one, whether it has that.  What is
// not there is missing, what is there beside the true ones is extra.
//
// The walk comes to blocks in the order in which their lists are stored.  So it
// only counts, which tells where in the order of blocks the facts of each are,
// and a second one puts them there.  That looks at no more of a list than its
// true linedefs and the extra ones to be named, however long it is.

#include "config.h"

#include "verify/mismatches.h"

#include "memory.h"

#include <stdlib.h>

// The facts of one kind about a block.
struct share {
    size_t count;
    size_t first; // their place among those of all blocks
};

struct comparison {
    const struct open_map *map;
    struct mismatches *mismatches;
    struct share *missing; // for each block
    struct share *extra;

    // For each linedef the last block that it was found to be in, and 1.
    size_t *in_block;
};

// ---------------------------------------------------------------------------
// Counting

static void count_list(void *context, size_t block,
                       const struct list_view *list_view)
{
    struct comparison *comparison = context;
    const struct open_map *map = comparison->map;
    struct blockmap_list expected = expected_list(&map->expected, block);
    size_t missing = 0;
    size_t extra = list_view->distinct;
    if (map->present.lists[block].fault != LIST_READABLE)
        return;
    for (size_t w = expected.begin; w < expected.end; w++) {
        uint32_t linedef = words_get(&map->expected.blockmap.words, w);
        extra -= list_has_linedef(list_view, linedef);
        missing += expected_is_missing(&map->expected, list_view, linedef);
    }
    comparison->missing[block].count = missing;
    comparison->extra[block].count = extra;
}

// Places the facts of each block behind those of the ones before it; returns
// how many there are.
static size_t place(struct share *shares, size_t block_count)
{
    size_t count = 0;
    for (size_t b = 0; b < block_count; b++) {
        shares[b].first = count;
        count += shares[b].count;
    }
    return count;
}

static void add_up(struct comparison *comparison)
{
    struct mismatches *mismatches = comparison->mismatches;
    size_t block_count = comparison->map->present.block_count;
    mismatches->missing_count = place(comparison->missing, block_count);
    mismatches->extra_count = place(comparison->extra, block_count);
    for (size_t b = 0; b < block_count; b++)
        if (comparison->extra[b].count > mismatches->extra_at_worst)
            mismatches->extra_at_worst = comparison->extra[b].count;
}

// ---------------------------------------------------------------------------
// Naming

// Makes room for the first of so many facts.
static void make_room(struct mismatch_list *list, size_t count)
{
    list->count = count < MOST_MISMATCHES ? count : MOST_MISMATCHES;
    list->mismatch = memory_get(list->count, sizeof *list->mismatch);
}

// Puts a fact about a block of the present grid at its place, if there is room.
static void put_fact(const struct comparison *comparison,
                     struct mismatch_list *list, size_t index, size_t block,
                     uint32_t linedef)
{
    uint32_t columns = comparison->map->present.columns;
    if (index < list->count)
        list->mismatch[index] = (struct mismatch){
            (int64_t)(block % columns), (int64_t)(block / columns), linedef};
}

static void name_missing(const struct comparison *comparison, size_t block,
                         const struct list_view *list_view)
{
    const struct open_map *map = comparison->map;
    struct blockmap_list expected = expected_list(&map->expected, block);
    size_t next = comparison->missing[block].first;
    for (size_t w = expected.begin; w < expected.end; w++) {
        uint32_t linedef = words_get(&map->expected.blockmap.words, w);
        if (!expected_is_missing(&map->expected, list_view, linedef))
            continue;
        comparison->mismatches->missing_of[linedef]++;
        put_fact(comparison, &comparison->mismatches->missing, next++, block,
                 linedef);
    }
}

static void name_extra(const struct comparison *comparison, size_t block,
                       const struct list_view *list_view)
{
    const struct open_map *map = comparison->map;
    struct blockmap_list expected = expected_list(&map->expected, block);
    struct mismatch_list *list = &comparison->mismatches->extra;
    size_t next = comparison->extra[block].first;
    size_t end = next + comparison->extra[block].count;
    if (end > list->count)
        end = list->count;
    for (size_t w = expected.begin; w < expected.end; w++)
        comparison->in_block[words_get(&map->expected.blockmap.words, w)] =
            block + 1;
    for (size_t i = 0; next < end; i++) {
        uint32_t linedef = list_linedef_at(list_view, i);
        if (comparison->in_block[linedef] != block + 1)
            put_fact(comparison, list, next++, block, linedef);
    }
}

static void name_list(void *context, size_t block,
                      const struct list_view *list_view)
{
    const struct comparison *comparison = context;
    if (comparison->missing[block].count > 0)
        name_missing(comparison, block, list_view);
    if (comparison->extra[block].count > 0)
        name_extra(comparison, block, list_view);
}

static int compare_facts(const void *a, const void *b)
{
    const struct mismatch *left = a;
    const struct mismatch *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

static void name_all(struct comparison *comparison, bool names_extra)
{
    const struct open_map *map = comparison->map;
    struct mismatches *mismatches = comparison->mismatches;
    make_room(&mismatches->missing, mismatches->missing_count);
    make_room(&mismatches->extra, names_extra ? mismatches->extra_count : 0);
    if (mismatches->missing.count == 0 && mismatches->extra.count == 0)
        return;
    blockmap_read_lists(&map->present, map->line_count, name_list, comparison);
    qsort(mismatches->extra.mismatch, mismatches->extra.count,
          sizeof *mismatches->extra.mismatch, compare_facts);
}

// ---------------------------------------------------------------------------
// Outside the grid

static void count_outside(const struct open_map *map,
                          struct mismatches *mismatches)
{
    for (size_t b = 0; b < map->expected.blockmap.block_count; b++) {
        const struct blockmap_list *list = &map->expected.blockmap.lists[b];
        bool outside = expected_is_outside(
            &map->expected, b, map->present.columns, map->present.rows);
        for (size_t w = list->begin; w < list->end; w++) {
            uint32_t linedef = words_get(&map->expected.blockmap.words, w);
            if (expected_leaves_out(&map->expected, linedef))
                continue;
            mismatches->entry_count++;
            mismatches->outside_count += outside;
            mismatches->missing_of[linedef] += outside;
        }
    }
}

static void name_outside(const struct open_map *map,
                         struct mismatches *mismatches)
{
    const struct blockmap *expected = &map->expected.blockmap;
    struct mismatch_list *list = &mismatches->outside;
    size_t next = 0;
    make_room(list, mismatches->outside_count);
    for (size_t b = 0; b < expected->block_count && next < list->count; b++) {
        int64_t column =
            (int64_t)(b % expected->columns) - (int64_t)map->expected.west;
        int64_t row =
            (int64_t)(b / expected->columns) - (int64_t)map->expected.south;
        size_t w = expected->lists[b].begin;
        if (!expected_is_outside(&map->expected, b, map->present.columns,
                                 map->present.rows))
            continue;
        for (; w < expected->lists[b].end && next < list->count; w++) {
            uint32_t linedef = words_get(&expected->words, w);
            if (!expected_leaves_out(&map->expected, linedef))
                list->mismatch[next++] =
                    (struct mismatch){column, row, linedef};
        }
    }
}

// ---------------------------------------------------------------------------

void mismatches_find(const struct open_map *map, bool names_extra,
                     struct mismatches *mismatches)
{
    size_t blocks = map->present.block_count;
    struct comparison comparison = {
        .map = map,
        .mismatches = mismatches,
        .missing = memory_get(blocks, sizeof *comparison.missing),
        .extra = memory_get(blocks, sizeof *comparison.extra),
        .in_block = memory_get(map->line_count, sizeof *comparison.in_block),
    };
    *mismatches = (struct mismatches){
        .missing_of =
            memory_get(map->line_count, sizeof *mismatches->missing_of),
    };
    blockmap_read_lists(&map->present, map->line_count, count_list,
                        &comparison);
    add_up(&comparison);
    name_all(&comparison, names_extra);
    count_outside(map, mismatches);
    name_outside(map, mismatches);
    free(comparison.missing);
    free(comparison.extra);
    free(comparison.in_block);
}

void mismatches_free(struct mismatches *mismatches)
{
    free(mismatches->missing.mismatch);
    free(mismatches->outside.mismatch);
    free(mismatches->extra.mismatch);
    free(mismatches->missing_of);
    *mismatches = (struct mismatches){0};
}
