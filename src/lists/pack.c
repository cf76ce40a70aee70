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
//   zero  A 0 stands before every list, also inside a chain.
//   any   A word stands before every chain: a linedef of its first list, so
//         that an engine that tests this word tests nothing new.  A tail uses
//         the word before it.
//   none  No word.
//
// The empty list needs an end mark and the header before it.  It takes those at
// the end of the first chain; with zero headers a 0 is added there.  It takes
// the end of the last chain only if there is no other, because that would be
// the largest offset.

#include "lists/pack.h"

#include "lists/nest.h"

struct pack_writer {
    const struct lists *lists;
    const struct nesting *nesting;
    enum list_header header;
    struct list_area *area;
    uint32_t next;     // word
    uint32_t *offsets; // of lists

    // Lists by their numbers, or LIST_NUMBER_NONE.
    uint32_t empty_list;
    uint32_t last_chain; // by its first list
    uint32_t carrier;    // the chain whose end mark the empty list takes
};

// Without words in the area, they are only counted.
static void pack_put_word(struct pack_writer *writer, uint32_t word)
{
    if (writer->area->words)
        writer->area->words[writer->next] = word;
    writer->next++;
}

// ---------------------------------------------------------------------------
// Chains

// Writes the linedefs of a list that are not in its tail.
static void pack_put_difference(struct pack_writer *writer, uint32_t list,
                                uint32_t tail)
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
    if (!writer->area->words) {
        writer->next += (uint32_t)((end - linedef) - (skip_end - skip));
        return;
    }
    for (; linedef < end; linedef++) {
        if (skip < skip_end && *skip == *linedef)
            skip++;
        else
            pack_put_word(writer, *linedef);
    }
}

// Begins a list with the word that is written next, or the one before it.
static void pack_begin_list(struct pack_writer *writer, uint32_t list)
{
    if (writer->header == HEADER_ZERO)
        pack_put_word(writer, LIST_HEADER);
    writer->offsets[list] = writer->next - (writer->header != HEADER_NONE);
}

static void pack_put_chain(struct pack_writer *writer, uint32_t chain)
{
    const uint32_t *inner = writer->nesting->inner;
    const uint32_t head = writer->next;
    if (writer->header == HEADER_ANY)
        pack_put_word(writer, LIST_HEADER);
    for (uint32_t list = chain; list != LIST_NUMBER_NONE; list = inner[list]) {
        pack_begin_list(writer, list);
        pack_put_difference(writer, list, inner[list]);
        writer->area->stored_count++;
    }
    if (writer->header == HEADER_ANY && writer->area->words)
        writer->area->words[head] = writer->area->words[head + 1];
    if (chain == writer->carrier)
        pack_begin_list(writer, writer->empty_list);
    pack_put_word(writer, LIST_END);
}

// ---------------------------------------------------------------------------
// The order of chains

// Finds the chain whose last list is the longest, of equal ones the last.
static uint32_t pack_find_last_chain(const struct pack_writer *writer)
{
    uint32_t last = LIST_NUMBER_NONE;
    size_t longest = 1;
    for (uint32_t l = 0; l < writer->lists->list_count; l++) {
        size_t length = list_length(writer->lists, l);
        if (writer->nesting->inner[l] == LIST_NUMBER_NONE &&
            length >= longest) {
            longest = length;
            last = l;
        }
    }
    while (last != LIST_NUMBER_NONE &&
           writer->nesting->outer[last] != LIST_NUMBER_NONE)
        last = writer->nesting->outer[last];
    return last;
}

// Whether a list is not the tail of another, and not the empty list.
static bool pack_is_chain(const struct pack_writer *writer, uint32_t list)
{
    return writer->nesting->outer[list] == LIST_NUMBER_NONE &&
           list != writer->empty_list;
}

// Finds the chain that carries the empty list: the first, preferably not the
// last.
static uint32_t pack_find_carrier(const struct pack_writer *writer)
{
    for (uint32_t l = 0; l < writer->lists->list_count; l++)
        if (pack_is_chain(writer, l) && l != writer->last_chain)
            return l;
    return writer->last_chain;
}

static void pack_put_chains(struct pack_writer *writer)
{
    writer->last_chain = pack_find_last_chain(writer);
    if (writer->empty_list != LIST_NUMBER_NONE) {
        writer->carrier = pack_find_carrier(writer);
        writer->area->stored_count++;
    }
    for (uint32_t l = 0; l < writer->lists->list_count; l++)
        if (pack_is_chain(writer, l) && l != writer->last_chain)
            pack_put_chain(writer, l);
    if (writer->last_chain != LIST_NUMBER_NONE) {
        pack_put_chain(writer, writer->last_chain);
        return;
    }
    // No block has a line.
    if (writer->header == HEADER_ANY)
        pack_put_word(writer, LIST_HEADER);
    pack_begin_list(writer, writer->empty_list);
    pack_put_word(writer, LIST_END);
}

static void pack_write_chains(struct pack_writer *writer, struct lists *lists)
{
    struct list_area *area = writer->area;
    for (uint32_t l = 0; l < lists->list_count; l++)
        if (list_length(lists, l) == 0)
            writer->empty_list = l;
    pack_put_chains(writer);
    area->word_count = writer->next;
    for (size_t l = 0; l < lists->list_count; l++)
        if (writer->offsets[l] > area->largest_offset)
            area->largest_offset = writer->offsets[l];
    if (!area->words)
        return;
    lists_put_numbers(lists);
    for (size_t b = 0; b < area->block_count; b++)
        area->offset[b] = writer->offsets[lists->words[lists->place[b]]];
}

// ---------------------------------------------------------------------------
// Modes

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

// Writes chains, or only counts their words.
static nbstage_status pack_chains(struct context *context, struct lists *lists,
                                  struct pack_form form, bool only_counts,
                                  struct list_area *area)
{
    struct nesting nesting;
    struct pack_writer writer = {
        .lists = lists,
        .nesting = &nesting,
        .header = pack_safe_header(lists, form.header),
        .area = area,
        .empty_list = LIST_NUMBER_NONE,
        .last_chain = LIST_NUMBER_NONE,
        .carrier = LIST_NUMBER_NONE,
    };
    // Chains are not longer than single lists, except for one word that puts
    // the empty list after a chain.
    const uint64_t most = (uint64_t)lists->start[lists->list_count] + 1;
    nbstage_status status = form.mode == PACK_NEST
                                ? nest_lists(context, lists, &nesting)
                                : nest_nothing(context, lists, &nesting);
    if (status != NBSTAGE_OK)
        return status;
    area->block_count = lists->block_count;
    area->nested_count = nesting.nested_count;
    area->header = writer.header;
    area->is_early = !nesting.is_complete;
    if (!only_counts)
        status = lists_allocate_words(context, lists->block_count, most,
                                      &area->memory, &area->words);
    if (status == NBSTAGE_OK && !only_counts)
        status = context_allocate(context, lists->block_count,
                                  sizeof *area->offset, &area->offset);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, lists->list_count,
                                  sizeof *writer.offsets, &writer.offsets);
    if (status == NBSTAGE_OK)
        pack_write_chains(&writer, lists);
    context_release(context, writer.offsets);
    nesting_free(context, &nesting);
    return status;
}

// Moves the lists to the area as they are.
static void pack_share(struct lists *lists, struct list_area *area)
{
    area->words = lists->words;
    area->memory = lists->memory;
    area->word_count = lists->start[lists->list_count];
    area->offset = lists->place;
    area->block_count = lists->block_count;
    area->stored_count = lists->list_count;
    area->largest_offset = lists->start[lists->list_count - 1];
    lists->memory = NULL;
    lists->place = NULL;
}

nbstage_status pack_lists(struct context *context, struct lists *lists,
                          struct pack_form form, bool only_counts,
                          struct list_area *area)
{
    nbstage_status status = NBSTAGE_OK;
    *area = (struct list_area){.linedef_end = lists->linedef_end};
    if (form.mode == PACK_SHARE && form.header == HEADER_ZERO)
        pack_share(lists, area);
    else
        status = pack_chains(context, lists, form, only_counts, area);
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
