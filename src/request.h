// SPDX-License-Identifier: GPL-2.0-or-later
//
// The request for a build, and its result.

#ifndef REQUEST_H
#define REQUEST_H

#include "base/context.h"
#include "check/check-nodes.h"
#include "lines/lines.h"
#include "lists/pack.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/games.h"
#include "prune/prune.h"
#include "search/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum build_lists {
    BUILD_LISTS_EXACT, // the lines that are in each block
    BUILD_LISTS_LUMP,  // the lists of the present lump, on its grid
};

// The form of the lump.
enum build_format {
    BUILD_FORMAT_AUTO, // classic; over the limit as `overflow` says
    BUILD_FORMAT_DOOM, // classic, never XBM1
    BUILD_FORMAT_XBM1,
};

// How to handle a classic lump over the limit.
enum build_overflow {
    BUILD_OVERFLOW_AUTO,  // XBM1 or empty if the engines play that, else error
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

struct build_request {
    engine_set engines; // that must read the lump right; 0: any
    game_set games;     // from games_named
    enum build_lists lists;
    enum grid_placement placement;
    struct grid grid; // GRID_AT: its origin
    enum prune_policy prune;
    enum pack_mode pack; // the header follows from the engines
    enum build_format format;
    choice_list overflow; // tried in this order, then an error
    bool keeps_smaller;   // the present lump stays if the new one is larger
    bool check_nodes;
};

// The lump that the map gets, and facts about it.
struct build_result {
    unsigned char *bytes; // NULL: none, see `overflow`
    size_t size;          // bytes
    enum lump_form form;
    struct grid grid;
    enum grid_placement placement; // as asked for, or GRID_AUTO's choice
    struct lump_measure measure;
    bool over_limit; // a classic lump was; there is none, or it is XBM1
    bool is_kept;    // the bytes and the measure are the present lump's
    bool is_moved;   // the present lump's grid begins elsewhere
    int32_t distance; // of lines from the grid's origin, map units; -1: unknown
    enum lump_limit lost_limit; // met by the present lump, not by this one

    // For advice.
    enum build_overflow overflow; // what is left for a lump over the limit
    struct lump_measure present;  // if it was needed
    struct grid least_grid;       // the smallest that encloses the lines
    int32_t least_distance;       // on it; -1: unknown
    uint64_t least_over; // words of the best attempt over the ports' limit
    bool is_bounded;     // merging stopped at its bound of extra entries

    // Lists, before the decision on what the map gets.
    enum list_header header;
    size_t list_count, nested_count;
    uint64_t entry_count;    // of all blocks, before merging
    uint64_t unmerged_words; // of the lump before merging; 0: not tried
    size_t merge_count;      // pairs of lists or chains that became one
    uint64_t extra_count;    // entries that merging added
    uint32_t extra_at_worst; // in one block
    bool is_early;           // a work limit ended packing or merging

    size_t pruned[FATE_COUNT]; // linedefs
    struct search_answer search;
    struct nodes_check check; // valid even on failure
    // Entries that the present lump lacks, if it may be kept: solid ones, and
    // harmless ones.
    size_t missing_count, harmless_count;
};

#endif
