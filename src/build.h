// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a map to its BLOCKMAP lump: what a build is asked for, and what it
// returns.

#ifndef BUILD_H
#define BUILD_H

#include "attempt.h"
#include "base/context.h"
#include "lines/grid.h"
#include "lists/pack.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "prune/prune.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    enum attempt_lists lists;
    struct grid_request grid;
    enum prune_policy prune;
    enum pack_mode pack; // the header follows from the engines
    enum build_format format;
    choice_list overflow; // tried in this order, then an error
    bool keeps_smaller;   // the map's own lump stays if the new one is larger
    bool check_nodes;
    bool tries_all; // no other options do more to meet the vanilla limit
};

struct build_output {
    unsigned char *bytes; // NULL if the lump was left empty
    size_t size;          // bytes
    enum lump_form form;
    bool over_limit; // of the classic form, and therefore empty or XBM1
    bool is_kept;    // the bytes are those of the map's own lump
    bool is_early;   // a work limit ended packing before it was the best

    enum lump_limit lost_limit; // that the present one meets, not this
    uint64_t lost_offset;       // the largest of the present lump
    size_t missing_count;    // solid entries that the present lump lacks, if it
                             // may be kept
    bool is_moved;           // the present lump's grid begins elsewhere
    uint64_t unmerged_words; // of the lump before merging; 0 if none was tried

    struct attempt_base base; // if is_kept: with the grid of the map's own lump
    struct made made;         // and with the measure of that
};

// Builds the lump of a map.  Free the output, also on failure, with
// build_output_free.
// NBSTAGE_BAD_MAP, NBSTAGE_OVER_LIMIT, NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status build_lump(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct build_output *output);

void build_output_free(struct build_output *output);

// Warns if a limit is lost, the lump is left empty or lacks solid entries, and
// says by how much it is over.  Fails with NBSTAGE_OVER_LIMIT if there is to be
// no lump.  In overflow.c.
nbstage_status overflow_tell(const struct build_options *options,
                             const struct build_output *output, bool is_empty);

#endif
