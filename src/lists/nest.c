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
// A tail saves its own linedefs and its end mark, whatever it is the tail of,
// so it only matters which lists are tails.  From the longest list to the
// shortest we make each a tail if all earlier tails can stay tails, even if a
// path has to be found on which they move to other lists: D takes B, C takes A.
//
// No other choice saves more.  Suppose one does.  Order its tails and ours from
// long to short, and take the first place k where its tail is longer than ours,
// or ours has none.  Draw each list twice, as a tail and as what has a tail,
// and an edge for each of its first k tails and of our first k - 1.  No point
// has two edges of one choice, so edges form paths and circles on which the
// choices take turns.  It has more edges, so one path begins and ends with its
// own.  Swapped along it, our tails stay tails and one of its tails joins them.
// That one is longer than our tail at k, so we tried it before, with fewer
// tails in its way, and would have taken it.
//
// A search that finds no path has seen only lists from which no path leads
// anywhere, now or later.  They are not looked at again, so all searches that
// fail take together no longer than there are pairs of lists.
//
// Only lists that came before a list and have its rarest line can contain it.
// These are few, and most lack a bit of its signature.  Where a map takes too
// much work, the remaining lists are stored for themselves.

#include "lists/lists.h"

enum {
    NEST_WORK_PER_REPORT = 1 << 21, // steps between two reports
    NEST_WORK_FOR_LOOK = 4,         // steps at a word or a list
    NEST_WORK_BASE = 1 << 22,       // for any map
    NEST_WORK_PER_WORD = 256,       // and for each word of its lists
};

// The lists that have a line, of those that came, from short to long: `having`
// from begin to end - 1.
struct nest_line {
    uint32_t begin, end;
};

struct nesting {
    struct context *context;
    struct list_link *links;
    uint64_t *signatures; // a bit for each line of a list; some share one
    struct nest_line *lines;
    uint32_t *having; // numbers of lists
    uint32_t list_count, done_count;
    uint64_t work_end; // of the context
};

// Adds a list to those of its lines, after it has found which may contain it.
static void nest_enter(struct nesting *nesting, struct list_link *link)
{
    const uint32_t number = (uint32_t)(link - nesting->links);
    uint32_t fewest = UINT32_MAX;
    for (const uint32_t *l = link->linedefs; *l != LIST_END; l++) {
        struct nest_line *line = &nesting->lines[*l];
        nesting->signatures[number] |= UINT64_C(1) << (*l * 0x9E3779B1U >> 26);
        if (line->end - line->begin < fewest) {
            fewest = line->end - line->begin;
            link->begin = line->begin;
            link->end = line->end;
        }
        nesting->having[--line->begin] = number;
    }
    link->next = link->begin;
    nesting->done_count++;
}

// Whether a list that is not seen has all linedefs of another.  It counts as
// seen if the last search that saw it still goes on or has failed: if the list
// which that began with is no tail.
static bool nest_can_hold(struct context *context,
                          const struct list_link *outer,
                          const struct list_link *inner)
{
    const uint32_t *large = outer->linedefs, *small = inner->linedefs;
    uint32_t spare = outer->length - inner->length;
    bool can_hold = !(outer->seen_for && !outer->seen_for->outer);
    for (; can_hold && *small != LIST_END; large++) {
        if (*large == *small)
            small++;
        else
            can_hold = *large < *small && spare-- > 0;
    }
    context->work += NEST_WORK_FOR_LOOK * (uint64_t)(large - outer->linedefs);
    return can_hold;
}

// Searches for a path from a list to one without a tail, and takes it.
static nbstage_status nest_match(struct nesting *nesting,
                                 struct list_link *start)
{
    struct context *context = nesting->context;
    struct list_link *link = start, *free_list = NULL;
    nbstage_status status = NBSTAGE_OK;
    nest_enter(nesting, start);
    context->work += NEST_WORK_FOR_LOOK * (start->length + LIST_EXTRA_WORDS);
    while (link && status == NBSTAGE_OK && context->work < nesting->work_end) {
        const uint64_t reports = context->work / NEST_WORK_PER_REPORT;
        if (link->next == link->end) {
            link = link == start ? NULL : link->outer->seen_from;
            continue;
        }
        const uint32_t number = nesting->having[link->next++];
        struct list_link *outer = &nesting->links[number];
        context->work += NEST_WORK_FOR_LOOK;
        if ((nesting->signatures[link - nesting->links] &
             ~nesting->signatures[number]) == 0 &&
            nest_can_hold(context, outer, link)) {
            outer->seen_for = start;
            outer->seen_from = link;
            link = outer->inner;
            if (link)
                link->next = link->begin;
            else
                free_list = outer;
        }
        if (context->work / NEST_WORK_PER_REPORT > reports)
            status = context_progress(context, nesting->done_count,
                                      nesting->list_count);
    }
    // Back along the path, each list becomes the tail of the one it found.
    for (struct list_link *freed; free_list; free_list = freed) {
        link = free_list->seen_from;
        freed = link->outer;
        link->outer = free_list;
        free_list->inner = link;
    }
    return status;
}

nbstage_status nest_lists(struct context *context, struct lists *lists,
                          enum pack_mode mode, struct list_link **links)
{
    const uint64_t words = lists->word_count;
    const uint64_t most = NEST_WORK_BASE + NEST_WORK_PER_WORD * words;
    const uint64_t left = context_work_left(context);
    struct nesting nesting = {.context = context,
                              .list_count = (uint32_t)lists->list_count};
    // The last list of each length, and the list of the same length before
    // each list, plus 1; 0 for none.
    uint32_t *of_length, *before;
    const struct context_array arrays[] = {
        {links, lists->list_count, sizeof **links},
        // For PACK_NEST.
        {&nesting.signatures, lists->list_count, sizeof *nesting.signatures},
        {&nesting.having, words, sizeof *nesting.having},
        {&nesting.lines, lists->linedef_end, sizeof *nesting.lines},
        {&of_length, lists->linedef_end + 1, sizeof *of_length},
        {&before, lists->list_count, sizeof *before},
    };
    nbstage_status status =
        context_allocate_arrays(context, arrays, mode == PACK_NEST ? 6 : 1);
    nesting.links = *links;
    nesting.work_end = context->work + (most < left ? most : left);
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++) {
        struct list_link *link = &nesting.links[l];
        link->linedefs = lists->words + lists->start[l] + 1;
        link->linedefs[-1] = l;
        link->length = list_length(lists, l);
        if (mode == PACK_NEST) {
            before[l] = of_length[link->length];
            of_length[link->length] = l + 1;
            for (const uint32_t *line = link->linedefs; *line != LIST_END;
                 line++)
                nesting.lines[*line].end++;
        }
    }
    if (status != NBSTAGE_OK || mode == PACK_SHARE)
        return status;
    for (uint32_t l = 0, end = 0; l < lists->linedef_end; l++) {
        end += nesting.lines[l].end;
        nesting.lines[l].begin = nesting.lines[l].end = end;
    }
    for (size_t length = lists->linedef_end; length > 0; length--)
        for (uint32_t n = of_length[length]; n > 0 && status == NBSTAGE_OK;
             n = before[n - 1])
            status = nest_match(&nesting, &nesting.links[n - 1]);
    lists->is_early = context->work >= nesting.work_end;
    return status;
}
