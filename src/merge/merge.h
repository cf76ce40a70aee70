// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: gives several blocks one larger list, so that lists need fewer
// words.

#ifndef MERGE_H
#define MERGE_H

#include "merge/chain-set.h"

struct merge_request {
    // Whether lists are stored as chains; if not, each is stored for itself.
    // `inner` is the nesting so far: the list that is nested directly in each
    // list, or LIST_NUMBER_NONE.  NULL: none is nested.
    bool nests;
    const uint32_t *inner;

    // Words besides linedefs: of a chain or a list stored for itself, not 0,
    // and of each further list of a chain.
    uint32_t words_around;
    uint32_t words_inside;

    // Steps after which only neighbours are merged, or 0 for the usual number.
    uint64_t work_limit;
};

struct merger;

struct merge_result {
    size_t step_count;
    uint64_t saved_words;
    bool is_early; // after too much work, only neighbours are merged
};

// Makes a merger, for merger_free.  The lists and `inner` must outlive it.
nbstage_status merger_make(struct context *context, const struct lists *lists,
                           const struct merge_request *request,
                           struct merger **merger);

// Takes steps until so many more words are saved, the context has no work left,
// or there is nothing to merge: all lists are one, or one chain, or chains are
// too long to be compared, which takes hundreds of lists in each.  Each step is
// the one with the fewest extra entries for a word saved; not all pairs of
// chains of several lists without a common line are considered.  Words are
// counted as the merger stores lists; packed again they may be fewer.  After a
// failure the merger can only be freed.
nbstage_status merger_merge(struct merger *merger, uint64_t words);

struct merge_result merger_result(const struct merger *merger);

// Makes the lists as they were after a number of steps, for lists_free: every
// block has its own lines and perhaps more.  Any number up to step_count, in
// any order.
nbstage_status merger_lists(struct merger *merger, size_t step_count,
                            struct lists *merged);

void merger_free(struct merger *merger);

#endif
