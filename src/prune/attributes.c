// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats, from the host's arrays
// and from what was read of a text.  All become the structures of the
// interface.
//
// Elements of the host's arrays may be shorter than these structures.  A line
// has to be complete, but as much as there is of it is read first.  A sector
// that is not complete gets NBSTAGE_SECTOR_OTHER.

#include "prune/attributes.h"

#include "base/bytes.h"
#include "map/text.h"

#include <stddef.h>
#include <string.h>

// Bytes of the records of the binary formats, and where in them what is read
// begins.  The tag of a sector follows its special.
static const struct attributes_layout {
    size_t side_size;
    size_t side_sector;
    size_t sector_size;
    size_t sector_special;
    size_t thing_size; // 0: things are not read
} attributes_layouts[] = {
    [NBSTAGE_FORMAT_DOOM] = {30, 28, 26, 22, 10},
    [NBSTAGE_FORMAT_HEXEN] = {30, 28, 26, 22, 20},
    [NBSTAGE_FORMAT_DOOM64] = {12, 10, 24, 18, 0},
    [NBSTAGE_FORMAT_UDMF] = {0},
};

// ---------------------------------------------------------------------------
// Lines

// Reads a linedef of a binary format, which ends with its two sides.
static void attributes_get_linedef(const struct map *map,
                                   const unsigned char *linedef,
                                   struct nbstage_line *line)
{
    enum { NO_SIDE = 0xFFFF };
    const unsigned char *sides = linedef + map->line_stride - 4;
    const bool is_hexen = map->format == NBSTAGE_FORMAT_HEXEN;
    const bool is_wide = map->format == NBSTAGE_FORMAT_DOOM64;
    const unsigned char *special = linedef + (is_wide ? 8 : 6);
    line->flags =
        is_wide ? bytes_get_u32(linedef + 4) : bytes_get_u16(linedef + 4);
    line->special = is_hexen ? *special : bytes_get_u16(special);
    if (!is_hexen)
        line->tag = bytes_get_u16(special + 2);
    for (int i = 0; i < 5 && is_hexen; i++)
        line->args[i] = special[1 + i];
    if (bytes_get_u16(sides) != NO_SIDE)
        line->front_sector = bytes_get_u16(sides);
    if (bytes_get_u16(sides + 2) != NO_SIDE)
        line->back_sector = bytes_get_u16(sides + 2);
}

void attributes_get_line(const struct map *map, size_t index,
                         struct nbstage_line *line)
{
    const unsigned char *at = map->lines + index * map->line_stride;
    uint16_t narrow[sizeof(struct nbstage_line16) / sizeof(uint16_t)];
    uint32_t wide[sizeof narrow / sizeof *narrow];
    if (!map->from_arrays) {
        attributes_get_linedef(map, at, line);
    } else if (map->line_form == MAP_ARRAYS32) {
        memcpy(line, at, map->line_size);
    } else {
        memcpy(narrow, at, map->line_size / sizeof *wide * sizeof *narrow);
        for (size_t i = 0; i < map->line_size / sizeof *wide; i++)
            wide[i] = narrow[i];
        memcpy(line, wide, map->line_size);
    }
}

// Makes all lines with their vertices, and what else is not in a text.
static nbstage_status attributes_make_lines(struct context *context,
                                            const struct map *map,
                                            struct attributes *attributes)
{
    const bool is_text = map->text.bytes;
    attributes->line_count = map->line_count;
    nbstage_status status =
        context_allocate(context, map->line_count, sizeof *attributes->lines,
                         &attributes->lines);
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++) {
        struct map_ends ends =
            map_get_ends(map->line_form, map->lines + i * map->line_stride);
        attributes->lines[i] =
            (struct nbstage_line){.v1 = ends.v1,
                                  .v2 = ends.v2,
                                  .tag = attributes_no_tag(map->format),
                                  .front_sector = NBSTAGE_NONE,
                                  .back_sector = NBSTAGE_NONE};
        if (!is_text)
            attributes_get_line(map, i, &attributes->lines[i]);
    }
    return status;
}

// Makes room for sectors, all zero.
static nbstage_status attributes_make_sectors(struct context *context,
                                              size_t count,
                                              struct attributes *attributes)
{
    nbstage_status status = context_allocate_zeroed(
        context, count, sizeof *attributes->sectors, &attributes->sectors);
    if (status == NBSTAGE_OK)
        attributes->sector_count = count;
    return status;
}

// Puts the sectors in place of the sides that front_sector and back_sector of
// all lines stand for: side s faces side_sectors[s], or sector s if that is
// NULL.  `status` is the outcome so far, returned unless it is NBSTAGE_OK and a
// side or sector does not exist.
static nbstage_status
attributes_follow_sides(struct context *context, struct attributes *attributes,
                        const char *where, const uint32_t *side_sectors,
                        size_t side_count, nbstage_status status)
{
    for (size_t i = 0; i < 2 * attributes->line_count; i++) {
        struct nbstage_line *line = &attributes->lines[i / 2];
        uint32_t *place = i % 2 == 0 ? &line->front_sector : &line->back_sector;
        const uint32_t side = *place;
        if (side == NBSTAGE_NONE)
            continue;
        const bool has_side = side < side_count;
        const uint32_t sector = !has_side      ? NBSTAGE_NONE
                                : side_sectors ? side_sectors[side]
                                               : side;
        const bool has_sector = sector < attributes->sector_count;
        *place = has_sector ? sector : NBSTAGE_NONE;
        if (has_sector || status != NBSTAGE_OK)
            continue;
        const bool is_of_side = side_sectors && has_side;
        status = context_fail(
            context, NBSTAGE_BAD_MAP, where,
            "%s %zu refers to %s %lu, which does not exist; there are %zu",
            is_of_side     ? "sidedef"
            : side_sectors ? "linedef"
                           : "line",
            is_of_side ? side : i / 2, has_side ? "sector" : "sidedef",
            (unsigned long)(has_side ? sector : side),
            has_side ? attributes->sector_count : side_count);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Lumps of the binary formats

static nbstage_status attributes_read_sectors(struct context *context,
                                              struct map *map,
                                              struct attributes *attributes)
{
    const struct attributes_layout *layout = &attributes_layouts[map->format];
    struct map_records sectors;
    nbstage_status status = map_open_records(context, map, MAP_SECTORS,
                                             layout->sector_size, &sectors);
    if (status == NBSTAGE_OK)
        status = attributes_make_sectors(context, sectors.count, attributes);
    for (size_t i = 0; status == NBSTAGE_OK && i < sectors.count; i++) {
        const unsigned char *sector = sectors.bytes + i * sectors.size;
        const unsigned char *special = sector + layout->sector_special;
        attributes->sectors[i] = (struct nbstage_sector){
            .floor = (int16_t)bytes_get_u16(sector) * 65536,
            .ceiling = (int16_t)bytes_get_u16(sector + 2) * 65536,
            .special = bytes_get_u16(special),
            .tag = bytes_get_u16(special + 2),
        };
    }
    return status;
}

static nbstage_status attributes_read_sides(struct context *context,
                                            struct map *map,
                                            struct attributes *attributes)
{
    const struct attributes_layout *layout = &attributes_layouts[map->format];
    struct map_records sides = {0};
    uint32_t *sectors = NULL;
    nbstage_status status =
        map_open_records(context, map, MAP_SIDEDEFS, layout->side_size, &sides);
    if (status == NBSTAGE_OK)
        status = attributes_read_sectors(context, map, attributes);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, sides.count, sizeof *sectors, &sectors);
    for (size_t i = 0; sectors && i < sides.count; i++)
        sectors[i] =
            bytes_get_u16(sides.bytes + i * sides.size + layout->side_sector);
    status = attributes_follow_sides(context, attributes, "LINEDEFS", sectors,
                                     sides.count, status);
    context_release(context, sectors);
    return status;
}

// ---------------------------------------------------------------------------
// Arrays

static nbstage_status attributes_copy_sectors(struct context *context,
                                              const struct map *map,
                                              struct attributes *attributes)
{
    const size_t stride = map->sector_stride;
    const size_t size = map->sector_size < sizeof *attributes->sectors
                            ? map->sector_size
                            : sizeof *attributes->sectors;
    nbstage_status status =
        map_check_array(context, "sectors", map->sectors, map->sector_count,
                        NBSTAGE_FORM_32, map->sector_size, stride);
    if (status == NBSTAGE_OK)
        status =
            attributes_make_sectors(context, map->sector_count, attributes);
    for (size_t i = 0; i < attributes->sector_count; i++) {
        struct nbstage_sector *sector = &attributes->sectors[i];
        memcpy(sector, (const unsigned char *)map->sectors + i * stride, size);
        if (size < sizeof *sector)
            sector->flags |= NBSTAGE_SECTOR_OTHER; // what is not told
    }
    return status;
}

static nbstage_status attributes_read_arrays(struct context *context,
                                             const struct map *map,
                                             struct attributes *attributes)
{
    nbstage_status status = NBSTAGE_OK;
    if (map->line_size < sizeof *attributes->lines)
        status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                              "the array does not have the sectors of lines");
    else if (!map->flags_complete)
        status = context_fail(context, NBSTAGE_BAD_MAP, "lines",
                              "the host does not say that the flags are "
                              "complete");
    else
        status = attributes_copy_sectors(context, map, attributes);
    return attributes_follow_sides(context, attributes, "lines", NULL,
                                   NBSTAGE_NONE, status);
}

// ---------------------------------------------------------------------------
// Things and scripts

// Takes account of what a thing may move; its tag is like a line's.
static void attributes_take_thing(struct attributes *attributes, uint32_t type,
                                  uint32_t special, uint32_t tag)
{
    attributes->may_move_any |=
        thing_makes_slopes(type) ||
        special_may_move_any(attributes->specials, special, tag);
}

// Reads the things of a binary format, which may also be beside arrays.
static nbstage_status attributes_read_things(struct context *context,
                                             struct map *map,
                                             struct attributes *attributes)
{
    const size_t size = attributes_layouts[map->format].thing_size;
    const bool hexen = map->format == NBSTAGE_FORMAT_HEXEN;
    struct map_bytes lump;
    struct map_records things = {0};
    if (size == 0)
        return NBSTAGE_OK;
    nbstage_status status = map_open_lump(context, map, MAP_THINGS, &lump);
    if (status == NBSTAGE_OK && (lump.size > 0 || !map->from_arrays))
        status = map_open_records(context, map, MAP_THINGS, size, &things);
    for (size_t i = 0; i < things.count; i++) {
        const unsigned char *thing = things.bytes + i * things.size;
        attributes_take_thing(attributes,
                              bytes_get_u16(thing + (hexen ? 10 : 6)),
                              hexen ? thing[14] : 0, hexen ? thing[15] : 0);
    }
    return status;
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
    nbstage_status status = NBSTAGE_OK;
    for (int i = MAP_BEHAVIOR; i <= MAP_DIALOGUE && status == NBSTAGE_OK; i++) {
        struct map_bytes lump = {NULL, 0};
        status = map_open_lump(context, map, (enum map_lump)i, &lump);
        if (i == MAP_BEHAVIOR ? !attributes_is_empty(&lump) : lump.size > 0)
            attributes->may_move_any = true;
    }
    return status;
}

// ---------------------------------------------------------------------------
// Text

static nbstage_status attributes_read_text(struct context *context,
                                           const struct map *map,
                                           struct attributes *attributes)
{
    static const uint32_t no_side = NBSTAGE_NONE; // as NULL stands for arrays
    const struct text_attributes *text = map->text_attributes;
    const struct nbstage_line *lines = text->of[UDMF_LINEDEF].records;
    const struct text_thing *things = text->of[UDMF_THING].records;
    const uint32_t *side_sectors = text->of[UDMF_SIDEDEF].records;
    nbstage_status status = NBSTAGE_OK;
    attributes->specials = text->specials == TEXT_DOOM    ? SPECIALS_DOOM
                           : text->specials == TEXT_HEXEN ? SPECIALS_HEXEN
                                                          : SPECIALS_UNKNOWN;
    for (size_t i = 0; i < attributes->line_count; i++) {
        struct nbstage_line *line = &attributes->lines[i];
        const uint32_t v1 = line->v1, v2 = line->v2;
        *line = lines[i];
        line->v1 = v1;
        line->v2 = v2;
    }
    attributes->borrows_sectors = true;
    attributes->sectors = text->of[UDMF_SECTOR].records;
    attributes->sector_count = text->of[UDMF_SECTOR].count;
    for (size_t i = 0; text->has_vertex_slopes && i < attributes->sector_count;
         i++)
        attributes->sectors[i].flags |= NBSTAGE_SECTOR_SLOPED;
    for (size_t i = 0; i < text->of[UDMF_THING].count; i++)
        attributes_take_thing(attributes, things[i].type, things[i].special,
                              things[i].tag);
    if (*text->flaw)
        status = context_fail(context, NBSTAGE_BAD_MAP, NULL, "%s", text->flaw);
    return attributes_follow_sides(context, attributes, "TEXTMAP",
                                   side_sectors ? side_sectors : &no_side,
                                   text->of[UDMF_SIDEDEF].count, status);
}

static nbstage_status attributes_read_map(struct context *context,
                                          struct map *map,
                                          struct attributes *attributes)
{
    *attributes = (struct attributes){
        .format = map->format,
        .specials = map->format == NBSTAGE_FORMAT_DOOM    ? SPECIALS_DOOM
                    : map->format == NBSTAGE_FORMAT_HEXEN ? SPECIALS_HEXEN
                                                          : SPECIALS_UNKNOWN,
    };
    nbstage_status status = attributes_make_lines(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = map->from_arrays
                     ? attributes_read_arrays(context, map, attributes)
                 : map->format == NBSTAGE_FORMAT_UDMF
                     ? attributes_read_text(context, map, attributes)
                     : attributes_read_sides(context, map, attributes);
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
    *attributes = (struct attributes){0};
}
