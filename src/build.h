// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its BLOCKMAP lump: what a build is asked for, and what comes of
// it.

#ifndef BUILD_H
#define BUILD_H

#include "base/context.h"
#include "lines/lines.h"
#include "check/check-nodes.h"
#include "lists/pack.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "map/nodes.h"
#include "nbstage.h"
#include "prune/prune.h"
#include "search/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum build_lists {
    BUILD_LISTS_EXACT, // the lines that are in each block
    BUILD_LISTS_LUMP,  // those of the map's own lump, on its grid
};

// The form of the lump.
enum build_format {
    BUILD_FORMAT_AUTO, // classic; over the limit as `overflow` says
    BUILD_FORMAT_DOOM, // classic, never XBM1
    BUILD_FORMAT_XBM1,
};

// What is done about a classic lump over the limit.
enum build_overflow {
    BUILD_OVERFLOW_AUTO,  // what the engines can play, else an error
    BUILD_OVERFLOW_MERGE, // lists are merged, if that is enough
    BUILD_OVERFLOW_XBM1,  // XBM1; passed over with BUILD_FORMAT_DOOM
    BUILD_OVERFLOW_EMPTY, // an empty lump and a warning
    BUILD_OVERFLOW_ERROR, // NBSTAGE_OVER_LIMIT
};

// Choices in the order given, packed 4 bits each from the low end.  Each is
// stored plus one; 0 ends the list.
typedef uint64_t choice_list;

// An item of a list, or -1 after the last.
static inline int choice_at(choice_list list, size_t index)
{
    return index < 16 ? (int)(list >> (4 * index) & 15) - 1 : -1;
}

struct build_options {
    engine_set engines; // that must read the lump right; 0 for any
    enum build_lists lists;
    enum grid_placement placement;
    struct grid grid; // GRID_AT: its origin
    enum prune_policy prune;
    enum pack_mode pack; // the header follows from the engines
    enum build_format format;
    choice_list overflow; // tried in this order, then an error
    bool keeps_smaller;   // the map's own lump stays if the new one is larger
    bool check_nodes;
    bool tries_all; // no other options do more to meet the vanilla limit
};

// One way to make the lump.
struct attempt {
    enum lump_limit limit; // that it is to meet
    enum pack_mode mode;
    bool merges; // nested lists, until the limit is met
};

// The lump that the map has now.
struct present {
    struct blockmap blockmap; // opened
    bool is_readable;         // with all its lists; false if it does not matter
    enum lump_limit limit;    // the strictest that it meets, if it is classic
    struct lump_measure measure; // by its size and its offsets
};

struct build {
    struct context *context;
    struct map *map;
    const struct build_options *options;
    struct engines_needs needs;
    struct present present;

    // What the attempts share.
    struct nodes nodes;
    struct pruning pruning;
    struct grid grid;       // of the lump; in the end maybe the present one
    struct grid least_grid; // the smallest that encloses the lines
    enum grid_placement placement;
    struct search_answer search; // of GRID_SEARCH
    struct entries entries;
    struct nodes_check check; // also if it fails

    // What is done about a lump over the limit that the games need.
    bool may_merge;
    enum build_overflow overflow;

    // The lump of the best attempt so far.
    enum lump_form form;
    struct lists lists;
    struct lump_measure measure;
    uint64_t entry_count;    // in the lists of all blocks, before merging
    uint64_t unmerged_words; // of the lump before merging; 0 if none was tried

    // The lump that the map gets.
    unsigned char *bytes; // NULL if it was left empty
    size_t size;          // bytes
    bool over_limit;      // of the classic form, and therefore empty or XBM1
    bool is_kept;  // the bytes and the measure are those of the present one
    bool is_moved; // the present lump's grid begins elsewhere
    enum lump_limit lost_limit; // that the present one meets, not this
    size_t missing_count; // solid entries that the present lump lacks, if it
                          // may be kept
};

// Builds the lump of a map.  Begin with the context, the map and the options,
// and all else zero.  Free the build, also on failure, with build_free; the
// size of the lump and facts about it stay.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct build *build);
void build_free(struct build *build);

// In attempt.c: find the entries on a grid that is good for the lists, and pack
// the lists of a lump, for lists_free.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT: of the context's, not of the lump,
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status attempt_begin(struct build *build);
nbstage_status attempt_make(struct build *build, const struct attempt *attempt,
                            struct lists *lists);

#endif
