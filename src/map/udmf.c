// SPDX-License-Identifier: GPL-2.0-or-later
//
// One pass over the text makes a record of each block.  Tables map fields to
// members of records.  Unknown fields set OTHER unless false, as namespaces may
// have any fields.
//
// Text that ZDBSP accepts is read as ZDBSP reads it, so that nodes and blockmap
// are of the same map.  The specification allows less: names of letters and
// digits, nothing but assignments between blocks, numbers where they belong.
// Text that only the specification allows is read, too, such as a plus sign
// before a number, or a block name used as a field name in an unknown block.
//
// Coordinates are kept as 16.16, truncated toward zero, as source ports keep
// them; ZDBSP rounds to the nearest 65536th.

#include "map/udmf.h"

#include "map/flat.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Parsed sectors are used as this structure.
_Static_assert(sizeof(struct map_sector) == 36 &&
                   offsetof(struct map_sector, ceiling) == 4 &&
                   offsetof(struct map_sector, floor_flat) == 8 &&
                   offsetof(struct map_sector, ceiling_flat) == 16 &&
                   offsetof(struct map_sector, special) == 24 &&
                   offsetof(struct map_sector, tag) == 28 &&
                   offsetof(struct map_sector, flags) == 32,
               "map_sector is laid out as the sectors of ARRAY_TEXT");

// How a field is stored; the first two kinds are required.
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
    uint32_t record[LINEDEF_BACK_SIDE + 1]; // default record
    struct udmf_row {
        const char *name; // NULL for any other field
        enum udmf_use use;
        int member;     // of the record
        uint32_t other; // default for invalid numbers; or the flag to set
    } rows[21];

    // Messages for required fields: invalid, malformed; first, second missing.
    const char *mistakes[2], *lacking[2];
} udmf_forms[ARRAY_KIND_COUNT] = {
    {.name = "vertex",
     .rows = {{"x", UDMF_COORDINATE, VERTEX_X, 0},
              {"y", UDMF_COORDINATE, VERTEX_Y, 0},
              {NULL, UDMF_OTHER, VERTEX_X, 0}},
     .mistakes = {"vertex %zu has a coordinate that is not a number from "
                  "-32768 to below 32768",
                  "vertex %zu has a coordinate that is not a plain number; "
                  "using its leading number, or 0"},
     .lacking = {"vertex %zu has no x; assuming 0",
                 "vertex %zu has no y; assuming 0"}},
    {.name = "linedef",
     .record = {[LINEDEF_TAG] = UINT32_MAX, // as 0 is an id
                [LINEDEF_FRONT_SIDE] = MAP_NONE,
                [LINEDEF_BACK_SIDE] = MAP_NONE},
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
              {"blocksound", UDMF_OTHER, LINEDEF_FLAGS, MAP_LINE_BLOCKS_SOUND},
              {"comment", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontdraw", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontpegtop", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {"dontpegbottom", UDMF_OTHER, LINEDEF_FLAGS, 0},
              {NULL, UDMF_OTHER, LINEDEF_FLAGS, MAP_LINE_OTHER}},
     .mistakes = {"linedef %zu has a vertex that is not a whole number from 0 "
                  "to 4294967295",
                  "linedef %zu has a vertex that is not a plain whole number; "
                  "using its leading number, or 0"},
     .lacking = {"linedef %zu has no v1", "linedef %zu has no v2"}},
    {.name = "sidedef",
     .record = {[SIDE_SECTOR] = MAP_NONE},
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
              {NULL, UDMF_OTHER, SECTOR_FLAGS, MAP_SECTOR_OTHER}}},
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
    const char *unterminated; // a comment or string, or NULL
    struct udmf_text *read;
    struct array arrays[ARRAY_KIND_COUNT]; // describe the records
    bool has_vertex_slopes, has_warned;

    // The block being read.
    enum array_kind kind;
    unsigned char *record;
    size_t index;   // of the record
    unsigned found; // bit mask of required fields
};

// Charges one step for each character read.
static inline void udmf_charge(const struct udmf_reader *reader,
                               const char *begin, const char *end)
{
    reader->context->work += (uint64_t)(end - begin);
}

enum { UDMF_MESSAGE_SIZE = 256 };

// Writes a sentence and its place.  %zu in the sentence is the record's index.
static void udmf_write_message(const struct udmf_reader *reader, const char *at,
                               const char *sentence,
                               char message[UDMF_MESSAGE_SIZE])
{
    size_t line = 1, column = 1;
    for (const char *c = reader->text; c < at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    udmf_charge(reader, reader->text, at);
    const int length = snprintf(message, UDMF_MESSAGE_SIZE,
                                "line %zu, column %zu: ", line, column);
    snprintf(message + length, UDMF_MESSAGE_SIZE - (size_t)length, sentence,
             reader->index);
}

static nbstage_status udmf_fail(const struct udmf_reader *reader,
                                const char *at, const char *sentence)
{
    char message[UDMF_MESSAGE_SIZE];
    if (reader->unterminated) {
        // The unterminated token swallowed the rest.
        at = reader->unterminated;
        sentence = *at == '"' ? "unterminated string" : "unterminated comment";
    }
    udmf_write_message(reader, at, sentence, message);
    return context_fail(reader->context, NBSTAGE_BAD_MAP, "TEXTMAP", "%s",
                        message);
}

static void udmf_warn(const struct udmf_reader *reader, const char *at,
                      const char *sentence)
{
    char message[UDMF_MESSAGE_SIZE];
    udmf_write_message(reader, at, sentence, message);
    context_log(reader->context, NBSTAGE_LOG_WARNING, "TEXTMAP", "%s", message);
}

// Warns about the first mistake that ZDBSP tolerates.
static void udmf_warn_once(struct udmf_reader *reader, const char *at,
                           const char *sentence)
{
    if (!reader->has_warned)
        udmf_warn(reader, at, sentence);
    reader->has_warned = true;
}

// A part of the text: a name or a value.  A string includes its quotes.
struct udmf_token {
    const char *begin, *end;
};

// Delimiters of unquoted values, and of identifiers, besides white space.
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
        return false; // fast path: most characters
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
        if (c < end) {
            c++;
        } else if (!is_line && end - at > 2 && at[2] == '/') {
            udmf_charge(reader, at + 3, c);
            c = at + 3; // to ZDBSP "/*/" is a whole comment
        } else if (!is_line) {
            reader->unterminated = at;
        }
    }
    udmf_charge(reader, reader->at, c);
    reader->at = c;
}

// Takes one character, and the white space after it, if it is there.
static bool udmf_take(struct udmf_reader *reader, char c)
{
    if (!udmf_is_at(reader, c))
        return false;
    udmf_charge(reader, reader->at, reader->at + 1);
    reader->at++;
    udmf_skip_white(reader);
    return true;
}

// Takes a token (a string with its quotes, characters up to a stop, or any one
// character) and the white space after it.  At the end of the text the token is
// empty.
static struct udmf_token udmf_read_token(struct udmf_reader *reader,
                                         const char *stops)
{
    const char *begin = reader->at, *c = begin, *end = reader->end;
    if (udmf_is_at(reader, '"')) {
        for (c++; c < end && *c != '"'; c++)
            c += *c == '\\' && end - c > 1;
        if (c == end)
            reader->unterminated = begin;
    } else {
        while (c < end && !udmf_is_stop(*c, stops))
            c++;
    }
    if (c < end && (c == begin || *begin == '"'))
        c++;
    udmf_charge(reader, begin, c);
    reader->at = c;
    udmf_skip_white(reader);
    return (struct udmf_token){begin, c};
}

// Reads "= value ;".
static nbstage_status udmf_read_value(struct udmf_reader *reader,
                                      struct udmf_token *value)
{
    if (!udmf_take(reader, '='))
        return udmf_fail(reader, reader->at,
                         "a '=' was expected after the name");
    *value = udmf_read_token(reader, udmf_ends_value);
    if (value->begin < value->end && *value->begin == ';' &&
        !udmf_is_at(reader, ';'))
        return udmf_fail(reader, value->begin, "a value was expected");
    if (!udmf_take(reader, ';'))
        return udmf_fail(reader, reader->at,
                         "a ';' was expected after the value");
    return NBSTAGE_OK;
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
    UDMF_WRONG, // out of range, or not a number even to ZDBSP
    UDMF_ODD,   // only a prefix is a number, or parsers disagree
    UDMF_PLAIN,
};

struct udmf_number {
    const char *begin, *end; // of its text, without sign and 0x
    int64_t fixed;           // 48.16, truncated
    bool has_digits;
    bool is_float;     // has a point or an exponent
    bool may_be_octal; // 010 is 10 to ZDBSP, but 8 to engines
};

// The value of a hexadecimal digit; 16 for other characters.
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

// Returns the number of some digits in 48.16, truncated.  `place` is the
// exponent of the last digit; a decimal point is skipped.  A number that is out
// of range yields an unspecified value that exceeds 32 bits.
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

// Reads an exponent, and returns its end, or `at` if there is none.
static const char *udmf_scan_exponent(const char *at, const char *end,
                                      int64_t *exponent)
{
    *exponent = 0;
    if (end - at < 2 || (*at | 32) != 'e')
        return at;
    const char *digits = at + 1 + (at[1] == '-' || at[1] == '+');
    const char *digits_end = udmf_skip_digits(digits, end, 10);
    if (digits == digits_end)
        return at;
    *exponent = udmf_add_digits(digits, digits_end, 10, 0) / 65536;
    if (at[1] == '-')
        *exponent = -*exponent;
    return digits_end;
}

// Reads the number that a value begins with, as strtod() does, but ignores the
// fraction of a hexadecimal number.  Returns 0 if there is no number.
static struct udmf_number udmf_scan_number(struct udmf_token value)
{
    struct udmf_number number = {0};
    const char *end = value.end, *c = value.begin;
    int64_t exponent = 0;
    c += *c == '-' || *c == '+';
    const bool is_hex = end - c > 1 && *c == '0' && (c[1] | 32) == 'x';
    const unsigned base = is_hex ? 16 : 10;
    const char *begin = is_hex ? c + 2 : c;
    const char *point = udmf_skip_digits(begin, end, base);
    const bool has_point = !is_hex && point < end && *point == '.';
    const char *digits_end =
        has_point ? udmf_skip_digits(point + 1, end, base) : point;
    number.begin = begin;
    number.end = digits_end;
    number.has_digits = digits_end - begin > has_point;
    if (number.has_digits)
        number.end = udmf_scan_exponent(digits_end, end, &exponent);
    number.is_float = has_point || number.end > digits_end;
    number.may_be_octal = !is_hex && point - begin > 1 && *begin == '0';
    number.fixed = udmf_add_digits(begin, digits_end, base,
                                   point + has_point - digits_end + exponent);
    if (*value.begin == '-')
        number.fixed = -number.fixed;
    return number;
}

// Whether ZDBSP fails to read a value as a number.
static bool udmf_is_no_number(struct udmf_token value,
                              const struct udmf_number *number)
{
    const char *begin = number->begin, *end = number->end;
    const struct udmf_token three = {begin, value.end - begin < 3 ? value.end
                                                                  : begin + 3};
    if (udmf_is(three, "inf") || udmf_is(three, "nan"))
        return true;
    // ZDBSP reads a token as its leading number.
    return end < value.end && udmf_is_stop(*end, udmf_ends_word) &&
           value.end - value.begin > 1;
}

// Reads a whole number, or a coordinate or height in 16.16.
static enum udmf_kind udmf_read_number(struct udmf_token value,
                                       enum udmf_use use, uint32_t *number)
{
    const bool is_fixed = use == UDMF_COORDINATE || use == UDMF_HEIGHT;
    const struct udmf_number scanned = udmf_scan_number(value);
    const int64_t read = is_fixed ? scanned.fixed : scanned.fixed / 65536;
    *number = (uint32_t)read;
    if (read != (use == UDMF_END ? (int64_t)*number : (int32_t)*number) ||
        udmf_is_no_number(value, &scanned))
        return UDMF_WRONG;
    if (!scanned.has_digits || scanned.end < value.end)
        return UDMF_ODD;
    if (scanned.is_float)
        return is_fixed ? UDMF_PLAIN : UDMF_ODD;
    return scanned.may_be_octal ? UDMF_ODD : UDMF_PLAIN;
}

// ---------------------------------------------------------------------------
// Blocks

static uint32_t *udmf_member(const struct udmf_reader *reader, int member)
{
    const struct array *array = &reader->arrays[reader->kind];
    return (void *)(reader->record + array->members[member].offset);
}

static nbstage_status udmf_store_required(struct udmf_reader *reader,
                                          const struct udmf_row *row,
                                          struct udmf_token value)
{
    const char *const *mistakes = udmf_forms[reader->kind].mistakes;
    uint32_t *to = udmf_member(reader, row->member);
    const enum udmf_kind kind = udmf_read_number(value, row->use, to);
    reader->found |= 1U << row->member;
    if (kind == UDMF_WRONG)
        return udmf_fail(reader, value.begin, mistakes[kind]);
    if (kind == UDMF_ODD)
        udmf_warn_once(reader, value.begin, mistakes[kind]);
    return NBSTAGE_OK;
}

static void udmf_store_height(struct udmf_reader *reader, int member,
                              struct udmf_token value)
{
    uint32_t number;
    if (udmf_read_number(value, UDMF_HEIGHT, &number) == UDMF_PLAIN)
        *udmf_member(reader, member) = number;
    else
        *udmf_member(reader, SECTOR_FLAGS) |= MAP_SECTOR_OTHER;
}

// Stores a name in quotes and without escaped characters.
static void udmf_store_flat(struct udmf_reader *reader, int member,
                            struct udmf_token value)
{
    const size_t length = (size_t)(value.end - value.begin);
    if (*value.begin != '"' || memchr(value.begin, '\\', length)) {
        *udmf_member(reader, SECTOR_FLAGS) |= MAP_SECTOR_OTHER;
        return;
    }
    const struct map_flat flat = flat_of_name(value.begin + 1, length - 2);
    memcpy(udmf_member(reader, member), &flat, sizeof flat);
}

// Stores a field, or sets the flag of its row.
static nbstage_status udmf_store(struct udmf_reader *reader,
                                 const struct udmf_row *row,
                                 struct udmf_token value)
{
    uint32_t *to = udmf_member(reader, row->member);
    uint32_t number;
    if (row->use <= UDMF_HEIGHT)
        udmf_charge(reader, value.begin, value.end);
    switch (row->use) {
    case UDMF_COORDINATE:
    case UDMF_END:
        return udmf_store_required(reader, row, value);
    case UDMF_NUMBER:
        if (udmf_read_number(value, UDMF_NUMBER, &number) != UDMF_PLAIN)
            number = row->other;
        *to = number;
        break;
    case UDMF_HEIGHT:
        udmf_store_height(reader, row->member, value);
        break;
    case UDMF_FLAT:
        udmf_store_flat(reader, row->member, value);
        break;
    case UDMF_TWO_SIDED:
        *to &= ~(uint32_t)MAP_LINE_TWO_SIDED;
        *to |= udmf_is(value, "true") ? MAP_LINE_TWO_SIDED : 0;
        break;
    case UDMF_OTHER:
        *to |= udmf_is(value, "false") ? 0 : row->other;
        reader->has_vertex_slopes |= reader->kind == ARRAY_VERTICES;
        break;
    }
    return NBSTAGE_OK;
}

// Appends a default record if records of this kind are kept.
static nbstage_status udmf_add_record(struct udmf_reader *reader)
{
    struct udmf_records *of = &reader->read->of[reader->kind];
    if (of->size == 0)
        return NBSTAGE_OK;
    if (of->count == of->capacity) {
        of->capacity = of->capacity ? of->capacity * 4 : 64;
        NEED(context_grow(reader->context, of->count, of->capacity, of->size,
                          &of->records));
    }
    reader->index = of->count++;
    reader->record = (unsigned char *)of->records + reader->index * of->size;
    memcpy(reader->record, udmf_forms[reader->kind].record, of->size);
    return NBSTAGE_OK;
}

// The row of a field; NULL if the record lacks its member.
static const struct udmf_row *udmf_find_row(const struct udmf_reader *reader,
                                            struct udmf_token name)
{
    const struct array *array = &reader->arrays[reader->kind];
    const struct udmf_row *row = udmf_forms[reader->kind].rows;
    for (; array_has(array, row->member); row++)
        if (!row->name || udmf_is(name, row->name))
            return row;
    return NULL;
}

// Reads "name = value;" of a block that begins at `block`.
static nbstage_status udmf_read_field(struct udmf_reader *reader,
                                      const char *block)
{
    const struct udmf_token name = udmf_read_token(reader, udmf_ends_word);
    struct udmf_token value;
    if (name.begin == name.end)
        return udmf_fail(reader, block, "the block has no end");
    if (!udmf_is_at(reader, '=') && udmf_is_stop(*name.begin, udmf_ends_word))
        return udmf_fail(reader, name.begin,
                         "the name of a field was expected");
    NEED(udmf_read_value(reader, &value));
    const struct udmf_row *row = udmf_find_row(reader, name);
    return row ? udmf_store(reader, row, value) : NBSTAGE_OK;
}

// Checks that the block at `block` has its required fields.
static nbstage_status udmf_check_found(struct udmf_reader *reader,
                                       const char *block)
{
    const char *const *lacking = udmf_forms[reader->kind].lacking;
    for (int i = 0; i < 2; i++) {
        if (!lacking[i] || (reader->found >> i & 1) != 0)
            continue;
        if (reader->kind == ARRAY_LINES)
            return udmf_fail(reader, block, lacking[i]);
        udmf_warn_once(reader, block, lacking[i]);
    }
    return NBSTAGE_OK;
}

// Reads "{ name = value; ... }"; `block` is where the block's name is.
static nbstage_status udmf_read_block(struct udmf_reader *reader,
                                      enum array_kind kind, const char *block)
{
    reader->kind = kind;
    reader->found = 0;
    if (!udmf_take(reader, '{'))
        return udmf_fail(reader, reader->at,
                         "a '{' was expected after the name of a block");
    NEED(udmf_add_record(reader));
    while (!udmf_take(reader, '}'))
        NEED(udmf_read_field(reader, block));
    return udmf_check_found(reader, block);
}

// ---------------------------------------------------------------------------
// The text

static const struct udmf_namespace {
    const char *value; // NULL for any other
    enum map_specials specials;
} udmf_namespaces[] = {
    {"\"doom\"", SPECIALS_DOOM},   {"\"heretic\"", SPECIALS_DOOM},
    {"\"strife\"", SPECIALS_DOOM}, {"\"hexen\"", SPECIALS_HEXEN},
    {"\"zdoom\"", SPECIALS_HEXEN}, {NULL, SPECIALS_UNKNOWN},
};

// Reads the assignments at the beginning.  *name is at first the token before
// the first '=', and afterwards the token that follows the assignments.
// Specials are unknown if namespaces differ.
static nbstage_status udmf_read_assignments(struct udmf_reader *reader,
                                            struct udmf_token *name)
{
    const struct udmf_namespace *first = NULL;
    while (udmf_is_at(reader, '=')) {
        const struct udmf_namespace *row = udmf_namespaces;
        struct udmf_token value;
        NEED(udmf_read_value(reader, &value));
        while (row->value && !udmf_is(value, row->value))
            row++;
        if (udmf_is(*name, "namespace") && !first) {
            first = row;
            reader->read->specials = row->specials;
        } else if (udmf_is(*name, "namespace") && row != first) {
            reader->read->specials = SPECIALS_UNKNOWN;
        }
        *name = udmf_read_token(reader, udmf_ends_word);
    }
    return NBSTAGE_OK;
}

enum { UDMF_BYTES_PER_REPORT = 1 << 21 }; // some hundredths of a second

// Reads the blocks; the first token is `name`.  Stray tokens between blocks,
// and assignments to block names, are skipped.
static nbstage_status udmf_read_blocks(struct udmf_reader *reader,
                                       struct udmf_token name)
{
    struct udmf_token value;
    size_t next_report = UDMF_BYTES_PER_REPORT;
    for (; name.begin < name.end;
         name = udmf_read_token(reader, udmf_ends_word)) {
        const size_t done = (size_t)(reader->at - reader->text);
        if (done >= next_report) {
            NEED(context_progress(reader->context, done,
                                  (size_t)(reader->end - reader->text)));
            next_report = done + UDMF_BYTES_PER_REPORT;
        }
        enum array_kind kind = ARRAY_VERTICES;
        while (kind < ARRAY_KIND_COUNT && !udmf_is(name, udmf_forms[kind].name))
            kind++;
        if (kind == ARRAY_KIND_COUNT)
            continue;
        if (udmf_is_at(reader, '='))
            NEED(udmf_read_value(reader, &value));
        else
            NEED(udmf_read_block(reader, kind, name.begin));
    }
    return NBSTAGE_OK;
}

static void udmf_slope_sectors(const struct udmf_records *sectors)
{
    struct map_sector *records = sectors->records;
    for (size_t i = 0; i < sectors->count; i++)
        records[i].flags |= MAP_SECTOR_SLOPED;
}

nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read)
{
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
    struct share left = context->share;
    context_begin_step(context, &left, 1, 4);
    udmf_skip_white(&reader);
    struct udmf_token name = udmf_read_token(&reader, udmf_ends_word);
    NEED(udmf_read_assignments(&reader, &name));
    NEED(udmf_read_blocks(&reader, name));
    if (reader.has_vertex_slopes)
        udmf_slope_sectors(&read->of[ARRAY_SECTORS]);
    if (reader.unterminated)
        udmf_warn(&reader, reader.unterminated,
                  "unterminated comment or string; it hides all that follows");
    return NBSTAGE_OK;
}

void udmf_free(struct context *context, struct udmf_text *read)
{
    for (int i = 0; i < ARRAY_KIND_COUNT; i++)
        context_release(context, read->of[i].records);
    *read = (struct udmf_text){0};
}
