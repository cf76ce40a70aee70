// SPDX-License-Identifier: GPL-2.0-or-later
//
// The faces of a map: the areas of the plane that its lines bound, and the
// space around the map.  A face agrees if every side around it shows the same
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

// What faces_find is asked.
struct faces_request {
    const struct lines *lines; // all lines of the map
    const struct attributes *attributes;
    const bool *is_asked;    // the sectors whose faces are needed
    const uint8_t *doubtful; // nonzero: the line is doubtful; NULL: none is
    bool allows_dangling;    // dangling ends make no line doubtful
};

struct faces {
    // Union-find parents of the sides: side 2 * i is the front of line i, and
    // 2 * i + 1 its back, also if it has no sidedef.  All faces that do not
    // agree are united with the space around the map, whose root is `around`.
    uint32_t *face;
    uint32_t around;

    // The start of each side's half-edge; it ends where its twin, side ^ 1,
    // starts.
    struct map_vertex *starts;

    // A grid that encloses all lines: block b has the lines
    // block_lines[block_starts[b]] to block_lines[block_starts[b + 1] - 1].
    struct grid grid;
    size_t *block_starts;
    uint32_t *block_lines;

    bool is_early; // the search hit its work limit, and no face agrees
};

// Finds the faces of a map; free them with faces_free, even on failure.  A face
// agrees if all sides around it, including those of islands in it, have the
// same requested sector.  The space around the map does not agree, nor does a
// face with a doubtful line: one of zero length, with a dangling end (unless
// allowed), crossed, touched or overlapped by another line, or doubtful by the
// request.
// NBSTAGE_OUT_OF_MEMORY; NBSTAGE_OVER_LIMIT: the lines have more entries than
// the context allows.
nbstage_status faces_find(struct context *context,
                          const struct faces_request *request,
                          struct faces *faces);

void faces_free(struct context *context, struct faces *faces);

// Tells on which side of the infinite line through `line` a point is, in 16.16
// and below 2^33 in size: positive to the left, 0 on the line.
int faces_side(const struct fixed_line *line, int64_t x, int64_t y);

// A side's half-edge as a directed line.
static inline struct fixed_line faces_half(const struct faces *faces,
                                           size_t side)
{
    const struct map_vertex from = faces->starts[side];
    const struct map_vertex to = faces->starts[side ^ 1];
    return (struct fixed_line){from.x, from.y, to.x, to.y};
}

// Whether the face to the right of a side's half-edge agrees.
bool faces_agree(const struct faces *faces, size_t side);

#endif
