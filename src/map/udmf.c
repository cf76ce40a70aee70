// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader goes over the text once, and keeps a record for each block.  A
// field is looked up in the table of its block, and its number stored where the
// row says.  Linedefs and vertices must be right; what is wrong with other
// blocks only ends what is known of attributes.
//
// Whatever ZDBSP accepts is read as ZDBSP reads it, so that nodes and blockmap
// are of the same map.  The specification allows less: names of letters and
// digits, nothing but assignments between blocks, numbers where they belong.
// What it allows beyond ZDBSP is read, too, such as a plus sign before a
// number, or a block's name as that of a field in a block that is not known.
//
// Coordinates are kept as 16.16, truncated toward zero, as source ports keep
// them; ZDBSP takes the nearest 65536th.  These have at most 16 decimals.  With
// 19 of them, all digits that people and programs write decide.  Only an
// exponent could move further ones: a whole part of 10^18 or more before one
// is out of range, and decimals after the 19th are dropped, unlike in ZDBSP.
//
// Only the fields in the tables are known, and most to be harmless.  Any other
// raises a doubt unless it is false, as namespaces may have any fields.

#include "map/udmf.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct udmf_reader {
    struct context *context;
    const char *text;
    const char *end;
    const char *at;
    const char *endless;   // a comment or string without an end, or NULL
    nbstage_status status; // after a failure, `at` is the end

    struct udmf_text *read;
    bool attributes;        // whether they are wanted
    bool after_assignments; // the first block, or anything else, has begun
    bool has_warned;

    // The block that fields belong to.
    enum udmf_block block;
    const struct udmf_form *form;
    void *record;
    unsigned found; // a bit for each field that it needs
};

// Stops with a sentence, unless the reader has stopped before, or only warns.
// Lines and columns are counted only here.
static void udmf_tell(struct udmf_reader *reader, bool fails, const char *at,
                      const char *sentence)
{
    static const char format[] = "line %zu, column %zu: %s";
    size_t line = 1, column = 1;
    if (reader->status != NBSTAGE_OK)
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
    if (!fails) {
        context_log(reader->context, NBSTAGE_LOG_WARNING, "TEXTMAP", format,
                    line, column, sentence);
        return;
    }
    reader->status = context_fail(reader->context, NBSTAGE_BAD_MAP, "TEXTMAP",
                                  format, line, column, sentence);
    reader->at = reader->end;
}

// ---------------------------------------------------------------------------
// Characters

// What ends a token that other characters make.
enum udmf_stop {
    UDMF_ENDS_WORD = 1,
    UDMF_ENDS_VALUE = 2,
    UDMF_ENDS_BOTH = UDMF_ENDS_WORD | UDMF_ENDS_VALUE,
};

static const unsigned char udmf_stops[128] = {
    ['{'] = UDMF_ENDS_BOTH, ['}'] = UDMF_ENDS_BOTH, ['('] = UDMF_ENDS_BOTH,
    [')'] = UDMF_ENDS_BOTH, [';'] = UDMF_ENDS_BOTH, ['='] = UDMF_ENDS_BOTH,
    ['/'] = UDMF_ENDS_BOTH, ['!'] = UDMF_ENDS_WORD, ['#'] = UDMF_ENDS_WORD,
    ['$'] = UDMF_ENDS_WORD, ['%'] = UDMF_ENDS_WORD, ['&'] = UDMF_ENDS_WORD,
    ['*'] = UDMF_ENDS_WORD, ['+'] = UDMF_ENDS_WORD, [','] = UDMF_ENDS_WORD,
    [':'] = UDMF_ENDS_WORD, ['<'] = UDMF_ENDS_WORD, ['>'] = UDMF_ENDS_WORD,
    ['?'] = UDMF_ENDS_WORD, ['@'] = UDMF_ENDS_WORD, ['['] = UDMF_ENDS_WORD,
    [']'] = UDMF_ENDS_WORD, ['^'] = UDMF_ENDS_WORD, ['`'] = UDMF_ENDS_WORD,
    ['|'] = UDMF_ENDS_WORD, ['~'] = UDMF_ENDS_WORD,
};

// Whether this is white space: all control characters, and bytes beyond ASCII.
static inline bool udmf_is_white(char c)
{
    unsigned char u = (unsigned char)c;
    return u <= ' ' || u >= 0x80;
}

static inline bool udmf_is_stop(char c, enum udmf_stop stop)
{
    return udmf_is_white(c) || udmf_stops[(unsigned char)c] & stop;
}

static bool udmf_is_at(const struct udmf_reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// Skips a comment.  Returns whether one begins here.
static bool udmf_skip_comment(struct udmf_reader *reader)
{
    const char *begin = reader->at;
    const char *end = reader->end;
    if (end - begin < 2 || (begin[1] != '/' && begin[1] != '*'))
        return false;
    if (begin[1] == '/') {
        const char *newline = memchr(begin, '\n', (size_t)(end - begin));
        reader->at = newline ? newline + 1 : end;
        return true;
    }
    const char *c = begin + 2;
    while (end - c >= 2 && (c[0] != '*' || c[1] != '/'))
        c++;
    if (end - c < 2 && end - begin > 2 && begin[2] == '/')
        c = begin + 1; // to ZDBSP "/*/" is all of a comment
    if (end - c < 2) {
        reader->endless = begin;
        c = end - 2;
    }
    reader->at = c + 2;
    return true;
}

// Skips white space and comments.
static void udmf_skip_white(struct udmf_reader *reader)
{
    do
        while (reader->at < reader->end && udmf_is_white(*reader->at))
            reader->at++;
    while (udmf_is_at(reader, '/') && udmf_skip_comment(reader));
}

// ---------------------------------------------------------------------------
// Tokens

// A part of the text: a name or a value.  A string includes its quotes.
struct udmf_token {
    const char *begin;
    const char *end;
};

// Whether a name is this one, in upper or lower case.
static inline bool udmf_token_is(const struct udmf_token *token,
                                 const char *lower)
{
    const char *c = token->begin;
    for (; c < token->end && *lower; c++, lower++)
        if (*c != *lower && ((*c ^ *lower) != 32 || *lower < 'a'))
            return false;
    return c == token->end && !*lower;
}

// Whether a part of the text begins like this.
static bool udmf_token_begins(const char *begin, const char *end,
                              const char *lower)
{
    const size_t length = strlen(lower);
    return (size_t)(end - begin) >= length &&
           udmf_token_is(&(struct udmf_token){begin, begin + length}, lower);
}

// Takes one character, and the white space after it, if it is there.
static bool udmf_take(struct udmf_reader *reader, char c)
{
    if (!udmf_is_at(reader, c))
        return false;
    reader->at++;
    udmf_skip_white(reader);
    return true;
}

static void udmf_expect(struct udmf_reader *reader, char c,
                        const char *sentence)
{
    if (!udmf_take(reader, c))
        udmf_tell(reader, true, reader->at, sentence);
}

// Where the string that begins here has ended.
static const char *udmf_string_end(struct udmf_reader *reader)
{
    const char *c = reader->at + 1;
    for (; c < reader->end && *c != '"'; c++)
        c += *c == '\\' && reader->end - c > 1;
    if (c < reader->end)
        return c + 1;
    reader->endless = reader->at;
    return c;
}

// Takes a string with its quotes, characters up to a stop, or any one
// character, and the white space after it; at the end of the text, nothing.
static struct udmf_token udmf_read_token(struct udmf_reader *reader,
                                         enum udmf_stop stop)
{
    const char *begin = reader->at;
    const char *c = begin;
    if (udmf_is_at(reader, '"')) {
        c = udmf_string_end(reader);
    } else {
        while (c < reader->end && !udmf_is_stop(*c, stop))
            c++;
        c += c == begin && c < reader->end;
    }
    reader->at = c;
    udmf_skip_white(reader);
    return (struct udmf_token){begin, c};
}

// Reads "= value ;".
static struct udmf_token udmf_read_value(struct udmf_reader *reader)
{
    udmf_expect(reader, '=', "a '=' was expected after the name");
    struct udmf_token value = udmf_read_token(reader, UDMF_ENDS_VALUE);
    if (value.begin < value.end && *value.begin == ';' &&
        !udmf_is_at(reader, ';'))
        udmf_tell(reader, true, value.begin, "a value was expected");
    udmf_expect(reader, ';', "a ';' was expected after the value");
    return value;
}

// ---------------------------------------------------------------------------
// Numbers

// What a value is.
enum udmf_kind {
    UDMF_NO_NUMBER, // no number, not even to ZDBSP
    UDMF_ODD,       // at most its beginning is one, or readers differ over it
    UDMF_FLOAT,
    UDMF_INTEGER,
};

// Without the sign.
struct udmf_number {
    uint64_t whole;    // from UDMF_MOST on, that or more
    uint64_t decimals; // the first 19
};

static const uint64_t UDMF_MOST = UINT64_C(1000000000000000000);
// In units of the last of the decimals.
static const uint64_t UDMF_TENTH = UINT64_C(1000000000000000000);
static const uint64_t UDMF_65536TH = UINT64_C(152587890625000);

// The value of a hexadecimal digit; of anything else, more than 15.
static unsigned udmf_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : UINT_MAX;
}

// Reads a sign, if there is one.  Returns whether it is a minus.
static bool udmf_take_sign(const char **c, const char *end)
{
    if (*c == end || (**c != '-' && **c != '+'))
        return false;
    return *(*c)++ == '-';
}

// Moves the point of a number by the exponent that follows its "e".  Returns
// whether one does.
static bool udmf_take_exponent(struct udmf_number *number, const char **c,
                               const char *end)
{
    const int most = 99; // more makes no difference
    const char *digit = *c + 1;
    const bool is_negative = udmf_take_sign(&digit, end);
    if (digit == end || udmf_digit(*digit) > 9)
        return false;
    int places = 0;
    for (; digit < end && udmf_digit(*digit) <= 9; digit++)
        places = places < most ? places * 10 + (int)udmf_digit(*digit) : most;
    *c = digit;
    for (; places > 0 && number->whole < UDMF_MOST &&
           (number->whole | number->decimals);
         places--) {
        const uint64_t whole = number->whole, decimals = number->decimals;
        number->whole =
            is_negative ? whole / 10 : whole * 10 + decimals / UDMF_TENTH;
        number->decimals = is_negative ? whole % 10 * UDMF_TENTH + decimals / 10
                                       : decimals % UDMF_TENTH * 10;
    }
    return true;
}

// Reads the number that a value begins with, as strtod() finds it, but without
// the fraction of a hexadecimal one; 0 if there is none.  It is in units of
// 1 / 2^bits, with 0 or 16 bits, truncated; one of more than 32 bits before the
// point is larger than any of 32.
static enum udmf_kind udmf_read_number(const struct udmf_token *value, int bits,
                                       int64_t *number)
{
    const uint64_t limit = UINT64_C(1) << 32;
    const char *c = value->begin;
    const char *end = value->end;
    const bool is_negative = udmf_take_sign(&c, end);
    const bool is_hexadecimal = udmf_token_begins(c, end, "0x");
    const unsigned base = is_hexadecimal ? 16 : 10;
    const char *begin = c += is_hexadecimal ? 2 : 0;
    struct udmf_number read = {0};
    for (; c < end && udmf_digit(*c) < base; c++)
        if (read.whole < UDMF_MOST)
            read.whole = read.whole * base + udmf_digit(*c);
    // To ZDBSP 010 is 10, but to engines it is 8.
    const bool may_be_octal = !is_hexadecimal && c - begin > 1 && *begin == '0';
    bool is_float = !is_hexadecimal && c < end && *c == '.';
    c += is_float;
    for (uint64_t place = UDMF_TENTH;
         is_float && c < end && udmf_digit(*c) < 10; c++, place /= 10)
        read.decimals += place * udmf_digit(*c);
    const bool has_digits = c - begin > is_float;
    if (has_digits && c < end && (*c | 32) == 'e')
        is_float |= udmf_take_exponent(&read, &c, end);
    *number = (int64_t)(read.whole < limit ? read.whole : limit) << bits;
    *number += bits > 0 ? (int64_t)(read.decimals / UDMF_65536TH) : 0;
    *number = is_negative ? -*number : *number;
    if (!has_digits && (udmf_token_begins(begin, end, "inf") ||
                        udmf_token_begins(begin, end, "nan")))
        return UDMF_NO_NUMBER;
    if (has_digits && c == end && (is_float || !may_be_octal))
        return is_float ? UDMF_FLOAT : UDMF_INTEGER;
    return c == end || !udmf_is_stop(*c, UDMF_ENDS_WORD) ||
                   end - value->begin == 1
               ? UDMF_ODD // one token of ZDBSP's
               : UDMF_NO_NUMBER;
}

// ---------------------------------------------------------------------------
// What is known of fields

// What is done with a field that is stored.
enum udmf_use {
    UDMF_NEEDED, // the number of a vertex, or a coordinate
    UDMF_NUMBER,
    UDMF_HEIGHT,
    UDMF_FLAT,
    UDMF_ID,
    UDMF_TWO_SIDED,
};

#define UDMF_NO_ID UINT32_MAX // as 0 is one

struct udmf_field {
    const char *name;
    enum udmf_use use;
    size_t offset;      // in the record
    uint32_t otherwise; // taken if the value is no integer or does not fit
};

#define UDMF_LINE(member) offsetof(struct udmf_line, member)
#define UDMF_THE_SECTOR(member) offsetof(struct map_sector, member)
#define UDMF_THE_THING(member) offsetof(struct map_thing, member)

// In the order of enum udmf_block.
static const struct udmf_form {
    const char *name;
    const void *record; // without fields
    size_t record_size;
    size_t needed; // so many fields, the first; a record begins with them
    struct udmf_field fields[13]; // the last has no name
    // Other fields, and a flag that they set; none if they say nothing about
    // movement.
    struct {
        const char *names[11];
        uint32_t flag;
    } others[4];
} udmf_forms[UDMF_BLOCK_COUNT] = {
    {.name = "linedef",
     .record = &(const struct udmf_line){.line = {.tag = UDMF_NO_ID,
                                                  .front_sector = NBSTAGE_NONE,
                                                  .back_sector = NBSTAGE_NONE}},
     .record_size = sizeof(struct udmf_line),
     .needed = 2,
     .fields = {{"v1", UDMF_NEEDED, UDMF_LINE(ends.v1), 0},
                {"v2", UDMF_NEEDED, UDMF_LINE(ends.v2), 0},
                {"id", UDMF_ID, UDMF_LINE(line.tag), 0},
                {"special", UDMF_NUMBER, UDMF_LINE(line.special), UINT32_MAX},
                {"arg0", UDMF_NUMBER, UDMF_LINE(line.args[0]), 0},
                {"arg1", UDMF_NUMBER, UDMF_LINE(line.args[1]), 0},
                {"arg2", UDMF_NUMBER, UDMF_LINE(line.args[2]), 0},
                {"arg3", UDMF_NUMBER, UDMF_LINE(line.args[3]), 0},
                {"arg4", UDMF_NUMBER, UDMF_LINE(line.args[4]), 0},
                {"sidefront", UDMF_NUMBER, UDMF_LINE(line.front_sector),
                 UINT32_MAX - 1},
                {"sideback", UDMF_NUMBER, UDMF_LINE(line.back_sector),
                 UINT32_MAX - 1},
                {"twosided", UDMF_TWO_SIDED, UDMF_LINE(line.flags), 0}},
     .others = {{{"secret", "mapped", "comment", "dontdraw", "dontpegtop",
                  "dontpegbottom"},
                 0}}},
    {.name = "vertex",
     .record = &(const struct map_vertex){0, 0},
     .record_size = sizeof(struct map_vertex),
     .needed = 2,
     .fields = {{"x", UDMF_NEEDED, offsetof(struct map_vertex, x), 0},
                {"y", UDMF_NEEDED, offsetof(struct map_vertex, y), 0}}},
    {.name = "sidedef",
     .record = &(const uint32_t){NBSTAGE_NONE},
     .record_size = sizeof(uint32_t),
     .fields = {{"sector", UDMF_NUMBER, 0, UINT32_MAX}}},
    {.name = "sector",
     .record = &(const struct map_sector){0},
     .record_size = sizeof(struct map_sector),
     .fields = {{"id", UDMF_NUMBER, UDMF_THE_SECTOR(tag), 1},
                {"special", UDMF_NUMBER, UDMF_THE_SECTOR(special), UINT32_MAX},
                {"heightfloor", UDMF_HEIGHT, UDMF_THE_SECTOR(floor), 0},
                {"heightceiling", UDMF_HEIGHT, UDMF_THE_SECTOR(ceiling), 0},
                {"texturefloor", UDMF_FLAT, UDMF_THE_SECTOR(floor_flat), 0},
                {"textureceiling", UDMF_FLAT, UDMF_THE_SECTOR(ceiling_flat),
                 0}},
     .others = {{{"comment", "lightlevel", "lightfloor", "lightceiling",
                  "xpanningfloor", "ypanningfloor", "xpanningceiling",
                  "ypanningceiling"},
                 0},
                {{"floorplane_a", "floorplane_b", "floorplane_c",
                  "floorplane_d", "ceilingplane_a", "ceilingplane_b",
                  "ceilingplane_c", "ceilingplane_d"},
                 NBSTAGE_SECTOR_SLOPED},
                {{"moreids"}, NBSTAGE_SECTOR_MORE_TAGS}}},
    {.name = "thing",
     .record = &(const struct map_thing){0},
     .record_size = sizeof(struct map_thing),
     .fields = {{"type", UDMF_NUMBER, UDMF_THE_THING(type), UINT32_MAX},
                {"special", UDMF_NUMBER, UDMF_THE_THING(special), UINT32_MAX},
                {"arg0", UDMF_NUMBER, UDMF_THE_THING(tag), 0}}},
};

// ---------------------------------------------------------------------------
// Fields

// Stops, or warns of the first mistake in blocks of a map that ZDBSP passes
// over: "linedef 12 has no v1".
static void udmf_tell_mistake(struct udmf_reader *reader, bool fails,
                              const char *at, const char *mistake)
{
    char sentence[160];
    if (reader->has_warned && !fails)
        return;
    snprintf(sentence, sizeof sentence, "%s %zu %s", reader->form->name,
             reader->read->of[reader->block].count - 1, mistake);
    udmf_tell(reader, fails, at, sentence);
    reader->has_warned = true;
}

// The number of a vertex, or a coordinate.
static uint32_t udmf_read_needed(struct udmf_reader *reader,
                                 const struct udmf_token *value)
{
    const bool is_vertex = reader->block == UDMF_VERTEX;
    const int64_t least = is_vertex ? INT32_MIN : 0;
    const int64_t most = is_vertex ? INT32_MAX : UINT32_MAX;
    int64_t number;
    const enum udmf_kind kind =
        udmf_read_number(value, is_vertex ? 16 : 0, &number);
    if (kind == UDMF_NO_NUMBER || number < least || number > most)
        udmf_tell_mistake(
            reader, true, value->begin,
            is_vertex ? "has a coordinate that is not a number from -32768 to "
                        "below 32768"
                      : "has a vertex that is not a whole number from 0 to "
                        "4294967295");
    else if (kind < (is_vertex ? UDMF_FLOAT : UDMF_INTEGER))
        udmf_tell_mistake(
            reader, false, value->begin,
            is_vertex ? "has a coordinate that is not a plain number; what it "
                        "begins with is taken, or 0"
                      : "has a vertex that is not a plain whole number; what "
                        "it begins with is taken, or 0");
    return (uint32_t)number;
}

// Reads an integer, or a number as 16.16.  Returns false if the value is none
// or does not fit.
static bool udmf_read_fitting(const struct udmf_token *value,
                              enum udmf_kind form, uint32_t *to)
{
    int64_t number;
    if (udmf_read_number(value, form == UDMF_FLOAT ? 16 : 0, &number) < form ||
        number < INT32_MIN || number > INT32_MAX)
        return false;
    *to = (uint32_t)number;
    return true;
}

// Reads a flat's name.  Returns false if the value is none, or has characters
// that are escaped.
static bool udmf_read_flat(const struct udmf_token *value, struct map_flat *to)
{
    const size_t length = (size_t)(value->end - value->begin);
    if (*value->begin != '"' || memchr(value->begin, '\\', length))
        return false;
    *to = flat_of_name(value->begin + 1, length - 2);
    return true;
}

static void udmf_store_field(struct udmf_reader *reader,
                             const struct udmf_field *field,
                             const struct udmf_token *value)
{
    struct map_sector *sector = reader->record;
    uint32_t *to =
        (uint32_t *)(void *)((unsigned char *)reader->record + field->offset);
    switch (field->use) {
    case UDMF_NEEDED:
        *to = udmf_read_needed(reader, value);
        reader->found |= 1U << (field - reader->form->fields);
        break;
    case UDMF_NUMBER:
        if (!udmf_read_fitting(value, UDMF_INTEGER, to))
            *to = field->otherwise;
        break;
    case UDMF_HEIGHT:
        if (!udmf_read_fitting(value, UDMF_FLOAT, to))
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        break;
    case UDMF_FLAT:
        if (!udmf_read_flat(value, (struct map_flat *)(void *)to))
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        break;
    case UDMF_ID:
        // The first id stays, even if a later field has -1 for none: readers
        // may differ over which of them counts.
        if (*to == UDMF_NO_ID && !udmf_read_fitting(value, UDMF_INTEGER, to))
            *to = field->otherwise;
        break;
    case UDMF_TWO_SIDED:
        *to &= ~NBSTAGE_LINE_TWO_SIDED;
        *to |= udmf_token_is(value, "true") ? NBSTAGE_LINE_TWO_SIDED : 0;
        break;
    }
}

// Takes account of a field that is not stored.
static void udmf_take_other(struct udmf_reader *reader,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    const struct udmf_form *form = reader->form;
    struct udmf_line *line = reader->record;
    struct map_sector *sector = reader->record;
    for (int i = 0; *form->others[i].names; i++)
        for (const char *const *known = form->others[i].names; *known; known++)
            if (udmf_token_is(name, *known)) {
                if (form->others[i].flag != 0)
                    sector->flags |= form->others[i].flag;
                return;
            }
    if (reader->block == UDMF_VERTEX)
        reader->read->has_vertex_slopes = true;
    else if (reader->block == UDMF_LINEDEF && !udmf_token_is(value, "false"))
        line->line.flags |= udmf_token_begins(name->begin, name->end, "block")
                                ? NBSTAGE_LINE_BLOCKING
                                : NBSTAGE_LINE_OTHER;
    else if (reader->block == UDMF_SECTOR && !udmf_token_is(value, "false"))
        sector->flags |= NBSTAGE_SECTOR_OTHER;
}

static void udmf_read_field(struct udmf_reader *reader,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    const struct udmf_form *form = reader->form;
    const bool is_all = reader->attributes && !*reader->read->flaw;
    const struct udmf_field *field = form->fields;
    const struct udmf_field *end = field + form->needed;
    while (is_all ? field->name != NULL : field < end) {
        if (udmf_token_is(name, field->name)) {
            udmf_store_field(reader, field, value);
            return;
        }
        field++;
    }
    if (is_all)
        udmf_take_other(reader, name, value);
}

// ---------------------------------------------------------------------------
// Blocks

// Reads "name = value; ... }"; `begin` is where the block's name is.
static void udmf_read_fields(struct udmf_reader *reader, const char *begin)
{
    while (!udmf_take(reader, '}')) {
        if (reader->at == reader->end) {
            udmf_tell(reader, true, begin, "the block has no end");
            return;
        }
        const struct udmf_token name = udmf_read_token(reader, UDMF_ENDS_WORD);
        if (!udmf_is_at(reader, '=') &&
            udmf_is_stop(*name.begin, UDMF_ENDS_WORD))
            udmf_tell(reader, true, name.begin,
                      "the name of a field was expected");
        const struct udmf_token value = udmf_read_value(reader);
        if (reader->status == NBSTAGE_OK)
            udmf_read_field(reader, &name, &value);
    }
    for (size_t i = 0; i < reader->form->needed; i++) {
        const bool fails = reader->block == UDMF_LINEDEF;
        char mistake[32];
        if (reader->found >> i & 1 || (reader->has_warned && !fails))
            continue;
        snprintf(mistake, sizeof mistake,
                 fails ? "has no %s" : "has no %s; 0 is taken",
                 reader->form->fields[i].name);
        udmf_tell_mistake(reader, fails, begin, mistake);
    }
}

// Skips the same, and what is wrong in it.
static void udmf_skip_fields(struct udmf_reader *reader, const char *begin)
{
    for (size_t depth = 1; depth > 0;) {
        if (udmf_take(reader, '}')) {
            depth--;
        } else if (reader->at == reader->end) {
            udmf_tell(reader, true, begin, "the block has no end");
            return;
        } else {
            struct udmf_token name = udmf_read_token(reader, UDMF_ENDS_WORD);
            depth += *name.begin == '{' && !udmf_is_at(reader, '=');
            if (udmf_take(reader, '=')) {
                udmf_read_token(reader, UDMF_ENDS_VALUE);
                udmf_take(reader, ';');
            }
        }
    }
}

static nbstage_status udmf_add_record(struct udmf_reader *reader)
{
    struct udmf_records *of = &reader->read->of[reader->block];
    if (of->size == 0)
        return NBSTAGE_OK;
    if (of->count == of->capacity) {
        const size_t more = of->capacity ? of->capacity * 4 : 64;
        nbstage_status status = context_grow(reader->context, of->count, more,
                                             of->size, &of->records);
        if (status != NBSTAGE_OK)
            return status;
        of->capacity = more;
    }
    reader->record = (unsigned char *)of->records + of->count++ * of->size;
    memcpy(reader->record, reader->form->record, of->size);
    return NBSTAGE_OK;
}

// Reads a block after its '{', or skips it if it only has attributes and they
// are not wanted, or damaged here or before.
static void udmf_read_block(struct udmf_reader *reader, enum udmf_block block,
                            const char *begin)
{
    const struct udmf_reader before = *reader;
    struct context *context = reader->context;
    const char *map_name = context->map_name;
    char *flaw = reader->read->flaw;
    const bool is_needed = udmf_forms[block].needed > 0;
    bool is_read = is_needed || (reader->attributes && !*flaw);
    reader->block = block;
    reader->form = &udmf_forms[block];
    reader->found = 0;
    reader->status = udmf_add_record(reader);
    if (reader->status != NBSTAGE_OK)
        return;
    if (!is_needed)
        context->map_name = NULL; // what is wrong is told later
    if (is_read)
        udmf_read_fields(reader, begin);
    context->map_name = map_name;
    if (reader->status != NBSTAGE_OK && !is_needed) {
        memcpy(flaw, context->message, CONTEXT_MESSAGE_SIZE);
        *reader = before;
        is_read = false;
    }
    if (!is_read)
        udmf_skip_fields(reader, begin);
}

// The block that a name stands for; UDMF_BLOCK_COUNT for none.
static enum udmf_block udmf_find_block(const struct udmf_token *name)
{
    size_t i = 0;
    while (i < UDMF_BLOCK_COUNT && !udmf_token_is(name, udmf_forms[i].name))
        i++;
    return (enum udmf_block)i;
}

// ---------------------------------------------------------------------------
// The text

static void udmf_read_assignment(struct udmf_text *read,
                                 const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    static const struct {
        const char *name;
        enum map_specials specials;
    } namespaces[] = {
        {"\"doom\"", SPECIALS_DOOM},   {"\"heretic\"", SPECIALS_DOOM},
        {"\"strife\"", SPECIALS_DOOM}, {"\"hexen\"", SPECIALS_HEXEN},
        {"\"zdoom\"", SPECIALS_HEXEN}, {"", SPECIALS_UNKNOWN},
    };
    size_t i = 0;
    if (!udmf_token_is(name, "namespace"))
        return;
    while (*namespaces[i].name && !udmf_token_is(value, namespaces[i].name))
        i++;
    if (!read->name_space)
        read->specials = namespaces[i].specials;
    else if (read->name_space != namespaces[i].name)
        read->specials = SPECIALS_UNKNOWN;
    read->name_space = namespaces[i].name;
}

// Where "= value" has ended that a ';' follows; NULL if it is not here.
static const char *udmf_find_value(const struct udmf_reader *reader,
                                   struct udmf_token *value)
{
    struct udmf_reader ahead = *reader;
    if (!udmf_take(&ahead, '='))
        return NULL;
    *value = udmf_read_token(&ahead, UDMF_ENDS_VALUE);
    return udmf_is_at(&ahead, ';') ? ahead.at : NULL;
}

// Reads an assignment or a block.  From the first block on, any other token is
// skipped, and those of an assignment one by one, unless it has a block's name.
static void udmf_read_global(struct udmf_reader *reader)
{
    const struct udmf_token name = udmf_read_token(reader, UDMF_ENDS_WORD);
    struct udmf_token value = {0};
    const char *end = udmf_find_value(reader, &value);
    const enum udmf_block block = udmf_find_block(&name);
    if (!reader->after_assignments && udmf_is_at(reader, '=')) {
        value = udmf_read_value(reader);
    } else if (!end && block != UDMF_BLOCK_COUNT) {
        reader->after_assignments = true;
        udmf_expect(reader, '{',
                    "a '{' was expected after the name of a block");
        if (reader->status == NBSTAGE_OK)
            udmf_read_block(reader, block, name.begin);
        return;
    } else {
        reader->after_assignments = true;
        if (!end)
            return;
        if (block != UDMF_BLOCK_COUNT ||
            udmf_find_block(&value) != UDMF_BLOCK_COUNT)
            reader->at = end;
    }
    if (reader->status == NBSTAGE_OK)
        udmf_read_assignment(reader->read, &name, &value);
}

nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         bool attributes, struct udmf_text *read)
{
    // The text of an empty lump may be NULL, to which 0 must not be added.
    struct udmf_reader reader = {.context = context,
                                 .text = text,
                                 .end = size > 0 ? text + size : text,
                                 .at = text,
                                 .read = read,
                                 .attributes = attributes};
    *read = (struct udmf_text){0};
    for (int i = 0; i < UDMF_BLOCK_COUNT; i++)
        read->of[i].size = attributes ? udmf_forms[i].record_size
                                      : udmf_forms[i].needed * sizeof(uint32_t);
    udmf_skip_white(&reader);
    while (reader.at < reader.end && reader.status == NBSTAGE_OK)
        udmf_read_global(&reader);
    if (reader.endless)
        udmf_tell(
            &reader, false, reader.endless,
            "the comment or string has no end; it hides all that follows");
    return reader.status;
}

void udmf_free(struct context *context, struct udmf_text *read)
{
    for (int i = 0; i < UDMF_BLOCK_COUNT; i++)
        context_release(context, read->of[i].records);
    *read = (struct udmf_text){0};
}
