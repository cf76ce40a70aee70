// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the specials of lines and sectors can move, as far as pruning wants to
// know.

#ifndef SPECIALS_H
#define SPECIALS_H

#include "prune/attributes.h"

// Whether the special of a line or thing may move sectors that neither border
// on its line nor have its tag.  0 as a tag stands for all sectors without one.
bool special_may_move_any(enum attributes_specials specials, uint32_t special,
                          uint32_t tag);

// Whether a line with the special begins a polyobject, or may.
bool special_makes_polyobject(enum attributes_specials specials,
                              uint32_t special);

// Whether a thing of the type makes slopes.
bool thing_moves_planes(uint32_t type);

// Whether a sector with the special is known to stay as it is.
bool sector_special_is_still(enum attributes_specials specials,
                             uint32_t special);

#endif
