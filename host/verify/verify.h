// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command compares the blockmaps of maps with the expected ones.
// verify.c does so map by map; verify-report.c prints a table, with findings
// below each map, or JSON.  With --quiet it prints only JSON.

#ifndef VERIFY_H
#define VERIFY_H

#include "blockmap/engines.h"
#include "blockmap/makers.h"
#include "report.h"
#include "verify/mismatches.h"

enum verify_status {
    VERIFY_GOOD,
    VERIFY_HARMLESS, // all that is missing may be
    VERIFY_WRONG,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
    VERIFY_STATUS_COUNT,
};

enum segs_verdict {
    SEGS_NOT_ASKED,
    SEGS_PASS,
    SEGS_FAIL,
    SEGS_UNCHECKED, // the map has none, or they or the lists cannot be read
};

// What the stage says about a map's segs and its present lists.
struct segs {
    enum segs_verdict verdict;
    int64_t checked; // how many pass
    char *sentence;  // which one failed, or why not checked; else NULL
};

// The findings about a map.
struct verify_map {
    const struct open_map *map;
    enum verify_status status;
    bool rejected;  // the command fails because of this map
    double seconds; // that verifying took

    struct mismatches mismatches;
    size_t missing;   // entries, in the grid or not
    size_t harmful;   // of these, those that matter
    struct segs segs; // with --nodes
    struct engine_verdicts verdicts;
    struct maker_verdict made; // with --lists
};

// Whether an engine of the games that are asked for misses what matters, or
// crashes.  If that is any, it has to read this form, and a map may be over the
// limit of Doom 1.9.
bool verify_is_wrong_for(const struct verify_map *found, size_t engine);

// Writes the pictures of --svg and --html.  STATUS_MAP_FAILED with a message if
// the map cannot be compared or has no blocks.
enum exit_status verify_draw_map(const struct open_file *file,
                                 const struct verify_map *found);

// ---------------------------------------------------------------------------
// The report

// Over all maps of all files.
struct verify_total {
    size_t files;      // begun
    size_t open_files; // of these, with maps in the report
    size_t maps;
    size_t count[VERIFY_STATUS_COUNT]; // of maps
    size_t rejected; // maps because of which the command fails
    struct cell row[MOST_COLUMNS];
};

// Begins a file, and with the first one the report.  One that could not be
// opened is only in JSON.
void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, bool is_open,
                        struct verify_total *total);

// Reports a map and adds it to the total.
void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total);

// `read`: whether all maps of the file were read.
void verify_report_file_end(const struct arguments *arguments, bool read);

void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total);

#endif
