// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command: the blockmaps that maps have are held against the truth.

#ifndef VERIFY_H
#define VERIFY_H

#include "blockmap/engines.h"
#include "verify/mismatches.h"
#include "verify/segs.h"

enum exit_status verify_run(const struct arguments *arguments,
                            const struct nbstage *stage);

enum verify_status {
    VERIFY_GOOD,
    VERIFY_BAD,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
    VERIFY_STATUS_COUNT,
};

// What verify has found out about a map.
struct verify_map {
    const struct open_map *map;
    enum verify_status status;
    bool rejected;  // the command fails, for this map
    double seconds; // that it took

    struct mismatches mismatches;
    size_t inert_count; // missing of linedefs that --prune=inert leaves out
    struct segs segs;   // with --nodes
    enum engine_verdict verdicts[ENGINE_COUNT];
};

#endif
