// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "inspect/findings.h"

#include "lines/grid.h"
#include "lump/blockmap.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>

void findings_add(struct findings *findings, enum finding_kind kind, int64_t x,
                  int64_t y, uint32_t linedef)
{
    if (findings->kept[kind] == MOST_FINDINGS)
        return;
    findings->kept[kind]++;
    if (findings->count == findings->capacity) {
        findings->capacity = 2 * findings->count + 16;
        findings->finding = memory_resize(findings->finding, findings->capacity,
                                          sizeof *findings->finding);
    }
    findings->finding[findings->count++] =
        (struct finding){kind, linedef, x, y};
}

static int findings_compare(const void *a, const void *b)
{
    const struct finding *left = a;
    const struct finding *right = b;
    if (left->y != right->y)
        return left->y < right->y ? -1 : 1;
    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return (left->linedef > right->linedef) - (left->linedef < right->linedef);
}

void findings_sort(struct findings *findings)
{
    if (findings->count > 0)
        qsort(findings->finding, findings->count, sizeof *findings->finding,
              findings_compare);
}

void findings_free(struct findings *findings)
{
    free(findings->finding);
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
