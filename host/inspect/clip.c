// SPDX-License-Identifier: GPL-2.0-or-later
//
// Liang and Barsky's way of clipping: each axis leaves a part of the linedef,
// from 0 at its start to 1 at its end.
//
// A block does not have its north and east edges.  But the linedef is known to
// be in it, so it does not run along one of these, and all that they could add
// is a point.

#include "config.h"

#include "inspect/clip.h"

#include "lump/blockmap.h"

#include <math.h>

// What is shorter counts as a point.  Between whole coordinates nothing is: two
// edges cross a linedef in places that are the same, or 1/65536 of a unit
// apart.
static const double least_length = 1.0 / (2 * BLOCKMAP_UNIT);

struct part {
    double x, y; // the start of the linedef
    double dx, dy;
    double begin, end;
};

static struct part clip_whole(const struct lines *lines, size_t linedef)
{
    const struct fixed_line line = lines_fixed_at(lines, linedef);
    const double unit = BLOCKMAP_UNIT;
    return (struct part){.x = line.x1 / unit,
                         .y = line.y1 / unit,
                         .dx = ((double)line.x2 - line.x1) / unit,
                         .dy = ((double)line.y2 - line.y1) / unit,
                         .end = 1};
}

// Narrows a part to where one of its coordinates is in a block.
static void clip_narrow(struct part *part, double start, double delta,
                        double low)
{
    if (delta == 0)
        return;
    double first = (low - start) / delta;
    double last = (low + BLOCKMAP_SIDE - start) / delta;
    part->begin = fmax(part->begin, fmin(first, last));
    part->end = fmin(part->end, fmax(first, last));
}

struct clip clip_linedef(const struct lines *lines, size_t linedef, double x,
                         double y)
{
    struct part part = clip_whole(lines, linedef);
    clip_narrow(&part, part.x, part.dx, x);
    clip_narrow(&part, part.y, part.dy, y);
    struct clip clip = {
        .length = (part.end - part.begin) * hypot(part.dx, part.dy),
        .x1 = part.x + part.begin * part.dx,
        .y1 = part.y + part.begin * part.dy,
        .x2 = part.x + part.end * part.dx,
        .y2 = part.y + part.end * part.dy,
    };
    if (clip.length < least_length) {
        clip.length = 0;
        clip.is_corner = hypot(clip.x1 - x, clip.y1 - y) < least_length;
    }
    return clip;
}

double clip_length(const struct lines *lines, size_t linedef)
{
    struct part part = clip_whole(lines, linedef);
    return hypot(part.dx, part.dy);
}
