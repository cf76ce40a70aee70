// SPDX-License-Identifier: GPL-2.0-or-later
//
// The diff command compares the blockmaps of two files, map by map.  diff.c
// finds what differs; diff-report.c prints it.

#ifndef DIFF_H
#define DIFF_H

#include "blockmap/open-map.h"
#include "diff/compare.h"
#include "report.h"

enum diff_status {
    DIFF_IDENTICAL, // the same bytes
    DIFF_SAME,      // other bytes with the same meaning
    DIFF_DIFFERENT,
    DIFF_ONLY_OLD, // only one of the files has the map
    DIFF_ONLY_NEW,
    DIFF_FAILED, // lumps of the map are not in the file
    DIFF_STATUS_COUNT,
};

// The findings about a map.
struct diff_map {
    const char *name;
    const struct open_map *old; // NULL if the file does not have the map
    const struct open_map *new;
    enum diff_status status;
    bool lines_are_known;
    bool lines_differ; // some are in other blocks
    struct comparison comparison;
    uint64_t words_read; // to compare lumps and lines

    // How many of the entries that only one lump has are right, if its map has
    // expected lists.
    size_t old_right;
    size_t new_right;
};

// Over all maps.
struct diff_total {
    size_t maps;
    size_t count[DIFF_STATUS_COUNT]; // of maps
    struct cell row[MOST_COLUMNS];
};

void diff_report_begin(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage);

// Reports a map and adds it to the total.
void diff_report_map(const struct arguments *arguments,
                     const struct diff_map *found, struct diff_total *total);

void diff_report_end(const struct arguments *arguments,
                     struct diff_total *total);

#endif
