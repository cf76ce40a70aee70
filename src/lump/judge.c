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

// Whether a linedef is missing in a list, where NULL is none.
static bool expected_is_missing(const struct expected *expected,
                                const struct list_view *view, uint32_t linedef)
{
    return !(view && list_has(view, linedef)) &&
           !expected_leaves_out(expected, linedef);
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

struct judge_work {
    const struct expected *expected;
    const struct blockmap *blockmap;
    struct lump_judgement *judgement;
};

static void judge_list(void *user, size_t block, const struct list_view *view)
{
    const struct judge_work *work = user;
    const struct expected *expected = work->expected;
    const size_t own = expected_block(expected, block);
    size_t extra = view->distinct;
    if (work->blockmap->lists[block].fault != LIST_READABLE)
        return;
    for (size_t e = expected->starts[own]; e < expected->starts[own + 1]; e++) {
        const uint32_t linedef = expected->linedefs[e];
        extra -= list_has_linedef(view, linedef);
        work->judgement->is_missing[e] =
            expected_is_missing(expected, view, linedef);
    }
    work->judgement->extra[block] = extra;
    work->judgement->extra_count += extra;
}

// Marks what is outside the lump's grid, and counts.
static void judge_count_block(const struct judge_work *work, size_t block)
{
    const struct expected *expected = work->expected;
    struct lump_judgement *judgement = work->judgement;
    const bool is_outside = expected_is_outside(
        expected, block, work->blockmap->columns, work->blockmap->rows);
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
                          const struct blockmap *blockmap, size_t line_count,
                          struct lump_judgement *judgement)
{
    struct judge_work work = {expected, blockmap, judgement};
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
    blockmap_read_lists(blockmap, line_count, judge_list, &work);
    for (size_t b = 0; b < expected->block_count; b++)
        judge_count_block(&work, b);
    return NBSTAGE_OK;
}

void judge_free(struct context *context, struct lump_judgement *judgement)
{
    context_release(context, judgement->extra);
    *judgement = (struct lump_judgement){0};
}

// ---------------------------------------------------------------------------
// Headers

// Whether a list begins with a 0 that no block should list: its header.
static bool judge_have_headers(const struct expected *expected,
                               const struct blockmap *blockmap)
{
    bool has_header = false; // so far, of the list that blocks share
    for (size_t i = blockmap->in_table_count; i < blockmap->by_offset_count;
         i++) {
        const size_t block = blockmap->by_offset[i];
        const struct blockmap_list *list = &blockmap->lists[block];
        const size_t begin = expected->starts[expected_block(expected, block)];
        if (i == blockmap->offset_ends[list->offset - 1])
            has_header = list->has_zero && list->fault == LIST_READABLE;
        if (begin < expected->starts[expected_block(expected, block) + 1] &&
            expected->linedefs[begin] == 0)
            has_header = false;
        if (has_header && i + 1 == blockmap->offset_ends[list->offset])
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
                                          size_t line_count, size_t *missing)
{
    struct lump_judgement judgement;
    nbstage_status status =
        judge_lump(context, expected, blockmap, line_count, &judgement);
    *missing = judgement.inside.missing;
    judge_free(context, &judgement);
    return status;
}

nbstage_status judge_headers(struct context *context,
                             const struct expected *expected, size_t line_count,
                             struct blockmap *blockmap)
{
    enum list_header headers = blockmap->headers;
    size_t before, after;
    if (headers == HEADER_ZERO || blockmap->block_count == 0)
        return NBSTAGE_OK;
    if (headers == HEADER_MIXED && !judge_have_headers(expected, blockmap))
        headers = HEADER_NONE;
    nbstage_status status =
        judge_count_missing(context, expected, blockmap, line_count, &before);
    if (status == NBSTAGE_OK && judge_have_words(blockmap)) {
        blockmap_read_as(blockmap, HEADER_ANY);
        status = judge_count_missing(context, expected, blockmap, line_count,
                                     &after);
        if (status == NBSTAGE_OK && after == before)
            headers = HEADER_ANY;
    }
    if (status == NBSTAGE_OK && headers != blockmap->headers)
        blockmap_read_as(blockmap, headers);
    return status;
}
