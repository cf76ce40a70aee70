// SPDX-License-Identifier: GPL-2.0-or-later
//
// Vertices, linedefs and sectors as the stage reads them, from whatever they
// are stored in.

#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <stdint.h>

// A vertex, 16.16.
struct map_vertex {
    int32_t x, y;
};

// The numbers of a linedef's vertices.
struct map_ends {
    uint32_t v1, v2;
};

// What a linedef is like, apart from where it is.
struct map_line {
    uint32_t flags; // of its format; UDMF: NBSTAGE_LINE_TWO_SIDED, ...
    uint32_t special;
    uint32_t tag;          // UDMF: the id, UINT32_MAX for none; Hexen: 0
    uint32_t args[5];      // Hexen and UDMF
    uint32_t front_sector; // or NBSTAGE_NONE
    uint32_t back_sector;
};

struct map_sector {
    int32_t floor, ceiling; // 16.16
    uint32_t special;
    uint32_t tag;
    uint32_t flags; // NBSTAGE_SECTOR_SLOPED, ...
};

#endif
