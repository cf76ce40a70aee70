// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the reports of all commands are made of, on standard output: JSON for
// programs, tables and findings for people.

#ifndef REPORT_H
#define REPORT_H

#include "message.h"
#include "nbstage.h"

#include <stdbool.h>

// ---------------------------------------------------------------------------
// JSON, an element at a time.  Commas and line breaks are added.  `key` is NULL
// for the elements of an array.

// Opens the object of a whole report with the members that all reports begin
// with; `stage` may be NULL.
void json_begin_report(const char *command,
                       const struct nbstage_descriptor *stage);

// Opens an object, '{', or an array, '['.
void json_open(const char *key, char bracket);
void json_close(char bracket);

// Has so many elements of what is open been printed by other processes.
void json_after(size_t count);

void json_string(const char *key, const char *value); // nothing if NULL
void json_integer(const char *key, long long value);
void json_count(const char *key, size_t value);
void json_number(const char *key, double value); // whole numbers stay whole
void json_seconds(const char *key, double value);
void json_boolean(const char *key, bool value);
void json_sentences(const char *key, const struct sentences *sentences);

// ---------------------------------------------------------------------------
// Tables.  Columns describe the cells of a row, for people and for JSON.

enum column_kind {
    COLUMN_TEXT,  // left-aligned, not in JSON
    COLUMN_COUNT, // right-aligned
    COLUMN_TIME,  // the same, in seconds; people see milliseconds
};

struct column {
    const char *heading; // NULL: not for people
    const char *key;     // NULL: not in JSON
    enum column_kind kind;
    int width; // for people, in characters
};

struct cell {
    const char *text; // NULL: the number is printed
    double number;    // counts are exact up to 2^53
};

enum { MOST_COLUMNS = 12 };

// Prints a row, or without cells the headings.  `columns` end with one that has
// neither heading nor key.
void table_print(const struct column *columns, const struct cell *cells);

// Writes the members of an object.
void table_print_json(const struct column *columns, const struct cell *cells);

// Adds the numbers of a row to those of a total.
void table_add(const struct column *columns, struct cell *total,
               const struct cell *cells);

// Prints a line, whatever names are in it.
void line_print(const char *format, ...) PRINTF_LIKE(1, 2);

// The same below a row.
void finding_print(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
