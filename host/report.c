// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "report.h"

#include "nbstage-host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

// ---------------------------------------------------------------------------
// JSON
//
// Strings are UTF-8, and what is not printable is escaped.  Names in WADs and
// paths may hold any bytes; in a string that is not UTF-8, each byte beyond
// ASCII is written as the character of that number.

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

void json_after(size_t count)
{
    json.needs_comma = count > 0;
}

static bool is_utf8(const char *text)
{
    size_t length;
    uint32_t number;
    for (; *text; text += length) {
        nbstage_is_printable(text, &length, &number);
        if (number == NBSTAGE_NONE)
            return false;
    }
    return true;
}

// Characters past U+FFFF have two numbers in JSON, those of UTF-16.
static void print_escaped(uint32_t number)
{
    if (number > 0xFFFF) {
        number -= 0x10000;
        printf("\\u%04" PRIx32, 0xD800 | number >> 10);
        number = 0xDC00 | (number & 0x3FF);
    }
    printf("\\u%04" PRIx32, number);
}

void json_string(const char *key, const char *value)
{
    if (!value)
        return;
    begin_element(key);
    bool utf8 = is_utf8(value);
    putchar('"');
    for (size_t length; *value; value += length) {
        uint32_t number;
        bool is_printable = message_is_printable(value, &length, &number);
        if (!utf8 && (unsigned char)*value >= 0x80) {
            length = 1;
            number = (unsigned char)*value;
            is_printable = false;
        }
        if (*value == '"' || *value == '\\')
            printf("\\%c", *value);
        else if (is_printable)
            fwrite(value, 1, length, stdout);
        else
            print_escaped(number);
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
        int begin = end + (end > 0) + (was_number && !is_number);
        end = begin + column->width;
        if (is_number && length < column->width)
            begin = end - length;
        if (length > 0) {
            printf("%*s", begin - printed, "");
            printed = begin + message_write(stdout, text);
        }
        if (end < printed)
            end = printed;
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

static void print_line(const char *begin, const char *format, va_list arguments)
{
    char line[8192]; // a path has 4096 bytes
    vsnprintf(line, sizeof line, format, arguments);
    fputs(begin, stdout);
    message_write(stdout, line);
    putchar('\n');
}

void line_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}

void finding_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("         ", format, arguments);
    va_end(arguments);
}
