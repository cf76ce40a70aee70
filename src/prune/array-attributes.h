// SPDX-License-Identifier: GPL-2.0-or-later
//
// The attributes of a map in arrays of the host's.

#ifndef ARRAY_ATTRIBUTES_H
#define ARRAY_ATTRIBUTES_H

#include "prune/attributes.h"

#include <string.h>

// The structures of the arrays, struct nbstage_line and struct nbstage_sector,
// as words of 32 bits.
enum {
    ARRAY_LINE_FLAGS = 2,
    ARRAY_LINE_SPECIAL,
    ARRAY_LINE_TAG,
    ARRAY_LINE_ARGUMENT, // the first of them
    ARRAY_LINE_FRONT = ARRAY_LINE_ARGUMENT + ATTRIBUTES_ARGUMENTS,
    ARRAY_LINE_BACK,
    ARRAY_LINE_WORDS,
};
enum {
    ARRAY_SECTOR_FLOOR,
    ARRAY_SECTOR_CEILING,
    ARRAY_SECTOR_SPECIAL,
    ARRAY_SECTOR_TAG,
    ARRAY_SECTOR_FLAGS,
    ARRAY_SECTOR_WORDS,
};

// Word `word` of element `index`; the element has it.
static inline uint32_t array_word(const void *elements, size_t stride,
                                  size_t index, size_t word)
{
    uint32_t value;
    const unsigned char *bytes = elements;
    memcpy(&value, bytes + index * stride + word * sizeof value, sizeof value);
    return value;
}

static inline uint32_t array_line_word(const struct map *map, size_t line,
                                       size_t word)
{
    return array_word(map->lines, map->line_stride, line, word);
}

// Whether the elements reach to the end of the structure.
static inline bool array_lines_are_whole(const struct map *map)
{
    return map->line_stride >= ARRAY_LINE_WORDS * sizeof(uint32_t);
}

// Reads lines and sectors.  Elements that are too short, no sectors, and
// sectors that do not exist are NBSTAGE_BAD_MAP; what could be read is there
// all the same.
nbstage_status array_attributes_read(struct context *context,
                                     const struct map *map,
                                     struct attributes *attributes);

#endif
