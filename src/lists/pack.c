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

#include "lists/pack.h"

// Writes a chain with the empty list, if there is one left, as its last tail.
// The headers before the lists' linedefs are no longer needed; the lists'
// offsets in the area take their place.
static void pack_put_chain(struct list_link *chain, struct list_link **empty,
                           struct list_area *area)
{
    const bool have_headers = area->header != HEADER_NONE;
    uint32_t *const head = area->words + area->word_count;
    uint32_t *word = head;
    for (struct list_link *link = chain; link; link = link->inner) {
        if (!link->inner && link != *empty) {
            link->inner = *empty;
            *empty = NULL;
        }
        const uint32_t *linedef = link->linedefs;
        const uint32_t *tail =
            link->inner ? link->inner->linedefs : linedef + link->length;
        if (area->header == HEADER_ZERO || (have_headers && link == chain))
            *word++ = LIST_HEADER;
        area->largest_offset = (uint32_t)(word - area->words) - have_headers;
        link->linedefs[-1] = area->largest_offset;
        for (; *linedef != LIST_END; linedef++)
            if (*linedef == *tail)
                tail++;
            else
                *word++ = *linedef;
    }
    if (area->header == HEADER_ANY && word > head + 1)
        head[0] = head[1];
    *word++ = LIST_END;
    area->word_count += (size_t)(word - head);
}

// Engines from MBF21 on assume headers if all lists begin with a 0.  Lists that
// all have linedef 0 must not mislead them.
static void pack_put_chains(const struct lists *lists, struct list_link *links,
                            struct list_area *area)
{
    struct list_link *const end = links + lists->list_count;
    struct list_link *link, *last = NULL, *empty = NULL;
    bool all_have_0 = true;
    for (link = links; link < end; link++) {
        all_have_0 &= *link->linedefs == 0;
        area->nested_count += link->outer != NULL;
        if (!link->inner && (!last || link->length >= last->length))
            last = link;
        if (link->length == 0)
            empty = link;
    }
    if (area->header == HEADER_NONE && all_have_0)
        area->header = HEADER_ANY;
    while (last->outer)
        last = last->outer;
    for (link = links; link < end; link++)
        if (!link->outer && link->length > 0 && link != last)
            pack_put_chain(link, &empty, area);
    pack_put_chain(last, &empty, area);
    for (size_t b = 0; b < area->block_count; b++)
        area->offset[b] = lists->words[area->offset[b]];
}

nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area)
{
    const uint32_t words = lists->start[lists->list_count];
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){
        .offset = lists->place,
        .block_count = lists->block_count,
        .header = form.header,
        .linedef_end = lists->linedef_end,
        .stored_count = lists->list_count,
    };
    lists->place = NULL; // which is the area's now
    if (form.mode == PACK_SHARE && form.header == HEADER_ZERO) { // as they are
        area->words = lists->words;
        area->word_count = words;
        area->largest_offset = lists->start[lists->list_count - 1];
        lists->words = NULL;
    } else {
        struct list_link *links;
        status = nest_lists(context, lists, form.mode, &links, &area->is_early);
        if (status == NBSTAGE_OK) // chains never take more words than lists
            status = context_allocate(context, words, sizeof *area->words,
                                      &area->words);
        if (status == NBSTAGE_OK)
            pack_put_chains(lists, links, area);
        context_release(context, links);
    }
    lists_free(context, lists);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->words);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
