// SPDX-License-Identifier: GPL-2.0-or-later
//
// An attempt: one way to make the lump of a map.

#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "base/context.h"
#include "lines/entries.h"
#include "lines/grid.h"
#include "lines/lines.h"
#include "lists/check-nodes.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"
#include "prune/prune.h"
#include "search/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attempt_lists {
    ATTEMPT_LISTS_EXACT, // the lines that are in each block
    ATTEMPT_LISTS_LUMP,  // those of the map's own lump, on its grid
};

// What the attempts at one map share.  Begin with what is asked for, and all
// else zero; attempt_begin finds the rest.
struct attempt_base {
    struct context *context;
    struct map *map;
    enum attempt_lists lists;
    enum prune_policy prune;
    struct grid_request grid_request;
    enum lump_limit search_limit; // for GRID_SEARCH: to meet before size counts
    bool check_nodes;

    struct nodes nodes;
    struct pruning pruning;
    struct grid grid;
    struct grid least_grid; // the smallest that encloses the lines
    enum grid_placement placement;
    struct search_answer search; // of GRID_SEARCH
    struct lines lines;          // without their coordinates
    struct entries entries;
    struct nodes_check check; // also if it fails
};

struct attempt {
    struct pack_form pack;
    enum lump_limit merge; // if not LIMIT_NONE: lists are nested, and merged
                           // to meet it
};

// What comes of an attempt: the lump, but for its bytes.
struct made {
    struct list_area area;
    struct lump_measure measure;
    uint64_t entry_count; // in the lists of all blocks, before merging
};

// Finds the entries on a grid that is good for lists packed so.  The base is to
// be freed with attempt_base_free, also on failure.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT: of the context's, not of the lump,
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status attempt_begin(struct attempt_base *base, struct pack_form pack);

// Makes the lump, to be written with lump_write.  made->area is to be freed.
// Fails as attempt_begin does.
nbstage_status attempt_make(struct attempt_base *base,
                            const struct attempt *attempt, struct made *made);

// Frees what further attempts would need.
void attempt_end(struct attempt_base *base);

void attempt_base_free(struct attempt_base *base);

#endif
