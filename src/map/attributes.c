// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from arrays: the host's, or those of lumps and of a text.
// After a failure the rest is still read, except what depends on it.

#include "map/attributes.h"

#include <stddef.h>
#include <string.h>

struct attributes_reader {
    struct context *context;
    struct map *map;
    struct attributes *read;
    uint32_t mask;            // of flags, specials and tags
    bool has_args, has_sides; // of lines, which have sectors otherwise
    uint32_t *side_sectors;   // of all sides
    size_t side_count;
    nbstage_status status;
};

// Opens an array, whose elements must have these members, each a bit, and makes
// as many cleared records if `records` is not NULL.  Returns their count, or 0.
static size_t attributes_open(struct attributes_reader *reader,
                              enum array_kind kind, uint32_t needed,
                              size_t size, void *records)
{
    const struct array *array = &reader->map->arrays[kind];
    if (reader->status == NBSTAGE_OK)
        reader->status = map_open_array(reader->context, reader->map, kind);
    if (reader->status == NBSTAGE_OK && array->of.count > 0)
        reader->status = array_need(reader->context, kind, array, needed);
    if (reader->status == NBSTAGE_OK && records)
        reader->status = context_allocate_zeroed(
            reader->context, array->of.count, size, records);
    return reader->status == NBSTAGE_OK ? array->of.count : 0;
}

// If lines have sides, these numbers take the place of sectors.
static void attributes_read_lines(struct attributes_reader *reader)
{
    const struct array *arrays = reader->map->arrays;
    const struct array *array = &arrays[ARRAY_LINES];
    struct attributes *read = reader->read;
    const uint32_t format = read->format, mask = reader->mask;
    const int front =
        reader->has_sides ? LINEDEF_FRONT_SIDE : LINEDEF_FRONT_SECTOR;
    const size_t size = sizeof *read->lines;
    uint32_t needed = 1U << LINEDEF_FLAGS | 1U << LINEDEF_SPECIAL | 3U << front;
    read->line_count =
        attributes_open(reader, ARRAY_LINES, 0, size, &read->lines);
    struct map_line *lines = read->lines;
    if (!lines)
        return;
    for (size_t i = 0; i < read->line_count; i++) {
        lines[i].tag = attributes_no_tag(format);
        lines[i].front_sector = lines[i].back_sector = NBSTAGE_NONE;
    }
    array_read_numbers(array, LINEDEF_FLAGS, 1,
                       format == NBSTAGE_FORMAT_DOOM64 ? UINT32_MAX : mask,
                       &lines->flags, size);
    array_read_numbers(array, LINEDEF_SPECIAL, 2, mask, &lines->special, size);
    array_read_numbers(array, LINEDEF_ARGS, reader->has_args ? 5 : 0,
                       UINT32_MAX, lines->args, size);
    array_read_numbers(array, front, 2, ARRAY_REFERENCE, &lines->front_sector,
                       size);
    needed |= format == NBSTAGE_FORMAT_HEXEN ? 0 : 1U << LINEDEF_TAG;
    needed |= reader->has_args ? 1U << LINEDEF_ARGS : 0;
    attributes_open(reader, ARRAY_LINES, needed, 0, NULL);
    if (reader->has_sides)
        reader->side_count =
            attributes_open(reader, ARRAY_SIDES, 1U << SIDE_SECTOR,
                            sizeof(uint32_t), &reader->side_sectors);
    if (reader->side_count > 0)
        array_read_numbers(&arrays[ARRAY_SIDES], SIDE_SECTOR, 1,
                           ARRAY_REFERENCE, reader->side_sectors,
                           sizeof(uint32_t));
}

// Reads sectors.  Those of a text are as the text has them.
static void attributes_read_sectors(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_SECTORS];
    struct attributes *read = reader->read;
    const bool is_text = read->format == NBSTAGE_FORMAT_UDMF;
    const size_t size = sizeof *read->sectors;
    read->sector_count = attributes_open(
        reader, ARRAY_SECTORS, 0, size,
        is_text && !array->is_given ? NULL : &read->own_sectors);
    struct map_sector *sectors = read->own_sectors;
    read->sectors =
        sectors ? sectors : reader->map->text.of[ARRAY_SECTORS].records;
    if (!sectors)
        return;
    const bool is_known = array_has(array, SECTOR_SPECIAL) &&
                          array_has(array, SECTOR_TAG) &&
                          (array_has(array, SECTOR_FLAGS) || !is_text);
    array_read_numbers(array, SECTOR_SPECIAL, 2, reader->mask,
                       &sectors->special, size);
    array_read_numbers(array, SECTOR_FLAGS, 1, UINT32_MAX, &sectors->flags,
                       size);
    for (size_t i = 0; i < read->sector_count; i++) {
        const int64_t floor = array_get_height(array, SECTOR_FLOOR, i);
        const int64_t ceiling = array_get_height(array, SECTOR_CEILING, i);
        sectors[i].floor_flat = array_get_flat(array, SECTOR_FLOOR_FLAT, i);
        sectors[i].ceiling_flat = array_get_flat(array, SECTOR_CEILING_FLAT, i);
        sectors[i].floor = (int32_t)floor;
        sectors[i].ceiling = (int32_t)ceiling;
        if (!is_known || floor == ARRAY_NO_HEIGHT || ceiling == ARRAY_NO_HEIGHT)
            sectors[i].flags |= NBSTAGE_SECTOR_OTHER; // what is not told
    }
}

// Returns the sector of a line's side, or `side` itself if lines have no sides;
// NBSTAGE_NONE if there is none, and after telling of what does not exist.
static uint32_t attributes_follow_side(struct attributes_reader *reader,
                                       size_t line, uint32_t side)
{
    const struct map *map = reader->map;
    const bool has_side = side < reader->side_count;
    const bool has_sector = has_side || !reader->has_sides;
    const uint32_t number = has_side ? reader->side_sectors[side] : side;
    const size_t count =
        has_sector ? reader->read->sector_count : reader->side_count;
    if (number < count || number == NBSTAGE_NONE)
        return number;
    if (reader->status == NBSTAGE_OK)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP,
            map->arrays[ARRAY_LINES].is_given ? "lines"
            : map->has_text                   ? "TEXTMAP"
                                              : "LINEDEFS",
            "%s %zu refers to %s %lu, which does not exist; there are %zu",
            has_side     ? "sidedef"
            : has_sector ? "line"
                         : "linedef",
            has_side ? side : line, has_sector ? "sector" : "sidedef",
            (unsigned long)number, count);
    return NBSTAGE_NONE;
}

// Reads the things of a binary format, which may also be beside arrays.
static void attributes_read_things(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_THINGS];
    struct attributes *read = reader->read;
    const size_t size = sizeof *read->things;
    uint32_t needed = 1U << THING_TYPE;
    if (reader->has_args)
        needed |= 1U << THING_SPECIAL | 1U << THING_ARGS;
    if (read->format != NBSTAGE_FORMAT_DOOM64)
        read->thing_count =
            attributes_open(reader, ARRAY_THINGS, needed, size, &read->things);
    if (!read->things)
        return;
    array_read_numbers(array, THING_TYPE, reader->has_args ? 2 : 1,
                       reader->mask, &read->things->type, size);
    array_read_numbers(array, THING_ARGS, reader->has_args ? 1 : 0, UINT32_MAX,
                       &read->things->tag, size);
}

// Finds out whether there are scripts.  A compiler makes of none its four
// letters, and a directory with no script and no string.
static void attributes_find_scripts(struct attributes_reader *reader)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    const struct nbstage_lump *lumps = reader->map->lumps;
    if (reader->status == NBSTAGE_OK && !lumps[MAP_BEHAVIOR].name &&
        reader->map->format == NBSTAGE_FORMAT_HEXEN)
        reader->status = context_fail(reader->context, NBSTAGE_BAD_MAP,
                                      "BEHAVIOR", "the map has no such lump");
    for (enum map_lump i = MAP_BEHAVIOR;
         i <= MAP_MARKER && reader->status == NBSTAGE_OK; i++) {
        reader->status = map_open_lump(reader->context, reader->map, i);
        const size_t size = lumps[i].data_size;
        if (size > 0 && (i != MAP_BEHAVIOR || size != sizeof empty ||
                         memcmp(lumps[i].data, empty, sizeof empty) != 0))
            reader->read->has_scripts = true;
    }
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete)
{
    const uint32_t format = map->format;
    const bool is_text = format == NBSTAGE_FORMAT_UDMF;
    struct context trial = *context; // its sentence is no failure of the build
    struct attributes_reader reader = {
        .context = &trial,
        .map = map,
        .read = attributes,
        .mask = is_text ? UINT32_MAX : UINT16_MAX, // as in the lumps
        .has_args = is_text || format == NBSTAGE_FORMAT_HEXEN,
        .has_sides = array_has(&map->arrays[ARRAY_LINES], LINEDEF_FRONT_SIDE) ||
                     array_has(&map->arrays[ARRAY_LINES], LINEDEF_BACK_SIDE)};
    *attributes = (struct attributes){.format = format};
    trial.map_name = NULL;
    attributes_read_lines(&reader);
    attributes_read_sectors(&reader);
    for (size_t s = 0; s < 2 * attributes->line_count; s++) {
        struct map_line *line = &attributes->lines[s / 2];
        uint32_t *side = s % 2 == 0 ? &line->front_sector : &line->back_sector;
        *side = attributes_follow_side(&reader, s / 2, *side);
    }
    attributes_read_things(&reader);
    attributes_find_scripts(&reader);
    attributes->specials = format == NBSTAGE_FORMAT_DOOM ? SPECIALS_DOOM
                           : format == NBSTAGE_FORMAT_HEXEN
                               ? SPECIALS_HEXEN
                               : map->text.specials;
    context_release(context, reader.side_sectors);
    context->work = trial.work;
    *are_complete = reader.status == NBSTAGE_OK;
    if (reader.status == NBSTAGE_OUT_OF_MEMORY) {
        attributes_free(context, attributes);
        return context_fail(context, reader.status, NULL, "%s", trial.message);
    }
    if (!*are_complete)
        context_log(context, level, NULL, "%s; %s", trial.message, consequence);
    return NBSTAGE_OK;
}

void attributes_free(struct context *context, struct attributes *attributes)
{
    context_release(context, attributes->lines);
    context_release(context, attributes->own_sectors);
    context_release(context, attributes->things);
    *attributes = (struct attributes){0};
}
