// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every map is asked, so this has to be fast: of linedefs in Doom format whole
// groups are passed at once.

#include "prune/tagged.h"

#include "base/bytes.h"
#include "base/vector.h"
#include "prune/array-attributes.h"

#include <string.h>

enum {
    TAG_LEAVE_OUT = 999,
    SPECIAL_BSP_EFFECTS = 108,
    FLAGS_AUTOMAP =
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP,
    FLAG_NO_BLOCKMAP = 1 << 28,
    DOOM_LINEDEF_SIZE = 14, // bytes
    DOOM_GROUP = 64,        // linedefs
};

static bool flags_ask(uint32_t flags)
{
    return flags & FLAG_NO_BLOCKMAP || (flags & FLAGS_AUTOMAP) == FLAGS_AUTOMAP;
}

static bool array_line_asks(const struct map *map, size_t line)
{
    switch (map->format) {
    case NBSTAGE_FORMAT_DOOM:
        return array_line_word(map, line, ARRAY_LINE_TAG) == TAG_LEAVE_OUT;
    case NBSTAGE_FORMAT_HEXEN:
        return array_line_word(map, line, ARRAY_LINE_SPECIAL) ==
                   SPECIAL_BSP_EFFECTS &&
               array_line_word(map, line, ARRAY_LINE_ARGUMENT) == 1;
    case NBSTAGE_FORMAT_DOOM64:
        return flags_ask(array_line_word(map, line, ARRAY_LINE_FLAGS));
    default:
        return false;
    }
}

static const unsigned char *linedef_at(const struct map *map, size_t line)
{
    return map->lines + line * map->line_stride;
}

static bool line_asks(const struct map *map, size_t line)
{
    const unsigned char *linedef = linedef_at(map, line);
    if (map->from_arrays)
        return array_line_asks(map, line);
    switch (map->format) {
    case NBSTAGE_FORMAT_DOOM:
        return bytes_get_u16(linedef + 8) == TAG_LEAVE_OUT;
    case NBSTAGE_FORMAT_HEXEN:
        return linedef[6] == SPECIAL_BSP_EFFECTS && linedef[7] == 1;
    case NBSTAGE_FORMAT_DOOM64:
        return flags_ask(bytes_get_u32(linedef + 4));
    default:
        return false;
    }
}

bool tagged_uses_tag(const struct map *map, size_t line)
{
    if (map->format != NBSTAGE_FORMAT_DOOM)
        return false;
    if (map->from_arrays)
        return array_line_word(map, line, ARRAY_LINE_SPECIAL) != 0;
    return bytes_get_u16(linedef_at(map, line) + 6) != 0;
}

// Whether any line of the map may ask, by its format.
static bool may_ask(const struct map *map)
{
    return map->format != NBSTAGE_FORMAT_UDMF &&
           (!map->from_arrays || array_lines_are_whole(map));
}

// Whether any word of linedefs in Doom format is TAG_LEAVE_OUT, tag or not.
VECTOR_BODY void look_for_tag_body(const unsigned char *linedefs, bool *found)
{
    static const unsigned char bytes[] = {TAG_LEAVE_OUT & 0xFF,
                                          TAG_LEAVE_OUT >> 8};
    uint16_t tag, any = 0;
    memcpy(&tag, bytes, sizeof tag);
    for (size_t i = 0; i < DOOM_GROUP * DOOM_LINEDEF_SIZE; i += sizeof tag) {
        uint16_t word;
        memcpy(&word, linedefs + i, sizeof word);
        any |= (uint16_t)(word == tag);
    }
    *found = any != 0;
}

VECTOR_FUNCTION(look_for_tag, (const unsigned char *linedefs, bool *found),
                (linedefs, found))

// Passes groups of lines that surely do not ask; most maps have no others, and
// there is no time to look at every tag by itself.
static size_t skip_groups(const struct map *map, size_t line)
{
    bool found = false;
    if (map->from_arrays || map->format != NBSTAGE_FORMAT_DOOM)
        return line;
    while (map->line_count - line >= DOOM_GROUP) {
        look_for_tag(map->lines + line * DOOM_LINEDEF_SIZE, &found);
        if (found)
            break;
        line += DOOM_GROUP;
    }
    return line;
}

size_t tagged_next(const struct map *map, size_t line)
{
    if (!may_ask(map))
        return map->line_count;
    for (size_t looked = 0; line < map->line_count; line++, looked++) {
        if (looked % DOOM_GROUP == 0)
            line = skip_groups(map, line);
        if (line < map->line_count && line_asks(map, line))
            return line;
    }
    return map->line_count;
}
