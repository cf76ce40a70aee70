// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lump is judged by a reading of it, or as it was meant.  Some builders write
// headers other than 0, which look like linedefs.  So if the lists do not all
// begin with a 0, the lump is read both ways: if no entry goes missing when the
// first word of every list is skipped, first words are headers.

#include "check/judge.h"

#include "base/context.h"
#include "check/expected.h"
#include "check/reading.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/games.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// Missing and extra entries

// Counts the entries of a block's list, and marks and counts missing ones;
// `list` is NULL if the block has none.
static void judge_block(const struct expected *expected, size_t block,
                        const struct linedef_set *list, bool finds_0,
                        struct judge_count *count)
{
    for (size_t e = expected->starts[block]; e < expected->starts[block + 1];
         e++) {
        const uint32_t linedef = expected->linedefs[e];
        const bool is_listed = list && linedef_set_has(list, linedef);
        count->listed += is_listed;
        if (is_listed || (finds_0 && linedef == 0) ||
            expected_leaves_out(expected, linedef))
            continue;
        expected->are_missing[e] = true;
        count->missing++;
        count->solid += expected_is_solid(expected, linedef);
    }
}

static void judge_begin(const struct expected *expected,
                        struct lump_judgement *judgement)
{
    for (size_t e = 0; e < expected->starts[expected->block_count]; e++) {
        expected->are_missing[e] = false;
        judgement->entry_count +=
            !expected_leaves_out(expected, expected->linedefs[e]);
    }
}

static void judge_list(const struct expected *expected,
                       const struct blockmap *blockmap, size_t block,
                       size_t begin, bool finds_0,
                       struct lump_judgement *judgement)
{
    const struct linedef_set set = blockmap_read_list(blockmap, begin);
    judge_block(expected, expected_block(expected, block), &set, finds_0,
                &judgement->inside);
    judgement->extra_count += set.count;
}

// Blocks of the lump from column or row `reach` on count as outside.
static void judge_end(const struct expected *expected,
                      const struct blockmap *blockmap, uint32_t reach,
                      struct lump_judgement *judgement)
{
    const struct grid *grid = &blockmap->grid;
    const uint32_t columns = grid->columns < reach ? grid->columns : reach;
    const uint32_t rows = grid->rows < reach ? grid->rows : reach;
    judgement->extra_count -= judgement->inside.listed;
    for (size_t b = 0; b < expected->block_count; b++)
        if (expected_is_outside(expected, b, columns, rows))
            judge_block(expected, b, NULL, false, &judgement->outside);
}

struct lump_judgement judge_lump(const struct expected *expected,
                                 const struct blockmap *blockmap)
{
    struct lump_judgement judgement = {0};
    judge_begin(expected, &judgement);
    for (size_t b = 0; b < blockmap->block_count; b++) {
        const struct blockmap_list list = blockmap_list(blockmap, b);
        if (!list.fault)
            judge_list(expected, blockmap, b, list.begin, false, &judgement);
    }
    judge_end(expected, blockmap, REACH_ALL, &judgement);
    return judgement;
}

struct lump_judgement judge_reading(const struct expected *expected,
                                    const struct blockmap *blockmap,
                                    const struct reading *reading)
{
    struct lump_judgement judgement = {0};
    judge_begin(expected, &judgement);
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (reading_reaches(reading, blockmap, b))
            judge_list(expected, blockmap, b,
                       reading_find_list(reading, blockmap, b),
                       reading->finds_0, &judgement);
    judge_end(expected, blockmap, reading->reach, &judgement);
    return judgement;
}

// ---------------------------------------------------------------------------
// Headers

// Whether there are lists, and none is empty.
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
    if (blockmap->block_count == 0 || blockmap->headers == HEADER_ZERO ||
        !judge_have_words(blockmap))
        return;
    const size_t before = judge_lump(expected, blockmap).inside.missing;
    blockmap->headers = HEADER_ANY;
    if (judge_lump(expected, blockmap).inside.missing > before)
        blockmap->headers = HEADER_NONE;
}

// ---------------------------------------------------------------------------
// The present lump of a map

struct judge_search {
    struct lines lines;
    struct blockmap blockmap;
    struct expected expected;
    struct line_verdict *verdicts;
};

static nbstage_status judge_search_present(struct judge_search *search,
                                           struct context *context,
                                           struct map *map, game_set named,
                                           enum list_header *headers,
                                           size_t *solid, size_t *harmless)
{
    struct blockmap *blockmap = &search->blockmap;
    struct expected *expected = &search->expected;
    struct share left = context->share;
    context_begin_step(context, &left, 1, 2);
    NEED(lines_gather(context, map, NULL, &search->lines));
    NEED(blockmap_read(context, map->blockmap.bytes, map->blockmap.size,
                       map->line_count, blockmap));
    if (blockmap->exceeded_memory > 0)
        return NBSTAGE_UNSUPPORTED;
    NEED(context_progress(context, 1, 2));
    NEED(expected_find(context, &search->lines, blockmap, expected));
    context_begin_step(context, &left, 1, 1);
    NEED(
        line_judge_all(context, map, &search->lines, named, &search->verdicts));
    NEED(context_progress(context, 1, 1));
    judge_headers(expected, blockmap);
    *headers = blockmap->headers;
    expected->verdicts = search->verdicts;
    const struct lump_judgement judgement = judge_lump(expected, blockmap);
    *solid = judge_solid(&judgement);
    *harmless = judge_missing(&judgement) - *solid;
    return NBSTAGE_OK;
}

nbstage_status judge_present(struct context *context, struct map *map,
                             const uint8_t *fates, game_set named,
                             enum list_header *headers, size_t *solid,
                             size_t *harmless)
{
    struct judge_search search = {.expected.left_out = fates};
    *solid = *harmless = 0;
    *headers = HEADER_NONE;
    if (map->blockmap.size == 0)
        return NBSTAGE_OK;
    nbstage_status status = judge_search_present(&search, context, map, named,
                                                 headers, solid, harmless);
    expected_free(context, &search.expected);
    context_release(context, search.verdicts);
    blockmap_free(context, &search.blockmap);
    lines_free(context, &search.lines);
    return status == NBSTAGE_UNSUPPORTED ? NBSTAGE_OK : status;
}
