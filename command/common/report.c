// SPDX-License-Identifier: GPL-2.0-or-later
//
// JSON is in UTF-8, with unprintable characters escaped.  Names in WADs and
// paths may have any bytes; bytes that are not UTF-8 are taken as Latin-1.

#include "config.h"

#include "common/report.h"

#include "common/message.h"
#include "nbstage.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Facts

struct fact *facts_add(struct facts *facts, const char *name,
                       enum fact_kind kind)
{
    struct fact *fact = &facts->fact[facts->count++];
    *fact = (struct fact){.name = name, .kind = kind};
    return fact;
}

const char *facts_text(struct facts *facts, const char *name, const char *text)
{
    return facts_add(facts, name, FACT_TEXT)->text = text;
}

const char *facts_format(struct facts *facts, const char *name,
                         const char *format, ...)
{
    char *text = facts->room + facts->used;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof facts->room - facts->used, format, arguments);
    va_end(arguments);
    facts->used += strlen(text);
    if (facts->used + 1 < sizeof facts->room)
        facts->used++;
    return facts_text(facts, name, text);
}

void facts_units(struct facts *facts, const char *name, size_t count,
                 const char *unit)
{
    facts_format(facts, name, "%zu %s%s", count, unit, count == 1 ? "" : "s");
}

void facts_flag(struct facts *facts, const char *name, bool flag)
{
    facts_add(facts, name, FACT_FLAG)->number = flag;
}

void facts_sentences(struct facts *facts, const char *name,
                     const struct sentences *sentences)
{
    facts_add(facts, name, FACT_SENTENCES)->sentences = sentences;
}

void facts_numbers(struct facts *facts, const char *name,
                   const uint32_t *numbers, size_t count, size_t most)
{
    struct fact *fact = facts_add(facts, name, FACT_NUMBERS);
    fact->numbers = numbers;
    fact->count = count;
    fact->most = most;
}

static const char *report_name(const struct fact *fact)
{
    return fact->name + (*fact->name == '.');
}

static const struct fact *report_find(const struct facts *facts,
                                      const char *name, size_t length)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strncmp(report_name(&facts->fact[i]), name, length) == 0 &&
            report_name(&facts->fact[i])[length] == '\0')
            return &facts->fact[i];
    return NULL;
}

void facts_add_up(struct facts *total, const struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->fact[i];
        if (fact->kind != FACT_SUM && fact->kind != FACT_SECONDS)
            continue;
        const char *name = report_name(fact);
        struct fact *sum =
            (struct fact *)report_find(total, name, strlen(name));
        if (!sum)
            sum = facts_add(total, fact->name, fact->kind);
        sum->number += fact->number;
    }
}

// ---------------------------------------------------------------------------
// JSON

static void PRINTF_LIKE(2, 3)
    report_put(const struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (report->stream)
        gzvprintf(report->stream, format, arguments);
    else
        vprintf(format, arguments);
    va_end(arguments);
}

static void report_json_begin(struct report *report, const char *name)
{
    if (report->needs_comma)
        report_put(report, ",");
    if (report->depth > 0)
        report_put(report, "\n%*s", 2 * report->depth, "");
    if (name)
        report_put(report, "\"%s\": ", name);
    report->needs_comma = true;
}

static void report_json_open(struct report *report, const char *name,
                             char bracket)
{
    report_json_begin(report, name);
    report_put(report, "%c", bracket);
    report->depth++;
    report->needs_comma = false;
}

static void report_json_close(struct report *report, char bracket)
{
    report->depth--;
    if (report->needs_comma)
        report_put(report, "\n%*s", 2 * report->depth, "");
    report_put(report, "%c", bracket);
    report->needs_comma = true;
    if (report->depth > 0)
        return;
    report_put(report, "\n");
    report->needs_comma = false;
}

// Characters above U+FFFF are escaped as surrogate pairs.
static void report_json_escaped(const struct report *report, uint32_t number)
{
    if (number > 0xFFFF) {
        number -= 0x10000;
        report_put(report, "\\u%04" PRIx32, 0xD800 | number >> 10);
        number = 0xDC00 | (number & 0x3FF);
    }
    report_put(report, "\\u%04" PRIx32, number);
}

// Escapes "<", too, which may end the script of a page.
static void report_json_string(const struct report *report, const char *text)
{
    report_put(report, "\"");
    for (size_t length; *text; text += length) {
        uint32_t number;
        bool is_printable = message_is_printable(text, &length, &number);
        if (number == NOT_UTF8) {
            length = 1;
            number = (unsigned char)*text;
        }
        if (*text == '"' || *text == '\\')
            report_put(report, "\\%c", *text);
        else if (is_printable && *text != '<')
            report_put(report, "%.*s", (int)length, text);
        else
            report_json_escaped(report, number);
    }
    report_put(report, "\"");
}

static void report_json_array(struct report *report, const struct fact *fact)
{
    const bool is_text = fact->kind == FACT_SENTENCES;
    const size_t count = is_text ? fact->sentences->count : fact->count;
    report_json_open(report, fact->name, '[');
    for (size_t i = 0; i < count; i++) {
        report_json_begin(report, NULL);
        if (is_text)
            report_json_string(report, fact->sentences->sentence[i]);
        else
            report_put(report, "%" PRIu32, fact->numbers[i]);
    }
    report_json_close(report, ']');
}

static void report_json_member(struct report *report, const struct fact *fact)
{
    if (*fact->name == '.' || (fact->kind == FACT_TEXT && !fact->text))
        return;
    if (fact->kind == FACT_SENTENCES || fact->kind == FACT_NUMBERS) {
        report_json_array(report, fact);
        return;
    }
    report_json_begin(report, fact->name);
    if (fact->kind == FACT_TEXT)
        report_json_string(report, fact->text);
    else if (fact->kind == FACT_FLAG)
        report_put(report, fact->number != 0 ? "true" : "false");
    else
        report_put(report, fact->kind == FACT_SECONDS ? "%.6f" : "%.17g",
                   fact->number);
}

// ---------------------------------------------------------------------------
// Lines

enum { TERMINAL_WIDTH = 80 };

// A line that is being printed.  Blanks are deferred until the next text, so
// that none trail, and reduced after a column that was too wide.
struct line {
    int column;    // in the format
    int printed;   // columns so far
    bool is_apart; // the format has a blank here
};

static void report_line_text(struct line *line, const char *text, int width)
{
    int begin = line->column;
    int length = (int)strlen(text);
    if (length < width)
        begin += width - length;
    if (begin <= line->printed)
        begin = line->printed + (line->is_apart && line->printed > 0);
    line->column += abs(width);
    if (length == 0)
        return;
    printf("%*s", begin - line->printed, "");
    line->printed = begin + message_write(stdout, text);
    if (width == 0)
        line->column += line->printed - begin;
    line->is_apart = false;
}

// "1 2 3 and 4 more"; all in several lines if fact->most is SIZE_MAX.
static void report_line_numbers(struct line *line, const struct fact *fact)
{
    char text[48];
    for (size_t i = 0; i < fact->count && i < fact->most; i++) {
        snprintf(text, sizeof text, " %" PRIu32, fact->numbers[i]);
        if (fact->most == SIZE_MAX &&
            line->printed + (int)strlen(text) > TERMINAL_WIDTH) {
            line->printed = printf("\n   ") - 1;
            line->column = line->printed;
        }
        report_line_text(line, text + (i == 0), 0);
    }
    if (fact->count <= fact->most)
        return;
    snprintf(text, sizeof text, " and %zu more", fact->count - fact->most);
    report_line_text(line, text, 0);
}

static void report_line_fact(struct line *line, const struct fact *fact,
                             int width)
{
    char text[48] = "";
    if (fact && fact->kind == FACT_NUMBERS) {
        report_line_numbers(line, fact);
        return;
    }
    if (fact && fact->kind == FACT_TEXT) {
        report_line_text(line, fact->text ? fact->text : "", width);
        return;
    }
    if (fact)
        snprintf(text, sizeof text, "%.10g", fact->number);
    report_line_text(line, text, width);
}

// Reads "{NAME:WIDTH}"; returns the fact, or NULL.
static const struct fact *report_line_read_name(const struct facts *facts,
                                                const char *format, int *width)
{
    const size_t length = strcspn(format + 1, ":}");
    *width = format[1 + length] == ':' ? atoi(format + length + 2) : 0;
    return report_find(facts, format + 1, length);
}

static bool report_line_is_nothing(const struct fact *fact)
{
    if (!fact)
        return true;
    if (fact->kind == FACT_TEXT)
        return !fact->text || !*fact->text;
    return fact->kind == FACT_NUMBERS ? fact->count == 0 : fact->number == 0;
}

static void report_line_print(const struct facts *facts, const char *format)
{
    struct line line = {0};
    const struct fact *fact;
    int width;
    for (; *format; format++) {
        if (*format == '{') {
            fact = report_line_read_name(facts, format, &width);
            report_line_fact(&line, fact, width);
            format = strchr(format, '}');
        } else if (*format == '[') {
            fact = report_line_read_name(facts, strchr(format, '{'), &width);
            if (report_line_is_nothing(fact))
                format = strchr(format, ']');
        } else if (*format == ' ') {
            line.column++;
            line.is_apart = true;
        } else if (*format != ']') {
            report_line_text(&line, (char[]){*format, '\0'}, 0);
        }
    }
    if (line.printed > 0)
        putchar('\n');
}

// ---------------------------------------------------------------------------
// Reports

void report_begin(struct report *report, const char *command,
                  const struct nbstage_descriptor *stage)
{
    struct facts facts = {0}, of_stage = {0};
    facts_number(&facts, "schema", 1);
    facts_text(&facts, "command", command);
    facts_text(&facts, "version", PACKAGE_VERSION);
    report_open(report, NULL, &facts, NULL);
    if (!stage)
        return;
    facts_text(&of_stage, "name", stage->name);
    facts_text(&of_stage, "version", stage->version);
    report_object(report, "stage", &of_stage, NULL);
}

void report_facts(struct report *report, const struct facts *facts)
{
    if (report->form != REPORT_JSON)
        return;
    for (size_t i = 0; i < facts->count; i++)
        report_json_member(report, &facts->fact[i]);
}

void report_lines(struct report *report, const struct facts *facts,
                  const char *const *lines)
{
    if (report->form != REPORT_LINES || !lines)
        return;
    for (; *lines; lines++)
        report_line_print(facts, *lines);
}

void report_print(struct report *report, const char *format, ...)
{
    char line[8192]; // a path has 4096 bytes
    if (report->form != REPORT_LINES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    message_write(stdout, line);
    putchar('\n');
}

void report_heading(struct report *report, const char *heading)
{
    report_print(report, "%s", "");
    report_print(report, "%s", heading);
}

void report_open(struct report *report, const char *name,
                 const struct facts *facts, const char *const *lines)
{
    if (report->form == REPORT_JSON)
        report_json_open(report, name, '{');
    report_facts(report, facts);
    report_lines(report, facts, lines);
}

void report_close(struct report *report)
{
    if (report->form == REPORT_JSON)
        report_json_close(report, '}');
}

void report_object(struct report *report, const char *name,
                   const struct facts *facts, const char *const *lines)
{
    report_open(report, name, facts, lines);
    report_close(report);
}

void report_open_list(struct report *report, const char *name, size_t most)
{
    report->printed = 0;
    report->most = most;
    if (report->form == REPORT_JSON)
        report_json_open(report, name, '[');
}

void report_item(struct report *report, const struct facts *facts,
                 const char *line)
{
    const char *const lines[] = {line, NULL};
    const bool is_shown = line && report->printed < report->most;
    report->printed += is_shown;
    report_object(report, NULL, facts, is_shown ? lines : NULL);
}

void report_close_list(struct report *report, size_t count)
{
    if (report->form == REPORT_JSON)
        report_json_close(report, ']');
    else if (count > report->printed)
        report_print(report, BELOW "... and %zu more", count - report->printed);
}

void report_wrote(struct report *report, const char *path)
{
    if (file_is_standard(path))
        return;
    message_add_name(report->written, sizeof report->written, path);
    report->written_count++;
}

void report_end(struct report *report)
{
    report_close_list(report, 0);
    report_close(report);
}
