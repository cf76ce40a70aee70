// SPDX-License-Identifier: GPL-2.0-or-later
//
// Strings are UTF-8.  Names in WADs and paths may hold any bytes; in a string
// that is not UTF-8 each byte beyond ASCII is written as the character of that
// number.

#include "config.h"

#include "json.h"

#include <stdio.h>
#include <string.h>

static struct {
    int depth;
    bool needs_comma; // before the next element
    bool after_key;
} state;

static void begin_element(const char *key)
{
    if (state.after_key) {
        state.after_key = false;
        return;
    }
    if (state.needs_comma)
        putchar(',');
    if (state.depth > 0)
        printf("\n%*s", 2 * state.depth, "");
    if (key)
        printf("\"%s\": ", key);
}

void json_open(char bracket)
{
    begin_element(NULL);
    putchar(bracket);
    state.depth++;
    state.needs_comma = false;
}

void json_close(char bracket)
{
    state.depth--;
    if (state.needs_comma)
        printf("\n%*s", 2 * state.depth, "");
    putchar(bracket);
    state.needs_comma = true;
    if (state.depth == 0)
        putchar('\n');
}

void json_key(const char *key)
{
    begin_element(key);
    state.after_key = true;
}

// The length of the UTF-8 sequence at `text`; 0 if it is not one.
static size_t sequence_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80                      ? 1
                    : text[0] >= 0xC2 && text[0] < 0xE0 ? 2
                    : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
                    : text[0] >= 0xF0 && text[0] < 0xF5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    // Overlong forms, surrogates, and numbers past the last character.
    if ((text[0] == 0xE0 && text[1] < 0xA0) ||
        (text[0] == 0xED && text[1] >= 0xA0) ||
        (text[0] == 0xF0 && text[1] < 0x90) ||
        (text[0] == 0xF4 && text[1] >= 0x90))
        return 0;
    return length;
}

static bool is_utf8(const char *value)
{
    const unsigned char *text = (const unsigned char *)value;
    while (*text) {
        size_t length = sequence_length(text);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

void json_string(const char *key, const char *value)
{
    begin_element(key);
    bool utf8 = is_utf8(value);
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20 || *c == 0x7F || (*c >= 0x80 && !utf8))
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
    state.needs_comma = true;
}

void json_integer(const char *key, long long value)
{
    begin_element(key);
    printf("%lld", value);
    state.needs_comma = true;
}

void json_count(const char *key, size_t value)
{
    begin_element(key);
    printf("%zu", value);
    state.needs_comma = true;
}

void json_number(const char *key, double value)
{
    begin_element(key);
    printf("%.17g", value);
    state.needs_comma = true;
}

void json_seconds(const char *key, double value)
{
    begin_element(key);
    printf("%.6f", value);
    state.needs_comma = true;
}

void json_boolean(const char *key, bool value)
{
    begin_element(key);
    fputs(value ? "true" : "false", stdout);
    state.needs_comma = true;
}

void json_sentences(const char *key, const struct sentences *sentences)
{
    json_key(key);
    json_open('[');
    for (size_t i = 0; i < sentences->count; i++)
        json_string(NULL, sentences->sentence[i]);
    json_close(']');
}

void json_begin_report(const char *command,
                       const struct nbstage_descriptor *stage)
{
    json_open('{');
    json_integer("schema", 1);
    json_string("command", command);
    json_string("version", PACKAGE_VERSION);
    if (!stage)
        return;
    json_key("stage");
    json_open('{');
    json_string("name", stage->name);
    json_string("version", stage->version);
    json_close('}');
}
