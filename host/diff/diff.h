// SPDX-License-Identifier: GPL-2.0-or-later
//
// The diff command: the blockmaps of two files are held against each other,
// map by map.

#ifndef DIFF_H
#define DIFF_H

#include "blockmap/open-map.h"
#include "diff/compare.h"

enum exit_status diff_run(const struct arguments *arguments,
                          const struct nbstage *stage);

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

#endif
