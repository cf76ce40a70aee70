// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entries come in linedef order, and counting those of each block puts them in
// the order of blocks.
//
// To tell headers from linedefs, the lump is read both ways.  If skipping the
// first word of every list makes no entry missing, first words are headers.  If
// only some lists begin with a 0, these 0s are linedef 0 when linedef 0 belongs
// in all of those lists.

#include "lump/judge.h"

#include "base/context.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// What should be listed

// How many blocks there are from a coordinate to an origin after it.
static uint32_t expected_count_before(int32_t coordinate, int32_t origin)
{
    const int64_t distance = (int64_t)origin - coordinate + BLOCK_SIZE - 1;
    return coordinate < origin ? (uint32_t)(distance / BLOCK_SIZE) : 0;
}

// Chooses the grid: it begins at the lump's origin, or whole blocks before it
// where lines reach further.
static nbstage_status expected_choose_grid(struct context *context,
                                           const struct lines *lines,
                                           const struct blockmap *blockmap,
                                           struct expected *expected)
{
    int32_t x = lines->min_x, y = lines->min_y;
    const char *problem = NULL;
    if (blockmap_has_table(blockmap)) {
        const int32_t lump_x = blockmap->origin_x / BLOCKMAP_UNIT;
        const int32_t lump_y = blockmap->origin_y / BLOCKMAP_UNIT;
        expected->columns = blockmap->columns;
        expected->west = expected_count_before(x, lump_x);
        expected->south = expected_count_before(y, lump_y);
        x = lump_x - (int32_t)expected->west * BLOCK_SIZE;
        y = lump_y - (int32_t)expected->south * BLOCK_SIZE;
        if (blockmap->origin_x % BLOCKMAP_UNIT != 0 ||
            blockmap->origin_y % BLOCKMAP_UNIT != 0)
            problem = "is not in whole map units";
        else if (x < INT16_MIN || y < INT16_MIN)
            problem = "puts lines in blocks that begin outside the coordinates";
    }
    if (problem)
        return context_fail(context, NBSTAGE_UNSUPPORTED, "BLOCKMAP",
                            "the origin %.10g,%.10g %s; the lists cannot be "
                            "checked",
                            (double)blockmap->origin_x / BLOCKMAP_UNIT,
                            (double)blockmap->origin_y / BLOCKMAP_UNIT,
                            problem);
    expected->grid = grid_from(x, y, lines);
    expected->block_count = grid_block_count(&expected->grid);
    return grid_check_limit(context, NULL, &expected->grid);
}

nbstage_status expected_find(struct context *context, const struct lines *lines,
                             const struct blockmap *blockmap,
                             struct expected *expected)
{
    struct entries entries = {0};
    nbstage_status status =
        expected_choose_grid(context, lines, blockmap, expected);
    if (status == NBSTAGE_OK)
        status = entries_find(context, lines, &expected->grid, &entries);
    const struct context_array arrays[] = {
        {&expected->starts, expected->block_count + 2, sizeof(size_t)},
        {&expected->linedefs, entries.count, sizeof(uint32_t)},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        entries_sort(&entries, expected->block_count, expected->starts,
                     expected->linedefs);
    entries_free(context, &entries);
    return status;
}

void expected_free(struct context *context, struct expected *expected)
{
    context_release(context, expected->starts);
    *expected = (struct expected){0};
}

// Whether a linedef is missing in a list, where NULL is none.  A header counts
// as linedef 0, because engines may read it so.
static bool expected_is_missing(const struct expected *expected,
                                const struct list_view *view, uint32_t linedef)
{
    const bool is_there = view && (list_has_linedef(view, linedef) ||
                                   (linedef == 0 && view->has_header));
    return !is_there && !expected_leaves_out(expected, linedef);
}

bool expected_misses_solid(const struct expected *expected, size_t block,
                           const struct list_view *view)
{
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++)
        if (expected_is_missing(expected, view, expected->linedefs[e]) &&
            expected_is_solid(expected, expected->linedefs[e]))
            return true;
    return false;
}

bool expected_is_outside(const struct expected *expected, size_t block,
                         uint64_t columns, uint64_t rows)
{
    const size_t column = block % expected->grid.columns;
    const size_t row = block / expected->grid.columns;
    return column < expected->west || column - expected->west >= columns ||
           row < expected->south || row - expected->south >= rows;
}

// ---------------------------------------------------------------------------
// Missing and extra entries

static void judge_list(const struct expected *expected,
                       const struct list_view *view,
                       struct lump_judgement *judgement)
{
    const size_t block = expected_block(expected, view->block);
    size_t extra = view->distinct;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        extra -= list_has_linedef(view, linedef);
        judgement->is_missing[e] = expected_is_missing(expected, view, linedef);
    }
    judgement->extra[view->block] = extra;
    judgement->extra_count += extra;
}

// Marks what is outside the lump's grid, and counts.
static void judge_count_block(const struct expected *expected, size_t block,
                              bool is_outside, struct lump_judgement *judgement)
{
    struct judge_count *count =
        is_outside ? &judgement->outside : &judgement->inside;
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        if (expected_leaves_out(expected, linedef))
            continue;
        judgement->entry_count++;
        judgement->is_missing[e] |= is_outside;
        count->missing += judgement->is_missing[e];
        count->solid +=
            judgement->is_missing[e] && expected_is_solid(expected, linedef);
    }
}

nbstage_status judge_lump(struct context *context,
                          const struct expected *expected,
                          const struct blockmap *blockmap,
                          struct lump_judgement *judgement)
{
    const struct context_array arrays[] = {
        {&judgement->extra, blockmap->block_count, sizeof(size_t)},
        {&judgement->is_missing, expected->starts[expected->block_count],
         sizeof(bool)},
    };
    *judgement = (struct lump_judgement){0};
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    struct list_view view = list_after_last(blockmap);
    while (list_next(&view))
        if (view.has_end)
            judge_list(expected, &view, judgement);
    for (size_t b = 0; b < expected->block_count; b++)
        judge_count_block(
            expected, b,
            expected_is_outside(expected, b, blockmap->columns, blockmap->rows),
            judgement);
    return NBSTAGE_OK;
}

void judge_free(struct context *context, struct lump_judgement *judgement)
{
    context_release(context, judgement->extra);
    *judgement = (struct lump_judgement){0};
}

// ---------------------------------------------------------------------------
// Headers

// Whether a block of the lump should list linedef 0.
static bool expected_has_0(const struct expected *expected, size_t block)
{
    const size_t *starts = expected->starts + expected_block(expected, block);
    return starts[0] < starts[1] && expected->linedefs[starts[0]] == 0;
}

// Whether a list begins with a 0 that no block should list: its header.
static bool judge_have_headers(const struct expected *expected,
                               const struct blockmap *blockmap)
{
    const struct blockmap_list *lists = blockmap->lists;
    for (size_t w = LUMP_HEADER_WORDS + blockmap->block_count;
         w < blockmap->words.count; w++) {
        uint32_t next = blockmap->first_block[w];
        if (next == 0 || words_get(&blockmap->words, w) != 0 ||
            lists[next - 1].fault != LIST_READABLE)
            continue;
        while (next > 0 && !expected_has_0(expected, next - 1))
            next = lists[next - 1].next;
        if (next == 0)
            return true;
    }
    return false;
}

// Whether all lists have a first word.
static bool judge_have_words(const struct blockmap *blockmap)
{
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (blockmap->lists[b].fault == LIST_READABLE &&
            blockmap->lists[b].begin == blockmap->lists[b].end)
            return false;
    return blockmap->list_count > 0;
}

static nbstage_status judge_count_missing(struct context *context,
                                          const struct expected *expected,
                                          const struct blockmap *blockmap,
                                          size_t *missing)
{
    struct lump_judgement judgement;
    nbstage_status status = judge_lump(context, expected, blockmap, &judgement);
    *missing = judgement.inside.missing;
    judge_free(context, &judgement);
    return status;
}

nbstage_status judge_headers(struct context *context,
                             const struct expected *expected,
                             struct blockmap *blockmap)
{
    enum list_header headers = blockmap->headers;
    size_t before, after;
    if (headers == HEADER_ZERO || blockmap->block_count == 0)
        return NBSTAGE_OK;
    if (headers == HEADER_MIXED && !judge_have_headers(expected, blockmap))
        headers = HEADER_NONE;
    nbstage_status status =
        judge_count_missing(context, expected, blockmap, &before);
    if (status == NBSTAGE_OK && judge_have_words(blockmap)) {
        blockmap_read_as(blockmap, HEADER_ANY);
        status = judge_count_missing(context, expected, blockmap, &after);
        if (status == NBSTAGE_OK && after == before)
            headers = HEADER_ANY;
    }
    if (status == NBSTAGE_OK && headers != blockmap->headers)
        blockmap_read_as(blockmap, headers);
    return status;
}

// ---------------------------------------------------------------------------
// All in one go

nbstage_status judge_missing_solid(struct context *context, struct map *map,
                                   const uint8_t *fates, size_t *count)
{
    const struct map_bytes *lump = &map->blockmap;
    struct nodes nodes = {0};
    struct lines lines = {0};
    struct blockmap blockmap = {0};
    struct line_verdict *verdicts = NULL;
    struct expected expected = {.left_out = fates};
    struct lump_judgement judgement = {0};
    *count = 0;
    if (lump->size == 0)
        return NBSTAGE_OK;
    nbstage_status status = lines_gather(context, map, &nodes, NULL, &lines);
    if (status == NBSTAGE_OK)
        status = blockmap_read(context, lump->bytes, lump->size,
                               map->line_count, 0, &blockmap);
    if (status == NBSTAGE_OK)
        status = expected_find(context, &lines, &blockmap, &expected);
    if (status == NBSTAGE_OK)
        status = judge_headers(context, &expected, &blockmap);
    if (status == NBSTAGE_OK)
        status = solid_find(context, map, &lines, &verdicts);
    expected.verdicts = verdicts;
    if (status == NBSTAGE_OK)
        status = judge_lump(context, &expected, &blockmap, &judgement);
    *count = judgement.inside.solid + judgement.outside.solid;
    judge_free(context, &judgement);
    expected_free(context, &expected);
    context_release(context, verdicts);
    blockmap_free(context, &blockmap);
    lines_free(context, &lines);
    nodes_free(context, &nodes);
    return status == NBSTAGE_UNSUPPORTED ? NBSTAGE_OK : status;
}
