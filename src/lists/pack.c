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

// Makes the empty list, if there is one and others too, the tail of a chain.
// Returns the first list of the chain that goes to the end: of equally good
// ones the last.
static uint32_t pack_arrange_chains(const struct lists *lists,
                                    struct nesting *nesting)
{
    uint32_t *const inner = nesting->inner, *const outer = nesting->outer;
    uint32_t last = 0, longest = 0, empty = LIST_NUMBER_NONE;
    for (uint32_t l = 0; l < lists->list_count; l++) {
        const uint32_t length = list_length(lists, l);
        if (length == 0)
            empty = l;
        if (inner[l] == LIST_NUMBER_NONE && length >= longest) {
            longest = length;
            last = l;
        }
    }
    while (outer[last] != LIST_NUMBER_NONE)
        last = outer[last];
    if (empty == LIST_NUMBER_NONE || empty == last)
        return last;
    uint32_t carrier = 0;
    while (carrier < lists->list_count &&
           (carrier == empty || carrier == last ||
            outer[carrier] != LIST_NUMBER_NONE))
        carrier++;
    if (carrier == lists->list_count)
        carrier = last;
    while (inner[carrier] != LIST_NUMBER_NONE)
        carrier = inner[carrier];
    inner[carrier] = empty;
    outer[empty] = carrier;
    return last;
}

// Writes a chain.  The header words of its lists in lists->words are no longer
// needed; the lists' offsets in the area take their place.
static void pack_put_chain(const struct lists *lists, const uint32_t *inner,
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
        lists->words[lists->start[l]] = area->largest_offset;
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
        const uint32_t last = pack_arrange_chains(lists, &nesting);
        for (uint32_t l = 0; l < lists->list_count; l++)
            if (nesting.outer[l] == LIST_NUMBER_NONE && l != last)
                pack_put_chain(lists, nesting.inner, l, area);
        pack_put_chain(lists, nesting.inner, last, area);
        for (size_t b = 0; b < lists->block_count; b++)
            lists->place[b] = lists->words[lists->place[b]];
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
        area->offset = lists->place;
        lists->place = NULL;
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
