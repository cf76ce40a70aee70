// SPDX-License-Identifier: GPL-2.0-or-later
//
// A hand-written reader that goes over the text once.  A token is a stretch
// of the text; numbers are only evaluated where they are needed.  Lines and
// columns are counted when there is an error to report, and not before.
//
// Coordinates are kept as 16.16, truncated toward zero, as ZDBSP and source
// ports keep them, but read exactly: a double may round 0.1 up where
// truncation must not.  65536ths have at most 16 decimals, so 16 digits of
// the fraction decide, and with N for them floor(N / 10^16 * 2^16) is N / 5^16.

#include "udmf.h"

#include <stdio.h>
#include <string.h>

static const char name[] = "TEXTMAP";

struct reader {
    struct context *context;
    const char *text;
    const char *end;
    const char *at;
};

// ---------------------------------------------------------------------------
// Errors

static void find_place(const struct reader *reader, const char *at,
                       size_t *line, size_t *column)
{
    const char *line_begin = reader->text;
    *line = 1;
    for (const char *c = reader->text; c < at; c++) {
        if (*c == '\n') {
            (*line)++;
            line_begin = c + 1;
        }
    }
    *column = (size_t)(at - line_begin) + 1;
}

static enum status fail_at(const struct reader *reader, const char *at,
                           const char *sentence)
{
    size_t line, column;
    find_place(reader, at, &line, &column);
    return context_fail(reader->context, STATUS_BAD_MAP, name,
                        "line %zu, column %zu: %s", line, column, sentence);
}

// An element of a kind that is counted: "linedef 12 has no v1".
static enum status fail_element(const struct reader *reader, const char *at,
                                const char *kind, size_t index,
                                const char *what)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s %zu %s", kind, index, what);
    return fail_at(reader, at, sentence);
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
    if ((u | 32) >= 'a' && (u | 32) <= 'z')
        return IDENTIFIER_START | VALUE;
    if (u == '_')
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

static enum status skip_comment(struct reader *reader)
{
    const char *begin = reader->at;
    if (reader->end - begin < 2 || (begin[1] != '/' && begin[1] != '*'))
        return fail_at(reader, begin, "a '/' that begins no comment");
    if (begin[1] == '/') {
        const char *newline =
            memchr(begin, '\n', (size_t)(reader->end - begin));
        reader->at = newline ? newline + 1 : reader->end;
        return STATUS_OK;
    }
    for (const char *c = begin + 2; reader->end - c >= 2; c++) {
        if (c[0] == '*' && c[1] == '/') {
            reader->at = c + 2;
            return STATUS_OK;
        }
    }
    return fail_at(reader, begin, "the comment has no end");
}

// Goes to the next character that means something, or to the end.
static enum status skip_white(struct reader *reader)
{
    while (reader->at < reader->end) {
        if (kind_of(*reader->at) & WHITE) {
            reader->at++;
        } else if (*reader->at == '/') {
            enum status status = skip_comment(reader);
            if (status != STATUS_OK)
                return status;
        } else {
            break;
        }
    }
    return STATUS_OK;
}

// ---------------------------------------------------------------------------
// Tokens

static bool at_character(const struct reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// Reads one character, and the white space before and behind it.
static enum status expect(struct reader *reader, char c, const char *sentence)
{
    enum status status = skip_white(reader);
    if (status != STATUS_OK)
        return status;
    if (!at_character(reader, c))
        return fail_at(reader, reader->at, sentence);
    reader->at++;
    return skip_white(reader);
}

static enum status read_identifier(struct reader *reader,
                                   struct udmf_token *token)
{
    token->begin = reader->at;
    if (reader->at == reader->end || !(kind_of(*reader->at) & IDENTIFIER_START))
        return fail_at(reader, reader->at,
                       "the name of a field or block was expected");
    while (reader->at < reader->end &&
           kind_of(*reader->at) & (IDENTIFIER_START | DIGIT))
        reader->at++;
    token->end = reader->at;
    return skip_white(reader);
}

static enum status read_string(struct reader *reader)
{
    const char *begin = reader->at++;
    while (reader->at < reader->end && *reader->at != '"') {
        if (*reader->at == '\\' && reader->end - reader->at > 1)
            reader->at++;
        reader->at++;
    }
    if (reader->at >= reader->end)
        return fail_at(reader, begin, "the string has no end");
    reader->at++;
    return STATUS_OK;
}

// Reads "value ;".  The token of a string has its quotes.
static enum status read_value(struct reader *reader, struct udmf_token *token)
{
    token->begin = reader->at;
    if (at_character(reader, '"')) {
        enum status status = read_string(reader);
        if (status != STATUS_OK)
            return status;
    } else {
        while (reader->at < reader->end && kind_of(*reader->at) & (VALUE) &&
               *reader->at != '/')
            reader->at++;
        if (reader->at == token->begin)
            return fail_at(reader, reader->at, "a value was expected");
    }
    token->end = reader->at;
    return expect(reader, ';', "a ';' was expected behind the value");
}

// Whether a name is this one; names are the same in upper and lower case.
static inline bool token_is(const struct udmf_token *token, const char *lower)
{
    const char *c = token->begin;
    for (; c < token->end && *lower; c++, lower++)
        if ((*c >= 'A' && *c <= 'Z' ? *c + 32 : *c) != *lower)
            return false;
    return c == token->end && !*lower;
}

bool udmf_token_is(const struct udmf_token *token, const char *lower)
{
    return token_is(token, lower);
}

// ---------------------------------------------------------------------------
// Numbers

static int hexadecimal_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads an integer without sign: decimal, 0x..., or octal with a leading 0.
// False if it is none or beyond 32 bits.
static bool read_integer(const char *c, const char *end, uint32_t *value)
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

bool udmf_read_integer(const struct udmf_token *token, int64_t *value)
{
    const char *c = token->begin;
    bool negative = c < token->end && *c == '-';
    uint32_t magnitude;
    if (c < token->end && (*c == '-' || *c == '+'))
        c++;
    if (!read_integer(c, token->end, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

// A decimal number: its digits, where the point is among them, and what the
// exponent shifts it by.
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
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c == end)
        return false;
    for (*exponent = 0; c < end; c++) {
        if (!(kind_of(*c) & DIGIT))
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
    for (; c < end && (kind_of(*c) & DIGIT || (*c == '.' && !has_point)); c++) {
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

// Takes the digits of a decimal one by one; behind the last there are zeros.
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
    // Zeros behind the digits cannot make 0 larger, and anything else is soon
    // over the limit, so this ends however large the exponent is.
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
    bool negative = c < token->end && *c == '-';
    if (c < token->end && (*c == '-' || *c == '+'))
        c++;
    struct decimal decimal;
    uint32_t magnitude;
    bool based = token->end - c > 1 && c[0] == '0' &&
                 read_integer(c, token->end, &magnitude);
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
// Blocks

// Makes room for one more element, with spare room for as many as there are.
static enum status make_room(struct context *context, void *array, size_t count,
                             size_t *capacity, size_t element_size)
{
    if (count < *capacity)
        return STATUS_OK;
    size_t larger = *capacity ? *capacity * 2 : 1024;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    enum status status =
        context_allocate(context, larger, element_size, &grown);
    if (status != STATUS_OK)
        return status;
    if (count > 0)
        memcpy(grown, old, count * element_size);
    context_release(context, old);
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return STATUS_OK;
}

// A field: "name = value;".
static enum status read_field(struct reader *reader, struct udmf_token *field,
                              struct udmf_token *value)
{
    enum status status = read_identifier(reader, field);
    if (status == STATUS_OK)
        status = expect(reader, '=', "a '=' was expected behind the name");
    return status == STATUS_OK ? read_value(reader, value) : status;
}

// Whether the block goes on; at its end its brace is read.
static enum status block_goes_on(struct reader *reader, const char *begin,
                                 bool *goes_on)
{
    if (reader->at == reader->end)
        return fail_at(reader, begin, "the block has no end");
    *goes_on = *reader->at != '}';
    if (*goes_on)
        return STATUS_OK;
    reader->at++;
    return skip_white(reader);
}

// Skips the block of a kind that is not needed, and blocks inside it, which
// the grammar does not have but extensions might.
static enum status skip_block(struct reader *reader, const char *begin)
{
    for (size_t depth = 1; depth > 0;) {
        if (reader->at == reader->end)
            return fail_at(reader, begin, "the block has no end");
        enum status status = STATUS_OK;
        if (*reader->at == '"')
            status = read_string(reader);
        else if (*reader->at == '{')
            depth++, reader->at++;
        else if (*reader->at == '}')
            depth--, reader->at++;
        else
            reader->at++;
        if (status == STATUS_OK)
            status = skip_white(reader);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// What the two kinds of blocks that are read have in common: two fields that
// each must be there.
struct block_kind {
    const char *name;
    const char *fields[2];
    bool (*read)(const struct udmf_token *value, int32_t *number);
    const char *expected; // what a value is not, if `read` fails
};

static bool read_vertex_number(const struct udmf_token *token, int32_t *number)
{
    uint32_t value;
    const char *begin = token->begin;
    if (begin < token->end && *begin == '+')
        begin++;
    if (!read_integer(begin, token->end, &value))
        return false;
    memcpy(number, &value, sizeof value);
    return true;
}

static const struct block_kind vertex_kind = {
    "vertex",
    {"x", "y"},
    udmf_read_fixed,
    "has a coordinate that is not a number from -32768 to below 32768",
};

static const struct block_kind line_kind = {
    "linedef",
    {"v1", "v2"},
    read_vertex_number,
    "has a vertex that is not a whole number from 0 to 4294967295",
};

// Reads a block behind its opening brace: the values of the two fields.
static enum status read_block(struct reader *reader, const char *begin,
                              const struct block_kind *kind, size_t index,
                              int32_t numbers[2])
{
    bool present[2] = {false, false};
    bool goes_on;
    enum status status;
    while ((status = block_goes_on(reader, begin, &goes_on)) == STATUS_OK &&
           goes_on) {
        struct udmf_token field, value;
        status = read_field(reader, &field, &value);
        if (status != STATUS_OK)
            return status;
        for (int i = 0; i < 2; i++) {
            if (!token_is(&field, kind->fields[i]))
                continue;
            present[i] = kind->read(&value, &numbers[i]);
            if (!present[i])
                return fail_element(reader, value.begin, kind->name, index,
                                    kind->expected);
        }
    }
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        char what[16];
        snprintf(what, sizeof what, "has no %s", kind->fields[i]);
        if (!present[i])
            status = fail_element(reader, begin, kind->name, index, what);
    }
    return status;
}

struct capacities {
    size_t vertices;
    size_t lines;
};

static enum status read_vertex(struct reader *reader, const char *begin,
                               struct udmf *udmf, size_t *capacity)
{
    int32_t numbers[2];
    enum status status =
        read_block(reader, begin, &vertex_kind, udmf->vertex_count, numbers);
    if (status == STATUS_OK)
        status = make_room(reader->context, &udmf->vertices, udmf->vertex_count,
                           capacity, sizeof *udmf->vertices);
    if (status == STATUS_OK)
        udmf->vertices[udmf->vertex_count++] =
            (struct udmf_vertex){numbers[0], numbers[1]};
    return status;
}

static enum status read_line(struct reader *reader, const char *begin,
                             struct udmf *udmf, size_t *capacity)
{
    int32_t numbers[2];
    enum status status =
        read_block(reader, begin, &line_kind, udmf->line_count, numbers);
    if (status == STATUS_OK)
        status = make_room(reader->context, &udmf->lines, udmf->line_count,
                           capacity, sizeof *udmf->lines);
    if (status == STATUS_OK)
        udmf->lines[udmf->line_count++] =
            (struct udmf_line){(uint32_t)numbers[0], (uint32_t)numbers[1]};
    return status;
}

// Reads one "name = value;" or "name { ... }".
static enum status read_global(struct reader *reader, struct udmf *udmf,
                               struct capacities *capacities)
{
    struct udmf_token token, value;
    enum status status = read_identifier(reader, &token);
    if (status != STATUS_OK)
        return status;
    if (at_character(reader, '=')) {
        reader->at++;
        status = skip_white(reader);
        return status == STATUS_OK ? read_value(reader, &value) : status;
    }
    status = expect(reader, '{', "a '=' or '{' was expected behind the name");
    if (status != STATUS_OK)
        return status;
    if (token_is(&token, "vertex"))
        return read_vertex(reader, token.begin, udmf, &capacities->vertices);
    if (token_is(&token, "linedef"))
        return read_line(reader, token.begin, udmf, &capacities->lines);
    return skip_block(reader, token.begin);
}

enum status udmf_read(struct context *context, const char *text, size_t size,
                      struct udmf *udmf)
{
    struct reader reader = {context, text, text + size, text};
    struct capacities capacities = {0};
    *udmf = (struct udmf){0};
    enum status status = skip_white(&reader);
    while (status == STATUS_OK && reader.at < reader.end)
        status = read_global(&reader, udmf, &capacities);
    if (status != STATUS_OK)
        udmf_free(context, udmf);
    return status;
}

// ---------------------------------------------------------------------------
// Walking

static enum status walk_block(struct reader *reader, const char *begin,
                              const struct udmf_visitor *visitor)
{
    bool goes_on;
    enum status status;
    while ((status = block_goes_on(reader, begin, &goes_on)) == STATUS_OK &&
           goes_on) {
        struct udmf_token field, value;
        status = read_field(reader, &field, &value);
        if (status != STATUS_OK)
            break;
        visitor->field(visitor->user, &field, &value);
    }
    return status;
}

static enum status walk_global(struct reader *reader,
                               const struct udmf_visitor *visitor)
{
    struct udmf_token name_token, value;
    enum status status = read_identifier(reader, &name_token);
    if (status != STATUS_OK)
        return status;
    if (at_character(reader, '=')) {
        reader->at++;
        status = skip_white(reader);
        if (status == STATUS_OK)
            status = read_value(reader, &value);
        if (status == STATUS_OK && visitor->assignment)
            visitor->assignment(visitor->user, &name_token, &value);
        return status;
    }
    status = expect(reader, '{', "a '=' or '{' was expected behind the name");
    if (status != STATUS_OK)
        return status;
    return visitor->block(visitor->user, &name_token)
               ? walk_block(reader, name_token.begin, visitor)
               : skip_block(reader, name_token.begin);
}

enum status udmf_walk(struct context *context, const char *text, size_t size,
                      const struct udmf_visitor *visitor)
{
    struct reader reader = {context, text, text + size, text};
    enum status status = skip_white(&reader);
    while (status == STATUS_OK && reader.at < reader.end)
        status = walk_global(&reader, visitor);
    return status;
}

void udmf_free(struct context *context, struct udmf *udmf)
{
    context_release(context, udmf->vertices);
    context_release(context, udmf->lines);
    *udmf = (struct udmf){0};
}
