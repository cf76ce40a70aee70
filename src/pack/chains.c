// SPDX-License-Identifier: GPL-2.0-or-later
//
// A chain S1 > S2 > .. > Sk is written as the linedefs of S1 that S2 has not
// got, those of S2 that S3 has not got, and so on to Sk, and one end mark.
// Chains come in the order in which blocks first have their longest lists, but
// for one: the chain whose last list is the longest goes to the end, so that
// the largest offset is as small as it can be.
//
// The word before a list:
//
//   zero  A 0 stands before every list, in the middle of a chain, too.  Where
//         linedef 0 is in a list but not in its tail, it goes last before the
//         tail, and is the tail's 0 as well.
//   any   A word stands before every chain: a linedef of its first list, so
//         that an engine that does test it tests nothing that it would not
//         test anyway.  A tail has the word before it, whatever that is.
//   none  Nothing.
//
// The empty list needs an end mark, and before it what the header asks for.
// After a chain both are there but for the 0, and that too if the chain ends
// with linedef 0.  It does not take the end mark of the last chain, as that
// would be the largest offset; if only the chain that would go last ends with
// linedef 0, another one goes last.

#include "pack/chains.h"

struct writer {
    const struct lists *lists;
    const struct nesting *nesting;
    enum pack_header header;
    struct list_area *area;
    uint32_t *next;    // word
    uint32_t *offsets; // of lists

    // Lists by their numbers, or LIST_NUMBER_NONE.
    uint32_t empty_list;
    uint32_t last_chain; // by its first list
    uint32_t carrier;    // the chain whose end mark the empty list takes
};

static uint32_t here(const struct writer *writer)
{
    return (uint32_t)(writer->next - writer->area->words);
}

// ---------------------------------------------------------------------------
// Chains

// Writes the linedefs of a list that its tail has not got, with linedef 0
// last if `zero_last`.  True if that was written.
static bool put_difference(struct writer *writer, uint32_t list, uint32_t tail,
                           bool zero_last)
{
    const uint32_t *linedef = list_linedefs(writer->lists, list);
    const uint32_t *end = linedef + list_length(writer->lists, list);
    const uint32_t *skip = end;
    const uint32_t *skip_end = end;
    if (tail != LIST_NUMBER_NONE) {
        skip = list_linedefs(writer->lists, tail);
        skip_end = skip + list_length(writer->lists, tail);
    }
    bool zero_is_next = false;
    for (; linedef < end; linedef++) {
        if (skip < skip_end && *skip == *linedef)
            skip++;
        else if (*linedef == 0 && zero_last)
            zero_is_next = true;
        else
            *writer->next++ = *linedef;
    }
    if (zero_is_next)
        *writer->next++ = 0;
    return zero_is_next;
}

// Places the empty list at the end mark that is written next.
static void place_empty(struct writer *writer, bool after_zero)
{
    if (writer->header == HEADER_ZERO && !after_zero)
        *writer->next++ = LIST_HEADER;
    writer->offsets[writer->empty_list] =
        here(writer) - (writer->header != HEADER_NONE);
}

// A linedef that a list has and its tail has not got.
static uint32_t linedef_outside(const struct writer *writer, uint32_t list)
{
    const uint32_t *linedef = list_linedefs(writer->lists, list);
    uint32_t tail = writer->nesting->inner[list];
    if (tail == LIST_NUMBER_NONE)
        return *linedef;
    const uint32_t *of_tail = list_linedefs(writer->lists, tail);
    const uint32_t *end = of_tail + list_length(writer->lists, tail);
    while (of_tail < end && *linedef == *of_tail) {
        linedef++;
        of_tail++;
    }
    return *linedef;
}

// Writes what a chain needs before its first linedef.
static void put_head(struct writer *writer, uint32_t chain)
{
    if (writer->header == HEADER_ZERO)
        *writer->next++ = LIST_HEADER;
    else if (writer->header == HEADER_ANY)
        *writer->next++ = linedef_outside(writer, chain);
}

static void put_chain(struct writer *writer, uint32_t chain)
{
    const uint32_t *inner = writer->nesting->inner;
    bool has_zeros = writer->header == HEADER_ZERO;
    bool carries = chain == writer->carrier;
    bool after_zero = true; // whether the next word has a 0 before it
    writer->offsets[chain] = here(writer);
    put_head(writer, chain);
    for (uint32_t list = chain; list != LIST_NUMBER_NONE; list = inner[list]) {
        bool zero_serves =
            has_zeros && (inner[list] != LIST_NUMBER_NONE || carries);
        if (has_zeros && !after_zero)
            *writer->next++ = LIST_HEADER;
        if (list != chain)
            writer->offsets[list] =
                here(writer) - (writer->header != HEADER_NONE);
        after_zero = put_difference(writer, list, inner[list], zero_serves);
        writer->area->stored_count++;
    }
    if (carries)
        place_empty(writer, after_zero);
    *writer->next++ = LIST_END;
}

// ---------------------------------------------------------------------------
// Their order

static uint32_t first_of_chain(const struct writer *writer, uint32_t list)
{
    while (list != LIST_NUMBER_NONE &&
           writer->nesting->outer[list] != LIST_NUMBER_NONE)
        list = writer->nesting->outer[list];
    return list;
}

// The chain whose last list is the longest, of equals the one that is last
// anyway.  It is not the one that carries the empty list.
static uint32_t find_last_chain(const struct writer *writer)
{
    uint32_t last = LIST_NUMBER_NONE;
    size_t longest = 1;
    for (uint32_t l = 0; l < writer->lists->list_count; l++) {
        size_t length = list_length(writer->lists, l);
        if (writer->nesting->inner[l] == LIST_NUMBER_NONE &&
            length >= longest &&
            (writer->carrier == LIST_NUMBER_NONE ||
             first_of_chain(writer, l) != writer->carrier)) {
            longest = length;
            last = l;
        }
    }
    return first_of_chain(writer, last);
}

// Whether a chain, told by its last list, can take the empty list without a
// word more: linedef 0 can be its last word if one is asked for.
static bool carries_free(const struct writer *writer, uint32_t last_list)
{
    return list_length(writer->lists, last_list) > 0 &&
           writer->nesting->inner[last_list] == LIST_NUMBER_NONE &&
           (writer->header != HEADER_ZERO ||
            list_has_zero(writer->lists, last_list));
}

// The first chain that carries the empty list free, if need be the last chain,
// or else the first that is not the last one, or else that.
static uint32_t find_carrier(const struct writer *writer)
{
    uint32_t carrier = LIST_NUMBER_NONE;
    for (uint32_t l = 0; l < writer->lists->list_count; l++) {
        if (!carries_free(writer, l))
            continue;
        carrier = first_of_chain(writer, l);
        if (carrier != writer->last_chain)
            return carrier;
    }
    if (carrier != LIST_NUMBER_NONE)
        return carrier;
    for (uint32_t l = 0; l < writer->lists->list_count; l++)
        if (writer->nesting->outer[l] == LIST_NUMBER_NONE &&
            l != writer->last_chain && l != writer->empty_list)
            return l;
    return writer->last_chain;
}

static void choose_chains(struct writer *writer)
{
    writer->last_chain = find_last_chain(writer);
    if (writer->empty_list == LIST_NUMBER_NONE)
        return;
    writer->carrier = find_carrier(writer);
    writer->area->stored_count++;
    if (writer->carrier != writer->last_chain)
        return;
    uint32_t other = find_last_chain(writer);
    if (other != LIST_NUMBER_NONE)
        writer->last_chain = other;
}

// No block has a line.
static void put_empty_list(struct writer *writer)
{
    if (writer->header == HEADER_ANY)
        *writer->next++ = LIST_HEADER;
    place_empty(writer, writer->header == HEADER_ANY);
    *writer->next++ = LIST_END;
}

static void put_chains(struct writer *writer)
{
    choose_chains(writer);
    for (uint32_t l = 0; l < writer->lists->list_count; l++)
        if (l != writer->last_chain && l != writer->empty_list &&
            writer->nesting->outer[l] == LIST_NUMBER_NONE)
            put_chain(writer, l);
    if (writer->last_chain != LIST_NUMBER_NONE)
        put_chain(writer, writer->last_chain);
    else
        put_empty_list(writer);
}

// ---------------------------------------------------------------------------

static void fill_offsets(struct writer *writer, struct lists *lists)
{
    struct list_area *area = writer->area;
    lists_put_numbers(lists);
    for (size_t b = 0; b < area->block_count; b++) {
        uint32_t list = lists->words[lists->place[b]];
        area->offset[b] = writer->offsets[list];
        if (area->offset[b] > area->largest_offset)
            area->largest_offset = area->offset[b];
    }
}

static nbstage_status allocate(struct context *context, struct writer *writer)
{
    const struct lists *lists = writer->lists;
    struct list_area *area = writer->area;
    // Chains are not longer than lists by themselves, but for one word that
    // puts the empty list after a chain.
    uint64_t most = (uint64_t)lists->start[lists->list_count] + 1;
    nbstage_status status = lists_allocate_words(
        context, lists->block_count, most, &area->memory, &area->words);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lists->block_count,
                                  sizeof *area->offset, &area->offset);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lists->list_count,
                                  sizeof *writer->offsets, &writer->offsets);
    return status;
}

static uint32_t find_empty_list(const struct lists *lists)
{
    for (uint32_t l = 0; l < lists->list_count; l++)
        if (list_length(lists, l) == 0)
            return l;
    return LIST_NUMBER_NONE;
}

nbstage_status chains_write(struct context *context, struct lists *lists,
                            const struct nesting *nesting,
                            enum pack_header header, struct list_area *area)
{
    struct writer writer = {
        .lists = lists,
        .nesting = nesting,
        .header = header,
        .area = area,
        .empty_list = find_empty_list(lists),
        .last_chain = LIST_NUMBER_NONE,
        .carrier = LIST_NUMBER_NONE,
    };
    *area = (struct list_area){.block_count = lists->block_count};
    nbstage_status status = allocate(context, &writer);
    if (status == NBSTAGE_OK) {
        writer.next = area->words;
        put_chains(&writer);
        area->word_count = here(&writer);
        fill_offsets(&writer, lists);
    }
    context_release(context, writer.offsets);
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}
