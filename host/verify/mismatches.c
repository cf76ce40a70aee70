// SPDX-License-Identifier: GPL-2.0-or-later
//
// An expected entry that is not in the list of its block is missing.  A list
// has as many extra entries as it has different linedefs beside the expected
// ones.
//
// Lists are read in the order in which they are stored, so the first reading
// only marks missing entries and counts extra ones.  A second reading collects
// the extra entries, no more than are asked for, however long the lists are.

#include "config.h"

#include "verify/mismatches.h"

#include "memory.h"

#include <stdlib.h>

struct mismatch_search {
    const struct open_map *map;
    struct mismatches *mismatches;
    bool *is_missing; // for each word of the expected blockmap

    // For each block how many extra entries it has; later, how many the blocks
    // before it have.
    size_t *extra;

    // For each linedef the last block that should list it, and 1.
    size_t *in_block;
};

// Harmless ones have room of their own, so that they never hide the others.
static void add(struct mismatch_list *list, int64_t column, int64_t row,
                uint32_t linedef, bool is_harmless)
{
    size_t harmful = list->count - list->harmless_count;
    if (!list->mismatch)
        list->mismatch =
            memory_get(2 * MOST_MISMATCHES, sizeof *list->mismatch);
    if ((is_harmless ? list->harmless_count : harmful) == MOST_MISMATCHES)
        return;
    list->mismatch[list->count++] = (struct mismatch){column, row, linedef};
    list->harmless_count += is_harmless;
}

// ---------------------------------------------------------------------------
// Missing entries

static void check_list(void *context, size_t block,
                       const struct list_view *list_view)
{
    struct mismatch_search *search = context;
    const struct open_map *map = search->map;
    struct blockmap_list list = expected_list(&map->expected, block);
    size_t extra = list_view->distinct;
    if (map->present.lists[block].fault != LIST_READABLE)
        return;
    for (size_t w = list.begin; w < list.end; w++) {
        uint32_t linedef = words_get(&map->expected.blockmap.words, w);
        extra -= list_has_linedef(list_view, linedef);
        search->is_missing[w] =
            expected_is_missing(&map->expected, list_view, linedef);
    }
    search->extra[block] = extra;
    search->mismatches->extra.found += extra;
    search->mismatches->in_present[block] = extra > 0 ? MISMATCH_EXTRA : 0;
    if (extra > search->mismatches->extra_at_worst)
        search->mismatches->extra_at_worst = extra;
}

// Collects what is missing of a list that a block of the expected grid has.
static void collect_missing(const struct mismatch_search *search, size_t block)
{
    const struct expected *expected = &search->map->expected;
    const struct blockmap *blockmap = &expected->blockmap;
    const struct blockmap *present = &search->map->present;
    struct mismatches *mismatches = search->mismatches;
    int64_t column =
        (int64_t)(block % blockmap->columns) - (int64_t)expected->west;
    int64_t row =
        (int64_t)(block / blockmap->columns) - (int64_t)expected->south;
    bool is_outside =
        expected_is_outside(expected, block, present->columns, present->rows);
    size_t end = blockmap->lists[block].end;
    for (size_t w = blockmap->lists[block].begin; w < end; w++) {
        uint32_t linedef = words_get(&blockmap->words, w);
        if (expected_leaves_out(expected, linedef))
            continue;
        mismatches->entry_count++;
        if (!is_outside && !search->is_missing[w])
            continue;
        struct mismatch_list *list =
            is_outside ? &mismatches->outside : &mismatches->missing;
        bool is_harmless = expected_is_harmless(expected, linedef);
        list->found++;
        list->harmful += !is_harmless;
        mismatches->in_expected[block] |=
            is_harmless ? MISMATCH_HARMLESS : MISMATCH_HARMFUL;
        add(list, column, row, linedef, is_harmless);
    }
}

// ---------------------------------------------------------------------------
// Extra entries

static void collect_extra(void *context, size_t block,
                          const struct list_view *list_view)
{
    const struct mismatch_search *search = context;
    const struct expected *expected = &search->map->expected;
    uint32_t columns = search->map->present.columns;
    struct blockmap_list list = expected_list(expected, block);
    size_t first = search->extra[block];
    size_t end = search->extra[block + 1];
    if (end > MOST_MISMATCHES)
        end = MOST_MISMATCHES;
    size_t left = first < end ? end - first : 0;
    for (size_t w = list.begin; w < list.end && left > 0; w++)
        search->in_block[words_get(&expected->blockmap.words, w)] = block + 1;
    for (size_t i = 0; left > 0; i++) {
        uint32_t linedef = list_linedef_at(list_view, i);
        if (search->in_block[linedef] == block + 1)
            continue;
        add(&search->mismatches->extra, (int64_t)(block % columns),
            (int64_t)(block / columns), linedef, false);
        left--;
    }
}

static int compare_mismatches(const void *a, const void *b)
{
    const struct mismatch *left = a;
    const struct mismatch *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

static void find_extra(struct mismatch_search *search)
{
    const struct open_map *map = search->map;
    struct mismatch_list *list = &search->mismatches->extra;
    size_t before = 0;
    for (size_t b = 0; b <= map->present.block_count; b++) {
        size_t count = search->extra[b];
        search->extra[b] = before;
        before += count;
    }
    blockmap_read_lists(&map->present, map->line_count, collect_extra, search);
    if (list->count > 0)
        qsort(list->mismatch, list->count, sizeof *list->mismatch,
              compare_mismatches);
}

void mismatches_find(const struct open_map *map, bool names_extra,
                     struct mismatches *mismatches)
{
    const struct blockmap *expected = &map->expected.blockmap;
    struct mismatch_search search = {
        .map = map,
        .mismatches = mismatches,
        .is_missing =
            memory_get(expected->words.count, sizeof *search.is_missing),
        .extra = memory_get(map->present.block_count + 1, sizeof *search.extra),
        .in_block = memory_get(map->line_count, sizeof *search.in_block),
    };
    *mismatches = (struct mismatches){
        .in_expected = memory_get(expected->block_count, 1),
        .in_present = memory_get(map->present.block_count, 1),
    };
    blockmap_read_lists(&map->present, map->line_count, check_list, &search);
    for (size_t b = 0; b < expected->block_count; b++)
        collect_missing(&search, b);
    if (names_extra)
        find_extra(&search);
    free(search.is_missing);
    free(search.extra);
    free(search.in_block);
}

int64_t mismatch_x(const struct open_map *map, const struct mismatch *mismatch)
{
    size_t column = (size_t)(mismatch->column + (int64_t)map->expected.west);
    return (int64_t)blockmap_edge(map->expected.blockmap.origin_x, column);
}

int64_t mismatch_y(const struct open_map *map, const struct mismatch *mismatch)
{
    size_t row = (size_t)(mismatch->row + (int64_t)map->expected.south);
    return (int64_t)blockmap_edge(map->expected.blockmap.origin_y, row);
}

struct clip mismatch_clip(const struct open_map *map,
                          const struct mismatch *mismatch)
{
    return clip_linedef(&map->decoded, mismatch->linedef,
                        (double)mismatch_x(map, mismatch),
                        (double)mismatch_y(map, mismatch));
}

void mismatches_free(struct mismatches *mismatches)
{
    free(mismatches->missing.mismatch);
    free(mismatches->outside.mismatch);
    free(mismatches->extra.mismatch);
    free(mismatches->in_expected);
    free(mismatches->in_present);
    *mismatches = (struct mismatches){0};
}
