// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lines ask to be left out of the blockmap, in the convention of their
// format:
//   Doom: tag 999 (ZokumBSP, VigilantBSP, ELFBSP), but only where no line with
//   a special has that tag, which would need it for itself;
//   Hexen: special 108, BSP_SpecialEffects, with a first argument of 1.  ELFBSP
//   has read that argument as "do not add to the blockmap", which is 0 or 1,
//   and also as a turn of the line's segs, with the other one behind it.  Any
//   number but 1 would be a turn, and the line stays;
//   Doom 64: flag bit 28, or both "always show" (bit 8) and "never show" (bit
//   7) on the automap (BSP64 Enhanced, ELFBSP);
//   UDMF has none.

#ifndef TAGGED_H
#define TAGGED_H

#include "map/map.h"

// The first line from `line` on that has what lines ask by; the number of lines
// if there is none.
size_t tagged_next(const struct map *map, size_t line);

// Whether such a line needs it for its special, so that no line of the map asks
// by it.
bool tagged_uses_tag(const struct map *map, size_t line);

#endif
