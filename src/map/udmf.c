// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader goes over the text once, and keeps a record for each block, where
// a field is stored as the member that its row in the table names.  One without
// a row raises a doubt unless it is false, as namespaces may have any fields.
//
// Whatever ZDBSP accepts is read as ZDBSP reads it, so that nodes and blockmap
// are of the same map.  The specification allows less: names of letters and
// digits, nothing but assignments between blocks, numbers where they belong.
// What it allows beyond ZDBSP is read, too, such as a plus sign before a
// number, or a block's name as that of a field in a block that is not known.
//
// Coordinates are kept as 16.16, truncated toward zero, as source ports keep
// them; ZDBSP takes the nearest 65536th.

#include "map/udmf.h"

#include <stdio.h>
#include <string.h>

// What a field is: a number, which the record needs if it is one of the first
// two, or something else.
enum udmf_use {
    UDMF_COORDINATE,
    UDMF_END,
    UDMF_NUMBER,
    UDMF_HEIGHT,
    UDMF_FLAT,
    UDMF_TWO_SIDED,
    UDMF_OTHER, // sets a flag, unless it is false
};

static const struct udmf_form {
    const char *name;
    uint32_t record[LINEDEF_BACK_SIDE + 1]; // without fields
    struct udmf_row {
        const char *name; // NULL for any other field
        enum udmf_use use;
        int member;     // of the record
        uint32_t other; // taken if the number is none or does not fit; or flag
    } rows[20];

    // What is told of needed fields that are wrong, odd, and not there.
    const char *mistakes[2], *lacking[2];
} udmf_forms[ARRAY_KIND_COUNT] = {
    {.name = "vertex",
     .rows = {{"x", UDMF_COORDINATE, VERTEX_X, 0},
              {"y", UDMF_COORDINATE, VERTEX_Y, 0},
              {NULL, UDMF_OTHER, VERTEX_X, 0}},
     .mistakes = {"vertex %zu has a coordinate that is not a number from "
                  "-32768 to below 32768",
                  "vertex %zu has a coordinate that is not a plain number; "
                  "what it begins with is taken, or 0"},
     .lacking = {"vertex %zu has no x; 0 is taken",
                 "vertex %zu has no y; 0 is taken"}},
    {.name = "linedef",
     .record = {[LINEDEF_TAG] = UINT32_MAX, // as 0 is an id
                [LINEDEF_FRONT_SIDE] = NBSTAGE_NONE,
                [LINEDEF_BACK_SIDE] = NBSTAGE_NONE},
     .rows = {{"v1", UDMF_END, LINEDEF_V1, 0},
              {"v2", UDMF_END, LINEDEF_V2, 0},
              {"sidefront", UDMF_NUMBER, LINEDEF_FRONT_SIDE, UINT32_MAX - 1},
              {"sideback", UDMF_NUMBER, LINEDEF_BACK_SIDE, UINT32_MAX - 1},
              {"twosided", UDMF_TWO_SIDED, LINEDEF_FLAGS, 0},
              {"special", UDMF_NUMBER, LINEDEF_SPECIAL, UINT32_MAX},
              {"arg0", UDMF_NUMBER, LINEDEF_ARGS, 0},
              {"arg1", UDMF_NUMBER, LINEDEF_ARGS + 1, 0},
              {"arg2", UDMF_NUMBER, LINEDEF_ARGS + 2, 0},
              {"arg3", UDMF_NUMBER, LINEDEF_ARGS + 3, 0},
              {"arg4", UDMF_NUMBER, LINEDEF_ARGS + 4, 0},
              {"id", UDMF_NUMBER, LINEDEF_TAG, 0},
              {"secret", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"mapped", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"comment", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontdraw", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontpegtop", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontpegbottom", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {NULL, UDMF_OTHER, LINEDEF_FLAGS, NBSTAGE_LINE_OTHER}},
     .mistakes = {"linedef %zu has a vertex that is not a whole number from 0 "
                  "to 4294967295",
                  "linedef %zu has a vertex that is not a plain whole number; "
                  "what it begins with is taken, or 0"},
     .lacking = {"linedef %zu has no v1", "linedef %zu has no v2"}},
    {.name = "sidedef",
     .record = {[SIDE_SECTOR] = NBSTAGE_NONE},
     .rows = {{"sector", UDMF_NUMBER, SIDE_SECTOR, UINT32_MAX},
              {NULL, UDMF_OTHER, SIDE_SECTOR, 0}}},
    {.name = "sector",
     .rows = {{"special", UDMF_NUMBER, SECTOR_SPECIAL, UINT32_MAX},
              {"id", UDMF_NUMBER, SECTOR_TAG, 1},
              {"heightfloor", UDMF_HEIGHT, SECTOR_FLOOR, 0},
              {"heightceiling", UDMF_HEIGHT, SECTOR_CEILING, 0},
              {"texturefloor", UDMF_FLAT, SECTOR_FLOOR_FLAT, 0},
              {"textureceiling", UDMF_FLAT, SECTOR_CEILING_FLAT, 0},
              {"comment", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"lightlevel", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"lightfloor", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"lightceiling", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"xpanningfloor", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"ypanningfloor", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"xpanningceiling", UDMF_OTHER, SECTOR_FLAGS, 0},
              {"ypanningceiling", UDMF_OTHER, SECTOR_FLAGS, 0},
              {NULL, UDMF_OTHER, SECTOR_FLAGS, NBSTAGE_SECTOR_OTHER}}},
    {.name = "thing",
     .rows = {{"type", UDMF_NUMBER, THING_TYPE, UINT32_MAX},
              {"special", UDMF_NUMBER, THING_SPECIAL, UINT32_MAX},
              {"arg0", UDMF_NUMBER, THING_ARGS, 0},
              {NULL, UDMF_OTHER, THING_TYPE, 0}}},
};

// ---------------------------------------------------------------------------
// Tokens

struct udmf_reader {
    struct context *context;
    const char *text, *end, *at;
    const char *endless; // a comment or string without an end, or NULL
    nbstage_status status;
    struct udmf_text *read;
    struct array arrays[ARRAY_KIND_COUNT]; // that describe the records
    bool has_vertex_slopes, has_warned;

    // The block that fields belong to.
    enum array_kind kind;
    unsigned char *record;
    size_t index;   // of the record
    unsigned found; // a bit for each of the first two fields
};

// Stops with a sentence, unless the reader has stopped before; or only warns of
// the first mistake that ZDBSP passes over.  %zu is the record's index.
static void udmf_tell(struct udmf_reader *reader, bool fails, const char *at,
                      const char *sentence)
{
    static const char format[] = "line %zu, column %zu: %s";
    char text[160];
    size_t line = 1, column = 1;
    if (reader->status != NBSTAGE_OK || (!fails && reader->has_warned))
        return;
    if (fails && reader->endless) {
        // What it has taken is missing everywhere.
        at = reader->endless;
        sentence =
            *at == '"' ? "the string has no end" : "the comment has no end";
    }
    for (const char *c = reader->text; c < at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    snprintf(text, sizeof text, sentence, reader->index);
    reader->has_warned = true;
    if (fails)
        reader->status = context_fail(reader->context, NBSTAGE_BAD_MAP,
                                      "TEXTMAP", format, line, column, text);
    else
        context_log(reader->context, NBSTAGE_LOG_WARNING, "TEXTMAP", format,
                    line, column, text);
}

// A part of the text: a name or a value.  A string includes its quotes.
struct udmf_token {
    const char *begin, *end;
};

// What ends a value that has no quotes, and what a word, besides white space.
static const char udmf_ends_value[] = "{}();=/";
static const char udmf_ends_word[] = "{}();=/!#$%&*+,:<>?@[]^`|~";

// Whether this is white space: all control characters, and bytes beyond ASCII.
static inline bool udmf_is_white(char c)
{
    return (unsigned char)c <= ' ' || (unsigned char)c >= 0x80;
}

static inline bool udmf_is_stop(char c, const char *stops)
{
    if ((c >= 'a' && c <= 'z') || (c >= '-' && c <= '9' && c != '/'))
        return false; // as most are
    return udmf_is_white(c) || strchr(stops, c);
}

static bool udmf_is_at(const struct udmf_reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// Skips white space and comments.
static void udmf_skip_white(struct udmf_reader *reader)
{
    const char *c = reader->at, *end = reader->end;
    for (;;) {
        while (c < end && udmf_is_white(*c))
            c++;
        if (c == end || *c != '/' || end - c < 2 || !memchr("/*", c[1], 2))
            break;
        const char *at = c;
        const bool is_line = at[1] == '/';
        for (c += 2; c < end; c++)
            if (is_line ? *c == '\n' : c > at + 2 && c[-1] == '*' && *c == '/')
                break;
        if (c < end)
            c++;
        else if (!is_line && end - at > 2 && at[2] == '/')
            c = at + 3; // to ZDBSP "/*/" is all of a comment
        else if (!is_line)
            reader->endless = at;
    }
    reader->at = c;
}

// Takes one character, and the white space after it, if it is there.  If it is
// not and there is a sentence, stops with that.
static bool udmf_take(struct udmf_reader *reader, char c, const char *sentence)
{
    const bool is_there = udmf_is_at(reader, c);
    if (is_there) {
        reader->at++;
        udmf_skip_white(reader);
    } else if (sentence) {
        udmf_tell(reader, true, reader->at, sentence);
    }
    return is_there;
}

// Takes a string with its quotes, characters up to a stop, or any one
// character, and the white space after it; at the end of the text, nothing.
static struct udmf_token udmf_read_token(struct udmf_reader *reader,
                                         const char *stops)
{
    const char *begin = reader->at, *c = begin, *end = reader->end;
    if (udmf_is_at(reader, '"')) {
        for (c++; c < end && *c != '"'; c++)
            c += *c == '\\' && end - c > 1;
        if (c == end)
            reader->endless = begin;
    } else {
        while (c < end && !udmf_is_stop(*c, stops))
            c++;
    }
    if (c < end && (c == begin || *begin == '"'))
        c++;
    reader->at = c;
    udmf_skip_white(reader);
    return (struct udmf_token){begin, c};
}

// Reads "= value ;".
static struct udmf_token udmf_read_value(struct udmf_reader *reader)
{
    udmf_take(reader, '=', "a '=' was expected after the name");
    const struct udmf_token value = udmf_read_token(reader, udmf_ends_value);
    if (value.begin < value.end && *value.begin == ';' &&
        !udmf_is_at(reader, ';'))
        udmf_tell(reader, true, value.begin, "a value was expected");
    udmf_take(reader, ';', "a ';' was expected after the value");
    return value;
}

// Whether a token is a name, in upper or lower case.
static inline bool udmf_is(struct udmf_token token, const char *lower)
{
    const char *c = token.begin;
    for (; c < token.end && *lower; c++, lower++)
        if (*c != *lower && ((*c ^ *lower) != 32 || *lower < 'a'))
            return false;
    return c == token.end && !*lower;
}

// ---------------------------------------------------------------------------
// Numbers

enum udmf_kind {
    UDMF_WRONG, // no number, not even to ZDBSP, or one that does not fit
    UDMF_ODD,   // at most its beginning is one, or readers differ over it
    UDMF_PLAIN,
};

// The value of a hexadecimal digit; of anything else 16.
static unsigned udmf_digit(char c)
{
    const unsigned digit = (unsigned)(c - '0');
    const unsigned letter = (unsigned)((c | 32) - 'a');
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

static const char *udmf_skip_digits(const char *c, const char *end,
                                    unsigned base)
{
    while (c < end && udmf_digit(*c) < base)
        c++;
    return c;
}

// Returns the number of some digits in 48.16, truncated, from the place of the
// last of them, which is 0 for ones.  A point among them is passed over.  What
// has more than 32 bits before the point becomes any such number.
static int64_t udmf_add_digits(const char *digits, const char *end,
                               unsigned base, int64_t place)
{
    const int64_t limit = INT64_C(1) << 49;
    int64_t number = 0, power = 65536;
    for (; place > 0 && power < limit; place--)
        power *= base;
    while (end > digits) {
        if (*--end == '.')
            continue;
        if (place++ < 0) {
            number = (number + udmf_digit(*end) * 65536) / 10;
        } else if (number < limit) {
            number += udmf_digit(*end) * power;
            power = power < limit ? power * base : power;
        }
    }
    for (; place < 0 && number > 0; place++)
        number /= 10;
    return number;
}

// Reads the number that a value begins with, as strtod() does, but without the
// fraction of a hexadecimal one; 0 if there is none.  It is whole or in 16.16.
static enum udmf_kind udmf_read_number(struct udmf_token value,
                                       enum udmf_use use, uint32_t *number)
{
    const bool is_fixed = use == UDMF_COORDINATE || use == UDMF_HEIGHT;
    const char *end = value.end, *c = value.begin;
    c += c < end && (*c == '-' || *c == '+');
    const bool is_hex = end - c > 1 && *c == '0' && (c[1] | 32) == 'x';
    const unsigned base = is_hex ? 16 : 10;
    const char *begin = is_hex ? c + 2 : c;
    const char *point = udmf_skip_digits(begin, end, base);
    // To ZDBSP 010 is 10, but to engines it is 8.
    const bool may_be_octal = !is_hex && point - begin > 1 && *begin == '0';
    bool is_float = !is_hex && point < end && *point == '.';
    c = is_float ? udmf_skip_digits(point + 1, end, base) : point;
    const bool has_digits = c - begin > is_float;
    const char *digits_end = c;
    int64_t place = point + is_float - c;
    if (has_digits && end - c > 1 && (*c | 32) == 'e') {
        const char *digits = c + 1 + (c[1] == '-' || c[1] == '+');
        const char *exponent_end = udmf_skip_digits(digits, end, 10);
        const int64_t exponent =
            udmf_add_digits(digits, exponent_end, 10, 0) / 65536;
        place += c[1] == '-' ? -exponent : exponent;
        is_float |= digits < exponent_end;
        c = digits < exponent_end ? exponent_end : c;
    }
    int64_t read = udmf_add_digits(begin, digits_end, base, place);
    read /= *value.begin == '-' ? -1 : 1;
    read /= is_fixed ? 1 : 65536;
    *number = (uint32_t)read;
    // What is one token to ZDBSP is the number that it begins with.
    const bool is_token =
        c == end || !udmf_is_stop(*c, udmf_ends_word) || end - value.begin == 1;
    const struct udmf_token three = {begin, end - begin < 3 ? end : begin + 3};
    if (read != (use == UDMF_END ? (int64_t)*number : (int32_t)*number) ||
        udmf_is(three, "inf") || udmf_is(three, "nan") || !is_token)
        return UDMF_WRONG;
    return has_digits && c == end && (is_float ? is_fixed : !may_be_octal)
               ? UDMF_PLAIN
               : UDMF_ODD;
}

// ---------------------------------------------------------------------------
// Blocks

// Stores a field of this row, or takes account of it.
static void udmf_store(struct udmf_reader *reader, const struct udmf_row *row,
                       struct udmf_token value)
{
    const struct array *array = &reader->arrays[reader->kind];
    void *const at = reader->record + array->members[row->member].offset;
    uint32_t *const to = at;
    struct map_sector *const sector = (void *)reader->record;
    const size_t length = (size_t)(value.end - value.begin);
    enum udmf_kind kind = UDMF_PLAIN;
    uint32_t number = 0;
    if (row->use <= UDMF_HEIGHT)
        kind = udmf_read_number(value, row->use, &number);
    switch (row->use) {
    case UDMF_COORDINATE:
    case UDMF_END:
        if (kind != UDMF_PLAIN)
            udmf_tell(reader, kind == UDMF_WRONG, value.begin,
                      udmf_forms[reader->kind].mistakes[kind]);
        reader->found |= 1U << row->member;
        *to = number;
        break;
    case UDMF_NUMBER:
        *to = kind == UDMF_PLAIN ? number : row->other;
        break;
    case UDMF_HEIGHT:
        *to = kind == UDMF_PLAIN ? number : *to;
        sector->flags |= kind == UDMF_PLAIN ? 0 : NBSTAGE_SECTOR_OTHER;
        break;
    case UDMF_FLAT: // without characters that are escaped
        if (*value.begin == '"' && !memchr(value.begin, '\\', length))
            *(struct map_flat *)at = flat_of_name(value.begin + 1, length - 2);
        else
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        break;
    case UDMF_TWO_SIDED:
        *to &= ~NBSTAGE_LINE_TWO_SIDED;
        *to |= udmf_is(value, "true") ? NBSTAGE_LINE_TWO_SIDED : 0;
        break;
    case UDMF_OTHER:
        *to |= udmf_is(value, "false") ? 0 : row->other;
        reader->has_vertex_slopes |= reader->kind == ARRAY_VERTICES;
        break;
    }
}

// Begins the record of a block, if there are any of its kind.
static void udmf_add_record(struct udmf_reader *reader)
{
    struct udmf_records *of = &reader->read->of[reader->kind];
    if (of->size == 0 || reader->status != NBSTAGE_OK)
        return;
    if (of->count == of->capacity) {
        of->capacity = of->capacity ? of->capacity * 4 : 64;
        reader->status = context_grow(reader->context, of->count, of->capacity,
                                      of->size, &of->records);
        if (reader->status != NBSTAGE_OK)
            return;
    }
    reader->index = of->count++;
    reader->record = (unsigned char *)of->records + reader->index * of->size;
    memcpy(reader->record, udmf_forms[reader->kind].record, of->size);
}

// Reads "{ name = value; ... }"; `begin` is where the block's name is.
static void udmf_read_block(struct udmf_reader *reader, enum array_kind kind,
                            const char *begin)
{
    const struct udmf_form *form = &udmf_forms[kind];
    const struct array *array = &reader->arrays[kind];
    reader->kind = kind;
    reader->found = 0;
    udmf_take(reader, '{', "a '{' was expected after the name of a block");
    udmf_add_record(reader);
    while (reader->status == NBSTAGE_OK && !udmf_take(reader, '}', NULL)) {
        const struct udmf_row *row = form->rows;
        const struct udmf_token name = udmf_read_token(reader, udmf_ends_word);
        if (name.begin == name.end)
            udmf_tell(reader, true, begin, "the block has no end");
        else if (!udmf_is_at(reader, '=') &&
                 udmf_is_stop(*name.begin, udmf_ends_word))
            udmf_tell(reader, true, name.begin,
                      "the name of a field was expected");
        const struct udmf_token value = udmf_read_value(reader);
        while (array_has(array, row->member) && row->name &&
               !udmf_is(name, row->name))
            row++;
        if (reader->status == NBSTAGE_OK && array_has(array, row->member))
            udmf_store(reader, row, value);
    }
    for (int i = 0; i < 2 && form->lacking[i]; i++)
        if ((reader->found >> i & 1) == 0)
            udmf_tell(reader, kind == ARRAY_LINES, begin, form->lacking[i]);
}

// Assignments come first, and then blocks, among which other tokens are
// skipped, and what is assigned to the name of a block.
nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read)
{
    static const char *const names[] = {"\"doom\"", "\"heretic\"", "\"strife\"",
                                        "\"hexen\"", "\"zdoom\""};
    enum { HEXEN = 3, OTHER = 5, NOT_YET } name_space = NOT_YET;
    const int layout = attributes ? ARRAY_TEXT : ARRAY_TEXT_ENDS;
    // The text of an empty lump may be NULL, to which 0 must not be added.
    struct udmf_reader reader = {.context = context,
                                 .text = text,
                                 .end = size > 0 ? text + size : text,
                                 .at = text,
                                 .read = read};
    *read = (struct udmf_text){0};
    for (int i = 0; i < ARRAY_KIND_COUNT; i++)
        read->of[i].size =
            array_describe(array_layouts[layout][i], &reader.arrays[i]);
    udmf_skip_white(&reader);
    struct udmf_token name = udmf_read_token(&reader, udmf_ends_word);
    while (reader.status == NBSTAGE_OK && udmf_is_at(&reader, '=')) {
        const struct udmf_token value = udmf_read_value(&reader);
        unsigned i = 0;
        while (i < OTHER && !udmf_is(value, names[i]))
            i++;
        if (udmf_is(name, "namespace") && name_space != i)
            name_space = name_space == NOT_YET ? i : OTHER;
        name = udmf_read_token(&reader, udmf_ends_word);
    }
    read->specials = name_space < HEXEN   ? SPECIALS_DOOM
                     : name_space < OTHER ? SPECIALS_HEXEN
                                          : SPECIALS_UNKNOWN;
    while (reader.status == NBSTAGE_OK && name.begin < name.end) {
        enum array_kind kind = ARRAY_VERTICES;
        while (kind < ARRAY_KIND_COUNT && !udmf_is(name, udmf_forms[kind].name))
            kind++;
        if (kind < ARRAY_KIND_COUNT && udmf_is_at(&reader, '='))
            udmf_read_value(&reader);
        else if (kind < ARRAY_KIND_COUNT)
            udmf_read_block(&reader, kind, name.begin);
        name = udmf_read_token(&reader, udmf_ends_word);
    }
    const struct udmf_records *sectors = &read->of[ARRAY_SECTORS];
    for (size_t i = 0; reader.has_vertex_slopes && i < sectors->count; i++)
        ((struct map_sector *)sectors->records)[i].flags |=
            NBSTAGE_SECTOR_SLOPED;
    reader.has_warned = false;
    if (reader.endless)
        udmf_tell(
            &reader, false, reader.endless,
            "the comment or string has no end; it hides all that follows");
    return reader.status;
}

void udmf_free(struct context *context, struct udmf_text *read)
{
    for (int i = 0; i < ARRAY_KIND_COUNT; i++)
        context_release(context, read->of[i].records);
    *read = (struct udmf_text){0};
}
