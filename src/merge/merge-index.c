// SPDX-License-Identifier: GPL-2.0-or-later
//
// An array of chains for each line, one behind the other.  Arrays only shrink,
// as joining two chains makes at most one of two entries.
//
// A line in very many lists would make nearly all chains meet each other, and
// is no sign that two of them are alike: it is left out.

#include "merge/merge-index.h"

enum { MOST_CHAINS = 1024 }; // that a line of the index is in

static nbstage_status allocate(const struct chain_set *set,
                               struct chain_index *index)
{
    struct context *context = set->context;
    const size_t list_count = set->lists->list_count;
    const size_t words = set->lists->start[list_count];
    nbstage_status status =
        context_allocate(context, words, sizeof *index->having, &index->having);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, set->line_count,
                                  sizeof *index->begin, &index->begin);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(context, set->line_count,
                                         sizeof *index->end, &index->end);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, list_count, sizeof *index->met,
                                  &index->met);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(
            context, list_count, sizeof *index->met_lines, &index->met_lines);
    return status;
}

// Counts the chains of each line into `end`.
static void count_chains(const struct chain_set *set, struct chain_index *index)
{
    for (size_t c = 0; c < set->lists->list_count; c++)
        for (size_t i = 0; i < set->chains[c].line_count; i++)
            index->end[set->chains[c].lines[i].linedef]++;
}

static void enter_chains(const struct chain_set *set, struct chain_index *index)
{
    for (uint32_t c = 0; c < set->lists->list_count; c++)
        for (size_t i = 0; i < set->chains[c].line_count; i++) {
            uint32_t line = set->chains[c].lines[i].linedef;
            if (index->begin[line] != SIZE_MAX)
                index->having[index->end[line]++] = c;
        }
}

nbstage_status chain_index_make(const struct chain_set *set,
                                struct chain_index *index)
{
    *index = (struct chain_index){0};
    nbstage_status status = allocate(set, index);
    if (status != NBSTAGE_OK) {
        chain_index_free(set->context, index);
        return status;
    }
    count_chains(set, index);
    size_t next = 0;
    for (size_t line = 0; line < set->line_count; line++) {
        size_t count = index->end[line];
        bool is_in = count <= MOST_CHAINS;
        index->begin[line] = index->end[line] = is_in ? next : SIZE_MAX;
        next += is_in ? count : 0;
    }
    enter_chains(set, index);
    return NBSTAGE_OK;
}

void chain_index_meet(struct chain_index *index, const struct chain_set *set,
                      uint32_t number)
{
    const struct chain *chain = &set->chains[number];
    index->met_count = 0;
    index->unindexed = 0;
    for (size_t i = 0; i < chain->line_count; i++) {
        const size_t begin = index->begin[chain->lines[i].linedef];
        const size_t end = index->end[chain->lines[i].linedef];
        index->unindexed += begin == end;
        index->work += end - begin + 1;
        for (size_t h = begin; h < end; h++) {
            uint32_t other = index->having[h];
            if (other != number && index->met_lines[other]++ == 0)
                index->met[index->met_count++] = other;
        }
    }
}

void chain_index_part(struct chain_index *index)
{
    for (size_t m = 0; m < index->met_count; m++)
        index->met_lines[index->met[m]] = 0;
    index->met_count = 0;
}

// Replaces a chain by another among those that have a line; removes it if the
// other is there already.
static void replace(struct chain_index *index, uint32_t line, uint32_t old,
                    uint32_t new, bool is_there)
{
    size_t h = index->begin[line];
    if (h == index->end[line])
        return;
    while (index->having[h] != old)
        h++;
    index->work += h - index->begin[line];
    if (is_there)
        new = index->having[--index->end[line]];
    index->having[h] = new;
}

void chain_index_join(struct chain_index *index, struct chain_set *set,
                      uint32_t low, uint32_t high)
{
    const struct chain *from = &set->chains[high];
    chain_set_mark(set, low);
    for (size_t i = 0; i < from->line_count; i++) {
        uint32_t line = from->lines[i].linedef;
        replace(index, line, high, low, set->mark[line] != 0);
    }
    chain_set_unmark(set, low);
}

void chain_index_free(struct context *context, struct chain_index *index)
{
    context_release(context, index->having);
    context_release(context, index->begin);
    context_release(context, index->end);
    context_release(context, index->met);
    context_release(context, index->met_lines);
    *index = (struct chain_index){0};
}
