// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list ends only at its end mark, so two lists can share words in one way:
// one is the tail of the other, and all its linedefs are in the other.  A list
// has at most one tail, and is the tail of at most one list.  Of the lists
//
//     A  1 2 3 4      B  1 2 5      C  1 2      D  1 5
//
// C can be the tail of A or B, and D that of B.  If C takes B, D finds none.
// But C can move to A: "3 4 1 2 end" and "2 1 5 end" hold all four.
//
// A tail saves its own linedefs and its end mark, whatever it is the tail of.
// So it only matters which lists are tails.  We go from the longest list to the
// shortest, and make each a tail if it can be one while all earlier tails stay
// tails.  These may move to other lists: D takes B, C takes A, and so on up to
// a list that has no tail yet.  Such a path is searched for.
//
// No other choice saves more.  Suppose one does.  Order its tails and ours from
// long to short, and take the first place k where its tail is longer than ours,
// or ours has none.  Draw each list twice, on the left as a tail and on the
// right as what has a tail, and an edge from each of its first k tails, and of
// our first k - 1, to the list that it is the tail of.  No point has more than
// one edge of each choice, so edges form paths and circles on which its edges
// and ours take turns.  It has more edges, so one path begins and ends with its
// own.  If we swap the edges along it, all our tails stay tails and one of its
// tails joins them.  That one is longer than our tail at k, so we have tried it
// before, with fewer tails in its way, and would have taken it.
//
// A search that finds no path has seen only lists from which no path leads
// anywhere, now or later.  They are not looked at again, so all searches that
// fail take together no longer than there are pairs of lists.
//
// The lists that contain a list are among those that have its rarest line.
// There are few of these on real maps, and most lack a bit of its signature.
// They are looked at from short to long, one at a time, as most searches stop
// early.  Work is counted: where a map needs too much of it, the remaining
// lists are stored for themselves.

#include "lists/pack.h"

enum {
    NEST_WORK_PER_REPORT = 1 << 21, // steps between two reports
    NEST_WORK_FOR_LOOK = 4,         // steps at a word or a list
    NEST_WORK_BASE = 1 << 22,       // for any map
    NEST_WORK_PER_WORD = 256,       // and for each word of its lists
};
static const uint64_t NEST_WORK_AT_MOST = (uint64_t)1 << 32;

struct nest_list {
    uint64_t signature; // has a bit for each linedef; some share one
    uint32_t length;

    // The lists that have its rarest line are having[begin] to having[end - 1];
    // the search goes on at having[next].
    uint32_t begin, end, next;

    bool is_seen;       // by this search, or by one that failed
    uint32_t seen_from; // the list that would become its tail
};

struct nest_matcher {
    struct context *context;
    const struct lists *lists;
    struct nesting *nesting;
    struct nest_list *list;

    uint32_t *order;   // the lists from short to long
    size_t left_count; // so many, the first, are still to be tried

    // The lists that have each line, from short to long: those of line l are
    // having[begin[l]] to having[begin[l + 1] - 1].
    uint32_t *having, *begin;

    uint32_t *trail; // lists seen by this search

    // The context's work at the last report, and where searches end.
    uint64_t work_reported, work_end;
};

// ---------------------------------------------------------------------------
// The index

// Sorts by counting.  `place` has a place for each length, all 0.
static void nest_sort(struct nest_matcher *matcher, uint32_t *place)
{
    const struct lists *lists = matcher->lists;
    for (size_t l = 0; l < lists->list_count; l++)
        place[list_length(lists, l) + 1]++;
    for (size_t length = 1; length <= lists->linedef_end; length++)
        place[length + 1] += place[length];
    for (size_t l = 0; l < lists->list_count; l++)
        matcher->order[place[list_length(lists, l)]++] = (uint32_t)l;
}

// The count of line l is at begin[l + 2].  Sums turn begin[l + 1] into the
// first place of line l.  Filling moves it to the end, where line l + 1 begins.
static void nest_index_lines(struct nest_matcher *matcher)
{
    const struct lists *lists = matcher->lists;
    uint32_t *begin = matcher->begin;
    const uint32_t *line;
    for (size_t o = 0; o < lists->list_count; o++)
        for (line = list_linedefs(lists, matcher->order[o]); *line != LIST_END;
             line++)
            begin[*line + 2]++;
    for (size_t l = 1; l <= lists->linedef_end; l++)
        begin[l + 1] += begin[l];
    for (size_t o = 0; o < lists->list_count; o++)
        for (line = list_linedefs(lists, matcher->order[o]); *line != LIST_END;
             line++)
            matcher->having[begin[*line + 1]++] = matcher->order[o];
}

static void nest_describe_list(struct nest_matcher *matcher, uint32_t number)
{
    const uint32_t *begin = matcher->begin;
    const uint32_t *line = list_linedefs(matcher->lists, number);
    struct nest_list *list = &matcher->list[number];
    uint32_t rarest = *line;
    for (; *line != LIST_END; line++) {
        list->signature |= UINT64_C(1) << (*line * 0x9E3779B1U >> 26);
        if (begin[*line + 1] - begin[*line] < begin[rarest + 1] - begin[rarest])
            rarest = *line;
    }
    list->length = list_length(matcher->lists, number);
    list->begin = list->next = begin[rarest];
    list->end = begin[rarest + 1];
    matcher->context->work += NEST_WORK_FOR_LOOK * (uint64_t)list->length;
}

// ---------------------------------------------------------------------------
// The search

// Whether a list has all linedefs of a shorter one.
static bool nest_contains(struct nest_matcher *matcher, uint32_t outer,
                          uint32_t inner)
{
    const uint32_t *const begin = list_linedefs(matcher->lists, outer);
    const uint32_t *large = begin;
    const uint32_t *small = list_linedefs(matcher->lists, inner);
    uint32_t spare = matcher->list[outer].length - matcher->list[inner].length;
    for (; *small != LIST_END; large++) {
        if (*large == *small)
            small++;
        else if (*large > *small || spare-- == 0)
            break;
    }
    matcher->context->work +=
        NEST_WORK_FOR_LOOK * ((uint64_t)(large - begin) + 1);
    return *small == LIST_END;
}

// The next list that contains this one and is not seen yet, or
// LIST_NUMBER_NONE.
static uint32_t nest_next_outer(struct nest_matcher *matcher, uint32_t inner)
{
    struct nest_list *list = &matcher->list[inner];
    while (list->next < list->end) {
        const uint32_t outer = matcher->having[list->next++];
        const struct nest_list *other = &matcher->list[outer];
        matcher->context->work += NEST_WORK_FOR_LOOK;
        if (other->length > list->length && !other->is_seen &&
            (list->signature & ~other->signature) == 0 &&
            nest_contains(matcher, outer, inner))
            return outer;
    }
    return LIST_NUMBER_NONE;
}

// Goes back along the path that ends at `outer`: each list on it becomes the
// tail of the list that it found.
static void nest_take_path(struct nest_matcher *matcher, uint32_t outer,
                           size_t seen_count)
{
    struct nesting *nesting = matcher->nesting;
    while (outer != LIST_NUMBER_NONE) {
        const uint32_t list = matcher->list[outer].seen_from;
        const uint32_t before = nesting->outer[list];
        nesting->outer[list] = outer;
        nesting->inner[outer] = list;
        outer = before;
    }
    for (size_t i = 0; i < seen_count; i++)
        matcher->list[matcher->trail[i]].is_seen = false;
    nesting->nested_count++;
}

// Searches for a path from a list to one without a tail, and takes it.
static nbstage_status nest_match(struct nest_matcher *matcher, uint32_t start)
{
    struct context *context = matcher->context;
    const struct nesting *nesting = matcher->nesting;
    size_t seen_count = 0;
    uint32_t list = start;
    nbstage_status status = NBSTAGE_OK;
    while (status == NBSTAGE_OK && context->work < matcher->work_end) {
        const uint32_t outer = nest_next_outer(matcher, list);
        if (outer != LIST_NUMBER_NONE) {
            matcher->list[outer].is_seen = true;
            matcher->list[outer].seen_from = list;
            matcher->trail[seen_count++] = outer;
            list = nesting->inner[outer];
            if (list == LIST_NUMBER_NONE) {
                nest_take_path(matcher, outer, seen_count);
                return NBSTAGE_OK;
            }
            matcher->list[list].next = matcher->list[list].begin;
        } else if (list != start) {
            list = matcher->list[nesting->outer[list]].seen_from;
        } else {
            return NBSTAGE_OK;
        }
        if (context->work - matcher->work_reported >= NEST_WORK_PER_REPORT) {
            matcher->work_reported = context->work;
            status = context_progress(
                context, matcher->lists->list_count - matcher->left_count,
                matcher->lists->list_count);
        }
    }
    matcher->nesting->is_early = true;
    return status;
}

// Makes the nesting that saves most, beginning with none.
static nbstage_status nest_match_all(struct nest_matcher *matcher)
{
    struct context *context = matcher->context;
    const struct lists *lists = matcher->lists;
    const size_t count = lists->list_count;
    const uint32_t words = lists->start[count];
    const uint64_t left = context_work_left(context);
    uint64_t limit = NEST_WORK_BASE + NEST_WORK_PER_WORD * (uint64_t)words;
    uint32_t *place;
    const struct context_array arrays[] = {
        {&matcher->list, count, sizeof *matcher->list},
        {&matcher->order, count, sizeof *matcher->order},
        {&matcher->trail, count, sizeof *matcher->trail},
        {&matcher->having, words, sizeof *matcher->having},
        {&matcher->begin, lists->linedef_end + 2, sizeof *matcher->begin},
        {&place, lists->linedef_end + 2, sizeof *place},
    };
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    nest_sort(matcher, place);
    nest_index_lines(matcher);
    for (size_t o = 0; o < count; o++) // by length: loops are predicted
        if (list_length(lists, matcher->order[o]) > 0)
            nest_describe_list(matcher, matcher->order[o]);
    if (limit > NEST_WORK_AT_MOST)
        limit = NEST_WORK_AT_MOST;
    matcher->work_end = context->work + (limit < left ? limit : left);
    for (matcher->left_count = count;
         matcher->left_count > 0 && status == NBSTAGE_OK; matcher->left_count--)
        status = nest_match(matcher, matcher->order[matcher->left_count - 1]);
    context_release(context, matcher->list);
    return status;
}

nbstage_status nest_lists(struct context *context, const struct lists *lists,
                          enum pack_mode mode, struct nesting *nesting)
{
    struct nest_matcher matcher = {.context = context,
                                   .lists = lists,
                                   .nesting = nesting,
                                   .work_reported = context->work};
    const size_t count = lists->list_count;
    *nesting = (struct nesting){0};
    nbstage_status status = context_allocate(
        context, count, 2 * sizeof *nesting->inner, &nesting->inner);
    if (status != NBSTAGE_OK)
        return status;
    nesting->outer = nesting->inner + count;
    for (size_t l = 0; l < 2 * count; l++)
        nesting->inner[l] = LIST_NUMBER_NONE;
    if (mode == PACK_NEST)
        status = nest_match_all(&matcher);
    if (status != NBSTAGE_OK)
        nesting_free(context, nesting);
    return status;
}

void nesting_free(struct context *context, struct nesting *nesting)
{
    context_release(context, nesting->inner);
    *nesting = (struct nesting){0};
}
