// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes lists one after the other, each for itself or as chains of nested
// lists.
//
// A chain S1 > S2 > .. > Sk is written as the linedefs of S1 that are not in
// S2, those of S2 that are not in S3, and so on to Sk, and one end mark. Chains
// come in the order in which blocks first have their longest lists, except for
// one: the chain whose last list is the longest goes to the end, which makes
// the largest offset as small as possible.
//
// The word before a list:
//
//   zero  A 0 stands before every list, also inside a chain.  If linedef 0 is
//         in a list but not in its tail, it goes last before the tail and
//         serves as the tail's 0, too.
//   any   A word stands before every chain: a linedef of its first list, so
//         that an engine that tests this word tests nothing new.  A tail uses
//         the word before it.
//   none  No word.
//
// The empty list needs an end mark and the header before it.  It takes those at
// the end of a chain; with zero headers the 0 is there only if the chain ends
// with linedef 0.  It does not take the end of the last chain, because that
// would be the largest offset; if only the chain chosen to go last ends with
// linedef 0, another one goes last.

#include "pack/pack.h"

#include "pack/nest.h"

#include <string.h>

struct writer {
    const struct lists *lists;
    const struct nesting *nesting;
    enum pack_header header;
    struct list_area *area;
    uint32_t next;     // word
    uint32_t *offsets; // of lists

    // Lists by their numbers, or LIST_NUMBER_NONE.
    uint32_t empty_list;
    uint32_t last_chain; // by its first list
    uint32_t carrier;    // the chain whose end mark the empty list takes
};

// Without words in the area, they are only counted.
static void put(struct writer *writer, uint32_t word)
{
    if (writer->area->words)
        writer->area->words[writer->next] = word;
    writer->next++;
}

// ---------------------------------------------------------------------------
// Chains

// Writes the linedefs of a list that are not in its tail, with linedef 0 last
// if `zero_last`.  Returns whether that was written.
static bool put_difference(struct writer *writer, uint32_t list, uint32_t tail,
                           bool zero_last)
{
    const struct lists *lists = writer->lists;
    const uint32_t *linedef = list_linedefs(lists, list);
    const uint32_t *end = linedef + list_length(lists, list);
    const uint32_t *skip = end;
    const uint32_t *skip_end = end;
    if (tail != LIST_NUMBER_NONE) {
        skip = list_linedefs(lists, tail);
        skip_end = skip + list_length(lists, tail);
    }
    bool zero_is_next = zero_last && list_has_zero(lists, list) &&
                        (skip == skip_end || *skip != 0);
    if (!writer->area->words) {
        writer->next += (uint32_t)((end - linedef) - (skip_end - skip));
        return zero_is_next;
    }
    for (linedef += zero_is_next; linedef < end; linedef++) {
        if (skip < skip_end && *skip == *linedef)
            skip++;
        else
            put(writer, *linedef);
    }
    if (zero_is_next)
        put(writer, 0);
    return zero_is_next;
}

// Places the empty list at the end mark that is written next.
static void place_empty(struct writer *writer, bool after_zero)
{
    if (writer->header == HEADER_ZERO && !after_zero)
        put(writer, LIST_HEADER);
    writer->offsets[writer->empty_list] =
        writer->next - (writer->header != HEADER_NONE);
}

static void put_chain(struct writer *writer, uint32_t chain)
{
    const uint32_t *inner = writer->nesting->inner;
    bool has_zeros = writer->header == HEADER_ZERO;
    bool carries = chain == writer->carrier;
    bool after_zero = true; // whether the next word has a 0 before it
    const uint32_t head = writer->next;
    writer->offsets[chain] = head;
    if (writer->header != HEADER_NONE)
        put(writer, LIST_HEADER);
    for (uint32_t list = chain; list != LIST_NUMBER_NONE; list = inner[list]) {
        bool zero_serves =
            has_zeros && (inner[list] != LIST_NUMBER_NONE || carries);
        if (has_zeros && !after_zero)
            put(writer, LIST_HEADER);
        if (list != chain)
            writer->offsets[list] =
                writer->next - (writer->header != HEADER_NONE);
        after_zero = put_difference(writer, list, inner[list], zero_serves);
        writer->area->stored_count++;
    }
    if (writer->header == HEADER_ANY && writer->area->words)
        writer->area->words[head] = writer->area->words[head + 1];
    if (carries)
        place_empty(writer, after_zero);
    put(writer, LIST_END);
}

// ---------------------------------------------------------------------------
// The order of chains

static uint32_t first_of_chain(const struct writer *writer, uint32_t list)
{
    while (list != LIST_NUMBER_NONE &&
           writer->nesting->outer[list] != LIST_NUMBER_NONE)
        list = writer->nesting->outer[list];
    return list;
}

// Finds the chain whose last list is the longest, of equal ones the last.  It
// is not the carrier of the empty list.
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

// Whether a chain that ends with this list can carry the empty list without a
// further word: if a 0 is asked for, linedef 0 can be its last word.
static bool needs_no_word(const struct writer *writer, uint32_t last_list)
{
    return list_length(writer->lists, last_list) > 0 &&
           writer->nesting->inner[last_list] == LIST_NUMBER_NONE &&
           (writer->header != HEADER_ZERO ||
            list_has_zero(writer->lists, last_list));
}

// Finds the chain that carries the empty list: the first that needs no further
// word, preferably not the last chain; else any, also preferably not the last.
static uint32_t find_carrier(const struct writer *writer)
{
    uint32_t carrier = LIST_NUMBER_NONE;
    for (uint32_t l = 0; l < writer->lists->list_count; l++) {
        if (!needs_no_word(writer, l))
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

static void put_chains(struct writer *writer)
{
    choose_chains(writer);
    for (uint32_t l = 0; l < writer->lists->list_count; l++)
        if (l != writer->last_chain && l != writer->empty_list &&
            writer->nesting->outer[l] == LIST_NUMBER_NONE)
            put_chain(writer, l);
    if (writer->last_chain != LIST_NUMBER_NONE) {
        put_chain(writer, writer->last_chain);
        return;
    }
    // No block has a line.
    if (writer->header == HEADER_ANY)
        put(writer, LIST_HEADER);
    place_empty(writer, writer->header == HEADER_ANY);
    put(writer, LIST_END);
}

static void write_chains(struct writer *writer, struct lists *lists)
{
    struct list_area *area = writer->area;
    for (uint32_t l = 0; l < lists->list_count; l++)
        if (list_length(lists, l) == 0)
            writer->empty_list = l;
    put_chains(writer);
    area->word_count = writer->next;
    for (size_t l = 0; l < lists->list_count; l++)
        if (writer->offsets[l] > area->largest_offset)
            area->largest_offset = writer->offsets[l];
    if (!area->words)
        return;
    lists_put_numbers(lists);
    for (size_t b = 0; b < area->block_count; b++)
        area->offset[b] = writer->offsets[lists->words[lists->place[b]]];
    area->price = lists_price(lists);
}

// ---------------------------------------------------------------------------
// Modes

// Allocates the words and offsets of an area.
static nbstage_status allocate_area(struct context *context, size_t block_count,
                                    uint64_t word_count, struct list_area *area)
{
    *area = (struct list_area){.block_count = block_count};
    nbstage_status status = lists_allocate_words(
        context, block_count, word_count, &area->memory, &area->words);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, block_count, sizeof *area->offset,
                                  &area->offset);
    return status;
}

// Engines from MBF21 on assume headers if all lists begin with a 0.  Lists that
// all begin with linedef 0 must not mislead them.
static enum pack_header safe_header(const struct lists *lists,
                                    enum pack_header header)
{
    if (header != HEADER_NONE)
        return header;
    for (size_t l = 0; l < lists->list_count; l++)
        if (*list_linedefs(lists, l) != 0)
            return HEADER_NONE;
    return HEADER_ANY;
}

static nbstage_status pack_chains(struct context *context, struct lists *lists,
                                  struct pack_form form, bool only_measured,
                                  struct list_area *area)
{
    bool is_complete = true;
    struct nesting nesting;
    nbstage_status status = NBSTAGE_OK;
    if (form.mode == PACK_COVER)
        status = cover_lists(context, lists, &is_complete);
    struct writer writer = {
        .lists = lists,
        .nesting = &nesting,
        .header = safe_header(lists, form.header),
        .area = area,
        .empty_list = LIST_NUMBER_NONE,
        .last_chain = LIST_NUMBER_NONE,
        .carrier = LIST_NUMBER_NONE,
    };
    // Chains are not longer than single lists, except for one word that puts
    // the empty list after a chain.
    const uint64_t most = (uint64_t)lists->start[lists->list_count] + 1;
    if (status == NBSTAGE_OK && form.mode == PACK_NEST)
        status =
            nest_lists(context, lists, form.header == HEADER_ZERO, &nesting);
    else if (status == NBSTAGE_OK)
        status = nest_nothing(context, lists, &nesting);
    if (status != NBSTAGE_OK)
        return status;
    *area = (struct list_area){.block_count = lists->block_count};
    if (!only_measured)
        status = allocate_area(context, lists->block_count, most, area);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lists->list_count,
                                  sizeof *writer.offsets, &writer.offsets);
    if (status == NBSTAGE_OK)
        write_chains(&writer, lists);
    area->nested_count = nesting.nested_count;
    area->header = writer.header;
    area->is_early = !is_complete || !nesting.is_complete;
    context_release(context, writer.offsets);
    nesting_free(context, &nesting);
    return status;
}

// Moves the lists to the area as they are.
static void pack_share(struct lists *lists, struct list_area *area)
{
    *area = (struct list_area){
        .words = lists->words,
        .memory = lists->memory,
        .word_count = lists->start[lists->list_count],
        .offset = lists->place,
        .block_count = lists->block_count,
        .stored_count = lists->list_count,
        .largest_offset = lists->start[lists->list_count - 1],
        .price = lists_price(lists),
    };
    lists->memory = NULL;
    lists->place = NULL;
}

// Copies the list of every block.
static nbstage_status pack_none(struct context *context,
                                const struct lists *lists,
                                enum pack_header header, struct list_area *area)
{
    const enum pack_header safe = safe_header(lists, header);
    nbstage_status status = allocate_area(
        context, lists->block_count,
        lists->entry_count + (uint64_t)LIST_EXTRA_WORDS * lists->block_count,
        area);
    if (status != NBSTAGE_OK)
        return status;
    uint32_t *next = area->words;
    for (size_t b = 0; b < lists->block_count; b++) {
        const uint32_t *word = lists->words + lists->place[b] + 1;
        area->largest_offset = (uint32_t)(next - area->words);
        area->offset[b] = area->largest_offset;
        if (safe == HEADER_ZERO)
            *next++ = LIST_HEADER;
        else if (safe == HEADER_ANY)
            *next++ = *word == LIST_END ? LIST_HEADER : *word;
        do
            *next++ = *word;
        while (*word++ != LIST_END);
    }
    area->word_count = (size_t)(next - area->words);
    area->stored_count = lists->block_count;
    area->header = safe;
    return NBSTAGE_OK;
}

static nbstage_status pack(struct context *context, struct lists *lists,
                           struct pack_form form, bool only_measured,
                           struct list_area *area)
{
    const size_t linedef_end = lists->linedef_end;
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){0};
    if (form.mode == PACK_NONE)
        status = pack_none(context, lists, form.header, area);
    else if (form.mode == PACK_SHARE && form.header == HEADER_ZERO)
        pack_share(lists, area);
    else
        status = pack_chains(context, lists, form, only_measured, area);
    lists_free(context, lists);
    area->linedef_end = linedef_end;
    if (status != NBSTAGE_OK)
        list_area_free(context, area);
    return status;
}

nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, struct list_area *area)
{
    return pack(context, lists, form, false, area);
}

nbstage_status pack_measure(struct context *context, struct lists *lists,
                            struct pack_form form, struct list_area *area)
{
    return pack(context, lists, form, true, area);
}

void list_area_reverse(struct list_area *area)
{
    const size_t header_words = area->header == HEADER_NONE ? 0 : 1;
    size_t begin = header_words;
    for (size_t w = begin; w < area->word_count; w++) {
        if (area->words[w] != LIST_END)
            continue;
        const size_t after = w + 1 + header_words;
        for (size_t end = w; begin + 1 < end; begin++) {
            uint32_t linedef = area->words[--end];
            area->words[end] = area->words[begin];
            area->words[begin] = linedef;
        }
        begin = after;
        w = after - 1;
    }
}

void list_area_free(struct context *context, struct list_area *area)
{
    context_release(context, area->memory);
    context_release(context, area->offset);
    *area = (struct list_area){0};
}
