// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the text twice: once to count blocks, once for their fields.  Only the
// fields in these lists are known, and most to be harmless.  Any other raises a
// doubt unless it is false, as namespaces may have any fields.

#include "map/udmf.h"
#include "prune/attributes.h"

enum block { BLOCK_LINE, BLOCK_SIDE, BLOCK_SECTOR, BLOCK_THING, BLOCK_COUNT };

static const char *const block_names[BLOCK_COUNT] = {"linedef", "sidedef",
                                                     "sector", "thing"};

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

struct reading {
    struct attributes *attributes;
    uint32_t *side_sectors;

    // The block that fields belong to, and how many of each kind have begun.
    enum block block;
    size_t count[BLOCK_COUNT];
    bool reads; // or only counts

    bool vertex_slopes;

    // Whether there has been a namespace, and which of those that are known.
    bool has_namespace;
    size_t name_space;
};

// ---------------------------------------------------------------------------
// Values

static bool is_one_of(const struct udmf_token *name, const char *const *list)
{
    for (; *list; list++)
        if (udmf_token_is(name, *list))
            return true;
    return false;
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

// ---------------------------------------------------------------------------
// Fields

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
    static const char *const arguments[] = {"arg0", "arg1", "arg2", "arg3",
                                            "arg4"};
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
    } else {
        for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
            if (udmf_token_is(name, arguments[i])) {
                line->args[i] = (int32_t)integer(value, 0);
                return;
            }
        }
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

// ---------------------------------------------------------------------------
// The text

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
    struct reading *reading = user;
    size_t found = 0;
    if (!reading->reads || !udmf_token_is(name, "namespace"))
        return;
    while (found < count && !udmf_token_is(value, namespaces[found].name))
        found++;
    if (!reading->has_namespace && found < count)
        reading->attributes->specials = namespaces[found].specials;
    else if (reading->has_namespace && reading->name_space != found)
        reading->attributes->specials = SPECIALS_UNKNOWN;
    reading->has_namespace = true;
    reading->name_space = found;
}

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct reading *reading = user;
    for (int i = 0; i < BLOCK_COUNT; i++) {
        if (!udmf_token_is(name, block_names[i]))
            continue;
        reading->block = (enum block)i;
        reading->count[i]++;
        return reading->reads;
    }
    reading->block = BLOCK_COUNT;
    return reading->reads && udmf_token_is(name, "vertex");
}

static nbstage_status read_field(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    struct reading *reading = user;
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

static nbstage_status allocate(struct context *context, struct reading *reading)
{
    struct attributes *attributes = reading->attributes;
    const size_t side_count = reading->count[BLOCK_SIDE];
    attributes->thing_count = reading->count[BLOCK_THING];
    nbstage_status status = attributes_make_sectors(
        context, reading->count[BLOCK_SECTOR], attributes);
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

nbstage_status attributes_read_udmf(struct context *context,
                                    const struct map *map,
                                    struct attributes *attributes)
{
    struct reading reading = {.attributes = attributes};
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
    status = attributes_follow_sides(context, attributes, "TEXTMAP",
                                     reading.side_sectors,
                                     reading.count[BLOCK_SIDE], status);
    for (size_t i = 0; reading.vertex_slopes && i < attributes->sector_count;
         i++)
        doubt(attributes, i, NBSTAGE_SECTOR_SLOPED,
              "vertices that may have heights");
    context_release(context, reading.side_sectors);
    return status;
}
