// SPDX-License-Identifier: GPL-2.0-or-later
//
// Only the fields in the tables below are known, and most to be harmless.  Any
// other raises a doubt unless it is false, as namespaces may have any fields.

#include "map/text.h"

#include <stdio.h>
#include <string.h>

// What is done with a field.
enum text_use {
    TEXT_HARMLESS, // says nothing about movement
    TEXT_INTEGER,
    TEXT_HEIGHT,
    TEXT_ID,
    TEXT_TWO_SIDED,
    TEXT_SLOPE,
    TEXT_MORE_IDS,
    TEXT_OTHER, // the field is not known
};

struct text_field {
    size_t length; // of the name
    const char *name;
    enum text_use use;
    // Of numbers: where they go in the record, and what is taken if the value
    // is no integer or does not fit.
    size_t offset;
    uint32_t otherwise;
};

#define TEXT_FIELD(name, use) \
    { \
        sizeof(name) - 1, name, use, 0, 0 \
    }
#define TEXT_NUMBER(name, use, record, member, otherwise) \
    { \
        sizeof(name) - 1, name, use, offsetof(record, member), otherwise \
    }

// Shorter names come first.
static const struct text_field text_line_fields[] = {
    TEXT_FIELD("id", TEXT_ID),
    TEXT_FIELD("v1", TEXT_HARMLESS),
    TEXT_FIELD("v2", TEXT_HARMLESS),
    TEXT_NUMBER("arg0", TEXT_INTEGER, struct map_line, args[0], 0),
    TEXT_NUMBER("arg1", TEXT_INTEGER, struct map_line, args[1], 0),
    TEXT_NUMBER("arg2", TEXT_INTEGER, struct map_line, args[2], 0),
    TEXT_NUMBER("arg3", TEXT_INTEGER, struct map_line, args[3], 0),
    TEXT_NUMBER("arg4", TEXT_INTEGER, struct map_line, args[4], 0),
    TEXT_FIELD("secret", TEXT_HARMLESS),
    TEXT_FIELD("mapped", TEXT_HARMLESS),
    TEXT_NUMBER("special", TEXT_INTEGER, struct map_line, special, UINT32_MAX),
    TEXT_FIELD("comment", TEXT_HARMLESS),
    TEXT_NUMBER("sideback", TEXT_INTEGER, struct map_line, back_sector,
                UINT32_MAX - 1),
    TEXT_FIELD("twosided", TEXT_TWO_SIDED),
    TEXT_FIELD("dontdraw", TEXT_HARMLESS),
    TEXT_NUMBER("sidefront", TEXT_INTEGER, struct map_line, front_sector,
                UINT32_MAX - 1),
    TEXT_FIELD("dontpegtop", TEXT_HARMLESS),
    TEXT_FIELD("dontpegbottom", TEXT_HARMLESS),
};
static const struct text_field text_vertex_fields[] = {
    TEXT_FIELD("x", TEXT_HARMLESS),
    TEXT_FIELD("y", TEXT_HARMLESS),
};
static const struct text_field text_side_fields[] = {
    {sizeof "sector" - 1, "sector", TEXT_INTEGER, 0, UINT32_MAX},
};
static const struct text_field text_sector_fields[] = {
    TEXT_NUMBER("id", TEXT_INTEGER, struct map_sector, tag, 1),
    TEXT_NUMBER("special", TEXT_INTEGER, struct map_sector, special,
                UINT32_MAX),
    TEXT_FIELD("moreids", TEXT_MORE_IDS),
    TEXT_FIELD("comment", TEXT_HARMLESS),
    TEXT_FIELD("lightlevel", TEXT_HARMLESS),
    TEXT_FIELD("lightfloor", TEXT_HARMLESS),
    TEXT_NUMBER("heightfloor", TEXT_HEIGHT, struct map_sector, floor, 0),
    TEXT_FIELD("floorplane_a", TEXT_SLOPE),
    TEXT_FIELD("floorplane_b", TEXT_SLOPE),
    TEXT_FIELD("floorplane_c", TEXT_SLOPE),
    TEXT_FIELD("floorplane_d", TEXT_SLOPE),
    TEXT_FIELD("texturefloor", TEXT_HARMLESS),
    TEXT_FIELD("lightceiling", TEXT_HARMLESS),
    TEXT_NUMBER("heightceiling", TEXT_HEIGHT, struct map_sector, ceiling, 0),
    TEXT_FIELD("xpanningfloor", TEXT_HARMLESS),
    TEXT_FIELD("ypanningfloor", TEXT_HARMLESS),
    TEXT_FIELD("ceilingplane_a", TEXT_SLOPE),
    TEXT_FIELD("ceilingplane_b", TEXT_SLOPE),
    TEXT_FIELD("ceilingplane_c", TEXT_SLOPE),
    TEXT_FIELD("ceilingplane_d", TEXT_SLOPE),
    TEXT_FIELD("textureceiling", TEXT_HARMLESS),
    TEXT_FIELD("xpanningceiling", TEXT_HARMLESS),
    TEXT_FIELD("ypanningceiling", TEXT_HARMLESS),
};
static const struct text_field text_thing_fields[] = {
    TEXT_NUMBER("type", TEXT_INTEGER, struct text_thing, type, UINT32_MAX),
    TEXT_NUMBER("arg0", TEXT_INTEGER, struct text_thing, tag, 0),
    TEXT_NUMBER("special", TEXT_INTEGER, struct text_thing, special,
                UINT32_MAX),
};

static const struct map_line text_new_line = {
    .tag = UINT32_MAX, // an id; 0 is one
    .front_sector = NBSTAGE_NONE,
    .back_sector = NBSTAGE_NONE,
};
static const uint32_t text_new_side = NBSTAGE_NONE;
static const struct map_sector text_new_sector;
static const struct text_thing text_new_thing;

#define TEXT_FIELDS(array) array, sizeof array / sizeof *array

// In the order of enum udmf_block.
static const struct {
    const struct text_field *fields;
    size_t field_count;
    const void *record; // without fields
    size_t record_size;
} text_blocks[UDMF_BLOCK_COUNT] = {
    {TEXT_FIELDS(text_line_fields), &text_new_line, sizeof text_new_line},
    {TEXT_FIELDS(text_vertex_fields), NULL, 0},
    {TEXT_FIELDS(text_side_fields), &text_new_side, sizeof text_new_side},
    {TEXT_FIELDS(text_sector_fields), &text_new_sector, sizeof text_new_sector},
    {TEXT_FIELDS(text_thing_fields), &text_new_thing, sizeof text_new_thing},
};

static void text_read_assignment(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    static const struct {
        const char *name;
        enum text_specials specials;
    } namespaces[] = {
        {"\"doom\"", TEXT_DOOM},   {"\"heretic\"", TEXT_DOOM},
        {"\"strife\"", TEXT_DOOM}, {"\"hexen\"", TEXT_HEXEN},
        {"\"zdoom\"", TEXT_HEXEN}, {"", TEXT_UNKNOWN},
    };
    struct text_attributes *text = user;
    size_t i = 0;
    if (!udmf_token_is(name, "namespace"))
        return;
    while (*namespaces[i].name && !udmf_token_is(value, namespaces[i].name))
        i++;
    if (!text->name_space)
        text->specials = namespaces[i].specials;
    else if (text->name_space != namespaces[i].name)
        text->specials = TEXT_UNKNOWN;
    text->name_space = namespaces[i].name;
}

static nbstage_status text_begin_block(void *user, enum udmf_block block,
                                       const char *begin, enum udmf_wish *wish)
{
    struct text_attributes *text = user;
    struct text_records *of = &text->of[block];
    const size_t size = text_blocks[block].record_size;
    nbstage_status status = NBSTAGE_OK;
    (void)begin;
    if (of->count == of->capacity && size > 0) {
        const size_t more = of->capacity ? of->capacity * 4 : 64;
        status =
            context_grow(text->context, of->count, more, size, &of->records);
        if (status != NBSTAGE_OK)
            return status;
        of->capacity = more;
    }
    text->block = block;
    if (size > 0) {
        text->record = (unsigned char *)of->records + of->count++ * size;
        memcpy(text->record, text_blocks[block].record, size);
    }
    *wish = *text->flaw ? UDMF_SKIP : UDMF_TRY;
    return NBSTAGE_OK;
}

static const struct text_field *text_find_field(enum udmf_block block,
                                                const struct udmf_token *name)
{
    static const struct text_field other = {.use = TEXT_OTHER};
    const struct text_field *field = text_blocks[block].fields;
    const struct text_field *end = field + text_blocks[block].field_count;
    const size_t length = (size_t)(name->end - name->begin);
    for (; field < end && field->length <= length; field++)
        if (field->length == length && udmf_token_is(name, field->name))
            return field;
    return &other;
}

// Takes account of a field that is not known.
static void text_read_other(struct text_attributes *text,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    struct map_line *line = text->record;
    struct map_sector *sector = text->record;
    if (text->block == UDMF_VERTEX)
        text->has_vertex_slopes = true;
    else if (text->block == UDMF_LINEDEF && !udmf_token_is(value, "false"))
        line->flags |= udmf_token_begins(name->begin, name->end, "block")
                           ? NBSTAGE_LINE_BLOCKING
                           : NBSTAGE_LINE_OTHER;
    else if (text->block == UDMF_SECTOR && !udmf_token_is(value, "false"))
        sector->flags |= NBSTAGE_SECTOR_OTHER;
}

// An integer; `otherwise` if it is none or does not fit.
static uint32_t text_integer(const struct udmf_token *value, uint32_t otherwise)
{
    int64_t number;
    if (!udmf_read_integer(value, &number) || number < INT32_MIN ||
        number > INT32_MAX)
        return otherwise;
    return (uint32_t)number;
}

static nbstage_status text_read_field(void *user, const struct udmf_token *name,
                                      const struct udmf_token *value)
{
    struct text_attributes *text = user;
    struct map_line *line = text->record;
    struct map_sector *sector = text->record;
    const struct text_field *field = text_find_field(text->block, name);
    unsigned char *record = text->record;
    if (*text->flaw)
        return NBSTAGE_OK;
    switch (field->use) {
    case TEXT_HARMLESS:
        break;
    case TEXT_INTEGER:
        *(uint32_t *)(void *)(record + field->offset) =
            text_integer(value, field->otherwise);
        break;
    case TEXT_HEIGHT:
        if (!udmf_read_fixed(value,
                             (int32_t *)(void *)(record + field->offset)))
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        break;
    case TEXT_ID:
        // The first id stays, even if a later field has -1 for none: readers
        // may differ over which of them counts.
        if (line->tag == text_new_line.tag)
            line->tag = text_integer(value, 0);
        break;
    case TEXT_TWO_SIDED:
        line->flags = udmf_token_is(value, "true")
                          ? line->flags | NBSTAGE_LINE_TWO_SIDED
                          : line->flags & ~NBSTAGE_LINE_TWO_SIDED;
        break;
    case TEXT_SLOPE:
        sector->flags |= NBSTAGE_SECTOR_SLOPED;
        break;
    case TEXT_MORE_IDS:
        sector->flags |= NBSTAGE_SECTOR_MORE_TAGS;
        break;
    case TEXT_OTHER:
        text_read_other(text, name, value);
        break;
    }
    return NBSTAGE_OK;
}

static void text_note_flaw(void *user, const char *sentence)
{
    struct text_attributes *text = user;
    snprintf(text->flaw, sizeof text->flaw, "%s", sentence);
}

struct udmf_visitor text_begin(struct context *context,
                               struct text_attributes *text)
{
    *text = (struct text_attributes){.context = context};
    return (struct udmf_visitor){.user = text,
                                 .assignment = text_read_assignment,
                                 .block = text_begin_block,
                                 .field = text_read_field,
                                 .flaw = text_note_flaw};
}
