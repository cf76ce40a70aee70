// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats, from the host's arrays
// and from text.  All become the structures of the interface.
//
// Elements of the host's arrays may be shorter than these structures.  A line
// has to be complete, but as much as there is of it is read first.  A sector
// that is not complete is in doubt.
//
// Text is read twice: once to count blocks, once for their fields.  Only the
// fields in the lists below are known, and most to be harmless.  Any other
// raises a doubt unless it is false, as namespaces may have any fields.

#include "prune/attributes.h"

#include "base/bytes.h"
#include "map/udmf.h"

#include <string.h>

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
// Lines

// Makes all lines with their vertices and without anything else.
static nbstage_status make_lines(struct context *context, const struct map *map,
                                 struct attributes *attributes)
{
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
    }
    return status;
}

// Makes room for sectors and their doubts, all zero.
static nbstage_status make_sectors(struct context *context, size_t count,
                                   struct attributes *attributes)
{
    const struct context_array arrays[] = {
        {&attributes->sectors, count, sizeof *attributes->sectors},
        {&attributes->doubts, count, sizeof *attributes->doubts},
    };
    nbstage_status status = context_allocate_arrays(context, arrays, 2);
    if (status == NBSTAGE_OK)
        attributes->sector_count = count;
    return status;
}

// Puts the sectors in place of the sides that front_sector and back_sector of
// all lines stand for: side s faces side_sectors[s], or sector s if that is
// NULL.  `status` is the outcome so far, returned unless it is NBSTAGE_OK and a
// side or sector does not exist.
static nbstage_status follow_sides(struct context *context,
                                   struct attributes *attributes,
                                   const char *where,
                                   const uint32_t *side_sectors,
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

static nbstage_status read_sectors(struct context *context, struct map *map,
                                   struct attributes *attributes)
{
    const struct layout *layout = &layouts[map->format];
    struct map_records sectors;
    nbstage_status status = map_open_records(context, map, MAP_SECTORS,
                                             layout->sector_size, &sectors);
    if (status == NBSTAGE_OK)
        status = make_sectors(context, sectors.count, attributes);
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

static nbstage_status read_sides(struct context *context, struct map *map,
                                 struct attributes *attributes)
{
    const struct layout *layout = &layouts[map->format];
    struct map_records sides = {0};
    uint32_t *sectors = NULL;
    nbstage_status status =
        map_open_records(context, map, MAP_SIDEDEFS, layout->side_size, &sides);
    if (status == NBSTAGE_OK)
        status = read_sectors(context, map, attributes);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, sides.count, sizeof *sectors, &sectors);
    for (size_t i = 0; sectors && i < sides.count; i++)
        sectors[i] =
            bytes_get_u16(sides.bytes + i * sides.size + layout->side_sector);
    status = follow_sides(context, attributes, "LINEDEFS", sectors, sides.count,
                          status);
    context_release(context, sectors);
    return status;
}

// By the format of the map, which arrays may have, too.
static nbstage_status read_things(struct context *context, struct map *map,
                                  struct attributes *attributes)
{
    bool hexen = map->format == NBSTAGE_FORMAT_HEXEN;
    struct map_records things;
    nbstage_status status = map_open_records(
        context, map, MAP_THINGS, layouts[map->format].thing_size, &things);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, things.count, sizeof *attributes->things,
                             &attributes->things);
    if (status != NBSTAGE_OK)
        return status;
    attributes->thing_count = things.count;
    for (size_t i = 0; i < things.count; i++) {
        const unsigned char *thing = things.bytes + i * things.size;
        attributes->things[i] = (struct attributes_thing){
            .type = bytes_get_u16(thing + (hexen ? 10 : 6)),
            .special = hexen ? thing[14] : 0,
            .tag = hexen ? thing[15] : 0,
            .x = (int16_t)bytes_get_u16(thing + (hexen ? 2 : 0)),
            .y = (int16_t)bytes_get_u16(thing + (hexen ? 4 : 2)),
        };
    }
    return NBSTAGE_OK;
}

static nbstage_status read_lumps(struct context *context, struct map *map,
                                 struct attributes *attributes)
{
    for (size_t i = 0; i < map->line_count; i++)
        attributes_get_linedef(map, i, &attributes->lines[i]);
    nbstage_status status = read_sides(context, map, attributes);
    if (status == NBSTAGE_OK && layouts[map->format].thing_size > 0)
        status = read_things(context, map, attributes);
    return status;
}

// ---------------------------------------------------------------------------
// Arrays

// Copies the lines.  Without complete elements there are no sides.
static nbstage_status copy_lines(struct context *context, const struct map *map,
                                 struct attributes *attributes)
{
    const bool has_sides = map->line_size == sizeof *attributes->lines;
    for (size_t i = 0; i < map->line_count; i++) {
        struct nbstage_line *line = &attributes->lines[i];
        attributes_copy_line(map, i, line);
        if (!has_sides)
            line->front_sector = line->back_sector = NBSTAGE_NONE;
    }
    if (!has_sides)
        return context_fail(context, NBSTAGE_BAD_MAP, "lines",
                            "the array does not have the sectors of lines");
    if (!map->flags_complete)
        return context_fail(context, NBSTAGE_BAD_MAP, "lines",
                            "the host does not say that the flags are "
                            "complete");
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

static nbstage_status copy_sectors(struct context *context,
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
        status = make_sectors(context, map->sector_count, attributes);
    for (size_t i = 0; i < attributes->sector_count; i++) {
        struct nbstage_sector *sector = &attributes->sectors[i];
        memcpy(sector, (const unsigned char *)map->sectors + i * stride, size);
        attributes->doubts[i] = size < sizeof *sector
                                    ? "attributes that are not told"
                                    : doubt_of_flags(sector->flags);
    }
    return status;
}

// Arrays, and the things among the lumps that the map may have as well.
static nbstage_status read_arrays(struct context *context, struct map *map,
                                  struct attributes *attributes)
{
    struct map_bytes things;
    nbstage_status status = copy_lines(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = copy_sectors(context, map, attributes);
    status =
        follow_sides(context, attributes, "lines", NULL, NBSTAGE_NONE, status);
    if (status != NBSTAGE_OK || layouts[map->format].thing_size == 0)
        return status;
    status = map_open_lump(context, map, MAP_THINGS, &things);
    if (status == NBSTAGE_OK && things.size > 0)
        status = read_things(context, map, attributes);
    return status;
}

// ---------------------------------------------------------------------------
// Text

enum block { BLOCK_LINE, BLOCK_SIDE, BLOCK_SECTOR, BLOCK_THING, BLOCK_COUNT };

static const char *const block_names[] = {"linedef", "sidedef", "sector",
                                          "thing", NULL};

// Fields that say nothing about movement.
static const char *const harmless_in_line[] = {
    "v1",       "v2",     "dontpegbottom", "dontpegtop", "secret",
    "dontdraw", "mapped", "comment",       NULL,
};
static const char *const harmless_in_sector[] = {
    "texturefloor",    "textureceiling",  "lightlevel", "comment",
    "xpanningfloor",   "ypanningfloor",   "lightfloor", "lightceiling",
    "xpanningceiling", "ypanningceiling", NULL,
};

static const char *const slopes_in_sector[] = {
    "floorplane_a",   "floorplane_b",   "floorplane_c",
    "floorplane_d",   "ceilingplane_a", "ceilingplane_b",
    "ceilingplane_c", "ceilingplane_d", NULL,
};

struct text_reading {
    struct attributes *attributes;
    uint32_t *side_sectors;

    // The block that fields belong to, and how many of each kind have begun.
    enum block block;
    size_t count[BLOCK_COUNT];
    bool reads; // or only counts

    bool vertex_slopes;

    size_t name_space; // which of those that are known; SIZE_MAX: none so far
};

// The place of a name in a list, at whose end there is NULL; the length of the
// list if the name is not in it.
static size_t place_in(const struct udmf_token *name, const char *const *list)
{
    size_t place = 0;
    while (list[place] && !udmf_token_is(name, list[place]))
        place++;
    return place;
}

static bool is_one_of(const struct udmf_token *name, const char *const *list)
{
    return list[place_in(name, list)];
}

// An integer; `otherwise` if it is none or does not fit.
static uint32_t integer(const struct udmf_token *value, uint32_t otherwise)
{
    int64_t number;
    if (!udmf_read_integer(value, &number) || number < INT32_MIN ||
        number > INT32_MAX)
        return otherwise;
    return (uint32_t)number;
}

// Whether a name begins with "block", as the names of all fields do that block
// something.
static bool is_blocking(const struct udmf_token *name)
{
    const ptrdiff_t length = 5;
    struct udmf_token begin = {name->begin, name->begin + length};
    return name->end - name->begin >= length && udmf_token_is(&begin, "block");
}

static void read_line_flag(struct nbstage_line *line,
                           const struct udmf_token *name,
                           const struct udmf_token *value)
{
    if (udmf_token_is(name, "twosided"))
        line->flags = udmf_token_is(value, "true")
                          ? line->flags | NBSTAGE_LINE_TWO_SIDED
                          : line->flags & ~NBSTAGE_LINE_TWO_SIDED;
    else if (is_one_of(name, harmless_in_line) || udmf_token_is(value, "false"))
        return;
    else if (is_blocking(name))
        line->flags |= NBSTAGE_LINE_BLOCKING;
    else
        line->flags |= NBSTAGE_LINE_OTHER;
}

static void read_line_field(struct nbstage_line *line,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    static const char *const arguments[] = {"arg0", "arg1", "arg2",
                                            "arg3", "arg4", NULL};
    if (udmf_token_is(name, "special")) {
        line->special = integer(value, UINT32_MAX);
    } else if (udmf_token_is(name, "sidefront")) {
        line->front_sector = integer(value, UINT32_MAX - 1);
    } else if (udmf_token_is(name, "sideback")) {
        line->back_sector = integer(value, UINT32_MAX - 1);
    } else if (udmf_token_is(name, "id")) {
        // The first id stays, even if a later field has -1 for none: readers
        // may differ over which of them counts.
        if (line->tag == attributes_no_tag(NBSTAGE_FORMAT_UDMF))
            line->tag = integer(value, 0);
    } else if (is_one_of(name, arguments)) {
        line->args[place_in(name, arguments)] = (int32_t)integer(value, 0);
    } else {
        read_line_flag(line, name, value);
    }
}

static void doubt(struct attributes *attributes, size_t sector, uint32_t flag,
                  const char *why)
{
    attributes->sectors[sector].flags |= flag;
    attributes->doubts[sector] = why;
}

static void read_sector_field(struct attributes *attributes, size_t index,
                              const struct udmf_token *name,
                              const struct udmf_token *value)
{
    struct nbstage_sector *sector = &attributes->sectors[index];
    if (udmf_token_is(name, "heightfloor")) {
        if (!udmf_read_fixed(value, &sector->floor))
            doubt(attributes, index, NBSTAGE_SECTOR_OTHER,
                  "a floor of no known height");
    } else if (udmf_token_is(name, "heightceiling")) {
        if (!udmf_read_fixed(value, &sector->ceiling))
            doubt(attributes, index, NBSTAGE_SECTOR_OTHER,
                  "a ceiling of no known height");
    } else if (udmf_token_is(name, "special")) {
        sector->special = integer(value, UINT32_MAX);
    } else if (udmf_token_is(name, "id")) {
        sector->tag = integer(value, 1);
    } else if (is_one_of(name, slopes_in_sector)) {
        doubt(attributes, index, NBSTAGE_SECTOR_SLOPED, "slopes");
    } else if (udmf_token_is(name, "moreids")) {
        doubt(attributes, index, NBSTAGE_SECTOR_MORE_TAGS,
              "more tags than one");
    } else if (!is_one_of(name, harmless_in_sector) &&
               !udmf_token_is(value, "false")) {
        doubt(attributes, index, NBSTAGE_SECTOR_OTHER,
              "a field that may matter");
    }
}

static void read_thing_field(struct attributes_thing *thing,
                             const struct udmf_token *name,
                             const struct udmf_token *value)
{
    if (udmf_token_is(name, "type"))
        thing->type = integer(value, UINT32_MAX);
    else if (udmf_token_is(name, "special"))
        thing->special = integer(value, UINT32_MAX);
    else if (udmf_token_is(name, "arg0"))
        thing->tag = integer(value, 0);
}

static void read_namespace(void *user, const struct udmf_token *name,
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
    if (!reading->reads || !udmf_token_is(name, "namespace"))
        return;
    while (found < count && !udmf_token_is(value, namespaces[found].name))
        found++;
    if (reading->name_space == SIZE_MAX && found < count)
        reading->attributes->specials = namespaces[found].specials;
    else if (reading->name_space != SIZE_MAX && reading->name_space != found)
        reading->attributes->specials = SPECIALS_UNKNOWN;
    reading->name_space = found;
}

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct text_reading *reading = user;
    reading->block = (enum block)place_in(name, block_names);
    if (reading->block == BLOCK_COUNT)
        return reading->reads && udmf_token_is(name, "vertex");
    reading->count[reading->block]++;
    return reading->reads;
}

static nbstage_status read_field(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    struct text_reading *reading = user;
    struct attributes *attributes = reading->attributes;
    size_t index =
        reading->block < BLOCK_COUNT ? reading->count[reading->block] - 1 : 0;
    switch (reading->block) {
    case BLOCK_LINE:
        read_line_field(&attributes->lines[index], name, value);
        break;
    case BLOCK_SIDE:
        if (udmf_token_is(name, "sector"))
            reading->side_sectors[index] = integer(value, UINT32_MAX);
        break;
    case BLOCK_SECTOR:
        read_sector_field(attributes, index, name, value);
        break;
    case BLOCK_THING:
        read_thing_field(&attributes->things[index], name, value);
        break;
    case BLOCK_COUNT: // a vertex
        if (!udmf_token_is(name, "x") && !udmf_token_is(name, "y"))
            reading->vertex_slopes = true;
        break;
    }
    return NBSTAGE_OK;
}

static nbstage_status allocate(struct context *context,
                               struct text_reading *reading)
{
    struct attributes *attributes = reading->attributes;
    const size_t side_count = reading->count[BLOCK_SIDE];
    attributes->thing_count = reading->count[BLOCK_THING];
    nbstage_status status =
        make_sectors(context, reading->count[BLOCK_SECTOR], attributes);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(context, attributes->thing_count,
                                         sizeof *attributes->things,
                                         &attributes->things);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, side_count, sizeof *reading->side_sectors,
                             &reading->side_sectors);
    for (size_t i = 0; status == NBSTAGE_OK && i < side_count; i++)
        reading->side_sectors[i] = UINT32_MAX;
    return status;
}

static nbstage_status read_text(struct context *context, const struct map *map,
                                struct attributes *attributes)
{
    struct text_reading reading = {.attributes = attributes,
                                   .name_space = SIZE_MAX};
    const struct udmf_visitor visitor = {.user = &reading,
                                         .assignment = read_namespace,
                                         .block = begin_block,
                                         .field = read_field};
    const char *text = (const char *)map->text.bytes;
    nbstage_status status = udmf_read(context, text, map->text.size, &visitor);
    if (status == NBSTAGE_OK)
        status = allocate(context, &reading);
    if (status != NBSTAGE_OK)
        return status;
    for (int i = 0; i < BLOCK_COUNT; i++)
        reading.count[i] = 0;
    reading.reads = true;
    status = udmf_read(context, text, map->text.size, &visitor);
    status = follow_sides(context, attributes, "TEXTMAP", reading.side_sectors,
                          reading.count[BLOCK_SIDE], status);
    for (size_t i = 0; reading.vertex_slopes && i < attributes->sector_count;
         i++)
        doubt(attributes, i, NBSTAGE_SECTOR_SLOPED,
              "vertices that may have heights");
    context_release(context, reading.side_sectors);
    return status;
}

// Whether a BEHAVIOR lump is what a compiler makes of no script: its four
// letters, and a directory with no script and no string.
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
    nbstage_status status = NBSTAGE_OK;
    for (int i = MAP_BEHAVIOR; i <= MAP_DIALOGUE && status == NBSTAGE_OK; i++) {
        struct map_bytes lump = {NULL, 0};
        status = map_open_lump(context, map, (enum map_lump)i, &lump);
        if (i == MAP_BEHAVIOR ? !behavior_is_empty(&lump) : lump.size > 0)
            attributes->has_scripts = true;
    }
    return status;
}

static nbstage_status read_attributes(struct context *context, struct map *map,
                                      struct attributes *attributes)
{
    *attributes = (struct attributes){
        .format = map->format,
        .specials = map->format == NBSTAGE_FORMAT_DOOM    ? SPECIALS_DOOM
                    : map->format == NBSTAGE_FORMAT_HEXEN ? SPECIALS_HEXEN
                                                          : SPECIALS_UNKNOWN,
    };
    nbstage_status status = make_lines(context, map, attributes);
    if (status == NBSTAGE_OK)
        status = map->from_arrays ? read_arrays(context, map, attributes)
                 : map->format == NBSTAGE_FORMAT_UDMF
                     ? read_text(context, map, attributes)
                     : read_lumps(context, map, attributes);
    return status == NBSTAGE_OK ? find_scripts(context, map, attributes)
                                : status;
}

nbstage_status attributes_read(struct context *context, struct map *map,
                               int32_t level, const char *consequence,
                               struct attributes *attributes,
                               bool *are_complete)
{
    struct context trial = *context; // its sentence is no failure of the build
    trial.map_name = NULL;
    nbstage_status status = read_attributes(&trial, map, attributes);
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
    context_release(context, attributes->things);
    *attributes = (struct attributes){0};
}
