// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reports of all commands, on standard output.  A command fills lists of
// facts: one for each map, and one for each finding.  The same facts are the
// members of an object in JSON and fill the lines of a text report.

#ifndef REPORT_H
#define REPORT_H

#include "base/macros.h"
#include "common/message.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// ---------------------------------------------------------------------------
// Facts

enum fact_kind {
    FACT_TEXT,
    FACT_NUMBER,
    FACT_SUM,     // a number that the total adds up
    FACT_SECONDS, // added up, too; only in JSON
    FACT_FLAG,
    FACT_SENTENCES, // only in JSON
    FACT_NUMBERS,
};

struct fact {
    const char *name; // if it begins with a dot, the fact is not in JSON
    enum fact_kind kind;
    double number;    // or flag; counts are exact up to 2^53
    const char *text; // NULL: the fact is missing
    const struct sentences *sentences;
    const uint32_t *numbers;
    size_t count; // of `numbers`
    size_t most;  // of these, in text reports; SIZE_MAX: all, in several lines
};

// In the order of JSON.  Names, texts and arrays are not copied, and must
// outlive the facts.
struct facts {
    struct fact fact[56];
    size_t count;
    char room[4096]; // storage for facts_format
    size_t used;
};

struct fact *facts_add(struct facts *facts, const char *name,
                       enum fact_kind kind);

// Each adds a fact.  Functions for a text return the text.
const char *facts_text(struct facts *facts, const char *name, const char *text);
const char *facts_format(struct facts *facts, const char *name,
                         const char *format, ...) PRINTF_LIKE(3, 4);
// "1 map", "2 maps"
void facts_units(struct facts *facts, const char *name, size_t count,
                 const char *unit);
void facts_flag(struct facts *facts, const char *name, bool flag);
void facts_sentences(struct facts *facts, const char *name,
                     const struct sentences *sentences);
void facts_numbers(struct facts *facts, const char *name,
                   const uint32_t *numbers, size_t count, size_t most);

// The same for numbers of any type.
#define facts_number(facts, name, value) \
    ((void)(facts_add(facts, name, FACT_NUMBER)->number = (double)(value)))
#define facts_sum(facts, name, value) \
    ((void)(facts_add(facts, name, FACT_SUM)->number = (double)(value)))
#define facts_seconds(facts, name, value) \
    ((void)(facts_add(facts, name, FACT_SECONDS)->number = (double)(value)))

// Adds the facts of the kinds FACT_SUM and FACT_SECONDS to those of a total.
void facts_add_up(struct facts *total, const struct facts *facts);

// ---------------------------------------------------------------------------
// Reports

struct report {
    enum { REPORT_LINES, REPORT_JSON, REPORT_QUIET } form;
    gzFile stream; // for JSON; NULL: standard output
    int depth;     // of objects and arrays that are open
    bool needs_comma;

    // Lines printed of the open list, and the maximum.
    size_t printed, most;

    // The files that were written; named if the report cannot be printed.
    char written[1024];
    size_t written_count;
};

// Notes a file that was written.
void report_wrote(struct report *report, const char *path);

// Opens a report; in JSON with the members that all reports have, and the stage
// unless that is NULL.
void report_begin(struct report *report, const char *command,
                  const struct nbstage_descriptor *stage);

// Opens an object with these facts, and prints lines about them.  `name` is
// NULL in a list and for a report.
//
// A line is a format: {NAME} is a fact; {NAME:WIDTH} fills WIDTH columns, and
// aligns to the left if WIDTH is below 0.  Text in [ ] is left out if its first
// fact is 0, empty or missing.  An empty line is not printed.  `lines` ends
// with NULL, or is NULL.
void report_open(struct report *report, const char *name,
                 const struct facts *facts, const char *const *lines);
void report_close(struct report *report);

// Opens and closes an object.
void report_object(struct report *report, const char *name,
                   const struct facts *facts, const char *const *lines);

// Adds facts to the open object; only in JSON.
void report_facts(struct report *report, const struct facts *facts);

// Prints more lines; not in JSON.
void report_lines(struct report *report, const struct facts *facts,
                  const char *const *lines);

// The same for one line in printf's format.
void report_print(struct report *report, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints a blank line and a heading.
void report_heading(struct report *report, const char *heading);

// A list of objects, each with one line, which may be NULL.  Text reports have
// at most `most` lines, then "... and N more"; `count` is the number of all.
void report_open_list(struct report *report, const char *name, size_t most);
void report_item(struct report *report, const struct facts *facts,
                 const char *line);
void report_close_list(struct report *report, size_t count);

// Closes the last list of a report, and the report.
void report_end(struct report *report);

// The indent of lines below the row of a map.
#define BELOW "         "

#endif
