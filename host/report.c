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

static const char *text_at(const struct column *column, const void *row)
{
    return *(const char *const *)((const char *)row + column->offset);
}

static size_t count_at(const struct column *column, const void *row)
{
    return *(const size_t *)((const char *)row + column->offset);
}

static double time_at(const struct column *column, const void *row)
{
    return *(const double *)((const char *)row + column->offset);
}

static bool is_last(const struct column *column)
{
    return !column->heading && !column->key;
}

// A line being printed.  Blanks are printed before a text, so that none end the
// line.
struct line {
    int end;               // of the cells so far
    int printed;           // characters so far
    bool is_right_aligned; // the cell before
};

// There is a blank between cells, and another where a left-aligned cell follows
// a right-aligned one.
static void print_cell(struct line *line, const struct column *column,
                       const char *text)
{
    bool is_right_aligned = column->kind != COLUMN_TEXT;
    int length = (int)strlen(text);
    int width = length > column->width ? length : column->width;
    int begin = line->end + (line->end > 0) +
                (line->is_right_aligned && !is_right_aligned);
    line->end = begin + width;
    line->is_right_aligned = is_right_aligned;
    if (is_right_aligned)
        begin += width - length;
    if (length > 0)
        line->printed += printf("%*s%s", begin - line->printed, "", text);
}

void table_print_heading(const struct column *columns)
{
    struct line line = {0};
    for (; !is_last(columns); columns++)
        if (columns->heading)
            print_cell(&line, columns, columns->heading);
    putchar('\n');
}

static void print_values(const struct column *columns, const void *row,
                         bool is_total)
{
    struct line line = {0};
    for (; !is_last(columns); columns++) {
        char number[32] = "";
        if (columns->kind == COLUMN_TIME)
            snprintf(number, sizeof number, "%.2f ms",
                     time_at(columns, row) * 1e3);
        else if (columns->kind != COLUMN_TEXT &&
                 !(is_total && columns->kind == COLUMN_NUMBER))
            snprintf(number, sizeof number, "%zu", count_at(columns, row));
        if (columns->heading)
            print_cell(&line, columns,
                       columns->kind == COLUMN_TEXT ? text_at(columns, row)
                                                    : number);
    }
    putchar('\n');
}

void table_print_row(const struct column *columns, const void *row)
{
    print_values(columns, row, false);
}

void table_print_total(const struct column *columns, const void *total)
{
    print_values(columns, total, true);
}

void table_print_json(const struct column *columns, const void *row)
{
    for (; !is_last(columns); columns++) {
        if (!columns->key)
            continue;
        if (columns->kind == COLUMN_TEXT)
            json_string(columns->key, text_at(columns, row));
        else if (columns->kind == COLUMN_TIME)
            json_seconds(columns->key, time_at(columns, row));
        else
            json_count(columns->key, count_at(columns, row));
    }
}

void table_add(const struct column *columns, void *total, const void *row)
{
    for (; !is_last(columns); columns++) {
        void *sum = (char *)total + columns->offset;
        if (columns->kind == COLUMN_COUNT)
            *(size_t *)sum += count_at(columns, row);
        else if (columns->kind == COLUMN_TIME)
            *(double *)sum += time_at(columns, row);
    }
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
