// SPDX-License-Identifier: GPL-2.0-or-later
//
// To tell headers from linedefs, the lump is read both ways.  If skipping the
// first word of every list makes no entry missing, first words are headers.  If
// only some lists begin with a 0, these 0s are linedef 0 when linedef 0 belongs
// in all of those lists.

#include "check/judge.h"

#include "lines/lines.h"

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
    if (blockmap->lists_begin > 0) {
        const int32_t lump_x = blockmap->grid.origin_x;
        const int32_t lump_y = blockmap->grid.origin_y;
        expected->columns = blockmap->grid.columns;
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
    expected->grid = grid_from(x, y, lines, 0);
    expected->block_count = grid_block_count(&expected->grid);
    return context_check_count(context, NULL, expected->block_count, "blocks",
                               BYTES_OF_BLOCK);
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
        {&expected->are_missing, entries.count, sizeof(bool)},
    };
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays, 3);
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

bool expected_misses_solid(const struct expected *expected, size_t block,
                           const struct linedef_set *list)
{
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        if (!(list && linedef_set_has(list, linedef)) &&
            !expected_leaves_out(expected, linedef) &&
            expected_is_solid(expected, linedef))
            return true;
    }
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

// Counts the entries of a list, and marks and counts those that it lacks; NULL
// is a block without one.  A header counts as linedef 0, because engines may
// read it so.
static void judge_block(const struct expected *expected, size_t block,
                        const struct linedef_set *list,
                        struct judge_count *count)
{
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        const bool is_listed = list && linedef_set_has(list, linedef);
        const bool is_header = list && linedef == 0 && list->headers > 0;
        count->listed += is_listed;
        if (is_listed || is_header || expected_leaves_out(expected, linedef))
            continue;
        expected->are_missing[e] = true;
        count->missing++;
        count->solid += expected_is_solid(expected, linedef);
    }
}

struct lump_judgement judge_lump(const struct expected *expected,
                                 const struct blockmap *blockmap)
{
    struct lump_judgement judgement = {0};
    for (size_t e = 0; e < expected->starts[expected->block_count]; e++) {
        expected->are_missing[e] = false;
        judgement.entry_count +=
            !expected_leaves_out(expected, expected->linedefs[e]);
    }
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list list = blockmap_list(blockmap, b);
        if (list.fault)
            continue;
        const struct linedef_set set = blockmap_read_list(blockmap, list.begin);
        judge_block(expected, expected_block(expected, b), &set,
                    &judgement.inside);
        judgement.extra_count += set.count;
    }
    judgement.extra_count -= judgement.inside.listed;
    for (size_t b = 0; b < expected->block_count; b++)
        if (expected_is_outside(expected, b, blockmap->grid.columns,
                                blockmap->grid.rows))
            judge_block(expected, b, NULL, &judgement.outside);
    return judgement;
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
    for (size_t w = blockmap->lists_begin; w < blockmap->word_count; w++) {
        uint32_t at = blockmap->offset_at[w];
        if (at == 0 || blockmap_word(blockmap, w) != 0 ||
            blockmap->ends[w] == blockmap->word_count)
            continue;
        while (at > 0 && !expected_has_0(expected, at - LUMP_HEADER_WORDS))
            at = blockmap->offset_at[at];
        if (at == 0)
            return true;
    }
    return false;
}

// Whether all lists have a first word, and there are some.
static bool judge_have_words(const struct blockmap *blockmap)
{
    bool are_there = false;
    for (size_t w = blockmap->lists_begin; w < blockmap->word_count; w++) {
        if (blockmap->offset_at[w] > 0 && blockmap->ends[w] == w)
            return false;
        are_there |= blockmap->offset_at[w] > 0;
    }
    return are_there;
}

void judge_headers(const struct expected *expected, struct blockmap *blockmap)
{
    enum list_header headers = blockmap->headers;
    if (headers == HEADER_ZERO || blockmap->block_count == 0)
        return;
    if (headers == HEADER_MIXED && !judge_have_headers(expected, blockmap))
        headers = HEADER_NONE;
    const size_t before = judge_lump(expected, blockmap).inside.missing;
    if (judge_have_words(blockmap)) {
        blockmap->headers = HEADER_ANY;
        if (judge_lump(expected, blockmap).inside.missing == before)
            headers = HEADER_ANY;
    }
    blockmap->headers = headers;
}

// ---------------------------------------------------------------------------
// All in one go

nbstage_status judge_missing_solid(struct context *context, struct map *map,
                                   const uint8_t *fates, size_t *count)
{
    struct lines lines = {0};
    struct blockmap blockmap = {0};
    struct line_verdict *verdicts = NULL;
    struct expected expected = {.left_out = fates};
    *count = 0;
    if (map->blockmap.size == 0)
        return NBSTAGE_OK;
    nbstage_status status = lines_gather(context, map, NULL, &lines);
    if (status == NBSTAGE_OK)
        status = blockmap_read(context, map->blockmap.bytes, map->blockmap.size,
                               map->line_count, &blockmap);
    if (blockmap.exceeded_memory > 0)
        status = NBSTAGE_UNSUPPORTED;
    if (status == NBSTAGE_OK)
        status = expected_find(context, &lines, &blockmap, &expected);
    if (status == NBSTAGE_OK)
        status = solid_find(context, map, &lines, &verdicts);
    if (status == NBSTAGE_OK) {
        judge_headers(&expected, &blockmap);
        expected.verdicts = verdicts;
        const struct lump_judgement judgement =
            judge_lump(&expected, &blockmap);
        *count = judgement.inside.solid + judgement.outside.solid;
    }
    expected_free(context, &expected);
    context_release(context, verdicts);
    blockmap_free(context, &blockmap);
    lines_free(context, &lines);
    return status == NBSTAGE_UNSUPPORTED ? NBSTAGE_OK : status;
}
