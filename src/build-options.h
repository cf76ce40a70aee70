// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a build is asked for, and what it returns.

#ifndef BUILD_OPTIONS_H
#define BUILD_OPTIONS_H

#include "lists/check-nodes.h"
#include "merge/fit.h"
#include "prune/prune.h"
#include "search/search.h"

// Where the lists come from.
enum build_source {
    BUILD_SOURCE_GEOMETRY, // from the lines
    BUILD_SOURCE_LUMP,     // from the map's own lump, with its grid
};

// The form of the lump.
enum build_format {
    BUILD_FORMAT_AUTO, // classic; over the limit as `overflow` says
    BUILD_FORMAT_DOOM, // classic, never XBM1
    BUILD_FORMAT_XBM1,
};

// What a classic lump has to meet.
enum build_limit {
    BUILD_LIMIT_EXTENDED, // the whole lump below 65,536 words
    BUILD_LIMIT_VANILLA,  // and every offset at most 32,767
};

// What a classic lump over the limit becomes.
enum build_overflow {
    BUILD_OVERFLOW_EMPTY, // an empty lump and a warning
    BUILD_OVERFLOW_XBM1,  // XBM1; with BUILD_FORMAT_DOOM an error
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
    enum lump_limit goal; // of GRID_SEARCH
    size_t threads;       // for it; 0: as many as there are processors
    enum build_bounds bounds;
    enum prune_policy prune;
    struct pack_form pack;
    enum lump_limit fit; // of a classic lump
    enum build_format format;
    enum build_limit limit;
    enum build_overflow overflow;
    bool check_nodes;
    size_t inflate_limit; // bytes that a compressed lump may grow to
    // For the caller, which makes the context; where memory is 0, the module
    // chooses by the size of the map.
    struct limits limits;
};

// The limit that a classic lump has to meet: to fit into the vanilla limit is
// to ask for it.
static inline enum lump_limit build_limit(const struct build_options *options)
{
    bool is_vanilla =
        options->fit == LIMIT_VANILLA || options->limit == BUILD_LIMIT_VANILLA;
    return is_vanilla ? LIMIT_VANILLA : LIMIT_EXTENDED;
}

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

    uint64_t entry_count; // in the lists of all blocks, before merging
    size_t list_count;    // lists stored
    size_t nested_count;  // of these, tails of others
    size_t merge_count;   // times that two lists were made one
    struct lists_price price;
    bool is_early; // a work limit ended packing before it was the best
    struct nodes_check check; // also if the build fails
    struct lump_measure measure;
};

#endif
