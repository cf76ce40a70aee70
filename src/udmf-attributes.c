// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks over the text twice more: once to count blocks, once to read them.
// Only the fields in these lists are known to be harmless.  Any other is a
// doubt, unless it is false: namespaces have fields without end.

#include "udmf-attributes.h"

#include "udmf-numbers.h"

static const char where[] = "TEXTMAP";

enum block { BLOCK_LINE, BLOCK_SIDE, BLOCK_SECTOR, BLOCK_THING, BLOCK_COUNT };

static const char *const block_names[BLOCK_COUNT] = {"linedef", "sidedef",
                                                     "sector", "thing"};

// Fields that say nothing about movement.
static const char *const harmless_in_line[] = {
    "v1",       "v2",     "arg0",          "arg1",       "arg2",
    "arg3",     "arg4",   "dontpegbottom", "dontpegtop", "secret",
    "dontdraw", "mapped", "comment",       NULL,
};
static const char *const harmless_in_sector[] = {
    "texturefloor",    "textureceiling",  "lightlevel", "comment",
    "xpanningfloor",   "ypanningfloor",   "lightfloor", "lightceiling",
    "xpanningceiling", "ypanningceiling", NULL,
};

struct walk {
    struct attributes *attributes;
    uint32_t *side_sectors;
    size_t side_count;

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

// Whether a line has no id in spite of the field.  0 is one.
static bool is_no_id(const struct udmf_token *value)
{
    int64_t number;
    return udmf_read_integer(value, &number) && number == -1;
}

// ---------------------------------------------------------------------------
// Fields

static void read_line_field(struct attributes_line *line,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    if (udmf_token_is(name, "special"))
        line->special = integer(value, UINT32_MAX);
    else if (udmf_token_is(name, "sidefront"))
        line->front = integer(value, UINT32_MAX - 1);
    else if (udmf_token_is(name, "sideback"))
        line->back = integer(value, UINT32_MAX - 1);
    else if (udmf_token_is(name, "twosided"))
        line->two_sided = udmf_token_is(value, "true");
    else if (udmf_token_is(name, "id"))
        line->is_harmless = line->is_harmless && is_no_id(value);
    else if (!is_one_of(name, harmless_in_line) &&
             !udmf_token_is(value, "false"))
        line->is_harmless = false;
    if (udmf_token_is(name, "arg0"))
        line->tag = integer(value, 0);
}

static void read_sector_field(struct attributes_sector *sector,
                              const struct udmf_token *name,
                              const struct udmf_token *value)
{
    if (udmf_token_is(name, "heightfloor")) {
        if (!udmf_read_fixed(value, &sector->floor))
            sector->doubt = "a floor of no known height";
    } else if (udmf_token_is(name, "heightceiling")) {
        if (!udmf_read_fixed(value, &sector->ceiling))
            sector->doubt = "a ceiling of no known height";
    } else if (udmf_token_is(name, "special")) {
        sector->special = integer(value, UINT32_MAX);
    } else if (udmf_token_is(name, "id")) {
        sector->tag = integer(value, 1);
    } else if (!is_one_of(name, harmless_in_sector) &&
               !udmf_token_is(value, "false")) {
        sector->doubt = "a field that may matter";
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
// The walk

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
    struct walk *walk = user;
    size_t found = 0;
    if (!walk->reads || !udmf_token_is(name, "namespace"))
        return;
    while (found < count && !udmf_token_is(value, namespaces[found].name))
        found++;
    if (!walk->has_namespace && found < count)
        walk->attributes->specials = namespaces[found].specials;
    else if (walk->has_namespace && walk->name_space != found)
        walk->attributes->specials = SPECIALS_UNKNOWN;
    walk->has_namespace = true;
    walk->name_space = found;
}

// What a block is before its fields are read.
static void begin_element(struct walk *walk, enum block block, size_t index)
{
    struct attributes *attributes = walk->attributes;
    switch (block) {
    case BLOCK_LINE:
        attributes->lines[index] = (struct attributes_line){
            .front = UINT32_MAX, .back = UINT32_MAX, .is_harmless = true};
        break;
    case BLOCK_SIDE:
        walk->side_sectors[index] = UINT32_MAX;
        break;
    case BLOCK_SECTOR:
        attributes->sectors[index] = (struct attributes_sector){0};
        break;
    case BLOCK_THING:
        attributes->things[index] = (struct attributes_thing){.number = index};
        break;
    case BLOCK_COUNT:
        break;
    }
}

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct walk *walk = user;
    for (int i = 0; i < BLOCK_COUNT; i++) {
        if (!udmf_token_is(name, block_names[i]))
            continue;
        walk->block = (enum block)i;
        if (walk->reads)
            begin_element(walk, walk->block, walk->count[i]);
        walk->count[i]++;
        return walk->reads;
    }
    walk->block = BLOCK_COUNT;
    return walk->reads && udmf_token_is(name, "vertex");
}

static enum status read_field(void *user, const struct udmf_token *name,
                              const struct udmf_token *value)
{
    struct walk *walk = user;
    struct attributes *attributes = walk->attributes;
    size_t index = walk->block < BLOCK_COUNT ? walk->count[walk->block] - 1 : 0;
    switch (walk->block) {
    case BLOCK_LINE:
        read_line_field(&attributes->lines[index], name, value);
        break;
    case BLOCK_SIDE:
        if (udmf_token_is(name, "sector"))
            walk->side_sectors[index] = integer(value, UINT32_MAX);
        break;
    case BLOCK_SECTOR:
        read_sector_field(&attributes->sectors[index], name, value);
        break;
    case BLOCK_THING:
        read_thing_field(&attributes->things[index], name, value);
        break;
    case BLOCK_COUNT: // a vertex
        if (!udmf_token_is(name, "x") && !udmf_token_is(name, "y"))
            walk->vertex_slopes = true;
        break;
    }
    return STATUS_OK;
}

// ---------------------------------------------------------------------------

static enum status allocate(struct context *context, struct walk *walk)
{
    struct attributes *attributes = walk->attributes;
    attributes->sector_count = walk->count[BLOCK_SECTOR];
    attributes->thing_count = walk->count[BLOCK_THING];
    walk->side_count = walk->count[BLOCK_SIDE];
    enum status status =
        context_allocate(context, walk->count[BLOCK_LINE],
                         sizeof *attributes->lines, &attributes->lines);
    if (status == STATUS_OK)
        status =
            context_allocate(context, attributes->sector_count,
                             sizeof *attributes->sectors, &attributes->sectors);
    if (status == STATUS_OK)
        status =
            context_allocate(context, attributes->thing_count,
                             sizeof *attributes->things, &attributes->things);
    if (status == STATUS_OK)
        status =
            context_allocate(context, walk->side_count,
                             sizeof *walk->side_sectors, &walk->side_sectors);
    return status;
}

// Puts the sector in place of a side.
static enum status follow_side(struct context *context, const struct walk *walk,
                               size_t line, uint32_t *side)
{
    if (*side == UINT32_MAX)
        return STATUS_OK;
    if (*side >= walk->side_count ||
        walk->side_sectors[*side] >= walk->attributes->sector_count)
        return context_fail(context, STATUS_BAD_MAP, where,
                            "linedef %zu has a side whose sidedef or sector "
                            "does not exist",
                            line);
    *side = walk->side_sectors[*side];
    return STATUS_OK;
}

// What can only be told when all has been read.
static enum status finish(struct context *context, const struct walk *walk)
{
    struct attributes *attributes = walk->attributes;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < attributes->line_count && status == STATUS_OK; i++) {
        struct attributes_line *line = &attributes->lines[i];
        status = follow_side(context, walk, i, &line->front);
        if (status == STATUS_OK)
            status = follow_side(context, walk, i, &line->back);
        // Ports differ over whether a tag of Doom's is the id or arg0.
        if (attributes->specials == SPECIALS_DOOM)
            line->tag = 0;
    }
    for (size_t i = 0; walk->vertex_slopes && i < attributes->sector_count; i++)
        attributes->sectors[i].doubt = "vertices that may have heights";
    return status;
}

enum status udmf_attributes_read(struct context *context, const struct map *map,
                                 struct attributes *attributes)
{
    struct walk walk = {.attributes = attributes};
    const struct udmf_visitor visitor = {.user = &walk,
                                         .assignment = read_namespace,
                                         .block = begin_block,
                                         .field = read_field};
    const char *text = (const char *)map->text.bytes;
    attributes->specials = SPECIALS_UNKNOWN;
    enum status status = udmf_walk(context, text, map->text.size, &visitor);
    if (status == STATUS_OK)
        status = allocate(context, &walk);
    for (int i = 0; i < BLOCK_COUNT; i++)
        walk.count[i] = 0;
    walk.reads = true;
    if (status == STATUS_OK)
        status = udmf_walk(context, text, map->text.size, &visitor);
    if (status == STATUS_OK)
        status = finish(context, &walk);
    context_release(context, walk.side_sectors);
    return status;
}
