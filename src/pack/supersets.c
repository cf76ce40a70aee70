// SPDX-License-Identifier: GPL-2.0-or-later
//
// The supersets of a list are among the lists that have its rarest line.  Real
// maps have few of them.  They are found one at a time, from small to large,
// because most callers stop early.

#include "pack/supersets.h"

#include <string.h>

enum {
    WORK_FOR_LOOK = 4,   // steps at a word or a list
    WORK_BASE = 1 << 22, // for any map
    WORK_PER_WORD = 256, // and for each word of its lists
};
static const uint64_t WORK_AT_MOST = (uint64_t)1 << 32;

uint64_t supersets_work_limit(const struct context *context,
                              const struct supersets *supersets)
{
    const struct lists *lists = supersets->lists;
    uint64_t words = lists->start[lists->list_count];
    uint64_t limit = WORK_BASE + WORK_PER_WORD * words;
    uint64_t left = context_work_left(context);
    if (limit > WORK_AT_MOST)
        limit = WORK_AT_MOST;
    return limit < left ? limit : left;
}

// ---------------------------------------------------------------------------
// The index

// Sorts the lists by counting.  Of equally large ones the last comes first;
// index_lines turns the order round.
static nbstage_status sort_lists(struct context *context,
                                 struct supersets *supersets)
{
    const struct lists *lists = supersets->lists;
    size_t longest = 0;
    for (size_t l = 0; l < lists->list_count; l++)
        if (list_length(lists, l) > longest)
            longest = list_length(lists, l);
    uint32_t *next; // place in the order for each length, longest first
    nbstage_status status =
        context_allocate_zeroed(context, longest + 2, sizeof *next, &next);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t l = 0; l < lists->list_count; l++)
        next[longest - list_length(lists, l) + 1]++;
    for (size_t i = 0; i <= longest; i++)
        next[i + 1] += next[i];
    for (size_t l = lists->list_count; l-- > 0;)
        if (list_length(lists, l) > 0)
            supersets->order[next[longest - list_length(lists, l)]++] =
                (uint32_t)l;
    supersets->order_count = next[longest == 0 ? 0 : longest - 1];
    context_release(context, next);
    return NBSTAGE_OK;
}

// Fills each line's part of `having` from its end, so that `begin` is left at
// its beginning.
static void index_lines(struct supersets *supersets)
{
    const struct lists *lists = supersets->lists;
    uint32_t *begin = supersets->begin;
    for (size_t l = 0; l < lists->list_count; l++)
        for (size_t i = 0; i < list_length(lists, l); i++)
            begin[list_linedefs(lists, l)[i]]++;
    for (size_t line = 0; line < lists->linedef_end; line++)
        begin[line + 1] += begin[line];
    for (size_t o = 0; o < supersets->order_count; o++) {
        uint32_t l = supersets->order[o];
        for (size_t i = 0; i < list_length(lists, l); i++)
            supersets->having[--begin[list_linedefs(lists, l)[i]]] = l;
    }
}

nbstage_status supersets_index(struct context *context,
                               const struct lists *lists,
                               struct supersets *supersets)
{
    *supersets = (struct supersets){.lists = lists};
    const struct context_array arrays[] = {
        {&supersets->order, lists->list_count, sizeof *supersets->order},
        {&supersets->having, lists->start[lists->list_count],
         sizeof *supersets->having},
        {&supersets->begin, lists->linedef_end + 1, sizeof *supersets->begin},
    };
    nbstage_status status = context_allocate_arrays(
        context, arrays, sizeof arrays / sizeof *arrays);
    if (status == NBSTAGE_OK)
        status = sort_lists(context, supersets);
    if (status == NBSTAGE_OK)
        index_lines(supersets);
    else
        supersets_free(context, supersets);
    return status;
}

void supersets_free(struct context *context, struct supersets *supersets)
{
    context_release(context, supersets->order);
    *supersets = (struct supersets){0};
}

// ---------------------------------------------------------------------------
// Supersets of a list

struct superset_cursor supersets_begin(struct supersets *supersets,
                                       uint32_t list)
{
    const uint32_t *linedef = list_linedefs(supersets->lists, list);
    const uint32_t *begin = supersets->begin;
    size_t length = list_length(supersets->lists, list);
    uint32_t rarest = linedef[0];
    for (size_t i = 1; i < length; i++)
        if (begin[linedef[i] + 1] - begin[linedef[i]] <
            begin[rarest + 1] - begin[rarest])
            rarest = linedef[i];
    supersets->work += WORK_FOR_LOOK * (uint64_t)length;
    return (struct superset_cursor){begin[rarest], begin[rarest + 1]};
}

// Whether a list has all linedefs of another that is not longer.
static bool contains(struct supersets *supersets, uint32_t outer,
                     uint32_t inner)
{
    const struct lists *lists = supersets->lists;
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
    supersets->work += WORK_FOR_LOOK * ((uint64_t)(large - large_begin) + 1);
    return small == small_end;
}

uint32_t supersets_next(struct supersets *supersets, uint32_t list,
                        const bool *left_out, struct superset_cursor *cursor)
{
    size_t length = list_length(supersets->lists, list);
    while (cursor->next < cursor->end) {
        uint32_t other = supersets->having[cursor->next++];
        supersets->work += WORK_FOR_LOOK;
        if (!left_out[other] && list_length(supersets->lists, other) > length &&
            contains(supersets, other, list))
            return other;
    }
    return LIST_NUMBER_NONE;
}
