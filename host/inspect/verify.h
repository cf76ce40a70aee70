// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command compares the blockmaps of maps with the expected ones.
// verify.c does so map by map; verify-report.c prints a table, with findings
// below each map, or JSON.  With --quiet it prints only JSON.

#ifndef VERIFY_H
#define VERIFY_H

#include "commands.h"
#include "inspect/findings.h"
#include "inspect/inspect.h"
#include "lump/engines.h"
#include "lump/judge.h"
#include "message.h"
#include "picture/drawing.h"
#include "report.h"

#include <stdbool.h>
#include <stddef.h>

enum verify_status {
    VERIFY_GOOD,
    VERIFY_HARMLESS, // all that is missing may be
    VERIFY_WRONG,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
    VERIFY_STATUS_COUNT,
};

// Whether a map's segs are in blocks that list their linedefs.
struct segs {
    size_t passed;
    char *sentence; // which one did not, or could not be looked at; else NULL
};

// The findings about a map.
struct verify_map {
    struct inspect_map *map;
    enum verify_status status;
    bool rejected;  // the command fails because of this map
    double seconds; // that verifying took

    struct lump_judgement judgement;
    // By block and linedef, what is missing in lists that can be read and in
    // blocks that the grid does not have, and, with --verbose, what is extra.
    struct findings missing, extra;
    size_t missing_count; // entries, in the grid or not
    size_t solid_count;   // of these
    struct segs segs;     // with --nodes
    struct engine_verdicts verdicts;
    // Whether an engine of the games that are asked for misses solid lines, or
    // crashes.  With --for=any an engine that cannot read XBM1, or Doom 1.9
    // over its limit, does not count.
    bool is_wrong_for[ENGINE_COUNT]; // of the engines in `verdicts`
};

// Reads a map and its lump, and compares them; for verify_free.
void verify_examine(struct inspect_file *file, size_t index,
                    struct inspect_map *map, struct verify_map *found);

void verify_free(struct inspect_file *file, struct verify_map *found);

// Writes the pictures of --svg and --html, as inspect_draw does.
enum exit_status verify_draw(struct inspect_file *file,
                             const struct verify_map *found);

// ---------------------------------------------------------------------------
// verify-words.c

extern const char *const verify_status_names[];

// "good", "wrong, 3 solid", "harmless, rejected"
void verify_describe(const struct verify_map *found, char *text, size_t size);

// What the page has above the map.
void verify_list_facts(const struct verify_map *found,
                       struct picture_fact facts[PICTURE_FACTS]);

// ---------------------------------------------------------------------------
// The report

// Over all maps of all files.
struct verify_total {
    size_t files;      // begun
    size_t open_files; // of these, with maps in the report
    size_t maps;
    size_t count[VERIFY_STATUS_COUNT]; // of maps
    size_t rejected;  // maps because of which the command fails
    bool *repairable; // for each file, whether a build may repair such a map
    struct facts sums;
};

// Begins a file, and with the first one the report.  One that could not be
// opened is only in JSON.
void verify_report_file(const struct arguments *arguments, const char *path,
                        bool is_open, struct verify_total *total);

// Reports a map and adds it to the total.
void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total);

// `read`: whether all maps of the file were read.
void verify_report_file_end(const struct arguments *arguments, bool read);

// Also prints the command that repairs.
void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total);

#endif
