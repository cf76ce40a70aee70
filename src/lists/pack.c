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
// So there are two questions.  Do offsets lead to a header, the word before a
// list, or to its first linedef?  And has each list a header of its own, always
// a 0, or only the first of a chain?  With zero headers, an engine takes a 0 in
// the middle of a list for linedef 0, and tests it in vain.  With any header, a
// tail uses the word before it: a linedef of the list around it.  The first of
// a chain gets one of its own linedefs.
//
// The empty list can be the tail of every chain.  It is that of the first one,
// but not of the last one unless there is no other.
//
// Chains come in the order in which blocks first have their longest lists,
// except for one: the chain whose last list is the longest goes to the end,
// which makes the largest offset as small as possible.

#include "lists/pack.h"

// ---------------------------------------------------------------------------
// The order of chains

// Finds the chain, by its first list, whose last list is the longest; of equal
// ones the last.
static uint32_t pack_find_last_chain(const struct lists *lists,
                                     const struct nesting *nesting)
{
    uint32_t last = 0, longest = 0;
    for (uint32_t l = 0; l < lists->list_count; l++)
        if (nesting->inner[l] == LIST_NUMBER_NONE &&
            list_length(lists, l) >= longest) {
            longest = list_length(lists, l);
            last = l;
        }
    while (nesting->outer[last] != LIST_NUMBER_NONE)
        last = nesting->outer[last];
    return last;
}

// Makes the empty list, if there is one and others too, the tail of a chain.
static void pack_nest_empty_list(const struct lists *lists, uint32_t last_chain,
                                 struct nesting *nesting)
{
    uint32_t empty = LIST_NUMBER_NONE, carrier = last_chain;
    for (uint32_t l = (uint32_t)lists->list_count; l-- > 0;)
        if (list_length(lists, l) == 0)
            empty = l;
        else if (nesting->outer[l] == LIST_NUMBER_NONE && l != last_chain)
            carrier = l;
    if (empty == LIST_NUMBER_NONE || empty == last_chain)
        return;
    while (nesting->inner[carrier] != LIST_NUMBER_NONE)
        carrier = nesting->inner[carrier];
    nesting->inner[carrier] = empty;
    nesting->outer[empty] = carrier;
}

// ---------------------------------------------------------------------------
// Words

// Writes a chain.  Where a list is in lists->words need not be known once it is
// written; where it is in the area takes its place.
static void pack_put_chain(struct lists *lists, const uint32_t *inner,
                           uint32_t chain, struct list_area *area)
{
    static const uint32_t nothing[] = {LIST_END};
    const bool have_headers = area->header != HEADER_NONE;
    uint32_t *const head = area->words + area->word_count;
    uint32_t *word = head;
    for (uint32_t l = chain; l != LIST_NUMBER_NONE; l = inner[l]) {
        const uint32_t *linedef = list_linedefs(lists, l);
        const uint32_t *tail = inner[l] == LIST_NUMBER_NONE
                                   ? nothing
                                   : list_linedefs(lists, inner[l]);
        if (area->header == HEADER_ZERO || (have_headers && l == chain))
            *word++ = LIST_HEADER;
        area->largest_offset = (uint32_t)(word - area->words) - have_headers;
        lists->start[l] = area->largest_offset;
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
// all begin with linedef 0 must not mislead them.
static enum list_header pack_safe_header(const struct lists *lists,
                                         enum list_header header)
{
    if (header != HEADER_NONE)
        return header;
    for (size_t l = 0; l < lists->list_count; l++)
        if (*list_linedefs(lists, l) != 0)
            return HEADER_NONE;
    return HEADER_ANY;
}

static nbstage_status pack_chains(struct context *context, struct lists *lists,
                                  enum pack_mode mode, struct list_area *area)
{
    // Chains never take more words than single lists.
    const uint64_t most = lists->start[lists->list_count];
    struct nesting nesting;
    nbstage_status status = nest_lists(context, lists, mode, &nesting);
    if (status == NBSTAGE_OK)
        status = lists_allocate_words(context, lists->block_count, most,
                                      &area->memory, &area->words);
    if (status == NBSTAGE_OK) {
        const uint32_t last = pack_find_last_chain(lists, &nesting);
        pack_nest_empty_list(lists, last, &nesting);
        for (uint32_t l = 0; l < lists->list_count; l++)
            if (nesting.outer[l] == LIST_NUMBER_NONE && l != last)
                pack_put_chain(lists, nesting.inner, l, area);
        pack_put_chain(lists, nesting.inner, last, area);
        area->nested_count = nesting.nested_count;
        area->is_early = nesting.is_early;
    }
    nesting_free(context, &nesting);
    return status;
}

nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area)
{
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){
        .block_count = lists->block_count,
        .header = pack_safe_header(lists, form.header),
        .linedef_end = lists->linedef_end,
        .stored_count = lists->list_count,
    };
    if (form.mode == PACK_SHARE && form.header == HEADER_ZERO) { // as they are
        area->words = lists->words;
        area->memory = lists->memory;
        area->word_count = lists->start[lists->list_count];
        area->largest_offset = lists->start[lists->list_count - 1];
        lists->memory = NULL;
    } else {
        status = pack_chains(context, lists, form.mode, area);
    }
    if (status == NBSTAGE_OK) {
        area->offset = lists->list_of;
        for (size_t b = 0; b < area->block_count; b++)
            area->offset[b] = lists->start[area->offset[b]];
        lists->list_of = NULL;
    }
    lists_free(context, lists);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->memory);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
