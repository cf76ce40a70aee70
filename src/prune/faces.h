// SPDX-License-Identifier: GPL-2.0-or-later
//
// The faces of a map: the areas of the plane that its lines bound, and the
// space around them all.  A face agrees if every side around it shows the same
// sector; then all of its area is that sector, in every game.

#ifndef FACES_H
#define FACES_H

#include "base/context.h"
#include "lines/lines.h"
#include "map/arrays.h"
#include "map/attributes.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct faces {
    // Leads from each side to the one that stands for its face: side 2 * i is
    // the front of line i, and 2 * i + 1 its back, also where it has no sidedef
    // there.  All faces that do not agree are one with the space `around`.
    uint32_t *face;
    uint32_t around;

    // Where the half-edge of each side begins; it ends where its other half
    // does.
    struct map_vertex *starts;

    // The blocks of a grid around all lines: block b has the lines
    // block_lines[block_starts[b]] to block_lines[block_starts[b + 1] - 1].
    struct grid grid;
    size_t *block_starts;
    uint32_t *block_lines;

    bool is_early; // it stopped at its work limit, and no face agrees
};

// Finds the faces of the sectors s of a map for which is_asked[s], for
// faces_free.  `lines` are all that the map has.  A face agrees if all sides
// around it, also those of islands in it, have the same sector, which is asked
// for.  It does not if it is the space around the map, or if at a line around
// it something is doubtful: it has no length, one of its ends meets no other
// line, unless lines may end alone, another line crosses it, touches it between
// its ends or covers a part of it.  Lines i with doubtful[i] not 0 are so, too;
// NULL is for none.
// NBSTAGE_OUT_OF_MEMORY; NBSTAGE_OVER_LIMIT: the lines are in more blocks than
// the context's limit.
nbstage_status faces_find(struct context *context, const struct lines *lines,
                          const struct attributes *attributes,
                          const bool *is_asked, const uint8_t *doubtful,
                          bool may_end_alone, struct faces *faces);

void faces_free(struct context *context, struct faces *faces);

// The side of a line, drawn out at both ends, that a point is on, in 16.16 and
// below 2^33 in size: positive to the left, 0 on the line.
int faces_side(const struct fixed_line *line, int64_t x, int64_t y);

// Where a side's half-edge goes: the line, seen from the side.
static inline struct fixed_line faces_half(const struct faces *faces,
                                           size_t side)
{
    const struct map_vertex from = faces->starts[side];
    const struct map_vertex to = faces->starts[side ^ 1];
    return (struct fixed_line){from.x, from.y, to.x, to.y};
}

// Whether the face that a side looks at agrees.
bool faces_agree(const struct faces *faces, size_t side);

#endif
