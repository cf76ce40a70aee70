// SPDX-License-Identifier: GPL-2.0-or-later
//
// What diff has to tell, map by map: a table with what was found below each
// map, or JSON.  With --quiet nothing, but JSON all the same.

#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "blockmap/open-map.h"
#include "diff/compare.h"

enum diff_status {
    DIFF_IDENTICAL, // the same bytes
    DIFF_SAME,      // other bytes with the same meaning
    DIFF_DIFFERENT,
    DIFF_ONLY_OLD, // only one of the files has the map
    DIFF_ONLY_NEW,
    DIFF_FAILED, // lumps of the map are not in the file
    DIFF_STATUS_COUNT,
};

// A linedef in a block that only one lump has: how often, and how often the
// line is there, where that is known.
struct diff_entries {
    bool are_known;
    size_t count;
};

// What diff has found out about a map.
struct diff_map {
    const char *name;
    const struct open_map *old; // NULL if the file does not have the map
    const struct open_map *new;
    enum diff_status status;
    bool lines_are_known;
    bool lines_differ; // some are in other blocks
    struct comparison comparison;

    // Of what only one of them lists, what is right.
    struct diff_entries old_entries;
    struct diff_entries new_entries;
};

// Over all maps.
struct diff_total {
    size_t maps;
    size_t count[DIFF_STATUS_COUNT]; // of maps
    size_t blocks;
    size_t differing_blocks;
    size_t reordered_blocks;
    size_t only_old;
    size_t only_new;
};

void diff_report_begin(const struct arguments *arguments,
                       const struct nbstage_descriptor *stage);

// Tells of a map and adds it to the total.
void diff_report_map(const struct arguments *arguments,
                     const struct diff_map *found, struct diff_total *total);

void diff_report_end(const struct arguments *arguments,
                     const struct diff_total *total);

// Whether any map is neither identical nor the same.
bool diff_is_any_different(const struct diff_total *total);

#endif
