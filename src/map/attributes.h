// SPDX-License-Identifier: GPL-2.0-or-later
//
// What lines, sectors and things are like, apart from where they are: flags,
// specials, tags, heights.

#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "base/context.h"
#include "map/arrays.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>

// Bits of the flags of linedefs, Doom's and after it Hexen's.
enum {
    ATTRIBUTES_FLAG_TWO_SIDED = 0x0004,
    ATTRIBUTES_FLAG_BLOCKS_SOUND = 0x0040,
    ATTRIBUTES_FLAG_NEVER_ON_MAP = 0x0080,
    ATTRIBUTES_FLAG_ALWAYS_ON_MAP = 0x0100,

    // Those that say nothing of movement, sight or sound: these two, and those
    // for pegged textures at the top, at the bottom, and for secret lines.
    ATTRIBUTES_FLAGS_HARMLESS = 0x0180 | 0x0008 | 0x0010 | 0x0020,
};

struct attributes {
    uint32_t format; // NBSTAGE_FORMAT_DOOM, ...
    enum map_specials specials;
    struct map_line *lines; // as many as the map has
    size_t line_count;
    const struct map_sector *sectors;
    struct map_sector *own_sectors; // NULL if they are those of the text
    size_t sector_count;
    struct map_thing *things; // none in Doom 64
    size_t thing_count;
    bool has_scripts;
};

// Reads the attributes of a map, for attributes_free.  If some are damaged or
// missing, *are_complete is false, and a message of that level says what is
// wrong first and then `consequence`.  All that could be read is there; sides
// whose sector is in doubt have none.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete);

void attributes_free(struct context *context, struct attributes *attributes);

// The sector of a side, or NBSTAGE_NONE: side 2 * i is the front of line i, and
// 2 * i + 1 its back.
static inline uint32_t attributes_sector(const struct attributes *attributes,
                                         size_t side)
{
    const struct map_line *line = &attributes->lines[side / 2];
    return side % 2 == 0 ? line->front_sector : line->back_sector;
}

// The tag of lines that have none.  In UDMF it is an id, and 0 is one.
static inline uint32_t attributes_no_tag(uint32_t format)
{
    return format == NBSTAGE_FORMAT_UDMF ? UINT32_MAX : 0;
}

#endif
