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
// A search that finds no path has seen only lists with tails, and no others
// contain these tails.  So no path leads on from them, now or later, and they
// are not looked at again: all searches that fail take together no longer than
// there are pairs of lists.
//
// No other choice saves more.  Once all lists of at least n linedefs are tried,
// no path makes one more of them a tail, so no choice makes more of them tails
// (Berge's theorem).  Later paths keep them.  This is so for each n, and a tail
// of m linedefs saves a word for each n up to m, and its end mark.
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

// The lists that have a line, of those that came, from short to long.
struct nest_line {
    struct list_link **first;
    size_t count;
};

// Adds a list to those of its lines, after it has found which may contain it.
// Its signature has a bit for each line; some share one.
static void nest_enter(struct nest_line *lines, struct list_link *link)
{
    struct nest_line rarest = lines[*link->linedefs];
    for (const uint32_t *l = link->linedefs; *l != LIST_END; l++) {
        struct nest_line *line = &lines[*l];
        link->signature |= UINT64_C(1) << (*l * 0x9E3779B1U >> 26);
        if (line->count < rarest.count)
            rarest = *line;
        *--line->first = link;
        line->count++;
    }
    link->first = link->next = rarest.first;
    link->end = rarest.first + rarest.count;
}

// Looks at the next list that may contain the one to which a search for a list
// without a tail has come on its path.  Returns to which it comes; NULL if it
// ends.  Has it found one, each list on the path gets the place it found.
static struct list_link *nest_step(struct context *context,
                                   struct list_link *start,
                                   struct list_link *link)
{
    if (link->next == link->end)
        return link->from;
    struct list_link *outer = *link->next++;
    const uint32_t *large = outer->linedefs, *small = link->linedefs;
    uint32_t spare = outer->length - link->length;
    // It is seen if the last search that saw it still goes on or has failed: if
    // the list which that began with is no tail.
    bool can_hold = (link->signature & ~outer->signature) == 0 &&
                    (!outer->seen_for || outer->seen_for->outer);
    for (; can_hold && *small != LIST_END; large++)
        if (*large == *small)
            small++;
        else
            can_hold = *large < *small && spare-- > 0;
    context->work +=
        NEST_WORK_FOR_LOOK * (1 + (uint64_t)(large - outer->linedefs));
    if (!can_hold)
        return link;
    outer->seen_for = start;
    if (outer->inner) {
        outer->inner->from = link;
        outer->inner->next = outer->inner->first;
        return outer->inner;
    }
    for (; link; link = link->from) {
        link->outer = link->next[-1];
        link->outer->inner = link;
    }
    return NULL;
}

nbstage_status nest_lists(struct context *context, struct lists *lists,
                          enum pack_mode mode, struct list_link **links)
{
    const uint64_t words = lists->word_count;
    const uint64_t most = NEST_WORK_BASE + NEST_WORK_PER_WORD * words;
    const uint64_t left = context_work_left(context);
    const uint64_t work_end = context->work + (most < left ? most : left);
    struct nest_line *lines;
    struct list_link *link, **having;
    struct list_link **of_length; // the last list of each length
    size_t done_count = 0;
    const struct context_array arrays[] = {
        {links, lists->list_count, sizeof **links},
        // For PACK_NEST.
        {&lines, lists->linedef_end, sizeof *lines},
        {&having, words, sizeof(struct list_link *)},
        {&of_length, lists->linedef_end + 1, sizeof(struct list_link *)},
    };
    nbstage_status status =
        context_allocate_arrays(context, arrays, mode == PACK_NEST ? 4 : 1);
    for (uint32_t l = 0; l < lists->list_count && status == NBSTAGE_OK; l++) {
        link = &(*links)[l];
        link->linedefs = lists->words + lists->start[l] + 1;
        link->linedefs[-1] = l;
        link->length = lists->start[l + 1] - lists->start[l] - LIST_EXTRA_WORDS;
        if (mode == PACK_SHARE)
            continue;
        link->before = of_length[link->length];
        of_length[link->length] = link;
        for (const uint32_t *line = link->linedefs; *line != LIST_END; line++)
            lines[*line].count++;
    }
    if (status != NBSTAGE_OK || mode == PACK_SHARE)
        return status;
    for (size_t l = 0; l < lists->linedef_end; l++) {
        having += lines[l].count;
        lines[l] = (struct nest_line){having, 0};
    }
    for (size_t length = lists->linedef_end; length > 0; length--)
        for (struct list_link *start = of_length[length];
             start && status == NBSTAGE_OK; start = start->before) {
            context->work += NEST_WORK_FOR_LOOK * (length + LIST_EXTRA_WORDS);
            nest_enter(lines, start);
            done_count++;
            link = start;
            while (link && status == NBSTAGE_OK && context->work < work_end) {
                const uint64_t reports = context->work / NEST_WORK_PER_REPORT;
                link = nest_step(context, start, link);
                if (context->work / NEST_WORK_PER_REPORT > reports)
                    status = context_progress(context, done_count,
                                              lists->list_count);
            }
        }
    lists->is_early = context->work >= work_end;
    return status;
}
