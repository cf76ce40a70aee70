// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists are taken from large to small, so that it is known of the supersets of
// each whether they stay.  A list that is contained in any is contained in one
// that stays.

#include "pack/cover.h"

#include "pack/supersets.h"

enum { PROGRESS_WORK = 1 << 21 }; // steps between two reports

// The smallest superset that stays, or the list itself.
static uint32_t find_cover(struct supersets *supersets, uint32_t list,
                           const uint32_t *instead)
{
    struct superset_cursor walk = supersets_begin(supersets, list);
    for (;;) {
        uint32_t outer = supersets_next(supersets, list, &walk);
        if (outer == LIST_NUMBER_NONE)
            return list;
        if (instead[outer] == outer)
            return outer;
    }
}

static nbstage_status find_covers(struct context *context,
                                  struct supersets *supersets,
                                  uint32_t *instead, bool *is_complete)
{
    uint64_t limit = supersets_work_limit(context, supersets);
    uint64_t reported = 0;
    nbstage_status status = NBSTAGE_OK;
    size_t o = 0;
    for (; o < supersets->order_count && status == NBSTAGE_OK &&
           supersets->work < limit;
         o++) {
        uint32_t list = supersets->order[o];
        instead[list] = find_cover(supersets, list, instead);
        if (supersets->work - reported >= PROGRESS_WORK) {
            status = context_progress(context, o, supersets->order_count);
            reported = supersets->work;
        }
    }
    *is_complete = o == supersets->order_count;
    return status;
}

nbstage_status cover_lists(struct context *context, struct lists *lists,
                           bool *is_complete)
{
    struct supersets supersets;
    uint32_t *instead; // of each list, the one that blocks get
    nbstage_status status = supersets_index(context, lists, &supersets);
    if (status != NBSTAGE_OK)
        return status;
    status =
        context_allocate(context, lists->list_count, sizeof *instead, &instead);
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++)
        instead[l] = l;
    if (status == NBSTAGE_OK)
        status = find_covers(context, &supersets, instead, is_complete);
    context->work += supersets.work;
    supersets_free(context, &supersets);
    if (status == NBSTAGE_OK)
        status = lists_replace(context, lists, instead);
    context_release(context, instead);
    return status;
}
