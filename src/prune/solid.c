// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line is asked first, and the faces only if some line has no reason of its
// own.  A line that ends alone, as those that trigger something often do, has
// one face on both of its sides, and spoils it only if it shows another sector
// there.  The back of a one-sided line is not the map's, so its face is not
// asked.

#include "prune/line.h"

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/faces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static nbstage_status solid_judge(struct context *context,
                                  const struct lines *lines,
                                  const struct attributes *attributes,
                                  struct line_verdict *verdicts)
{
    const size_t count = attributes->line_count;
    struct moving moving;
    struct faces faces = {0};
    size_t free_count = 0;
    bool *is_free = NULL;
    nbstage_status status =
        moving_find(context, context->map_name, attributes, &moving);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, count, sizeof *is_free, &is_free);
    for (size_t i = 0; status == NBSTAGE_OK && i < count; i++) {
        verdicts[i] = line_judge(attributes, &moving, i);
        if (attributes_sector(attributes, 2 * i) == NBSTAGE_NONE &&
            attributes_sector(attributes, 2 * i + 1) == NBSTAGE_NONE)
            verdicts[i] = (struct line_verdict){LINE_UNKNOWN, 0};
        is_free[i] = verdicts[i].reason == LINE_FREE;
        free_count += is_free[i];
    }
    if (status == NBSTAGE_OK && free_count > 0)
        status =
            faces_find(context, lines, attributes, is_free, NULL, true, &faces);
    for (size_t s = 0; status == NBSTAGE_OK && s < 2 * count; s++)
        if (is_free[s / 2] &&
            attributes_sector(attributes, s) != NBSTAGE_NONE &&
            !faces_agree(&faces, s))
            verdicts[s / 2].reason =
                faces.is_early ? LINE_UNKNOWN : LINE_SELF_REFERENCING;
    context_release(context, is_free);
    faces_free(context, &faces);
    moving_free(context, &moving);
    return status;
}

nbstage_status solid_find(struct context *context, struct map *map,
                          const struct lines *lines,
                          struct line_verdict **verdicts)
{
    struct attributes attributes;
    bool are_complete;
    nbstage_status status = attributes_read(context, map, NBSTAGE_LOG_INFO,
                                            "lines that are in doubt are solid",
                                            &attributes, &are_complete);
    if (status != NBSTAGE_OK)
        return status;
    status =
        context_allocate(context, map->line_count, sizeof **verdicts, verdicts);
    if (status == NBSTAGE_OK)
        status = solid_judge(context, lines, &attributes, *verdicts);
    attributes_free(context, &attributes);
    return status;
}

void solid_describe(struct line_verdict verdict, char text[SOLID_TEXT])
{
    static const char *const reasons[] = {
        [LINE_FREE] = "",
        [LINE_ONE_SIDED] = "one-sided",
        [LINE_IMPASSABLE] = "impassable",
        [LINE_SPECIAL] = "special",
        [LINE_STEP] = "a step of",
        [LINE_MOVES] = "its sector may move",
        [LINE_SELF_REFERENCING] = "self-referencing",
        [LINE_UNKNOWN] = "what is beside it is not known",
    };
    if (verdict.reason == LINE_SPECIAL || verdict.reason == LINE_STEP)
        snprintf(text, SOLID_TEXT, "%s %lu", reasons[verdict.reason],
                 (unsigned long)verdict.number);
    else
        snprintf(text, SOLID_TEXT, "%s", reasons[verdict.reason]);
}
