// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gives blocks larger lists that contain theirs, so that these need not be
// stored.
//
// Lists are taken from large to small, so that it is known which of a list's
// supersets stay.  A list with any superset has one that stays.

#include "pack/pack.h"
#include "pack/supersets.h"

#include <string.h>

enum { PROGRESS_WORK = 1 << 23 }; // steps between two reports

// Finds, for each list, the smallest superset that stays, or the list itself.
static nbstage_status find_covers(struct context *context,
                                  struct supersets *supersets,
                                  uint32_t *instead, bool *is_covered,
                                  bool *is_complete)
{
    uint64_t limit = supersets_work_limit(context, supersets);
    uint64_t reported = 0;
    nbstage_status status = NBSTAGE_OK;
    size_t o = 0;
    for (; o < supersets->order_count && status == NBSTAGE_OK &&
           supersets->work < limit;
         o++) {
        uint32_t list = supersets->order[o];
        struct superset_cursor cursor = supersets_begin(supersets, list);
        uint32_t outer = supersets_next(supersets, list, is_covered, &cursor);
        is_covered[list] = outer != LIST_NUMBER_NONE;
        instead[list] = is_covered[list] ? outer : list;
        if (supersets->work - reported >= PROGRESS_WORK) {
            status = context_progress(context, o, supersets->order_count);
            reported = supersets->work;
        }
    }
    *is_complete = o == supersets->order_count;
    return status;
}

// Gives the blocks of each list l the list `instead[l]`, and removes the lists
// that no block has any more.
static nbstage_status replace_lists(struct context *context,
                                    struct lists *lists, uint32_t *instead)
{
    size_t kept = 0;
    uint32_t next = 0;
    const bool is_exact = !lists->exact_length;
    nbstage_status status = NBSTAGE_OK;
    if (is_exact)
        status =
            context_allocate(context, lists->block_count,
                             sizeof *lists->exact_length, &lists->exact_length);
    if (status != NBSTAGE_OK)
        return status;
    lists_put_numbers(lists);
    for (size_t b = 0; b < lists->block_count; b++) {
        uint32_t list = lists->words[lists->place[b]];
        if (is_exact)
            lists->exact_length[b] = list_length(lists, list);
        lists->entry_count +=
            list_length(lists, instead[list]) - list_length(lists, list);
        lists->place[b] = instead[list]; // until it has a new place
    }
    for (size_t l = 0; l < lists->list_count; l++) {
        uint32_t begin = lists->start[l];
        uint32_t size = lists->start[l + 1] - begin;
        if (instead[l] != l)
            continue;
        memmove(lists->words + next, lists->words + begin,
                size * sizeof *lists->words);
        lists->words[next] = LIST_HEADER;
        lists->start[kept++] = next;
        instead[l] = next;
        next += size;
    }
    lists->start[kept] = next;
    lists->list_count = kept;
    for (size_t b = 0; b < lists->block_count; b++)
        lists->place[b] = instead[lists->place[b]];
    return NBSTAGE_OK;
}

nbstage_status cover_lists(struct context *context, struct lists *lists,
                           bool *is_complete)
{
    struct supersets supersets;
    uint32_t *instead; // of each list, the one that blocks get
    bool *is_covered;  // which is another
    const struct context_array arrays[] = {
        {&instead, lists->list_count, sizeof *instead},
        {&is_covered, lists->list_count, sizeof *is_covered},
    };
    nbstage_status status = supersets_index(context, lists, &supersets);
    if (status != NBSTAGE_OK)
        return status;
    status = context_allocate_arrays(context, arrays,
                                     sizeof arrays / sizeof *arrays);
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++)
        instead[l] = l;
    if (status == NBSTAGE_OK)
        status =
            find_covers(context, &supersets, instead, is_covered, is_complete);
    context->work += supersets.work;
    supersets_free(context, &supersets);
    if (status == NBSTAGE_OK)
        status = replace_lists(context, lists, instead);
    context_release(context, instead);
    return status;
}
