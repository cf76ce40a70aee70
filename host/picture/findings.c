// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "picture/findings.h"

#include "lines/grid.h"
#include "lump/blockmap.h"
#include "memory.h"
#include "nbstage.h"

#include <math.h>
#include <stdlib.h>

#define WHOLE "<path d=\"M0 0h8v8H0z\" fill=\"currentColor\" fill-opacity="
#define STROKE "<path stroke=\"currentColor\" stroke-width="

const struct finding_style finding_styles[FINDING_KIND_COUNT] = {
    [FINDING_MISSING] = {"missing", "missing", WHOLE "\".6\"/>"},
    [FINDING_HARMLESS] = {"harmless", "missing, harmless",
                          STROKE "\".9\" d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>"},
    [FINDING_EXTRA] = {"extra", "extra",
                       "<path d=\"M0 0h8v8H0z\" fill=\"#fb0\" "
                       "fill-opacity=\".7\"/>" STROKE "\"2\" d=\"M3 4h2\"/>"},
    [FINDING_ONLY_OLD] = {"only-old", "only in the old file",
                          WHOLE "\".25\"/>" STROKE
                                "\"1.6\" d=\"M-1 7l2 2M-1-1l10 10M7-1l2 2\"/>"},
    [FINDING_ONLY_NEW] = {"only-new", "only in the new file",
                          WHOLE "\".25\"/>" STROKE
                                "\"1.6\" d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>"},
    [FINDING_UNREADABLE] = {"unreadable", "unreadable lists",
                            STROKE "\"1\" d=\"M1 1l6 6M7 1l-6 6\"/>"},
};

// Entries are kept as they come and sorted at the end, so that those of a block
// are found by halving.
static void findings_append(struct finding_list *list, struct finding finding)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->count + 16;
        list->finding =
            memory_resize(list->finding, list->capacity, sizeof *list->finding);
    }
    list->finding[list->count++] = finding;
}

void findings_mark_block(struct findings *findings, enum finding_kind kind,
                         int64_t x, int64_t y)
{
    findings_append(&findings->blocks,
                    (struct finding){.kind = kind, .x = x, .y = y});
}

void findings_add(struct findings *findings, enum finding_kind kind, int64_t x,
                  int64_t y, uint32_t linedef)
{
    if (findings->kept[kind] == MOST_FINDINGS)
        return;
    findings->kept[kind]++;
    findings_append(&findings->entries, (struct finding){kind, linedef, x, y});
}

void findings_add_entries(struct findings *findings,
                          const struct findings *others)
{
    for (size_t i = 0; i < others->entries.count; i++) {
        const struct finding *entry = &others->entries.finding[i];
        findings_add(findings, entry->kind, entry->x, entry->y, entry->linedef);
    }
}

void findings_add_unreadable(struct findings *findings, int64_t x, int64_t y)
{
    const enum finding_kind kind = FINDING_UNREADABLE;
    findings_mark_block(findings, kind, x, y);
    findings_add(findings, kind, x, y, NBSTAGE_NONE);
    findings->found[kind]++;
    findings->kinds |= 1u << kind;
}

static int findings_compare(const void *a, const void *b)
{
    const struct finding *left = a;
    const struct finding *right = b;
    if (left->y != right->y)
        return left->y < right->y ? -1 : 1;
    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

void findings_sort(struct findings *findings)
{
    struct finding_list *entries = &findings->entries;
    if (entries->count > 0)
        qsort(entries->finding, entries->count, sizeof *entries->finding,
              findings_compare);
}

void findings_free(struct findings *findings)
{
    free(findings->entries.finding);
    free(findings->blocks.finding);
    *findings = (struct findings){0};
}

// ---------------------------------------------------------------------------
// Pieces

// Liang and Barsky's way of clipping: each axis leaves a part of the linedef,
// from 0 at its start to 1 at its end.
//
// A block does not have its north and east edges.  But the linedef is known to
// be in it, so it does not run along one of these, and all that they could add
// is a point.
struct finding_part {
    double begin, end;
};

// Narrows a part to where one of its coordinates is in a block.
static void finding_narrow(struct finding_part *part, double start,
                           double delta, double low)
{
    if (delta == 0)
        return;
    double first = (low - start) / delta;
    double last = (low + BLOCK_SIZE - start) / delta;
    part->begin = fmax(part->begin, fmin(first, last));
    part->end = fmin(part->end, fmax(first, last));
}

struct finding_piece finding_piece(const struct lines *lines,
                                   const struct finding *finding)
{
    // What is shorter counts as a point.  Between whole coordinates nothing is:
    // two edges cross a linedef in places that are the same, or 1/65536 of a
    // unit apart.
    static const double least_length = 1.0 / (2 * BLOCKMAP_UNIT);
    const struct fixed_line line = lines_fixed_at(lines, finding->linedef);
    const double unit = BLOCKMAP_UNIT;
    const double west = (double)finding->x / unit;
    const double south = (double)finding->y / unit;
    const double x = line.x1 / unit, dx = ((double)line.x2 - line.x1) / unit;
    const double y = line.y1 / unit, dy = ((double)line.y2 - line.y1) / unit;
    struct finding_part part = {.end = 1};
    finding_narrow(&part, x, dx, west);
    finding_narrow(&part, y, dy, south);
    struct finding_piece piece = {
        .length = (part.end - part.begin) * hypot(dx, dy),
        .x1 = x + part.begin * dx,
        .y1 = y + part.begin * dy,
        .x2 = x + part.end * dx,
        .y2 = y + part.end * dy,
    };
    if (piece.length < least_length) {
        piece.length = 0;
        piece.is_corner =
            hypot(piece.x1 - west, piece.y1 - south) < least_length;
    }
    return piece;
}
