// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: fewer words for lists, at the price that blocks list lines that do
// not touch them.

#ifndef MERGE_H
#define MERGE_H

#include "merge/merge-chains.h"

struct merge_request {
    // Whether lists are stored as chains; if not, each is stored for itself.
    // `inner` is then the nesting so far: for each list the one that is nested
    // directly in it, or LIST_NUMBER_NONE.  NULL stands for none nested.
    bool nests;
    const uint32_t *inner;

    // What a chain, or a list that is stored for itself, needs besides its
    // linedefs: the words saved by making one of two that have no line in
    // common.  Not 0.
    uint32_t words_around;

    // What each further list of a chain needs besides its linedefs: the words
    // saved by making two of them equal.
    uint32_t words_inside;
};

struct merger;

// Makes a merger, for merger_free.  The lists must outlive it; `inner` need
// not.
nbstage_status merger_make(struct context *context, const struct lists *lists,
                           const struct merge_request *request,
                           struct merger **merger);

// The same with another limit of the work after which only neighbours are
// merged, so that tests see what happens then.
nbstage_status merger_make_with(struct context *context,
                                const struct lists *lists,
                                const struct merge_request *request,
                                uint64_t work_limit, struct merger **merger);

// Goes on step by step, each time where a word saved costs the fewest extra
// lines (of chains of several lists without a common line not all pairs are
// looked at for that), until at least so many words more are saved, or nothing
// is left to merge: all lists are one, or one chain, or chains have become too
// long to be compared, which takes hundreds of lists in each; or until the
// context has no work left.  Words are those
// of lists stored for themselves, or of the chains that the merger has; packed
// anew they may be fewer.  After a failure the merger can only be freed.
nbstage_status merger_merge(struct merger *merger, uint64_t words);

// How many steps there have been, and the words saved by them.
size_t merger_step_count(const struct merger *merger);
uint64_t merger_saved_words(const struct merger *merger);

// Whether there was too much work, so that only neighbours are merged.
bool merger_is_early(const struct merger *merger);

// Makes the lists as they were after a number of steps, for lists_free: every
// block has its own lines and perhaps more.  Any number up to
// merger_step_count, in any order.
nbstage_status merger_lists(struct merger *merger, size_t step_count,
                            struct lists *merged);

void merger_free(struct merger *merger);

#endif
