// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from arrays: the host's, or those of lumps and of a text.

#include "map/attributes.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Lines

// Makes all lines, with nothing.
static nbstage_status attributes_make_lines(struct context *context,
                                            const struct map *map,
                                            struct attributes *attributes)
{
    attributes->line_count = map->line_count;
    nbstage_status status =
        context_allocate(context, map->line_count, sizeof *attributes->lines,
                         &attributes->lines);
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++)
        attributes->lines[i] =
            (struct map_line){.tag = attributes_no_tag(map->format),
                              .front_sector = NBSTAGE_NONE,
                              .back_sector = NBSTAGE_NONE};
    return status;
}

// Tells of a side that does not exist, or has a sector that does not.
static nbstage_status
attributes_refuse_side(struct context *context,
                       const struct attributes *attributes, const char *where,
                       size_t line, uint32_t side, const uint32_t *side_sectors,
                       size_t side_count)
{
    const bool has_side = side < side_count;
    const bool is_of_side = side_sectors && has_side;
    return context_fail(
        context, NBSTAGE_BAD_MAP, where,
        "%s %zu refers to %s %lu, which does not exist; there are %zu",
        is_of_side     ? "sidedef"
        : side_sectors ? "linedef"
                       : "line",
        is_of_side ? side : line, has_side ? "sector" : "sidedef",
        (unsigned long)(is_of_side ? side_sectors[side] : side),
        has_side ? attributes->sector_count : side_count);
}

// Puts the sectors in place of the sides that front_sector and back_sector of
// all lines stand for: side s faces side_sectors[s], of at least one, or sector
// s if that is NULL.  `status` is the outcome so far, returned unless it is
// NBSTAGE_OK and a side or sector does not exist.
static nbstage_status
attributes_follow_sides(struct context *context, struct attributes *attributes,
                        const char *where, const uint32_t *side_sectors,
                        size_t side_count, nbstage_status status)
{
    for (size_t i = 0; i < attributes->line_count; i++) {
        struct map_line *line = &attributes->lines[i];
        uint32_t *const places[] = {&line->front_sector, &line->back_sector};
        for (int back = 0; back < 2; back++) {
            const uint32_t side = *places[back];
            const bool has_side = side < side_count;
            uint32_t sector =
                side_sectors ? side_sectors[has_side ? side : 0] : side;
            sector = has_side ? sector : NBSTAGE_NONE;
            *places[back] = sector;
            if (sector < attributes->sector_count || side == NBSTAGE_NONE)
                continue;
            *places[back] = NBSTAGE_NONE;
            if (status == NBSTAGE_OK && (!has_side || sector != NBSTAGE_NONE))
                status = attributes_refuse_side(context, attributes, where, i,
                                                side, side_sectors, side_count);
        }
    }
    return status;
}

// ---------------------------------------------------------------------------
// Arrays

// Of flags, specials and tags of binary formats 16 bits count.
static uint32_t attributes_mask(uint32_t format)
{
    return format == NBSTAGE_FORMAT_UDMF ? UINT32_MAX : UINT16_MAX;
}

static bool attributes_have_sides(const struct map *map)
{
    return array_has(&map->arrays[ARRAY_LINES], LINEDEF_FRONT_SIDE) ||
           array_has(&map->arrays[ARRAY_LINES], LINEDEF_BACK_SIDE);
}

// Numbers of sides take the place of sectors if the lines have sides.
static nbstage_status attributes_read_lines(struct context *context,
                                            const struct map *map,
                                            struct attributes *attributes)
{
    const struct array *array = &map->arrays[ARRAY_LINES];
    const bool is_hexen = map->format == NBSTAGE_FORMAT_HEXEN;
    const bool has_args = is_hexen || map->format == NBSTAGE_FORMAT_UDMF;
    const int front =
        attributes_have_sides(map) ? LINEDEF_FRONT_SIDE : LINEDEF_FRONT_SECTOR;
    const uint32_t mask = attributes_mask(map->format);
    struct map_line *lines = attributes->lines;
    array_read_numbers(array, LINEDEF_FLAGS,
                       map->format == NBSTAGE_FORMAT_DOOM64 ? UINT32_MAX : mask,
                       &lines->flags, sizeof *lines);
    array_read_numbers(array, LINEDEF_SPECIAL, mask, &lines->special,
                       sizeof *lines);
    array_read_numbers(array, LINEDEF_TAG, mask, &lines->tag, sizeof *lines);
    for (int i = 0; i < 5 && has_args; i++)
        array_read_numbers(array, LINEDEF_ARGS + i, UINT32_MAX, &lines->args[i],
                           sizeof *lines);
    array_read_references(array, front, &lines->front_sector, sizeof *lines);
    array_read_references(array, front + 1, &lines->back_sector, sizeof *lines);
    uint32_t needed = 1U << LINEDEF_FLAGS | 1U << LINEDEF_SPECIAL | 3U << front;
    needed |= is_hexen ? 0 : 1U << LINEDEF_TAG;
    needed |= has_args ? 1U << LINEDEF_ARGS : 0;
    return array_need(context, ARRAY_LINES, array, needed);
}

static nbstage_status attributes_read_sectors(struct context *context,
                                              struct map *map,
                                              struct attributes *attributes)
{
    const struct array *array = &map->arrays[ARRAY_SECTORS];
    const struct udmf_records *text = &map->text.of[UDMF_SECTOR];
    struct map_sector *sectors;
    nbstage_status status = map_open_array(context, map, ARRAY_SECTORS);
    if (status != NBSTAGE_OK || array->of.count == 0)
        return status;
    attributes->sector_count = array->of.count;
    attributes->borrows_sectors = array->of.data == text->records;
    if (attributes->borrows_sectors) {
        attributes->sectors = text->records;
        return NBSTAGE_OK;
    }
    status = context_allocate_zeroed(context, array->of.count, sizeof *sectors,
                                     &sectors);
    attributes->sectors = sectors;
    if (status != NBSTAGE_OK)
        return status;
    const uint32_t mask = attributes_mask(map->format);
    const bool is_known =
        array_has(array, SECTOR_SPECIAL) && array_has(array, SECTOR_TAG) &&
        (array_has(array, SECTOR_FLAGS) || map->format != NBSTAGE_FORMAT_UDMF);
    array_read_numbers(array, SECTOR_SPECIAL, mask, &sectors->special,
                       sizeof *sectors);
    array_read_numbers(array, SECTOR_TAG, mask, &sectors->tag, sizeof *sectors);
    array_read_numbers(array, SECTOR_FLAGS, UINT32_MAX, &sectors->flags,
                       sizeof *sectors);
    for (size_t i = 0; i < attributes->sector_count; i++) {
        const int64_t floor = array_get_height(array, SECTOR_FLOOR, i);
        const int64_t ceiling = array_get_height(array, SECTOR_CEILING, i);
        sectors[i].floor_flat = array_get_flat(array, SECTOR_FLOOR_FLAT, i);
        sectors[i].ceiling_flat = array_get_flat(array, SECTOR_CEILING_FLAT, i);
        sectors[i].floor = (int32_t)floor;
        sectors[i].ceiling = (int32_t)ceiling;
        if (!is_known || floor == ARRAY_NO_HEIGHT || ceiling == ARRAY_NO_HEIGHT)
            sectors[i].flags |= NBSTAGE_SECTOR_OTHER; // what is not told
    }
    return status;
}

static nbstage_status attributes_read_sides(struct context *context,
                                            struct map *map,
                                            struct attributes *attributes)
{
    const struct array *lines = &map->arrays[ARRAY_LINES];
    const struct array *sides = &map->arrays[ARRAY_SIDES];
    const bool has_sides = attributes_have_sides(map);
    uint32_t *sectors = NULL;
    nbstage_status status = attributes_read_lines(context, map, attributes);
    if (status == NBSTAGE_OK && has_sides)
        status = map_open_array(context, map, ARRAY_SIDES);
    if (status == NBSTAGE_OK && has_sides)
        status = array_need(context, ARRAY_SIDES, sides, 1U << SIDE_SECTOR);
    if (status == NBSTAGE_OK)
        status = attributes_read_sectors(context, map, attributes);
    if (status == NBSTAGE_OK && has_sides)
        // One more than there are, as NULL stands for no sides.
        status = context_allocate(context, sides->of.count + 1, sizeof *sectors,
                                  &sectors);
    if (sectors)
        array_read_references(sides, SIDE_SECTOR, sectors, sizeof *sectors);
    status = attributes_follow_sides(
        context, attributes,
        lines->is_given ? "lines"
        : map->has_text ? "TEXTMAP"
                        : "LINEDEFS",
        sectors, has_sides ? sides->of.count : NBSTAGE_NONE, status);
    context_release(context, sectors);
    return status;
}

// ---------------------------------------------------------------------------
// Things and scripts

// Reads the things of a binary format, which may also be beside arrays.
static nbstage_status attributes_read_things(struct context *context,
                                             struct map *map,
                                             struct attributes *attributes)
{
    const struct array *array = &map->arrays[ARRAY_THINGS];
    const uint32_t mask = attributes_mask(map->format);
    const bool has_args = map->format != NBSTAGE_FORMAT_DOOM;
    struct map_thing *things;
    if (map->format == NBSTAGE_FORMAT_DOOM64)
        return NBSTAGE_OK;
    nbstage_status status = map_open_array(context, map, ARRAY_THINGS);
    if (status == NBSTAGE_OK && array->of.count > 0)
        status = array_need(context, ARRAY_THINGS, array,
                            has_args ? 1U << THING_TYPE | 1U << THING_SPECIAL |
                                           1U << THING_ARGS
                                     : 1U << THING_TYPE);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(context, array->of.count,
                                         sizeof *things, &attributes->things);
    things = attributes->things;
    if (status != NBSTAGE_OK || !things)
        return status;
    attributes->thing_count = array->of.count;
    array_read_numbers(array, THING_TYPE, mask, &things->type, sizeof *things);
    if (has_args) {
        array_read_numbers(array, THING_SPECIAL, mask, &things->special,
                           sizeof *things);
        array_read_numbers(array, THING_ARGS, UINT32_MAX, &things->tag,
                           sizeof *things);
    }
    return NBSTAGE_OK;
}

// Whether a BEHAVIOR lump is what a compiler makes of no script: its four
// letters, and a directory with no script and no string.
static bool attributes_is_empty(const struct map_bytes *behavior)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    return behavior->size == 0 ||
           (behavior->size == sizeof empty &&
            memcmp(behavior->bytes, empty, sizeof empty) == 0);
}

static nbstage_status attributes_find_scripts(struct context *context,
                                              struct map *map,
                                              struct attributes *attributes)
{
    nbstage_status status =
        map->format == NBSTAGE_FORMAT_HEXEN && !map->lumps[MAP_BEHAVIOR].name
            ? context_fail(context, NBSTAGE_BAD_MAP, "BEHAVIOR",
                           "the map has no such lump")
            : NBSTAGE_OK;
    for (int i = MAP_BEHAVIOR; i <= MAP_MARKER && status == NBSTAGE_OK; i++) {
        struct map_bytes lump = {NULL, 0};
        status = map_open_lump(context, map, (enum map_lump)i, &lump);
        if (i == MAP_BEHAVIOR ? !attributes_is_empty(&lump) : lump.size > 0)
            attributes->has_scripts = true;
    }
    return status;
}

static nbstage_status attributes_read_map(struct context *context,
                                          struct map *map,
                                          struct attributes *attributes)
{
    *attributes = (struct attributes){
        .format = map->format,
        .specials = map->has_text                         ? map->text.specials
                    : map->format == NBSTAGE_FORMAT_DOOM  ? SPECIALS_DOOM
                    : map->format == NBSTAGE_FORMAT_HEXEN ? SPECIALS_HEXEN
                                                          : SPECIALS_UNKNOWN,
    };
    nbstage_status status = attributes_make_lines(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = attributes_read_sides(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = attributes_read_things(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = attributes_find_scripts(context, map, attributes);
    return status;
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete)
{
    struct context trial = *context; // its sentence is no failure of the build
    trial.map_name = NULL;
    nbstage_status status = attributes_read_map(&trial, map, attributes);
    context->work = trial.work;
    *are_complete = status == NBSTAGE_OK;
    if (status == NBSTAGE_OUT_OF_MEMORY) {
        attributes_free(context, attributes);
        return context_fail(context, status, NULL, "%s", trial.message);
    }
    if (status != NBSTAGE_OK)
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
