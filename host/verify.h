// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command: the blockmaps that maps have are held against the truth.

#ifndef VERIFY_H
#define VERIFY_H

#include "engines.h"

enum exit_status verify_run(const struct arguments *arguments,
                            const struct stage *stage);

// A linedef that a block should list, or should not.
struct verify_fact {
    int64_t column; // in the present grid; below 0 or too large outside of it
    int64_t row;
    uint32_t linedef;
};

// Facts that are told one by one: at most VERIFY_MOST_NAMED of them.
struct verify_facts {
    struct verify_fact *fact;
    size_t count;
};

enum { VERIFY_MOST_NAMED = 10000 };

enum verify_status {
    VERIFY_GOOD,
    VERIFY_BAD,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
};

// What verify has found out about a map.
struct verify_map {
    const struct inspect_map *map;
    enum verify_status status;
    double seconds; // that it took

    // How many times a linedef is in a block, and that is not listed.
    size_t touch_count;
    size_t missing_count; // in blocks with a list that can be read
    size_t outside_count; // in blocks that the grid does not have
    size_t extra_count;   // listed in blocks that they are not in
    size_t extra_at_worst;
    size_t *extra; // for each block

    struct verify_facts missing; // first those in the grid, then those outside
    struct verify_facts extras;  // with --verbose only

    enum engine_verdict verdicts[ENGINE_COUNT];

    // With --nodes.
    bool nodes_checked;
    int64_t checked_segs;
    char *nodes_error; // NULL if the segs pass
};

#endif
