// SPDX-License-Identifier: GPL-2.0-or-later
//
// The way of verify, in one go: lines, lists, what they should be, and which of
// the lines are solid.

#include "build.h"

#include "base/context.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/judge.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"
#include "prune/line.h"

#include <stddef.h>
#include <stdint.h>

nbstage_status present_count_missing(struct context *context, struct map *map,
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
