// SPDX-License-Identifier: GPL-2.0-or-later
//
// The attributes of a UDMF map.

#ifndef UDMF_ATTRIBUTES_H
#define UDMF_ATTRIBUTES_H

#include "prune/attributes.h"

// Reads lines, sectors and things from the map's text.  Sides and sectors
// that do not exist are NBSTAGE_BAD_MAP.
nbstage_status udmf_attributes_read(struct context *context,
                                    const struct map *map,
                                    struct attributes *attributes);

#endif
