// SPDX-License-Identifier: GPL-2.0-or-later
//
// A hand-written reader that goes over the text once.  A token is a stretch
// of the text; values are only evaluated where a visitor needs them.  Lines and
// columns are counted when there is an error to report, and not before.

#include "map/udmf.h"

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

nbstage_status udmf_fail(struct context *context, const char *text,
                         const char *at, const char *sentence)
{
    const char *line_begin = text;
    size_t line = 1;
    for (const char *c = text; c < at; c++) {
        if (*c == '\n') {
            line++;
            line_begin = c + 1;
        }
    }
    return context_fail(context, NBSTAGE_BAD_MAP, name,
                        "line %zu, column %zu: %s", line,
                        (size_t)(at - line_begin) + 1, sentence);
}

static nbstage_status fail_at(const struct reader *reader, const char *at,
                              const char *sentence)
{
    return udmf_fail(reader->context, reader->text, at, sentence);
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

static nbstage_status skip_comment(struct reader *reader)
{
    const char *begin = reader->at;
    if (reader->end - begin < 2 || (begin[1] != '/' && begin[1] != '*'))
        return fail_at(reader, begin, "a '/' that begins no comment");
    if (begin[1] == '/') {
        const char *newline =
            memchr(begin, '\n', (size_t)(reader->end - begin));
        reader->at = newline ? newline + 1 : reader->end;
        return NBSTAGE_OK;
    }
    for (const char *c = begin + 2; reader->end - c >= 2; c++) {
        if (c[0] == '*' && c[1] == '/') {
            reader->at = c + 2;
            return NBSTAGE_OK;
        }
    }
    return fail_at(reader, begin, "the comment has no end");
}

// Goes to the next character that means something, or to the end.
static nbstage_status skip_white(struct reader *reader)
{
    while (reader->at < reader->end) {
        if (kind_of(*reader->at) & WHITE) {
            reader->at++;
        } else if (*reader->at == '/') {
            nbstage_status status = skip_comment(reader);
            if (status != NBSTAGE_OK)
                return status;
        } else {
            break;
        }
    }
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Tokens

static bool at_character(const struct reader *reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// Reads one character, and the white space before and behind it.
static nbstage_status expect(struct reader *reader, char c,
                             const char *sentence)
{
    nbstage_status status = skip_white(reader);
    if (status != NBSTAGE_OK)
        return status;
    if (!at_character(reader, c))
        return fail_at(reader, reader->at, sentence);
    reader->at++;
    return skip_white(reader);
}

static nbstage_status read_identifier(struct reader *reader,
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

static nbstage_status read_string(struct reader *reader)
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
    return NBSTAGE_OK;
}

// Reads "value ;".  The token of a string has its quotes.
static nbstage_status read_value(struct reader *reader,
                                 struct udmf_token *token)
{
    token->begin = reader->at;
    if (at_character(reader, '"')) {
        nbstage_status status = read_string(reader);
        if (status != NBSTAGE_OK)
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

// ---------------------------------------------------------------------------
// Blocks

// A field: "name = value;".
static nbstage_status read_field(struct reader *reader,
                                 struct udmf_token *field,
                                 struct udmf_token *value)
{
    nbstage_status status = read_identifier(reader, field);
    if (status == NBSTAGE_OK)
        status = expect(reader, '=', "a '=' was expected behind the name");
    return status == NBSTAGE_OK ? read_value(reader, value) : status;
}

// Whether the block goes on; at its end its brace is read.
static nbstage_status block_goes_on(struct reader *reader, const char *begin,
                                    bool *goes_on)
{
    if (reader->at == reader->end)
        return fail_at(reader, begin, "the block has no end");
    *goes_on = *reader->at != '}';
    if (*goes_on)
        return NBSTAGE_OK;
    reader->at++;
    return skip_white(reader);
}

// Skips the block of a kind that is not needed, and blocks inside it, which
// the grammar does not have but extensions might.
static nbstage_status skip_block(struct reader *reader, const char *begin)
{
    for (size_t depth = 1; depth > 0;) {
        if (reader->at == reader->end)
            return fail_at(reader, begin, "the block has no end");
        nbstage_status status = NBSTAGE_OK;
        if (*reader->at == '"')
            status = read_string(reader);
        else if (*reader->at == '{')
            depth++, reader->at++;
        else if (*reader->at == '}')
            depth--, reader->at++;
        else
            reader->at++;
        if (status == NBSTAGE_OK)
            status = skip_white(reader);
        if (status != NBSTAGE_OK)
            return status;
    }
    return NBSTAGE_OK;
}

static nbstage_status read_block(struct reader *reader, const char *begin,
                                 const struct udmf_visitor *visitor)
{
    bool goes_on;
    nbstage_status status;
    while ((status = block_goes_on(reader, begin, &goes_on)) == NBSTAGE_OK &&
           goes_on) {
        struct udmf_token field, value;
        status = read_field(reader, &field, &value);
        if (status == NBSTAGE_OK)
            status = visitor->field(visitor->user, &field, &value);
        if (status != NBSTAGE_OK)
            return status;
    }
    return status == NBSTAGE_OK && visitor->end ? visitor->end(visitor->user)
                                                : status;
}

static nbstage_status read_global(struct reader *reader,
                                  const struct udmf_visitor *visitor)
{
    struct udmf_token block_name, value;
    nbstage_status status = read_identifier(reader, &block_name);
    if (status != NBSTAGE_OK)
        return status;
    if (at_character(reader, '=')) {
        reader->at++;
        status = skip_white(reader);
        if (status == NBSTAGE_OK)
            status = read_value(reader, &value);
        if (status == NBSTAGE_OK && visitor->assignment)
            visitor->assignment(visitor->user, &block_name, &value);
        return status;
    }
    status = expect(reader, '{', "a '=' or '{' was expected behind the name");
    if (status != NBSTAGE_OK)
        return status;
    return visitor->block(visitor->user, &block_name)
               ? read_block(reader, block_name.begin, visitor)
               : skip_block(reader, block_name.begin);
}

nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         const struct udmf_visitor *visitor)
{
    // Of an empty lump the text may be NULL, to which nothing is to be added.
    const char *end = size > 0 ? text + size : text;
    struct reader reader = {context, text, end, text};
    nbstage_status status = skip_white(&reader);
    while (status == NBSTAGE_OK && reader.at < reader.end)
        status = read_global(&reader, visitor);
    return status;
}
