// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list ends only at its end mark, so lists can share words in one way: one
// is the tail of the other, and so a subset of it.  A list has at most one tail
// and is the tail of at most one list.  So tails and their supersets are a
// matching.  What is saved depends on the tail alone, on its length.  So lists
// are taken from large to small, and each becomes a tail if none of the earlier
// tails loses its superset by that; these may get others (an augmenting path).
// The sets that can be matched at the same time are the independent sets of a
// transversal matroid, so taking the best first is optimal.
//
// If linedef 0 of a list can serve as the 0 before its tail, that saves a word
// for each list that has it and whose tail does not: a word for each list with
// linedef 0 and a tail, and one less for each tail with linedef 0.  So of
// equally large lists those without it become tails first.  After that, as many
// tails as possible move to lists with linedef 0.  Any sets of tails and of
// supersets that can each be matched can be matched together, so this is
// optimal, too.
//
// A search that finds no path has seen only supersets from which no path leads
// anywhere, now or later.  They are not looked at again.  So all searches that
// fail take together no longer than there are pairs.
//
// Work is counted.  Where a map needs too much of it, the remaining lists are
// stored for themselves.

#include "pack/nest.h"

#include "pack/supersets.h"

#include <string.h>

enum {
    PROGRESS_WORK = 1 << 23, // steps between two reports
};

// A list on a path, its superset that was looked at last, and where the others
// are.
struct path_step {
    uint32_t list;
    uint32_t outer;
    struct superset_cursor cursor;
};

struct matcher {
    struct context *context;
    struct supersets supersets;
    struct nesting *nesting;
    bool among_zeros;       // only lists with linedef 0 are supersets now
    bool *seen;             // supersets seen by this search or one that failed
    struct path_step *path; // of this search
    uint32_t *trail;        // supersets seen by this search
    size_t trail_count;
    uint64_t work_limit;
    uint64_t work_reported;
    size_t taken_count; // lists in order
};

// ---------------------------------------------------------------------------
// Work

static bool is_exhausted(const struct matcher *matcher)
{
    return matcher->supersets.work >= matcher->work_limit;
}

// Reports progress if it is time.
static nbstage_status report(struct matcher *matcher)
{
    if (matcher->supersets.work - matcher->work_reported < PROGRESS_WORK)
        return NBSTAGE_OK;
    matcher->work_reported = matcher->supersets.work;
    return context_progress(matcher->context, matcher->taken_count,
                            matcher->supersets.order_count);
}

// ---------------------------------------------------------------------------
// Matching

// Begins with the supersets of a list.
static struct path_step begin_step(struct matcher *matcher, uint32_t list)
{
    const uint32_t *begin = matcher->supersets.begin; // of each line
    struct path_step step = {.list = list, .cursor = {begin[0], begin[1]}};
    if (!matcher->among_zeros)
        step.cursor = supersets_begin(&matcher->supersets, list);
    return step;
}

// Searches for a path from a list to a superset without a tail.  *length is the
// number of lists on it, or 0 if there is none or too much work.
static nbstage_status find_path(struct matcher *matcher, uint32_t list,
                                size_t *length)
{
    struct path_step *path = matcher->path;
    *length = 1;
    path[0] = begin_step(matcher, list);
    while (*length > 0 && !is_exhausted(matcher)) {
        struct path_step *here = &path[*length - 1];
        nbstage_status status = report(matcher);
        if (status != NBSTAGE_OK)
            return status;
        uint32_t outer = supersets_next(&matcher->supersets, here->list,
                                        matcher->seen, &here->cursor);
        if (outer == LIST_NUMBER_NONE) {
            --*length;
            continue;
        }
        here->outer = outer;
        matcher->seen[outer] = true;
        matcher->trail[matcher->trail_count++] = outer;
        uint32_t tail = matcher->nesting->inner[outer];
        if (tail == LIST_NUMBER_NONE)
            return NBSTAGE_OK;
        path[(*length)++] = begin_step(matcher, tail);
    }
    if (*length > 0)
        matcher->nesting->is_complete = false;
    *length = 0;
    return NBSTAGE_OK;
}

// Makes a list the tail of a superset, and moves other tails if necessary: each
// list on the path becomes the tail of the superset that it looked at last.
// *is_matched is false if it cannot be done.
static nbstage_status match(struct matcher *matcher, uint32_t list,
                            bool *is_matched)
{
    size_t length;
    matcher->trail_count = 0;
    nbstage_status status = find_path(matcher, list, &length);
    *is_matched = status == NBSTAGE_OK && length > 0;
    for (size_t i = 0; *is_matched && i < length; i++) {
        const struct path_step *step = &matcher->path[i];
        matcher->nesting->inner[step->outer] = step->list;
        matcher->nesting->outer[step->list] = step->outer;
    }
    for (size_t t = 0; *is_matched && t < matcher->trail_count; t++)
        matcher->seen[matcher->trail[t]] = false;
    return status;
}

static nbstage_status match_all(struct matcher *matcher)
{
    nbstage_status status = NBSTAGE_OK;
    size_t count = matcher->supersets.order_count;
    size_t *taken = &matcher->taken_count;
    for (; *taken < count && status == NBSTAGE_OK && !is_exhausted(matcher);
         ++*taken) {
        bool is_matched;
        status = match(matcher, matcher->supersets.order[*taken], &is_matched);
        matcher->nesting->nested_count += is_matched;
    }
    if (*taken < count)
        matcher->nesting->is_complete = false;
    return status;
}

// Of equally large lists, moves those with linedef 0 to the end.
static void order_tails(struct matcher *matcher)
{
    const struct lists *lists = matcher->supersets.lists;
    const size_t count = matcher->supersets.order_count;
    uint32_t *next = matcher->supersets.order;
    const uint32_t *from = matcher->trail; // as a copy
    const uint32_t *end = from + count;
    memcpy(matcher->trail, next, count * sizeof *next);
    while (from < end) {
        const uint32_t *group = from;
        size_t length = list_length(lists, *group);
        for (; from < end && list_length(lists, *from) == length; from++)
            if (!list_has_zero(lists, *from))
                *next++ = *from;
        for (; group < from; group++)
            if (list_has_zero(lists, *group))
                *next++ = *group;
    }
}

// Moves tails of lists without linedef 0 to lists with it.
static nbstage_status move_tails(struct matcher *matcher)
{
    const struct lists *lists = matcher->supersets.lists;
    const uint32_t *outer = matcher->nesting->outer;
    nbstage_status status = NBSTAGE_OK;
    memset(matcher->seen, 0, lists->list_count * sizeof *matcher->seen);
    matcher->among_zeros = true;
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++)
        if (outer[l] != LIST_NUMBER_NONE && !list_has_zero(lists, outer[l])) {
            uint32_t left = outer[l];
            bool is_moved;
            status = match(matcher, l, &is_moved);
            if (is_moved)
                matcher->nesting->inner[left] = LIST_NUMBER_NONE;
        }
    return status;
}

nbstage_status nest_nothing(struct context *context, const struct lists *lists,
                            struct nesting *nesting)
{
    size_t count = lists->list_count;
    *nesting = (struct nesting){.is_complete = true};
    nbstage_status status = context_allocate(
        context, count, 2 * sizeof *nesting->inner, &nesting->inner);
    if (status != NBSTAGE_OK)
        return status;
    nesting->outer = nesting->inner + count;
    for (size_t l = 0; l < count; l++)
        nesting->inner[l] = nesting->outer[l] = LIST_NUMBER_NONE;
    return NBSTAGE_OK;
}

nbstage_status nest_lists(struct context *context, const struct lists *lists,
                          bool zero_serves, struct nesting *nesting)
{
    struct matcher matcher = {.context = context, .nesting = nesting};
    const size_t count = lists->list_count;
    const struct context_array arrays[] = {
        {&matcher.path, count, sizeof *matcher.path},
        {&matcher.trail, count, sizeof *matcher.trail},
        {&matcher.seen, count, sizeof *matcher.seen},
    };
    nbstage_status status = nest_nothing(context, lists, nesting);
    if (status != NBSTAGE_OK)
        return status;
    status = supersets_index(context, lists, &matcher.supersets);
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays,
                                         sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK) {
        matcher.work_limit = supersets_work_limit(context, &matcher.supersets);
        order_tails(&matcher);
        status = match_all(&matcher);
    }
    if (status == NBSTAGE_OK && zero_serves)
        status = move_tails(&matcher);
    context->work += matcher.supersets.work;
    supersets_free(context, &matcher.supersets);
    context_release(context, matcher.path);
    if (status != NBSTAGE_OK)
        nesting_free(context, nesting);
    return status;
}

void nesting_free(struct context *context, struct nesting *nesting)
{
    context_release(context, nesting->inner);
    *nesting = (struct nesting){0};
}
