// SPDX-License-Identifier: GPL-2.0-or-later
//
// An attempt at the lump of a map, and the state that all attempts share.

#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"
#include "prune/prune.h"
#include "request.h"
#include "search/search.h"

#include <stdbool.h>
#include <stdint.h>

struct attempt {
    enum lump_limit limit; // to meet
    enum grid_placement placement;
    enum pack_mode mode;
    bool merges; // merges nested lists until the limit is met
};

// The lump that the map has now.
struct present {
    struct blockmap blockmap; // opened
    bool is_readable;         // all its lists can be read; false if not checked
    enum list_header headers; // HEADER_NONE if not judged
    enum lump_limit limit;    // the strictest that it meets, if it is classic
    struct lump_measure measure; // from its size and offsets, not its lists
};

// A build under way.
struct build {
    // The request.
    struct context *context;
    struct map *map;
    const struct build_request *request;
    struct search_memory *searches;
    struct engines_needs needs; // of the engines that the options name

    // The plan for a lump over the limit.
    bool may_merge;
    enum build_overflow overflow;
    struct present present;

    // Shared by the attempts.
    struct nodes nodes;
    struct lines lines; // freed once the entries are found
    struct pruning pruning;
    int32_t highest_x, highest_y; // of the lines
    struct entries entries;

    struct lists lists; // of the best attempt so far
    struct lists trial; // of another attempt

    struct build_result *result;
};

// Finds the entries that attempts on a grid share, and puts the grid into the
// result.
// NBSTAGE_BAD_MAP, NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED;
// NBSTAGE_OVER_LIMIT: a limit of the context, not of the lump.
nbstage_status attempt_begin(struct build *build,
                             const struct attempt *attempt);

// Frees what attempt_begin has found.
void attempt_end(struct build *build);

// Builds and packs the lists of a lump, to be freed with lists_free, even on
// failure.  Fails like attempt_begin.
nbstage_status attempt_make(struct build *build, const struct attempt *attempt,
                            struct lists *lists);

#endif
