// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes lists one after the other, each for itself or nested.  A list ends
// only at its end mark, so linedefs of two can share words in one way: one is
// the tail of the other, which has all its linedefs.  1 2 3 4, 2 3 4 and 4 make
// one chain.  Below each word to which the offset of a list leads is a ^:
//
//     zero    0 1 0 2 3 0 4 end
//             ^   ^     ^
//     any     1 1 2 3 4 end
//             ^ ^   ^
//     none    1 2 3 4 end
//             ^ ^   ^
//
// With zero headers, an engine takes a 0 in the middle of a list for linedef 0,
// and tests it in vain.  With any header, a tail uses the word before it: a
// linedef of the list around it.  The first of a chain gets one of its own, the
// empty list a 0.  Without headers, offsets lead to the first linedef.
//
// Chains come in the order in which blocks first have their longest lists,
// except for one: the chain whose last list is the longest goes to the end.  Of
// all orders of the chains this has the smallest largest offset.  The empty
// list, which could be the tail of any chain, is that of the first.
//
// A list has one tail at most, and is the tail of one at most.  Of the lists
//
//     A  1 2 3 4      B  1 2 5      C  1 2      D  1 5
//
// C can be the tail of A or B, and D that of B.  If C takes B, D finds none.
// But C can move to A: "3 4 1 2 end" and "2 1 5 end" hold all four.
//
// A tail saves the same words whatever it is the tail of, so it only matters
// which lists are tails.  From the longest list to the shortest we make each a
// tail if all earlier tails can stay tails, even if a path has to be found on
// which they move to other lists: D takes B, C takes A.
//
// A search that fails has seen all lists that can contain one that it saw, and
// all have tails.  No later path leads through them, so they are not entered
// again: all searches that fail look at a pair of lists at most once.
//
// No other choice saves more.  Once all lists of at least n linedefs are tried,
// no path makes one more of them a tail, so no choice makes more of them tails
// (Berge's theorem).  They stay tails.  This is so for each n, and a tail of m
// linedefs saves a word for each n up to m, and one or two for any n.
//
// Only lists that came before a list and have its rarest line can contain it.
// These are few, and most lack a bit of its signature.  Where a map takes too
// much work, lists that remain are stored for themselves.

#include "lists/pack.h"

enum {
    PACK_WORK_PER_REPORT = 1 << 21, // steps between two reports
    PACK_WORK_FOR_LOOK = 4,         // steps at a word or a list
    PACK_WORK_BASE = 1 << 22,       // for nesting the lists of any map
    PACK_WORK_PER_WORD = 256,       // and for each word of them
};

struct pack_search {
    struct context *context;
    struct list_link *links;
    uint64_t *signatures; // of lists: Bloom filters of their linedefs
};

// Adds a list to those of its lines, after it has found which may contain it.
static void pack_enter(const struct pack_search *search,
                       struct list_group *groups, struct list_link *link)
{
    uint64_t *signature = &search->signatures[link - search->links];
    link->holders = groups[*link->linedefs];
    for (const uint32_t *l = link->linedefs; *l != LIST_END; l++) {
        struct list_group *group = &groups[*l];
        *signature |= UINT64_C(1) << (*l * 0x9E3779B1U >> 26);
        if (group->count < link->holders.count)
            link->holders = *group;
        *--group->first = link;
        group->count++;
    }
    link->next = link->holders.first;
}

// A step in the search for a path from `start` to a list without a tail: looks
// at the next list that may contain `link`, the end of the path.  Returns its
// new end, or NULL if the search is over.  If it has found a path, each list on
// it has become the tail of the list that was found for it.
static struct list_link *pack_step(const struct pack_search *search,
                                   struct list_link *start,
                                   struct list_link *link)
{
    if (link->next == link->holders.first + link->holders.count)
        return link->from;
    struct list_link *outer = *link->next++;
    const uint64_t lacking = search->signatures[link - search->links] &
                             ~search->signatures[outer - search->links];
    // Not if this search, or one that failed, has seen it: the list that such
    // a search began with is no tail.
    bool can_hold =
        lacking == 0 && (!outer->seen_for || outer->seen_for->outer);
    const uint32_t *small = link->linedefs;
    uint64_t spare = can_hold ? outer->length - link->length : 0, looks = 0;
    for (; can_hold && *small != LIST_END; looks++)
        if (outer->linedefs[looks] == *small)
            small++;
        else
            can_hold = outer->linedefs[looks] < *small && spare-- > 0;
    search->context->work += PACK_WORK_FOR_LOOK * (1 + looks);
    if (!can_hold)
        return link;
    outer->seen_for = start;
    if (outer->inner) {
        outer->inner->from = link;
        outer->inner->next = outer->inner->holders.first;
        return outer->inner;
    }
    for (; link; link = link->from) {
        link->outer = link->next[-1];
        link->outer->inner = link;
    }
    return NULL;
}

nbstage_status pack_link_lists(struct context *context, struct lists *lists,
                               enum pack_mode mode, struct list_link **links)
{
    const uint64_t words = lists->word_count;
    const uint64_t most = PACK_WORK_BASE + PACK_WORK_PER_WORD * words;
    const uint64_t left = context_work_left(context);
    const uint64_t work_end = context->work + (most < left ? most : left);
    struct pack_search search = {.context = context};
    struct list_group *groups;
    struct list_link *link, **members, **of_length;
    size_t done_count = 0;
    const struct context_array arrays[] = {
        {links, lists->list_count, sizeof **links},
        // For PACK_NEST; of_length is the last list of each length.
        {&search.signatures, lists->list_count, sizeof(uint64_t)},
        {&groups, lists->linedef_end, sizeof *groups},
        {&members, words, sizeof(struct list_link *)},
        {&of_length, lists->linedef_end + 1, sizeof(struct list_link *)},
    };
    nbstage_status status =
        context_allocate_arrays(context, arrays, mode == PACK_NEST ? 5 : 1);
    search.links = *links;
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
            groups[*line].count++;
    }
    if (status != NBSTAGE_OK || mode == PACK_SHARE)
        return status;
    for (size_t l = 0; l < lists->linedef_end; l++) {
        members += groups[l].count;
        groups[l] = (struct list_group){members, 0};
    }
    for (size_t length = lists->linedef_end; length > 0; length--)
        for (struct list_link *start = of_length[length];
             start && status == NBSTAGE_OK; start = start->before) {
            context->work += PACK_WORK_FOR_LOOK * (length + LIST_EXTRA_WORDS);
            pack_enter(&search, groups, start);
            done_count++;
            link = start;
            while (link && status == NBSTAGE_OK && context->work < work_end) {
                const uint64_t reports = context->work / PACK_WORK_PER_REPORT;
                link = pack_step(&search, start, link);
                if (context->work / PACK_WORK_PER_REPORT > reports)
                    status = context_progress(context, done_count,
                                              lists->list_count);
            }
        }
    lists->is_early = context->work >= work_end;
    return status;
}

// Writes a chain; the first one also gets the empty list, if there is one.
// Writes each list's new place over its header.
static void pack_put_chain(struct list_link *chain, struct list_link *empty,
                           struct lists *lists, uint32_t *words)
{
    const bool have_headers = lists->header != HEADER_NONE;
    uint32_t *const head = words + lists->word_count;
    uint32_t *word = head;
    for (struct list_link *link = chain; link; link = link->inner) {
        if (!link->inner && link != empty && lists->word_count == 0)
            link->inner = empty;
        const uint32_t *linedef = link->linedefs;
        const uint32_t *tail =
            link->inner ? link->inner->linedefs : linedef + link->length;
        if (lists->header == HEADER_ZERO || (have_headers && link == chain))
            *word++ = LIST_HEADER;
        lists->largest_place = (uint32_t)(word - words) - have_headers;
        link->linedefs[-1] = lists->largest_place;
        for (; *linedef != LIST_END; linedef++)
            if (*linedef == *tail)
                tail++;
            else
                *word++ = *linedef;
    }
    if (lists->header == HEADER_ANY && word > head + 1)
        head[0] = head[1];
    *word++ = LIST_END;
    lists->word_count = (size_t)(word - words);
}

// Engines from MBF21 on assume headers if all lists begin with a 0.  Lists that
// all have linedef 0 might, and must not mislead them.
nbstage_status pack_lists(struct context *context, struct pack_form form,
                          struct lists *lists)
{
    struct list_link *links, *link, *last = NULL, *empty = NULL;
    uint32_t *words = NULL;
    bool all_have_0 = true;
    lists->header = form.header;
    if (form.mode == PACK_SHARE && form.header == HEADER_ZERO)
        return NBSTAGE_OK; // as they are
    nbstage_status status = pack_link_lists(context, lists, form.mode, &links);
    if (status == NBSTAGE_OK) // chains never take more words than lists
        status =
            context_allocate(context, lists->word_count, sizeof *words, &words);
    if (status != NBSTAGE_OK) {
        context_release(context, links);
        return status;
    }
    struct list_link *const end = links + lists->list_count;
    for (link = links; link < end; link++) {
        all_have_0 &= *link->linedefs == 0;
        lists->nested_count += link->outer != NULL;
        if (!link->inner && (!last || link->length >= last->length))
            last = link;
        if (link->length == 0)
            empty = link;
    }
    if (lists->header == HEADER_NONE && all_have_0)
        lists->header = HEADER_ANY;
    while (last->outer)
        last = last->outer;
    lists->word_count = 0;
    for (link = links; link < end; link++)
        if (!link->outer && link->length > 0 && link != last)
            pack_put_chain(link, empty, lists, words);
    pack_put_chain(last, empty, lists, words);
    for (size_t b = 0; b < lists->block_count; b++)
        lists->place[b] = lists->words[lists->place[b]];
    context_release(context, links);
    context_release(context, lists->words);
    lists->words = words;
    return NBSTAGE_OK;
}
