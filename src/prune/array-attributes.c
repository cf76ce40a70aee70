// SPDX-License-Identifier: GPL-2.0-or-later
//
// Elements may be shorter than the structures of the interface, or longer.
// What a sector's element does not reach is a doubt; a line's has to be whole,
// but as much of it as there is is read first.

#include "prune/array-attributes.h"

enum {
    KNOWN_SECTOR_FLAGS = ATTRIBUTES_SECTOR_SLOPED |
                         ATTRIBUTES_SECTOR_MORE_TAGS | ATTRIBUTES_SECTOR_MOVES |
                         ATTRIBUTES_SECTOR_OTHER,
};

// ---------------------------------------------------------------------------
// Sectors

static nbstage_status check_sectors(struct context *context,
                                    const struct map *map)
{
    if (!map->sectors || map->sector_count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "sectors",
                            "the array is empty");
    if (map->sector_count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, "sectors",
                            "%zu elements; at most %lu can be numbered",
                            map->sector_count, (unsigned long)UINT32_MAX);
    return NBSTAGE_OK;
}

static const char *doubt_of_flags(uint32_t flags)
{
    static const char *const doubts[] = {"slopes", "more tags than one",
                                         "something else that moves it",
                                         "a field that may matter"};
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
    uint32_t flags = words[ARRAY_SECTOR_FLAGS];
    *sector = (struct attributes_sector){
        .floor = (int32_t)words[ARRAY_SECTOR_FLOOR],
        .ceiling = (int32_t)words[ARRAY_SECTOR_CEILING],
        .special = words[ARRAY_SECTOR_SPECIAL],
        .tag = words[ARRAY_SECTOR_TAG],
        .flags = flags,
        .has_unknown_flag = flags & ~(uint32_t)KNOWN_SECTOR_FLAGS,
        .doubt = given < ARRAY_SECTOR_WORDS ? "attributes that are not told"
                                            : doubt_of_flags(flags),
    };
}

static nbstage_status read_sectors(struct context *context,
                                   const struct map *map,
                                   struct attributes *attributes)
{
    nbstage_status status = check_sectors(context, map);
    if (status == NBSTAGE_OK)
        status =
            attributes_allocate_sectors(context, map->sector_count, attributes);
    for (size_t i = 0; i < map->sector_count && status == NBSTAGE_OK; i++)
        read_sector(map, i, &attributes->sectors[i]);
    return status;
}

// ---------------------------------------------------------------------------
// Lines

// What a line is by itself, as far as its stride reaches.
static void read_line(const struct map *map, size_t index,
                      struct attributes_line *line)
{
    uint32_t words[ARRAY_LINE_WORDS] = {[ARRAY_LINE_TAG] =
                                            attributes_no_id(map->format)};
    size_t given = map->line_stride / sizeof *words;
    for (size_t w = 0; w < ARRAY_LINE_WORDS && w < given; w++)
        words[w] = array_line_word(map, index, w);
    *line = (struct attributes_line){
        .flags = words[ARRAY_LINE_FLAGS],
        .special = words[ARRAY_LINE_SPECIAL],
        .id = words[ARRAY_LINE_TAG],
        .front = ATTRIBUTES_NO_SECTOR,
        .back = ATTRIBUTES_NO_SECTOR,
    };
    for (int i = 0; i < ATTRIBUTES_ARGUMENTS; i++)
        line->args[i] = (int32_t)words[ARRAY_LINE_ARGUMENT + i];
    attributes_judge_line(map->format, line);
}

static nbstage_status read_lines(struct context *context, const struct map *map,
                                 struct attributes *attributes)
{
    nbstage_status status = attributes_allocate_lines(context, attributes);
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++)
        read_line(map, i, &attributes->lines[i]);
    if (status == NBSTAGE_OK && !array_lines_are_whole(map))
        status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                              "elements of %zu bytes do not tell their sectors",
                              map->line_stride);
    return status;
}

// ---------------------------------------------------------------------------
// Sides

// Takes over the sector that a side of a line faces; false if there is no such
// sector.
static bool face_sector(const struct map *map, uint32_t given, uint32_t *sector)
{
    if (given != ATTRIBUTES_NO_SECTOR && given >= map->sector_count)
        return false;
    *sector = given;
    return true;
}

static nbstage_status face_sectors(struct context *context,
                                   const struct map *map,
                                   struct attributes *attributes)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < map->line_count; i++) {
        struct attributes_line *line = &attributes->lines[i];
        uint32_t front = array_line_word(map, i, ARRAY_LINE_FRONT);
        uint32_t back = array_line_word(map, i, ARRAY_LINE_BACK);
        bool has_front = face_sector(map, front, &line->front);
        bool has_back = face_sector(map, back, &line->back);
        if (status == NBSTAGE_OK && !(has_front && has_back))
            status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                                  "line %zu refers to sector %lu, which does "
                                  "not exist; the array has %zu",
                                  i, (unsigned long)(has_front ? back : front),
                                  map->sector_count);
    }
    return status;
}

// ---------------------------------------------------------------------------

nbstage_status array_attributes_read(struct context *context,
                                     const struct map *map,
                                     struct attributes *attributes)
{
    nbstage_status status = read_lines(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = read_sectors(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = face_sectors(context, map, attributes);
    return status;
}
