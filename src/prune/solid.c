// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line is asked first, and the faces only if some line has no reason of its
// own.  The back of a one-sided line is not the map's, so its face is not
// asked.

#include "prune/solid.h"

#include "base/context.h"
#include "lines/lines.h"
#include "map/attributes.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/faces.h"
#include "prune/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Whether a face that a line looks at does not show one sector all round.
static bool solid_is_hidden(const struct attributes *attributes,
                            const struct faces *faces, size_t line)
{
    for (size_t side = 2 * line; side < 2 * line + 2; side++)
        if (attributes_sector(attributes, side) != NBSTAGE_NONE &&
            !faces_agree(faces, side))
            return true;
    return false;
}

static nbstage_status solid_judge(struct context *context,
                                  const struct lines *lines,
                                  const struct attributes *attributes,
                                  struct line_verdict *verdicts)
{
    struct moving moving;
    struct faces faces = {0};
    size_t free_count = 0;
    bool *is_free = NULL;
    nbstage_status status =
        moving_find(context, context->map_name, attributes, &moving);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, attributes->line_count,
                                  sizeof *is_free, &is_free);
    for (size_t i = 0; status == NBSTAGE_OK && i < attributes->line_count;
         i++) {
        const struct map_line *line = &attributes->lines[i];
        verdicts[i] = line_judge(attributes, &moving, i);
        if (line->front_sector == NBSTAGE_NONE &&
            line->back_sector == NBSTAGE_NONE)
            verdicts[i] = (struct line_verdict){LINE_UNKNOWN, 0};
        is_free[i] = verdicts[i].reason == LINE_FREE;
        free_count += is_free[i];
    }
    moving_free(context, &moving);
    if (status == NBSTAGE_OK && free_count > 0)
        status = faces_find(context, lines, attributes, is_free, NULL, &faces);
    for (size_t i = 0; status == NBSTAGE_OK && i < attributes->line_count; i++)
        if (verdicts[i].reason == LINE_FREE &&
            solid_is_hidden(attributes, &faces, i))
            verdicts[i].reason =
                faces.is_early ? LINE_UNKNOWN : LINE_SELF_REFERENCING;
    faces_free(context, &faces);
    context_release(context, is_free);
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
