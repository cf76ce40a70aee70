// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "report.h"

#include <stdarg.h>
#include <string.h>

// ---------------------------------------------------------------------------
// JSON
//
// Strings are UTF-8.  Names in WADs and paths may hold any bytes; in a string
// that is not UTF-8, each byte beyond ASCII is written as the character of that
// number.

static struct {
    int depth;
    bool needs_comma; // before the next element
} json;

static void begin_element(const char *key)
{
    if (json.needs_comma)
        putchar(',');
    if (json.depth > 0)
        printf("\n%*s", 2 * json.depth, "");
    if (key)
        printf("\"%s\": ", key);
    json.needs_comma = true;
}

void json_open(const char *key, char bracket)
{
    begin_element(key);
    putchar(bracket);
    json.depth++;
    json.needs_comma = false;
}

void json_close(char bracket)
{
    json.depth--;
    if (json.needs_comma)
        printf("\n%*s", 2 * json.depth, "");
    putchar(bracket);
    json.needs_comma = true;
    if (json.depth == 0)
        putchar('\n');
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
    if (!value)
        return;
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
}

void json_integer(const char *key, long long value)
{
    begin_element(key);
    printf("%lld", value);
}

void json_count(const char *key, size_t value)
{
    begin_element(key);
    printf("%zu", value);
}

void json_number(const char *key, double value)
{
    begin_element(key);
    printf("%.17g", value);
}

void json_seconds(const char *key, double value)
{
    begin_element(key);
    printf("%.6f", value);
}

void json_boolean(const char *key, bool value)
{
    begin_element(key);
    fputs(value ? "true" : "false", stdout);
}

void json_sentences(const char *key, const struct sentences *sentences)
{
    json_open(key, '[');
    for (size_t i = 0; i < sentences->count; i++)
        json_string(NULL, sentences->sentence[i]);
    json_close(']');
}

void json_begin_report(const char *command,
                       const struct nbstage_descriptor *stage)
{
    json_open(NULL, '{');
    json_integer("schema", 1);
    json_string("command", command);
    json_string("version", PACKAGE_VERSION);
    if (!stage)
        return;
    json_open("stage", '{');
    json_string("name", stage->name);
    json_string("version", stage->version);
    json_close('}');
}

// ---------------------------------------------------------------------------
// Tables

static bool is_column(const struct column *column)
{
    return column->heading || column->key;
}

void table_print(const struct column *columns, const struct cell *cells)
{
    int end = 0;     // of the cells so far
    int printed = 0; // characters so far; no line ends with blanks
    bool was_number = false;
    for (size_t i = 0; is_column(&columns[i]); i++) {
        const struct column *column = &columns[i];
        char number[32];
        const char *text = cells ? cells[i].text : column->heading;
        if (!column->heading)
            continue;
        if (!text && column->kind == COLUMN_TIME)
            snprintf(number, sizeof number, "%.2f ms", cells[i].number * 1e3);
        else if (!text)
            snprintf(number, sizeof number, "%.0f", cells[i].number);
        if (!text)
            text = number;
        bool is_number = column->kind != COLUMN_TEXT;
        int length = (int)strlen(text);
        int width = length > column->width ? length : column->width;
        int begin = end + (end > 0) + (was_number && !is_number);
        int indent = is_number ? width - length : 0;
        if (length > 0) {
            printf("%*s", begin + indent - printed, "");
            message_write(stdout, text);
            printed = begin + indent + length;
        }
        end = begin + width;
        was_number = is_number;
    }
    putchar('\n');
}

void table_print_json(const struct column *columns, const struct cell *cells)
{
    for (size_t i = 0; is_column(&columns[i]); i++)
        if (columns[i].key && columns[i].kind == COLUMN_TIME)
            json_seconds(columns[i].key, cells[i].number);
        else if (columns[i].key)
            json_count(columns[i].key, (size_t)cells[i].number);
}

void table_add(const struct column *columns, struct cell *total,
               const struct cell *cells)
{
    for (size_t i = 0; is_column(&columns[i]); i++)
        total[i].number += cells[i].number;
}

void finding_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("         ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}
