// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from arrays: the host's, or those of lumps or TEXTMAP.
// Reading stops at the first failure, but a side with a bad reference does not
// keep the sectors of later sides from being read.

#include "map/attributes.h"

#include <stddef.h>
#include <string.h>

struct attributes_reader {
    struct context *context;
    struct map *map;
    struct attributes *read;
    bool has_args;          // lines and things have them (Hexen, UDMF)
    bool has_sides;         // lines refer to sides; else to sectors directly
    bool is_refused;        // an array of the host is wrong
    uint32_t *side_sectors; // of all sides
    size_t side_count;
};

// Opens an array.  `needed` is a bit mask of members that the elements must
// have, if there are any.
static nbstage_status attributes_open(struct attributes_reader *reader,
                                      enum array_kind kind, uint32_t needed)
{
    const struct array *array = &reader->map->arrays[kind];
    NEED(map_open_array(reader->context, reader->map, kind));
    if (array->of.count == 0)
        return NBSTAGE_OK;
    return array_need(reader->context, kind, array, needed);
}

// Stores the bits of a member that the map's format has.
static void attributes_read_numbers(const struct attributes_reader *reader,
                                    enum array_kind kind, int member,
                                    uint32_t *to, size_t step)
{
    const struct map *map = reader->map;
    array_read_numbers(&map->arrays[kind], member,
                       array_mask(map->format, kind, member), to, step);
}

// Reads lines, but for the sectors of their sides.
static nbstage_status attributes_read_lines(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_LINES];
    struct attributes *read = reader->read;
    const uint32_t format = read->format;
    const size_t size = sizeof *read->lines;
    NEED(attributes_open(reader, ARRAY_LINES, 0));
    NEED(context_allocate_zeroed(reader->context, array->of.count, size,
                                 &read->lines));
    read->line_count = array->of.count;
    struct map_line *lines = read->lines;
    for (size_t i = 0; i < read->line_count; i++) {
        lines[i].tag = attributes_no_tag(format);
        lines[i].front_sector = lines[i].back_sector = MAP_NONE;
    }
    attributes_read_numbers(reader, ARRAY_LINES, LINEDEF_FLAGS, &lines->flags,
                            size);
    attributes_read_numbers(reader, ARRAY_LINES, LINEDEF_SPECIAL,
                            &lines->special, size);
    if (format != NBSTAGE_FORMAT_HEXEN)
        attributes_read_numbers(reader, ARRAY_LINES, LINEDEF_TAG, &lines->tag,
                                size);
    if (reader->has_args)
        for (int i = 0; i < 5; i++)
            attributes_read_numbers(reader, ARRAY_LINES, LINEDEF_ARGS + i,
                                    &lines->args[i], size);
    uint32_t needed = 1U << LINEDEF_FLAGS | 1U << LINEDEF_SPECIAL;
    if (format != NBSTAGE_FORMAT_HEXEN)
        needed |= 1U << LINEDEF_TAG;
    if (reader->has_args)
        needed |= 1U << LINEDEF_ARGS;
    if (reader->has_sides)
        needed |= 1U << LINEDEF_FRONT_SIDE | 1U << LINEDEF_BACK_SIDE;
    else
        needed |= 1U << LINEDEF_FRONT_SECTOR | 1U << LINEDEF_BACK_SECTOR;
    return attributes_open(reader, ARRAY_LINES, needed);
}

// Stores the numbers of sides or sectors.
static nbstage_status attributes_read_elements(struct attributes_reader *reader,
                                               enum array_kind kind, int member,
                                               uint32_t *to, size_t step)
{
    const nbstage_status status = array_read_elements(
        reader->context, reader->map->arrays, kind, member, to, step);
    reader->is_refused = status == NBSTAGE_BAD_MAP;
    return status;
}

static nbstage_status attributes_read_sides(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_SIDES];
    const size_t size = sizeof *reader->side_sectors;
    if (!reader->has_sides)
        return NBSTAGE_OK;
    NEED(attributes_open(reader, ARRAY_SIDES, 1U << SIDE_SECTOR));
    NEED(context_allocate_zeroed(reader->context, array->of.count, size,
                                 &reader->side_sectors));
    reader->side_count = array->of.count;
    if (reader->side_count == 0)
        return NBSTAGE_OK;
    return attributes_read_elements(reader, ARRAY_SIDES, SIDE_SECTOR,
                                    reader->side_sectors, size);
}

// Fails if a host's height is there, but no number that 16.16 can hold.
static nbstage_status attributes_check_height(struct attributes_reader *reader,
                                              size_t sector, int member,
                                              int64_t height)
{
    if (height != ARRAY_NO_HEIGHT ||
        !array_has(&reader->map->arrays[ARRAY_SECTORS], member))
        return NBSTAGE_OK;
    reader->is_refused = true;
    return context_fail(reader->context, NBSTAGE_BAD_MAP, "sectors",
                        "the %s of sector %zu is not a number from -32768 to "
                        "32767",
                        member == SECTOR_FLOOR ? "floor" : "ceiling", sector);
}

// Reads sectors.  UDMF sectors are used as parsed.
static nbstage_status attributes_read_sectors(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_SECTORS];
    struct attributes *read = reader->read;
    const size_t size = sizeof *read->sectors;
    NEED(attributes_open(reader, ARRAY_SECTORS, 0));
    if (read->format == NBSTAGE_FORMAT_UDMF) {
        read->sectors = reader->map->text.of[ARRAY_SECTORS].records;
        read->sector_count = array->of.count;
        return NBSTAGE_OK;
    }
    NEED(context_allocate_zeroed(reader->context, array->of.count, size,
                                 &read->own_sectors));
    struct map_sector *sectors = read->own_sectors;
    read->sectors = sectors;
    read->sector_count = array->of.count;
    if (read->sector_count == 0)
        return NBSTAGE_OK;
    const bool is_known =
        array_has(array, SECTOR_SPECIAL) && array_has(array, SECTOR_TAG);
    attributes_read_numbers(reader, ARRAY_SECTORS, SECTOR_SPECIAL,
                            &sectors->special, size);
    attributes_read_numbers(reader, ARRAY_SECTORS, SECTOR_TAG, &sectors->tag,
                            size);
    for (size_t i = 0; i < read->sector_count; i++) {
        const int64_t floor = array_get_height(array, SECTOR_FLOOR, i);
        const int64_t ceiling = array_get_height(array, SECTOR_CEILING, i);
        NEED(attributes_check_height(reader, i, SECTOR_FLOOR, floor));
        NEED(attributes_check_height(reader, i, SECTOR_CEILING, ceiling));
        sectors[i].floor_flat = array_get_flat(array, SECTOR_FLOOR_FLAT, i);
        sectors[i].ceiling_flat = array_get_flat(array, SECTOR_CEILING_FLAT, i);
        sectors[i].floor = (int32_t)floor;
        sectors[i].ceiling = (int32_t)ceiling;
        if (!is_known || floor == ARRAY_NO_HEIGHT || ceiling == ARRAY_NO_HEIGHT)
            sectors[i].flags |= MAP_SECTOR_OTHER; // unknown fields
    }
    return NBSTAGE_OK;
}

// Fails if an element refers to one that does not exist.
static nbstage_status attributes_check(struct attributes_reader *reader,
                                       enum array_kind of, const char *kind,
                                       size_t index, const char *target,
                                       uint32_t number, size_t count)
{
    const struct map *map = reader->map;
    const bool is_given = map->arrays[of].is_given;
    const char *where = is_given ? (of == ARRAY_SIDES ? "sides" : "lines")
                        : map->has_text     ? "TEXTMAP"
                        : of == ARRAY_SIDES ? "SIDEDEFS"
                                            : "LINEDEFS";
    if (number < count || number == MAP_NONE)
        return NBSTAGE_OK;
    reader->is_refused = is_given;
    if (number == ARRAY_BEYOND)
        return context_fail(reader->context, NBSTAGE_BAD_MAP, where,
                            "%s %zu refers to a %s that does not exist; there "
                            "are %zu",
                            kind, index, target, count);
    return context_fail(
        reader->context, NBSTAGE_BAD_MAP, where,
        "%s %zu refers to %s %lu, which does not exist; there are %zu", kind,
        index, target, (unsigned long)number, count);
}

static nbstage_status attributes_check_side(struct attributes_reader *reader,
                                            size_t line, uint32_t side)
{
    const size_t sector_count = reader->read->sector_count;
    if (!reader->has_sides)
        return attributes_check(reader, ARRAY_LINES, "line", line, "sector",
                                side, sector_count);
    NEED(attributes_check(reader, ARRAY_LINES, "linedef", line, "sidedef", side,
                          reader->side_count));
    if (side == MAP_NONE)
        return NBSTAGE_OK;
    return attributes_check(reader, ARRAY_SIDES, "sidedef", side, "sector",
                            reader->side_sectors[side], sector_count);
}

// Returns the sector of a side, or MAP_NONE if the reference is invalid.
// Without sides, `side` is the sector's number.
static uint32_t attributes_find_sector(const struct attributes_reader *reader,
                                       uint32_t side)
{
    uint32_t sector = side;
    if (reader->has_sides && side >= reader->side_count)
        return MAP_NONE;
    if (reader->has_sides)
        sector = reader->side_sectors[side];
    return sector < reader->read->sector_count ? sector : MAP_NONE;
}

// Reads the sectors of all lines.  Returns the first failure at the end.
static nbstage_status
attributes_read_references(struct attributes_reader *reader)
{
    struct map_line *lines = reader->read->lines;
    const size_t side_count = 2 * reader->read->line_count;
    const int front =
        reader->has_sides ? LINEDEF_FRONT_SIDE : LINEDEF_FRONT_SECTOR;
    const int back =
        reader->has_sides ? LINEDEF_BACK_SIDE : LINEDEF_BACK_SECTOR;
    nbstage_status status = NBSTAGE_OK;
    // With sidedefs these hold side numbers until resolved.
    NEED(attributes_read_elements(reader, ARRAY_LINES, front,
                                  &lines->front_sector, sizeof *lines));
    NEED(attributes_read_elements(reader, ARRAY_LINES, back,
                                  &lines->back_sector, sizeof *lines));
    for (size_t s = 0; s < side_count; s++) {
        struct map_line *line = &lines[s / 2];
        uint32_t *side = s % 2 == 0 ? &line->front_sector : &line->back_sector;
        const uint32_t sector = attributes_find_sector(reader, *side);
        if (sector == MAP_NONE && status == NBSTAGE_OK)
            status = attributes_check_side(reader, s / 2, *side);
        *side = sector;
    }
    return status;
}

// Reads things in a binary format, which the host may also pass with arrays.
static nbstage_status attributes_read_things(struct attributes_reader *reader)
{
    const struct array *array = &reader->map->arrays[ARRAY_THINGS];
    struct attributes *read = reader->read;
    const size_t size = sizeof *read->things;
    uint32_t needed = 1U << THING_TYPE;
    if (read->format == NBSTAGE_FORMAT_DOOM64)
        return NBSTAGE_OK;
    if (reader->has_args)
        needed |= 1U << THING_SPECIAL | 1U << THING_ARGS;
    NEED(attributes_open(reader, ARRAY_THINGS, needed));
    NEED(context_allocate_zeroed(reader->context, array->of.count, size,
                                 &read->things));
    read->thing_count = array->of.count;
    struct map_thing *things = read->things;
    if (!things)
        return NBSTAGE_OK;
    attributes_read_numbers(reader, ARRAY_THINGS, THING_TYPE, &things->type,
                            size);
    if (!reader->has_args)
        return NBSTAGE_OK;
    attributes_read_numbers(reader, ARRAY_THINGS, THING_SPECIAL,
                            &things->special, size);
    attributes_read_numbers(reader, ARRAY_THINGS, THING_ARGS, &things->tag,
                            size);
    return NBSTAGE_OK;
}

// Whether a lump has scripts.  Empty ACS is 16 bytes: magic, empty directory.
static bool attributes_is_script(enum map_lump index,
                                 const struct nbstage_lump *lump)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    if (lump->data_size == 0)
        return false;
    return index != MAP_BEHAVIOR || lump->data_size != sizeof empty ||
           memcmp(lump->data, empty, sizeof empty) != 0;
}

static nbstage_status attributes_find_scripts(struct attributes_reader *reader)
{
    const struct nbstage_lump *lumps = reader->map->lumps;
    if (reader->map->lumps_are_unknown)
        return context_fail(reader->context, NBSTAGE_BAD_MAP, NULL,
                            "the map's lumps are unknown, so it may have "
                            "scripts");
    if (!lumps[MAP_BEHAVIOR].name &&
        reader->map->format == NBSTAGE_FORMAT_HEXEN)
        return context_fail(reader->context, NBSTAGE_BAD_MAP, "BEHAVIOR",
                            "the map has no such lump");
    for (enum map_lump i = MAP_BEHAVIOR; i <= MAP_MARKER; i++)
        if (attributes_is_script(i, &lumps[i]))
            reader->read->has_scripts = true;
    return NBSTAGE_OK;
}

static nbstage_status attributes_read_parts(struct attributes_reader *reader)
{
    NEED(attributes_read_lines(reader));
    NEED(attributes_read_sides(reader));
    NEED(attributes_read_sectors(reader));
    NEED(attributes_read_references(reader));
    NEED(attributes_read_things(reader));
    return attributes_find_scripts(reader);
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete)
{
    const uint32_t format = map->format;
    const bool is_text = format == NBSTAGE_FORMAT_UDMF;
    // A copy, so that failures here do not become the build's error.
    struct context trial = *context;
    struct attributes_reader reader = {
        .context = &trial,
        .map = map,
        .read = attributes,
        .has_args = is_text || format == NBSTAGE_FORMAT_HEXEN,
        .has_sides = array_has(&map->arrays[ARRAY_LINES], LINEDEF_FRONT_SIDE) ||
                     array_has(&map->arrays[ARRAY_LINES], LINEDEF_BACK_SIDE)};
    *attributes = (struct attributes){.format = format};
    trial.map_name = NULL;
    const nbstage_status status = attributes_read_parts(&reader);
    context_release(context, reader.side_sectors);
    context->work = trial.work;
    if (status == NBSTAGE_OUT_OF_MEMORY || reader.is_refused) {
        attributes_free(context, attributes);
        return context_fail(context, status, NULL, "%s", trial.message);
    }
    if (format == NBSTAGE_FORMAT_DOOM)
        attributes->specials = SPECIALS_DOOM;
    else if (format == NBSTAGE_FORMAT_HEXEN)
        attributes->specials = SPECIALS_HEXEN;
    else
        attributes->specials = map->text.specials;
    *are_complete = status == NBSTAGE_OK;
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
