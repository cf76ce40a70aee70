// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader goes over the text once, and keeps a record for each block.  A
// field is looked up in the table of its block, and its number stored where the
// row says.
//
// Whatever ZDBSP accepts is read as ZDBSP reads it, so that nodes and blockmap
// are of the same map.  The specification allows less: names of letters and
// digits, nothing but assignments between blocks, numbers where they belong.
// What it allows beyond ZDBSP is read, too, such as a plus sign before a
// number, or a block's name as that of a field in a block that is not known.
//
// Coordinates are kept as 16.16, truncated toward zero, as source ports keep
// them; ZDBSP takes the nearest 65536th.
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
    const struct udmf_form *form;
    unsigned char *record;
    size_t index;   // of the record
    unsigned found; // a bit for each number that it needs
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

// What ends a token that other characters make, besides white space.
static const char udmf_stops[] = "{}();=/!#$%&*+,:<>?@[]^`|~";

// How many of these end a value, and how many a word.
enum udmf_stop { UDMF_ENDS_VALUE = 7, UDMF_ENDS_WORD = sizeof udmf_stops - 1 };

// Whether this is white space: all control characters, and bytes beyond ASCII.
static inline bool udmf_is_white(char c)
{
    unsigned char u = (unsigned char)c;
    return u <= ' ' || u >= 0x80;
}

static inline bool udmf_is_stop(char c, enum udmf_stop stop)
{
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        return false; // as most are
    return udmf_is_white(c) || memchr(udmf_stops, c, stop);
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

// Returns the end of the first name in `lower` if the token is that name, in
// upper or lower case; else NULL.
static inline const char *udmf_skip_name(const struct udmf_token *token,
                                         const char *lower)
{
    const char *c = token->begin;
    for (; c < token->end && *lower; c++, lower++)
        if (*c != *lower && ((*c ^ *lower) != 32 || *lower < 'a'))
            return NULL;
    return c == token->end && (!*lower || *lower == ' ') ? lower : NULL;
}

static inline bool udmf_token_is(const struct udmf_token *token,
                                 const char *lower)
{
    const char *end = udmf_skip_name(token, lower);
    return end && !*end;
}

// Returns the index of the token in a list of names, with a space between them;
// -1 if it is none of them.
static int udmf_find(const struct udmf_token *token, const char *names)
{
    for (int place = 0;; place++) {
        if (udmf_skip_name(token, names))
            return place;
        names = strchr(names, ' ');
        if (!names)
            return -1;
        names++;
    }
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

// Takes a string with its quotes, characters up to a stop, or any one
// character, and the white space after it; at the end of the text, nothing.
static struct udmf_token udmf_read_token(struct udmf_reader *reader,
                                         enum udmf_stop stop)
{
    const char *begin = reader->at;
    const char *c = begin;
    if (udmf_is_at(reader, '"')) {
        for (c++; c < reader->end && *c != '"'; c++)
            c += *c == '\\' && reader->end - c > 1;
        if (c == reader->end)
            reader->endless = begin;
        c += c < reader->end;
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

enum { UDMF_UNIT = 1 << 16 }; // of numbers as they are read

// The value of a hexadecimal digit; of anything else, more than 15.
static unsigned udmf_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : UINT_MAX;
}

// Passes digits.
static const char *udmf_pass_digits(const char *c, const char *end,
                                    unsigned base)
{
    while (c < end && udmf_digit(*c) < base)
        c++;
    return c;
}

// Reads a sign, if there is one.  Returns whether it is a minus.
static bool udmf_take_sign(const char **c, const char *end)
{
    if (*c == end || (**c != '-' && **c != '+'))
        return false;
    return *(*c)++ == '-';
}

// Reads the exponent that an "e" begins, and passes it, if one is here.
static int udmf_take_exponent(const char **c, const char *end)
{
    const int most = 1 << 24; // more makes no difference
    const char *digit = *c + 1;
    int exponent = 0;
    if (*c == end || (**c | 32) != 'e')
        return 0;
    const bool is_negative = udmf_take_sign(&digit, end);
    const char *digits_end = udmf_pass_digits(digit, end, 10);
    if (digit == digits_end)
        return 0;
    for (*c = digits_end; digit < digits_end; digit++)
        exponent =
            exponent < most ? exponent * 10 + (int)udmf_digit(*digit) : most;
    return is_negative ? -exponent : exponent;
}

// Returns the number of some digits in 48.16, truncated, with `before` of them
// before the point, which may be more or fewer than there are.  A point among
// the digits is passed over.  A whole part of more than 32 bits becomes one
// that is larger than any of 32.
static int64_t udmf_add_digits(const char *digit, const char *end,
                               unsigned base, ptrdiff_t before)
{
    const uint64_t limit = UINT64_C(1) << 32;
    uint64_t place = UINT64_C(1000000000000000000);         // of the decimals
    const uint64_t one_65536th = UINT64_C(152587890625000); // in such units
    uint64_t whole = 0, decimals = 0;
    for (ptrdiff_t i = before; i < 0 && place > 0; i++)
        place /= 10;
    for (; digit < end; digit++) {
        if (*digit == '.')
            continue;
        if (before-- > 0) {
            whole = whole < limit ? whole * base + udmf_digit(*digit) : whole;
        } else {
            decimals += place * udmf_digit(*digit);
            place /= 10;
        }
    }
    for (; before > 0 && whole > 0 && whole < limit; before--)
        whole *= base;
    whole = whole < limit ? whole : limit;
    return (int64_t)((whole << 16) + decimals / one_65536th);
}

// Reads the number that a value begins with, as strtod() finds it, but without
// the fraction of a hexadecimal one; 0 if there is none.
static enum udmf_kind udmf_read_number(const struct udmf_token *value,
                                       int64_t *number)
{
    const char *c = value->begin;
    const char *end = value->end;
    const bool is_negative = udmf_take_sign(&c, end);
    const unsigned base = udmf_token_begins(c, end, "0x") ? 16 : 10;
    const char *begin = c += base == 16 ? 2 : 0;
    const char *point = udmf_pass_digits(c, end, base);
    // To ZDBSP 010 is 10, but to engines it is 8.
    const bool may_be_octal = base == 10 && point - c > 1 && *c == '0';
    bool is_float = base == 10 && point < end && *point == '.';
    c = is_float ? udmf_pass_digits(point + 1, end, base) : point;
    const char *digits_end = c;
    const bool has_digits = digits_end - begin > is_float;
    ptrdiff_t before = point - begin;
    if (has_digits)
        before += udmf_take_exponent(&c, end);
    is_float |= c > digits_end;
    *number = udmf_add_digits(begin, digits_end, base, before);
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

// What is done with a field.
enum udmf_use {
    UDMF_NUMBER,
    UDMF_HEIGHT,
    UDMF_FLAT,
    UDMF_TWO_SIDED,
    UDMF_HARMLESS,
    UDMF_DOUBT, // sets a flag, unless it is false
    UDMF_SLOPE,
};

struct udmf_line {
    struct map_ends ends;
    struct map_line line; // with sides in place of sectors
};

// As array_layouts describes these.
_Static_assert(sizeof(struct map_vertex) == 8 &&
                   sizeof(struct udmf_line) == 12 * 4 &&
                   sizeof(struct map_sector) == 36 &&
                   sizeof(struct map_thing) == 3 * 4,
               "records have no padding");

#define UDMF_LINE(member) offsetof(struct udmf_line, member)
#define UDMF_OF_SECTOR(member) offsetof(struct map_sector, member)

static const struct udmf_form {
    const char *name;
    const char *needed[2]; // numbers that the record begins with
    const void *record;    // without fields
    struct udmf_row {
        const char *names; // of fields, with a space between; NULL for others
        enum udmf_use use;
        size_t offset; // in the record, where fields of a row follow each other
        uint32_t other; // taken if the number is none or does not fit; or flag
    } rows[8];
} udmf_forms[ARRAY_KIND_COUNT] = {
    {"vertex",
     {"x", "y"},
     &(const struct map_vertex){0},
     {{NULL, UDMF_SLOPE, 0, 0}}},
    {"linedef",
     {"v1", "v2"},
     &(const struct udmf_line){.line = {.tag = UINT32_MAX, // as 0 is an id
                                        .front_sector = NBSTAGE_NONE,
                                        .back_sector = NBSTAGE_NONE}},
     {{"id", UDMF_NUMBER, UDMF_LINE(line.tag), 0},
      {"special", UDMF_NUMBER, UDMF_LINE(line.special), UINT32_MAX},
      {"arg0 arg1 arg2 arg3 arg4", UDMF_NUMBER, UDMF_LINE(line.args), 0},
      {"sidefront sideback", UDMF_NUMBER, UDMF_LINE(line.front_sector),
       UINT32_MAX - 1},
      {"twosided", UDMF_TWO_SIDED, UDMF_LINE(line.flags), 0},
      {"secret mapped comment dontdraw dontpegtop dontpegbottom", UDMF_HARMLESS,
       0, 0},
      {NULL, UDMF_DOUBT, UDMF_LINE(line.flags), NBSTAGE_LINE_OTHER}}},
    {"sidedef",
     {NULL},
     &(const uint32_t){NBSTAGE_NONE},
     {{"sector", UDMF_NUMBER, 0, UINT32_MAX}, {NULL, UDMF_HARMLESS, 0, 0}}},
    {"sector",
     {NULL},
     &(const struct map_sector){0},
     {{"special", UDMF_NUMBER, UDMF_OF_SECTOR(special), UINT32_MAX},
      {"id", UDMF_NUMBER, UDMF_OF_SECTOR(tag), 1},
      {"heightfloor heightceiling", UDMF_HEIGHT, UDMF_OF_SECTOR(floor), 0},
      {"texturefloor textureceiling", UDMF_FLAT, UDMF_OF_SECTOR(floor_flat), 0},
      {"comment lightlevel lightfloor lightceiling xpanningfloor "
       "ypanningfloor xpanningceiling ypanningceiling",
       UDMF_HARMLESS, 0, 0},
      {NULL, UDMF_DOUBT, UDMF_OF_SECTOR(flags), NBSTAGE_SECTOR_OTHER}}},
    {"thing",
     {NULL},
     &(const struct map_thing){0},
     {{"type special", UDMF_NUMBER, 0, UINT32_MAX},
      {"arg0", UDMF_NUMBER, offsetof(struct map_thing, tag), 0},
      {NULL, UDMF_HARMLESS, 0, 0}}},
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
             reader->index, mistake);
    udmf_tell(reader, fails, at, sentence);
    reader->has_warned = true;
}

// The number of a vertex, or a coordinate.
static uint32_t udmf_read_needed(struct udmf_reader *reader,
                                 const struct udmf_token *value)
{
    const bool is_vertex = reader->form == &udmf_forms[ARRAY_VERTICES];
    int64_t number;
    const enum udmf_kind kind = udmf_read_number(value, &number);
    number /= is_vertex ? 1 : UDMF_UNIT;
    if (kind == UDMF_NO_NUMBER || number < (is_vertex ? INT32_MIN : 0) ||
        number > (is_vertex ? INT32_MAX : UINT32_MAX))
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

// Stores a field that has this place in its row, or takes account of it.
static void udmf_store(struct udmf_reader *reader, const struct udmf_row *row,
                       int place, const struct udmf_token *value)
{
    struct map_sector *sector = (struct map_sector *)(void *)reader->record;
    void *const first = reader->record + row->offset;
    uint32_t *const to = (uint32_t *)first + place;
    const bool is_height = row->use == UDMF_HEIGHT;
    enum udmf_kind kind;
    int64_t number;
    switch (row->use) {
    case UDMF_NUMBER:
    case UDMF_HEIGHT:
        kind = udmf_read_number(value, &number);
        number /= is_height ? 1 : UDMF_UNIT;
        if (kind >= (is_height ? UDMF_FLOAT : UDMF_INTEGER) &&
            number == (int32_t)number)
            *to = (uint32_t)number;
        else if (is_height)
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        else
            *to = row->other;
        break;
    case UDMF_FLAT:
        if (!udmf_read_flat(value, (struct map_flat *)first + place))
            sector->flags |= NBSTAGE_SECTOR_OTHER;
        break;
    case UDMF_TWO_SIDED:
        *to &= ~NBSTAGE_LINE_TWO_SIDED;
        *to |= udmf_token_is(value, "true") ? NBSTAGE_LINE_TWO_SIDED : 0;
        break;
    case UDMF_DOUBT:
        if (!udmf_token_is(value, "false"))
            *to |= row->other;
        break;
    case UDMF_SLOPE:
        reader->read->has_vertex_slopes = true;
        break;
    case UDMF_HARMLESS:
        break;
    }
}

static void udmf_read_field(struct udmf_reader *reader,
                            const struct udmf_token *name,
                            const struct udmf_token *value)
{
    const struct udmf_row *row = reader->form->rows;
    int place = 0;
    for (size_t i = 0; i < 2 && reader->form->needed[i]; i++)
        if (udmf_token_is(name, reader->form->needed[i])) {
            const uint32_t number = udmf_read_needed(reader, value);
            memcpy(reader->record + i * sizeof number, &number, sizeof number);
            reader->found |= 1U << i;
            return;
        }
    if (!reader->attributes)
        return;
    while (row->names && (place = udmf_find(name, row->names)) < 0)
        row++;
    udmf_store(reader, row, row->names ? place : 0, value);
}

// ---------------------------------------------------------------------------
// Blocks

static nbstage_status udmf_add_record(struct udmf_reader *reader)
{
    const ptrdiff_t block = reader->form - udmf_forms;
    struct udmf_records *of = &reader->read->of[block];
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
    reader->index = of->count++;
    reader->record = (unsigned char *)of->records + reader->index * of->size;
    memcpy(reader->record, reader->form->record, of->size);
    return NBSTAGE_OK;
}

// Reads "name = value; ... }"; `begin` is where the block's name is.
static void udmf_read_block(struct udmf_reader *reader, const char *begin)
{
    reader->found = 0;
    if (reader->status == NBSTAGE_OK)
        reader->status = udmf_add_record(reader);
    while (reader->status == NBSTAGE_OK && !udmf_take(reader, '}')) {
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
    for (size_t i = 0; i < 2 && reader->form->needed[i]; i++) {
        const bool fails = reader->form == &udmf_forms[ARRAY_LINES];
        char mistake[32];
        if (reader->found >> i & 1)
            continue;
        snprintf(mistake, sizeof mistake,
                 fails ? "has no %s" : "has no %s; 0 is taken",
                 reader->form->needed[i]);
        udmf_tell_mistake(reader, fails, begin, mistake);
    }
}

// ---------------------------------------------------------------------------
// The text

// Takes account of a namespace; two of them leave unknown what specials mean.
static void udmf_read_assignment(struct udmf_text *read,
                                 const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    enum { OTHER = 1, FIRST };
    static const char names[] =
        "\"doom\" \"heretic\" \"strife\" \"hexen\" \"zdoom\"";
    static const enum map_specials specials[] = {
        SPECIALS_UNKNOWN, SPECIALS_UNKNOWN, SPECIALS_DOOM, SPECIALS_DOOM,
        SPECIALS_DOOM,    SPECIALS_HEXEN,   SPECIALS_HEXEN};
    if (!udmf_token_is(name, "namespace"))
        return;
    const int known = read->name_space, found = FIRST + udmf_find(value, names);
    read->name_space = known == 0 || known == found ? found : OTHER;
    read->specials = specials[read->name_space];
}

// Reads an assignment or a block.  From the first block on, any other token is
// skipped, and an assignment to the name of a block as a whole.
static void udmf_read_global(struct udmf_reader *reader)
{
    const struct udmf_token name = udmf_read_token(reader, UDMF_ENDS_WORD);
    size_t i = 0;
    while (i < ARRAY_KIND_COUNT && !udmf_token_is(&name, udmf_forms[i].name))
        i++;
    const bool is_block = i < ARRAY_KIND_COUNT;
    if (udmf_is_at(reader, '=') && (is_block || !reader->after_assignments)) {
        const struct udmf_token value = udmf_read_value(reader);
        if (reader->status == NBSTAGE_OK && !reader->after_assignments)
            udmf_read_assignment(reader->read, &name, &value);
        return;
    }
    reader->after_assignments = true;
    if (!is_block)
        return;
    reader->form = &udmf_forms[i];
    udmf_expect(reader, '{', "a '{' was expected after the name of a block");
    udmf_read_block(reader, name.begin);
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
    struct array unused;
    *read = (struct udmf_text){0};
    const int layout = attributes ? ARRAY_TEXT : ARRAY_TEXT_ENDS;
    for (int i = 0; i < ARRAY_KIND_COUNT; i++)
        read->of[i].size = array_describe(array_layouts[layout][i], &unused);
    udmf_skip_white(&reader);
    while (reader.at < reader.end && reader.status == NBSTAGE_OK)
        udmf_read_global(&reader);
    struct map_sector *sectors = read->of[ARRAY_SECTORS].records;
    for (size_t i = 0; read->has_vertex_slopes && sectors &&
                       i < read->of[ARRAY_SECTORS].count;
         i++)
        sectors[i].flags |= NBSTAGE_SECTOR_SLOPED;
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
