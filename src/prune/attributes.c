// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats, from the host's arrays
// and from text.  All become the structures of the interface.
//
// Elements of the host's arrays may be shorter than these structures.  A line
// has to be complete, but as much as there is of it is read first.  A sector
// that is not complete gets NBSTAGE_SECTOR_OTHER.
//
// Text is read twice: once to count blocks, once for their fields.  Only the
// fields in the lists below are known, and most to be harmless.  Any other
// raises a doubt unless it is false, as namespaces may have any fields.

#include "prune/attributes.h"

#include "base/bytes.h"
#include "map/udmf.h"

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

struct text_thing {
    uint32_t type, special, tag;
};

// Fields that are integers.
static const struct text_number {
    enum udmf_block block;
    const char *name;
    size_t offset;      // of 32 bits in what the block is read to
    uint32_t otherwise; // taken if the value is no integer, or does not fit
} attributes_numbers[] = {
    {UDMF_LINEDEF, "special", offsetof(struct nbstage_line, special),
     UINT32_MAX},
    {UDMF_LINEDEF, "sidefront", offsetof(struct nbstage_line, front_sector),
     UINT32_MAX - 1},
    {UDMF_LINEDEF, "sideback", offsetof(struct nbstage_line, back_sector),
     UINT32_MAX - 1},
    {UDMF_LINEDEF, "arg0", offsetof(struct nbstage_line, args[0]), 0},
    {UDMF_LINEDEF, "arg1", offsetof(struct nbstage_line, args[1]), 0},
    {UDMF_LINEDEF, "arg2", offsetof(struct nbstage_line, args[2]), 0},
    {UDMF_LINEDEF, "arg3", offsetof(struct nbstage_line, args[3]), 0},
    {UDMF_LINEDEF, "arg4", offsetof(struct nbstage_line, args[4]), 0},
    {UDMF_SIDEDEF, "sector", 0, UINT32_MAX},
    {UDMF_SECTOR, "special", offsetof(struct nbstage_sector, special),
     UINT32_MAX},
    {UDMF_SECTOR, "id", offsetof(struct nbstage_sector, tag), 1},
    {UDMF_THING, "type", offsetof(struct text_thing, type), UINT32_MAX},
    {UDMF_THING, "special", offsetof(struct text_thing, special), UINT32_MAX},
    {UDMF_THING, "arg0", offsetof(struct text_thing, tag), 0},
};

// Fields that say nothing about movement.
static const char *const attributes_harmless_in_line[] = {
    "v1",       "v2",     "dontpegbottom", "dontpegtop", "secret",
    "dontdraw", "mapped", "comment",       NULL,
};
static const char *const attributes_harmless_in_sector[] = {
    "texturefloor",    "textureceiling",  "lightlevel", "comment",
    "xpanningfloor",   "ypanningfloor",   "lightfloor", "lightceiling",
    "xpanningceiling", "ypanningceiling", NULL,
};

static const char *const attributes_slopes_in_sector[] = {
    "floorplane_a",   "floorplane_b",   "floorplane_c",
    "floorplane_d",   "ceilingplane_a", "ceilingplane_b",
    "ceilingplane_c", "ceilingplane_d", NULL,
};

struct text_reading {
    struct attributes *attributes;
    uint32_t *side_sectors;
    struct text_thing thing;
    bool reads; // fields; or only counts blocks, and reads the namespace
    bool vertex_slopes;
    size_t name_space; // which of those known; SIZE_MAX: none so far

    // The block that fields belong to, where the numbers among them go, and how
    // many of each kind have begun.
    enum udmf_block block;
    void *record;
    size_t count[UDMF_BLOCK_COUNT];
};

// Whether a name is in a list, at whose end there is NULL.
static bool attributes_is_one_of(const struct udmf_token *name,
                                 const char *const *list)
{
    while (*list && !udmf_token_is(name, *list))
        list++;
    return *list;
}

// An integer; `otherwise` if it is none or does not fit.
static uint32_t attributes_integer(const struct udmf_token *value,
                                   uint32_t otherwise)
{
    int64_t number;
    if (!udmf_read_integer(value, &number) || number < INT32_MIN ||
        number > INT32_MAX)
        return otherwise;
    return (uint32_t)number;
}

// Reads a field that the table has; false if it does not.
static bool attributes_read_number(const struct text_reading *reading,
                                   const struct udmf_token *name,
                                   const struct udmf_token *value)
{
    const size_t count = sizeof attributes_numbers / sizeof *attributes_numbers;
    for (size_t i = 0; i < count; i++) {
        const struct text_number *number = &attributes_numbers[i];
        if (number->block != reading->block ||
            !udmf_token_is(name, number->name))
            continue;
        const uint32_t read = attributes_integer(value, number->otherwise);
        memcpy((unsigned char *)reading->record + number->offset, &read,
               sizeof read);
        return true;
    }
    return false;
}

static void attributes_read_line_field(struct nbstage_line *line,
                                       const struct udmf_token *name,
                                       const struct udmf_token *value)
{
    if (udmf_token_is(name, "id")) {
        // The first id stays, even if a later field has -1 for none: readers
        // may differ over which of them counts.
        if (line->tag == attributes_no_tag(NBSTAGE_FORMAT_UDMF))
            line->tag = attributes_integer(value, 0);
    } else if (udmf_token_is(name, "twosided")) {
        line->flags = udmf_token_is(value, "true")
                          ? line->flags | NBSTAGE_LINE_TWO_SIDED
                          : line->flags & ~NBSTAGE_LINE_TWO_SIDED;
    } else if (!attributes_is_one_of(name, attributes_harmless_in_line) &&
               !udmf_token_is(value, "false")) {
        line->flags |= udmf_token_begins(name->begin, name->end, "block")
                           ? NBSTAGE_LINE_BLOCKING
                           : NBSTAGE_LINE_OTHER;
    }
}

static void attributes_read_sector_field(struct nbstage_sector *sector,
                                         const struct udmf_token *name,
                                         const struct udmf_token *value)
{
    const bool is_floor = udmf_token_is(name, "heightfloor");
    if (is_floor || udmf_token_is(name, "heightceiling")) {
        if (!udmf_read_fixed(value,
                             is_floor ? &sector->floor : &sector->ceiling))
            sector->flags |= NBSTAGE_SECTOR_OTHER;
    } else if (attributes_is_one_of(name, attributes_slopes_in_sector)) {
        sector->flags |= NBSTAGE_SECTOR_SLOPED;
    } else if (udmf_token_is(name, "moreids")) {
        sector->flags |= NBSTAGE_SECTOR_MORE_TAGS;
    } else if (!attributes_is_one_of(name, attributes_harmless_in_sector) &&
               !udmf_token_is(value, "false")) {
        sector->flags |= NBSTAGE_SECTOR_OTHER;
    }
}

static void attributes_read_namespace(void *user, const struct udmf_token *name,
                                      const struct udmf_token *value)
{
    static const struct {
        const char *name;
        enum attributes_specials specials;
    } namespaces[] = {
        {"\"doom\"", SPECIALS_DOOM},   {"\"heretic\"", SPECIALS_DOOM},
        {"\"strife\"", SPECIALS_DOOM}, {"\"hexen\"", SPECIALS_HEXEN},
        {"\"zdoom\"", SPECIALS_HEXEN},
    };
    const size_t count = sizeof namespaces / sizeof *namespaces;
    struct text_reading *reading = user;
    size_t found = 0;
    if (reading->reads || !udmf_token_is(name, "namespace"))
        return;
    while (found < count && !udmf_token_is(value, namespaces[found].name))
        found++;
    if (reading->name_space == SIZE_MAX && found < count)
        reading->attributes->specials = namespaces[found].specials;
    else if (reading->name_space != SIZE_MAX && reading->name_space != found)
        reading->attributes->specials = SPECIALS_UNKNOWN;
    reading->name_space = found;
}

static bool attributes_begin_block(void *user, enum udmf_block block,
                                   const char *begin)
{
    struct text_reading *reading = user;
    (void)begin;
    reading->block = block;
    const size_t index = reading->count[reading->block]++;
    if (!reading->reads)
        return false;
    if (reading->block == UDMF_LINEDEF)
        reading->record = &reading->attributes->lines[index];
    else if (reading->block == UDMF_SECTOR)
        reading->record = &reading->attributes->sectors[index];
    else if (reading->block == UDMF_SIDEDEF)
        reading->record = &reading->side_sectors[index];
    else
        reading->record = &reading->thing;
    reading->thing = (struct text_thing){0};
    return true;
}

static nbstage_status attributes_read_field(void *user,
                                            const struct udmf_token *name,
                                            const struct udmf_token *value)
{
    struct text_reading *reading = user;
    if (attributes_read_number(reading, name, value))
        return NBSTAGE_OK;
    if (reading->block == UDMF_LINEDEF)
        attributes_read_line_field(reading->record, name, value);
    else if (reading->block == UDMF_SECTOR)
        attributes_read_sector_field(reading->record, name, value);
    else if (reading->block == UDMF_VERTEX)
        reading->vertex_slopes |=
            !udmf_token_is(name, "x") && !udmf_token_is(name, "y");
    return NBSTAGE_OK;
}

static nbstage_status attributes_end_block(void *user)
{
    const struct text_reading *reading = user;
    const struct text_thing *thing = &reading->thing;
    if (reading->block == UDMF_THING)
        attributes_take_thing(reading->attributes, thing->type, thing->special,
                              thing->tag);
    return NBSTAGE_OK;
}

static nbstage_status attributes_read_text(struct context *context,
                                           const struct map *map,
                                           struct attributes *attributes)
{
    struct text_reading reading = {.attributes = attributes,
                                   .name_space = SIZE_MAX};
    const struct udmf_visitor visitor = {.user = &reading,
                                         .assignment =
                                             attributes_read_namespace,
                                         .block = attributes_begin_block,
                                         .field = attributes_read_field,
                                         .end = attributes_end_block};
    const char *text = (const char *)map->text.bytes;
    nbstage_status status = udmf_read(context, text, map->text.size, &visitor);
    const size_t side_count = reading.count[UDMF_SIDEDEF];
    if (status == NBSTAGE_OK)
        status = attributes_make_sectors(context, reading.count[UDMF_SECTOR],
                                         attributes);
    if (status == NBSTAGE_OK)
        // One more than there are, as NULL stands for arrays.
        status = context_allocate(context, side_count + 1,
                                  sizeof *reading.side_sectors,
                                  &reading.side_sectors);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < side_count; i++)
        reading.side_sectors[i] = NBSTAGE_NONE;
    memset(reading.count, 0, sizeof reading.count);
    reading.reads = true;
    status = udmf_read(context, text, map->text.size, &visitor);
    status = attributes_follow_sides(context, attributes, "TEXTMAP",
                                     reading.side_sectors,
                                     reading.count[UDMF_SIDEDEF], status);
    for (size_t i = 0; reading.vertex_slopes && i < attributes->sector_count;
         i++)
        attributes->sectors[i].flags |= NBSTAGE_SECTOR_SLOPED;
    context_release(context, reading.side_sectors);
    return status;
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
    context_release(context, attributes->sectors);
    *attributes = (struct attributes){0};
}
