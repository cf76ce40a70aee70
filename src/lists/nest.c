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
// A search that finds no path has seen only supersets from which no path leads
// anywhere, now or later.  They are not looked at again.  So all searches that
// fail take together no longer than there are pairs.
//
// The supersets of a list are among the lists that have its rarest line.  Real
// maps have few of them.  They are found one at a time, from small to large,
// because most searches stop early.
//
// Work is counted.  Where a map needs too much of it, the remaining lists are
// stored for themselves.

#include "lists/nest.h"

enum {
    NEST_WORK_PER_REPORT = 1 << 23, // steps between two reports
    NEST_WORK_FOR_LOOK = 4,         // steps at a word or a list
    NEST_WORK_BASE = 1 << 22,       // for any map
    NEST_WORK_PER_WORD = 256,       // and for each word of its lists
};
static const uint64_t NEST_WORK_AT_MOST = (uint64_t)1 << 32;

// A list on a path, its superset that was looked at last, and the range of
// `having` that has the others.
struct nest_step {
    uint32_t list;
    uint32_t outer;
    uint32_t next, end;
};

struct nest_matcher {
    struct context *context;
    const struct lists *lists;
    struct nesting *nesting;

    // Lists from large to small, equally large ones from the last to the
    // first; without the empty list.
    uint32_t *order;
    size_t order_count;
    size_t taken_count; // of these

    // The lists that have each line, from small to large, equally large ones
    // in their order: those of line l are
    // having[begin[l]] to having[begin[l + 1] - 1].
    uint32_t *having;
    uint32_t *begin;

    bool *seen;             // supersets seen by this search or one that failed
    struct nest_step *path; // of this search
    uint32_t *trail;        // supersets seen by this search
    uint32_t *next;         // place in the order for each length, longest first

    // The context's work at the last report, and up to which searches go on.
    uint64_t work_reported;
    uint64_t work_end;
};

// ---------------------------------------------------------------------------
// The index

// Sorts the lists by counting.  Of equally large ones the last comes first;
// nest_index_lines turns the order round.
static void nest_sort(struct nest_matcher *matcher)
{
    const struct lists *lists = matcher->lists;
    const size_t longest = lists->linedef_end;
    uint32_t *next = matcher->next;
    for (size_t l = 0; l < lists->list_count; l++)
        next[longest - list_length(lists, l) + 1]++;
    for (size_t i = 0; i <= longest; i++)
        next[i + 1] += next[i];
    for (size_t l = lists->list_count; l-- > 0;)
        if (list_length(lists, l) > 0)
            matcher->order[next[longest - list_length(lists, l)]++] =
                (uint32_t)l;
    matcher->order_count = next[longest == 0 ? 0 : longest - 1];
}

// Fills each line's part of `having` from its end, so that `begin` is left at
// its beginning.
static void nest_index_lines(struct nest_matcher *matcher)
{
    const struct lists *lists = matcher->lists;
    uint32_t *begin = matcher->begin;
    for (size_t l = 0; l < lists->list_count; l++)
        for (size_t i = 0; i < list_length(lists, l); i++)
            begin[list_linedefs(lists, l)[i]]++;
    for (size_t line = 0; line < lists->linedef_end; line++)
        begin[line + 1] += begin[line];
    for (size_t o = 0; o < matcher->order_count; o++) {
        uint32_t l = matcher->order[o];
        for (size_t i = 0; i < list_length(lists, l); i++)
            matcher->having[--begin[list_linedefs(lists, l)[i]]] = l;
    }
}

// ---------------------------------------------------------------------------
// Supersets of a list

static struct nest_step nest_begin_step(struct nest_matcher *matcher,
                                        uint32_t list)
{
    const uint32_t *linedef = list_linedefs(matcher->lists, list);
    const uint32_t *begin = matcher->begin;
    size_t length = list_length(matcher->lists, list);
    uint32_t rarest = linedef[0];
    for (size_t i = 1; i < length; i++)
        if (begin[linedef[i] + 1] - begin[linedef[i]] <
            begin[rarest + 1] - begin[rarest])
            rarest = linedef[i];
    matcher->context->work += NEST_WORK_FOR_LOOK * (uint64_t)length;
    return (struct nest_step){
        .list = list, .next = begin[rarest], .end = begin[rarest + 1]};
}

// Whether a list has all linedefs of another that is not longer.
static bool nest_contains(struct nest_matcher *matcher, uint32_t outer,
                          uint32_t inner)
{
    const struct lists *lists = matcher->lists;
    const uint32_t *large = list_linedefs(lists, outer);
    const uint32_t *large_begin = large;
    const uint32_t *small = list_linedefs(lists, inner);
    const uint32_t *small_end = small + list_length(lists, inner);
    size_t spare = list_length(lists, outer) - list_length(lists, inner);
    while (small < small_end) {
        if (*large == *small)
            small++;
        else if (*large > *small || spare-- == 0)
            break;
        large++;
    }
    matcher->context->work +=
        NEST_WORK_FOR_LOOK * ((uint64_t)(large - large_begin) + 1);
    return small == small_end;
}

// The next superset that is not seen yet, from small to large, or
// LIST_NUMBER_NONE.
static uint32_t nest_next_superset(struct nest_matcher *matcher,
                                   struct nest_step *step)
{
    const struct lists *lists = matcher->lists;
    const size_t length = list_length(lists, step->list);
    while (step->next < step->end) {
        uint32_t other = matcher->having[step->next++];
        matcher->context->work += NEST_WORK_FOR_LOOK;
        if (!matcher->seen[other] && list_length(lists, other) > length &&
            nest_contains(matcher, other, step->list))
            return other;
    }
    return LIST_NUMBER_NONE;
}

// ---------------------------------------------------------------------------
// Matching

// Each list on the path becomes the tail of the superset that it looked at
// last.
static void nest_take_path(struct nest_matcher *matcher, size_t length,
                           size_t trail_count)
{
    for (size_t i = 0; i < length; i++) {
        const struct nest_step *step = &matcher->path[i];
        matcher->nesting->inner[step->outer] = step->list;
        matcher->nesting->outer[step->list] = step->outer;
    }
    for (size_t t = 0; t < trail_count; t++)
        matcher->seen[matcher->trail[t]] = false;
    matcher->nesting->nested_count++;
}

// Makes a list the tail of a superset, and moves other tails if necessary: it
// searches for a path from the list to a superset without a tail.
static nbstage_status nest_match(struct nest_matcher *matcher, uint32_t list)
{
    struct nest_step *path = matcher->path;
    const uint64_t *work = &matcher->context->work;
    size_t length = 1;
    size_t trail_count = 0;
    path[0] = nest_begin_step(matcher, list);
    while (length > 0 && *work < matcher->work_end) {
        nbstage_status status = NBSTAGE_OK;
        if (*work - matcher->work_reported >= NEST_WORK_PER_REPORT) {
            matcher->work_reported = *work;
            status = context_progress(matcher->context, matcher->taken_count,
                                      matcher->order_count);
        }
        if (status != NBSTAGE_OK)
            return status;
        const uint32_t outer = nest_next_superset(matcher, &path[length - 1]);
        if (outer == LIST_NUMBER_NONE) {
            length--;
            continue;
        }
        path[length - 1].outer = outer;
        matcher->seen[outer] = true;
        matcher->trail[trail_count++] = outer;
        const uint32_t tail = matcher->nesting->inner[outer];
        if (tail == LIST_NUMBER_NONE) {
            nest_take_path(matcher, length, trail_count);
            return NBSTAGE_OK;
        }
        path[length++] = nest_begin_step(matcher, tail);
    }
    if (length > 0)
        matcher->nesting->is_complete = false;
    return NBSTAGE_OK;
}

static nbstage_status nest_match_all(struct nest_matcher *matcher)
{
    const struct lists *lists = matcher->lists;
    const uint64_t left = context_work_left(matcher->context);
    const uint64_t words = lists->start[lists->list_count];
    uint64_t limit = NEST_WORK_BASE + NEST_WORK_PER_WORD * words;
    nbstage_status status = NBSTAGE_OK;
    if (limit > NEST_WORK_AT_MOST)
        limit = NEST_WORK_AT_MOST;
    matcher->work_reported = matcher->context->work;
    matcher->work_end = matcher->work_reported + (limit < left ? limit : left);
    while (matcher->taken_count < matcher->order_count &&
           status == NBSTAGE_OK && matcher->context->work < matcher->work_end) {
        status = nest_match(matcher, matcher->order[matcher->taken_count]);
        matcher->taken_count++;
    }
    if (matcher->taken_count < matcher->order_count)
        matcher->nesting->is_complete = false;
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
                          struct nesting *nesting)
{
    struct nest_matcher matcher = {
        .context = context, .lists = lists, .nesting = nesting};
    const size_t count = lists->list_count;
    const struct context_array arrays[] = {
        {&matcher.path, count, sizeof *matcher.path},
        {&matcher.order, count, sizeof *matcher.order},
        {&matcher.having, lists->start[count], sizeof *matcher.having},
        {&matcher.begin, lists->linedef_end + 1, sizeof *matcher.begin},
        {&matcher.next, lists->linedef_end + 2, sizeof *matcher.next},
        {&matcher.trail, count, sizeof *matcher.trail},
        {&matcher.seen, count, sizeof *matcher.seen},
    };
    nbstage_status status = nest_nothing(context, lists, nesting);
    if (status != NBSTAGE_OK)
        return status;
    status = context_allocate_arrays(context, arrays,
                                     sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK) {
        nest_sort(&matcher);
        nest_index_lines(&matcher);
        status = nest_match_all(&matcher);
    }
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
