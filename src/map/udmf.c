// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader goes over the text once.  A token is a part of the text; a visitor
// evaluates only the values that it needs.  Lines and columns are counted only
// to report an error.
//
// Coordinates are kept as 16.16, truncated toward zero, as ZDBSP and source
// ports keep them.  They are read exactly: a double may round 0.1 up, which
// truncation must not.  65536ths have at most 16 decimals, so the first 16
// digits of the fraction decide.  If N is these digits, floor(N / 10^16 * 2^16)
// is N / 5^16.

#include "map/udmf.h"

#include <stdio.h>
#include <string.h>

struct reader {
    struct context *context;
    const char *text;
    const char *end;
    const char *at;
    nbstage_status status; // after a failure, `at` is the end
};

// Stops, unless the status is NBSTAGE_OK.
static void keep_status(struct reader *reader, nbstage_status status)
{
    reader->status = status;
    if (status != NBSTAGE_OK)
        reader->at = reader->end;
}

// Stops with a sentence, unless it has stopped before.
static void fail_at(struct reader *reader, const char *at, const char *sentence)
{
    const char *line_begin = reader->text;
    size_t line = 1;
    if (reader->status != NBSTAGE_OK)
        return;
    for (const char *c = reader->text; c < at; c++) {
        if (*c == '\n') {
            line++;
            line_begin = c + 1;
        }
    }
    keep_status(reader,
                context_fail(reader->context, NBSTAGE_BAD_MAP, "TEXTMAP",
                             "line %zu, column %zu: %s", line,
                             (size_t)(at - line_begin) + 1, sentence));
}

// ---------------------------------------------------------------------------
// Characters

enum character {
    IDENTIFIER_START = 1, // A-Z a-z _
    DIGIT = 2,
    WHITE = 4,
    VALUE = 8, // may stand in a number or keyword
};

static inline unsigned kind_of(char c)
{
    unsigned char u = (unsigned char)c;
    if (((u | 32) >= 'a' && (u | 32) <= 'z') || u == '_')
        return IDENTIFIER_START | VALUE;
    if (u >= '0' && u <= '9')
        return DIGIT | VALUE;
    if (u == ' ' || (u >= '\t' && u <= '\r'))
        return WHITE;
    if (u <= ' ' || u == '{' || u == '}' || u == '(' || u == ')' || u == ';' ||
        u == '"' || u == '\'' || u == '=')
        return 0;
    return VALUE;
}

static void skip_comment(struct reader *reader)
{
    const char *begin = reader->at;
    const char *end = reader->end;
    if (end - begin >= 2 && begin[1] == '/') {
        const char *newline = memchr(begin, '\n', (size_t)(end - begin));
        reader->at = newline ? newline + 1 : end;
        return;
    }
    if (end - begin < 2 || begin[1] != '*') {
        fail_at(reader, begin, "a '/' that begins no comment");
        return;
    }
    const char *c = begin + 2;
    while (end - c >= 2 && (c[0] != '*' || c[1] != '/'))
        c++;
    if (end - c >= 2)
        reader->at = c + 2;
    else
        fail_at(reader, begin, "the comment has no end");
}

// Skips white space and comments.
static void skip_white(struct reader *reader)
{
    while (reader->at < reader->end) {
        if (kind_of(*reader->at) & WHITE)
            reader->at++;
        else if (*reader->at == '/')
            skip_comment(reader);
        else
            break;
    }
}

// ---------------------------------------------------------------------------
// Tokens

static bool at_character(const struct reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// Reads one character, and the white space before and after it.
static void expect(struct reader *reader, char c, const char *sentence)
{
    skip_white(reader);
    if (at_character(reader, c))
        reader->at++;
    else
        fail_at(reader, reader->at, sentence);
    skip_white(reader);
}

static struct udmf_token read_identifier(struct reader *reader)
{
    struct udmf_token token = {.begin = reader->at};
    if (reader->at == reader->end || !(kind_of(*reader->at) & IDENTIFIER_START))
        fail_at(reader, reader->at,
                "the name of a field or block was expected");
    while (reader->at < reader->end &&
           kind_of(*reader->at) & (IDENTIFIER_START | DIGIT))
        reader->at++;
    token.end = reader->at;
    skip_white(reader);
    return token;
}

static void read_string(struct reader *reader)
{
    const char *begin = reader->at++;
    while (reader->at < reader->end && *reader->at != '"') {
        if (*reader->at == '\\' && reader->end - reader->at > 1)
            reader->at++;
        reader->at++;
    }
    if (at_character(reader, '"'))
        reader->at++;
    else
        fail_at(reader, begin, "the string has no end");
}

// Reads "value ;".  The token of a string has its quotes.
static struct udmf_token read_value(struct reader *reader)
{
    struct udmf_token token = {.begin = reader->at};
    if (at_character(reader, '"'))
        read_string(reader);
    else
        while (reader->at < reader->end && kind_of(*reader->at) & VALUE &&
               *reader->at != '/')
            reader->at++;
    if (reader->at == token.begin)
        fail_at(reader, reader->at, "a value was expected");
    token.end = reader->at;
    expect(reader, ';', "a ';' was expected after the value");
    return token;
}

// ---------------------------------------------------------------------------
// Blocks

// Skips a block, and blocks inside it, which the grammar does not have but
// extensions might.
static void skip_block(struct reader *reader, const char *begin)
{
    for (size_t depth = 1; depth > 0; skip_white(reader)) {
        if (reader->at == reader->end) {
            fail_at(reader, begin, "the block has no end");
            return;
        }
        if (*reader->at == '"') {
            read_string(reader);
        } else {
            depth += *reader->at == '{';
            depth -= *reader->at == '}';
            reader->at++;
        }
    }
}

static void read_block(struct reader *reader, const char *begin,
                       const struct udmf_visitor *visitor)
{
    while (!at_character(reader, '}')) {
        if (reader->at == reader->end) {
            fail_at(reader, begin, "the block has no end");
            return;
        }
        struct udmf_token field = read_identifier(reader);
        expect(reader, '=', "a '=' was expected after the name");
        struct udmf_token value = read_value(reader);
        if (reader->status == NBSTAGE_OK)
            keep_status(reader, visitor->field(visitor->user, &field, &value));
    }
    reader->at++;
    skip_white(reader);
    if (reader->status == NBSTAGE_OK && visitor->end)
        keep_status(reader, visitor->end(visitor->user));
}

static void read_global(struct reader *reader,
                        const struct udmf_visitor *visitor)
{
    struct udmf_token name = read_identifier(reader);
    if (at_character(reader, '=')) {
        expect(reader, '=', "");
        struct udmf_token value = read_value(reader);
        if (reader->status == NBSTAGE_OK && visitor->assignment)
            visitor->assignment(visitor->user, &name, &value);
        return;
    }
    expect(reader, '{', "a '=' or '{' was expected after the name");
    if (reader->status != NBSTAGE_OK)
        return;
    if (visitor->block(visitor->user, &name))
        read_block(reader, name.begin, visitor);
    else
        skip_block(reader, name.begin);
}

static nbstage_status read_all(struct reader *reader,
                               const struct udmf_visitor *visitor)
{
    skip_white(reader);
    while (reader->at < reader->end)
        read_global(reader, visitor);
    return reader->status;
}

static struct reader reader_of(struct context *context, const char *text,
                               size_t size)
{
    // The text of an empty lump may be NULL, to which 0 must not be added.
    const char *end = size > 0 ? text + size : text;
    return (struct reader){context, text, end, text, NBSTAGE_OK};
}

nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         const struct udmf_visitor *visitor)
{
    struct reader reader = reader_of(context, text, size);
    return read_all(&reader, visitor);
}

// ---------------------------------------------------------------------------
// Numbers

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hexadecimal_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads an integer without sign: decimal, 0x..., or octal with a leading 0.
// Returns false if it is none or beyond 32 bits.
static bool read_magnitude(const char *c, const char *end, uint32_t *value)
{
    uint64_t number = 0;
    unsigned base = 10;
    if (end - c > 2 && c[0] == '0' && (c[1] | 32) == 'x') {
        base = 16;
        c += 2;
    } else if (end - c > 1 && c[0] == '0') {
        base = 8;
    }
    if (c == end)
        return false;
    for (; c < end; c++) {
        int digit = hexadecimal_digit(*c);
        if (digit < 0 || (unsigned)digit >= base)
            return false;
        number = number * base + (unsigned)digit;
        if (number > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)number;
    return true;
}

// Reads a sign, if there is one.  Returns whether it is a minus.
static bool take_sign(const char **c, const char *end)
{
    if (*c == end || (**c != '-' && **c != '+'))
        return false;
    return *(*c)++ == '-';
}

bool udmf_read_integer(const struct udmf_token *token, int64_t *value)
{
    const char *c = token->begin;
    bool negative = take_sign(&c, token->end);
    uint32_t magnitude;
    if (!read_magnitude(c, token->end, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

// A decimal number.
struct decimal {
    const char *digits; // with at most one '.' among them
    const char *end;
    ptrdiff_t point; // digits before it, exponent included
};

// Larger than the number of digits in any text, so that more makes no
// difference.
static const ptrdiff_t largest_exponent = PTRDIFF_MAX / 16;

static bool read_exponent(const char *c, const char *end, ptrdiff_t *exponent)
{
    bool negative = take_sign(&c, end);
    if (c == end)
        return false;
    for (*exponent = 0; c < end; c++) {
        if (!is_digit(*c))
            return false;
        if (*exponent < largest_exponent)
            *exponent = *exponent * 10 + (*c - '0');
    }
    if (negative)
        *exponent = -*exponent;
    return true;
}

static bool read_decimal(const char *c, const char *end,
                         struct decimal *decimal)
{
    size_t digit_count = 0;
    bool has_point = false;
    ptrdiff_t exponent = 0;
    decimal->digits = c;
    decimal->point = 0;
    for (; c < end && (is_digit(*c) || (*c == '.' && !has_point)); c++) {
        if (*c == '.') {
            has_point = true;
        } else {
            digit_count++;
            decimal->point += !has_point;
        }
    }
    decimal->end = c;
    if (digit_count == 0)
        return false;
    if (c < end && ((*c | 32) != 'e' || !read_exponent(c + 1, end, &exponent)))
        return false;
    decimal->point += exponent;
    return true;
}

// The next digit of a decimal; after the last there are zeros.
static unsigned next_digit(struct decimal *decimal)
{
    if (decimal->digits < decimal->end && *decimal->digits == '.')
        decimal->digits++;
    if (decimal->digits == decimal->end)
        return 0;
    return (unsigned)(*decimal->digits++ - '0');
}

enum { FRACTION_DIGITS = 16, WHOLE_LIMIT = 65536 };

#define OUT_OF_RANGE UINT32_MAX

static const uint64_t five_to_the_16 = UINT64_C(152587890625);

// The magnitude in 16.16, rounded down; OUT_OF_RANGE from WHOLE_LIMIT on.
static uint32_t decimal_to_fixed(struct decimal decimal)
{
    uint64_t whole = 0;
    ptrdiff_t left = decimal.point;
    // Zeros after the digits cannot make 0 larger, and anything else soon
    // reaches the limit, so this ends however large the exponent is.
    for (; left > 0 && whole < WHOLE_LIMIT; left--) {
        if (whole == 0 && decimal.digits == decimal.end)
            return 0;
        whole = whole * 10 + next_digit(&decimal);
    }
    if (whole >= WHOLE_LIMIT)
        return OUT_OF_RANGE;
    uint64_t fraction = 0;
    for (int i = 0; i < FRACTION_DIGITS; i++) {
        // A negative point puts zeros before the digits.
        unsigned digit = left < 0 ? 0 : next_digit(&decimal);
        left += left < 0;
        fraction = fraction * 10 + digit;
    }
    return (uint32_t)(whole << 16 | fraction / five_to_the_16);
}

bool udmf_read_fixed(const struct udmf_token *token, int32_t *value)
{
    const char *c = token->begin;
    bool negative = take_sign(&c, token->end);
    struct decimal decimal;
    uint32_t magnitude;
    bool based = token->end - c > 1 && c[0] == '0' &&
                 read_magnitude(c, token->end, &magnitude);
    if (based)
        magnitude = magnitude < WHOLE_LIMIT ? magnitude << 16 : OUT_OF_RANGE;
    else if (read_decimal(c, token->end, &decimal))
        magnitude = decimal_to_fixed(decimal);
    else
        return false;
    if (magnitude > (uint32_t)INT32_MAX + negative)
        return false;
    *value = negative ? (int32_t) - (int64_t)magnitude : (int32_t)magnitude;
    return true;
}

// ---------------------------------------------------------------------------
// Vertices and linedefs

enum kind { VERTEX, LINE, KIND_COUNT };

// A block of either kind has two numbers of 32 bits, which it needs.
static const struct {
    const char *name;
    const char *fields[2];
    const char *mistake; // of a value
} kinds[KIND_COUNT] = {
    {"vertex",
     {"x", "y"},
     "has a coordinate that is not a number from -32768 to below 32768"},
    {"linedef",
     {"v1", "v2"},
     "has a vertex that is not a whole number from 0 to 4294967295"},
};

struct pairs {
    uint32_t (*pair)[2];
    size_t count, capacity;
};

struct gathering {
    struct reader reader;
    struct pairs pairs[KIND_COUNT];

    // The block that fields belong to.
    enum kind kind;
    const char *begin;
    uint32_t numbers[2];
    bool found[2];
};

// "linedef 12 has no v1".
static nbstage_status fail(struct gathering *gathering, const char *at,
                           const char *mistake)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s %zu %s",
             kinds[gathering->kind].name,
             gathering->pairs[gathering->kind].count, mistake);
    fail_at(&gathering->reader, at, sentence);
    return gathering->reader.status;
}

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct gathering *gathering = user;
    gathering->kind = VERTEX;
    while (gathering->kind < KIND_COUNT &&
           !udmf_token_is(name, kinds[gathering->kind].name))
        gathering->kind++;
    gathering->begin = name->begin;
    gathering->found[0] = gathering->found[1] = false;
    return gathering->kind < KIND_COUNT;
}

// Reads a coordinate, or the number of a vertex, which has no minus.
static bool read_number(enum kind kind, const struct udmf_token *value,
                        uint32_t *number)
{
    int32_t fixed = 0;
    int64_t integer = 0;
    bool is_number = kind == VERTEX ? udmf_read_fixed(value, &fixed)
                                    : *value->begin != '-' &&
                                          udmf_read_integer(value, &integer);
    *number = kind == VERTEX ? (uint32_t)fixed : (uint32_t)integer;
    return is_number;
}

static nbstage_status read_field(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    struct gathering *gathering = user;
    enum kind kind = gathering->kind;
    for (int i = 0; i < 2; i++) {
        if (!udmf_token_is(name, kinds[kind].fields[i]))
            continue;
        if (!read_number(kind, value, &gathering->numbers[i]))
            return fail(gathering, value->begin, kinds[kind].mistake);
        gathering->found[i] = true;
    }
    return NBSTAGE_OK;
}

static nbstage_status end_block(void *user)
{
    struct gathering *gathering = user;
    struct pairs *pairs = &gathering->pairs[gathering->kind];
    for (int i = 0; i < 2; i++) {
        char mistake[16];
        if (gathering->found[i])
            continue;
        snprintf(mistake, sizeof mistake, "has no %s",
                 kinds[gathering->kind].fields[i]);
        return fail(gathering, gathering->begin, mistake);
    }
    if (pairs->count == pairs->capacity) {
        size_t more = pairs->capacity ? pairs->capacity * 2 : 1024;
        nbstage_status status =
            context_grow(gathering->reader.context, pairs->count, more,
                         sizeof *pairs->pair, &pairs->pair);
        if (status != NBSTAGE_OK)
            return status;
        pairs->capacity = more;
    }
    memcpy(pairs->pair[pairs->count++], gathering->numbers,
           sizeof *pairs->pair);
    return NBSTAGE_OK;
}

nbstage_status udmf_geometry_read(struct context *context, const char *text,
                                  size_t size, struct udmf_geometry *geometry)
{
    struct gathering gathering = {.reader = reader_of(context, text, size)};
    const struct udmf_visitor visitor = {.user = &gathering,
                                         .block = begin_block,
                                         .field = read_field,
                                         .end = end_block};
    nbstage_status status = read_all(&gathering.reader, &visitor);
    *geometry = (struct udmf_geometry){
        .vertices = (void *)gathering.pairs[VERTEX].pair,
        .vertex_count = gathering.pairs[VERTEX].count,
        .lines = (void *)gathering.pairs[LINE].pair,
        .line_count = gathering.pairs[LINE].count,
    };
    if (status == NBSTAGE_OK)
        return NBSTAGE_OK;
    context_release(context, geometry->vertices);
    context_release(context, geometry->lines);
    *geometry = (struct udmf_geometry){0};
    return status;
}
