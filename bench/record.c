// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "record.h"

#include "fail.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    FILE *stream; // to `text`
    char *text;
    size_t length;
    int depth;
    bool needs_comma; // before the next element
} record;

static void begin_element(const char *key)
{
    if (record.depth > 0)
        fprintf(record.stream, "%s\n%*s", record.needs_comma ? "," : "",
                2 * record.depth, "");
    if (key)
        fprintf(record.stream, "\"%s\": ", key);
    record.needs_comma = true;
}

static void open_bracket(const char *key, char bracket)
{
    begin_element(key);
    fputc(bracket, record.stream);
    record.depth++;
    record.needs_comma = false;
}

static void close_bracket(char bracket)
{
    record.depth--;
    fprintf(record.stream, "\n%*s%c", 2 * record.depth, "", bracket);
    record.needs_comma = true;
}

void record_begin(void)
{
    record.stream = open_memstream(&record.text, &record.length);
    if (!record.stream)
        fail("no memory for the record");
    record_open_object(NULL);
}

void record_save(const char *path)
{
    record_close_object();
    fputc('\n', record.stream);
    if (fclose(record.stream) != 0)
        fail("no memory for the record");
    if (path) {
        FILE *file = fopen(path, "w");
        if (!file)
            fail("%s cannot be written", path);
        bool written =
            fwrite(record.text, 1, record.length, file) == record.length;
        if (fclose(file) != 0 || !written)
            fail("%s cannot be written", path);
    }
    free(record.text);
}

void record_open_object(const char *key)
{
    open_bracket(key, '{');
}

void record_close_object(void)
{
    close_bracket('}');
}

void record_open_array(const char *key)
{
    open_bracket(key, '[');
}

void record_close_array(void)
{
    close_bracket(']');
}

void record_integer(const char *key, int64_t value)
{
    begin_element(key);
    fprintf(record.stream, "%" PRId64, value);
}

void record_number(const char *key, double value)
{
    begin_element(key);
    fprintf(record.stream, "%.9g", value);
}

// Bytes that are not printable ASCII become question marks; only names of maps
// could have any.
void record_string(const char *key, const char *value)
{
    begin_element(key);
    fputc('"', record.stream);
    for (; *value; value++) {
        bool printable = *value >= ' ' && *value <= '~';
        if (*value == '"' || *value == '\\')
            fputc('\\', record.stream);
        fputc(printable ? *value : '?', record.stream);
    }
    fputc('"', record.stream);
}
