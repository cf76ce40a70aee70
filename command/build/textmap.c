// SPDX-License-Identifier: GPL-2.0-or-later
//
// A text is words, strings and the symbols ={};.  It has fields (name = value;)
// and blocks of fields (name {...}).  The digest of a block is the sum over its
// fields, so that their order does not count.

#include "config.h"

#include "build/textmap.h"

#include "base/macros.h"
#include "build/losses-digest.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------
// Tokens

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_STRING, // without its quotes
    TOKEN_SYMBOL,
    TOKEN_BAD,
};

struct token {
    enum token_kind kind;
    const unsigned char *text;
    size_t size;
};

struct textmap_reader {
    const unsigned char *at, *end;
};

static bool textmap_at(const struct textmap_reader *reader, const char *two)
{
    return reader->end - reader->at >= 2 && reader->at[0] == two[0] &&
           reader->at[1] == two[1];
}

static void textmap_skip_blanks(struct textmap_reader *reader)
{
    while (reader->at < reader->end) {
        if (*reader->at <= ' ') {
            reader->at++;
        } else if (textmap_at(reader, "//")) {
            while (reader->at < reader->end && *reader->at != '\n')
                reader->at++;
        } else if (textmap_at(reader, "/*")) {
            reader->at += 2;
            while (reader->at < reader->end && !textmap_at(reader, "*/"))
                reader->at++;
            reader->at += reader->at < reader->end ? 2 : 0;
        } else {
            return;
        }
    }
}

static bool textmap_is_symbol(unsigned char c)
{
    return c == '=' || c == '{' || c == '}' || c == ';';
}

// Whether the reader's byte continues a word.
static bool textmap_is_in_word(const struct textmap_reader *reader)
{
    const unsigned char c = *reader->at;
    return c > ' ' && c != '"' && !textmap_is_symbol(c) &&
           !textmap_at(reader, "//") && !textmap_at(reader, "/*");
}

static struct token textmap_next(struct textmap_reader *reader)
{
    textmap_skip_blanks(reader);
    struct token token = {TOKEN_END, reader->at, 0};
    if (reader->at == reader->end)
        return token;
    if (textmap_is_symbol(*reader->at)) {
        reader->at++;
        token.kind = TOKEN_SYMBOL;
    } else if (*reader->at == '"') {
        token.text = ++reader->at;
        while (reader->at < reader->end && *reader->at != '"')
            reader->at +=
                *reader->at == '\\' && reader->end - reader->at > 1 ? 2 : 1;
        token.size = (size_t)(reader->at - token.text);
        token.kind = reader->at < reader->end ? TOKEN_STRING : TOKEN_BAD;
        reader->at += reader->at < reader->end;
        return token;
    } else {
        token.kind = TOKEN_WORD;
        while (reader->at < reader->end && textmap_is_in_word(reader))
            reader->at++;
    }
    token.size = (size_t)(reader->at - token.text);
    return token;
}

static bool textmap_is(const struct token *token, const char *word)
{
    return token->kind == TOKEN_WORD && token->size == strlen(word) &&
           strncasecmp((const char *)token->text, word, token->size) == 0;
}

static bool textmap_is_mark(const struct token *token, char symbol)
{
    return token->kind == TOKEN_SYMBOL && *token->text == (unsigned)symbol;
}

// ---------------------------------------------------------------------------
// Values

enum { NUMBER_SIZE = 64 };

// Stands for a value that is no number.  Differences to it do not overflow.
static const int64_t textmap_no_number = -(INT64_C(1) << 60);

// Copies a word that may be a number; false if it is none or too long.
static bool textmap_copy_number(const struct token *token,
                                char number[NUMBER_SIZE])
{
    if (token->kind != TOKEN_WORD || token->size >= NUMBER_SIZE)
        return false;
    memcpy(number, token->text, token->size);
    number[token->size] = '\0';
    const char *digits = number + (*number == '-' || *number == '+');
    digits += *digits == '.';
    return *digits >= '0' && *digits <= '9';
}

// Whether a number is an integer, which strtoll reads in any base.
static bool textmap_is_integer(const char *number)
{
    const bool is_hexadecimal = strpbrk(number, "xX");
    return !strpbrk(number, is_hexadecimal ? "." : ".eE");
}

static int64_t textmap_integer(const struct token *token)
{
    char number[NUMBER_SIZE];
    if (!textmap_copy_number(token, number))
        return textmap_no_number;
    if (textmap_is_integer(number))
        return strtoll(number, NULL, 0);
    return (int64_t)fmax(fmin(strtod(number, NULL), 1e15), -1e15);
}

static int64_t textmap_fixed(const struct token *token)
{
    char number[NUMBER_SIZE];
    if (!textmap_copy_number(token, number))
        return textmap_no_number;
    return llround(fmax(fmin(strtod(number, NULL), 1e9), -1e9) * 65536);
}

// Numbers count by their values.  Integers beyond the precision of a double
// are digested as they are.
static uint64_t textmap_digest_value(const struct token *token)
{
    char number[NUMBER_SIZE];
    char *end;
    if (textmap_copy_number(token, number)) {
        double value = strtod(number, &end);
        if (textmap_is_integer(number)) {
            const long long integer = strtoll(number, &end, 0);
            value = (double)integer;
            if (!*end && llabs(integer) > INT64_C(1) << 52)
                return losses_digest(LOSSES_DIGEST_START, (uint64_t)integer);
        }
        if (!*end) {
            uint64_t bits;
            value += 0.0; // no negative zero
            memcpy(&bits, &value, sizeof bits);
            return losses_digest(LOSSES_DIGEST_START + 1, bits);
        }
    }
    if (textmap_is(token, "true") || textmap_is(token, "false"))
        return textmap_is(token, "true") ? 1 : 2;
    return losses_digest_bytes(LOSSES_DIGEST_START + token->kind, token->text,
                               token->size);
}

static uint64_t textmap_digest_field(const struct token *name,
                                     const struct token *value)
{
    uint64_t digest = LOSSES_DIGEST_START;
    for (size_t i = 0; i < name->size; i++) {
        const unsigned char c = name->text[i];
        digest = losses_digest(digest, c >= 'A' && c <= 'Z' ? c + 32u : c);
    }
    return losses_digest(digest, textmap_digest_value(value));
}

// ---------------------------------------------------------------------------
// Blocks

static const struct {
    const char *name;
    const char *numbers[TEXTMAP_NUMBERS];
} textmap_kinds[TEXTMAP_KINDS] = {
    [TEXTMAP_THING] = {"thing", {NULL}},
    [TEXTMAP_LINEDEF] = {"linedef", {"v1", "v2", "sidefront", "sideback"}},
    [TEXTMAP_SIDEDEF] = {"sidedef", {"sector"}},
    [TEXTMAP_SECTOR] = {"sector", {NULL}},
    [TEXTMAP_VERTEX] = {"vertex", {"x", "y"}},
    [TEXTMAP_OTHER] = {NULL, {NULL}},
};

static enum textmap_kind textmap_find_kind(const struct token *name)
{
    int kind = 0;
    while (kind < TEXTMAP_OTHER && !textmap_is(name, textmap_kinds[kind].name))
        kind++;
    return (enum textmap_kind)kind;
}

// The index of a field among a kind's numbers, else TEXTMAP_NUMBERS.
static size_t textmap_find_number(enum textmap_kind kind,
                                  const struct token *name)
{
    for (size_t i = 0; i < TEXTMAP_NUMBERS && textmap_kinds[kind].numbers[i];
         i++)
        if (textmap_is(name, textmap_kinds[kind].numbers[i]))
            return i;
    return TEXTMAP_NUMBERS;
}

// Reads "VALUE;" behind a name and "=".
static bool textmap_read_value(struct textmap_reader *reader,
                               struct token *value)
{
    *value = textmap_next(reader);
    const struct token end = textmap_next(reader);
    return (value->kind == TOKEN_WORD || value->kind == TOKEN_STRING) &&
           textmap_is_mark(&end, ';');
}

// Reads "NAME = VALUE;".  *is_last instead at "}".
static bool textmap_read_field(struct textmap_reader *reader,
                               struct token *name, struct token *value,
                               bool *is_last)
{
    *name = textmap_next(reader);
    *is_last = textmap_is_mark(name, '}');
    if (*is_last)
        return true;
    const struct token mark = textmap_next(reader);
    return (name->kind == TOKEN_WORD || name->kind == TOKEN_STRING) &&
           textmap_is_mark(&mark, '=') && textmap_read_value(reader, value);
}

static void textmap_take_field(enum textmap_kind kind, const struct token *name,
                               const struct token *value,
                               struct textmap_block *block)
{
    const size_t number = textmap_find_number(kind, name);
    if (number == TEXTMAP_NUMBERS)
        block->digest += textmap_digest_field(name, value);
    else
        block->numbers[number] = kind == TEXTMAP_VERTEX
                                     ? textmap_fixed(value)
                                     : textmap_integer(value);
}

// Returns a new block of a kind, or NULL if memory runs out.
static struct textmap_block *textmap_add(struct textmap *text,
                                         enum textmap_kind kind)
{
    const size_t count = text->counts[kind];
    if ((count & (count - 1)) == 0) { // full: 0, or a power of 2
        const size_t room = count > 0 ? 2 * count : 1;
        if (room > SIZE_MAX / sizeof **text->blocks)
            return NULL;
        struct textmap_block *blocks =
            realloc(text->blocks[kind], room * sizeof *blocks);
        if (!blocks)
            return NULL;
        text->blocks[kind] = blocks;
    }
    return &text->blocks[kind][text->counts[kind]++];
}

// Reads a block behind its "{".  Returns false if memory runs out; *is_read is
// false if it is malformed.
static bool textmap_read_block(struct textmap_reader *reader,
                               struct textmap *text, const struct token *name,
                               bool *is_read)
{
    const enum textmap_kind kind = textmap_find_kind(name);
    struct textmap_block *block = textmap_add(text, kind);
    struct token field, value;
    bool is_last = false;
    if (!block)
        return false;
    *block = (struct textmap_block){.name = name->text, .fields = reader->at};
    for (size_t i = 0; i < TEXTMAP_NUMBERS && kind != TEXTMAP_VERTEX; i++)
        block->numbers[i] = -1;
    while ((*is_read = textmap_read_field(reader, &field, &value, &is_last)) &&
           !is_last)
        textmap_take_field(kind, &field, &value, block);
    return true;
}

bool textmap_read(const unsigned char *bytes, size_t size, struct textmap *text)
{
    static const unsigned char empty[1];
    const unsigned char *begin = size > 0 ? bytes : empty;
    struct textmap_reader reader = {begin, begin + size};
    *text = (struct textmap){.end = begin + size, .is_read = true};
    while (text->is_read) {
        const struct token name = textmap_next(&reader);
        if (name.kind == TOKEN_END)
            return true;
        const struct token mark = textmap_next(&reader);
        struct token value;
        if (name.kind != TOKEN_WORD) {
            text->is_read = false;
        } else if (textmap_is_mark(&mark, '{')) {
            if (!textmap_read_block(&reader, text, &name, &text->is_read))
                return false;
        } else {
            text->is_read = textmap_is_mark(&mark, '=') &&
                            textmap_read_value(&reader, &value);
            if (text->is_read)
                text->digest += textmap_digest_field(&name, &value);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// Names

static void textmap_copy_name(const struct token *token,
                              char name[TEXTMAP_NAME_SIZE])
{
    const size_t size = token->size < TEXTMAP_NAME_SIZE - 1
                            ? token->size
                            : TEXTMAP_NAME_SIZE - 1;
    memcpy(name, token->text, size);
    name[size] = '\0';
}

void textmap_name_block(const struct textmap *text,
                        const struct textmap_block *block,
                        char name[TEXTMAP_NAME_SIZE])
{
    struct textmap_reader reader = {block->name, text->end};
    const struct token token = textmap_next(&reader);
    textmap_copy_name(&token, name);
}

// Reads the next field that is not one of the kind's numbers; returns whether
// there is one.
static bool textmap_next_other(struct textmap_reader *reader,
                               enum textmap_kind kind, struct token *name,
                               struct token *value)
{
    bool is_last;
    while (textmap_read_field(reader, name, value, &is_last) && !is_last)
        if (textmap_find_number(kind, name) == TEXTMAP_NUMBERS)
            return true;
    return false;
}

void textmap_name_field(const struct textmap *a,
                        const struct textmap_block *block_of_a,
                        const struct textmap *b,
                        const struct textmap_block *block_of_b,
                        enum textmap_kind kind, char name[TEXTMAP_NAME_SIZE])
{
    struct textmap_reader reader_a = {block_of_a->fields, a->end};
    struct textmap_reader reader_b = {block_of_b->fields, b->end};
    struct token name_a, name_b, value_a, value_b;
    *name = '\0';
    while (textmap_next_other(&reader_a, kind, &name_a, &value_a)) {
        if (textmap_next_other(&reader_b, kind, &name_b, &value_b) &&
            textmap_digest_field(&name_a, &value_a) ==
                textmap_digest_field(&name_b, &value_b))
            continue;
        textmap_copy_name(&name_a, name);
        return;
    }
}

void textmap_free(struct textmap *text)
{
    for (int kind = 0; kind < TEXTMAP_KINDS; kind++)
        free(text->blocks[kind]);
    *text = (struct textmap){0};
}
