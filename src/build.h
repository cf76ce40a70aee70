// SPDX-License-Identifier: GPL-2.0-or-later
//
// The whole corridor, from a map to its lump.

#ifndef BUILD_H
#define BUILD_H

#include "lists/check-nodes.h"
#include "merge/fit.h"
#include "prune/prune.h"
#include "search/search.h"

// Where the lists come from.
enum build_source {
    BUILD_SOURCE_GEOMETRY, // from the lines
    BUILD_SOURCE_LUMP,     // from the present lump, and the grid with them
};

// The form of the lump.
enum build_format {
    BUILD_FORMAT_AUTO, // classic, and beyond its limits as `overflow` says
    BUILD_FORMAT_DOOM, // classic, never XBM1
    BUILD_FORMAT_XBM1,
};

// What a classic lump has to meet.
enum build_limit {
    BUILD_LIMIT_EXTENDED, // the whole lump below 65,536 words
    BUILD_LIMIT_VANILLA,  // and every offset at most 32,767
};

// What becomes of a classic lump over the limit.
enum build_overflow {
    BUILD_OVERFLOW_EMPTY, // an empty lump and a warning
    BUILD_OVERFLOW_XBM1, // XBM1; with STAGE_FORMAT_DOOM as STAGE_OVERFLOW_ERROR
    BUILD_OVERFLOW_ERROR, // NBSTAGE_OVER_LIMIT
};

// What the grid has to enclose.
enum build_bounds {
    BUILD_BOUNDS_LINES,
    BUILD_BOUNDS_VERTICES, // and the map's own vertices, used or not
};

struct build_options {
    enum build_source source;
    struct grid_request grid;
    enum search_goal goal; // of GRID_SEARCH
    size_t threads;        // for it; 0: as many as there are processors
    enum build_bounds bounds;
    enum prune_policy prune;
    struct pack_form pack;
    enum fit_limit fit; // of a classic lump
    enum build_format format;
    enum build_limit limit;
    enum build_overflow overflow;
    bool check_nodes;
    size_t inflate_limit; // bytes that a compressed lump may grow to
    // For whoever makes the context; where memory is 0, the module chooses by
    // the size of the map.
    struct limits limits;
};

struct build_output {
    unsigned char *bytes; // NULL if the lump was left empty
    size_t size;          // bytes
    enum lump_form form;
    bool over_limit; // of the classic form, and therefore empty or XBM1

    size_t line_count; // of the map
    struct pruning pruning;
    struct grid grid;
    enum grid_placement placement;
    size_t scored_count; // origins that were tried; 0 without a search
    size_t built_count;  // of these, those whose lumps were built

    uint64_t entry_count; // times that a line touches a block
    size_t list_count;    // lists stored
    size_t nested_count;  // of these, tails of others
    size_t merge_count;   // times that two lists were made one
    struct lists_price price;
    bool is_early; // a work limit ended packing before it was the best
    struct nodes_check check; // also if the build fails
    struct lump_measure measure;
};

// What a classic lump has to meet by the options: to fit into the vanilla limit
// is to ask for it.
static inline enum build_limit
build_limit_of(const struct build_options *options)
{
    return options->fit == FIT_VANILLA ? BUILD_LIMIT_VANILLA : options->limit;
}

// Builds the lump of a map.  With STAGE_SOURCE_LUMP grid, goal, threads,
// bounds and prune do not matter.  output->bytes is allocated by the context
// and the caller's to release, output->pruning the caller's to free.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output);

#endif
