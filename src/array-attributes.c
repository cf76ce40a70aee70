// SPDX-License-Identifier: GPL-2.0-or-later
//
// Elements may be shorter than the structures of the interface, or longer.
// What a sector's element does not reach is a doubt; a line's has to be whole.

#include "array-attributes.h"

enum {
    UDMF_TWO_SIDED = 0x1,     // flag of a line by UDMF's rules
    KNOWN_SECTOR_FLAGS = 0x7, // slopes, more tags, what moves otherwise
};

static enum status check_arrays(struct context *context, const struct map *map)
{
    if (!array_lines_are_whole(map))
        return context_fail(context, STATUS_BAD_MAP, "lines",
                            "elements of %zu bytes do not tell their sectors",
                            map->line_stride);
    if (!map->sectors || map->sector_count == 0)
        return context_fail(context, STATUS_BAD_MAP, "sectors",
                            "the array is empty");
    if (map->sector_count > UINT32_MAX)
        return context_fail(context, STATUS_BAD_MAP, "sectors",
                            "%zu elements; at most %lu can be numbered",
                            map->sector_count, (unsigned long)UINT32_MAX);
    return STATUS_OK;
}

static const char *doubt_of_flags(uint32_t flags)
{
    static const char *const doubts[] = {"slopes", "more tags than one",
                                         "something else that moves it"};
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (flags & 1U << i)
            return doubts[i];
    return flags ? "a flag that is not known" : NULL;
}

static void read_sector(const struct map *map, size_t index,
                        struct attributes_sector *sector)
{
    uint32_t words[ARRAY_SECTOR_WORDS] = {0};
    size_t given = map->sector_stride / sizeof *words;
    for (size_t w = 0; w < ARRAY_SECTOR_WORDS && w < given; w++)
        words[w] = array_word(map->sectors, map->sector_stride, index, w);
    *sector = (struct attributes_sector){
        .floor = (int32_t)words[ARRAY_SECTOR_FLOOR],
        .ceiling = (int32_t)words[ARRAY_SECTOR_CEILING],
        .special = words[ARRAY_SECTOR_SPECIAL],
        .tag = words[ARRAY_SECTOR_TAG],
        .has_unknown_flag =
            words[ARRAY_SECTOR_FLAGS] & ~(uint32_t)KNOWN_SECTOR_FLAGS,
        .doubt = given < ARRAY_SECTOR_WORDS
                     ? "attributes that are not told"
                     : doubt_of_flags(words[ARRAY_SECTOR_FLAGS]),
    };
}

static enum status check_sector(struct context *context, const struct map *map,
                                size_t line, uint32_t sector)
{
    if (sector == ATTRIBUTES_NO_SECTOR || sector < map->sector_count)
        return STATUS_OK;
    return context_fail(context, STATUS_BAD_MAP, "lines",
                        "line %zu refers to sector %lu, which does not exist; "
                        "the array has %zu",
                        line, (unsigned long)sector, map->sector_count);
}

static enum status read_line(struct context *context, const struct map *map,
                             size_t index, struct attributes_line *line)
{
    bool udmf = map->rules == MAP_UDMF;
    uint32_t flags = array_line_word(map, index, ARRAY_LINE_FLAGS);
    uint32_t tag = array_line_word(map, index, ARRAY_LINE_TAG);
    uint32_t no_tag = udmf ? UINT32_MAX : 0; // 0 is an id in UDMF
    uint32_t harmless = udmf ? UDMF_TWO_SIDED : ATTRIBUTES_FLAGS_HARMLESS;
    uint32_t two_sided = udmf ? UDMF_TWO_SIDED : ATTRIBUTES_FLAG_TWO_SIDED;
    *line = (struct attributes_line){
        .special = array_line_word(map, index, ARRAY_LINE_SPECIAL),
        .tag = map->rules == MAP_DOOM
                   ? tag
                   : array_line_word(map, index, ARRAY_LINE_ARGUMENT),
        .front = array_line_word(map, index, ARRAY_LINE_FRONT),
        .back = array_line_word(map, index, ARRAY_LINE_BACK),
        .two_sided = flags & two_sided,
        .is_harmless = !(flags & ~harmless) && tag == no_tag,
    };
    enum status status = check_sector(context, map, index, line->front);
    return status == STATUS_OK ? check_sector(context, map, index, line->back)
                               : status;
}

enum status array_attributes_read(struct context *context,
                                  const struct map *map,
                                  struct attributes *attributes)
{
    enum status status = check_arrays(context, map);
    if (status == STATUS_OK)
        status = attributes_allocate(context, map->sector_count, attributes);
    for (size_t i = 0; i < map->sector_count && status == STATUS_OK; i++)
        read_sector(map, i, &attributes->sectors[i]);
    for (size_t i = 0; i < map->line_count && status == STATUS_OK; i++)
        status = read_line(context, map, i, &attributes->lines[i]);
    return status;
}
