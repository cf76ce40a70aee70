// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats; udmf-attributes.c
// reads them from text and array-attributes.c from the host's arrays.  Whatever
// the form, they come to the same plain arrays.

#include "prune/attributes.h"

#include "base/bytes.h"
#include "prune/array-attributes.h"
#include "prune/udmf-attributes.h"

#include <string.h>

enum { NO_SIDE = 0xFFFF };

// Bytes of the records of the binary formats, and where in them what is read
// begins.  The tag of a sector follows its special.
static const struct layout {
    size_t side_size;
    size_t side_sector;
    size_t sector_size;
    size_t sector_special;
    size_t thing_size; // 0: things are not read
} layouts[] = {
    [NBSTAGE_FORMAT_DOOM] = {30, 28, 26, 22, 10},
    [NBSTAGE_FORMAT_HEXEN] = {30, 28, 26, 22, 20},
    [NBSTAGE_FORMAT_DOOM64] = {12, 10, 24, 18, 0},
    [NBSTAGE_FORMAT_UDMF] = {0},
};

// ---------------------------------------------------------------------------
// What all forms have in common

nbstage_status attributes_allocate_lines(struct context *context,
                                         struct attributes *attributes)
{
    return context_allocate(context, attributes->line_count,
                            sizeof *attributes->lines, &attributes->lines);
}

nbstage_status attributes_allocate_sectors(struct context *context,
                                           size_t count,
                                           struct attributes *attributes)
{
    nbstage_status status = context_allocate(
        context, count, sizeof *attributes->sectors, &attributes->sectors);
    if (status == NBSTAGE_OK)
        attributes->sector_count = count;
    return status;
}

void attributes_judge_line(uint32_t format, struct attributes_line *line)
{
    bool udmf = format == NBSTAGE_FORMAT_UDMF;
    uint32_t two_sided =
        udmf ? ATTRIBUTES_LINE_TWO_SIDED : ATTRIBUTES_FLAG_TWO_SIDED;
    uint32_t harmless =
        udmf ? ATTRIBUTES_LINE_TWO_SIDED : ATTRIBUTES_FLAGS_HARMLESS;
    line->tag =
        format == NBSTAGE_FORMAT_DOOM ? line->id : (uint32_t)line->args[0];
    line->two_sided = line->flags & two_sided;
    line->is_harmless =
        !(line->flags & ~harmless) && line->id == attributes_no_id(format);
}

// ---------------------------------------------------------------------------
// Lumps of the binary formats

// A lump of records that must be there.
struct records {
    const unsigned char *bytes;
    size_t count;
    size_t size; // bytes of one
};

static nbstage_status read_records(struct context *context, struct map *map,
                                   enum map_lump lump, const char *name,
                                   size_t size, struct records *records)
{
    struct map_bytes bytes;
    nbstage_status status = map_open_lump(context, map, lump, &bytes);
    if (status != NBSTAGE_OK)
        return status;
    if (bytes.size == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "the lump is missing or empty");
    if (bytes.size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            bytes.size, bytes.size / size, size);
    *records = (struct records){bytes.bytes, bytes.size / size, size};
    return NBSTAGE_OK;
}

static const unsigned char *record(const struct records *records, size_t index)
{
    return records->bytes + index * records->size;
}

// What a linedef is by itself, without its sides.
static void read_linedef(const struct map *map, size_t index,
                         struct attributes_line *line)
{
    const unsigned char *linedef = map->lines + index * map->line_stride;
    *line = (struct attributes_line){.front = ATTRIBUTES_NO_SECTOR,
                                     .back = ATTRIBUTES_NO_SECTOR};
    if (map->format == NBSTAGE_FORMAT_DOOM64) {
        line->flags = bytes_get_u32(linedef + 4);
        line->special = bytes_get_u16(linedef + 8);
        line->id = bytes_get_u16(linedef + 10);
    } else if (map->format == NBSTAGE_FORMAT_HEXEN) {
        line->flags = bytes_get_u16(linedef + 4);
        line->special = linedef[6];
        for (int i = 0; i < ATTRIBUTES_ARGUMENTS; i++)
            line->args[i] = linedef[7 + i];
    } else {
        line->flags = bytes_get_u16(linedef + 4);
        line->special = bytes_get_u16(linedef + 6);
        line->id = bytes_get_u16(linedef + 8);
    }
    attributes_judge_line(map->format, line);
}

// What sides are followed by.
struct sidedefs {
    struct records records;
    size_t sector_at; // byte of a record
    size_t sector_count;
};

static uint32_t sector_of(const struct sidedefs *sides, uint32_t side)
{
    return bytes_get_u16(record(&sides->records, side) + sides->sector_at);
}

// Finds the sector that a side faces, which stays as it is if there is no such
// side; false if there should be one.
static bool find_sector(const struct sidedefs *sides, uint32_t side,
                        uint32_t *sector)
{
    if (side == NO_SIDE)
        return true;
    if (side >= sides->records.count ||
        sector_of(sides, side) >= sides->sector_count)
        return false;
    *sector = sector_of(sides, side);
    return true;
}

static nbstage_status bad_side(struct context *context,
                               const struct sidedefs *sides, size_t line,
                               uint32_t side)
{
    if (side >= sides->records.count)
        return context_fail(context, NBSTAGE_BAD_MAP, "LINEDEFS",
                            "linedef %zu refers to sidedef %lu, which does "
                            "not exist; SIDEDEFS has %zu",
                            line, (unsigned long)side, sides->records.count);
    return context_fail(context, NBSTAGE_BAD_MAP, "SIDEDEFS",
                        "sidedef %lu refers to sector %lu, which does not "
                        "exist; SECTORS has %zu",
                        (unsigned long)side,
                        (unsigned long)sector_of(sides, side),
                        sides->sector_count);
}

// Finds the sectors of all lines; every linedef ends with its two sides.
static nbstage_status follow_sides(struct context *context,
                                   const struct map *map,
                                   const struct sidedefs *sides,
                                   struct attributes *attributes)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < map->line_count; i++) {
        const unsigned char *end = map->lines + (i + 1) * map->line_stride;
        uint32_t right = bytes_get_u16(end - 4);
        uint32_t left = bytes_get_u16(end - 2);
        struct attributes_line *line = &attributes->lines[i];
        bool has_front = find_sector(sides, right, &line->front);
        bool has_back = find_sector(sides, left, &line->back);
        if (status == NBSTAGE_OK && !(has_front && has_back))
            status = bad_side(context, sides, i, has_front ? left : right);
    }
    return status;
}

// By the format of the map, which arrays may have, too.
static nbstage_status read_things(struct context *context, struct map *map,
                                  struct attributes *attributes)
{
    bool hexen = map->format == NBSTAGE_FORMAT_HEXEN;
    struct records things;
    nbstage_status status =
        read_records(context, map, MAP_THINGS, "THINGS",
                     layouts[map->format].thing_size, &things);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, things.count, sizeof *attributes->things,
                             &attributes->things);
    if (status != NBSTAGE_OK)
        return status;
    attributes->thing_count = things.count;
    for (size_t i = 0; i < things.count; i++) {
        const unsigned char *thing = record(&things, i);
        attributes->things[i] = (struct attributes_thing){
            .number = i,
            .type = bytes_get_u16(thing + (hexen ? 10 : 6)),
            .special = hexen ? thing[14] : 0,
            .tag = hexen ? thing[15] : 0,
        };
    }
    return NBSTAGE_OK;
}

static nbstage_status read_sectors(struct context *context, struct map *map,
                                   struct attributes *attributes)
{
    const struct layout *layout = &layouts[map->format];
    struct records sectors;
    nbstage_status status = read_records(context, map, MAP_SECTORS, "SECTORS",
                                         layout->sector_size, &sectors);
    if (status == NBSTAGE_OK)
        status =
            attributes_allocate_sectors(context, sectors.count, attributes);
    for (size_t i = 0; status == NBSTAGE_OK && i < sectors.count; i++) {
        const unsigned char *sector = record(&sectors, i);
        const unsigned char *special = sector + layout->sector_special;
        attributes->sectors[i] = (struct attributes_sector){
            .floor = bytes_get_i16(sector) * 65536,
            .ceiling = bytes_get_i16(sector + 2) * 65536,
            .special = bytes_get_u16(special),
            .tag = bytes_get_u16(special + 2),
        };
    }
    return status;
}

static nbstage_status read_lumps(struct context *context, struct map *map,
                                 struct attributes *attributes)
{
    const struct layout *layout = &layouts[map->format];
    struct sidedefs sides = {.sector_at = layout->side_sector};
    nbstage_status status = attributes_allocate_lines(context, attributes);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < map->line_count; i++)
        read_linedef(map, i, &attributes->lines[i]);
    status = read_records(context, map, MAP_SIDEDEFS, "SIDEDEFS",
                          layout->side_size, &sides.records);
    if (status == NBSTAGE_OK)
        status = read_sectors(context, map, attributes);
    sides.sector_count = attributes->sector_count;
    if (status == NBSTAGE_OK)
        status = follow_sides(context, map, &sides, attributes);
    if (status == NBSTAGE_OK && layout->thing_size > 0)
        status = read_things(context, map, attributes);
    return status;
}

// ---------------------------------------------------------------------------

// Whether a BEHAVIOR lump is what a compiler makes of no script: its four
// letters, and a directory behind them with no script and no string.
static bool behavior_is_empty(const struct map_bytes *behavior)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    return behavior->size == 0 ||
           (behavior->size == sizeof empty &&
            memcmp(behavior->bytes, empty, sizeof empty) == 0);
}

static nbstage_status find_scripts(struct context *context, struct map *map,
                                   struct attributes *attributes)
{
    struct map_bytes behavior, scripts, dialogue;
    nbstage_status status =
        map_open_lump(context, map, MAP_BEHAVIOR, &behavior);
    if (status == NBSTAGE_OK)
        status = map_open_lump(context, map, MAP_SCRIPTS, &scripts);
    if (status == NBSTAGE_OK)
        status = map_open_lump(context, map, MAP_DIALOGUE, &dialogue);
    if (status == NBSTAGE_OK)
        attributes->has_scripts = !behavior_is_empty(&behavior) ||
                                  scripts.size > 0 || dialogue.size > 0;
    return status;
}

// Arrays, and the things among the lumps that may be beside them.
static nbstage_status read_arrays(struct context *context, struct map *map,
                                  struct attributes *attributes)
{
    struct map_bytes things;
    nbstage_status status = array_attributes_read(context, map, attributes);
    if (status != NBSTAGE_OK || layouts[map->format].thing_size == 0)
        return status;
    status = map_open_lump(context, map, MAP_THINGS, &things);
    if (status == NBSTAGE_OK && things.size > 0)
        status = read_things(context, map, attributes);
    return status;
}

static nbstage_status read_as_given(struct context *context, struct map *map,
                                    struct attributes *attributes)
{
    if (map->from_arrays)
        return read_arrays(context, map, attributes);
    if (map->format == NBSTAGE_FORMAT_UDMF)
        return udmf_attributes_read(context, map, attributes);
    return read_lumps(context, map, attributes);
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               struct attributes *attributes)
{
    *attributes = (struct attributes){
        .specials = map->format == NBSTAGE_FORMAT_DOOM    ? SPECIALS_DOOM
                    : map->format == NBSTAGE_FORMAT_HEXEN ? SPECIALS_HEXEN
                                                          : SPECIALS_UNKNOWN,
        .line_count = map->line_count,
    };
    nbstage_status status = read_as_given(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = find_scripts(context, map, attributes);
    if (status == NBSTAGE_OUT_OF_MEMORY)
        attributes_free(context, attributes);
    return status;
}

void attributes_free(struct context *context, struct attributes *attributes)
{
    context_release(context, attributes->lines);
    context_release(context, attributes->sectors);
    context_release(context, attributes->things);
    *attributes = (struct attributes){0};
}
