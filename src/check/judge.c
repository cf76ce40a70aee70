// SPDX-License-Identifier: GPL-2.0-or-later
//
// To tell headers from linedefs, the lump is read both ways.  If no entry goes
// missing when the first word of every list is skipped, first words are
// headers.  If only some lists begin with a 0, it is linedef 0 if linedef 0
// belongs in each of these lists.

#include "check/judge.h"

#include "base/context.h"
#include "check/expected.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// Missing and extra entries

// Counts the entries of a block's list, and marks and counts missing ones;
// `list` is NULL if the block has none.  A header of 0 counts as linedef 0,
// because engines may read it so.
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
static bool judge_expects_0(const struct expected *expected, size_t block)
{
    const size_t *starts = expected->starts + expected_block(expected, block);
    return starts[0] < starts[1] && expected->linedefs[starts[0]] == 0;
}

// Whether the 0 that begins some list must be a header: none of the list's
// blocks should list linedef 0.
static bool judge_have_headers(const struct expected *expected,
                               const struct blockmap *blockmap)
{
    for (size_t w = blockmap->lists_begin; w < blockmap->word_count; w++) {
        uint32_t at = blockmap->offset_at[w];
        if (at == 0 || blockmap_word(blockmap, w) != 0 ||
            blockmap->ends[w] == blockmap->word_count)
            continue;
        while (at > 0 && !judge_expects_0(expected, at - LUMP_HEADER_WORDS))
            at = blockmap->offset_at[at];
        if (at == 0)
            return true;
    }
    return false;
}

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
// The present lump of a map

struct judge_search {
    struct lines lines;
    struct blockmap blockmap;
    struct expected expected;
    struct line_verdict *verdicts;
};

static nbstage_status judge_count_solid(struct judge_search *search,
                                        struct context *context,
                                        struct map *map, size_t *count)
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
    NEED(line_judge_all(context, map, &search->lines, &search->verdicts));
    NEED(context_progress(context, 1, 1));
    judge_headers(expected, blockmap);
    expected->verdicts = search->verdicts;
    const struct lump_judgement judgement = judge_lump(expected, blockmap);
    *count = judgement.inside.solid + judgement.outside.solid;
    return NBSTAGE_OK;
}

nbstage_status judge_missing_solid(struct context *context, struct map *map,
                                   const uint8_t *fates, size_t *count)
{
    struct judge_search search = {.expected.left_out = fates};
    *count = 0;
    if (map->blockmap.size == 0)
        return NBSTAGE_OK;
    nbstage_status status = judge_count_solid(&search, context, map, count);
    expected_free(context, &search.expected);
    context_release(context, search.verdicts);
    blockmap_free(context, &search.blockmap);
    lines_free(context, &search.lines);
    return status == NBSTAGE_UNSUPPORTED ? NBSTAGE_OK : status;
}
