// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes lists one after the other, each for itself or as chains of nested
// lists.  The lists 1 2 3 4, 2 3 4 and 4 make one chain.  Below each word to
// which the offset of a list leads is a ^:
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
// linedef of the list around it.  The first of a chain gets one of its own
// linedefs.  Without headers, offsets lead to the first linedef.
//
// The empty list can be the tail of every chain.  It is that of the first one,
// but not of the last one unless there is no other.
//
// Chains come in the order in which blocks first have their longest lists,
// except for one: the chain whose last list is the longest goes to the end,
// which makes the largest offset as small as possible.

#include "lists/lists.h"

// Writes a chain with the empty list, if there is one left, as its last tail.
// Lists' places in the packed words take that of their headers.
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
    nbstage_status status = nest_lists(context, lists, form.mode, &links);
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
