// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader goes over the text once.  A token is a part of the text; a visitor
// evaluates only the values that it needs.  Lines and columns are counted only
// to tell where something is.
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

#include "map/udmf.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct udmf_reader {
    struct context *context;
    const char *text;
    const char *end;
    const char *at;
    const char *endless;    // a comment or string without an end, or NULL
    bool after_assignments; // the first block, or anything else, has begun
    nbstage_status status;  // after a failure, `at` is the end
};

// Stops, unless the status is NBSTAGE_OK.
static void udmf_keep_status(struct udmf_reader *reader, nbstage_status status)
{
    reader->status = status;
    if (status != NBSTAGE_OK)
        reader->at = reader->end;
}

// Finds the line and the column of a place, both from 1.
static void udmf_find_place(const struct udmf_reader *reader, const char *at,
                            size_t *line, size_t *column)
{
    *line = *column = 1;
    for (const char *c = reader->text; c < at; c++) {
        *line += *c == '\n';
        *column = *c == '\n' ? 1 : *column + 1;
    }
}

static void udmf_warn_at(const struct udmf_reader *reader, const char *at,
                         const char *sentence)
{
    size_t line, column;
    udmf_find_place(reader, at, &line, &column);
    context_log(reader->context, NBSTAGE_LOG_WARNING, "TEXTMAP",
                "line %zu, column %zu: %s", line, column, sentence);
}

// Stops with a sentence, unless it has stopped before.  What a comment or
// string without an end has taken is missing everywhere.
static void udmf_fail_at(struct udmf_reader *reader, const char *at,
                         const char *sentence)
{
    size_t line, column;
    if (reader->status != NBSTAGE_OK)
        return;
    if (reader->endless) {
        at = reader->endless;
        sentence =
            *at == '"' ? "the string has no end" : "the comment has no end";
    }
    udmf_find_place(reader, at, &line, &column);
    udmf_keep_status(reader, context_fail(reader->context, NBSTAGE_BAD_MAP,
                                          "TEXTMAP", "line %zu, column %zu: %s",
                                          line, column, sentence));
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

static bool udmf_is_at(const struct udmf_reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
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
        udmf_fail_at(reader, reader->at, sentence);
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

// Reads a string with its quotes, characters up to a stop, or any one
// character; at the end of the text, nothing.
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
        udmf_fail_at(reader, value.begin, "a value was expected");
    udmf_expect(reader, ';', "a ';' was expected after the value");
    return value;
}

// ---------------------------------------------------------------------------
// Blocks

// Reads "name = value; ... }"; `begin` is where the block's name is.
static void udmf_read_block(struct udmf_reader *reader, const char *begin,
                            const struct udmf_visitor *visitor)
{
    while (!udmf_take(reader, '}')) {
        if (reader->at == reader->end) {
            udmf_fail_at(reader, begin, "the block has no end");
            return;
        }
        struct udmf_token name = udmf_read_token(reader, UDMF_ENDS_WORD);
        if (!udmf_is_at(reader, '=') &&
            udmf_is_stop(*name.begin, UDMF_ENDS_WORD))
            udmf_fail_at(reader, name.begin,
                         "the name of a field was expected");
        struct udmf_token value = udmf_read_value(reader);
        if (reader->status == NBSTAGE_OK)
            udmf_keep_status(reader,
                             visitor->field(visitor->user, &name, &value));
    }
    if (reader->status == NBSTAGE_OK)
        udmf_keep_status(reader, visitor->end(visitor->user));
}

// Skips the same, and what is wrong in it.
static void udmf_skip_block(struct udmf_reader *reader, const char *begin)
{
    size_t depth = 1;
    while (depth > 0) {
        if (udmf_take(reader, '}')) {
            depth--;
        } else if (reader->at == reader->end) {
            udmf_fail_at(reader, begin, "the block has no end");
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

// Reads or skips a block, as the visitor wants it.
static void udmf_visit_block(struct udmf_reader *reader, enum udmf_block block,
                             const char *begin,
                             const struct udmf_visitor *visitor)
{
    const struct udmf_reader before = *reader;
    struct context *context = reader->context;
    const char *map_name = context->map_name;
    enum udmf_wish wish;
    udmf_keep_status(reader,
                     visitor->block(visitor->user, block, begin, &wish));
    if (reader->status != NBSTAGE_OK)
        return;
    if (wish == UDMF_TRY)
        context->map_name = NULL; // what is wrong is told later
    if (wish != UDMF_SKIP)
        udmf_read_block(reader, begin, visitor);
    context->map_name = map_name;
    if (wish == UDMF_TRY && reader->status == NBSTAGE_BAD_MAP) {
        visitor->flaw(visitor->user, context->message);
        *reader = before;
        wish = UDMF_SKIP;
    }
    if (wish == UDMF_SKIP)
        udmf_skip_block(reader, begin);
}

// The block that a name stands for; UDMF_BLOCK_COUNT for none.
static enum udmf_block udmf_find_block(const struct udmf_token *name)
{
    static const char *const names[] = {"linedef", "vertex", "sidedef",
                                        "sector", "thing"};
    size_t i = 0;
    while (i < UDMF_BLOCK_COUNT && !udmf_token_is(name, names[i]))
        i++;
    return (enum udmf_block)i;
}

// Where "= value" has ended that a ';' follows; NULL if it is not here.
static const char *udmf_find_value(const struct udmf_reader *reader,
                                   struct udmf_token *value)
{
    if (!udmf_is_at(reader, '='))
        return NULL;
    struct udmf_reader ahead = *reader;
    udmf_take(&ahead, '=');
    *value = udmf_read_token(&ahead, UDMF_ENDS_VALUE);
    return udmf_is_at(&ahead, ';') ? ahead.at : NULL;
}

// Reads an assignment or a block.  From the first block on, any other token is
// skipped, and those of an assignment one by one, unless it has a block's name.
static void udmf_read_global(struct udmf_reader *reader,
                             const struct udmf_visitor *visitor)
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
        if (reader->status != NBSTAGE_OK)
            return;
        udmf_visit_block(reader, block, name.begin, visitor);
    } else {
        reader->after_assignments = true;
        if (!end)
            return;
        if (block != UDMF_BLOCK_COUNT ||
            udmf_find_block(&value) != UDMF_BLOCK_COUNT)
            reader->at = end;
    }
    if (value.begin && reader->status == NBSTAGE_OK)
        visitor->assignment(visitor->user, &name, &value);
}

static struct udmf_reader udmf_reader_of(struct context *context,
                                         const char *text, size_t size)
{
    // The text of an empty lump may be NULL, to which 0 must not be added.
    return (struct udmf_reader){.context = context,
                                .text = text,
                                .end = size > 0 ? text + size : text,
                                .at = text};
}

// ---------------------------------------------------------------------------
// Numbers

// What a value is.
enum udmf_form {
    UDMF_WRONG_FORM, // no number, not even to ZDBSP
    UDMF_ODD_FORM,   // at most its beginning is one, or readers differ over it
    UDMF_FLOAT,
    UDMF_INTEGER,
};

// The number that a value begins with, as strtod() finds it, but without the
// fraction of a hexadecimal one; 0 if there is none.
struct udmf_number {
    enum udmf_form form;
    bool is_negative;
    uint64_t whole;    // from UDMF_MOST on, that or more
    uint64_t decimals; // the first 19
};

static const uint64_t UDMF_MOST = UINT64_C(1000000000000000000);
// All in units of the last of the decimals.
static const uint64_t UDMF_ONE = UINT64_C(10000000000000000000);
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
    while (places > 0 && number->whole < UDMF_MOST) {
        const uint64_t whole = number->whole, decimals = number->decimals;
        uint64_t power = 1; // of ten, by which the point moves
        for (; places > 0 && power < UDMF_MOST; places--)
            power *= 10;
        const uint64_t part = UDMF_ONE / power;
        if (is_negative) {
            number->whole = whole / power;
            number->decimals = whole % power * part + decimals / power;
        } else {
            number->whole = whole > UDMF_MOST / power
                                ? UDMF_MOST
                                : whole * power + decimals / part;
            number->decimals = decimals % part * power;
        }
    }
    return true;
}

static struct udmf_number udmf_read_number(const struct udmf_token *value)
{
    const char *c = value->begin;
    const char *end = value->end;
    struct udmf_number number = {.is_negative = udmf_take_sign(&c, end)};
    const bool is_hexadecimal = udmf_token_begins(c, end, "0x");
    const unsigned base = is_hexadecimal ? 16 : 10;
    const char *begin = c += is_hexadecimal ? 2 : 0;
    for (; c < end && udmf_digit(*c) < base; c++)
        if (number.whole < UDMF_MOST)
            number.whole = number.whole * base + udmf_digit(*c);
    // To ZDBSP 010 is 10, but to engines it is 8.
    const bool may_be_octal = !is_hexadecimal && c - begin > 1 && *begin == '0';
    bool is_float = !is_hexadecimal && c < end && *c == '.';
    c += is_float;
    for (uint64_t place = UDMF_TENTH;
         is_float && c < end && udmf_digit(*c) < 10; c++, place /= 10)
        number.decimals += place * udmf_digit(*c);
    const bool has_digits = c - begin > is_float;
    if (has_digits && c < end && (*c | 32) == 'e')
        is_float |= udmf_take_exponent(&number, &c, end);
    if (has_digits && c == end && (is_float || !may_be_octal))
        number.form = is_float ? UDMF_FLOAT : UDMF_INTEGER;
    else if (c == end || !udmf_is_stop(*c, UDMF_ENDS_WORD) ||
             end - value->begin == 1)
        number.form = UDMF_ODD_FORM; // one token of ZDBSP's
    if (!has_digits && (udmf_token_begins(begin, end, "inf") ||
                        udmf_token_begins(begin, end, "nan")))
        number.form = UDMF_WRONG_FORM;
    return number;
}

// A number in units of 1 / 2^bits, with 0 or 16 bits, truncated; a larger one
// than 32 bits before the point is still larger.
static int64_t udmf_truncate(struct udmf_number number, int bits)
{
    const uint64_t limit = UINT64_C(1) << 32;
    const uint64_t whole = number.whole < limit ? number.whole : limit;
    const uint64_t part = bits == 16 ? number.decimals / UDMF_65536TH : 0;
    const int64_t size = (int64_t)(whole << bits | part);
    return number.is_negative ? -size : size;
}

bool udmf_read_integer(const struct udmf_token *token, int64_t *value)
{
    const struct udmf_number number = udmf_read_number(token);
    *value = udmf_truncate(number, 0);
    return number.form == UDMF_INTEGER && number.whole <= UINT32_MAX;
}

bool udmf_read_fixed(const struct udmf_token *token, int32_t *value)
{
    const struct udmf_number number = udmf_read_number(token);
    const int64_t fixed = udmf_truncate(number, 16);
    if (number.form < UDMF_FLOAT || fixed < INT32_MIN || fixed > INT32_MAX)
        return false;
    *value = (int32_t)fixed;
    return true;
}

// ---------------------------------------------------------------------------
// Vertices and linedefs

// Linedefs and vertices.
enum { UDMF_KIND_COUNT = UDMF_VERTEX + 1 };

// A block of either kind has two numbers of 32 bits.  In the order of enum
// udmf_block.
static const struct {
    const char *name;
    const char *fields[2];
    int bits; // after the point that are kept
    int64_t least, most;
    enum udmf_form form; // of the numbers; others raise a warning
    const char *odd;     // what is wrong with these
    const char *wrong;   // and with those that cannot be taken
} udmf_kinds[UDMF_KIND_COUNT] = {
    {"linedef",
     {"v1", "v2"},
     0,
     0,
     UINT32_MAX,
     UDMF_INTEGER,
     "has a vertex that is not a plain whole number; what it begins with is "
     "taken, or 0",
     "has a vertex that is not a whole number from 0 to 4294967295"},
    {"vertex",
     {"x", "y"},
     16,
     INT32_MIN,
     INT32_MAX,
     UDMF_FLOAT,
     "has a coordinate that is not a plain number; what it begins with is "
     "taken, or 0",
     "has a coordinate that is not a number from -32768 to below 32768"},
};

struct udmf_pairs {
    uint32_t (*pair)[2];
    size_t count, capacity;
};

struct udmf_gathering {
    struct udmf_reader reader;
    const struct udmf_visitor *more; // sees all of this, too; or NULL
    struct udmf_pairs pairs[UDMF_KIND_COUNT];
    bool has_warned;

    // The block that fields belong to.
    enum udmf_block kind;
    const char *begin;
    uint32_t numbers[2];
    bool found[2];
};

// Stops, or warns of the first mistake in blocks of a map that ZDBSP passes
// over: "linedef 12 has no v1".
static nbstage_status udmf_tell(struct udmf_gathering *gathering, bool fails,
                                const char *at, const char *mistake)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s %zu %s",
             udmf_kinds[gathering->kind].name,
             gathering->pairs[gathering->kind].count, mistake);
    if (fails)
        udmf_fail_at(&gathering->reader, at, sentence);
    else if (!gathering->has_warned)
        udmf_warn_at(&gathering->reader, at, sentence);
    gathering->has_warned = true;
    return gathering->reader.status;
}

static void udmf_read_assignment(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    const struct udmf_gathering *gathering = user;
    if (gathering->more)
        gathering->more->assignment(gathering->more->user, name, value);
}

static nbstage_status udmf_begin_block(void *user, enum udmf_block kind,
                                       const char *begin, enum udmf_wish *wish)
{
    struct udmf_gathering *gathering = user;
    const struct udmf_visitor *more = gathering->more;
    nbstage_status status = NBSTAGE_OK;
    gathering->kind = kind;
    gathering->begin = begin;
    gathering->found[0] = gathering->found[1] = false;
    gathering->numbers[0] = gathering->numbers[1] = 0;
    *wish = UDMF_SKIP;
    if (more)
        status = more->block(more->user, kind, begin, wish);
    if ((int)kind < UDMF_KIND_COUNT)
        *wish = UDMF_READ;
    return status;
}

static void udmf_note_flaw(void *user, const char *sentence)
{
    const struct udmf_gathering *gathering = user;
    gathering->more->flaw(gathering->more->user, sentence);
}

static nbstage_status udmf_read_field(void *user, const struct udmf_token *name,
                                      const struct udmf_token *value)
{
    struct udmf_gathering *gathering = user;
    const struct udmf_visitor *more = gathering->more;
    enum udmf_block kind = gathering->kind;
    for (int i = 0; i < 2 && (int)kind < UDMF_KIND_COUNT; i++) {
        if (!udmf_token_is(name, udmf_kinds[kind].fields[i]))
            continue;
        const struct udmf_number number = udmf_read_number(value);
        const int64_t truncated = udmf_truncate(number, udmf_kinds[kind].bits);
        if (number.form == UDMF_WRONG_FORM ||
            truncated < udmf_kinds[kind].least ||
            truncated > udmf_kinds[kind].most)
            return udmf_tell(gathering, true, value->begin,
                             udmf_kinds[kind].wrong);
        if (number.form < udmf_kinds[kind].form)
            udmf_tell(gathering, false, value->begin, udmf_kinds[kind].odd);
        gathering->numbers[i] = (uint32_t)truncated;
        gathering->found[i] = true;
    }
    return more ? more->field(more->user, name, value) : NBSTAGE_OK;
}

static nbstage_status udmf_end_block(void *user)
{
    struct udmf_gathering *gathering = user;
    struct udmf_pairs *pairs = gathering->pairs;
    if ((int)gathering->kind >= UDMF_KIND_COUNT)
        return NBSTAGE_OK;
    pairs += gathering->kind;
    for (int i = 0; i < 2; i++) {
        char mistake[32];
        const bool fails = gathering->kind == UDMF_LINEDEF;
        if (gathering->found[i] || (!fails && gathering->has_warned))
            continue;
        snprintf(mistake, sizeof mistake,
                 fails ? "has no %s" : "has no %s; 0 is taken",
                 udmf_kinds[gathering->kind].fields[i]);
        if (udmf_tell(gathering, fails, gathering->begin, mistake) !=
            NBSTAGE_OK)
            return gathering->reader.status;
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
                                  size_t size, const struct udmf_visitor *more,
                                  struct udmf_geometry *geometry)
{
    struct udmf_gathering gathering = {
        .reader = udmf_reader_of(context, text, size), .more = more};
    const struct udmf_visitor visitor = {.user = &gathering,
                                         .assignment = udmf_read_assignment,
                                         .block = udmf_begin_block,
                                         .field = udmf_read_field,
                                         .end = udmf_end_block,
                                         .flaw = udmf_note_flaw};
    struct udmf_reader *reader = &gathering.reader;
    udmf_skip_white(reader);
    while (reader->at < reader->end)
        udmf_read_global(reader, &visitor);
    const nbstage_status status = reader->status;
    if (status == NBSTAGE_OK && reader->endless)
        udmf_warn_at(
            reader, reader->endless,
            "the comment or string has no end; it hides all that follows");
    *geometry = (struct udmf_geometry){
        .vertices = (void *)gathering.pairs[UDMF_VERTEX].pair,
        .vertex_count = gathering.pairs[UDMF_VERTEX].count,
        .lines = (void *)gathering.pairs[UDMF_LINEDEF].pair,
        .line_count = gathering.pairs[UDMF_LINEDEF].count,
    };
    if (status == NBSTAGE_OK)
        return NBSTAGE_OK;
    context_release(context, geometry->vertices);
    context_release(context, geometry->lines);
    *geometry = (struct udmf_geometry){0};
    return status;
}
