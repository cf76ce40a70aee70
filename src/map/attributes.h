// SPDX-License-Identifier: GPL-2.0-or-later
//
// Attributes of lines, sectors and things: flags, specials, tags, heights.

#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "base/context.h"
#include "map/arrays.h"
#include "map/map.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stdint.h>

// Flag bits of linedefs: Doom's, then Hexen's.
enum {
    ATTRIBUTES_FLAG_TWO_SIDED = 0x0004,
    ATTRIBUTES_FLAG_BLOCKS_SOUND = 0x0040,
    ATTRIBUTES_FLAG_NEVER_ON_MAP = 0x0080,
    ATTRIBUTES_FLAG_ALWAYS_ON_MAP = 0x0100,

    // Flags that affect only drawing and the automap: these two, unpegged upper
    // and lower textures, and secret lines.
    ATTRIBUTES_FLAGS_HARMLESS = 0x0180 | 0x0008 | 0x0010 | 0x0020,
};

struct attributes {
    uint32_t format; // NBSTAGE_FORMAT_DOOM, ...
    enum map_specials specials;
    struct map_line *lines; // as many as the map has
    size_t line_count;
    const struct map_sector *sectors;
    struct map_sector *own_sectors; // NULL: `sectors` belong to the map's text
    size_t sector_count;
    struct map_thing *things; // none in Doom 64
    size_t thing_count;
    bool has_scripts;
};

// Reads the attributes of a map, for attributes_free.  If some are damaged or
// missing, *are_complete is false, and a message at `level` names the first
// error, then `consequence`.  Attributes read before the error are kept; sides
// whose sector is unknown have none.
// NBSTAGE_BAD_MAP: an array of the host refers to what does not exist.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete);

void attributes_free(struct context *context, struct attributes *attributes);

// The sector of a side, or MAP_NONE: side 2 * i is the front of line i, and
// 2 * i + 1 its back.
static inline uint32_t attributes_sector(const struct attributes *attributes,
                                         size_t side)
{
    const struct map_line *line = &attributes->lines[side / 2];
    return side % 2 == 0 ? line->front_sector : line->back_sector;
}

// The tag of lines without one.  UDMF has ids instead, and 0 is a valid id.
static inline uint32_t attributes_no_tag(uint32_t format)
{
    return format == NBSTAGE_FORMAT_UDMF ? UINT32_MAX : 0;
}

#endif
