// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks over the text twice more: once to count blocks, once to read them.
// Only the fields in these lists are known, and most to be harmless.  Any other
// is a doubt, unless it is false: namespaces have fields without end.

#include "prune/udmf-attributes.h"

#include "map/udmf.h"

static const char where[] = "TEXTMAP";

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

// ---------------------------------------------------------------------------
// Fields

// Whether a name begins with "block", as do those of all fields that block
// something.
static bool is_blocking(const struct udmf_token *name)
{
    static const char block[] = "block";
    const size_t length = sizeof block - 1;
    if ((size_t)(name->end - name->begin) < length)
        return false;
    struct udmf_token begin = {name->begin, name->begin + length};
    return udmf_token_is(&begin, block);
}

static void read_line_flag(struct attributes_line *line,
                           const struct udmf_token *name,
                           const struct udmf_token *value)
{
    if (udmf_token_is(name, "twosided"))
        line->flags = udmf_token_is(value, "true")
                          ? line->flags | ATTRIBUTES_LINE_TWO_SIDED
                          : line->flags & ~(uint32_t)ATTRIBUTES_LINE_TWO_SIDED;
    else if (is_one_of(name, harmless_in_line) || udmf_token_is(value, "false"))
        return;
    else if (is_blocking(name))
        line->flags |= ATTRIBUTES_LINE_BLOCKING;
    else
        line->flags |= ATTRIBUTES_LINE_OTHER;
}

static bool read_argument(struct attributes_line *line,
                          const struct udmf_token *name,
                          const struct udmf_token *value)
{
    static const char *const names[] = {"arg0", "arg1", "arg2", "arg3", "arg4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (udmf_token_is(name, names[i])) {
            line->args[i] = (int32_t)integer(value, 0);
            return true;
        }
    }
    return false;
}

// The first id stays, even if a later field has -1 for none: readers may differ
// over which of them counts.
static void read_id(struct attributes_line *line,
                    const struct udmf_token *value)
{
    if (line->id == attributes_no_id(NBSTAGE_FORMAT_UDMF))
        line->id = integer(value, 0);
}

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
    else if (udmf_token_is(name, "id"))
        read_id(line, value);
    else if (!read_argument(line, name, value))
        read_line_flag(line, name, value);
}

static void doubt(struct attributes_sector *sector, uint32_t flag,
                  const char *why)
{
    sector->flags |= flag;
    sector->doubt = why;
}

static void read_sector_field(struct attributes_sector *sector,
                              const struct udmf_token *name,
                              const struct udmf_token *value)
{
    if (udmf_token_is(name, "heightfloor")) {
        if (!udmf_read_fixed(value, &sector->floor))
            doubt(sector, ATTRIBUTES_SECTOR_OTHER,
                  "a floor of no known height");
    } else if (udmf_token_is(name, "heightceiling")) {
        if (!udmf_read_fixed(value, &sector->ceiling))
            doubt(sector, ATTRIBUTES_SECTOR_OTHER,
                  "a ceiling of no known height");
    } else if (udmf_token_is(name, "special")) {
        sector->special = integer(value, UINT32_MAX);
    } else if (udmf_token_is(name, "id")) {
        sector->tag = integer(value, 1);
    } else if (is_one_of(name, slopes_in_sector)) {
        doubt(sector, ATTRIBUTES_SECTOR_SLOPED, "slopes");
    } else if (udmf_token_is(name, "moreids")) {
        doubt(sector, ATTRIBUTES_SECTOR_MORE_TAGS, "more tags than one");
    } else if (!is_one_of(name, harmless_in_sector) &&
               !udmf_token_is(value, "false")) {
        doubt(sector, ATTRIBUTES_SECTOR_OTHER, "a field that may matter");
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

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct walk *walk = user;
    for (int i = 0; i < BLOCK_COUNT; i++) {
        if (!udmf_token_is(name, block_names[i]))
            continue;
        walk->block = (enum block)i;
        walk->count[i]++;
        return walk->reads;
    }
    walk->block = BLOCK_COUNT;
    return walk->reads && udmf_token_is(name, "vertex");
}

static nbstage_status read_field(void *user, const struct udmf_token *name,
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
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------

static nbstage_status allocate(struct context *context, struct walk *walk)
{
    struct attributes *attributes = walk->attributes;
    attributes->sector_count = walk->count[BLOCK_SECTOR];
    attributes->thing_count = walk->count[BLOCK_THING];
    walk->side_count = walk->count[BLOCK_SIDE];
    nbstage_status status =
        context_allocate(context, walk->count[BLOCK_LINE],
                         sizeof *attributes->lines, &attributes->lines);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, attributes->sector_count,
                             sizeof *attributes->sectors, &attributes->sectors);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, attributes->thing_count,
                             sizeof *attributes->things, &attributes->things);
    if (status == NBSTAGE_OK)
        status =
            context_allocate(context, walk->side_count,
                             sizeof *walk->side_sectors, &walk->side_sectors);
    return status;
}

// What blocks are before their fields are read.
static void set_defaults(const struct walk *walk)
{
    const struct attributes *attributes = walk->attributes;
    for (size_t i = 0; i < walk->count[BLOCK_LINE]; i++)
        attributes->lines[i] = (struct attributes_line){
            .id = attributes_no_id(NBSTAGE_FORMAT_UDMF),
            .front = ATTRIBUTES_NO_SECTOR,
            .back = ATTRIBUTES_NO_SECTOR};
    for (size_t i = 0; i < walk->side_count; i++)
        walk->side_sectors[i] = UINT32_MAX;
    for (size_t i = 0; i < attributes->sector_count; i++)
        attributes->sectors[i] = (struct attributes_sector){0};
    for (size_t i = 0; i < attributes->thing_count; i++)
        attributes->things[i] = (struct attributes_thing){.number = i};
}

// Puts the sector in place of a side, or nothing; false if there should be one.
static bool follow_side(const struct walk *walk, uint32_t *side)
{
    uint32_t number = *side;
    *side = ATTRIBUTES_NO_SECTOR;
    if (number == UINT32_MAX)
        return true;
    if (number >= walk->side_count ||
        walk->side_sectors[number] >= walk->attributes->sector_count)
        return false;
    *side = walk->side_sectors[number];
    return true;
}

// What can only be told when all has been read; `status` is what that came to.
static nbstage_status finish(struct context *context, const struct walk *walk,
                             nbstage_status status)
{
    struct attributes *attributes = walk->attributes;
    for (size_t i = 0; i < attributes->line_count; i++) {
        struct attributes_line *line = &attributes->lines[i];
        bool has_front = follow_side(walk, &line->front);
        bool has_back = follow_side(walk, &line->back);
        if (status == NBSTAGE_OK && !(has_front && has_back))
            status = context_fail(context, NBSTAGE_BAD_MAP, where,
                                  "linedef %zu has a side whose sidedef or "
                                  "sector does not exist",
                                  i);
        attributes_judge_line(NBSTAGE_FORMAT_UDMF, line);
        // Ports differ over whether a tag of Doom's is the id or arg0.
        if (attributes->specials == SPECIALS_DOOM)
            line->tag = 0;
    }
    for (size_t i = 0; walk->vertex_slopes && i < attributes->sector_count; i++)
        doubt(&attributes->sectors[i], ATTRIBUTES_SECTOR_SLOPED,
              "vertices that may have heights");
    return status;
}

nbstage_status udmf_attributes_read(struct context *context,
                                    const struct map *map,
                                    struct attributes *attributes)
{
    struct walk walk = {.attributes = attributes};
    const struct udmf_visitor visitor = {.user = &walk,
                                         .assignment = read_namespace,
                                         .block = begin_block,
                                         .field = read_field};
    const char *text = (const char *)map->text.bytes;
    attributes->specials = SPECIALS_UNKNOWN;
    nbstage_status status = udmf_read(context, text, map->text.size, &visitor);
    if (status == NBSTAGE_OK)
        status = allocate(context, &walk);
    if (status != NBSTAGE_OK)
        return status;
    set_defaults(&walk);
    for (int i = 0; i < BLOCK_COUNT; i++)
        walk.count[i] = 0;
    walk.reads = true;
    status = udmf_read(context, text, map->text.size, &visitor);
    status = finish(context, &walk, status);
    context_release(context, walk.side_sectors);
    return status;
}
