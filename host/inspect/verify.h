// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command compares the blockmaps of maps with the expected ones.
// verify.c does so map by map; verify-report.c prints a table, with findings
// below each map, or JSON.  With --quiet it prints only JSON.

#ifndef VERIFY_H
#define VERIFY_H

#include "commands.h"
#include "inspect/inspect.h"
#include "inspect/lump-report.h"
#include "lines/grid.h"
#include "lump/engines.h"
#include "lump/judge.h"
#include "message.h"
#include "report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A linedef that a block should list, or should not.
struct mismatch {
    int64_t column; // in the present grid; outside it below 0 or too large
    int64_t row;
    uint32_t linedef;
};

// The south-west corner of the block, in map units.
static inline int64_t mismatch_x(const struct inspect_map *map,
                                 const struct mismatch *mismatch)
{
    return map->expected.grid.origin_x +
           (mismatch->column + map->expected.west) * BLOCK_SIZE;
}

static inline int64_t mismatch_y(const struct inspect_map *map,
                                 const struct mismatch *mismatch)
{
    return map->expected.grid.origin_y +
           (mismatch->row + map->expected.south) * BLOCK_SIZE;
}

enum { MOST_MISMATCHES = 10000 };

struct mismatch_list {
    // By block and linedef; at most the first MOST_MISMATCHES harmless missing
    // ones, and as many others.
    struct mismatch *mismatch;
    size_t count;
    size_t harmless_count; // of these
};

struct mismatches {
    struct lump_judgement judgement;
    struct mismatch_list missing; // in blocks with a list that can be read
    struct mismatch_list outside; // in blocks that the grid does not have
    struct mismatch_list extra;   // in the wrong blocks; collected if asked for
};

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

// Whether a map's segs are in blocks that list their linedefs.
struct segs {
    enum segs_verdict verdict;
    size_t checked; // how many pass
    char *sentence; // which one failed, or why not checked; else NULL
};

// The findings about a map.
struct verify_map {
    struct inspect_map *map;
    enum verify_status status;
    bool rejected;  // the command fails because of this map
    double seconds; // that verifying took

    struct mismatches mismatches;
    size_t missing;   // entries, in the grid or not
    size_t harmful;   // of these, those that matter
    struct segs segs; // with --nodes
    struct engine_verdicts verdicts;
    // Whether an engine of the games that are asked for misses what matters, or
    // crashes.  With --for=any an engine that cannot read XBM1, or Doom 1.9 over
    // its limit, does not count.
    bool is_wrong_for[ENGINE_COUNT]; // of the engines in `verdicts`
};

// Writes the pictures of --svg and --html.  STATUS_MAP_FAILED with a message if
// the map cannot be compared or has no blocks.
enum exit_status verify_draw_map(struct inspect_file *file,
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

void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total);

#endif
