// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search for the grid whose lump is the smallest that meets a limit.

#ifndef SEARCH_H
#define SEARCH_H

#include "base/context.h"
#include "lines/lines.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct search_request {
    enum lump_limit limit; // to meet before size counts
    struct pack_form pack;
};

struct search_answer {
    struct grid grid;
    uint64_t words;      // of the lump on it
    size_t scored_count; // origins
    size_t built_count;  // origins whose lumps were built, too
    bool is_early;       // the work limit skipped some that might be better
};

enum { SEARCH_LUMPS = 64 }; // most lumps that are built

// An origin and the words of its lump.
struct search_origin {
    size_t number;
    uint64_t words;
    bool meets; // the limit
};

// The best origins by score: one if scores are the sizes of lumps; else those
// whose lumps are built, the first origin among them.
struct search_best {
    struct search_origin origins[SEARCH_LUMPS];
    size_t count;
};

struct search_ranking {
    struct search_best with_headers, without_headers;
    int32_t offsets_x, offsets_y; // that were scored
    uint64_t most_entries;        // maximum over all origins
    uint64_t work;                // that scoring took
    bool is_early;                // the work limit skipped origins
};

// What searches in the lines of a map have found, so that builds with other
// options need not repeat it: the last answer, and the ranking of all searches
// that build lumps.
struct search_memory {
    bool is_known;
    struct search_request request;
    struct search_answer answer;
    bool is_ranked;
    struct search_ranking ranking;
};

// Tries the origins from the lines' lowest coordinates to 127 units south and
// west of them, as far as they are 16-bit numbers and lose no line that the
// lowest coordinates do not; see grid_lowest_origin.  Their order is by y, then
// by x, away from the lines' lowest coordinates.  The answer is the smallest
// lump that meets the limit; if none does, the smallest of all.  The first of
// equally good ones wins.
//
// Unless the packing is PACK_SHARE with HEADER_ZERO, scores only rank: the
// lumps of the best-scored origins are built, and the smallest wins.
//
// The context's limit bounds the work.  If it is not enough for all origins,
// the first along y are tried; if it is not enough for all lumps, fewer of them
// are built, and packing them may end early.
//
// memory: of searches in the same lines; NULL: nothing is remembered.
//
// NBSTAGE_CANCELLED, NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT.
nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_memory *memory,
                           struct search_answer *answer);

#endif
