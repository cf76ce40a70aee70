// SPDX-License-Identifier: GPL-2.0-or-later
//
// A blockmap as ZDBSP makes it, in words of our own: what the stage has to beat
// in a builder.

#ifndef PLAIN_H
#define PLAIN_H

#include "nbstage.h"

// The words of a BLOCKMAP, to be freed.  `map` has arrays of whole coordinates
// in NBSTAGE_FORM_32; `bounds` are its least and greatest x and y, in map
// units, which ZDBSP knows beforehand.
struct plain_lump {
    uint16_t *words;
    size_t count;
};
struct plain_lump plain_build(const struct nbstage_map *map,
                              const int bounds[4]);

#endif
