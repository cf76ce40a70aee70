// SPDX-License-Identifier: GPL-2.0-or-later
//
// The faces that lines divide the plane into, found from the lines alone: what
// sectors claim has no part in it.

#ifndef FACES_H
#define FACES_H

#include "prune/line-of-sight.h"

// Sets of numbers, each of which leads to another number of its set or is the
// one that stands for it.
uint32_t faces_find(uint32_t *parents, uint32_t number);
void faces_unite(uint32_t *parents, uint32_t a, uint32_t b);

// Joins the sides that share a face: side 2 * i is the front of line i, and
// 2 * i + 1 its back; the last one is the outside.  `parents` has each side as
// a set.  Lines without length have no face.  Where lines meet other than at an
// end of both, is_doubtful becomes true for their sides.
// All coordinates must be whole.  If sight->work_left ends as 0, the faces are
// not complete.
void faces_join(struct sight *sight, uint32_t *parents, uint8_t *is_doubtful);

// The side that a beam from a point to the west meets first.
uint32_t faces_look_west(struct sight *sight, int32_t x, int32_t y);

// The lines in the block of a point, up to LIST_END; NULL if there is none.
const uint32_t *faces_lines_at(const struct sight *sight, int32_t x, int32_t y);

#endif
