// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines that ask to be pruned, by the convention of their format:
//   Doom: tag 999 (ZokumBSP, VigilantBSP, ELFBSP), but only if no line with a
//   special has that tag, as it needs the tag for itself;
//   Hexen: special 108, BSP_SpecialEffects, with a first argument of 1.  ELFBSP
//   has read that argument as "do not add to the blockmap", which is 0 or 1,
//   and also as an angle to turn the line's segs by.  Any number but 1 would be
//   an angle, and the line stays;
//   Doom 64: flag bit 28, or both "always show" (bit 8) and "never show" (bit
//   7) on the automap (BSP64 Enhanced, ELFBSP);
//   UDMF has none.

#ifndef TAGGED_H
#define TAGGED_H

#include "map/map.h"

// Marks each tagged line with NBSTAGE_LEFT_OUT_TAGGED in *fates, which is
// allocated for all lines of the map if any is tagged; otherwise it is NULL.
nbstage_status tagged_find(struct context *context, const struct map *map,
                           uint8_t **fates, size_t *count);

#endif
