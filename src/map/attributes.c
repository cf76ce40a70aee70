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
    uint32_t mask; // of flags, specials and tags
    bool has_args;
    bool has_sides;         // lines have sides, and not sectors
    uint32_t *side_sectors; // of all sides
    size_t side_count;
    nbstage_status status;
};

// Opens an array, whose elements must have these members, each a bit.  Returns
// whether it has elements; false after a failure.
static bool attributes_open(struct attributes_reader *reader,
                            enum array_kind kind, uint32_t needed)
{
    const struct array *array = &reader->map->arrays[kind];
    if (reader->status == NBSTAGE_OK)
        reader->status = map_open_array(reader->context, reader->map, kind);
    if (reader->status == NBSTAGE_OK && array->of.count > 0)
        reader->status = array_need(reader->context, kind, array, needed);
    return reader->status == NBSTAGE_OK && array->of.count > 0;
}

// ---------------------------------------------------------------------------
// Lines

// Numbers of sides take the place of sectors if the lines have sides.
static void attributes_read_lines(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_LINES];
    const uint32_t format = reader->map->format;
    const size_t count = reader->map->line_count;
    const int front =
        reader->has_sides ? LINEDEF_FRONT_SIDE : LINEDEF_FRONT_SECTOR;
    uint32_t needed = 1U << LINEDEF_FLAGS | 1U << LINEDEF_SPECIAL | 3U << front;
    struct map_line *lines;
    reader->status =
        context_allocate(reader->context, count, sizeof *lines, &lines);
    reader->read->lines = lines;
    if (reader->status != NBSTAGE_OK)
        return;
    reader->read->line_count = count;
    for (size_t i = 0; i < count; i++)
        lines[i] = (struct map_line){.tag = attributes_no_tag(format),
                                     .front_sector = NBSTAGE_NONE,
                                     .back_sector = NBSTAGE_NONE};
    array_read_numbers(array, LINEDEF_FLAGS,
                       format == NBSTAGE_FORMAT_DOOM64 ? UINT32_MAX
                                                       : reader->mask,
                       &lines->flags, sizeof *lines);
    array_read_numbers(array, LINEDEF_SPECIAL, reader->mask, &lines->special,
                       sizeof *lines);
    array_read_numbers(array, LINEDEF_TAG, reader->mask, &lines->tag,
                       sizeof *lines);
    for (int i = 0; i < 5 && reader->has_args; i++)
        array_read_numbers(array, LINEDEF_ARGS + i, UINT32_MAX, &lines->args[i],
                           sizeof *lines);
    array_read_numbers(array, front, ARRAY_REFERENCE, &lines->front_sector,
                       sizeof *lines);
    array_read_numbers(array, front + 1, ARRAY_REFERENCE, &lines->back_sector,
                       sizeof *lines);
    needed |= format == NBSTAGE_FORMAT_HEXEN ? 0 : 1U << LINEDEF_TAG;
    needed |= reader->has_args ? 1U << LINEDEF_ARGS : 0;
    attributes_open(reader, ARRAY_LINES, needed);
}

static void attributes_read_sides(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_SIDES];
    if (!reader->has_sides ||
        !attributes_open(reader, ARRAY_SIDES, 1U << SIDE_SECTOR))
        return;
    reader->status =
        context_allocate(reader->context, array->of.count,
                         sizeof *reader->side_sectors, &reader->side_sectors);
    if (reader->status != NBSTAGE_OK)
        return;
    reader->side_count = array->of.count;
    array_read_numbers(array, SIDE_SECTOR, ARRAY_REFERENCE,
                       reader->side_sectors, sizeof *reader->side_sectors);
}

static void attributes_read_sectors(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_SECTORS];
    const struct udmf_records *text = &reader->map->text.of[ARRAY_SECTORS];
    struct attributes *read = reader->read;
    struct map_sector *sectors;
    if (!attributes_open(reader, ARRAY_SECTORS, 0))
        return;
    read->borrows_sectors = array->of.data == text->records;
    if (read->borrows_sectors) {
        read->sectors = text->records;
        read->sector_count = array->of.count;
        return;
    }
    reader->status = context_allocate_zeroed(reader->context, array->of.count,
                                             sizeof *sectors, &sectors);
    read->sectors = sectors;
    if (reader->status != NBSTAGE_OK)
        return;
    read->sector_count = array->of.count;
    const bool is_known =
        array_has(array, SECTOR_SPECIAL) && array_has(array, SECTOR_TAG) &&
        (array_has(array, SECTOR_FLAGS) || read->format != NBSTAGE_FORMAT_UDMF);
    array_read_numbers(array, SECTOR_SPECIAL, reader->mask, &sectors->special,
                       sizeof *sectors);
    array_read_numbers(array, SECTOR_TAG, reader->mask, &sectors->tag,
                       sizeof *sectors);
    array_read_numbers(array, SECTOR_FLAGS, UINT32_MAX, &sectors->flags,
                       sizeof *sectors);
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

// Tells of a side or sector that does not exist.
static void attributes_refuse(struct attributes_reader *reader,
                              const char *from, size_t index, const char *to,
                              uint32_t number, size_t count)
{
    const bool is_given = reader->map->arrays[ARRAY_LINES].is_given;
    if (reader->status == NBSTAGE_OK)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP,
            is_given                ? "lines"
            : reader->map->has_text ? "TEXTMAP"
                                    : "LINEDEFS",
            "%s %zu refers to %s %lu, which does not exist; there are %zu",
            from, index, to, (unsigned long)number, count);
}

// The sector of a line's side, or NBSTAGE_NONE.  Where lines have no sides, the
// side is the sector.
static uint32_t attributes_follow_side(struct attributes_reader *reader,
                                       size_t line, uint32_t side)
{
    const size_t count = reader->read->sector_count;
    uint32_t sector = side;
    if (side == NBSTAGE_NONE)
        return side;
    if (reader->has_sides && side >= reader->side_count) {
        attributes_refuse(reader, "linedef", line, "sidedef", side,
                          reader->side_count);
        return NBSTAGE_NONE;
    }
    if (reader->has_sides)
        sector = reader->side_sectors[side];
    if (sector < count || sector == NBSTAGE_NONE)
        return sector;
    attributes_refuse(reader, reader->has_sides ? "sidedef" : "line",
                      reader->has_sides ? side : line, "sector", sector, count);
    return NBSTAGE_NONE;
}

// ---------------------------------------------------------------------------
// Things and scripts

// Reads the things of a binary format, which may also be beside arrays.
static void attributes_read_things(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_THINGS];
    const uint32_t needed =
        1U << THING_TYPE | 1U << THING_SPECIAL | 1U << THING_ARGS;
    struct map_thing *things;
    if (reader->map->format == NBSTAGE_FORMAT_DOOM64 ||
        !attributes_open(reader, ARRAY_THINGS,
                         reader->has_args ? needed : 1U << THING_TYPE))
        return;
    reader->status = context_allocate_zeroed(reader->context, array->of.count,
                                             sizeof *things, &things);
    reader->read->things = things;
    if (reader->status != NBSTAGE_OK)
        return;
    reader->read->thing_count = array->of.count;
    array_read_numbers(array, THING_TYPE, reader->mask, &things->type,
                       sizeof *things);
    if (!reader->has_args)
        return;
    array_read_numbers(array, THING_SPECIAL, reader->mask, &things->special,
                       sizeof *things);
    array_read_numbers(array, THING_ARGS, UINT32_MAX, &things->tag,
                       sizeof *things);
}

// Whether a BEHAVIOR lump is what a compiler makes of no script: its four
// letters, and a directory with no script and no string.
static bool attributes_is_empty(const struct nbstage_lump *behavior)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    return behavior->data_size == 0 ||
           (behavior->data_size == sizeof empty &&
            memcmp(behavior->data, empty, sizeof empty) == 0);
}

static void attributes_find_scripts(struct attributes_reader *reader)
{
    struct map *map = reader->map;
    if (reader->status == NBSTAGE_OK && map->format == NBSTAGE_FORMAT_HEXEN &&
        !map->lumps[MAP_BEHAVIOR].name)
        reader->status = context_fail(reader->context, NBSTAGE_BAD_MAP,
                                      "BEHAVIOR", "the map has no such lump");
    for (int i = MAP_BEHAVIOR; i <= MAP_MARKER && reader->status == NBSTAGE_OK;
         i++) {
        const struct nbstage_lump *lump = &map->lumps[i];
        reader->status = map_open_lump(reader->context, map, (enum map_lump)i);
        if (i == MAP_BEHAVIOR ? !attributes_is_empty(lump)
                              : lump->data_size > 0)
            reader->read->has_scripts = true;
    }
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const uint32_t format = map->format;
    const bool is_text = format == NBSTAGE_FORMAT_UDMF;
    struct context trial = *context; // its sentence is no failure of the build
    struct attributes_reader reader = {
        .context = &trial,
        .map = map,
        .read = attributes,
        .mask = is_text ? UINT32_MAX : UINT16_MAX, // as in the lumps
        .has_args = is_text || format == NBSTAGE_FORMAT_HEXEN,
        .has_sides = array_has(lines, LINEDEF_FRONT_SIDE) ||
                     array_has(lines, LINEDEF_BACK_SIDE)};
    *attributes = (struct attributes){.format = format};
    trial.map_name = NULL;
    attributes_read_lines(&reader);
    attributes_read_sides(&reader);
    attributes_read_sectors(&reader);
    for (size_t i = 0; i < attributes->line_count; i++) {
        struct map_line *line = &attributes->lines[i];
        line->front_sector =
            attributes_follow_side(&reader, i, line->front_sector);
        line->back_sector =
            attributes_follow_side(&reader, i, line->back_sector);
    }
    attributes_read_things(&reader);
    attributes_find_scripts(&reader);
    attributes->specials = map->has_text                    ? map->text.specials
                           : format == NBSTAGE_FORMAT_DOOM  ? SPECIALS_DOOM
                           : format == NBSTAGE_FORMAT_HEXEN ? SPECIALS_HEXEN
                                                            : SPECIALS_UNKNOWN;
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
    if (!attributes->borrows_sectors)
        context_release(context, attributes->sectors);
    context_release(context, attributes->things);
    *attributes = (struct attributes){0};
}
