// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats; udmf-attributes.c
// reads them from text and array-attributes.c from the host's arrays.  Whatever
// the form, they come to the same plain arrays.

#include "attributes.h"

#include "array-attributes.h"
#include "bytes.h"
#include "udmf-attributes.h"

#include <string.h>

enum {
    SIDEDEF_SIZE = 30, // bytes
    SIDEDEF_SECTOR = 28,
    SECTOR_SIZE = 26,
    DOOM_THING_SIZE = 10,
    HEXEN_THING_SIZE = 20,
    NO_SIDE = 0xFFFF,
};

// ---------------------------------------------------------------------------
// Memory

enum status attributes_allocate(struct context *context, size_t sector_count,
                                struct attributes *attributes)
{
    attributes->sector_count = sector_count;
    enum status status =
        context_allocate(context, attributes->line_count,
                         sizeof *attributes->lines, &attributes->lines);
    if (status == STATUS_OK)
        status =
            context_allocate(context, sector_count, sizeof *attributes->sectors,
                             &attributes->sectors);
    return status;
}

// ---------------------------------------------------------------------------
// Lumps of the binary formats

// A lump of records that must be there.
struct records {
    const unsigned char *bytes;
    size_t count;
    size_t size; // bytes of one
};

static enum status read_records(struct context *context, struct map *map,
                                enum map_attribute_lump lump, const char *name,
                                size_t size, struct records *records)
{
    struct map_bytes bytes;
    enum status status = map_attribute_bytes(context, map, lump, &bytes);
    if (status != STATUS_OK)
        return status;
    if (bytes.size == 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "the lump is missing or empty");
    if (bytes.size % size != 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            bytes.size, bytes.size / size, size);
    *records = (struct records){bytes.bytes, bytes.size / size, size};
    return STATUS_OK;
}

static const unsigned char *record(const struct records *records, size_t index)
{
    return records->bytes + index * records->size;
}

// The sector that a side faces.
static enum status find_sector(struct context *context,
                               const struct records *sides, size_t sector_count,
                               size_t line, uint32_t side, uint32_t *sector)
{
    *sector = ATTRIBUTES_NO_SECTOR;
    if (side == NO_SIDE)
        return STATUS_OK;
    if (side >= sides->count)
        return context_fail(context, STATUS_BAD_MAP, "LINEDEFS",
                            "linedef %zu refers to sidedef %lu, which does "
                            "not exist; SIDEDEFS has %zu",
                            line, (unsigned long)side, sides->count);
    *sector = bytes_get_u16(record(sides, side) + SIDEDEF_SECTOR);
    if (*sector >= sector_count)
        return context_fail(context, STATUS_BAD_MAP, "SIDEDEFS",
                            "sidedef %lu refers to sector %lu, which does not "
                            "exist; SECTORS has %zu",
                            (unsigned long)side, (unsigned long)*sector,
                            sector_count);
    return STATUS_OK;
}

static enum status read_linedef(struct context *context, const struct map *map,
                                const struct records *sides,
                                struct attributes *attributes, size_t index)
{
    const unsigned char *linedef = map->lines + index * map->line_stride;
    struct attributes_line *line = &attributes->lines[index];
    bool hexen = map->format == MAP_HEXEN;
    const unsigned char *right = linedef + (hexen ? 12 : 10);
    uint32_t flags = bytes_get_u16(linedef + 4);
    *line = (struct attributes_line){
        .special = hexen ? linedef[6] : bytes_get_u16(linedef + 6),
        .tag = hexen ? linedef[7] : bytes_get_u16(linedef + 8),
        .two_sided = flags & ATTRIBUTES_FLAG_TWO_SIDED,
        .is_harmless = !(flags & ~(uint32_t)ATTRIBUTES_FLAGS_HARMLESS),
    };
    if (!hexen && line->tag != 0)
        line->is_harmless = false;
    enum status status = find_sector(context, sides, attributes->sector_count,
                                     index, bytes_get_u16(right), &line->front);
    if (status == STATUS_OK)
        status = find_sector(context, sides, attributes->sector_count, index,
                             bytes_get_u16(right + 2), &line->back);
    return status;
}

static enum status read_sectors(struct context *context, struct map *map,
                                struct attributes *attributes)
{
    struct records sectors;
    enum status status = read_records(context, map, MAP_SECTORS, "SECTORS",
                                      SECTOR_SIZE, &sectors);
    if (status == STATUS_OK)
        status = attributes_allocate(context, sectors.count, attributes);
    for (size_t i = 0; status == STATUS_OK && i < sectors.count; i++) {
        const unsigned char *sector = record(&sectors, i);
        attributes->sectors[i] = (struct attributes_sector){
            .floor = bytes_get_i16(sector),
            .ceiling = bytes_get_i16(sector + 2),
            .special = bytes_get_u16(sector + 22),
            .tag = bytes_get_u16(sector + 24),
        };
    }
    return status;
}

// By the rules of the map, which arrays may have, too.
static enum status read_things(struct context *context, struct map *map,
                               struct attributes *attributes)
{
    bool hexen = map->rules == MAP_HEXEN;
    struct records things;
    enum status status =
        read_records(context, map, MAP_THINGS, "THINGS",
                     hexen ? HEXEN_THING_SIZE : DOOM_THING_SIZE, &things);
    if (status != STATUS_OK)
        return status;
    attributes->thing_count = things.count;
    status = context_allocate(context, things.count, sizeof *attributes->things,
                              &attributes->things);
    for (size_t i = 0; i < things.count && status == STATUS_OK; i++) {
        const unsigned char *thing = record(&things, i);
        attributes->things[i] = (struct attributes_thing){
            .number = i,
            .type = bytes_get_u16(thing + (hexen ? 10 : 6)),
            .special = hexen ? thing[14] : 0,
            .tag = hexen ? thing[15] : 0,
        };
    }
    return status;
}

static enum status read_lumps(struct context *context, struct map *map,
                              struct attributes *attributes)
{
    struct records sides;
    enum status status = read_records(context, map, MAP_SIDEDEFS, "SIDEDEFS",
                                      SIDEDEF_SIZE, &sides);
    if (status == STATUS_OK)
        status = read_sectors(context, map, attributes);
    if (status == STATUS_OK)
        status = read_things(context, map, attributes);
    for (size_t i = 0; i < map->line_count && status == STATUS_OK; i++)
        status = read_linedef(context, map, &sides, attributes, i);
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

static enum status find_scripts(struct context *context, struct map *map,
                                struct attributes *attributes)
{
    struct map_bytes behavior, scripts, dialogue;
    enum status status =
        map_attribute_bytes(context, map, MAP_BEHAVIOR, &behavior);
    if (status == STATUS_OK)
        status = map_attribute_bytes(context, map, MAP_SCRIPTS, &scripts);
    if (status == STATUS_OK)
        status = map_attribute_bytes(context, map, MAP_DIALOGUE, &dialogue);
    if (status == STATUS_OK)
        attributes->has_scripts = !behavior_is_empty(&behavior) ||
                                  scripts.size > 0 || dialogue.size > 0;
    return status;
}

// Arrays, and the things among the lumps that may be beside them.
static enum status read_arrays(struct context *context, struct map *map,
                               struct attributes *attributes)
{
    const struct map_lump *things = map->attribute_lumps[MAP_THINGS];
    enum status status = array_attributes_read(context, map, attributes);
    if (status == STATUS_OK && map->rules != MAP_UDMF && things &&
        things->size > 0)
        status = read_things(context, map, attributes);
    return status;
}

static enum status read_as_given(struct context *context, struct map *map,
                                 struct attributes *attributes)
{
    if (map->rules == MAP_DOOM64)
        return context_fail(context, STATUS_UNSUPPORTED, NULL,
                            "what can move in Doom 64, by macros above all, "
                            "is not known");
    if (map->format == MAP_ARRAYS)
        return read_arrays(context, map, attributes);
    if (map->format == MAP_UDMF)
        return udmf_attributes_read(context, map, attributes);
    return read_lumps(context, map, attributes);
}

enum status attributes_read(struct context *context, struct map *map,
                            struct attributes *attributes)
{
    *attributes = (struct attributes){
        .specials = map->rules == MAP_DOOM    ? SPECIALS_DOOM
                    : map->rules == MAP_HEXEN ? SPECIALS_HEXEN
                                              : SPECIALS_UNKNOWN,
        .line_count = map->line_count,
    };
    enum status status = read_as_given(context, map, attributes);
    if (status == STATUS_OK)
        status = find_scripts(context, map, attributes);
    if (status != STATUS_OK)
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
