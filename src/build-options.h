// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a build is asked for, and what it returns.

#ifndef BUILD_OPTIONS_H
#define BUILD_OPTIONS_H

#include "lists/builders.h"
#include "lists/check-nodes.h"
#include "lump/engines.h"
#include "merge/fit.h"
#include "prune/prune.h"
#include "search/search.h"

// Which lists are stored.
enum build_lists_of {
    BUILD_LISTS_EXACT,
    BUILD_LISTS_LUMP, // those of the map's own lump, on its grid
    BUILD_LISTS_BUILDER, // and above: those of enum builder_name, on its grid
};

// Whether the lists are those that a builder makes.
static inline bool build_imitates(enum build_lists_of lists)
{
    return lists >= BUILD_LISTS_BUILDER;
}

// The form of the lump.
enum build_format {
    BUILD_FORMAT_AUTO, // classic; over the limit as `overflow` says
    BUILD_FORMAT_DOOM, // classic, never XBM1
    BUILD_FORMAT_XBM1,
};

// What a classic lump has to meet.
enum build_limit {
    BUILD_LIMIT_AUTO,     // what the engines need
    BUILD_LIMIT_VANILLA,  // every offset at most 32,767
    BUILD_LIMIT_EXTENDED, // the whole lump below 65,536 words
};

// What is done about a classic lump over the limit.
enum build_overflow {
    BUILD_OVERFLOW_AUTO,        // what the engines can play, else an error
    BUILD_OVERFLOW_INERT,       // PRUNE_INERT
    BUILD_OVERFLOW_UNREACHABLE, // PRUNE_UNREACHABLE
    BUILD_OVERFLOW_MERGE,       // lists are merged, if that is enough
    BUILD_OVERFLOW_XBM1,        // XBM1; passed over with BUILD_FORMAT_DOOM
    BUILD_OVERFLOW_EMPTY,       // an empty lump and a warning
    BUILD_OVERFLOW_ERROR,       // NBSTAGE_OVER_LIMIT
};

// Some choices of an option in their order: a number each, 4 bits from the
// lowest, which is one more than the choice.
typedef uint32_t choice_list;

// An item of a list, or -1 after the last.
static inline int choice_at(choice_list list, size_t index)
{
    return index < 8 ? (int)(list >> (4 * index) & 15) - 1 : -1;
}

// What the grid has to enclose.
enum build_bounds {
    BUILD_BOUNDS_LINES,
    BUILD_BOUNDS_VERTICES, // and the map's own vertices, used or not
};

// The families in a list that has 0 for all engines and else one more than a
// family.
static inline families engines_of(choice_list list)
{
    families named = 0;
    for (size_t i = 0; choice_at(list, i) > 0; i++)
        named |= family_bit((enum engine_family)(choice_at(list, i) - 1));
    return named;
}

struct build_options {
    choice_list engines; // see engines_of
    enum build_lists_of lists;
    struct grid_request grid;
    size_t threads; // of GRID_SEARCH; 0: as many as there are processors
    enum build_bounds bounds;
    enum prune_policy prune;
    struct pack_form pack;
    enum build_format format;
    enum build_limit limit;
    choice_list overflow; // tried in this order, then an error
    bool keeps_smaller;   // the map's own lump stays if the new one is larger
    bool check_nodes;
    size_t inflate_limit; // bytes that a compressed lump may grow to
    // For the caller, which makes the context; where memory is 0, the module
    // chooses by the size of the map.
    struct limits limits;
    // The module's: the preset, and as bits the options that were set, and
    // those that the host has defaults for.
    uint32_t preset;
    uint32_t were_set;
    uint32_t have_defaults;
    // Engines and overflow where no preset decides.
    choice_list usual_engines, usual_overflow;
};

struct build_output {
    unsigned char *bytes; // NULL if the lump was left empty
    size_t size;          // bytes
    enum lump_form form;
    bool over_limit; // of the classic form, and therefore empty or XBM1
    bool is_kept;    // the bytes are those of the map's own lump
    bool lost_limit; // the map's own lump met a limit that this one does not

    size_t line_count; // of the map
    struct pruning pruning;
    struct grid grid;
    enum grid_placement placement;
    size_t scored_count; // origins that were tried; 0 without a search
    size_t built_count;  // of these, those whose lumps were built

    enum pack_header header;
    uint64_t entry_count;    // in the lists of all blocks, before merging
    size_t list_count;       // lists stored
    size_t nested_count;     // of these, tails of others
    size_t merge_count;      // times that two lists were made one
    uint64_t unmerged_words; // of the lump before merging, if it was tried
    bool merge_too_dear;     // it would have taken too many extra entries
    struct lists_price price;
    bool is_early; // a work limit ended packing before it was the best
    struct nodes_check check; // also if the build fails
    struct lump_measure measure;
};

#endif
