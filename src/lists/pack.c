// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes lists one after the other, standalone or nested.  A list ends only at
// its end mark, so two lists share words only if one is a subset, stored as the
// tail of the other.  1 2 3 4, 2 3 4 and 4 make one chain.  A ^ marks each word
// that the offset of a list leads to:
//
//     zero    0 1 0 2 3 0 4 end
//             ^   ^     ^
//     any     1 1 2 3 4 end
//             ^ ^   ^
//     none    1 2 3 4 end
//             ^ ^   ^
//
// With HEADER_ZERO, an engine takes a 0 in the middle of a list for linedef 0,
// and tests that linedef needlessly.  With HEADER_ANY, the preceding word of
// the enclosing list is the header of a tail; the head of a chain gets a header
// of its own, the empty list a 0.  With HEADER_NONE, offsets lead to the first
// linedef.
//
// Chains come in the order in which blocks first have their longest lists,
// except for one: the chain whose last list is the longest goes to the end.  No
// other order of the chains has a smaller largest offset.  The empty list is
// the tail of the first chain.
//
// A list has one tail at most, and is the tail of one at most.  Of the lists
//
//     A  1 2 3 4      B  1 2 5      C  1 2      D  1 5
//
// C can be the tail of A or B, but D only of B.  If C takes B, D finds none.
// But C can move to A: "3 4 1 2 end" and "2 1 5 end" hold all four.
//
// A tail saves the same words whichever list it is the tail of, so only the set
// of tails matters.  From the longest list to the shortest we make each a tail
// if all earlier tails can stay tails, if need be by an augmenting path that
// moves them to other lists: D takes B, C takes A.
//
// A failed search has visited a closed set: all lists that can contain one of
// the set are in it, and all have tails.  No later path leads through the set,
// so it is not entered again: all failed searches together look at a pair of
// lists at most once.
//
// No other choice saves more.  Once all lists of at least n linedefs are tried,
// no path makes one more of them a tail, so no choice makes more of them tails
// (Berge's theorem).  They stay tails.  Hence the matching is maximum for every
// minimum length n at once.  A tail of m linedefs saves a word for each n up to
// m, and one or two more, so the total saving is the largest, too.
//
// Only lists that came before a list and have its rarest line can contain it.
// They are few, and most lack a bit of its signature.  If a map takes too much
// work, the remaining lists are stored standalone.

#include "lists/pack.h"

#include "base/context.h"
#include "base/macros.h"
#include "lists/lists.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PACK_WORK_PER_REPORT = 1 << 21, // steps between two reports
    PACK_WORK_FOR_LOOK = 4,         // steps per word or list looked at
    PACK_WORK_BASE = 1 << 22,       // most steps for nesting any map's lists
    PACK_WORK_PER_WORD = 256,       // and for each word of the lists
};

struct pack_search {
    struct context *context;
    struct list_link *links;
    size_t list_count, done_count;  // all lists, and those that were tried
    uint64_t work_end, next_report; // steps

    uint64_t *signatures;         // of lists: Bloom filters of their linedefs
    struct list_group *groups;    // lists by linedef
    struct list_link **members;   // of the groups
    struct list_link **of_length; // the last list of each length
};

// Finds the candidates that may contain a list, then indexes the list by its
// linedefs.
static void pack_enter(const struct pack_search *search, struct list_link *link)
{
    struct list_group *groups = search->groups;
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
// at the next list that may contain `link`, the end of the path.  Returns the
// new end, or NULL if the search is over.  On success it augments the matching:
// each list on the path becomes the tail of the list that was found for it.
static struct list_link *pack_step(const struct pack_search *search,
                                   struct list_link *start,
                                   struct list_link *link)
{
    if (link->next == link->holders.first + link->holders.count)
        return link->from;
    struct list_link *outer = *link->next++;
    const uint64_t lacking = search->signatures[link - search->links] &
                             ~search->signatures[outer - search->links];
    // Skip lists that this search has seen, or a failed one, whose start is
    // still no tail.
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

nbstage_status pack_link_lists(struct context *context,
                               const struct lists *lists,
                               struct list_link **links)
{
    NEED(context_allocate_zeroed(context, lists->list_count, sizeof **links,
                                 links));
    for (uint32_t l = 0; l < lists->list_count; l++) {
        struct list_link *link = &(*links)[l];
        link->linedefs = lists->words + lists->start[l] + 1;
        link->linedefs[-1] = l;
        link->length = lists->start[l + 1] - lists->start[l] - LIST_EXTRA_WORDS;
    }
    return NBSTAGE_OK;
}

// Sorts lists by length, and makes room for the lists of each linedef.
static void pack_sort(struct pack_search *search, size_t linedef_end)
{
    struct list_link **members = search->members;
    for (size_t l = 0; l < search->list_count; l++) {
        struct list_link *link = &search->links[l];
        link->before = search->of_length[link->length];
        search->of_length[link->length] = link;
        for (const uint32_t *line = link->linedefs; *line != LIST_END; line++)
            search->groups[*line].count++;
    }
    for (size_t l = 0; l < linedef_end; l++) {
        members += search->groups[l].count;
        search->groups[l] = (struct list_group){members, 0};
    }
}

// Searches for a path that makes one more list a tail.
static nbstage_status pack_find_path(struct pack_search *search,
                                     struct list_link *start)
{
    struct context *context = search->context;
    struct list_link *link = start;
    while (link && context->work < search->work_end) {
        link = pack_step(search, start, link);
        if (context->work < search->next_report)
            continue;
        search->next_report = context->work + PACK_WORK_PER_REPORT;
        NEED(context_progress(context, search->done_count, search->list_count));
    }
    return NBSTAGE_OK;
}

// Tries to make each list a tail, from the longest to the shortest.
static nbstage_status pack_find_paths(struct pack_search *search, size_t most)
{
    for (size_t length = most; length > 0; length--)
        for (struct list_link *link = search->of_length[length]; link;
             link = link->before) {
            search->context->work +=
                PACK_WORK_FOR_LOOK * (length + LIST_EXTRA_WORDS);
            pack_enter(search, link);
            search->done_count++;
            NEED(pack_find_path(search, link));
        }
    return NBSTAGE_OK;
}

nbstage_status pack_nest_lists(struct context *context, struct lists *lists,
                               struct list_link *links)
{
    const uint64_t words = lists->word_count;
    const uint64_t most = PACK_WORK_BASE + PACK_WORK_PER_WORD * words;
    const uint64_t left = context_work_left(context);
    struct pack_search search = {
        .context = context,
        .links = links,
        .list_count = lists->list_count,
        .work_end = context->work + (most < left ? most : left),
        .next_report = context->work + PACK_WORK_PER_REPORT,
    };
    const struct context_array arrays[] = {
        {&search.signatures, lists->list_count, sizeof *search.signatures},
        {&search.groups, lists->linedef_end, sizeof *search.groups},
        {&search.members, words, sizeof(struct list_link *)},
        {&search.of_length, lists->linedef_end + 1, sizeof(struct list_link *)},
    };
    NEED(context_allocate_arrays(context, arrays, COUNT(arrays)));
    pack_sort(&search, lists->linedef_end);
    nbstage_status status = pack_find_paths(&search, lists->linedef_end);
    lists->is_early = context->work >= search.work_end;
    context_release(context, search.signatures);
    return status;
}

// Counts the extra entries of a list that has another one in it: the header of
// that is a 0, which all engines read as linedef 0.
static void pack_count_extra(const struct list_link *link, struct lists *lists)
{
    if (lists->header != HEADER_ZERO || !link->inner || *link->linedefs == 0)
        return;
    lists->extra_count += link->block_count;
    lists->extra_at_worst = 1;
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
        if (!link->inner && link != empty && empty && lists->word_count == 0) {
            link->inner = empty;
            lists->nested_count++;
        }
        pack_count_extra(link, lists);
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

// Writes the chains, each in the order of its head, and replaces the words.
static nbstage_status pack_put_chains(struct context *context,
                                      struct lists *lists,
                                      struct list_link *links)
{
    struct list_link *const end = links + lists->list_count;
    struct list_link *link, *last = NULL, *empty = NULL;
    uint32_t *words;
    bool all_have_0 = true;
    if (lists->header == HEADER_ZERO) // for pack_count_extra
        for (size_t b = 0; b < lists->block_count; b++)
            links[lists->words[lists->place[b]]].block_count++;
    // Chains never take more words than lists.
    NEED(context_allocate(context, lists->word_count, sizeof *words, &words));
    for (link = links; link < end; link++) {
        all_have_0 &= *link->linedefs == 0;
        lists->nested_count += link->outer != NULL;
        if (!link->inner && (!last || link->length >= last->length))
            last = link;
        if (link->length == 0)
            empty = link;
    }
    // Engines from MBF21 on assume headers if all lists begin with a 0.  If
    // every list contains linedef 0, all would, so add headers.
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
    context_release(context, lists->words);
    lists->words = words;
    return NBSTAGE_OK;
}

nbstage_status pack_lists(struct context *context, struct pack_form form,
                          struct lists *lists)
{
    struct list_link *links;
    lists->header = form.header;
    if (form.mode == PACK_SHARE && form.header == HEADER_ZERO)
        return NBSTAGE_OK; // built like this
    NEED(pack_link_lists(context, lists, &links));
    nbstage_status status = NBSTAGE_OK;
    if (form.mode == PACK_NEST)
        status = pack_nest_lists(context, lists, links);
    if (status == NBSTAGE_OK)
        status = pack_put_chains(context, lists, links);
    context_release(context, links);
    return status;
}
